//! A corpus: many recordings, a file for each match, learned from without ever holding more than one of them in memory.
//!
//! Learning goes in rounds. In each round the same question is asked of every recording (how its player's body moves, what was
//! counted, what the expected counts are under some numbers), the answers are added up exactly, and the next question follows from
//! the sum. So anybody may answer for any range of recordings, in any order: threads here, or machines elsewhere. The result has
//! the same bits.
//!
//! | module       | what it holds                                                                     |
//! |--------------|-----------------------------------------------------------------------------------|
//! | [`lesson`]   | what is learned, from what, and how                                               |
//! | [`answer()`] | what a range of recordings says to a question: the work of a worker                |
//! | [`learning`] | the rounds: questions, answers committed to a folder, and the result              |
//! | [`store`]    | where recordings lie and answers are committed: a disk, or a store of your own    |
//!
//! ```no_run
//! use repertoire::corpus::{self, Learning, Lesson, Subject};
//!
//! let recordings = corpus::find(&["plays".into()])?;
//! let subject = Subject::Sequence { start: "uniform".into(), method: "labels".into() };
//! let lesson = Lesson::new(recordings, vec!["prudent".into()], subject, "pupil.work".as_ref())?;
//! let taught = Learning::begin(lesson)?.run(8, &|_| (), &|| true)?;
//! println!("{} ticks", taught.ticks);
//! # Ok::<(), corpus::CorpusError>(())
//! ```

mod answer;
pub mod learning;
pub mod lesson;
pub mod store;

use std::fs::File;
use std::io::{Read, Seek};
use std::path::{Path, PathBuf};

use repertoire_trace::{Format, Source};

pub use answer::{answer, answer_in};
pub use learning::{Learning, Outcome, Taught, Told};
pub use lesson::{Lesson, Subject};
pub use store::{Disk, Store};

/// Why a corpus cannot be learned from.
#[derive(Debug, thiserror::Error)]
#[error("{what}\n  remedy: {remedy}")]
pub struct CorpusError {
    /// What is wrong, and where.
    pub what: String,
    /// What would be right.
    pub remedy: String,
}

impl CorpusError {
    /// What is wrong, and what would be right.
    pub fn new(what: impl Into<String>, remedy: impl Into<String>) -> Self {
        CorpusError { what: what.into(), remedy: remedy.into() }
    }

    /// A recording that has another length, or is gone.
    pub fn changed(recording: &Path) -> Self {
        CorpusError::new(
            format!("{}: it is not what it was when learning began", recording.display()),
            "begin again in another folder",
        )
    }

    /// Something wrong with a file.
    fn of(path: &Path, error: impl std::fmt::Display) -> Self {
        let text = format!("{}: {error}", path.display());
        match text.split_once("\n  remedy: ") {
            Some((what, remedy)) => CorpusError::new(what, remedy),
            None => CorpusError::new(text, "give recordings of `repertoire record`, whole and readable"),
        }
    }
}

/// Whether a path stands for many recordings: a folder, or a name with `*` or `?`.
pub fn is_many(path: &Path) -> bool {
    path.is_dir() || path.to_string_lossy().contains(['*', '?'])
}

/// Where rounds are kept while a file is learned that does not exist yet: in `pupil.toml.work`, beside `pupil.toml`.
pub fn work_beside(output: &Path) -> PathBuf {
    let name = output.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    output.with_file_name(format!("{name}.work"))
}

/// The recordings that folders (with all folders in them), globs and files stand for, in the order of their names.
///
/// # Errors
/// If there is none, or a folder cannot be read.
pub fn find(from: &[PathBuf]) -> Result<Vec<PathBuf>, CorpusError> {
    let mut found = Vec::new();
    for path in from {
        let before = found.len();
        if path.is_dir() {
            walk(path, &mut |file| file.extension().is_some_and(|end| end == "parquet"), &mut found)?;
        } else if is_many(path) {
            let text = path.to_string_lossy().into_owned();
            let fixed = text.find(['*', '?']).unwrap_or(0);
            let root = text[..fixed].rfind('/').map_or(".", |at| if at == 0 { "/" } else { &text[..at] });
            let pattern =
                if root == "." && !text.starts_with("./") { format!("./{text}") } else { text.clone() };
            walk(Path::new(root), &mut |file| matches(&pattern, &file.to_string_lossy()), &mut found)?;
        } else {
            found.push(path.clone());
        }
        if found.len() == before {
            return Err(CorpusError::new(
                format!("{}: there is no recording", path.display()),
                "a folder with .parquet files, or a pattern such as 'plays/*.parquet' in quotes",
            ));
        }
    }
    found.sort();
    found.dedup();
    Ok(found)
}

fn walk(
    folder: &Path,
    is_wanted: &mut dyn FnMut(&Path) -> bool,
    found: &mut Vec<PathBuf>,
) -> Result<(), CorpusError> {
    let entries = std::fs::read_dir(folder).map_err(|error| CorpusError::of(folder, error))?;
    for entry in entries {
        let path = entry.map_err(|error| CorpusError::of(folder, error))?.path();
        let is_hidden = path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'));
        if path.is_dir() && !is_hidden {
            walk(&path, is_wanted, found)?;
        } else if !is_hidden && is_wanted(&path) {
            found.push(path);
        }
    }
    Ok(())
}

/// `*` is any letters but `/`, `**` any at all, `?` one.
fn matches(pattern: &str, text: &str) -> bool {
    let any = |rest: &str, may_cross: bool| {
        let ends = text.char_indices().map(|(at, _)| at).chain([text.len()]);
        ends.take_while(|&at| may_cross || !text[..at].contains('/')).any(|at| matches(rest, &text[at..]))
    };
    if let Some(rest) = pattern.strip_prefix("**") {
        return any(rest.strip_prefix('/').unwrap_or(rest), true);
    }
    let (mut pattern_letters, mut letters) = (pattern.chars(), text.chars());
    match (pattern_letters.next(), letters.next()) {
        (None, letter) => letter.is_none(),
        (Some('*'), _) => any(pattern_letters.as_str(), false),
        (Some('?'), Some(letter)) if letter != '/' => matches(pattern_letters.as_str(), letters.as_str()),
        (Some(wanted), Some(letter)) if wanted == letter => {
            matches(pattern_letters.as_str(), letters.as_str())
        }
        _ => false,
    }
}

/// Opens a recording, whatever it is called: how it begins tells its format.
///
/// # Errors
/// If it is none.
pub fn open(path: &Path) -> Result<Source<File>, CorpusError> {
    open_as(path, path)
}

/// Opens a copy of a recording; what is wrong is said of `name`.
fn open_as(name: &Path, path: &Path) -> Result<Source<File>, CorpusError> {
    let failed = |error: std::io::Error| CorpusError::of(name, error);
    let mut file = File::open(path).map_err(failed)?;
    let mut first = Vec::new();
    file.by_ref().take(16).read_to_end(&mut first).map_err(failed)?;
    file.rewind().map_err(failed)?;
    let format = Format::sniff(&first).ok_or_else(|| CorpusError::of(name, "this is no recording"))?;
    Source::open(file, format).map_err(|error| CorpusError::of(name, error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_match_as_in_a_shell() {
        for (pattern, text, is_match) in [
            ("plays/*.parquet", "plays/a.parquet", true),
            ("plays/*.parquet", "plays/b/a.parquet", false),
            ("plays/**/*.parquet", "plays/b/c/a.parquet", true),
            ("plays/**/*.parquet", "plays/a.parquet", true),
            ("m?.csv", "m1.csv", true),
            ("m?.csv", "m12.csv", false),
            ("*", "", true),
        ] {
            assert_eq!(matches(pattern, text), is_match, "{pattern} {text}");
        }
    }
}
