//! What a population senses, as NumPy columns that are read where they are.

use numpy::{PyArray1, PyArrayMethods, PyReadonlyArray1, PyUntypedArrayMethods};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};

use crate::fault::{Fault, length, read, slice};

/// A value by its number: one byte, or two. The largest number stands for "not read".
pub enum Column<'py> {
    Narrow(PyReadonlyArray1<'py, u8>),
    Wide(PyReadonlyArray1<'py, u16>),
}

/// The same, ready to be read on any thread.
#[derive(Clone, Copy)]
pub enum Values<'a> {
    Narrow(&'a [u8]),
    Wide(&'a [u16]),
}

impl<'py> Column<'py> {
    /// A column of `count` values, each below `values` or "not read".
    pub fn new(array: &Bound<'py, PyAny>, name: &str, count: usize, values: usize) -> PyResult<Self> {
        let column = if let Ok(array) = array.cast::<PyArray1<u8>>() {
            Column::Narrow(read(array, name)?)
        } else if let Ok(array) = array.cast::<PyArray1<u16>>() {
            Column::Wide(read(array, name)?)
        } else {
            let what = format!("the column `{name}` is no one-dimensional array of uint8 or uint16");
            return Err(Fault::with_remedy(what, "np.asarray(column, dtype=np.uint8)").into());
        };
        let held = column.values(name)?;
        length(name, held.len(), count)?;
        // The largest that counts is found many values at a time.
        let most = match held {
            Values::Narrow(column) => {
                let most = column.iter().fold(0, |most, &value| most.max(value.wrapping_add(1)));
                usize::from(most)
            }
            Values::Wide(column) => {
                let most = column.iter().fold(0, |most, &value| most.max(value.wrapping_add(1)));
                usize::from(most)
            }
        };
        if most > values {
            let what = format!("the column `{name}` holds {}", most - 1);
            let remedy = format!("a number below {values}, or the largest of the type where nothing is read");
            return Err(Fault::with_remedy(what, remedy).into());
        }
        Ok(column)
    }

    pub fn values(&self, name: &str) -> Result<Values<'_>, Fault> {
        Ok(match self {
            Column::Narrow(array) => Values::Narrow(slice(array, name)?),
            Column::Wide(array) => Values::Wide(slice(array, name)?),
        })
    }
}

impl Values<'_> {
    pub fn len(&self) -> usize {
        match self {
            Values::Narrow(column) => column.len(),
            Values::Wide(column) => column.len(),
        }
    }

    /// The value of a character, if it is read.
    #[inline]
    pub fn at(&self, index: usize) -> Option<usize> {
        match self {
            Values::Narrow(column) => (column[index] != u8::MAX).then_some(usize::from(column[index])),
            Values::Wide(column) => (column[index] != u16::MAX).then_some(usize::from(column[index])),
        }
    }
}

/// Columns by name, or all of them as the rows of an array; for each of `known` the one that is given.
pub fn columns<'py>(
    given: Option<&Bound<'py, PyAny>>,
    what: &str,
    known: &[(&str, usize)],
    count: usize,
) -> PyResult<Vec<Option<Column<'py>>>> {
    let mut all: Vec<Option<Column<'py>>> = known.iter().map(|_| None).collect();
    let Some(given) = given else { return Ok(all) };
    if let Ok(named) = given.cast::<PyDict>() {
        for (name, column) in named {
            let name = name.cast::<PyString>()?.to_cow()?.into_owned();
            let unknown = || Fault::no_such(what, &name, known.iter().map(|(name, _)| *name));
            let index = known.iter().position(|(known, _)| *known == name).ok_or_else(unknown)?;
            all[index] = Some(Column::new(&column, &name, count, known[index].1)?);
        }
        return Ok(all);
    }
    let rows: Vec<Bound<'py, PyAny>> = given.try_iter()?.collect::<PyResult<_>>()?;
    length(&format!("columns, one for each {what}"), rows.len(), known.len())?;
    for (column, (row, (name, values))) in all.iter_mut().zip(rows.iter().zip(known)) {
        *column = Some(Column::new(row, name, count, *values)?);
    }
    Ok(all)
}

/// The values of all columns, in their order.
pub fn values<'a>(columns: &'a [Option<Column<'_>>], name: &str) -> Result<Vec<Option<Values<'a>>>, Fault> {
    columns.iter().map(|column| column.as_ref().map(|column| column.values(name)).transpose()).collect()
}

/// Refuses an array that has not one number for each character.
pub fn of_each<T: numpy::Element>(
    array: &Bound<'_, PyArray1<T>>,
    what: &str,
    count: usize,
) -> Result<(), Fault> {
    length(what, array.len(), count)
}

/// An array of this many numbers, made or taken.
pub fn out<'py, T: numpy::Element>(
    py: Python<'py>,
    given: Option<Bound<'py, PyArray1<T>>>,
    what: &str,
    count: usize,
) -> Result<Bound<'py, PyArray1<T>>, Fault> {
    let array = given.unwrap_or_else(|| PyArray1::zeros(py, count, false));
    of_each(&array, what, count)?;
    debug_assert!(array.dims()[0] == count);
    Ok(array)
}
