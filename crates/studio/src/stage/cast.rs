//! Who plays, as it was written, and the text each character came from.

use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use repertoire::load::{Edited, LoadError, NamedText};
use repertoire::roster::{self, ContenderSpec, Who};
use repertoire::{load, maps};
use repertoire_eval::Entry;
use repertoire_eval::replay;
use repertoire_eval::timeline::{Order, Person, Replayed, Timeline};
use repertoire_trace::TraceError;
use repertoire_trace::source::{Format, Source, unpack};
use repertoire_worlds::arena::level::Level;
use repertoire_worlds::arena::rules::Rules;

/// A match as it can be started, and started again.
#[derive(Clone)]
pub struct Setting {
    /// What the map is called.
    pub map: String,
    /// The map.
    pub level: Arc<Level>,
    /// Who plays.
    pub parts: Vec<Part>,
    /// Random seed.
    pub seed: u64,
    /// What was recorded, for a recording that is looked at.
    pub recorded: Option<Arc<Recorded>>,
}

/// A recording to look at.
#[derive(Debug)]
pub struct Recorded {
    rules: Rules,
    /// What everybody commanded, tick by tick.
    orders: Vec<Vec<Order>>,
}

/// One character of a setting.
#[derive(Clone, Debug)]
pub struct Part {
    /// Its mind, and its name.
    pub entry: Entry,
    /// As it was written: `hunter`, `scout=scout.toml`; a person's name for people.
    pub written: String,
    /// Whether a person plays it.
    pub is_person: bool,
    /// Its text as it was loaded; none for people and for what was learned.
    pub text: Option<String>,
    /// Its text as it plays, if that was changed.
    pub edited: Option<String>,
    /// Its file, if it has one.
    pub file: Option<PathBuf>,
    /// Texts of files that it names, where those were changed, by the names it has for them.
    pub edits: BTreeMap<String, String>,
}

/// A character made from texts.
#[derive(Clone, Debug)]
pub struct Made {
    /// Its mind.
    pub entry: Entry,
    /// The changed texts of files that it names.
    pub edits: BTreeMap<String, String>,
    /// All texts that it names.
    pub named: Vec<NamedText>,
}

/// Why a match cannot be started. The message has a remedy.
#[derive(Debug, thiserror::Error)]
pub enum SettingError {
    /// No such map.
    #[error(transparent)]
    Map(#[from] maps::MapError),
    /// No such character.
    #[error(transparent)]
    Contender(#[from] roster::RosterError),
    /// Too many.
    #[error("{0} characters are too many to watch\n  remedy: at most {MOST}")]
    TooMany(usize),
    /// Outside of the folder.
    #[error("{0} is outside of the folder that the studio was given\n  remedy: files below it, without `..`")]
    Outside(String),
}

/// Why a recording cannot be looked at.
#[derive(Debug, thiserror::Error)]
pub enum RecordedError {
    /// Neither Parquet nor CSV.
    #[error(
        "it is no recording\n  remedy: give one of `repertoire record`, or of a person who played in the studio"
    )]
    Unknown,
    /// It is damaged.
    #[error(transparent)]
    Trace(#[from] TraceError),
    /// Its map or rules cannot be had.
    #[error(transparent)]
    Replay(#[from] replay::ReplayError),
    /// It begins in the middle of a match.
    #[error(
        "it begins, or goes on, at tick {0}, and what came before is not in it\n  remedy: only recordings from the first tick on can be looked at; it can be learned from"
    )]
    Begins(u32),
}

/// The most characters of a match in the studio, people not counted.
pub const MOST: usize = 24;

/// Everybody of a match.
pub type Cast = Vec<Part>;

impl Setting {
    /// A match that somebody asked for on the command line, where any file may be named.
    ///
    /// # Errors
    /// If the map or a character cannot be had.
    pub fn find(map: &str, contenders: &[String], seed: u64) -> Result<Self, SettingError> {
        if contenders.len() > MOST {
            return Err(SettingError::TooMany(contenders.len()));
        }
        let (map, level) = maps::find(map)?;
        let parts = contenders.iter().map(|written| Part::find(written)).collect::<Result<_, _>>()?;
        Ok(Setting { map, level, parts, seed, recorded: None })
    }

    /// The same for somebody in a browser, who may only name files below a folder.
    ///
    /// # Errors
    /// If the map or a character cannot be had, or lies outside of the folder.
    pub fn find_below(
        folder: &Path,
        map: &str,
        contenders: &[String],
        seed: u64,
    ) -> Result<Self, SettingError> {
        let is_shipped = maps::names().contains(&map);
        let map =
            if is_shipped { map.to_owned() } else { below(folder, map)?.to_string_lossy().into_owned() };
        let mut confined = Vec::new();
        for written in contenders {
            let mut spec: ContenderSpec = written.parse()?;
            match &mut spec.who {
                Who::File { file, .. } => *file = below(folder, &file.to_string_lossy())?,
                Who::Individual(profile) if profile.contains(['.', '/', '\\']) => {
                    *profile = below(folder, profile)?.to_string_lossy().into_owned();
                }
                _ => {}
            }
            confined.push(spec.to_string());
        }
        Setting::find(&map, &confined, seed)
    }

    /// A recording of the arena, as `repertoire record` and the studio itself write them.
    ///
    /// # Errors
    /// If it is none, or cannot be played again.
    pub fn recorded(file: Vec<u8>) -> Result<Self, RecordedError> {
        let file = unpack(file)?;
        let format = Format::sniff(&file).ok_or(RecordedError::Unknown)?;
        let mut source = Source::open(std::io::Cursor::new(file), format)?;
        let header = source.header().clone();
        let level = Arc::new(replay::level_of(&header)?);
        let rules = serde_json::from_value(header.settings.clone()).map_err(replay::ReplayError::Settings)?;
        let mut said: Vec<Vec<(String, String)>> = vec![Vec::new(); header.characters.len()];
        let mut orders = Vec::new();
        for tick in source.ticks() {
            let tick = tick?;
            if tick.tick as usize != orders.len() {
                return Err(RecordedError::Begins(tick.tick));
            }
            let each = tick.rows.iter().filter_map(|row| Some((usize::from(row.character), row.command?)));
            orders.push(each.collect());
            for (said, row) in said.iter_mut().zip(&tick.rows) {
                said.push((row.task.clone().unwrap_or_default(), row.why.clone().unwrap_or_default()));
            }
        }
        let parts = header.characters.iter().zip(said).map(|(one, said)| {
            let entry = Replayed::entry(&one.name, said);
            Part {
                entry,
                written: one.name.clone(),
                is_person: false,
                text: None,
                edited: None,
                file: None,
                edits: BTreeMap::new(),
            }
        });
        let parts = parts.collect();
        let recorded = Some(Arc::new(Recorded { rules, orders }));
        Ok(Setting { map: header.map.clone(), level, parts, seed: header.seed, recorded })
    }

    /// The match at its start; a recording at its end, with all its past.
    pub fn open(&self) -> (Cast, Timeline) {
        let entries = self.parts.iter().map(|part| part.entry.clone()).collect();
        let rules = self.recorded.as_ref().map_or(Rules::default(), |recorded| recorded.rules.clone());
        let mut timeline = Timeline::new(self.level.clone(), rules, entries, self.seed);
        if let Some(recorded) = &self.recorded {
            recorded.orders.iter().for_each(|orders| timeline.tick(orders));
        }
        (self.parts.clone(), timeline)
    }
}

impl Part {
    /// A character as it is written on the command line.
    ///
    /// # Errors
    /// If there is none such.
    pub fn find(written: &str) -> Result<Self, roster::RosterError> {
        let entry = roster::find(written)?;
        let spec: ContenderSpec = written.parse()?;
        let file = match &spec.who {
            Who::File { file, .. } => Some(file.clone()),
            _ => None,
        };
        // What was learned by imitation is no text.
        let text = roster::text_of(written).ok();
        Ok(Part {
            entry,
            written: written.to_owned(),
            is_person: false,
            text,
            edited: None,
            file,
            edits: BTreeMap::new(),
        })
    }

    /// A person.
    pub fn person(name: &str) -> Self {
        let entry = Person::entry(name);
        Part {
            entry,
            written: name.to_owned(),
            is_person: true,
            text: None,
            edited: None,
            file: None,
            edits: BTreeMap::new(),
        }
    }

    /// Somebody who learned.
    pub fn pupil(entry: Entry) -> Self {
        Part {
            written: entry.name.clone(),
            entry,
            is_person: false,
            text: None,
            edited: None,
            file: None,
            edits: BTreeMap::new(),
        }
    }

    /// The text that plays.
    pub fn playing(&self) -> Option<&str> {
        self.edited.as_deref().or(self.text.as_deref())
    }

    /// The same character with another text: its own, or that of a file that it names.
    ///
    /// # Errors
    /// If there is a mistake in the text.
    pub fn with_text(&self, folder: &Path, named: Option<&str>, text: &str) -> Result<Made, LoadError> {
        let mut edits = self.edits.clone();
        let own = match named {
            None => text,
            Some(name) => {
                edits.insert(name.to_owned(), text.to_owned());
                self.playing().unwrap_or_default()
            }
        };
        let (texts, may_read) = (&edits, |path: &Path| self.may_read(folder, path));
        let edited = Edited { texts, may_read: &may_read };
        // Its own mistakes first: seen from the character they would all be on the line that names it.
        if let Some(one) = named.and_then(|name| self.named(folder).into_iter().find(|one| one.name == name))
        {
            one.kind.check(&self.path(folder).with_file_name(&one.name), text, &edited)?;
        }
        let (design, named) = load::fighter_edited(&self.path(folder), own, &edited)?;
        // What it no longer names, or names as it is written there, is not changed.
        edits.retain(|name, text| named.iter().any(|one| one.name == *name && !one.is_original(text)));
        Ok(Made { entry: roster::of_fighter(&self.entry.name, &design), edits, named })
    }

    /// The texts that it names, as they play.
    pub fn named(&self, folder: &Path) -> Vec<NamedText> {
        let may_read = |path: &Path| self.may_read(folder, path);
        let edited = Edited { texts: &self.edits, may_read: &may_read };
        let read = self.playing().map(|text| load::fighter_edited(&self.path(folder), text, &edited));
        read.and_then(Result::ok).map(|(_, named)| named).unwrap_or_default()
    }

    /// Where its file is, or would be.
    fn path(&self, folder: &Path) -> PathBuf {
        self.file.clone().unwrap_or_else(|| folder.join(format!("{}.toml", self.file_stem())))
    }

    /// Files below the folder, and those that lie beside its own, which somebody gave on the command line.
    fn may_read(&self, folder: &Path, path: &Path) -> bool {
        let beside = self.file.as_deref().and_then(Path::parent);
        let Ok(path) = path.canonicalize() else { return false };
        let mut folders = [Some(folder), beside].into_iter().flatten();
        // The parent of a plain name is nothing, and means here.
        let real = |folder: &Path| {
            if folder.as_os_str().is_empty() { Path::new(".") } else { folder }.canonicalize()
        };
        folders.any(|folder| real(folder).is_ok_and(|folder| path.starts_with(folder)))
    }

    /// A name for its file.
    pub fn file_stem(&self) -> String {
        let plain = self.entry.name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' });
        plain.collect()
    }
}

/// A file below a folder, by what somebody wrote.
///
/// # Errors
/// If it leads out of the folder, by its name or by links.
pub fn below(folder: &Path, written: &str) -> Result<PathBuf, SettingError> {
    let outside = || SettingError::Outside(written.to_owned());
    let path = Path::new(written);
    let plain = path.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
    if !plain || written.contains('\0') || written.is_empty() {
        return Err(outside());
    }
    let folder = folder.canonicalize().map_err(|_| outside())?;
    let whole = folder.join(path);
    // The file may not exist yet, but the folder it is in must, and must really be below.
    let parent = whole.parent().and_then(|parent| parent.canonicalize().ok()).ok_or_else(outside)?;
    let real = whole.canonicalize().unwrap_or_else(|_| parent.join(whole.file_name().unwrap_or_default()));
    if parent.starts_with(&folder) && real.starts_with(&folder) { Ok(whole) } else { Err(outside()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_outside_of_the_folder_can_be_named() {
        let folder = std::env::temp_dir().join(format!("studio-below-{}", std::process::id()));
        std::fs::create_dir_all(folder.join("inner")).expect("writable");
        std::fs::write(folder.join("inner/a.toml"), "").expect("writable");
        assert!(below(&folder, "inner/a.toml").is_ok() && below(&folder, "new.toml").is_ok());
        for bad in
            ["../x.toml", "inner/../../x", "/etc/passwd", "", "a\0b", "nowhere/x.toml", "..", "inner/.."]
        {
            assert!(below(&folder, bad).is_err(), "{bad:?}");
        }
        #[cfg(unix)]
        {
            let _ = std::os::unix::fs::symlink("/etc", folder.join("link"));
            assert!(below(&folder, "link/passwd").is_err());
            let _ = std::os::unix::fs::symlink("/etc/passwd", folder.join("direct"));
            assert!(below(&folder, "direct").is_err());
        }
        let refused = Setting::find_below(&folder, "halls", &["spy=/etc/passwd".to_owned()], 1);
        assert!(matches!(refused, Err(SettingError::Outside(_))));
        let refused = Setting::find_below(&folder, "../../etc/passwd", &[], 1);
        assert!(matches!(refused, Err(SettingError::Outside(_))));
        std::fs::remove_dir_all(folder).expect("it was ours");
    }
}
