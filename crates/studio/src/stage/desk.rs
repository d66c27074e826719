//! Editing characters while they play: texts are checked as they are typed, applied to the running match, and written to a file only
//! on request. A file that somebody else changes is picked up.

use std::io::Write;
use std::path::Path;

use repertoire::load::{LoadError, NamedKind, NamedText};
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
    /// Takes up files that characters name and that somebody changed, unless they are edited here.
    fn pick_up_named(&mut self) {
        for who in 0..self.cast.len() {
            let part = &self.cast[who];
            let Some(own) = part.playing().map(str::to_owned) else { continue };
            let before = self.named.entry(who).or_insert_with(|| part.named(&self.folder));
            let is_new = |one: &mut NamedText| {
                let now = one.file.as_ref().filter(|_| !part.edits.contains_key(&one.name));
                let now =
                    now.and_then(|file| std::fs::read_to_string(file).ok()).filter(|now| *now != one.text);
                // Looked at once: what has a mistake in it is not tried every time.
                now.map(|now| one.text = now).is_some()
            };
            let Some(name) = before.iter_mut().find_map(|one| is_new(one).then(|| one.name.clone())) else {
                continue;
            };
            let answer = self.apply(who, None, &own);
            let of = &self.cast[who].entry.name;
            self.stop = Some(match answer["good"] == json!(true) {
                true => format!("{of}: {name} changed on disk: it plays now"),
                false => {
                    let what = answer["mistake"]["what"].as_str().unwrap_or("?");
                    format!("{of}: {name} changed on disk, but has a mistake: {what}")
                }
            });
            self.show();
        }
    }

    /// A character's text, or that of a file that it names: as it was loaded, and as it plays.
    pub(super) fn text(&self, who: usize, named: Option<&str>) -> Value {
        let Some(part) = self.cast.get(who) else {
            return json!({ "who": who, "none": "there is nobody of this number" });
        };
        if part.is_person {
            return json!({ "who": who, "none": format!("{} is a person", part.entry.name) });
        }
        if part.text.is_none() {
            return json!({ "who": who, "none": format!("{} was learned, and has no text", part.entry.name) });
        }
        let all = part.named(&self.folder);
        let files: Vec<Value> = all.iter().map(|one| json!({ "name": one.name, "kind": one.kind, "edited": part.edits.contains_key(&one.name) })).collect();
        let Some(name) = named else {
            return json!({
                "who": who, "name": part.entry.name, "written": part.written, "text": part.text, "playing": part.playing(),
                "file": part.file, "suggested": format!("{}.toml", part.file_stem()), "files": files, "schema": schema(None),
            });
        };
        match all.iter().find(|one| one.name == name) {
            Some(one) => json!({
                "who": who, "name": part.entry.name, "written": one.name, "text": one.original(), "playing": one.text,
                "file": one.file, "suggested": format!("{}.toml", name.trim_end_matches(".toml")), "files": files,
                "schema": schema(Some(one.kind)),
            }),
            None => json!({ "who": who, "none": format!("{} names no file `{name}`", part.entry.name) }),
        }
    }

    /// Whether a text is right, or where it has a mistake.
    pub(super) fn check(&self, who: usize, named: Option<&str>, text: &str) -> Value {
        match self.cast.get(who).map(|part| part.with_text(&self.folder, named, text)) {
            Some(Ok(_)) => json!({ "good": true }),
            Some(Err(error)) => json!({ "good": false, "mistake": mistake(&error) }),
            None => json!({ "good": false }),
        }
    }

    /// Gives a character another text in the running match. It keeps its state if it can.
    pub(super) fn apply(&mut self, who: usize, named: Option<&str>, text: &str) -> Value {
        let Some(part) = self.cast.get(who).filter(|part| !part.is_person) else {
            return json!({ "good": false });
        };
        let made = match part.with_text(&self.folder, named, text) {
            Ok(made) => made,
            Err(error) => return json!({ "good": false, "mistake": mistake(&error) }),
        };
        match self.timeline.change(Change::Replace(who, made.entry.clone())) {
            Ok(kept) => {
                let part = &mut self.cast[who];
                (part.entry, part.edits) = (made.entry, made.edits);
                if named.is_none() {
                    part.edited = Some(text.to_owned()).filter(|text| part.text.as_ref() != Some(text));
                }
                self.named.insert(who, made.named);
                self.back_to_the_end();
                json!({ "good": true, "kept": kept, "tick": self.timeline.end() })
            }
            Err(error) => json!({ "good": false, "error": error.to_string() }),
        }
    }

    /// Writes the text that plays to a file below the folder. When this answers, the file is on the disk.
    pub(super) fn save(&mut self, who: usize, named: Option<&str>, file: &str) -> Value {
        let nothing = json!({ "error": "there is nothing to save" });
        let Some(part) = self.cast.get(who) else { return nothing };
        let named = named.map(|name| part.named(&self.folder).into_iter().find(|one| one.name == name));
        let (text, own) = match &named {
            None => (part.playing().map(str::to_owned), part.file.clone()),
            Some(one) => {
                one.as_ref().map(|one| (Some(one.text.clone()), one.file.clone())).unwrap_or_default()
            }
        };
        let Some(text) = text else { return nothing };
        let is_its_own = own.is_some_and(|own| own == Path::new(file));
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
        match named.flatten() {
            None => (part.text, part.edited) = (Some(text), None),
            // Its own file has it now; another name is only used once the character's text names it.
            Some(one) if is_its_own => {
                part.edits.remove(&one.name);
            }
            Some(one) => {
                let then =
                    format!("the character still names `{}`: write `{file}` there to use it", one.name);
                return json!({ "saved": path.display().to_string(), "then": then });
            }
        }
        json!({ "saved": path.display().to_string() })
    }

    /// Takes up files that somebody changed, if what is in them is a character and nobody is editing it here.
    pub(super) fn pick_up_files(&mut self) {
        if clock::now() < self.looked + LOOK_EVERY {
            return;
        }
        self.looked = clock::now();
        self.pick_up_named();
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
            let answer = self.apply(who, None, &text);
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

/// What fits into a file, for completion.
fn schema(kind: Option<NamedKind>) -> Value {
    let schema = match kind {
        None => repertoire_mind::fighter::schema(),
        Some(NamedKind::Behaviour) => repertoire_bayes::sequence::file::schema(),
        Some(NamedKind::Profile) => repertoire_character::profile::file::schema(),
        Some(NamedKind::Domain) => repertoire_plan::domain::schema(),
        Some(NamedKind::Program) => repertoire_bayes::file::schema(),
    };
    schema.to_value()
}

/// Replaces a file in one move, once everything is on the disk.
fn replace(path: &Path, text: &str) -> std::io::Result<()> {
    let part = path.with_extension("toml.part");
    let mut file = std::fs::File::create(&part)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()?;
    std::fs::rename(&part, path)
}
