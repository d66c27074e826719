//! Who is judged by [`eval::minds`](crate::eval::minds): fighters, each with one stage of its mind removed in turn, beside others.
//!
//! ```
//! use repertoire::minds;
//! let subjects = minds::subjects(&["hunter"], &["native:3"], false)?;
//! assert_eq!(subjects[0].name, "hunter");
//! assert!(subjects.iter().any(|entry| entry.name == "hunter without plan"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use repertoire_eval::Entry;
use repertoire_eval::tournament::unique_names;
use repertoire_mind::fighter::{Stage, shipped};
use thiserror::Error;

use crate::load::{self, LoadError};
use crate::roster::{self, RosterError};

/// One contender of each kind, to hold whole minds against.
pub const KINDS: [&str; 7] = [
    "native:3",
    "native:3+belief",
    "prudent",
    "aggressive",
    "individual:plain",
    "individual:brute",
    "imitator",
];

/// The fighters that come with the library.
pub fn fighters() -> Vec<&'static str> {
    shipped::FIGHTERS.iter().map(|(name, _)| *name).collect()
}

/// Why there are no subjects.
#[derive(Debug, Error)]
pub enum SubjectsError {
    /// A fighter's file cannot be had.
    #[error("`{written}` cannot be taken apart")]
    Fighter {
        /// As it was written.
        written: String,
        /// What is wrong with it.
        source: Box<LoadError>,
    },
    /// One of the others is no contender.
    #[error(transparent)]
    Contender(#[from] RosterError),
}

/// Fighters, each also without each of its stages unless only whole ones are wanted, and the contenders beside them.
///
/// # Errors
/// If one of them cannot be had.
pub fn subjects(fighters: &[&str], beside: &[&str], only_whole: bool) -> Result<Vec<Entry>, SubjectsError> {
    let mut subjects = Vec::new();
    for written in fighters {
        let design = load::fighter(written).map_err(|error| SubjectsError::Fighter {
            written: (*written).to_owned(),
            source: error.into(),
        })?;
        let name = design.name().to_owned();
        subjects.push(roster::of_fighter(&name, &design));
        for stage in Stage::ALL.into_iter().filter(|_| !only_whole) {
            if let Some(less) = design.without(stage) {
                subjects.push(roster::of_fighter(&format!("{name} without {}", stage.name()), &less));
            }
        }
    }
    for written in beside {
        subjects.push(roster::find(written)?);
    }
    // Two files may hold characters of one name; their duels are counted apart.
    unique_names(subjects.iter_mut().map(|entry| &mut entry.name));
    Ok(subjects)
}
