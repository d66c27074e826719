//! Towns, by name or file.

use std::fs::File;
use std::io::BufReader;
use std::path::Path;
use std::sync::Arc;

use repertoire_authored::nearest;
use repertoire_worlds::town::{self, Charter, TOWNS, Town};

use super::{LoadError, looks_like_file, read};

/// A town that comes with repertoire, or a file, and where it came from: `name:` for messages.
///
/// Fails if there is neither, or if the file has a mistake in it. What can be written but cannot work is found by
/// [`town::check()`].
pub fn town(name: &str) -> Result<Arc<Charter>, LoadError> {
    let path = Path::new(name);
    let names = || {
        let names: Vec<&str> = TOWNS.iter().map(|(name, _)| *name).collect();
        format!("give a file, or one of {}", names.join(", "))
    };
    if !path.is_file() {
        if let Some(found) = town::charter(name) {
            return Ok(found);
        }
        if !looks_like_file(name) {
            let remedy = match nearest(name, TOWNS.iter().map(|(name, _)| *name)) {
                Some(near) => format!("did you mean `{near}`?"),
                None => names(),
            };
            return Err(LoadError::Unknown { kind: "town", name: name.to_owned(), remedy });
        }
    }
    let text = read(path, names)?;
    town::read(&text).map(Arc::new).map_err(|mistake| LoadError::Mistake { path: name.into(), mistake })
}

/// The same, but a town that cannot be lived in is refused too, with the first of its mistakes.
///
/// # Errors
/// See [`town()`]; and what [`town::check()`] finds.
pub fn habitable_town(name: &str) -> Result<Arc<Charter>, LoadError> {
    let charter = town(name)?;
    let mut found = town::check(&charter).into_iter();
    match found.next() {
        None => Ok(charter),
        Some(mistake) => {
            let more = match found.len() {
                0 => String::new(),
                more => format!("\n({more} more: see `repertoire town check {name}`)"),
            };
            Err(LoadError::Uninhabitable { path: name.into(), mistake, more })
        }
    }
}

/// A town in the middle of its life, from the file that `repertoire town run --save` or [`Town::save`] wrote.
///
/// # Errors
/// If the file cannot be read, or is no saved town, or a damaged one.
pub fn saved_town(path: &Path) -> Result<Town, LoadError> {
    let file = File::open(path).map_err(|source| LoadError::NoText { path: path.to_owned(), source })?;
    Town::load(&mut BufReader::with_capacity(1 << 20, file))
        .map_err(|why| LoadError::SavedTown { path: path.to_owned(), why })
}
