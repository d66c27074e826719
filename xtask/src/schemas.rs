//! `cargo xtask schemas`: the published JSON schemas, and those that the program holds, written anew from the types that read the
//! files and lines. Editors check and complete authored files against the published ones, so they are kept in the repository.

use crate::{Error, refuse_options, shell};

/// The chore.
pub fn run(options: &[String]) -> Result<(), Error> {
    refuse_options(options)?;
    let words =
        ["run", "-q", "-p", "repertoire-doors", "--features", "derived-schemas", "--example", "schemas"];
    Ok(shell::run(&mut shell::cargo(words))?)
}
