//! Finding maps: shipped ones by name, others as files.

use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, Result, anyhow, bail};
use repertoire_authored::nearest;
use repertoire_worlds::arena::level::Level;
use repertoire_worlds::arena::map::file;
use repertoire_worlds::arena::map::shipped::{SHIPPED, shipped};

/// So many faults of a map are told at once; more would scroll the first away.
const MOST_FAULTS: usize = 5;

/// The names of the maps that come with repertoire, small ones first.
pub fn names() -> Vec<&'static str> {
    SHIPPED.iter().map(|(name, _)| *name).collect()
}

/// A shipped map by name, or a map file by path: its name, and the map ready to play.
pub fn find(name: &str) -> Result<(String, Arc<Level>)> {
    let path = Path::new(name);
    let text = match shipped(name) {
        Some(text) if !path.is_file() => text.to_owned(),
        _ if !path.exists() && !name.contains(['.', '/', '\\']) => {
            let meant = match nearest(name, names()) {
                Some(known) => format!("did you mean `{known}`? There are {}", names().join(", ")),
                None => format!("give a file, or one of {}", names().join(", ")),
            };
            bail!("there is no map `{name}`\n  remedy: {meant}");
        }
        _ if path.is_dir() => bail!("{name} is a folder\n  remedy: name a map file"),
        _ => std::fs::read_to_string(path).with_context(|| format!("{name} could not be read"))?,
    };
    let authored = file::read(&text).map_err(|mistake| anyhow!("{name}:{mistake}"))?;
    let level = Level::new(authored.map.clone()).map_err(|faults| {
        let mut told: Vec<String> = faults
            .iter()
            .take(MOST_FAULTS)
            .map(|fault| format!("{name}:{}", authored.mistake(fault)))
            .collect();
        if faults.len() > MOST_FAULTS {
            told.push(format!("and {} more", faults.len() - MOST_FAULTS));
        }
        anyhow!("{}", told.join("\n"))
    })?;
    Ok((authored.map.name, Arc::new(level)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_shipped_map_is_found_and_can_be_played() {
        for name in names() {
            let (found, _) = find(name).unwrap_or_else(|error| panic!("{error:#}"));
            assert_eq!(found, name);
        }
    }

    #[test]
    fn a_name_that_is_nearly_right_is_suggested() {
        let refused = |name: &str| find(name).err().map(|error| format!("{error:#}")).unwrap_or_default();
        assert!(refused("yrad").contains("did you mean `yard`?"), "{}", refused("yrad"));
        assert!(refused("dungeon").contains("give a file, or one of yard"), "{}", refused("dungeon"));
        assert!(refused("none/such.toml").contains("could not be read"));
    }
}
