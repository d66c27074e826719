//! A conversation with one door.
//!
//! A door whose questions have a part that stays the same can load that part. **The rule is one for all doors:** `load` holds
//! some of the keys of a question, and gives them a name; a later question says `use` with that name in place of those keys.
//!
//! ```text
//! {"load": {"behaviour": "prudent"}, "as": "guard"}             -> {"loaded":"guard"}
//! {"use": "guard", "previous": "attack", "sensors": {...}}      -> {"posterior":{...},...}
//! ```
//!
//! `load` may also be the name of a file that holds those keys as JSON, where there is a [`Library`]. Loading under a name
//! that is taken replaces what was there; a load that fails leaves it.

use std::collections::BTreeMap;
use std::fmt;
use std::marker::PhantomData;

use repertoire_authored::nearest;
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::{Value, json};

use crate::door::{Door, Keeps, Part, Uses, line as as_line};
use crate::{DoorError, Library};

/// As many things are kept at a time, so that a runaway writer cannot take all memory.
pub const MOST_LOADED: usize = 1 << 16;

/// A conversation with one door: answers lines in order and remembers what was loaded.
pub struct Session {
    door: &'static Door,
    talk: Box<dyn Talk>,
    library: Box<dyn Library>,
}

impl Session {
    /// Begins a conversation; `library` reads the files that lines name ([`NoFiles`](crate::NoFiles) reads none).
    pub fn new(door: &'static Door, library: impl Library + 'static) -> Self {
        Session { door, talk: (door.open)(), library: Box::new(library) }
    }

    /// The door this is a conversation with.
    pub fn door(&self) -> &'static Door {
        self.door
    }

    /// Answers one line with one line of JSON, without the line's end.
    pub fn answer(&mut self, line: &str) -> Result<String, DoorError> {
        answer(&mut *self.talk, self.door.example, line, &*self.library)
    }

    /// Answers the bytes of one line, whatever they are, with one line of JSON: an answer, or `{"error": "..."}`.
    pub fn reply(&mut self, line: &[u8]) -> String {
        let answer = std::str::from_utf8(line).map_err(DoorError::from).and_then(|line| self.answer(line));
        answer.unwrap_or_else(|error| error_line(&error.to_string()))
    }
}

impl fmt::Debug for Session {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Session").field("door", &self.door.name).finish_non_exhaustive()
    }
}

/// A line that says what was wrong: `{"error": "..."}`.
pub fn error_line(what: &str) -> String {
    json!({ "error": what }).to_string()
}

pub(crate) fn answer(
    talk: &mut dyn Talk,
    example: &'static str,
    line: &str,
    library: &dyn Library,
) -> Result<String, DoorError> {
    if line.trim().is_empty() {
        return Err(DoorError::Empty { example });
    }
    talk.answer(line, library)
}

/// What is remembered between lines, and how they are answered.
pub(crate) trait Talk: Send {
    fn answer(&mut self, line: &str, library: &dyn Library) -> Result<String, DoorError>;
}

/// A conversation in which nothing is remembered.
pub(crate) struct Plain<P>(PhantomData<fn() -> P>);

impl<P> Plain<P> {
    pub fn new() -> Self {
        Plain(PhantomData)
    }
}

impl<P: Part> Talk for Plain<P> {
    fn answer(&mut self, line: &str, _: &dyn Library) -> Result<String, DoorError> {
        as_line(&(P::ANSWER)(serde_json::from_str(line)?)?)
    }
}

/// A conversation in which things are loaded and used.
pub(crate) struct Keeping<P: Keeps> {
    loaded: BTreeMap<String, P::Kept>,
    last: P::Last,
}

/// A line that loads.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Load {
    load: Value,
    #[serde(rename = "as")]
    name: String,
}

/// Looks whether a line loads or uses, without reading the rest.
#[derive(Deserialize)]
struct Peek {
    load: Option<IgnoredAny>,
    #[serde(rename = "use")]
    used: Option<IgnoredAny>,
}

impl<P: Keeps> Keeping<P> {
    pub fn new() -> Self {
        Keeping { loaded: BTreeMap::new(), last: P::Last::default() }
    }

    fn load(&mut self, Load { load, name }: Load, library: &dyn Library) -> Result<String, DoorError> {
        if name.is_empty() {
            return Err("`as` is empty: give what is loaded a name".to_owned().into());
        }
        if self.loaded.len() >= MOST_LOADED && !self.loaded.contains_key(&name) {
            return Err(DoorError::Refused(format!(
                "{MOST_LOADED} things are loaded, which is the most: load this one as one of them"
            )));
        }
        let thing = match load {
            Value::String(file) => {
                let text = library.text(&file);
                let text = text.map_err(|source| DoorError::File { name: file.clone(), source })?;
                serde_json::from_str(&text)
                    .map_err(|error| DoorError::Refused(format!("{file} cannot be loaded: {error}")))?
            }
            keys => serde_json::from_value(keys)
                .map_err(|error| DoorError::Refused(format!("`load` cannot be read: {error}")))?,
        };
        // Only what could be kept takes the place of what was there.
        let kept = P::keep(thing, library)?;
        let answer = json!({ "loaded": name }).to_string();
        self.loaded.insert(name, kept);
        Ok(answer)
    }

    fn ask(&self, question: P::Question) -> Result<String, DoorError> {
        let names = question.used().list();
        let find = |name: &String| self.loaded.get(name).ok_or_else(|| self.not_loaded(name));
        // Nearly always one, for which nothing need be allocated.
        match names {
            [name] => P::ask(&[find(name)?], question),
            names => {
                let used: Vec<&P::Kept> = names.iter().map(find).collect::<Result<_, _>>()?;
                P::ask(&used, question)
            }
        }
    }

    fn not_loaded(&self, name: &str) -> DoorError {
        let near = nearest(name, self.loaded.keys().map(String::as_str)).map(str::to_owned);
        let others = self.loaded.keys().filter(|key| Some(*key) != near.as_ref()).cloned();
        DoorError::NotLoaded {
            name: name.to_owned(),
            loaded: near.clone().into_iter().chain(others).take(10).collect(),
        }
    }
}

impl<P: Keeps> Talk for Keeping<P> {
    fn answer(&mut self, line: &str, library: &dyn Library) -> Result<String, DoorError> {
        // Lines that hold everything are the old ones: they are read as ever, and pay only for this search.
        let may_load = line.contains("\"use\"") || line.contains("\"load\"");
        if may_load && line.trim_start().starts_with('{') {
            match serde_json::from_str(line) {
                Ok(Peek { load: Some(_), .. }) => return self.load(serde_json::from_str(line)?, library),
                Ok(Peek { used: Some(_), .. }) => return self.ask(serde_json::from_str(line)?),
                _ => {}
            }
        }
        P::answer(serde_json::from_str(line)?, &mut self.last, library)
    }
}
