//! What is wrong, as a Python exception that carries file, line, column and remedy.

use std::fmt::Display;

use numpy::{AsSliceError, PyArray, PyReadonlyArray, PyReadwriteArray, ndarray};
use pyo3::prelude::*;
use repertoire::authored::{Mistake, nearest};
use repertoire::load::LoadError;
use repertoire::maps::MapError;
use repertoire::roster::RosterError;

/// Between what is wrong and what would be right, in every message of the library.
const REMEDY: &str = "\n  remedy: ";

/// Something was refused. Becomes `repertoire.RepertoireError`.
#[derive(Debug, Default)]
pub struct Fault {
    what: String,
    file: Option<String>,
    place: Option<(usize, usize)>,
    remedy: Option<String>,
}

impl Fault {
    /// What is wrong and, after the word that all messages have, what would be right.
    pub fn new(message: impl Display) -> Self {
        let message = message.to_string();
        match message.split_once(REMEDY) {
            Some((what, remedy)) => {
                Fault { what: what.to_owned(), remedy: Some(remedy.to_owned()), ..Fault::default() }
            }
            None => Fault { what: message, ..Fault::default() },
        }
    }

    /// What is wrong, and what would be right.
    pub fn with_remedy(what: impl Into<String>, remedy: impl Into<String>) -> Self {
        Fault { what: what.into(), remedy: Some(remedy.into()), ..Fault::default() }
    }

    /// A mistake in a text that somebody wrote; `file` is what the caller calls it.
    pub fn mistake(mistake: &Mistake, file: Option<&str>) -> Self {
        Fault {
            what: mistake.what.clone(),
            file: file.map(str::to_owned),
            place: Some((mistake.line, mistake.column)),
            remedy: Some(mistake.remedy.clone()),
        }
    }

    /// A name that is not there, and the nearest one that is.
    pub fn no_such<'a>(what: &str, name: &str, known: impl Iterator<Item = &'a str>) -> Self {
        let known: Vec<&str> = known.collect();
        let remedy = match nearest(name, known.iter().copied()) {
            Some(near) => format!("did you mean `{near}`?"),
            None if known.is_empty() => "there are none".to_owned(),
            None => format!("there are {}", known.join(", ")),
        };
        Fault::with_remedy(format!("`{name}` is not a {what}"), remedy)
    }

    /// A panic in the library, which must not end the interpreter.
    pub fn defect(panic: &(dyn std::any::Any + Send)) -> Self {
        let said = panic.downcast_ref::<String>().map(String::as_str);
        let said = said.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("no message");
        Fault::new(format!("a defect in Repertoire, please report it: {said}"))
    }
}

impl From<LoadError> for Fault {
    fn from(error: LoadError) -> Self {
        match &error {
            LoadError::Mistake { path, mistake } => {
                Fault::mistake(mistake, Some(&path.display().to_string()))
            }
            LoadError::Unreadable { path, .. } | LoadError::Learned { path, .. } => {
                Fault { file: Some(path.display().to_string()), ..Fault::new(&error) }
            }
            _ => Fault::new(&error),
        }
    }
}

impl From<RosterError> for Fault {
    fn from(error: RosterError) -> Self {
        match error {
            RosterError::Load(error) => error.into(),
            other => Fault::new(other),
        }
    }
}

impl From<MapError> for Fault {
    fn from(error: MapError) -> Self {
        match &error {
            MapError::Mistake { name, mistake } => Fault::mistake(mistake, Some(name)),
            _ => Fault::new(&error),
        }
    }
}

impl From<Fault> for PyErr {
    fn from(fault: Fault) -> PyErr {
        Python::attach(|py| {
            let make = || {
                let class = py.import("repertoire.errors")?.getattr("RepertoireError")?;
                let (line, column) = (fault.place.map(|at| at.0), fault.place.map(|at| at.1));
                class.call1((&fault.what, &fault.file, line, column, &fault.remedy))
            };
            make().map_or_else(|error| error, PyErr::from_value)
        })
    }
}

fn not_in_a_row(what: &str, _: AsSliceError) -> Fault {
    Fault::with_remedy(
        format!("the numbers of `{what}` do not lie side by side in memory"),
        "np.ascontiguousarray makes an array whose numbers do",
    )
}

/// The numbers of an array, which are not copied.
pub fn slice<'a, T: numpy::Element, D: ndarray::Dimension>(
    array: &'a PyReadonlyArray<'_, T, D>,
    what: &str,
) -> Result<&'a [T], Fault> {
    array.as_slice().map_err(|error| not_in_a_row(what, error))
}

/// The numbers of an array that is written to.
pub fn slice_mut<'a, T: numpy::Element, D: ndarray::Dimension>(
    array: &'a mut PyReadwriteArray<'_, T, D>,
    what: &str,
) -> Result<&'a mut [T], Fault> {
    array.as_slice_mut().map_err(|error| not_in_a_row(what, error))
}

/// An array for reading, unless somebody is writing to it.
pub fn read<'py, T: numpy::Element, D: ndarray::Dimension>(
    array: &Bound<'py, PyArray<T, D>>,
    what: &str,
) -> Result<PyReadonlyArray<'py, T, D>, Fault> {
    use numpy::PyArrayMethods;
    array.try_readonly().map_err(|error| Fault::new(format!("`{what}` cannot be read: {error}")))
}

/// An array for writing, unless somebody else uses it, or it must not be written to.
pub fn write<'py, T: numpy::Element, D: ndarray::Dimension>(
    array: &Bound<'py, PyArray<T, D>>,
    what: &str,
) -> Result<PyReadwriteArray<'py, T, D>, Fault> {
    use numpy::PyArrayMethods;
    array.try_readwrite().map_err(|error| {
        Fault::with_remedy(
            format!("`{what}` cannot be written to: {error}"),
            "give an array of its own that is not used for anything else in this call",
        )
    })
}

/// Refuses an array of another length.
pub fn length(what: &str, found: usize, wanted: usize) -> Result<(), Fault> {
    if found == wanted {
        return Ok(());
    }
    Err(Fault::with_remedy(format!("`{what}` has {found} numbers"), format!("it needs {wanted}")))
}

/// Refuses an array of another shape.
pub fn shape(what: &str, found: &[usize], wanted: &[usize]) -> Result<(), Fault> {
    if found == wanted {
        return Ok(());
    }
    Err(Fault::with_remedy(format!("`{what}` has the shape {found:?}"), format!("it needs {wanted:?}")))
}
