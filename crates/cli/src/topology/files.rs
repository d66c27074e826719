//! Reading places and navigation points.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Result, anyhow, bail};
use repertoire_eval::topology::files::read_places;
use repertoire_topology::{PlaceGraph, PlacesFile};

use crate::belief::data::read;
use crate::movement::not_there;

/// Places or navigation points, plain or gzip; every level checked.
pub(crate) fn load(path: &Path) -> Result<PlacesFile> {
    let remedy = "give places of `repertoire topology learn`, or navigation points: JSON with `levels`, each with \
                  `nodes` that have `id` and `pos`, and `links`";
    read_places(&read(path)?).map_err(|what| anyhow!("{}: {what}\n  remedy: {remedy}", path.display()))
}

/// The levels of a file: one, or all.
pub(super) fn levels(
    file: PlacesFile,
    map: Option<&str>,
    what: &str,
) -> Result<BTreeMap<String, PlaceGraph>> {
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
