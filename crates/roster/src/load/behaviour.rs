//! Behaviours: shipped ones by name, others as files, with the behaviours that are their tasks.

use std::path::Path;

use repertoire_bayes::sequence::file::{self, MOST_NESTED};
use repertoire_bayes::sequence::{Behaviour, shipped};

use super::{Kind, LoadError, read};

/// A shipped behaviour by name, or a behaviour file by path.
///
/// Fails if there is neither, or if the file, or one that it names, has a mistake in it.
pub fn behaviour(name: &str) -> Result<Behaviour, LoadError> {
    let path = Path::new(name);
    if !path.is_file() {
        if let Some(behaviour) = shipped::behaviour(name) {
            return Ok(behaviour);
        }
        if !name.contains(['.', '/', '\\']) {
            let names: Vec<&str> = shipped::BEHAVIOURS.iter().map(|(name, _)| *name).collect();
            return Err(LoadError::Unknown {
                kind: "behaviour",
                name: name.to_owned(),
                remedy: format!("give a file, or one of {}", names.join(", ")),
            });
        }
    }
    let text = read(path, || "give a behaviour file, or prudent, aggressive or uniform".to_owned())?;
    KIND.load(path, &text)
}

pub(super) const KIND: Kind<Behaviour> = Kind {
    read: file::read,
    shipped: shipped::behaviour,
    name: "behaviour",
    leads_back: "is a task of itself",
    most_nested: MOST_NESTED,
};
