//! Reading the interaction matrices of the IODA method, in the text formats of its NetLogo extension.
