//! Scenarios of the rooms, by name or file, with the profiles they name.

use std::path::Path;
use std::sync::Arc;

use repertoire_authored::nearest;
use repertoire_worlds::rooms::scenario::{self, ALIASES, SCENARIOS};
use repertoire_worlds::rooms::{Refused, Scenario};

use super::character::profile_names;
use super::{LoadError, looks_like_file, read};

/// A scenario that comes with repertoire, or a file.
///
/// Fails if there is neither, or if the file, or a profile that it names, has a mistake in it.
pub fn scenario(name: &str) -> Result<Arc<Scenario>, LoadError> {
    let path = Path::new(name);
    let names = || {
        let names: Vec<&str> = SCENARIOS.iter().map(|(name, _)| *name).collect();
        format!("give a file, or one of {}", names.join(", "))
    };
    if !path.is_file() {
        if let Some(found) = scenario::scenario(name) {
            return Ok(Arc::new(found));
        }
        if !looks_like_file(name) {
            let known = SCENARIOS.iter().map(|(name, _)| *name).chain(ALIASES.iter().map(|(name, _)| *name));
            let remedy = match nearest(name, known) {
                Some(near) => format!("did you mean `{near}`?"),
                None => names(),
            };
            return Err(LoadError::Unknown { kind: "scenario", name: name.to_owned(), remedy });
        }
    }
    scenario_from_text(name, &read(path, names)?)
}

/// A scenario from its text. `name` is where it came from: messages begin with it, and profiles are looked for beside it.
pub fn scenario_from_text(name: &str, text: &str) -> Result<Arc<Scenario>, LoadError> {
    let beside = Path::new(name).parent().map(Path::to_owned).unwrap_or_default();
    let mut load = |named: &str| {
        let path = beside.join(named);
        std::fs::read_to_string(&path).map_err(|error| {
            format!(
                "profile or mind `{named}`: {} could not be read: {error}\n  remedy: {}",
                path.display(),
                profile_names()
            )
            .into()
        })
    };
    scenario::read(text, &mut load).map(Arc::new).map_err(|refused| match refused {
        Refused::Here(mistake) => LoadError::Mistake { path: name.into(), mistake },
        Refused::There(what) => LoadError::Named { path: name.into(), what },
    })
}
