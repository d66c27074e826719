//! Reading places and navigation points.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Result, anyhow, bail};
use repertoire_topology::{Level, PlacesFile};
use serde::Deserialize;

use crate::belief::data::read;
use crate::movement::not_there;

#[derive(Deserialize)]
#[serde(untagged)]
enum AnyFile {
    Many(PlacesFile),
    /// One level alone, without its name.
    One(Level),
}

/// Places or navigation points, plain or gzip; every level checked.
pub(super) fn load(path: &Path) -> Result<PlacesFile> {
    let remedy = "give places of `repertoire topology learn`, or navigation points: JSON with `levels`, each with \
                  `nodes` that have `id` and `pos`, and `links`";
    let bytes = read(path)?;
    let wrong = |what: String| anyhow!("{}: {what}\n  remedy: {remedy}", path.display());
    let value: serde_json::Value =
        serde_json::from_slice(&bytes).map_err(|error| wrong(error.to_string()))?;
    let has_levels = value.get("levels").is_some();
    let file = match serde_json::from_value(value) {
        Ok(AnyFile::Many(file)) => file,
        Ok(AnyFile::One(level)) if !has_levels => {
            PlacesFile { levels: BTreeMap::from([(String::new(), level)]), ..PlacesFile::default() }
        }
        // Which of the two it was meant to be is told by `levels`; say what is wrong with that.
        _ => {
            let error = if has_levels {
                serde_json::from_slice::<PlacesFile>(&bytes).err()
            } else {
                serde_json::from_slice::<Level>(&bytes).err()
            };
            return Err(wrong(error.map_or("it holds no places".to_owned(), |error| error.to_string())));
        }
    };
    for (name, level) in &file.levels {
        level.check().map_err(|what| wrong(format!("{name}: {what}")))?;
    }
    if file.levels.is_empty() {
        return Err(wrong("it has no level".to_owned()));
    }
    Ok(file)
}

/// The levels of a file: one, or all.
pub(super) fn levels(file: PlacesFile, map: Option<&str>, what: &str) -> Result<BTreeMap<String, Level>> {
    let mut levels = file.levels;
    let Some(wanted) = map else { return Ok(levels) };
    if let Some(level) = levels.remove(wanted) {
        return Ok(BTreeMap::from([(wanted.to_owned(), level)]));
    }
    // A file of one level without a name is of the map that is asked for.
    if let (1, Some(level)) = (levels.len(), levels.remove("")) {
        return Ok(BTreeMap::from([(wanted.to_owned(), level)]));
    }
    bail!("{}", not_there(what, wanted, levels.keys()))
}
