//! Finding programs: shipped ones by name, others as files, with the programs they ask.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail};
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
    let program = read(path, &text, &mut Vec::new())?;
    Ok(Loaded { program, text })
}

/// Reads a program file; programs it asks are looked for beside it, then among the shipped ones.
fn read(path: &Path, text: &str, open: &mut Vec<PathBuf>) -> Result<Program> {
    let here = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    if open.contains(&here) {
        bail!("{} asks itself", path.display());
    }
    if open.len() >= MOST_NESTED {
        bail!("programs ask programs more than {MOST_NESTED} deep");
    }
    open.push(here);
    let mut find = |asked: &str| {
        let beside = path.with_file_name(asked);
        let with_ending = path.with_file_name(format!("{asked}.toml"));
        match [beside, with_ending].into_iter().find(|path| path.is_file()) {
            Some(path) => std::fs::read_to_string(&path)
                .map_err(anyhow::Error::from)
                .and_then(|text| read(&path, &text, open))
                .map_err(|error| format!("{error:#}")),
            None => shipped::program(asked).ok_or_else(|| "there is no such file or shipped program".into()),
        }
    };
    let program = file::read(text, &mut find).map_err(|mistake| anyhow!("{}:{mistake}", path.display()));
    open.pop();
    program
}
