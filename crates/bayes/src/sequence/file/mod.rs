//! Behaviours as TOML files that a designer can read.
//!
//! Tables stand as in the thesis: a row for each value, a column for each task, `"x"` for what is left of a column. A
//! mistake is answered with its line and a remedy. Parts never touch the disk: the caller gives the text, and a way to
//! find the behaviours that are tasks of this one.

mod read;
mod shape;
mod write;

use repertoire_authored::{Document, Mistake, Unavailable};

use super::Behaviour;

pub use write::to_toml;

/// How deep behaviours may be tasks of behaviours.
pub const MOST_NESTED: usize = 16;

/// Reads a behaviour. `find` gives the behaviour that a task names, or says why it cannot.
pub fn read(
    text: &str,
    find: &mut dyn FnMut(&str) -> Result<Behaviour, Unavailable>,
) -> Result<Behaviour, Mistake> {
    read::read(text, find)
}

/// Reads the behaviour in a file that holds more than that, such as a character's.
pub fn read_part(
    document: &mut Document<'_>,
    find: &mut dyn FnMut(&str) -> Result<Behaviour, Unavailable>,
) -> Result<Behaviour, Mistake> {
    let file = document.take(&KEYS)?;
    read::from_shape(document.text(), &file, find)
}

/// A file that holds more than a behaviour, with another behaviour in place of its own.
///
/// # Errors
/// If the text is not TOML.
pub fn with_behaviour(text: &str, behaviour: &Behaviour) -> Result<String, Mistake> {
    write::with_behaviour(text, behaviour)
}

/// The keys of a behaviour file.
pub const KEYS: [&str; 12] = [
    "name",
    "about",
    "source",
    "tasks",
    "choose",
    "stay",
    "sensors",
    "transition",
    "likelihood",
    "coherence",
    "task",
    "counts",
];

/// The JSON schema of a behaviour file.
pub fn schema() -> schemars::Schema {
    schemars::schema_for!(shape::BehaviourFile)
}

#[cfg(test)]
mod tests;
