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
use std::io::{BufRead, Read, Write};
use std::marker::PhantomData;

use repertoire_authored::nearest;
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::{Value, json};

use crate::door::{Door, Keeps, Part, Uses, line as as_line};
use crate::{DoorError, Library};

/// As many things are kept at a time, so that a runaway writer cannot take all memory.
pub const MOST_LOADED: usize = 1 << 16;

/// Longer lines are refused, so that a runaway writer cannot take all memory.
pub const LONGEST_LINE: u64 = 256 << 20;

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

    /// Answers every line of `input` on `output`, in order, each flushed at once so that a pipe can hold a conversation. A
    /// line longer than [`LONGEST_LINE`] is answered with an error and dropped. Fails only if reading or writing does.
    pub fn converse(&mut self, input: &mut dyn BufRead, output: &mut dyn Write) -> std::io::Result<()> {
        let mut line = Vec::new();
        while let Some(read) = next_line(input, &mut line)? {
            let mut answer = match read {
                Ok(()) => self.reply(&line),
                Err(TooLong) => error_line(&format!("the line is longer than {} MiB", LONGEST_LINE >> 20)),
            };
            answer.push('\n');
            output.write_all(answer.as_bytes())?;
            output.flush()?;
        }
        Ok(())
    }
}

impl fmt::Debug for Session {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Session").field("door", &self.door.name).finish_non_exhaustive()
    }
}

/// A line of more than [`LONGEST_LINE`] bytes.
struct TooLong;

/// Reads a line without its end; `None` when there are no more.
fn next_line(input: &mut dyn BufRead, line: &mut Vec<u8>) -> std::io::Result<Option<Result<(), TooLong>>> {
    line.clear();
    let read = input.take(LONGEST_LINE).read_until(b'\n', line)?;
    if read == 0 {
        return Ok(None);
    }
    if line.last() == Some(&b'\n') {
        line.pop();
    } else if read as u64 == LONGEST_LINE {
        line.clear();
        // The rest of the line is read and dropped, so that the next one is a line again.
        let mut rest = Vec::new();
        while input.take(1 << 20).read_until(b'\n', &mut rest)? > 0 && rest.last() != Some(&b'\n') {
            rest.clear();
        }
        return Ok(Some(Err(TooLong)));
    }
    Ok(Some(Ok(())))
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

#[cfg(test)]
mod tests {
    use crate::DOORS;

    #[test]
    fn a_bad_line_is_answered_alone_and_in_order() {
        let input = b"{\"counts\":[0,0]}\nnonsense\n\n\xff\xfe\n[1]\n{\"counts\":[2,0]}";
        let mut output = Vec::new();
        let door = &DOORS[2];
        assert_eq!(door.name, "laplace");
        door.session().converse(&mut &input[..], &mut output).unwrap();
        let lines: Vec<&str> = std::str::from_utf8(&output).unwrap().lines().collect();
        assert_eq!(lines.len(), 6);
        assert_eq!(lines[0], r#"{"table":[0.5,0.5]}"#);
        assert!(lines[1..5].iter().all(|line| line.starts_with(r#"{"error":"#)), "{lines:?}");
        assert_eq!(lines[5], r#"{"table":[0.75,0.25]}"#);
    }
}
