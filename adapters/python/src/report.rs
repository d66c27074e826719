//! Results as Python objects that know their dict, their text and their page.

use pyo3::prelude::*;
use serde::Serialize;

use crate::fault::Fault;

/// An object of a class of `repertoire.reports`, from data and its words.
pub fn make(py: Python<'_>, class: &str, data: &impl Serialize, text: &str) -> PyResult<Py<PyAny>> {
    let json = serde_json::to_string(data)
        .map_err(|error| Fault::new(format!("the result cannot be written: {error}")))?;
    let class = py.import("repertoire.reports")?.getattr(class)?;
    Ok(class.call_method1("_of", (json, text))?.unbind())
}
