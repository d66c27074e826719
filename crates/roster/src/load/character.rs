//! Profiles by name or file, and families of them: what a character is like.

use std::path::Path;

use repertoire_authored::nearest;
use repertoire_character::Profile;
use repertoire_character::profile::family::{self, Family};
use repertoire_character::profile::{PROFILES, file, profile as shipped};

use super::{LoadError, looks_like_file, read, text};

/// A profile that comes with repertoire, or a file.
///
/// Fails if there is neither, or if the file has a mistake in it.
pub fn profile(name: &str) -> Result<Profile, LoadError> {
    let path = Path::new(name);
    if !path.is_file() {
        if let Some(found) = shipped(name) {
            return Ok(found);
        }
        if !looks_like_file(name) {
            let remedy = match nearest(name, PROFILES.iter().map(|(name, _)| *name)) {
                Some(near) => format!("did you mean `{near}`?"),
                None => profile_names(),
            };
            return Err(LoadError::Unknown { kind: "profile", name: name.to_owned(), remedy });
        }
    }
    let text = read(path, profile_names)?;
    file::read(&text).map_err(|mistake| LoadError::Mistake { path: path.to_owned(), mistake })
}

/// A family of profiles, from its file.
///
/// Fails if the file cannot be read, or has a mistake in it.
pub fn family(path: &Path) -> Result<Family, LoadError> {
    family::read(&text(path)?).map_err(|mistake| LoadError::Mistake { path: path.to_owned(), mistake })
}

pub(super) fn profile_names() -> String {
    let names: Vec<&str> = PROFILES.iter().map(|(name, _)| *name).collect();
    format!("name a file, or one of {}", names.join(", "))
}
