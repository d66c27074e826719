//! Who may play: contenders by name and level, or by file.
//!
//! | written      | who                                                                     |
//! |--------------|-------------------------------------------------------------------------|
//! | `native:3`   | a native bot of level 3 (0 to 7)                                        |
//! | `native`     | the same: the level of Le Hy's reference, 3 of 8                        |
//! | `prudent`    | a character of a shipped behaviour: prudent, aggressive or uniform      |
//! | `NAME=FILE`  | a character of the behaviour (TOML) in a file, or one learned by imitation (JSON), called NAME |
//! | `individual:brute` | a character with a profile, by name or file; its goals are health, weapons, the hunt |
//! | `native:3+belief` | a native bot that believes where enemies are who are out of sight |

use std::path::Path;
use std::sync::Arc;

use anyhow::{Result, anyhow, bail};
use repertoire_authored::nearest;
use repertoire_bayes::sequence::shipped;
use repertoire_eval::Entry;
use repertoire_mind::Mind;
use repertoire_mind::chameleon::{Chameleon, Taught};
use repertoire_mind::sequenced::{Connected, Sequenced};
use repertoire_worlds::arena::bots::{Individual, Native, Skill};

use crate::behaviour::load;

/// The kinds of characters, and what can be written for each.
pub const KINDS: [(&str, &str); 5] = [
    ("native", "native:LEVEL or native:LEVEL+belief, LEVEL from 0 (a beginner) to 7 (a champion)"),
    ("prudent", "prudent"),
    ("aggressive", "aggressive"),
    ("uniform", "uniform; or NAME=FILE, FILE a behaviour (TOML) or a character learned by imitation (JSON)"),
    ("individual", "individual:PROFILE, PROFILE a profile's name or file"),
];

/// The level of a native bot that is given none: that of the reference in Le Hy 2007, table 3.11.
const USUAL_LEVEL: u8 = 3;

/// Who is written so.
pub fn find(written: &str) -> Result<Entry> {
    if let Some((name, file)) = written.split_once('=') {
        if name.is_empty() || file.is_empty() {
            bail!("`{written}` is not NAME=FILE\n  remedy: {}", what_exists());
        }
        return if is_learned(file) { imitator(name, file) } else { sequenced(name, file) };
    }
    if shipped::text(written).is_some() {
        return sequenced(written, written);
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
        "individual" if !believes => individual(level),
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
        move || Box::new(Individual::new(profile.clone(), USUAL_LEVEL)) as Box<dyn Mind>
    });
    Ok(Entry { name: format!("individual:{}", profile.name), make })
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

/// A character of a behaviour.
fn sequenced(name: &str, behaviour: &str) -> Result<Entry> {
    let behaviour = load::load(behaviour)?;
    let connected = Connected::new(&behaviour).map_err(|error| anyhow!("`{name}` cannot play: {error}"))?;
    let connected = Arc::new(connected);
    let make = move || Box::new(Sequenced::new(Arc::clone(&connected))) as Box<dyn Mind>;
    Ok(Entry { name: name.to_owned(), make: Arc::new(make) })
}

/// Whether a file holds a learned character: by its name, or by its text. Behaviours are TOML, which no text that begins with a
/// brace is.
fn is_learned(file: &str) -> bool {
    if Path::new(file).extension().is_some_and(|extension| extension == "json") {
        return true;
    }
    let mut start = [0; 64];
    let read = std::fs::File::open(file).and_then(|mut file| std::io::Read::read(&mut file, &mut start));
    read.is_ok_and(|read| start[..read].trim_ascii_start().first() == Some(&b'{'))
}

/// A character learned by imitation.
fn imitator(name: &str, file: &str) -> Result<Entry> {
    let learned = crate::chameleon::load::character(Path::new(file))?;
    let taught = Taught::new(learned).map_err(|error| anyhow!("`{name}` cannot play: {error}"))?;
    let taught = Arc::new(taught);
    let make = move || Box::new(Chameleon::new(Arc::clone(&taught))) as Box<dyn Mind>;
    Ok(Entry { name: name.to_owned(), make: Arc::new(make) })
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
            ("brave=nowhere/brave.toml", "nowhere/brave.toml"),
            ("=brave.toml", "NAME=FILE"),
            ("prudnt", "did you mean `prudent`?"),
            ("", "native:LEVEL"),
        ] {
            let error = find(written).err().map(|error| format!("{error:#}")).unwrap_or_default();
            assert!(error.contains(said) && error.contains("remedy"), "{written}: {error}");
        }
    }
}
