//! Who may play: characters by name and level, or by file, as users write them on a command line.
//!
//! | written      | who                                                                     |
//! |--------------|-------------------------------------------------------------------------|
//! | `native:3`   | a native bot of level 3 (0 to 7)                                        |
//! | `native`     | the same: the level of Le Hy's reference, 3 of 8                        |
//! | `native:3+belief` | a native bot that keeps a belief about enemies out of sight        |
//! | `prudent`    | a character of a shipped behaviour: prudent, aggressive or uniform      |
//! | `hunter`     | a fighter with a whole mind: believes, wants, plans, decides, learns    |
//! | `imitator`   | a character learned by imitation, of native:5                           |
//! | `individual:brute` | a character with a profile, by name or file; its goals are health, weapons, the hunt |
//! | `NAME=FILE`  | a fighter or a character of the behaviour (TOML) in a file, or one learned by imitation (JSON), called NAME |
//!
//! ```
//! use repertoire::roster;
//!
//! let entry = roster::find("native:3+belief")?;
//! assert_eq!(entry.name, "native:3+belief");
//! let mind = (entry.make)(); // A fresh mind for each match.
//! assert!(mind.task().len() < 40, "what it is doing, in a word");
//!
//! let unknown = roster::find("orc").expect_err("nobody is called that");
//! assert!(unknown.to_string().contains("native:LEVEL"), "the message lists who there is");
//! # Ok::<(), roster::RosterError>(())
//! ```

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;

use repertoire_authored::nearest;
use repertoire_bayes::sequence::shipped;
use repertoire_chameleon::Learned;
use repertoire_chameleon::file::MAGIC;
use repertoire_character::profile::PROFILES;
pub use repertoire_eval::Entry;
use repertoire_mind::Mind;
use repertoire_mind::chameleon::{Chameleon, Taught};
use repertoire_mind::fighter::{self, Fighter, FighterDesign};
use repertoire_mind::sequenced::{Connected, Sequenced};
use repertoire_mind::tasks::CannotSense;
use repertoire_worlds::arena::bots::{Individual, Native, Skill};

use crate::load::{self, LoadError};

/// The kinds of characters, and what can be written for each.
pub const KINDS: [(&str, &str); 5] = [
    ("native", "native:LEVEL or native:LEVEL+belief, LEVEL from 0 (a beginner) to 7 (a champion)"),
    ("prudent", "prudent"),
    ("aggressive", "aggressive"),
    ("uniform", "uniform; or NAME=FILE, FILE a behaviour (TOML) or a character learned by imitation (JSON)"),
    ("individual", "individual:PROFILE, PROFILE a file or one of"),
];

/// The character learned by imitation that comes with the library.
pub const IMITATOR: &str = "imitator";

/// The level of a native bot that is given none: that of the reference in Le Hy 2007, table 3.11.
pub const USUAL_LEVEL: u8 = 3;

/// A character as somebody wrote it: understood, but nothing is loaded yet.
///
/// Parsing touches no file, so a game can check what a user typed before it starts anything; [`ContenderSpec::load`] then reads
/// behaviours, profiles and learned characters. [`find`] does both.
///
/// ```
/// use repertoire::roster::ContenderSpec;
///
/// let spec: ContenderSpec = "native:5+belief".parse()?;
/// assert_eq!(spec, ContenderSpec::Native { level: 5, believes: true });
/// assert_eq!(spec.to_string(), "native:5+belief");
///
/// let brave: ContenderSpec = "brave=characters/brave.toml".parse()?;
/// assert!(brave.load().is_err(), "there is no such file");
/// # Ok::<(), repertoire::roster::RosterError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ContenderSpec {
    /// `native:LEVEL`, with `+belief` if it keeps a belief about enemies out of sight.
    Native {
        /// From 0, a beginner, to [`Skill::HIGHEST`], a champion.
        level: u8,
        /// Whether it keeps a belief about enemies out of sight.
        believes: bool,
    },
    /// A shipped behaviour, by name.
    Shipped(String),
    /// The character learned by imitation that comes with the library.
    Imitator,
    /// A shipped fighter, by name.
    Fighter(String),
    /// `individual:PROFILE`: the name or the file of a profile.
    Individual(String),
    /// `NAME=FILE`.
    File {
        /// What it is called in tables.
        name: String,
        /// A behaviour, or a learned character.
        file: PathBuf,
    },
}

/// Why nobody plays under what was written. The message says who could.
#[derive(Debug, thiserror::Error)]
pub enum RosterError {
    /// No kind of character is called that.
    #[error("there is no character `{kind}`\n  remedy: {}", who_exists(.kind))]
    Unknown {
        /// What was written, without level and additions.
        kind: String,
    },
    /// There is a `=` in it, but the name or the file is missing.
    #[error("`{written}` is not NAME=FILE\n  remedy: {}", what_exists())]
    NotNameFile {
        /// What was written.
        written: String,
    },
    /// `+belief` after somebody to whom it cannot be added.
    #[error(
        "`{written}`: `+belief` can be added to native bots only\n  remedy: write `{plain}`, or native:LEVEL+belief"
    )]
    NoBelief {
        /// What was written.
        written: String,
        /// The same without `+belief`.
        plain: String,
    },
    /// A level that native bots do not have.
    #[error(
        "`{written}`: native bots have no such level\n  remedy: a whole number from 0 (a beginner) to {} (a champion)",
        Skill::HIGHEST
    )]
    Level {
        /// What was written.
        written: String,
    },
    /// Its behaviour, profile or learned character could not be loaded.
    #[error(transparent)]
    Load(#[from] LoadError),
    /// It was loaded, but needs a sensor or a task that characters do not have.
    #[error("`{name}` cannot play: {why}")]
    CannotPlay {
        /// What it is called.
        name: String,
        /// What it lacks, with a remedy.
        why: CannotSense,
    },
}

/// Parses a contender such as `native:3+belief` or `NAME=FILE`, and loads what it needs.
///
/// Fails if nobody is written so, if a file cannot be read or has a mistake in it, or if it asks for senses that characters do
/// not have.
pub fn find(written: &str) -> Result<Entry, RosterError> {
    written.parse::<ContenderSpec>()?.load()
}

impl FromStr for ContenderSpec {
    type Err = RosterError;

    fn from_str(written: &str) -> Result<Self, RosterError> {
        if let Some((name, file)) = written.split_once('=') {
            if name.is_empty() || file.is_empty() {
                return Err(RosterError::NotNameFile { written: written.to_owned() });
            }
            if let Some(plain) = written.strip_suffix("+belief") {
                return Err(RosterError::NoBelief { written: written.to_owned(), plain: plain.to_owned() });
            }
            return Ok(ContenderSpec::File { name: name.to_owned(), file: file.into() });
        }
        if shipped::text(written).is_some() {
            return Ok(ContenderSpec::Shipped(written.to_owned()));
        }
        if written == IMITATOR {
            return Ok(ContenderSpec::Imitator);
        }
        if fighter::shipped::text(written).is_some() {
            return Ok(ContenderSpec::Fighter(written.to_owned()));
        }
        let (plain, believes) = match written.strip_suffix("+belief") {
            Some(plain) => (plain, true),
            None => (written, false),
        };
        let (kind, detail) = match plain.split_once(':') {
            Some((kind, detail)) => (kind, Some(detail)),
            None => (plain, None),
        };
        match kind {
            "native" => match detail.map(str::parse) {
                None => Ok(ContenderSpec::Native { level: USUAL_LEVEL, believes }),
                Some(Ok(level)) if level <= Skill::HIGHEST => Ok(ContenderSpec::Native { level, believes }),
                Some(_) => Err(RosterError::Level { written: written.to_owned() }),
            },
            _ if believes && plain.parse::<ContenderSpec>().is_ok() => {
                Err(RosterError::NoBelief { written: written.to_owned(), plain: plain.to_owned() })
            }
            "individual" => Ok(ContenderSpec::Individual(detail.unwrap_or("plain").to_owned())),
            _ => Err(RosterError::Unknown { kind: kind.to_owned() }),
        }
    }
}

impl fmt::Display for ContenderSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ContenderSpec::Native { level, believes } => {
                write!(f, "native:{level}{}", if *believes { "+belief" } else { "" })
            }
            ContenderSpec::Shipped(name) | ContenderSpec::Fighter(name) => f.write_str(name),
            ContenderSpec::Imitator => f.write_str(IMITATOR),
            ContenderSpec::Individual(profile) => write!(f, "individual:{profile}"),
            ContenderSpec::File { name, file } => write!(f, "{name}={}", file.display()),
        }
    }
}

impl ContenderSpec {
    /// Loads what the character needs, so that minds can be made.
    ///
    /// Fails as [`find`] does.
    pub fn load(&self) -> Result<Entry, RosterError> {
        match self {
            &ContenderSpec::Native { level, believes } => {
                let make = move || match believes {
                    true => Box::new(Native::new(level).with_belief()) as Box<dyn Mind>,
                    false => Box::new(Native::new(level)),
                };
                Ok(Entry { name: self.to_string(), make: Arc::new(make) })
            }
            ContenderSpec::Shipped(name) => sequenced(name, name),
            ContenderSpec::Fighter(name) => fighter(name, name),
            ContenderSpec::Imitator => imitator(IMITATOR, load::teacher(Path::new(IMITATOR))?),
            ContenderSpec::Individual(profile) => individual(profile),
            ContenderSpec::File { name, file } if is_learned(file) => {
                imitator(name, load::learned_character(file)?)
            }
            ContenderSpec::File { name, file } if is_fighter(file) => fighter(name, &file.to_string_lossy()),
            ContenderSpec::File { name, file } => sequenced(name, &file.to_string_lossy()),
        }
    }
}

/// The nearest kind, and all that there are.
fn who_exists(kind: &str) -> String {
    match nearest(
        kind,
        KINDS.iter().map(|(name, _)| *name).chain(fighter::shipped::FIGHTERS.iter().map(|(name, _)| *name)),
    ) {
        Some(known) => format!("did you mean `{known}`? There is {}", what_exists()),
        None => what_exists(),
    }
}

/// All that can be written, on one line.
pub fn what_exists() -> String {
    let profiles = PROFILES.map(|(name, _)| name).join(", ");
    let fighters: Vec<&str> = fighter::shipped::FIGHTERS.iter().map(|(name, _)| *name).collect();
    format!("{}, {IMITATOR}; {} {profiles}", fighters.join(", "), KINDS.map(|(_, how)| how).join("; "))
}

/// A character with a profile, in a body of the usual level.
fn individual(profile: &str) -> Result<Entry, RosterError> {
    let profile = load::profile(profile)?;
    let name = format!("individual:{}", profile.name);
    let make = move || Box::new(Individual::new(profile.clone(), USUAL_LEVEL)) as Box<dyn Mind>;
    Ok(Entry { name, make: Arc::new(make) })
}

/// A fighter with a whole mind.
fn fighter(name: &str, file: &str) -> Result<Entry, RosterError> {
    Ok(of_fighter(name, &load::fighter(file)?))
}

/// A contender of a fighter's design, under a name.
pub fn of_fighter(name: &str, design: &Arc<FighterDesign>) -> Entry {
    let design = Arc::clone(design);
    let make = move || Box::new(Fighter::new(&design)) as Box<dyn Mind>;
    Entry { name: name.to_owned(), make: Arc::new(make) }
}

/// Whether a file holds more than a behaviour.
fn is_fighter(file: &Path) -> bool {
    std::fs::read_to_string(file).is_ok_and(|text| fighter::is_fighter(&text))
}

/// A character of a behaviour.
fn sequenced(name: &str, behaviour: &str) -> Result<Entry, RosterError> {
    let behaviour = load::behaviour(behaviour)?;
    let connected =
        Connected::new(&behaviour).map_err(|why| RosterError::CannotPlay { name: name.to_owned(), why })?;
    let connected = Arc::new(connected);
    let make = move || Box::new(Sequenced::new(Arc::clone(&connected))) as Box<dyn Mind>;
    Ok(Entry { name: name.to_owned(), make: Arc::new(make) })
}

/// Whether a file holds a learned character: by how it begins, or by its name. Behaviours are TOML, which no text that begins with
/// a brace is.
fn is_learned(file: &Path) -> bool {
    let is_named = |ending: &str| file.extension().is_some_and(|extension| extension == ending);
    let mut start = [0; 64];
    let read = std::fs::File::open(file).and_then(|mut file| std::io::Read::read(&mut file, &mut start));
    let start = &start[..read.unwrap_or(0)];
    is_named("json")
        || is_named("character")
        || start.starts_with(MAGIC.as_bytes())
        || start.trim_ascii_start().first() == Some(&b'{')
}

/// A character learned by imitation.
fn imitator(name: &str, learned: Learned) -> Result<Entry, RosterError> {
    let taught =
        Taught::new(learned).map_err(|why| RosterError::CannotPlay { name: name.to_owned(), why })?;
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
            ("aggressive+belief", "remedy: write `aggressive`, or native:LEVEL+belief"),
            ("individual:brute+belief", "remedy: write `individual:brute`, or native:LEVEL+belief"),
            ("brave=brave.toml+belief", "can be added to native bots only"),
            ("imitator+belief", "remedy: write `imitator`"),
            ("orc+belief", "there is no character `orc`"),
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

    #[test]
    fn what_is_written_reads_back_as_itself() {
        for written in ["native:0", "native:7+belief", "prudent", "individual:brute", "brave=some/brave.toml"]
        {
            let spec: ContenderSpec = written.parse().unwrap();
            assert_eq!(spec.to_string(), written);
            assert_eq!(spec.to_string().parse::<ContenderSpec>().unwrap(), spec);
        }
    }

    #[test]
    fn an_unknown_contender_is_answered_with_every_name_there_is() {
        let error = find("orc").err().map(|error| error.to_string()).unwrap_or_default();
        let shipped = shipped::BEHAVIOURS.iter().map(|(name, _)| *name);
        for name in shipped.chain(PROFILES.map(|(name, _)| name)).chain(["native", "individual", "NAME=FILE"])
        {
            assert!(error.contains(name), "{name} is not in: {error}");
        }
    }
}
