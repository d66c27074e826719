//! Who may play: characters by name and level, or by file, as users write them on a command line.
//!
//! | written      | who                                                                     |
//! |--------------|-------------------------------------------------------------------------|
//! | `native:3`   | a native bot of level 3 (0 to 7)                                        |
//! | `native`     | the same: the level of Le Hy's reference, 3 of 8                        |
//! | `prudent`    | a character of a shipped behaviour: prudent, aggressive or uniform      |
//! | `hunter`     | a fighter with a whole mind: believes, wants, plans, decides, learns    |
//! | `imitator`   | a character learned by imitation, of native:5                           |
//! | `individual:brute` | a character with a profile, by name or file; its goals are health, weapons, the hunt |
//! | `NAME=FILE`  | a character's or a behaviour's file (TOML), or one learned by imitation, called NAME |
//! | `NAME=FILE.moments` | a native bot whose hands are a person's, of `learn moments`         |
//! | `NAME=FILE.replay` | what somebody did in a recording, done again ([`repertoire_mind::replay`]), of `learn replay` |
//! | any of these `+belief` | the same, working out where enemies are who are out of sight ([`FighterDesign::with_belief`] says what each makes of that) |
//!
//! All of them are files ([`shipped`]), and all are one mind ([`Fighter`]).
//!
//! ```
//! use repertoire_roster::roster;
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
use repertoire_chameleon::file::MAGIC;
use repertoire_character::profile::PROFILES;
use repertoire_mind::Mind;
use repertoire_mind::chameleon::Taught;
use repertoire_mind::fighter::{Fighter, FighterDesign, Skill, shipped};
use repertoire_mind::moments::FORMAT;
use repertoire_mind::replay::{self, Replayer};
use repertoire_mind::tasks::CannotSense;
pub use repertoire_tournament::Entry;
use repertoire_worlds::arena::game::Contender;
use repertoire_worlds::arena::level::Level;

use crate::load::{self, LoadError};

/// What can be written for characters that take more than a name.
pub const TEMPLATES: [(&str, &str); 2] = [
    ("native", "native:LEVEL, LEVEL from 0 (a beginner) to 7 (a champion)"),
    ("individual", "individual:PROFILE, PROFILE a file or one of"),
];

/// The character learned by imitation that comes with the library.
pub const IMITATOR: &str = "imitator";

/// The level of a native bot that is given none: that of the reference in Le Hy 2007, table 3.11.
pub const USUAL_LEVEL: u8 = 3;

/// What is added to a name for a character that works out where enemies are.
const BELIEF: &str = "+belief";

/// A character as somebody wrote it: understood, but nothing is loaded yet.
///
/// Parsing touches no file, so a game can check what a user typed before it starts anything; [`ContenderSpec::load`] then reads
/// characters, behaviours and profiles. [`find`] does both.
///
/// ```
/// use repertoire_roster::roster::{ContenderSpec, Who};
///
/// let spec: ContenderSpec = "native:5+belief".parse()?;
/// assert_eq!(spec, ContenderSpec { who: Who::Native { level: 5 }, believes: true });
/// assert_eq!(spec.to_string(), "native:5+belief");
///
/// let brave: ContenderSpec = "brave=characters/brave.toml".parse()?;
/// assert!(brave.load().is_err(), "there is no such file");
/// # Ok::<(), repertoire_roster::roster::RosterError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ContenderSpec {
    /// Who.
    pub who: Who,
    /// Whether it works out where enemies are who are out of sight, though its file may not say so.
    pub believes: bool,
}

/// Who plays.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Who {
    /// `native:LEVEL`.
    Native {
        /// From 0, a beginner, to [`Skill::HIGHEST`], a champion.
        level: u8,
    },
    /// `individual:PROFILE`: the name or the file of a profile.
    Individual(String),
    /// Another character that comes with the library, by name.
    Shipped(String),
    /// `NAME=FILE`.
    File {
        /// What it is called in tables.
        name: String,
        /// A character's or a behaviour's file, or what was learned by imitation.
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
    /// A level that native bots do not have.
    #[error(
        "`{written}`: native bots have no such level\n  remedy: a whole number from 0 (a beginner) to {} (a champion)",
        Skill::HIGHEST
    )]
    Level {
        /// What was written.
        written: String,
    },
    /// Its file, or one that it names, could not be loaded.
    #[error(transparent)]
    Load(#[from] LoadError),
    /// It has no such stage to be without.
    #[error(
        "`{who}` has no stage `{stage}` that it could be without\n  remedy: one of believe, want, plan, decide, imitate, learn that its file has"
    )]
    NoStage {
        /// Who.
        who: String,
        /// What was asked for.
        stage: String,
    },
    /// It is a replay, which decides nothing.
    #[error(
        "`{who}` is a replay of a recording: it decides nothing\n  remedy: leave out what was asked of its mind, or name a character"
    )]
    Replay {
        /// Who.
        who: String,
    },
    /// It cannot play on the map.
    #[error("`{who}` cannot play on {map}: {why}")]
    Misplaced {
        /// Who.
        who: String,
        /// Where.
        map: String,
        /// Why not, with a remedy.
        why: String,
    },
    /// It was loaded, but needs a sensor or a task that characters do not have.
    #[error("`{name}` cannot play: {why}")]
    CannotPlay {
        /// What it is called.
        name: String,
        /// What it lacks, with a remedy.
        why: CannotSense,
    },
}

/// A file alone is called after itself: `scout.toml` becomes `scout=scout.toml`. Anything else stays as it is written.
pub fn named_after_file(written: &str) -> String {
    let path = Path::new(written);
    match path.file_stem() {
        Some(stem) if !written.contains('=') && path.is_file() => {
            format!("{}={written}", stem.to_string_lossy())
        }
        _ => written.to_owned(),
    }
}

/// Contenders of a match, as users write them, each with a mind of its own.
///
/// # Errors
/// See [`find`].
pub fn contenders<S: AsRef<str>>(written: &[S]) -> Result<Vec<Contender>, RosterError> {
    let make = |written: &S| {
        find(written.as_ref()).map(|entry| Contender { mind: (entry.make)(), name: entry.name })
    };
    written.iter().map(make).collect()
}

/// Refuses a match with somebody who cannot play on its map: replays of recordings that were made on another.
///
/// # Errors
/// With the first who cannot.
pub fn refuse_misplaced(contenders: &[Contender], map: &str, level: &Level) -> Result<(), RosterError> {
    for Contender { name, mind } in contenders {
        if let Some(why) = mind.refuses(level.places()) {
            return Err(RosterError::Misplaced { who: name.clone(), map: map.to_owned(), why });
        }
    }
    Ok(())
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
        let (plain, believes) = match written.strip_suffix(BELIEF) {
            Some(plain) => (plain, true),
            None => (written, false),
        };
        if let Some((name, file)) = plain.split_once('=') {
            if name.is_empty() || file.is_empty() {
                return Err(RosterError::NotNameFile { written: written.to_owned() });
            }
            let who = Who::File { name: name.to_owned(), file: file.into() };
            return Ok(ContenderSpec { who, believes });
        }
        let (kind, detail) = match plain.split_once(':') {
            Some((kind, detail)) => (kind, Some(detail)),
            None => (plain, None),
        };
        let who = match (kind, detail.map(str::parse)) {
            ("native", None) => Who::Native { level: USUAL_LEVEL },
            ("native", Some(Ok(level))) if level <= Skill::HIGHEST => Who::Native { level },
            ("native", Some(_)) => return Err(RosterError::Level { written: written.to_owned() }),
            ("individual", _) => Who::Individual(detail.unwrap_or("plain").to_owned()),
            (_, None) if shipped::text(kind).is_some() => Who::Shipped(kind.to_owned()),
            _ => return Err(RosterError::Unknown { kind: kind.to_owned() }),
        };
        Ok(ContenderSpec { who, believes })
    }
}

impl fmt::Display for ContenderSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.who {
            Who::Native { level } => write!(f, "native:{level}"),
            Who::Individual(profile) => write!(f, "individual:{profile}"),
            Who::Shipped(name) => f.write_str(name),
            Who::File { name, file } => write!(f, "{name}={}", file.display()),
        }?;
        f.write_str(if self.believes { BELIEF } else { "" })
    }
}

impl ContenderSpec {
    /// Loads what the character needs, so that minds can be made.
    ///
    /// Fails as [`find`] does.
    pub fn load(&self) -> Result<Entry, RosterError> {
        if let Who::File { name, file } = &self.who
            && is_replay(file)
        {
            if self.believes {
                return Err(RosterError::Replay { who: self.to_string() });
            }
            let replay = Arc::new(load::replay(file)?);
            let make = move || Box::new(Replayer::new(&replay)) as Box<dyn Mind>;
            return Ok(Entry { name: name.clone(), make: Arc::new(make) });
        }
        let (name, design) = self.design()?;
        Ok(of_fighter(&name, &design))
    }

    /// What it is called, and its design.
    ///
    /// Fails as [`find`] does, and if it is a replay, which has none.
    pub fn design(&self) -> Result<(String, Arc<FighterDesign>), RosterError> {
        let (name, design) = self.who.load()?;
        Ok(match self.believes {
            true => (format!("{name}{BELIEF}"), design.with_belief()),
            false => (name, design),
        })
    }
}

impl Who {
    /// What it is called, and its design.
    fn load(&self) -> Result<(String, Arc<FighterDesign>), RosterError> {
        Ok(match self {
            &Who::Native { level } => (format!("native:{level}"), FighterDesign::native(level)),
            Who::Individual(profile) => {
                let profile = load::profile(profile)?;
                let name = format!("individual:{}", profile.name);
                (name, load::fighter("individual")?.with_profile(profile))
            }
            Who::Shipped(name) => (name.clone(), load::fighter(name)?),
            Who::File { name, file } if is_replay(file) => {
                return Err(RosterError::Replay { who: name.clone() });
            }
            Who::File { name, file } if is_moments(file) => {
                let moments = Arc::new(load::moments(file)?);
                (name.clone(), FighterDesign::native(USUAL_LEVEL).with_person(name, &moments))
            }
            Who::File { name, file } if is_learned(file) => {
                let cannot = |why| RosterError::CannotPlay { name: name.clone(), why };
                let taught = Taught::new(load::learned_character(file)?).map_err(cannot)?;
                (name.clone(), FighterDesign::imitating(name, &Arc::new(taught)))
            }
            Who::File { name, file } => (name.clone(), load::fighter_file(file)?),
        })
    }
}

/// The nearest name, and all that there are.
fn who_exists(kind: &str) -> String {
    match nearest(kind, shipped::names()) {
        Some(known) => format!("did you mean `{known}`? There is {}", what_exists()),
        None => what_exists(),
    }
}

/// All that can be written, on one line.
pub fn what_exists() -> String {
    let is_template = |name: &&str| TEMPLATES.iter().any(|(template, _)| template == name);
    let names: Vec<&str> = shipped::names().filter(|name| !is_template(name)).collect();
    format!(
        "{}; NAME=FILE, FILE a character or a behaviour (TOML) or one learned by imitation; {} {}; any of them with {BELIEF}",
        names.join(", "),
        TEMPLATES.map(|(_, how)| how).join("; "),
        PROFILES.map(|(name, _)| name).join(", ")
    )
}

/// The file of a character that comes with the library, with what `native:LEVEL`, `individual:PROFILE` and `+belief` fill in.
///
/// Fails if nobody is written so; of a file of one's own there is nothing to fill in.
pub fn text_of(written: &str) -> Result<String, RosterError> {
    let spec: ContenderSpec = written.parse()?;
    let (_, design) = spec.who.load()?;
    let shipped = |name: &str| shipped::text(name).unwrap_or_default().to_owned();
    let filled = |text: String, key: &str, value: &str| {
        let line = |line: &str| match line.starts_with(&format!("{key} = ")) {
            true => format!("{key} = \"{value}\"\n"),
            false => format!("{line}\n"),
        };
        text.lines().map(line).collect::<String>()
    };
    let text = match &spec.who {
        Who::Native { level } => filled(shipped("native"), "hands", &format!("native:{level}")),
        Who::Individual(profile) => filled(shipped("individual"), "profile", profile),
        Who::Shipped(name) => shipped(name),
        Who::File { file, .. } => std::fs::read_to_string(file).map_err(|why| LoadError::Unreadable {
            path: file.clone(),
            why,
            remedy: "give a character's file (TOML)".to_owned(),
        })?,
    };
    let belief = if spec.believes && !design.believes() { "\n[believe]\nopponents = true\n" } else { "" };
    Ok(text + belief)
}

/// A contender of a fighter's design, under a name.
pub fn of_fighter(name: &str, design: &Arc<FighterDesign>) -> Entry {
    let design = Arc::clone(design);
    let make = move || Box::new(Fighter::new(&design)) as Box<dyn Mind>;
    Entry { name: name.to_owned(), make: Arc::new(make) }
}

/// Whether a file holds moments of somebody's play, by how it begins.
fn is_moments(file: &Path) -> bool {
    starts(file).starts_with(format!("{{\"format\":\"{FORMAT} ").as_bytes())
}

/// Whether a file holds what somebody did in a recording, by how it begins, or by its name.
fn is_replay(file: &Path) -> bool {
    let is_named = file.extension().is_some_and(|extension| extension == "replay");
    is_named || starts(file).starts_with(format!("{{\"format\":\"{} ", replay::FORMAT).as_bytes())
}

/// How a file begins; nothing if it cannot be read.
fn starts(file: &Path) -> Vec<u8> {
    let mut start = vec![0; 64];
    let read = std::fs::File::open(file).and_then(|mut file| std::io::Read::read(&mut file, &mut start));
    start.truncate(read.unwrap_or(0));
    start
}

/// Whether a file holds a learned character: by how it begins, or by its name. Behaviours are TOML, which no text that begins with
/// a brace is.
fn is_learned(file: &Path) -> bool {
    let is_named = |ending: &str| file.extension().is_some_and(|extension| extension == ending);
    let start = starts(file);
    is_named("json")
        || is_named("character")
        || start.starts_with(MAGIC.as_bytes())
        || start.trim_ascii_start().first() == Some(&b'{')
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
            ("orc+belief", "there is no character `orc`"),
            ("brave=+belief", "NAME=FILE"),
            ("orc", "native:LEVEL"),
            ("native:8", "from 0 (a beginner) to 7"),
            ("native:", "from 0 (a beginner) to 7"),
            ("native:-1", "from 0 (a beginner) to 7"),
            ("brave=nowhere/brave.toml", "nowhere/brave.toml"),
            ("q06=nowhere/q06.replay", "repertoire learn replay"),
            ("q06=nowhere/q06.replay+belief", "it decides nothing"),
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
        for written in [
            "native:0",
            "native:7+belief",
            "prudent",
            "imitator+belief",
            "individual:brute+belief",
            "brave=some/brave.toml",
            "brave=some/brave.toml+belief",
        ] {
            let spec: ContenderSpec = written.parse().unwrap();
            assert_eq!(spec.to_string(), written);
            assert_eq!(spec.to_string().parse::<ContenderSpec>().unwrap(), spec);
        }
    }

    #[test]
    fn an_unknown_contender_is_answered_with_every_name_there_is() {
        let error = find("orc").err().map(|error| error.to_string()).unwrap_or_default();
        for name in shipped::names().chain(PROFILES.map(|(name, _)| name)).chain(["NAME=FILE", "+belief"]) {
            assert!(error.contains(name), "{name} is not in: {error}");
        }
    }
}
