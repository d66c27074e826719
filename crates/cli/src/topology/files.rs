//! Which levels of a file of places or navigation points are meant.

use std::collections::BTreeMap;

use anyhow::{Result, bail};
use repertoire_topology::{PlaceGraph, PlacesFile};

use crate::movement::not_there;

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
