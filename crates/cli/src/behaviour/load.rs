//! Finding behaviours: shipped ones by name, others as files, with the behaviours that are their tasks.

use std::path::{Path, PathBuf};

use anyhow::{Result, anyhow, bail};
use repertoire_bayes::sequence::file::{self, MOST_NESTED};
use repertoire_bayes::sequence::{Behaviour, shipped};

/// A shipped behaviour by name, or a behaviour file by path.
pub fn load(name: &str) -> Result<Behaviour> {
    let path = Path::new(name);
    if !path.is_file() {
        if let Some(behaviour) = shipped::behaviour(name) {
            return Ok(behaviour);
        }
        if !name.contains(['.', '/', '\\']) {
            let names: Vec<&str> = shipped::BEHAVIOURS.iter().map(|(name, _)| *name).collect();
            bail!("there is no behaviour `{name}`\n  remedy: give a file, or one of {}", names.join(", "));
        }
    }
    let text = std::fs::read_to_string(path).map_err(|error| {
        anyhow!(
            "{name} could not be read: {error}\n  remedy: give a behaviour file, or prudent, aggressive or uniform"
        )
    })?;
    read(path, &text, &mut Vec::new())
}

/// Reads a behaviour file; behaviours within its tasks are looked for beside it, then among the shipped ones.
fn read(path: &Path, text: &str, open: &mut Vec<PathBuf>) -> Result<Behaviour> {
    let here = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    if open.contains(&here) {
        bail!("{} is a task of itself", path.display());
    }
    if open.len() >= MOST_NESTED {
        bail!("behaviours are tasks of behaviours more than {MOST_NESTED} deep");
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
            None => shipped::behaviour(asked)
                .ok_or_else(|| "there is no such file or shipped behaviour".to_owned()),
        }
    };
    let behaviour = file::read(text, &mut find).map_err(|mistake| anyhow!("{}:{mistake}", path.display()));
    open.pop();
    behaviour
}
