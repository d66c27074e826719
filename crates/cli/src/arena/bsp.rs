//! Quake's maps from files.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context, Result};
use repertoire_worlds::quake::Bsp;

use crate::trace::source::read;

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
