//! The interaction matrices of the IODA method, from the files that its NetLogo extension writes.

use std::collections::BTreeMap;
use std::path::Path;

use repertoire_character::laws::matrix::{Model, read_primitives};

use super::{LoadError, text};

/// Who may do what to whom: a file of interactions, and one with the matrix, whose fields `separators` keep apart.
///
/// Fails if one of them cannot be read, or has a mistake in it.
pub fn matrix(interactions: &Path, matrix: &Path, separators: &str) -> Result<Model, LoadError> {
    Model::read(&text(interactions)?, &text(matrix)?, separators).map_err(|(in_matrix, mistake)| {
        let path = if in_matrix { matrix } else { interactions };
        LoadError::Mistake { path: path.to_owned(), mistake }
    })
}

/// What the primitives of such interactions mean: a TOML file of `name = "expression"`.
///
/// Fails if the file cannot be read, or has a mistake in it.
pub fn primitives(path: &Path) -> Result<BTreeMap<String, String>, LoadError> {
    read_primitives(&text(path)?).map_err(|mistake| LoadError::Mistake { path: path.to_owned(), mistake })
}
