//! Models and learned characters from files.

use std::path::Path;

use anyhow::{Context, Result, anyhow, bail};
use repertoire_chameleon::{Learned, LearnedFile, Model, model};

/// A model by its name or from a file.
pub(crate) fn model(name: &str) -> Result<Model> {
    if let Some(shipped) = model::shipped(name) {
        return Ok(shipped);
    }
    let path = Path::new(name);
    if !path.exists() {
        let names: Vec<&str> = model::MODELS.iter().map(|(name, _)| *name).collect();
        bail!(
            "there is no model `{name}`, nor a file of that name\n  remedy: one of {}, or the path of a TOML file",
            names.join(", ")
        );
    }
    let text = std::fs::read_to_string(path).with_context(|| format!("{name} could not be read"))?;
    model::read(&text).map_err(|mistake| anyhow!("{name}:{mistake}"))
}

/// A learned character from a file.
pub(crate) fn character(path: &Path) -> Result<Learned> {
    let text =
        std::fs::read_to_string(path).with_context(|| format!("{} could not be read", path.display()))?;
    read_character(&text).map_err(|error| {
        anyhow!(
            "{} is no learned character: {error:#}\n  remedy: write one with `repertoire learn chameleon`",
            path.display()
        )
    })
}

/// A learned character from the text of a file.
pub(crate) fn read_character(text: &str) -> Result<Learned> {
    let file: LearnedFile = serde_json::from_str(text)?;
    Ok(Learned::from_file(file)?)
}

/// A learned character as the text of a file.
pub(crate) fn write_character(learned: &Learned) -> Result<String> {
    Ok(serde_json::to_string(&learned.to_file())? + "\n")
}
