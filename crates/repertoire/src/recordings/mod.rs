//! Recorded play from files: our recordings, people's demos and CSV, how players moved. What is wrong is said of the file.
//!
//! | function or type | gives                                                                          |
//! |------------------|--------------------------------------------------------------------------------|
//! | [`Source`]       | a recording of ours, tick by tick                                              |
//! | [`people`]       | people's play: QuakeWorld demos, imported recordings, CSV                      |
//! | [`measured`]     | the same, or a recording of ours, to be measured by the same code              |
//! | [`trails`], [`trails_of`] | the same, to tell players apart by                                    |
//! | [`show`], [`show_half`] | recordings, or a half of each, to somebody who learns from them         |
//! | [`teachers`]     | a recording's players, each with a half to learn from and one to compare with  |
//! | [`judged`]       | how believable somebody in recordings is                                       |
//! | [`movement`]     | where players were and looked, from any of these                               |
//! | [`quake_maps`]   | maps of Quake, for lines of sight                                              |
//! | [`ground`]       | places, lines of sight, models and rounds, for belief                          |
//!
//! A recording that was cut off is read up to the cut. Whoever calls is told so by `note`, in a sentence without its end.

pub mod ground;
mod players;

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{Read, Seek};
use std::path::{Path, PathBuf};

pub use players::{judged, show_half, teachers, trails_of};
use repertoire_eval::believable::NotRecorded;
use repertoire_eval::lesson::{self, LessonError};
use repertoire_eval::telling::Trail;
use repertoire_eval::whole::NoTeacher;
use repertoire_mind::student::Watch;
use repertoire_trace::movement::Recorded;
use repertoire_trace::play::Play;
use repertoire_trace::quake::is_demo;
use repertoire_trace::{
    CopyError, Cut, Format, Header, Row, Source as Opened, Tick, TraceError, play_table, source,
};
use repertoire_worlds::arena::level::Level;
use repertoire_worlds::quake::Bsp;
use thiserror::Error;

/// Why recorded play, or what it is read with, cannot be had from a file.
#[derive(Debug, Error)]
pub enum RecordingError {
    /// A recording that is not there, or may not be read.
    #[error("{} could not be read: {why}\n  remedy: give a recording: `repertoire record -o match.parquet` makes one", .path.display())]
    NoRecording {
        /// Which file.
        path: PathBuf,
        /// What the system said.
        why: std::io::Error,
    },
    /// Any other file that is not there, or may not be read.
    #[error("{} could not be read\n  remedy: name a file that is there", .path.display())]
    NoFile {
        /// Which file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// A name that says nothing about the format.
    #[error("{}: its name does not tell what kind of recording it is\n  remedy: name a file that ends in .parquet or .csv", .0.display())]
    Name(PathBuf),
    /// A name of another format than the one that is written while a match is played.
    #[error("{}: recordings are Parquet files\n  remedy: give a name that ends in .parquet; `repertoire trace convert` makes CSV of it", .0.display())]
    NotParquet(PathBuf),
    /// Something is wrong in a line of text.
    #[error("{place} {what}\n  remedy: {remedy}")]
    Line {
        /// The file and the line, and the column if one is to blame.
        place: String,
        /// What is wrong.
        what: String,
        /// What would be right.
        remedy: String,
    },
    /// The file is no recording, or a damaged one.
    #[error("{}", .path.display())]
    Trace {
        /// Which file.
        path: PathBuf,
        /// What is wrong with it.
        source: TraceError,
    },
    /// The file is no map.
    #[error("{}", .path.display())]
    Map {
        /// Which file.
        path: PathBuf,
        /// What is wrong with it.
        source: repertoire_worlds::quake::BspError,
    },
    /// Nothing can be learned from the recording.
    #[error("{}", .path.display())]
    Lesson {
        /// Which file.
        path: PathBuf,
        /// Why not.
        source: LessonError,
    },
    /// Somebody in the recording cannot teach.
    #[error("{}", .path.display())]
    Teacher {
        /// Which file.
        path: PathBuf,
        /// Who, and why not.
        source: NoTeacher,
    },
    /// None of the wanted players is in any of the files.
    #[error("nobody of these played\n  remedy: --player with one of {names}")]
    Nobody {
        /// The names of the players in the files.
        names: String,
    },
    /// The player to be judged is in none of the files.
    #[error(transparent)]
    NotRecorded(#[from] NotRecorded),
    /// What is in the file is not what was asked for.
    #[error("{}: {what}", .path.display())]
    Other {
        /// Which file.
        path: PathBuf,
        /// What is wrong, with a remedy.
        what: String,
    },
}

impl RecordingError {
    /// A mistake with its file, and in text with its line as editors want it.
    pub fn of(path: &Path, error: TraceError) -> Self {
        match error {
            TraceError::Csv(mistake) => {
                let column = match mistake.column.as_str() {
                    "" => String::new(),
                    column => format!(" column `{column}`:"),
                };
                let place = format!("{}:{}:{column}", path.display(), mistake.line);
                RecordingError::Line { place, what: mistake.what, remedy: mistake.remedy }
            }
            source => RecordingError::Trace { path: path.to_owned(), source },
        }
    }

    fn other(path: &Path, what: impl ToString) -> Self {
        RecordingError::Other { path: path.to_owned(), what: what.to_string() }
    }
}

/// The format that a file's name asks for.
///
/// # Errors
/// If it ends in neither `.parquet` nor `.csv`.
pub fn format_of(path: &Path) -> Result<Format, RecordingError> {
    let extension = path.extension().map(|extension| extension.to_string_lossy().to_lowercase());
    match extension.as_deref() {
        Some("parquet") => Ok(Format::Parquet),
        Some("csv") => Ok(Format::Csv),
        _ => Err(RecordingError::Name(path.to_owned())),
    }
}

/// Refuses a file whose name does not end in `.parquet`: the only format that is written while a match is played.
///
/// # Errors
/// If it is such a name.
pub fn refuse_other_than_parquet(path: &Path) -> Result<(), RecordingError> {
    match format_of(path) {
        Ok(Format::Parquet) => Ok(()),
        _ => Err(RecordingError::NotParquet(path.to_owned())),
    }
}

/// A file's bytes, unpacked if it is gzip.
///
/// # Errors
/// If it cannot be read or unpacked.
pub fn read(path: &Path) -> Result<Vec<u8>, RecordingError> {
    let bytes =
        std::fs::read(path).map_err(|source| RecordingError::NoFile { path: path.to_owned(), source })?;
    source::unpack(bytes).map_err(|error| RecordingError::of(path, error))
}

/// A recording of ours in a file.
///
/// ```no_run
/// use std::path::Path;
/// use repertoire::recordings::Source;
///
/// let mut source = Source::open(Path::new("match.parquet"))?;
/// println!("played on {}", source.header().map);
/// for tick in source.ticks() {
///     println!("{} characters", tick?.rows.len());
/// }
/// # Ok::<(), repertoire::recordings::RecordingError>(())
/// ```
pub struct Source {
    path: PathBuf,
    opened: Opened<File>,
}

impl Source {
    /// Opens a recording, whatever it is called: how it begins tells its format. Only a file that begins like neither is
    /// judged by its name.
    ///
    /// # Errors
    /// If it cannot be read, or is no recording.
    pub fn open(path: &Path) -> Result<Self, RecordingError> {
        let unreadable = |why: std::io::Error| RecordingError::NoRecording { path: path.to_owned(), why };
        let mut file = File::open(path).map_err(unreadable)?;
        let mut first = Vec::new();
        file.by_ref().take(16).read_to_end(&mut first).map_err(unreadable)?;
        file.rewind().map_err(unreadable)?;
        let format = match Format::sniff(&first) {
            Some(format) => format,
            None => format_of(path)?,
        };
        let opened = Opened::open(file, format).map_err(|error| RecordingError::of(path, error))?;
        Ok(Source { path: path.to_owned(), opened })
    }

    /// Which match it is of.
    pub fn header(&self) -> &Header {
        self.opened.header()
    }

    /// What was saved of it, if it was cut off.
    pub fn cut(&self) -> Option<Cut> {
        self.opened.cut()
    }

    /// The same in words.
    pub fn cut_in_words(&self) -> Option<String> {
        self.cut().map(|cut| cut_in_words(&self.path, cut))
    }

    /// The ticks, whose mistakes name the file.
    pub fn ticks(&mut self) -> impl Iterator<Item = Result<Tick, RecordingError>> {
        let Source { path, opened } = self;
        opened.ticks().map(move |tick| tick.map_err(|error| RecordingError::of(path, error)))
    }

    /// The first rows, of everybody or of one character: the tick, the hash of the world before it, and the row. At most `most`,
    /// and nothing is read beyond them.
    ///
    /// # Errors
    /// If it cannot be read so far.
    pub fn first_rows(
        &mut self,
        most: usize,
        character: Option<u8>,
    ) -> Result<Vec<(u32, u64, Row)>, RecordingError> {
        let mut rows = Vec::new();
        for tick in self.ticks() {
            let Tick { tick, state_hash, rows: all } = tick?;
            let wanted = all.into_iter().filter(|row| character.is_none_or(|id| row.character == id));
            rows.extend(wanted.map(|row| (tick, state_hash, row)));
            if rows.len() >= most {
                break;
            }
        }
        rows.truncate(most);
        Ok(rows)
    }

    /// Writes the recording anew in a format; gives how many ticks it has.
    ///
    /// # Errors
    /// If it cannot be read, which names its file, or if the new one cannot be written, which names none.
    pub fn copy_to(&mut self, out: &mut File, format: Format) -> Result<u64, NotCopied> {
        self.opened.copy_to(out, format).map_err(|error| match error {
            CopyError::Read(error) => NotCopied::Read(RecordingError::of(&self.path, error)),
            CopyError::Write(error) => NotCopied::Write(error),
        })
    }
}

/// Why a recording could not be written anew.
#[derive(Debug, Error)]
pub enum NotCopied {
    /// It cannot be read.
    #[error(transparent)]
    Read(RecordingError),
    /// The new one cannot be written.
    #[error(transparent)]
    Write(TraceError),
}

/// What was saved of a recording that was cut off.
pub fn cut_in_words(path: &Path, cut: Cut) -> String {
    let lost = match cut.bytes_lost {
        0 => "it was never finished".to_owned(),
        bytes => format!("{bytes} bytes after them are lost"),
    };
    format!("{} was cut off: {} ticks are saved, {lost}", path.display(), cut.ticks_saved)
}

/// A file's name up to its first dot.
fn stem_of(path: &Path) -> String {
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    name.split('.').next().unwrap_or_default().to_owned()
}

/// People's play from a file (a demo, an imported recording, CSV), with the events that lie beside a CSV.
///
/// # Errors
/// If it cannot be read, or holds no play.
pub fn people(path: &Path, note: &dyn Fn(&str)) -> Result<Vec<Play>, RecordingError> {
    let events = events_beside(path).map(|path| read(&path)).transpose()?;
    let (plays, cut) = play_table::read_any(&read(path)?, &stem_of(path), events.as_deref())
        .map_err(|error| RecordingError::of(path, error))?;
    if let Some(cut) = cut {
        note(&cut_in_words(path, cut));
    }
    Ok(plays)
}

/// A recording of ours, if the file is one.
fn ours(path: &Path, note: &dyn Fn(&str)) -> Result<Option<(Header, Source)>, RecordingError> {
    let bytes = read(path)?;
    if play_table::is_play(&bytes) || is_demo(&bytes) || Format::sniff(&bytes).is_none() {
        return Ok(None);
    }
    let source = Source::open(path)?;
    source.cut_in_words().iter().for_each(|cut| note(cut));
    Ok(Some((source.header().clone(), source)))
}

/// Play to be measured as people's is: people's own, or a recording of our characters.
///
/// # Errors
/// If it cannot be read, or holds no play.
pub fn measured(path: &Path, note: &dyn Fn(&str)) -> Result<Vec<Play>, RecordingError> {
    match ours(path, note)? {
        Some((header, mut source)) => {
            Ok(vec![repertoire_eval::people::ours::play(&header, &stem_of(path), source.ticks())?])
        }
        None => people(path, note),
    }
}

/// Everybody's way through a recording of people or of our characters, to tell them apart by.
///
/// # Errors
/// If it cannot be read, or holds no play.
pub fn trails(path: &Path, note: &dyn Fn(&str)) -> Result<Vec<Trail>, RecordingError> {
    match ours(path, note)? {
        Some((header, mut source)) => Trail::of_recording(&header, &stem_of(path), source.ticks()),
        None => Ok(people(path, note)?.iter().flat_map(Trail::of_play).collect()),
    }
}

/// `match_events.csv.gz` beside `match_20hz.csv.gz` or `match_states_20hz.csv.gz`.
fn events_beside(path: &Path) -> Option<PathBuf> {
    let name = path.file_name()?.to_string_lossy().into_owned();
    let base = name.split_once("_states_20hz.").or_else(|| name.split_once("_20hz."));
    let (base, ending) = base?;
    let beside = path.with_file_name(format!("{base}_events.{ending}"));
    beside.exists().then_some(beside)
}

/// How everybody moved in some files, in the order of the files.
///
/// # Errors
/// If one of them cannot be read, or nobody is anywhere in it.
pub fn movement(paths: &[impl AsRef<Path>], note: &dyn Fn(&str)) -> Result<Vec<Recorded>, RecordingError> {
    let mut all: Vec<Recorded> = Vec::new();
    for path in paths {
        let path = path.as_ref();
        let (found, cut) = repertoire_trace::movement::read(read(path)?, &stem_of(path))
            .map_err(|error| RecordingError::of(path, error))?;
        if let Some(cut) = cut {
            note(&cut_in_words(path, cut));
        }
        if found.iter().all(|one| one.moments.is_empty()) {
            return Err(RecordingError::other(
                path,
                "nobody is anywhere in it\n  remedy: give recorded play",
            ));
        }
        all.extend(found);
    }
    let units = all.first().map(|one| one.units_per_metre);
    if all.iter().any(|one| Some(one.units_per_metre) != units) {
        note("some files are in metres and some in Unreal units; lengths are told apart");
    }
    Ok(all)
}

/// Shows recordings to somebody who learns from them: every wanted player in turn, so that a life is seen without interruption. Gives the
/// names of those seen; `each` is called after every tick.
///
/// # Errors
/// If one of them cannot be read, holds no map, or if none of the wanted players is in it.
pub fn show(
    paths: &[PathBuf],
    wanted: &[String],
    watch: &mut dyn Watch,
    each: &dyn Fn(),
    note: &dyn Fn(&str),
) -> Result<Vec<String>, RecordingError> {
    let mut seen: Vec<String> = Vec::new();
    for path in paths {
        let source = Source::open(path)?;
        source.cut_in_words().iter().for_each(|cut| note(cut));
        let header = source.header().clone();
        let wrong = |source| RecordingError::Lesson { path: path.to_owned(), source };
        let level = lesson::level_of(&header).map_err(wrong)?;
        for id in lesson::players(&header, wanted).map_err(wrong)? {
            lesson::show_recorded(Source::open(path)?.ticks(), id, level.places(), watch, each)?;
            let name = header.characters.iter().find(|one| one.id == id).map(|one| one.name.clone());
            seen.extend(name.filter(|name| !seen.contains(name)));
        }
    }
    Ok(seen)
}

/// The arena's map that a recording holds, to play on.
///
/// # Errors
/// If it cannot be read, or was played elsewhere.
pub fn level(path: &Path) -> Result<Level, RecordingError> {
    let source = Source::open(path)?;
    let header = source.header();
    let level = lesson::level_of(header)
        .map_err(|source| RecordingError::Lesson { path: path.to_owned(), source })?;
    match header.world.as_str() {
        "arena" => Ok(level),
        world => Err(RecordingError::other(
            path,
            format!(
                "it was played in {world}, and only the arena can be played in here\n  remedy: leave out --practise"
            ),
        )),
    }
}

/// A map of Quake (plain or gzip).
///
/// # Errors
/// If it cannot be read, or is no such map.
pub fn quake_map(path: &Path) -> Result<Bsp, RecordingError> {
    Bsp::read(&read(path)?).map_err(|source| RecordingError::Map { path: path.to_owned(), source })
}

/// Maps of Quake by name: those of the files up to their first dot.
///
/// # Errors
/// See [`quake_map`].
pub fn quake_maps(paths: &[impl AsRef<Path>]) -> Result<BTreeMap<String, Bsp>, RecordingError> {
    paths.iter().map(|path| Ok((stem_of(path.as_ref()), quake_map(path.as_ref())?))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_format_follows_from_the_name() {
        assert_eq!(format_of(Path::new("a.PARQUET")).unwrap(), Format::Parquet);
        assert_eq!(format_of(Path::new("a.csv")).unwrap(), Format::Csv);
        assert!(format_of(Path::new("a.txt")).unwrap_err().to_string().contains("does not tell"));
        assert!(refuse_other_than_parquet(Path::new("a.csv")).is_err());
    }

    #[test]
    fn a_file_that_is_not_there_is_named() {
        let nobody = |_: &str| unreachable!("there is nothing to note");
        let error = movement(&["nowhere.csv"], &nobody).unwrap_err();
        assert!(error.to_string().starts_with("nowhere.csv could not be read"));
    }
}
