//! Bayesian programs: shipped ones by name, others as files, with the programs they ask.

use std::path::Path;

use repertoire_bayes::file::{self, MOST_NESTED};
use repertoire_bayes::{Program, shipped};

use super::{Kind, LoadError, read};

/// A shipped program by name, or a program file by path; with the text it was read from, which
/// [`with_counts`](repertoire_bayes::file::with_counts) can write what is learned into.
///
/// Fails if there is neither, or if the file, or one that it names, has a mistake in it.
pub fn program(name: &str) -> Result<(Program, String), LoadError> {
    let path = Path::new(name);
    if !path.is_file() {
        if let (Some(text), Some(program)) = (shipped::text(name), shipped::program(name)) {
            return Ok((program, text.to_owned()));
        }
        if !path.exists() && !name.contains(['.', '/', '\\']) {
            let names: Vec<&str> = shipped::PROGRAMS.iter().map(|(name, _)| *name).collect();
            return Err(LoadError::Unknown {
                kind: "program",
                name: name.to_owned(),
                remedy: format!("give a file, or one of {}", names.join(", ")),
            });
        }
    }
    let text = read(path, || "give a program file, or a name of `repertoire program --list`".to_owned())?;
    Ok((KIND.load(path, &text)?, text))
}

pub(super) const KIND: Kind<Program> = Kind {
    read: file::read,
    shipped: shipped::program,
    name: "program",
    leads_back: "asks itself",
    most_nested: MOST_NESTED,
};
