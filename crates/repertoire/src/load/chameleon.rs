//! Models of imitation, and the characters learned with them.

use std::path::Path;

use repertoire_chameleon::{Learned, LearnedFile, Model, model as models};

use super::{LearnedError, LoadError, read};

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

/// A character learned by imitation, from the file that `repertoire learn chameleon` or [`learned_character_to_text`] wrote.
///
/// Fails if the file cannot be read, or holds something else.
pub fn learned_character(path: &Path) -> Result<Learned, LoadError> {
    let text = read(path, || "write one with `repertoire learn chameleon`".to_owned())?;
    from_text(&text).map_err(|why| LoadError::Learned { path: path.to_owned(), why })
}

fn from_text(text: &str) -> Result<Learned, LearnedError> {
    let file: LearnedFile = serde_json::from_str(text)?;
    Ok(Learned::from_file(file)?)
}

/// A learned character as the text of a file.
///
/// Fails only where JSON has no word for a number: a learned character that holds infinities.
pub fn learned_character_to_text(learned: &Learned) -> Result<String, LearnedError> {
    Ok(serde_json::to_string(&learned.to_file())? + "\n")
}
