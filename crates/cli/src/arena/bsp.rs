//! Quake's maps from files.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context, Result, bail};
use repertoire_worlds::quake::{Bsp, Space};
use serde_json::json;

use crate::output;
use crate::trace::source::read;

/// Whether a name is that of a map of Quake.
pub(crate) fn is_bsp(name: &str) -> bool {
    name.ends_with(".bsp") || name.ends_with(".bsp.gz")
}

/// Reads a map.
pub(crate) fn read_map(path: &Path) -> Result<Bsp> {
    Bsp::read(&read(path)?).with_context(|| path.display().to_string())
}

/// Reads maps; their names are those of the files without ending.
pub(crate) fn load(paths: &[impl AsRef<Path>]) -> Result<BTreeMap<String, Bsp>> {
    let mut maps = BTreeMap::new();
    for path in paths {
        let path = path.as_ref();
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        maps.insert(name.split('.').next().unwrap_or_default().to_owned(), read_map(path)?);
    }
    Ok(maps)
}

/// `arena check` for a map of Quake: what is in it, and whether one can stand where players begin.
pub(super) fn check(name: &str, as_json: bool) -> Result<()> {
    let map = read_map(Path::new(name))?;
    let space = Space::built(&map);
    let starts = map.entities.iter().filter(|entity| entity.kind() == "info_player_deathmatch");
    let (mut free, mut blocked) = (0, Vec::new());
    for at in starts.filter_map(repertoire_worlds::quake::entity::Entity::origin) {
        // The game puts players a unit above what the map says.
        let at = [at[0], at[1], at[2] + 1.0];
        match space.trace_body(at, at).0.starts_solid {
            false => free += 1,
            true => blocked.push(at),
        }
    }
    if as_json {
        return output::json(&json!({
            "map": name, "readable": true, "starts": free, "blocked_starts": blocked,
            "models": map.models.len(), "entities": repertoire_worlds::quake::entity::kinds(&map.entities),
        }));
    }
    if free == 0 {
        bail!("{name}: there is no start for a deathmatch\n  remedy: give a map with info_player_deathmatch");
    }
    let mut text = format!("{name} can be read: {free} starts are free\n");
    for at in blocked {
        text += &format!("a start at {at:?} is in a wall\n");
    }
    output::text(&(text + &map.describe()))
}
