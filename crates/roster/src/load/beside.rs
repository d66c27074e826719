//! Files that name other files of their kind: looked for beside them, then among the shipped ones.

use std::path::{Path, PathBuf};

use repertoire_authored::{Mistake, Unavailable};

use super::LoadError;

/// Why a file is not read for somebody who may not read every file.
pub(super) const OUTSIDE: &str = "it lies outside of the folder whose files may be read";

/// Gives what a name stands for, or says why it cannot.
pub type Find<'a, T> = &'a mut dyn FnMut(&str) -> Result<T, Unavailable>;

/// A kind of file whose files may name each other, such as behaviours whose tasks are behaviours.
///
/// A name is looked for beside the file that mentions it, with and without `.toml`, and then among what comes with repertoire.
///
/// ```
/// use repertoire_bayes::sequence::{file, shipped};
/// use repertoire_roster::load::Kind;
///
/// let behaviours = Kind {
///     read: file::read,
///     shipped: shipped::behaviour,
///     name: "behaviour",
///     leads_back: "is a task of itself",
///     most_nested: file::MOST_NESTED,
/// };
/// let text = shipped::text("prudent").expect("shipped");
/// let prudent = behaviours.load("prudent.toml".as_ref(), text)?;
/// assert_eq!(prudent.name(), "prudent");
/// # Ok::<(), repertoire_roster::load::LoadError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Kind<T> {
    /// Reads one text; asks the second argument for the files it names.
    pub read: fn(&str, Find<'_, T>) -> Result<T, Mistake>,
    /// Gives one that comes with repertoire, by name.
    pub shipped: fn(&str) -> Option<T>,
    /// What such a file holds, in the singular, for messages: `behaviour`.
    pub name: &'static str,
    /// What a message says, after the file's name, of a file that leads back to itself: `is a task of itself`.
    pub leads_back: &'static str,
    /// How deep files may name files before the chain is refused.
    pub most_nested: usize,
}

impl<T> Kind<T> {
    /// Reads the text of a file and all the files it names.
    ///
    /// Fails on a mistake in any of them (the message names that file and the line), on files that name each other in a
    /// circle, and on chains longer than [`Kind::most_nested`].
    pub fn load(&self, path: &Path, text: &str) -> Result<T, LoadError> {
        self.load_where(path, text, &|_| true)
    }

    /// The same, for somebody who may not read every file.
    ///
    /// Fails as [`Kind::load`] does, and where a file is named that `may_read` does not allow.
    pub fn load_where(
        &self,
        path: &Path,
        text: &str,
        may_read: &dyn Fn(&Path) -> bool,
    ) -> Result<T, LoadError> {
        self.load_within(path, text, may_read, &mut Vec::new())
    }

    fn load_within(
        &self,
        path: &Path,
        text: &str,
        may_read: &dyn Fn(&Path) -> bool,
        open: &mut Vec<PathBuf>,
    ) -> Result<T, LoadError> {
        let here = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        if open.contains(&here) {
            return Err(LoadError::Circle { path: path.to_owned(), what: self.leads_back });
        }
        if open.len() >= self.most_nested {
            return Err(LoadError::TooDeep { kind: self.name, most: self.most_nested });
        }
        open.push(here);
        let mut find = |asked: &str| {
            let beside = path.with_file_name(asked);
            let with_ending = path.with_file_name(format!("{asked}.toml"));
            match [beside, with_ending].into_iter().find(|path| path.is_file()) {
                Some(path) if !may_read(&path) => Err(OUTSIDE.into()),
                Some(path) => match std::fs::read_to_string(&path) {
                    Ok(text) => {
                        let found = self.load_within(&path, &text, may_read, open);
                        found.map_err(|error| error.to_string().into())
                    }
                    Err(error) => Err(error.to_string().into()),
                },
                None => (self.shipped)(asked)
                    .ok_or_else(|| format!("there is no such file or shipped {}", self.name).into()),
            }
        };
        let found = (self.read)(text, &mut find)
            .map_err(|mistake| LoadError::Mistake { path: path.to_owned(), mistake });
        open.pop();
        found
    }
}
