//! Who may play: contenders by name and level.
//!
//! | written     | who                                                              |
//! |-------------|------------------------------------------------------------------|
//! | `native:3`  | a native bot of level 3 (0 to 7)                                 |
//! | `native:3+belief` | the same, believing where enemies are who are out of sight |
//! | `native`    | the same: the level of Le Hy's reference, 3 of 8                 |
//! | `NAME=FILE` | a character written as a file; there are no such kinds yet       |

use std::sync::Arc;

use anyhow::{Result, bail};
use repertoire_authored::nearest;
use repertoire_eval::Entry;
use repertoire_mind::Mind;
use repertoire_worlds::arena::bots::{Native, Skill};

/// The kinds of characters, and what can be written for each.
pub const KINDS: [(&str, &str); 1] =
    [("native", "native:LEVEL or native:LEVEL+belief, LEVEL from 0 (a beginner) to 7 (a champion)")];

/// The level of a native bot that is given none: that of the reference in Le Hy 2007, table 3.11.
const USUAL_LEVEL: u8 = 3;

/// Who is written so.
pub fn find(written: &str) -> Result<Entry> {
    if let Some((name, _)) = written.split_once('=') {
        bail!(
            "`{written}`: there are no kinds of characters that are written as files yet, so `{name}` cannot be one\n  \
             remedy: {}",
            what_exists()
        );
    }
    let (plain, believes) = match written.strip_suffix("+belief") {
        Some(plain) => (plain, true),
        None => (written, false),
    };
    let (kind, level) = match plain.split_once(':') {
        Some((kind, level)) => (kind, Some(level)),
        None => (plain, None),
    };
    match kind {
        "native" => native(written, level, believes),
        _ => {
            let remedy = match nearest(kind, KINDS.map(|(name, _)| name)) {
                Some(known) => format!("did you mean `{known}`? There is {}", what_exists()),
                None => what_exists(),
            };
            bail!("there is no character `{kind}`\n  remedy: {remedy}")
        }
    }
}

fn what_exists() -> String {
    KINDS.map(|(_, how)| how).join("; ")
}

fn native(written: &str, level: Option<&str>, believes: bool) -> Result<Entry> {
    let level = match level.map(str::parse) {
        None => USUAL_LEVEL,
        Some(Ok(level)) if level <= Skill::HIGHEST => level,
        Some(_) => bail!(
            "`{written}`: native bots have no such level\n  remedy: a whole number from 0 (a beginner) to {} (a champion)",
            Skill::HIGHEST
        ),
    };
    if believes {
        let make = Arc::new(move || Box::new(Native::new(level).with_belief()) as Box<dyn Mind>);
        return Ok(Entry { name: format!("native:{level}+belief"), make });
    }
    Ok(Entry { name: format!("native:{level}"), make: Arc::new(move || Box::new(Native::new(level))) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn native_bots_are_found_by_level() {
        for (written, name) in [
            ("native:0", "native:0"),
            ("native:7", "native:7"),
            ("native", "native:3"),
            ("native:5+belief", "native:5+belief"),
        ] {
            assert_eq!(find(written).map(|entry| entry.name).ok().as_deref(), Some(name));
        }
    }

    #[test]
    fn who_does_not_exist_is_refused_with_who_does() {
        for (written, said) in [
            ("natif:3", "did you mean `native`?"),
            ("orc", "native:LEVEL"),
            ("native:8", "from 0 (a beginner) to 7"),
            ("native:", "from 0 (a beginner) to 7"),
            ("native:-1", "from 0 (a beginner) to 7"),
            ("brave=brave.toml", "written as files yet"),
            ("", "native:LEVEL"),
        ] {
            let error = find(written).err().map(|error| format!("{error:#}")).unwrap_or_default();
            assert!(error.contains(said) && error.contains("remedy"), "{written}: {error}");
        }
    }
}
