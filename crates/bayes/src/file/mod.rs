//! Programs as TOML files that a designer can read.
//!
//! The guide is `docs/guides/programs.md`; the JSON schema for editors is [`schema`]. A mistake is answered with its
//! line and a remedy. Parts never touch the disk: the caller gives the text, and a way to find other programs that
//! the text asks questions to.

mod read;
mod save;
pub(crate) mod shape;

use repertoire_authored::{Mistake, Unavailable};

use crate::program::Program;

pub use save::{to_toml, with_counts};

/// How deep programs may ask programs that ask programs.
pub const MOST_NESTED: usize = 16;

/// Reads a program. `find` gives the program that a factor of form `question` names, or says why it cannot.
pub fn read(
    text: &str,
    find: &mut dyn FnMut(&str) -> Result<Program, Unavailable>,
) -> Result<Program, Mistake> {
    read::read(text, find)
}

/// The JSON schema of a program file.
pub fn schema() -> schemars::Schema {
    schemars::schema_for!(shape::ProgramFile)
}

#[cfg(test)]
mod tests;
