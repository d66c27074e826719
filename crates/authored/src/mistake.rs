//! A mistake in an authored file: its place, what is wrong, and the remedy.

use std::fmt;
use std::ops::Range;

use serde::Serialize;

use crate::tree::Refused;

/// What is wrong in an authored file, where, and what would be right.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Mistake {
    /// Line, counted from 1.
    pub line: usize,
    /// Column in characters, counted from 1.
    pub column: usize,
    /// What is wrong.
    pub what: String,
    /// What would be right.
    pub remedy: String,
}

impl Mistake {
    /// A mistake at a span of bytes of `text`.
    pub fn at(text: &str, span: Range<usize>, what: impl Into<String>, remedy: impl Into<String>) -> Self {
        let (line, column) = place(text, span.start);
        Mistake { line, column, what: what.into(), remedy: remedy.into() }
    }

    /// What the TOML reader or serde refused.
    pub(crate) fn from_toml(text: &str, refused: &Refused) -> Self {
        // What serde lists after "expected" belongs into the remedy.
        let message = refused.message.lines().next().unwrap_or_default().to_owned();
        let remedy = remedy_for(&message);
        let what = match message.strip_prefix("unknown field ").and_then(|rest| rest.split_once(", expected"))
        {
            Some((name, _)) => format!("{name} is not a key here"),
            None => message,
        };
        Mistake::at(text, refused.span.clone().unwrap_or(0..0), what, remedy)
    }
}

impl fmt::Display for Mistake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}\n  remedy: {}", self.line, self.column, self.what, self.remedy)
    }
}

impl std::error::Error for Mistake {}

/// Data that TOML has no words for, such as a null.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("this cannot be written as TOML: {0}")]
pub struct NotToml(pub(crate) String);

/// Why a file that another one names cannot be had. A reader says it at the place of the name, so it is written to
/// follow "`name` cannot be used:" or to stand alone.
///
/// ```
/// use repertoire_authored::Unavailable;
/// let none: Result<(), Unavailable> = Err("there is no such file".into());
/// assert_eq!(none.unwrap_err().to_string(), "there is no such file");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Unavailable(String);

impl From<String> for Unavailable {
    fn from(why: String) -> Self {
        Unavailable(why)
    }
}

impl From<&str> for Unavailable {
    fn from(why: &str) -> Self {
        Unavailable(why.to_owned())
    }
}

/// The candidate that `name` was most likely meant to be, if any is near.
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let mut best: Option<(usize, &str)> = None;
    for candidate in candidates {
        let distance = strsim::damerau_levenshtein(&name.to_lowercase(), &candidate.to_lowercase());
        if distance <= name.chars().count().div_ceil(3) && best.is_none_or(|(least, _)| distance < least) {
            best = Some((distance, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}

fn place(text: &str, byte: usize) -> (usize, usize) {
    let mut byte = byte.min(text.len());
    while !text.is_char_boundary(byte) {
        byte -= 1;
    }
    let before = &text[..byte];
    let line_start = before.rfind('\n').map_or(0, |at| at + 1);
    (before.matches('\n').count() + 1, before[line_start..].chars().count() + 1)
}

/// serde names what it expected; turn that into advice.
fn remedy_for(message: &str) -> String {
    let quoted: Vec<&str> = message.split('`').skip(1).step_by(2).collect();
    if message.starts_with("unknown field") && quoted.len() > 1 {
        return match nearest(quoted[0], quoted[1..].iter().copied()) {
            Some(known) => format!("did you mean `{known}`?"),
            None => format!("the keys known here are {}", quoted[1..].join(", ")),
        };
    }
    if message.starts_with("missing field") && !quoted.is_empty() {
        return format!("add `{} = ...` here", quoted[0]);
    }
    if let Some((_, expected)) = message.split_once("expected ") {
        // Authors do not know our types.
        let expected = match expected {
            "f64" => "a number",
            "i32" | "i64" => "a whole number",
            "u16" | "u32" | "u64" | "usize" => "a whole number from 0 up",
            "a string" | "a borrowed string" => "text in quotes",
            other => other,
        };
        return format!("write {expected} here");
    }
    if message.contains("duplicate key") {
        return "keep one of the two".into();
    }
    "see the guides in docs/guides".into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_lines_and_characters() {
        assert_eq!(place("é = 1\nb = é!", 11), (2, 5));
        assert_eq!(place("", 7), (1, 1));
    }

    #[test]
    fn a_near_name_is_suggested_and_a_far_one_is_not() {
        assert_eq!(nearest("wepon", ["health", "weapon"]), Some("weapon"));
        assert_eq!(nearest("Health", ["health", "weapon"]), Some("health"));
        assert_eq!(nearest("noise", ["health", "weapon"]), None);
    }
}
