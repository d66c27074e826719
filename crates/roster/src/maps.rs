//! Maps of the arena as users write them: shipped ones by name, others as files, Doom's as `FILE.wad:MAP01`, Quake's as `FILE.bsp`.
//!
//! ```
//! use repertoire_roster::maps;
//!
//! let (name, level) = maps::find("halls")?;
//! assert_eq!(name, "halls");
//! assert!(!level.places().points().is_empty(), "where characters can go");
//!
//! let unknown = maps::find("hals").expect_err("no such map");
//! assert!(unknown.to_string().contains("did you mean `halls`?"));
//! # Ok::<(), maps::MapError>(())
//! ```

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use repertoire_authored::{Mistake, nearest};
use repertoire_topology::PlacesFile;
use repertoire_worlds::arena::level::Level;
use repertoire_worlds::arena::map::bsp;
use repertoire_worlds::arena::map::file::{self, Authored};
use repertoire_worlds::arena::map::shipped::{SHIPPED, shipped};
use repertoire_worlds::arena::map::wad::{self, WadError};
use repertoire_worlds::arena::map::{Fault, Map};
use repertoire_worlds::quake::BspError;
use serde_json::{Value, json};

/// Why a map could not be had. The message says what is wrong, where, and what would be right.
#[derive(Debug, thiserror::Error)]
pub enum MapError {
    /// Neither a shipped name nor a file.
    #[error("there is no map `{name}`\n  remedy: {remedy}")]
    Unknown {
        /// What was asked for.
        name: String,
        /// The nearest known name, or all of them.
        remedy: String,
    },
    /// A folder where a file was expected.
    #[error("{path} is a folder\n  remedy: name a {wanted} file", path = .path.display())]
    Folder {
        /// Which.
        path: PathBuf,
        /// What kind of file was expected.
        wanted: &'static str,
    },
    /// The file is not there, or may not be read.
    #[error("{path} could not be read: {why}", path = .path.display())]
    Unreadable {
        /// Which file.
        path: PathBuf,
        /// What the system said.
        why: std::io::Error,
    },
    /// Somebody wrote something wrong in the file.
    #[error("{name}:{mistake}")]
    Mistake {
        /// Which file.
        name: String,
        /// Where in it, what is wrong, and what would be right.
        mistake: Mistake,
    },
    /// The Doom file is damaged, or has no such map.
    #[error("{file}: {why}")]
    Wad {
        /// Which file.
        file: String,
        /// What is wrong.
        why: WadError,
    },
    /// The map of Quake is damaged, or something else.
    #[error("{file}: {why}")]
    Bsp {
        /// Which file.
        file: String,
        /// What is wrong.
        why: BspError,
    },
    /// A Doom file of which no map was named, and it has none.
    #[error("{file} has no maps\n  remedy: name a file that has some")]
    NoMaps {
        /// Which file.
        file: String,
    },
    /// A Doom file of which no map was named.
    #[error("{file} has {} maps: {}\n  remedy: say which: {file}:{}", .maps.len(), .maps.join(", "), .maps[0])]
    WhichMap {
        /// Which file.
        file: String,
        /// The maps it has, at least one.
        maps: Vec<String>,
    },
    /// There are learned places, but not of this map.
    #[error(
        "there are no places of `{name}`, only of {known}\n  remedy: `repertoire topology learn` from play on {name}, or choose another map"
    )]
    NoPlaces {
        /// The map.
        name: String,
        /// The maps there are places of.
        known: String,
    },
    /// It can be read but not played.
    #[error("{0}")]
    Unplayable(String),
}

/// The most faults of a map that are shown at once; more would scroll the first away.
const MOST_FAULTS: usize = 5;

/// The names of the maps that come with repertoire, small ones first.
pub fn names() -> Vec<&'static str> {
    SHIPPED.iter().map(|(name, _)| *name).collect()
}

/// A map that has been read, and how to speak of it.
#[derive(Debug)]
pub struct ReadMap {
    /// What the user calls it.
    pub written: String,
    /// The map; whether it can be played is not known yet.
    pub map: Map,
    /// Its file, if it has one that people write.
    authored: Option<Authored>,
    /// What an imported map had and this one has not, in words.
    pub notes: Vec<String>,
}

impl ReadMap {
    /// The map ready to play; or all that is wrong with it.
    pub fn level(&self) -> Result<Level, Vec<Fault>> {
        Level::new(self.map.clone())
    }

    /// The map to draw: of Quake's maps only a level has a plan from above.
    pub fn drawn<'a>(&'a self, level: &'a Level) -> &'a Map {
        if self.map.stage.is_some() { level.map() } else { &self.map }
    }

    /// A fault as a mistake in the file, for maps that people write.
    pub fn mistake(&self, fault: &Fault) -> Option<Mistake> {
        self.authored.as_ref().map(|authored| authored.mistake(fault))
    }

    /// A fault for other programs: where in the file if it is of one that people write, and where in the map.
    pub fn fault_as_json(&self, fault: &Fault) -> Value {
        let mut value = match self.mistake(fault) {
            Some(mistake) => json!(mistake),
            None => json!({ "what": fault.what, "remedy": fault.remedy }),
        };
        value["at_m"] = json!(fault.at.map(|at| at.to_array()));
        value
    }

    /// The first `most` faults with their places, one after the other.
    pub fn told(&self, faults: &[Fault], most: usize) -> String {
        let mut text = String::new();
        for (number, fault) in faults.iter().take(most).enumerate() {
            let name = &self.written;
            let between = if number == 0 { "" } else { "\n" };
            // Writing to a string cannot fail.
            let _ = match self.mistake(fault) {
                Some(mistake) => write!(text, "{between}{name}:{mistake}"),
                None => write!(text, "{between}{name}: {}\n  remedy: {}", fault.what, fault.remedy),
            };
        }
        match faults.len().saturating_sub(most) {
            0 => text,
            more => format!("{text}\nand {more} more"),
        }
    }
}

/// A shipped map by name, a map file by path, a map of a Doom file or one of Quake: its name, and the map ready to play.
pub fn find(written: &str) -> Result<(String, Arc<Level>), MapError> {
    let found = read(written)?;
    let level = found.level().map_err(|faults| MapError::Unplayable(found.told(&faults, MOST_FAULTS)))?;
    Ok((found.map.name, Arc::new(level)))
}

/// The same, known by learned places instead of its own points.
///
/// # Errors
/// As [`find`], and when the file has no places of this map.
pub fn known_by(written: &str, places: &PlacesFile) -> Result<(String, Arc<Level>), MapError> {
    let found = read(written)?;
    let level = found.level().map_err(|faults| MapError::Unplayable(found.told(&faults, MOST_FAULTS)))?;
    let name = found.map.name;
    // A file of one level without a name is of the map that is asked for.
    let unnamed = places.levels.get("").filter(|_| places.levels.len() == 1);
    let Some(learned) = places.levels.get(&name).or(unnamed) else {
        let known = places.levels.keys().cloned().collect::<Vec<_>>().join(", ");
        return Err(MapError::NoPlaces { name, known });
    };
    let level = level.known_by(learned, places.units_per_metre.unwrap_or(1.0)).map_err(|why| {
        MapError::Unplayable(format!("{name}: {why}\n  remedy: learn places from more play"))
    })?;
    Ok((name, Arc::new(level)))
}

/// The same, without asking whether it can be played.
pub fn read(written: &str) -> Result<ReadMap, MapError> {
    if is_bsp(written) {
        return import_bsp(written);
    }
    if let Some((file, map)) = in_wad(written) {
        return import(file, map);
    }
    let path = Path::new(written);
    let text = match shipped(written) {
        Some(text) if !path.is_file() => text.to_owned(),
        _ if !path.exists() && !written.contains(['.', '/', '\\']) => {
            let remedy = match nearest(written, names()) {
                Some(known) => format!("did you mean `{known}`? There are {}", names().join(", ")),
                None => format!("give a file, or one of {}", names().join(", ")),
            };
            return Err(MapError::Unknown { name: written.to_owned(), remedy });
        }
        _ if path.is_dir() => return Err(MapError::Folder { path: path.to_owned(), wanted: "map" }),
        _ => std::fs::read_to_string(path)
            .map_err(|why| MapError::Unreadable { path: path.to_owned(), why })?,
    };
    let authored =
        file::read(&text).map_err(|mistake| MapError::Mistake { name: written.to_owned(), mistake })?;
    let map = authored.map.clone();
    Ok(ReadMap { written: written.to_owned(), map, authored: Some(authored), notes: Vec::new() })
}

/// `FILE.wad:MAP01` in its two parts; `FILE.wad` alone has an empty second one.
fn in_wad(written: &str) -> Option<(&str, &str)> {
    let is_wad = |file: &str| file.to_ascii_lowercase().ends_with(".wad");
    match written.rsplit_once(':') {
        Some((file, map)) if is_wad(file) => Some((file, map)),
        _ => is_wad(written).then_some((written, "")),
    }
}

/// A map of a Doom file; an empty name is answered with the names of its maps.
pub fn import(file: &str, map: &str) -> Result<ReadMap, MapError> {
    let bytes = bytes_of(file, "WAD")?;
    let refuse = |why: WadError| MapError::Wad { file: file.to_owned(), why };
    if map.is_empty() {
        let maps = wad::list(&bytes).map_err(refuse)?;
        let file = file.to_owned();
        return Err(if maps.is_empty() {
            MapError::NoMaps { file }
        } else {
            MapError::WhichMap { file, maps }
        });
    }
    let imported = wad::import(&bytes, map).map_err(refuse)?;
    let written = format!("{file}:{}", imported.map.name);
    Ok(ReadMap { written, map: imported.map, authored: None, notes: imported.notes })
}

/// Whether a name is that of a map of Quake, plain or packed by gzip.
pub fn is_bsp(written: &str) -> bool {
    let name = written.to_ascii_lowercase();
    name.ends_with(".bsp") || name.ends_with(".bsp.gz")
}

/// A map of Quake from its file; it is called as the file is, without folder and ending.
pub fn import_bsp(written: &str) -> Result<ReadMap, MapError> {
    let file = written.to_owned();
    let bytes = bytes_of(written, "map")?;
    let name = Path::new(written).file_name().map(|name| name.to_string_lossy().into_owned());
    let name = name.unwrap_or_default();
    let name = name.split('.').next().unwrap_or_default();
    let imported = bsp::import(name, &bytes).map_err(|why| MapError::Bsp { file: file.clone(), why })?;
    Ok(ReadMap { written: file, map: imported.map, authored: None, notes: imported.notes })
}

/// The names of the maps that a Doom file has.
pub fn list_wad(file: &str) -> Result<Vec<String>, MapError> {
    wad::list(&bytes_of(file, "WAD")?).map_err(|why| MapError::Wad { file: file.to_owned(), why })
}

fn bytes_of(file: &str, wanted: &'static str) -> Result<Vec<u8>, MapError> {
    let path = PathBuf::from(file);
    if path.is_dir() {
        return Err(MapError::Folder { path, wanted });
    }
    std::fs::read(&path).map_err(|why| MapError::Unreadable { path, why })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_shipped_map_is_found_and_can_be_played() {
        for name in names() {
            let (found, _) = find(name).unwrap_or_else(|error| panic!("{error}"));
            assert_eq!(found, name);
        }
    }

    #[test]
    fn a_name_that_is_nearly_right_is_suggested() {
        let refused = |name: &str| find(name).err().map(|error| error.to_string()).unwrap_or_default();
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
