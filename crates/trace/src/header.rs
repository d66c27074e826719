//! Which match a recording is of: everything that is needed to play it again.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::TraceError;

/// The format's name and version; the first key of every recording.
pub const FORMAT: &str = "repertoire-trace 1";

/// One who takes part.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Character {
    /// Its number in the match, as in the column `character`.
    pub id: u8,
    /// Who it is, as a tournament calls its contenders: `native:3`.
    pub name: String,
    /// Whether its body is led, as in a replay, instead of steered: then the recording has columns that say where.
    #[serde(default, skip_serializing_if = "is_false")]
    pub led: bool,
}

fn is_false(is: &bool) -> bool {
    !is
}

/// Nobody in a recording has a number.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("nobody has the number {id}\n  remedy: choose one of {}", .known.join(", "))]
pub struct NoCharacter {
    /// The number.
    pub id: u8,
    /// Those that there are, with their names.
    pub known: Vec<String>,
}

/// The facts of a match, kept as Parquet's key-value metadata and as a CSV file's first lines.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Header {
    /// The program that recorded, with its version.
    pub program: String,
    /// The world: `arena`.
    pub world: String,
    /// The map's name.
    pub map: String,
    /// The map itself, as text or JSON, so that the file needs no other.
    pub map_source: String,
    /// The seed that the match was started with.
    pub seed: u64,
    /// From one decision to the next.
    pub period_secs: f64,
    /// Who took part, in the order of their numbers.
    pub characters: Vec<Character>,
    /// The world's settings, as the world writes them.
    pub settings: Value,
}

/// The keys in the order in which they are written.
const KEYS: [&str; 8] =
    ["program", "world", "map", "map_source", "seed", "period_secs", "characters", "settings"];

impl Header {
    /// Whether somebody has a number.
    ///
    /// # Errors
    /// If nobody has.
    pub fn check_character(&self, id: u8) -> Result<(), NoCharacter> {
        if self.characters.iter().any(|character| character.id == id) {
            return Ok(());
        }
        let known = self.characters.iter().map(|one| format!("{} ({})", one.id, one.name)).collect();
        Err(NoCharacter { id, known })
    }

    /// A header without the map's source and without settings; characters are numbered from 0.
    pub fn new<'a>(
        world: &str,
        map: &str,
        seed: u64,
        period_secs: f64,
        names: impl IntoIterator<Item = &'a str>,
    ) -> Self {
        let characters =
            (0..=u8::MAX).zip(names).map(|(id, name)| Character { id, name: name.to_owned(), led: false });
        Header {
            program: concat!("repertoire ", env!("CARGO_PKG_VERSION")).to_owned(),
            world: world.to_owned(),
            map: map.to_owned(),
            map_source: String::new(),
            seed,
            period_secs,
            characters: characters.collect(),
            settings: Value::Object(serde_json::Map::new()),
        }
    }

    /// Whether anybody's body is led.
    pub(crate) fn has_led(&self) -> bool {
        self.characters.iter().any(|one| one.led)
    }

    /// Refuses what no match can have.
    pub(crate) fn check(&self) -> Result<(), TraceError> {
        let wrong = |key: &str, what: String, remedy: &str| {
            Err(TraceError::Header { key: key.to_owned(), what, remedy: remedy.to_owned() })
        };
        if !(self.period_secs.is_finite() && self.period_secs > 0.0) {
            let what = format!("{} is no time between decisions", self.period_secs);
            return wrong("period_secs", what, "write seconds above 0: 0.1");
        }
        if self.characters.is_empty() {
            return wrong("characters", "nobody takes part".to_owned(), "name at least one character");
        }
        if !self.characters.is_sorted_by(|a, b| a.id < b.id) {
            let what = "their numbers do not grow".to_owned();
            return wrong("characters", what, "give each its own `id`, smallest first");
        }
        Ok(())
    }

    /// Keys with their values as JSON, the format first.
    pub(crate) fn to_json(&self) -> Result<Vec<(&'static str, Value)>, TraceError> {
        let mut object = match serde_json::to_value(self).map_err(std::io::Error::other)? {
            Value::Object(object) => object,
            _ => serde_json::Map::new(),
        };
        let mut pairs = vec![("format", Value::from(FORMAT))];
        pairs.extend(KEYS.into_iter().filter_map(|key| Some((key, object.remove(key)?))));
        Ok(pairs)
    }

    /// Keys with their values as text: what is a text stays bare, all else is JSON.
    pub(crate) fn to_text(&self) -> Result<Vec<(&'static str, String)>, TraceError> {
        let bare = |value: Value| match value {
            Value::String(text) => text,
            other => other.to_string(),
        };
        Ok(self.to_json()?.into_iter().map(|(key, value)| (key, bare(value))).collect())
    }

    /// Reads what [`Header::to_text`] wrote.
    pub(crate) fn from_text<'a>(find: impl Fn(&str) -> Option<&'a str>) -> Result<Self, TraceError> {
        check_format(find("format"), find("program"))?;
        let read = |key: &'static str| {
            let text = find(key).ok_or_else(|| missing(key))?;
            match key {
                "seed" | "period_secs" | "characters" | "settings" => {
                    serde_json::from_str(text).map_err(|error| not_json(key, &error))
                }
                _ => Ok(Value::from(text)),
            }
        };
        Header::from_json(read)
    }

    /// Reads what [`Header::to_json`] wrote, after the format has been checked.
    pub(crate) fn from_json(
        mut read: impl FnMut(&'static str) -> Result<Value, TraceError>,
    ) -> Result<Self, TraceError> {
        let header = Header {
            program: typed("program", read("program")?)?,
            world: typed("world", read("world")?)?,
            map: typed("map", read("map")?)?,
            map_source: typed("map_source", read("map_source")?)?,
            seed: typed("seed", read("seed")?)?,
            period_secs: typed("period_secs", read("period_secs")?)?,
            characters: typed("characters", read("characters")?)?,
            settings: read("settings")?,
        };
        header.check()?;
        Ok(header)
    }
}

/// Refuses what is no recording, or one of another version.
pub(crate) fn check_format(format: Option<&str>, program: Option<&str>) -> Result<(), TraceError> {
    match format {
        Some(FORMAT) => Ok(()),
        Some(found) if found.starts_with("repertoire-trace ") => Err(TraceError::OtherVersion {
            found: found.to_owned(),
            program: program.unwrap_or_default().to_owned(),
        }),
        Some(found) => Err(TraceError::Foreign {
            what: format!("its `format` is `{found}`"),
            remedy: format!("give a recording; its `format` is `{FORMAT}`"),
        }),
        None => Err(TraceError::Foreign {
            what: "its metadata has no key `format`".to_owned(),
            remedy: format!(
                "give a recording; its metadata has `format` = `{FORMAT}` and {} (programs that rewrite a recording \
                 must keep them)",
                KEYS.join(", ")
            ),
        }),
    }
}

pub(crate) fn missing(key: &str) -> TraceError {
    TraceError::Header {
        key: key.to_owned(),
        what: "it is missing".to_owned(),
        remedy: format!("a recording has {}", KEYS.join(", ")),
    }
}

pub(crate) fn not_json(key: &str, error: &serde_json::Error) -> TraceError {
    TraceError::Header {
        key: key.to_owned(),
        what: format!("it is no JSON: {error}"),
        remedy: example(key).to_owned(),
    }
}

fn typed<T: serde::de::DeserializeOwned>(key: &str, value: Value) -> Result<T, TraceError> {
    serde_json::from_value(value).map_err(|error| TraceError::Header {
        key: key.to_owned(),
        what: error.to_string(),
        remedy: example(key).to_owned(),
    })
}

fn example(key: &str) -> &'static str {
    match key {
        "seed" => "write a whole number from 0 to 18446744073709551615",
        "period_secs" => "write seconds above 0: 0.1",
        "characters" => r#"write a list: [{"id":0,"name":"native:3"}]"#,
        "settings" => "write a JSON object: {}",
        _ => "write a text",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header() -> Header {
        let mut header = Header::new("arena", "duel", u64::MAX, 0.1, ["native:3", "a \"b\"\nc"]);
        header.map_source = "name = \"duel\"\n# é\n".to_owned();
        header.settings = serde_json::json!({ "frags": 100, "g": 9.81 });
        header
    }

    #[test]
    fn survives_its_text() {
        let pairs = header().to_text().expect("a header is text");
        assert_eq!(pairs[0], ("format", FORMAT.to_owned()));
        let find = |key: &str| pairs.iter().find(|(name, _)| *name == key).map(|(_, text)| text.as_str());
        assert_eq!(Header::from_text(find).expect("it is its own text"), header());
    }

    #[test]
    fn refuses_what_no_match_can_have() {
        for (key, wrong) in [
            ("seed", "-1"),
            ("period_secs", "0"),
            ("characters", "[]"),
            ("characters", r#"[{"id":1,"name":"a"},{"id":1,"name":"b"}]"#),
            ("settings", "{"),
        ] {
            let pairs = header().to_text().expect("a header is text");
            let find = |name: &str| match name == key {
                true => Some(wrong),
                false => pairs.iter().find(|pair| pair.0 == name).map(|pair| pair.1.as_str()),
            };
            let error = Header::from_text(find).expect_err("it is wrong").to_string();
            assert!(error.contains(&format!("`{key}`")) && error.contains("remedy"), "{error}");
        }
    }
}
