//! Editing characters while they play: texts are checked as they are typed, applied to the running match, and written to a file only
//! on request. A file that somebody else changes is picked up.

use std::io::Write;
use std::path::Path;

use repertoire::load::LoadError;
use repertoire_eval::timeline::Change;
use serde_json::{Value, json};

use super::cast::below;
use super::{Stage, clock};

/// How often files are looked at.
const LOOK_EVERY: std::time::Duration = std::time::Duration::from_millis(700);

/// A mistake as an editor marks it.
fn mistake(error: &LoadError) -> Value {
    match error {
        LoadError::Mistake { mistake, .. } => json!({
            "line": mistake.line, "column": mistake.column, "what": mistake.what, "remedy": mistake.remedy,
        }),
        other => json!({ "line": 1, "column": 1, "what": other.to_string(), "remedy": "" }),
    }
}

impl Stage {
    /// A character's text: as it was loaded, and as it plays.
    pub(super) fn text(&self, who: usize) -> Value {
        match self.cast.get(who) {
            Some(part) if part.text.is_some() => json!({
                "who": who, "name": part.entry.name, "written": part.written, "text": part.text, "playing": part.playing(),
                "file": part.file, "suggested": format!("{}.toml", part.file_stem()),
            }),
            Some(part) if part.is_person => {
                json!({ "who": who, "none": format!("{} is a person", part.entry.name) })
            }
            Some(part) => {
                json!({ "who": who, "none": format!("{} was learned, and has no text", part.entry.name) })
            }
            None => json!({ "who": who, "none": "there is nobody of this number" }),
        }
    }

    /// Whether a text is a character, or where it has a mistake.
    pub(super) fn check(&self, who: usize, text: &str) -> Value {
        match self.cast.get(who).map(|part| part.with_text(&self.folder, text)) {
            Some(Ok(_)) => json!({ "good": true }),
            Some(Err(error)) => json!({ "good": false, "mistake": mistake(&error) }),
            None => json!({ "good": false }),
        }
    }

    /// Gives a character another text in the running match. It keeps its state if it can.
    pub(super) fn apply(&mut self, who: usize, text: &str) -> Value {
        let Some(part) = self.cast.get(who).filter(|part| !part.is_person) else {
            return json!({ "good": false });
        };
        let entry = match part.with_text(&self.folder, text) {
            Ok(entry) => entry,
            Err(error) => return json!({ "good": false, "mistake": mistake(&error) }),
        };
        match self.timeline.change(Change::Replace(who, entry.clone())) {
            Ok(kept) => {
                let part = &mut self.cast[who];
                part.entry = entry;
                part.edited = Some(text.to_owned()).filter(|text| part.text.as_ref() != Some(text));
                self.back_to_the_end();
                json!({ "good": true, "kept": kept, "tick": self.timeline.end() })
            }
            Err(error) => json!({ "good": false, "error": error.to_string() }),
        }
    }

    /// Writes the text that plays to a file below the folder. When this answers, the file is on the disk.
    pub(super) fn save(&mut self, who: usize, file: &str) -> Value {
        let Some(text) = self.cast.get(who).and_then(|part| part.playing()).map(str::to_owned) else {
            return json!({ "error": "there is nothing to save" });
        };
        let is_its_own = self.cast[who].file.as_ref().is_some_and(|own| own == Path::new(file));
        let path = match below(&self.folder, file) {
            _ if is_its_own => Path::new(file).to_owned(),
            Ok(path) if path.extension().is_some_and(|ending| ending == "toml") => path,
            Ok(_) => return json!({ "error": "a character's file ends with .toml" }),
            Err(error) => return json!({ "error": error.to_string() }),
        };
        if path.exists() && !is_its_own {
            return json!({ "error": format!("{} exists already: choose another name", path.display()) });
        }
        if let Err(error) = replace(&path, &text) {
            return json!({ "error": format!("{} could not be written: {error}", path.display()) });
        }
        let part = &mut self.cast[who];
        (part.text, part.edited) = (Some(text), None);
        json!({ "saved": path.display().to_string() })
    }

    /// Takes up files that somebody changed, if what is in them is a character and nobody is editing it here.
    pub(super) fn pick_up_files(&mut self) {
        if clock::now() < self.looked + LOOK_EVERY {
            return;
        }
        self.looked = clock::now();
        for who in 0..self.cast.len() {
            let part = &self.cast[who];
            let (Some(file), None) = (&part.file, &part.edited) else { continue };
            let Some(text) =
                std::fs::read_to_string(file).ok().filter(|text| part.text.as_ref() != Some(text))
            else {
                continue;
            };
            let name = file.display().to_string();
            if self.refused.as_ref() == Some(&text) {
                continue;
            }
            let answer = self.apply(who, &text);
            if answer["good"] == json!(true) {
                let part = &mut self.cast[who];
                (part.text, part.edited) = (Some(text), None);
                self.stop = Some(format!("{name} changed on disk: it plays now"));
            } else {
                self.stop = Some(format!(
                    "{name} changed on disk, but has a mistake: {}",
                    answer["mistake"]["what"].as_str().unwrap_or("?")
                ));
                self.refused = Some(text);
            }
            self.show();
        }
    }
}

/// Replaces a file in one move, once everything is on the disk.
fn replace(path: &Path, text: &str) -> std::io::Result<()> {
    let part = path.with_extension("toml.part");
    let mut file = std::fs::File::create(&part)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()?;
    std::fs::rename(&part, path)
}
