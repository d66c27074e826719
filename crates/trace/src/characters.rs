//! Characters as CSV, a line each: whom a population of a domain ([`repertoire_plan::population`]) plans for.
//!
//! The columns `class` and `goal` may be left out where there is only one; every other column is a variable of the domain. An empty
//! cell is the usual start.
//!
//! ```
//! use repertoire_plan::{domain, population::Town};
//! use repertoire_trace::characters;
//!
//! let western = domain::domain("western").expect("shipped");
//! let mut town = Town::new(&western)?;
//! let sheriffs = "class,goal,gun\nSheriff,ArrestOutlaw,\nSheriff,ArrestOutlaw,drawn\n";
//! let read = characters::read(sheriffs.as_bytes(), &western, &mut town)?;
//! assert_eq!((read.len(), town.len()), (2, 2));
//!
//! let unknown = characters::read("class,goal\nDentist,\n".as_bytes(), &western, &mut town).unwrap_err();
//! assert!(matches!(unknown, characters::CharactersError::Named { line: 2, .. }));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::io::Read;

use repertoire_plan::Domain;
use repertoire_plan::population::{Named, NamedError, Town};

/// Why characters cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum CharactersError {
    /// There is no header line, or the input cannot be read.
    #[error(transparent)]
    Head(csv::Error),
    /// A line that is none.
    #[error(transparent)]
    Row(csv::Error),
    /// A character that cannot live in the town.
    #[error("{what}")]
    Named {
        /// Its line, from 1.
        line: u64,
        /// Why not, with a remedy.
        what: NamedError,
    },
}

/// Adds the characters of a table to a town, which must be of the domain; gives class and number of each, in the table's order.
///
/// # Errors
/// If it is no table, or names a class, goal, variable or value that is not in the domain.
pub fn read(
    input: impl Read,
    domain: &Domain,
    town: &mut Town,
) -> Result<Vec<(usize, u32)>, CharactersError> {
    let mut reader = csv::Reader::from_reader(input);
    let head = reader.headers().map_err(CharactersError::Head)?;
    let columns: Vec<String> = head.iter().map(|column| column.trim().to_owned()).collect();
    let mut characters = Vec::new();
    for record in reader.records() {
        let record = record.map_err(CharactersError::Row)?;
        let line = record.position().map_or(0, csv::Position::line);
        let cells = columns.iter().map(String::as_str).zip(record.iter().map(str::trim));
        let filled: Vec<(&str, &str)> = cells.filter(|(_, cell)| !cell.is_empty()).collect();
        let cell = |wanted: &str| filled.iter().find(|(column, _)| *column == wanted).map(|(_, cell)| *cell);
        let state: Vec<(&str, &str)> =
            filled.iter().copied().filter(|(column, _)| !["class", "goal"].contains(column)).collect();
        let named = Named { class: cell("class"), goal: cell("goal"), state: &state };
        let (class, key) =
            town.key_of(domain, &named).map_err(|what| CharactersError::Named { line, what })?;
        characters.push((class, town.add(class, key)));
    }
    Ok(characters)
}
