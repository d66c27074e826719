//! A store that Python keeps: recordings and committed work wherever `repertoire.storage` reaches.

use std::path::{Path, PathBuf};

use pyo3::prelude::*;
use pyo3::types::PyBytes;
use repertoire::corpus::{CorpusError, Store};

/// An object with the methods of `repertoire.storage.Store`.
#[derive(Debug)]
pub struct Kept(pub Py<PyAny>);

/// What Python raised, with its remedy if it has one.
fn raised(py: Python<'_>, error: &PyErr) -> CorpusError {
    let value = error.value(py);
    let said = |name: &str| value.getattr(name).ok().and_then(|text| text.extract::<String>().ok());
    match (said("what"), said("remedy")) {
        (Some(what), Some(remedy)) => CorpusError::new(what, remedy),
        _ => CorpusError::new(error.to_string(), "see what the store says"),
    }
}

fn named(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

impl Kept {
    fn call<T>(
        &self,
        ask: impl for<'py> FnOnce(&Bound<'py, PyAny>) -> PyResult<T>,
    ) -> Result<T, CorpusError> {
        Python::attach(|py| ask(self.0.bind(py)).map_err(|error| raised(py, &error)))
    }
}

impl Store for Kept {
    fn read(&self, name: &Path) -> Result<Option<Vec<u8>>, CorpusError> {
        self.call(|store| store.call_method1("read", (named(name),))?.extract())
    }

    fn keep(&self, name: &Path, content: &[u8]) -> Result<(), CorpusError> {
        self.call(|store| {
            let content = PyBytes::new(store.py(), content);
            store.call_method1("keep", (named(name), content)).map(drop)
        })
    }

    fn list(&self, folder: &Path) -> Result<Vec<PathBuf>, CorpusError> {
        self.call(|store| store.call_method1("files", (named(folder),))?.extract())
    }

    fn remove(&self, name: &Path) {
        let _ = self.call(|store| store.call_method1("remove", (named(name),)).map(drop));
    }

    fn local(&self, recording: &Path, length: u64) -> Result<PathBuf, CorpusError> {
        let copy = self.call(|store| {
            store.call_method1("local", (named(recording), length))?.extract::<Option<PathBuf>>()
        })?;
        copy.ok_or_else(|| CorpusError::changed(recording))
    }
}
