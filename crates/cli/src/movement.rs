//! Opens files of recorded movement; what is in them is read by [`repertoire_trace::movement`].

use std::path::Path;

use anyhow::{Result, bail};

pub(crate) use repertoire_trace::movement::{Recorded, by_map, not_there};

use crate::trace::source::{cut_words, in_file, read};

/// All recordings of some files, in the order of the files.
pub(crate) fn load(paths: &[impl AsRef<Path>]) -> Result<Vec<Recorded>> {
    let mut all: Vec<Recorded> = Vec::new();
    for path in paths {
        let path = path.as_ref();
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let stem = name.split('.').next().unwrap_or_default();
        let (found, cut) =
            repertoire_trace::movement::read(read(path)?, stem).map_err(|error| in_file(path, error))?;
        if let Some(cut) = cut {
            anstream::eprintln!("note: {}", cut_words(path, cut));
        }
        if found.iter().all(|one| one.moments.is_empty()) {
            bail!("{}: nobody is anywhere in it\n  remedy: give recorded play", path.display());
        }
        all.extend(found);
    }
    let units = all.first().map(|one| one.units_per_metre);
    if all.iter().any(|one| Some(one.units_per_metre) != units) {
        anstream::eprintln!(
            "note: some files are in metres and some in Unreal units; lengths are told apart"
        );
    }
    Ok(all)
}
