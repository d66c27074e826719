//! Finding programs: shipped ones by name, others as files, with the programs they ask.

use std::path::Path;

use anyhow::{Context, Result, anyhow, bail};
use repertoire::load::Kind;
use repertoire_bayes::file::{self, MOST_NESTED};
use repertoire_bayes::{Program, shipped};

/// A program and the text it was read from.
pub(super) struct Loaded {
    pub program: Program,
    text: String,
}

impl Loaded {
    /// The file as it was read.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Its file with the counts it has now.
    pub fn with_counts(&self) -> Result<String> {
        file::with_counts(&self.text, &self.program).map_err(|mistake| anyhow!("{mistake}"))
    }
}

/// A shipped program by name, or a program file by path.
pub(super) fn load(name: &str) -> Result<Loaded> {
    let path = Path::new(name);
    if let Some(text) = shipped::text(name)
        && !path.is_file()
    {
        let program = shipped::program(name).context("a shipped program is always readable")?;
        return Ok(Loaded { program, text: text.to_owned() });
    }
    if !path.exists() && !name.contains(['.', '/', '\\']) {
        let names: Vec<&str> = shipped::PROGRAMS.iter().map(|(name, _)| *name).collect();
        bail!("there is no program `{name}`\n  remedy: give a file, or one of {}", names.join(", "));
    }
    let text = std::fs::read_to_string(path).with_context(|| format!("{name} could not be read"))?;
    let program = KIND.load(path, &text)?;
    Ok(Loaded { program, text })
}

const KIND: Kind<Program> = Kind {
    read: file::read,
    shipped: shipped::program,
    name: "program",
    leads_back: "asks itself",
    most_nested: MOST_NESTED,
};
