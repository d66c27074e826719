//! Finding maps: shipped ones by name, others as files, Doom's as `FILE.wad:MAP01`.

use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, Result, anyhow, bail};
use repertoire_authored::{Mistake, nearest};
use repertoire_worlds::arena::level::Level;
use repertoire_worlds::arena::map::file::{self, Authored};
use repertoire_worlds::arena::map::shipped::{SHIPPED, shipped};
use repertoire_worlds::arena::map::{Fault, Map, wad};

/// The most faults of a map that are shown at once; more would scroll the first away.
const MOST_FAULTS: usize = 5;

/// The names of the maps that come with repertoire, small ones first.
pub fn names() -> Vec<&'static str> {
    SHIPPED.iter().map(|(name, _)| *name).collect()
}

/// A map that has been read, and how to speak of it.
#[derive(Debug)]
pub struct Found {
    /// What the user calls it.
    pub written: String,
    /// The map; whether it can be played is not known yet.
    pub map: Map,
    /// Its file, if it has one that people write.
    authored: Option<Authored>,
    /// What became of what an imported map had.
    pub notes: Vec<String>,
}

impl Found {
    /// The map ready to play; or all that is wrong with it.
    pub fn level(&self) -> Result<Level, Vec<Fault>> {
        Level::new(self.map.clone())
    }

    /// A fault as a mistake in the file, for maps that people write.
    pub fn mistake(&self, fault: &Fault) -> Option<Mistake> {
        self.authored.as_ref().map(|authored| authored.mistake(fault))
    }

    /// The first `most` faults with their places, one after the other.
    pub fn told(&self, faults: &[Fault], most: usize) -> String {
        let name = &self.written;
        let one = |fault: &Fault| match self.mistake(fault) {
            Some(mistake) => format!("{name}:{mistake}"),
            None => format!("{name}: {}\n  remedy: {}", fault.what, fault.remedy),
        };
        let mut told: Vec<String> = faults.iter().take(most).map(one).collect();
        if faults.len() > most {
            told.push(format!("and {} more", faults.len() - most));
        }
        told.join("\n")
    }
}

/// A shipped map by name, a map file by path, or a map of a Doom file: its name, and the map ready to play.
pub fn find(written: &str) -> Result<(String, Arc<Level>)> {
    let found = read(written)?;
    let level = found.level().map_err(|faults| anyhow!("{}", found.told(&faults, MOST_FAULTS)))?;
    Ok((found.map.name, Arc::new(level)))
}

/// The same, without asking whether it can be played.
pub fn read(written: &str) -> Result<Found> {
    if let Some((file, map)) = in_wad(written) {
        return import(file, map);
    }
    let path = Path::new(written);
    let text = match shipped(written) {
        Some(text) if !path.is_file() => text.to_owned(),
        _ if !path.exists() && !written.contains(['.', '/', '\\']) => {
            let meant = match nearest(written, names()) {
                Some(known) => format!("did you mean `{known}`? There are {}", names().join(", ")),
                None => format!("give a file, or one of {}", names().join(", ")),
            };
            bail!("there is no map `{written}`\n  remedy: {meant}");
        }
        _ if path.is_dir() => bail!("{written} is a folder\n  remedy: name a map file"),
        _ => std::fs::read_to_string(path).with_context(|| format!("{written} could not be read"))?,
    };
    let authored = file::read(&text).map_err(|mistake| anyhow!("{written}:{mistake}"))?;
    let map = authored.map.clone();
    Ok(Found { written: written.to_owned(), map, authored: Some(authored), notes: Vec::new() })
}

/// `FILE.wad:MAP01` in its two parts; `FILE.wad` alone has an empty second one.
fn in_wad(written: &str) -> Option<(&str, &str)> {
    let is_wad = |file: &str| file.to_ascii_lowercase().ends_with(".wad");
    match written.rsplit_once(':') {
        Some((file, map)) if is_wad(file) => Some((file, map)),
        _ => is_wad(written).then_some((written, "")),
    }
}

/// A map of a Doom file.
pub fn import(file: &str, map: &str) -> Result<Found> {
    let bytes = bytes_of(file)?;
    if map.is_empty() {
        let maps = wad::list(&bytes).map_err(|error| anyhow!("{file}: {error}"))?;
        match maps.first() {
            None => bail!("{file} has no maps\n  remedy: name a file that has some"),
            Some(first) => bail!(
                "{file} has {} maps: {}\n  remedy: say which: {file}:{first}",
                maps.len(),
                maps.join(", ")
            ),
        }
    }
    let imported = wad::import(&bytes, map).map_err(|error| anyhow!("{file}: {error}"))?;
    let written = format!("{file}:{}", imported.map.name);
    Ok(Found { written, map: imported.map, authored: None, notes: imported.notes })
}

/// The content of a Doom file.
pub fn bytes_of(file: &str) -> Result<Vec<u8>> {
    if Path::new(file).is_dir() {
        bail!("{file} is a folder\n  remedy: name a WAD file");
    }
    std::fs::read(file).with_context(|| format!("{file} could not be read"))
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

    #[test]
    fn a_map_of_a_doom_file_is_named_after_a_colon() {
        assert_eq!(in_wad("a/b.wad:MAP01"), Some(("a/b.wad", "MAP01")));
        assert_eq!(in_wad("DOOM.WAD"), Some(("DOOM.WAD", "")));
        assert_eq!(in_wad("C:\\maps\\b.wad"), Some(("C:\\maps\\b.wad", "")));
        assert_eq!(in_wad("C:\\maps\\b.toml"), None);
        assert_eq!(in_wad("yard"), None);
    }
}
