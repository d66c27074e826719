//! Models of imitation, and the characters learned with them.

use std::path::Path;

use repertoire_chameleon::{Learned, Model, model as models};
use repertoire_mind::moments::Moments;
use repertoire_mind::replay::Replay;

use super::{LoadError, read};

/// A model that comes with repertoire, or a file.
///
/// Fails if there is neither, or if the file has a mistake in it.
pub fn model(name: &str) -> Result<Model, LoadError> {
    if let Some(shipped) = models::shipped(name) {
        return Ok(shipped);
    }
    let path = Path::new(name);
    let known =
        || format!("one of {}, or the path of a TOML file", models::MODELS.map(|(name, _)| name).join(", "));
    if !path.exists() {
        return Err(LoadError::Unknown { kind: "model", name: name.to_owned(), remedy: known() });
    }
    let text = read(path, known)?;
    models::read(&text).map_err(|mistake| LoadError::Mistake { path: path.to_owned(), mistake })
}

/// The moments of somebody's play, from the file that `repertoire learn moments` wrote.
///
/// Fails if the file cannot be read, or holds something else.
pub fn moments(path: &Path) -> Result<Moments, LoadError> {
    let text = read(path, || "write one with `repertoire learn moments`".to_owned())?;
    Moments::read(&text).map_err(|why| LoadError::Moments { path: path.to_owned(), why })
}

/// What somebody did in a recording, from the file that `repertoire learn replay` wrote.
///
/// Fails if the file cannot be read, or holds something else.
pub fn replay(path: &Path) -> Result<Replay, LoadError> {
    let text = read(path, || "write one with `repertoire learn replay`".to_owned())?;
    Replay::read(&text).map_err(|why| LoadError::Replay { path: path.to_owned(), why })
}

/// A character learned by imitation, from the file that `repertoire learn chameleon` or
/// [`Learned::to_bytes`](repertoire_chameleon::Learned::to_bytes) wrote; the JSON of earlier versions is read too.
///
/// Fails if the file cannot be read, or holds something else.
pub fn learned_character(path: &Path) -> Result<Learned, LoadError> {
    let remedy = || "write one with `repertoire learn chameleon`".to_owned();
    let bytes = std::fs::read(path).map_err(|why| LoadError::Unreadable {
        path: path.to_owned(),
        why,
        remedy: remedy(),
    })?;
    Learned::from_bytes(&bytes).map_err(|why| LoadError::Learned { path: path.to_owned(), why })
}
