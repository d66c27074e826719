//! Fighters: shipped ones by name, others as files, with the behaviours and teachers that they name.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use repertoire_authored::Unavailable;
use repertoire_bayes::sequence::{Behaviour, shipped as behaviours};
use repertoire_belief::Model;
use repertoire_chameleon::Learned;
use repertoire_mind::fighter::{FighterDesign, shipped};
use repertoire_mind::game::Design;

use super::{Edited, LoadError, fighter_edited, read};

/// A shipped fighter by name, or a fighter's file by path.
///
/// Fails if there is neither, or if the file, or one that it names, has a mistake in it.
pub fn fighter(name: &str) -> Result<Arc<FighterDesign>, LoadError> {
    let path = Path::new(name);
    if !path.is_file() {
        if let Some(text) = shipped::text(name) {
            return from_text(path, text);
        }
        if !name.contains(['.', '/', '\\']) {
            let names: Vec<&str> = shipped::names().collect();
            let remedy = format!("give a file, or one of {}", names.join(", "));
            return Err(LoadError::Unknown { kind: "character", name: name.to_owned(), remedy });
        }
    }
    fighter_file(path)
}

/// A fighter's file by path, whatever comes with the library.
///
/// Fails if it cannot be read, or if it, or one that it names, has a mistake in it.
pub fn fighter_file(path: &Path) -> Result<Arc<FighterDesign>, LoadError> {
    let text = read(path, || "give a character's file (TOML)".to_owned())?;
    from_text(path, &text)
}

/// A character learned by imitation from a file, or the one that comes with the library if it is called that and there is no
/// such file.
///
/// Fails if there is neither, or the file holds something else.
pub fn teacher(path: &Path) -> Result<Learned, LoadError> {
    let shipped = path.file_name().and_then(|name| shipped::teacher(&name.to_string_lossy()));
    match shipped.filter(|_| !path.is_file()) {
        Some(bytes) => {
            Learned::from_bytes(bytes).map_err(|why| LoadError::Learned { path: path.to_owned(), why })
        }
        None => super::learned_character(path),
    }
}

/// A model of how players walk a map, as `belief fit` writes it.
///
/// Fails if the file cannot be read, or holds something else.
pub fn belief_model(path: &Path) -> Result<Model, LoadError> {
    let text = read(path, || "learn one with `repertoire belief fit`".to_owned())?;
    let wrong = |why: String| LoadError::BeliefModel { path: path.to_owned(), why };
    let model: Model = serde_json::from_str(&text).map_err(|error| wrong(error.to_string()))?;
    model.check().map_err(|error| wrong(error.to_string()))?;
    Ok(model)
}

/// A character of a game's own, from its file.
///
/// Fails if the file cannot be read, or if it, or a behaviour that it names, has a mistake in it.
pub fn character(path: &Path) -> Result<Arc<Design>, LoadError> {
    let text = read(path, || "give a character's file (TOML)".to_owned())?;
    Design::read(&text, &mut |asked| named_behaviour(path, asked))
        .map_err(|mistake| LoadError::Mistake { path: path.to_owned(), mistake })
}

/// A behaviour that a file names: beside it, or a shipped one.
fn named_behaviour(path: &Path, asked: &str) -> Result<Behaviour, Unavailable> {
    let beside = path.with_file_name(asked);
    match behaviours::behaviour(asked).filter(|_| !beside.is_file()) {
        Some(shipped) => Ok(shipped),
        None => super::behaviour(&beside.to_string_lossy()).map_err(|error| error.to_string().into()),
    }
}

/// A fighter from a text that may not be saved yet; what it names is looked for beside `path`.
///
/// Fails on a mistake in the text, or in a file that it names.
pub fn fighter_text(path: &Path, text: &str) -> Result<Arc<FighterDesign>, LoadError> {
    from_text(path, text)
}

fn from_text(path: &Path, text: &str) -> Result<Arc<FighterDesign>, LoadError> {
    let edited = Edited { texts: &BTreeMap::new(), may_read: &|_| true };
    fighter_edited(path, text, &edited).map(|(design, _)| design)
}
