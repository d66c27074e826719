//! Who may play: contenders by name and level.
//!
//! | written     | who                                                              |
//! |-------------|------------------------------------------------------------------|
//! | `native:3`  | a native bot of level 3 (0 to 7)                                 |
//! | `native`    | the same: the level of Le Hy's reference, 3 of 8                 |
//! | `individual:brute` | a character with a profile, by name or file; its goals are health, weapons, the hunt |
//! | `NAME=FILE` | a character written as a file; there are no such kinds yet       |

use std::sync::Arc;

use anyhow::{Result, bail};
use repertoire_authored::nearest;
use repertoire_eval::Entry;
use repertoire_worlds::arena::bots::{Individual, Native, Skill};

/// The kinds of characters, and what can be written for each.
pub const KINDS: [(&str, &str); 2] = [
    ("native", "native:LEVEL, LEVEL from 0 (a beginner) to 7 (a champion)"),
    ("individual", "individual:PROFILE, PROFILE a profile's name or file"),
];

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
    let (kind, level) = match written.split_once(':') {
        Some((kind, level)) => (kind, Some(level)),
        None => (written, None),
    };
    match kind {
        "native" => native(written, level),
        "individual" => individual(level),
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

/// A character with a profile, in a body of the usual level.
fn individual(profile: Option<&str>) -> Result<Entry> {
    let profile = crate::rooms::source::find_profile(profile.unwrap_or("plain"))?;
    let make = Arc::new({
        let profile = profile.clone();
        move || Box::new(Individual::new(profile.clone(), USUAL_LEVEL)) as Box<dyn repertoire_mind::Mind>
    });
    Ok(Entry { name: format!("individual:{}", profile.name), make })
}

fn native(written: &str, level: Option<&str>) -> Result<Entry> {
    let level = match level.map(str::parse) {
        None => USUAL_LEVEL,
        Some(Ok(level)) if level <= Skill::HIGHEST => level,
        Some(_) => bail!(
            "`{written}`: native bots have no such level\n  remedy: a whole number from 0 (a beginner) to {} (a champion)",
            Skill::HIGHEST
        ),
    };
    Ok(Entry { name: format!("native:{level}"), make: Arc::new(move || Box::new(Native::new(level))) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn native_bots_are_found_by_level() {
        for (written, name) in [("native:0", "native:0"), ("native:7", "native:7"), ("native", "native:3")] {
            assert_eq!(find(written).map(|entry| entry.name).ok().as_deref(), Some(name));
        }
    }

    #[test]
    fn characters_with_profiles_are_found_by_name() {
        assert_eq!(
            find("individual:brute").map(|entry| entry.name).ok().as_deref(),
            Some("individual:brute")
        );
        assert_eq!(find("individual").map(|entry| entry.name).ok().as_deref(), Some("individual:plain"));
        let error = find("individual:brut").err().map(|error| format!("{error:#}")).unwrap_or_default();
        assert!(error.contains("did you mean `brute`?"), "{error}");
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
