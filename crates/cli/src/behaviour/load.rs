//! Finding behaviours: shipped ones by name, others as files, with the behaviours that are their tasks.

use std::path::Path;

use anyhow::{Result, anyhow, bail};
use repertoire_bayes::sequence::file::{self, MOST_NESTED};
use repertoire_bayes::sequence::{Behaviour, shipped};

use crate::beside::Kind;

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
    KIND.load(path, &text)
}

const KIND: Kind<Behaviour> = Kind {
    read: file::read,
    shipped: shipped::behaviour,
    name: "behaviour",
    leads_back: "is a task of itself",
    most_nested: MOST_NESTED,
};
