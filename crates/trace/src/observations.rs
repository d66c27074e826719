//! Observations as CSV, a column for each variable: what the histograms of a Bayesian program learn from.
//!
//! Columns are named after variables; a cell is a value's name, or a number that falls into one of the variable's bins. An
//! empty cell is something that was not observed. Columns of other names are left out.
//!
//! ```
//! use repertoire_bayes::file;
//! use repertoire_trace::observations::learn;
//!
//! let mut coin = file::read("
//! name = 'coin'
//! [variables]
//! Side = ['heads', 'tails']
//! [[factor]]
//! of = 'P(Side)'
//! form = 'histogram'
//! ", &mut |name| Err(format!("there is no program `{name}`").into()))?;
//! let learned = learn(&mut coin, "Side,Thrower\nheads,ann\ntails,bob\nheads,ann\n".as_bytes(), &mut |_| ())?;
//! assert_eq!((learned.rows, learned.observations), (3, 3));
//! assert_eq!(learned.ignored_columns, ["Thrower"]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::io::Read;

use csv::{Position, StringRecord};
use repertoire_authored::nearest;
use repertoire_bayes::Program;
use repertoire_bayes::program::ObserveError;
use serde::Serialize;

/// What was learned from.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Learned {
    /// Columns that are no variables of the program.
    pub ignored_columns: Vec<String>,
    /// How many rows a histogram learned from, added over the histograms.
    pub observations: u64,
    /// Rows read.
    pub rows: u64,
    /// Histograms that found not all of their variables among the columns, in words.
    #[serde(skip)]
    pub not_learned: Vec<String>,
}

/// Why nothing was learned.
#[derive(Debug, thiserror::Error)]
pub enum ObservationsError {
    /// The program has no histogram.
    #[error("`{0}` has nothing to learn\n  remedy: give a factor form = \"histogram\"")]
    NoHistogram(String),
    /// There is no header line, or the input cannot be read.
    #[error("there is no header line: {0}")]
    NoHeader(csv::Error),
    /// Two columns of one name.
    #[error("the column `{0}` is there twice\n  remedy: keep one")]
    Twice(String),
    /// No histogram finds all of its variables.
    #[error("nothing can be learned: {}\n  remedy: name the columns after the variables, with commas between", .0.join("; "))]
    NoColumns(Vec<String>),
    /// A row that is none.
    #[error("{what}")]
    Row {
        /// Its line, from 1.
        line: u64,
        /// What is wrong, and what would be right.
        what: String,
    },
    /// A weight that is none.
    #[error(transparent)]
    Observe(#[from] ObserveError),
    /// No row had a value for all variables of a histogram.
    #[error("there is no row with all variables of a histogram, so nothing was learned")]
    NoRows,
}

impl ObservationsError {
    /// The line that is wrong, if a line is.
    pub fn line(&self) -> Option<u64> {
        match self {
            ObservationsError::Row { line, .. } => Some(*line),
            _ => None,
        }
    }
}

/// Adds every row to the counts of a program's histograms; `progress` hears of every 4096 rows how many were read.
///
/// Rows before one that is refused have been counted by then.
pub fn learn(
    program: &mut Program,
    rows: impl Read,
    progress: &mut dyn FnMut(u64),
) -> Result<Learned, ObservationsError> {
    if program.factors().iter().all(|factor| factor.histogram().is_none()) {
        return Err(ObservationsError::NoHistogram(program.name().to_owned()));
    }
    let mut reader = csv::ReaderBuilder::new().trim(csv::Trim::All).from_reader(rows);
    let headers = reader.headers().map_err(ObservationsError::NoHeader)?.clone();
    let columns: Vec<Option<usize>> = headers.iter().map(|header| program.id(header)).collect();
    let strangers = headers.iter().zip(&columns).filter(|(_, id)| id.is_none());
    let ignored_columns: Vec<String> = strangers.map(|(header, _)| header.to_owned()).collect();
    let not_learned = check_columns(program, &ignored_columns, &columns)?;
    let mut learned = Learned { ignored_columns, not_learned, ..Learned::default() };
    let mut values = vec![None; program.variables().len()];
    let mut record = StringRecord::new();
    while reader.read_record(&mut record).map_err(|error| bad_row(&error))? {
        values.fill(None);
        for (cell, id) in record.iter().zip(&columns) {
            if let Some(id) = *id {
                values[id] = value(program, id, cell).map_err(|what| ObservationsError::Row {
                    line: record.position().map_or(0, Position::line),
                    what,
                })?;
            }
        }
        learned.rows += 1;
        learned.observations += program.observe(&values, 1.0)? as u64;
        if learned.rows.is_multiple_of(4096) {
            progress(learned.rows);
        }
    }
    if learned.observations == 0 {
        return Err(ObservationsError::NoRows);
    }
    Ok(learned)
}

/// Every histogram should find its variables among the columns; gives which do not, and refuses if none does.
fn check_columns(
    program: &Program,
    strangers: &[String],
    columns: &[Option<usize>],
) -> Result<Vec<String>, ObservationsError> {
    let mut found: Vec<usize> = columns.iter().copied().flatten().collect();
    found.sort_unstable();
    if let Some(pair) = found.windows(2).find(|pair| pair[0] == pair[1]) {
        return Err(ObservationsError::Twice(program.variables()[pair[0]].name().to_owned()));
    }
    let mut complete = 0;
    let mut notes = Vec::new();
    for factor in program.factors().iter().filter(|factor| factor.histogram().is_some()) {
        let ids = factor.left().iter().chain(factor.given());
        let missing: Vec<&str> = ids
            .filter(|&&id| !found.contains(&(id as usize)))
            .map(|&id| program.variables()[id as usize].name())
            .collect();
        if missing.is_empty() {
            complete += 1;
            continue;
        }
        let near = missing.iter().find_map(|name| nearest(name, strangers.iter().map(String::as_str)));
        let hint = near.map_or(String::new(), |near| format!("; is it `{near}`?"));
        notes.push(format!("{} has no column {}{hint}", program.conditional(factor), missing.join(", ")));
    }
    if complete == 0 {
        return Err(ObservationsError::NoColumns(notes));
    }
    Ok(notes)
}

/// What is wrong with a row, with its line.
fn bad_row(error: &csv::Error) -> ObservationsError {
    let what = match error.kind() {
        csv::ErrorKind::UnequalLengths { expected_len, len, .. } => {
            format!("the row has {len} cells, the header {expected_len}\n  remedy: one cell for each column")
        }
        csv::ErrorKind::Utf8 { .. } => "the row is not UTF-8\n  remedy: save the file as UTF-8".to_owned(),
        _ => error.to_string(),
    };
    ObservationsError::Row { line: error.position().map_or(0, Position::line), what }
}

/// A value by name, a measurement by its bin, nothing for an empty cell.
fn value(program: &Program, id: usize, cell: &str) -> Result<Option<u32>, String> {
    let variable = &program.variables()[id];
    if cell.is_empty() {
        return Ok(None);
    }
    let measured = || variable.bins()?.bin(cell.parse().ok()?);
    match variable.value(cell).or_else(measured) {
        Some(value) => Ok(Some(value as u32)),
        None => Err(format!(
            "`{cell}` is not a value of `{}`\n  remedy: write one of {}",
            variable.name(),
            variable.values().join(", ")
        )),
    }
}
