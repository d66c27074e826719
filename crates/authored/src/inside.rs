//! From a place in a string's value to the place in the file where that was written.

use std::ops::Range;

use crate::Spanned;

/// Where a span of bytes of a string's value was written in the file. Quotes, escapes, a first line break that is left out
/// and line ends of two bytes make the two differ.
///
/// ```
/// use repertoire_authored::{Mistake, Spanned, inside, read};
///
/// #[derive(serde::Deserialize)]
/// struct Note { says: Spanned<String> }
///
/// let text = "says = \"\"\"\r\none\r\ntow\"\"\"";
/// let note: Note = read(text).expect("fine");
/// let at = note.says.get_ref().find("tow").expect("it is there");
/// assert_eq!(Mistake::at(text, inside(text, &note.says, at..at + 3), "", "").line, 3);
/// ```
pub fn inside(text: &str, written: &Spanned<String>, span: Range<usize>) -> Range<usize> {
    let whole = written.span();
    let Some(raw) = text.get(whole.clone()) else { return whole };
    let place = |byte: usize| whole.start + offset(raw, written.get_ref(), byte);
    place(span.start)..place(span.end)
}

/// How far into the written string, quotes included, a byte of its value stands.
fn offset(raw: &str, value: &str, byte: usize) -> usize {
    let quote = ["\"\"\"", "'''", "\"", "'"].into_iter().find(|quote| raw.starts_with(quote)).unwrap_or("");
    let mut at = quote.len();
    if quote.len() == 3 {
        at += ["\r\n", "\n"].into_iter().find(|end| raw[at..].starts_with(end)).map_or(0, str::len);
    }
    let mut before = value[..byte.min(value.len())].chars();
    loop {
        let Some(rest) = raw.get(at..) else { return at };
        let escape =
            rest.strip_prefix('\\').filter(|_| quote.starts_with('"')).and_then(|rest| rest.chars().next());
        if escape.is_some_and(|escape| escape.is_ascii_whitespace()) {
            // A line that goes on: all blanks up to the next letter are left out.
            at += rest.len() - rest[1..].trim_start().len();
            continue;
        }
        let Some(letter) = before.next() else { return at };
        at += match escape {
            Some('x') => 4,
            Some('u') => 6,
            Some('U') => 10,
            Some(other) => 1 + other.len_utf8(),
            None if rest.starts_with("\r\n") && letter == '\n' => 2,
            None => rest.chars().next().map_or(1, char::len_utf8),
        };
    }
}

/// Where a name is first written as a key, or else in quotation marks, to point at what a domain says without its places.
pub fn find_key(text: &str, name: &str) -> Range<usize> {
    let is_key = |at: &usize| {
        let rest = text[at + name.len()..].trim_start();
        rest.starts_with('=') && text[..*at].chars().next_back().is_none_or(|c| c.is_whitespace() || c == '.')
    };
    let key = text.match_indices(name).map(|(at, _)| at).find(is_key);
    let at = key.or_else(|| text.find(&format!("\"{name}\""))).unwrap_or(0);
    at..at
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(serde::Deserialize)]
    struct Note {
        says: Spanned<String>,
    }

    #[test]
    fn places_in_values_are_places_in_files() {
        for written in [
            "\"one tow\"",
            "'one tow'",
            "\"\"\"one tow\"\"\"",
            "\"\"\"\none\ntow\"\"\"",
            "'''\none\ntow'''",
            "\"\"\"\n  one \\\n   tow\"\"\"",
            "\"é \\u00e9 \\\"one\\\" \\t tow\"",
        ] {
            let line = |end: &str| format!("{end}says = {}{end}", written.replace('\n', end));
            for text in [line("\n"), line("\r\n")] {
                let note: Note = crate::read(&text).expect("written right");
                let at = note.says.get_ref().find("tow").expect("it is there");
                assert_eq!(&text[inside(&text, &note.says, at..at + 3)], "tow", "{text:?}");
            }
        }
    }
}
