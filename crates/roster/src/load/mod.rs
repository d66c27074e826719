//! Reading what people write, by name or by file: behaviours, profiles, scenarios, models, learned characters.
//!
//! Every function takes what a user typed. A name that comes with repertoire gives the shipped one, unless there is a file of
//! that name; anything else is read as a file. What is wrong is answered with the file, the line and a remedy.
//!
//! | function        | gives                                   | shipped names                     |
//! |-----------------|-----------------------------------------|-----------------------------------|
//! | [`behaviour`]   | which task follows which (TOML)         | `prudent`, `aggressive`, `uniform`|
//! | [`character`]   | a character of a game's own (TOML)      | none                              |
//! | [`fighter`]     | a whole fighter (TOML)                  | `hunter`, ...                     |
//! | [`program`]     | a Bayesian program (TOML)               | `danger-sensor`, ...              |
//! | [`profile`]     | what a character is like (TOML)         | `plain`, `brute`, ...             |
//! | [`scenario`]    | a world of rooms and who is in it (TOML)| `6.1.1-left`, ...                 |
//! | [`town`]        | a town and who lives in it (TOML)       | `western`, `station`              |
//! | [`model`]       | what imitation learns in terms of (TOML)| `arena`, `thesis`                 |
//! | [`belief_model`] | how players walk a map (JSON)          | none                              |
//! | [`domain`]      | what is planned with (TOML or SAS+)     | `western`, ...                    |
//! | [`places`]      | places or navigation points (JSON)      | none                              |
//! | [`learned_character`] | a character learned by imitation | none                                     |
//! | [`family`]      | what members of a family are like (TOML)| none                              |
//! | [`lives`]       | what characters were seen doing (CSV)   | none                              |
//! | [`matrix`], [`primitives`] | IODA's interactions (text, TOML) | none                          |
//! | [`saved_town`]  | a town in the middle of its life        | none                              |
//!
//! ```
//! use repertoire_roster::load;
//!
//! let prudent = load::behaviour("prudent")?;
//! assert_eq!(prudent.name(), "prudent");
//!
//! let unknown = load::behaviour("prudnet").expect_err("no such behaviour");
//! assert!(unknown.to_string().contains("one of prudent, aggressive, uniform"));
//! # Ok::<(), load::LoadError>(())
//! ```

mod behaviour;
mod beside;
mod chameleon;
mod character;
mod domain;
mod edited;
mod fighter;
mod matrix;
mod places;
mod program;
#[cfg(feature = "worlds")]
mod rooms;
mod table;
#[cfg(feature = "worlds")]
mod town;

use std::path::PathBuf;

pub use behaviour::behaviour;
pub use beside::{Find, Kind};
pub use chameleon::{learned_character, model, moments, replay};
pub use character::{family, profile};
pub use domain::domain;
pub use edited::{Edited, NamedKind, NamedText, fighter_edited};
pub use fighter::{belief_model, character, fighter, fighter_file, fighter_text, teacher};
pub use matrix::{matrix, primitives};
pub use places::{NoPlaces, places, read_places};
pub use program::program;
use repertoire_authored::Mistake;
use repertoire_chameleon::FileError;
#[cfg(feature = "worlds")]
pub use rooms::{scenario, scenario_from_text};
pub use table::{is_table, lives};
#[cfg(feature = "worlds")]
pub use town::{habitable_town, saved_town, town};

/// Why something could not be loaded. The message says what is wrong, where, and what would be right.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// Neither a shipped name nor a file.
    #[error("there is no {kind} `{name}`\n  remedy: {remedy}")]
    Unknown {
        /// What was looked for: `behaviour`, `profile`...
        kind: &'static str,
        /// What was asked for.
        name: String,
        /// The nearest known name, or all of them.
        remedy: String,
    },
    /// The file is not there, or may not be read.
    #[error("{path} could not be read: {why}\n  remedy: {remedy}", path = .path.display())]
    Unreadable {
        /// Which file.
        path: PathBuf,
        /// What the system said.
        why: std::io::Error,
        /// What to give instead.
        remedy: String,
    },
    /// The file is not there, may not be read, or is no text.
    #[error("{path} could not be read", path = .path.display())]
    NoText {
        /// Which file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// Somebody wrote something wrong in the file.
    #[error("{path}:{mistake}", path = .path.display())]
    Mistake {
        /// Which file.
        path: PathBuf,
        /// Where in it, what is wrong, and what would be right.
        mistake: Mistake,
    },
    /// Nobody can live in a town.
    #[error("{path}:{mistake}{more}", path = .path.display())]
    Uninhabitable {
        /// Which file.
        path: PathBuf,
        /// The first mistake.
        mistake: Mistake,
        /// How many more there are, in words; empty if there are none.
        more: String,
    },
    /// The file is no saved town, or a damaged one.
    #[cfg(feature = "worlds")]
    #[error("{path}: {why}", path = .path.display())]
    SavedTown {
        /// Which file.
        path: PathBuf,
        /// What is wrong with it.
        why: repertoire_worlds::town::NotASave,
    },
    /// Something that the file names could not be had.
    #[error("{path}: {what}", path = .path.display())]
    Named {
        /// The file that names it.
        path: PathBuf,
        /// What is wrong, with a remedy.
        what: String,
    },
    /// Files that name each other in a circle.
    #[error("{path} {what}", path = .path.display())]
    Circle {
        /// The file that was come back to.
        path: PathBuf,
        /// What that means for it.
        what: &'static str,
    },
    /// Files that name files that name files, and so on.
    #[error("{kind}s name {kind}s more than {most} deep")]
    TooDeep {
        /// What the files hold.
        kind: &'static str,
        /// How deep is allowed.
        most: usize,
    },
    /// The file holds no moments of somebody's play.
    #[error("{path} holds no moments: {why}\n  remedy: write them with `repertoire learn moments`", path = .path.display())]
    Moments {
        /// Which file.
        path: PathBuf,
        /// What is wrong with it.
        why: repertoire_mind::moments::NoMoments,
    },
    /// The file holds no replay.
    #[error("{path} holds no replay: {why}\n  remedy: write one with `repertoire learn replay`", path = .path.display())]
    Replay {
        /// Which file.
        path: PathBuf,
        /// What is wrong with it.
        why: repertoire_mind::replay::NoReplay,
    },
    /// The file is no learned character: another format, or numbers that do not fit its model.
    #[error("{path} is no learned character: {why}\n  remedy: write one with `repertoire learn chameleon`", path = .path.display())]
    Learned {
        /// Which file.
        path: PathBuf,
        /// What does not fit.
        why: FileError,
    },
    /// The file holds no places, or places that contradict themselves.
    #[error(
        "{path}: {why}\n  remedy: give places of `repertoire topology learn`, or navigation points: JSON with `levels`, each with \
         `nodes` that have `id` and `pos`, and `links`", path = .path.display()
    )]
    Places {
        /// Which file.
        path: PathBuf,
        /// What is wrong with it.
        why: NoPlaces,
    },
    /// The file is no model of how players walk.
    #[error("{path} is no model of how players walk: {why}\n  remedy: write one with `repertoire belief fit`", path = .path.display())]
    BeliefModel {
        /// Which file.
        path: PathBuf,
        /// What does not fit.
        why: String,
    },
}

/// A file's text, where no name could have been meant instead.
fn text(path: &std::path::Path) -> Result<String, LoadError> {
    std::fs::read_to_string(path).map_err(|source| LoadError::NoText { path: path.to_owned(), source })
}

/// Whether a name can only be meant as a file: it has an ending or a folder in it.
fn looks_like_file(name: &str) -> bool {
    name.ends_with(".toml") || name.contains(['/', '\\'])
}

fn read(path: &std::path::Path, remedy: impl FnOnce() -> String) -> Result<String, LoadError> {
    std::fs::read_to_string(path).map_err(|why| LoadError::Unreadable {
        path: path.to_owned(),
        why,
        remedy: remedy(),
    })
}
