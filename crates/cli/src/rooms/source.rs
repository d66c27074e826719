//! Scenarios and profiles by name or file.

use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, Result, anyhow, bail};
use repertoire_authored::nearest;
use repertoire_character::Profile;
use repertoire_character::profile::{PROFILES, file, profile};
use repertoire_worlds::rooms::scenario::{self, ALIASES, SCENARIOS};
use repertoire_worlds::rooms::{Refused, Scenario};

/// A scenario that comes with repertoire, or a file.
pub fn find_scenario(name: &str) -> Result<Arc<Scenario>> {
    let path = Path::new(name);
    if !path.is_file() {
        if let Some(found) = scenario::scenario(name) {
            return Ok(Arc::new(found));
        }
        let looks_like_file = name.ends_with(".toml") || name.contains(['/', '\\']);
        if !looks_like_file {
            let known = SCENARIOS.iter().map(|(name, _)| *name).chain(ALIASES.iter().map(|(name, _)| *name));
            let remedy = match nearest(name, known) {
                Some(near) => format!("did you mean `{near}`?"),
                None => {
                    let names: Vec<&str> = SCENARIOS.iter().map(|(name, _)| *name).collect();
                    format!("give a file, or one of {}", names.join(", "))
                }
            };
            bail!("there is no scenario `{name}`\n  remedy: {remedy}");
        }
    }
    let text = std::fs::read_to_string(path).with_context(|| format!("{name} could not be read"))?;
    read_scenario(name, &text)
}

/// A scenario from its text; `name` is where it came from.
pub fn read_scenario(name: &str, text: &str) -> Result<Arc<Scenario>> {
    let beside = Path::new(name).parent().map(Path::to_owned).unwrap_or_default();
    let mut load = |named: &str| {
        let path = beside.join(named);
        std::fs::read_to_string(&path).map_err(|error| {
            format!(
                "profile `{named}`: {} could not be read: {error}\n  remedy: {}",
                path.display(),
                profile_names()
            )
        })
    };
    scenario::read(text, &mut load).map(Arc::new).map_err(|refused| match refused {
        Refused::Here(mistake) => anyhow!("{name}:{mistake}"),
        Refused::There(text) => anyhow!("{name}: {text}"),
    })
}

/// A profile that comes with repertoire, or a file.
pub fn find_profile(name: &str) -> Result<Profile> {
    let path = Path::new(name);
    if !path.is_file() {
        if let Some(found) = profile(name) {
            return Ok(found);
        }
        if !(name.ends_with(".toml") || name.contains(['/', '\\'])) {
            let remedy = match nearest(name, PROFILES.iter().map(|(name, _)| *name)) {
                Some(near) => format!("did you mean `{near}`?"),
                None => profile_names(),
            };
            bail!("there is no profile `{name}`\n  remedy: {remedy}");
        }
    }
    let text = std::fs::read_to_string(path).with_context(|| format!("{name} could not be read"))?;
    file::read(&text).map_err(|mistake| anyhow!("{name}:{mistake}"))
}

fn profile_names() -> String {
    let names: Vec<&str> = PROFILES.iter().map(|(name, _)| *name).collect();
    format!("name a file, or one of {}", names.join(", "))
}
