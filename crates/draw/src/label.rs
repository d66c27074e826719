//! Text that has to fit: how wide it is, in lines, shortened.
//!
//! Nothing here knows the reader's fonts; widths are those of common sans-serif ones, rather too wide than too narrow.

/// About how wide text is, in letters of this size.
pub fn width(text: &str, size: f64) -> f64 {
    let letter = |c: char| match c {
        'i' | 'j' | 'l' | 't' | 'f' | 'r' | '.' | ',' | ':' | ';' | '\'' | '|' | ' ' | '(' | ')' => 0.36,
        'm' | 'w' | 'M' | 'W' | '%' | '@' => 0.92,
        c if c.is_uppercase() => 0.7,
        _ => 0.58,
    };
    text.chars().map(letter).sum::<f64>() * size
}

/// Text in lines no wider than this, broken at blanks; a word that is too wide keeps a line of its own.
pub fn wrap(text: &str, most: f64, size: f64) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if width(&format!("{line} {word}"), size) <= most => *line += &format!(" {word}"),
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

/// Text no wider than this: what does not fit is left out, and dots say so.
pub fn shorten(text: &str, most: f64, size: f64) -> String {
    if width(text, size) <= most {
        return text.to_owned();
    }
    let mut short = String::new();
    for c in text.chars() {
        if width(&format!("{short}{c}…"), size) > most {
            break;
        }
        short.push(c);
    }
    short.truncate(short.trim_end().len());
    short + "…"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_short_texts_fit() {
        let text = "decision 3, turning: a player who is near and looks elsewhere";
        for most in [90.0, 150.0, 400.0] {
            assert!(width(&shorten(text, most, 11.0), 11.0) <= most);
            let lines = wrap(text, most, 11.0);
            assert!(lines.iter().all(|line| width(line, 11.0) <= most), "{lines:?}");
            assert_eq!(lines.join(" "), text);
        }
        assert_eq!(shorten("short", 400.0, 11.0), "short");
    }
}
