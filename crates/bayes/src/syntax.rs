//! `P(A B | C=low, D)` as people write it: a decomposition's factors and the questions to a program.

use repertoire_prob::variable::is_name;
use thiserror::Error;

/// A conditional as written: names, with values where some were given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conditional {
    /// What stands before the bar.
    pub left: Vec<String>,
    /// What stands after it; a value where one was written.
    pub given: Vec<(String, Option<String>)>,
}

/// Why a text is not a conditional.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{what}; write it like P(A B | C=low, D)")]
pub struct SyntaxError {
    what: String,
}

fn wrong<T>(what: impl Into<String>) -> Result<T, SyntaxError> {
    Err(SyntaxError { what: what.into() })
}

impl std::str::FromStr for Conditional {
    type Err = SyntaxError;

    fn from_str(text: &str) -> Result<Self, SyntaxError> {
        let inside = text
            .trim()
            .strip_prefix('P')
            .and_then(|rest| rest.trim_start().strip_prefix('('))
            .and_then(|rest| rest.trim_end().strip_suffix(')'));
        let Some(inside) = inside else { return wrong(format!("`{text}` is not of the form P(...)")) };
        let (left, given) = inside.split_once('|').unwrap_or((inside, ""));
        if inside.contains('|') && given.trim_matches([' ', ',', '\t']).is_empty() {
            return wrong("nothing stands after the bar");
        }
        let mut names = Vec::new();
        for (name, value) in terms(left)? {
            if value.is_some() {
                return wrong(format!("`{name}` is asked for, so it cannot have a value"));
            }
            names.push(name);
        }
        if names.is_empty() {
            return wrong("nothing stands before the bar");
        }
        Ok(Conditional { left: names, given: terms(given)? })
    }
}

/// Names, each with an optional `=value`, separated by commas or blanks.
fn terms(text: &str) -> Result<Vec<(String, Option<String>)>, SyntaxError> {
    let mut terms: Vec<(String, Option<String>)> = Vec::new();
    let spaced = text.replace(',', " ").replace('=', " = ");
    let mut tokens = spaced.split_whitespace().peekable();
    while let Some(name) = tokens.next() {
        if !is_name(name) {
            return wrong(format!("`{name}` is not a name"));
        }
        if terms.iter().any(|(known, _)| known == name) {
            return wrong(format!("`{name}` stands there twice"));
        }
        let value = if tokens.next_if_eq(&"=").is_some() {
            match tokens.next() {
                Some(value) if is_name(value) => Some(value.to_owned()),
                Some(value) => return wrong(format!("`{value}` is not a name, and so no value of `{name}`")),
                None => return wrong(format!("`{name}=` needs a value")),
            }
        } else {
            None
        };
        terms.push((name.to_owned(), value));
    }
    Ok(terms)
}

impl std::fmt::Display for Conditional {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "P({}", self.left.join(" "))?;
        for (i, (name, value)) in self.given.iter().enumerate() {
            f.write_str(if i == 0 { " | " } else { ", " })?;
            f.write_str(name)?;
            if let Some(value) = value {
                write!(f, "={value}")?;
            }
        }
        f.write_str(")")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_people_write() {
        let read: Conditional = " P ( A B|C = low,D )".parse().unwrap();
        assert_eq!(read.left, ["A", "B"]);
        assert_eq!(read.given, [("C".into(), Some("low".into())), ("D".into(), None)]);
        assert_eq!(read.to_string(), "P(A B | C=low, D)");
        assert_eq!("P(V)".parse::<Conditional>().unwrap().to_string(), "P(V)");
        assert_eq!("P(V | D=-3)".parse::<Conditional>().unwrap().given[0].1.as_deref(), Some("-3"));
    }

    #[test]
    fn refuses_what_is_not_a_conditional() {
        for (text, why) in [
            ("A | B", "not of the form"),
            ("P()", "before the bar"),
            ("P(A |)", "after the bar"),
            ("P(A=1)", "cannot have a value"),
            ("P(A | B=)", "needs a value"),
            ("P(A | B B)", "twice"),
            ("P(A | B*)", "not a name"),
            ("P(A | B | C)", "not a name"),
        ] {
            let refused = text.parse::<Conditional>().unwrap_err().to_string();
            assert!(refused.contains(why), "{text}: {refused}");
        }
    }
}
