//! Files that name other files of their kind: looked for beside them, then among the shipped ones.

use std::path::{Path, PathBuf};

use anyhow::{Result, anyhow, bail};
use repertoire_authored::{Mistake, Unavailable};

/// Gives what a name stands for, or says why it cannot.
pub(crate) type Find<'a, T> = &'a mut dyn FnMut(&str) -> Result<T, Unavailable>;

/// A kind of file whose files name each other.
pub(crate) struct Kind<T> {
    /// Reads one, finding those it names.
    pub read: fn(&str, Find<'_, T>) -> Result<T, Mistake>,
    /// One that comes with repertoire.
    pub shipped: fn(&str) -> Option<T>,
    /// What it is called.
    pub name: &'static str,
    /// What is wrong with a file that leads back to itself, after its name.
    pub leads_back: &'static str,
    /// How deep files may name files.
    pub most_nested: usize,
}

impl<T> Kind<T> {
    /// Reads a file and all that it names; mistakes name the file they are in.
    pub fn load(&self, path: &Path, text: &str) -> Result<T> {
        self.load_within(path, text, &mut Vec::new())
    }

    fn load_within(&self, path: &Path, text: &str, open: &mut Vec<PathBuf>) -> Result<T> {
        let here = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        if open.contains(&here) {
            bail!("{} {}", path.display(), self.leads_back);
        }
        if open.len() >= self.most_nested {
            bail!("{}s name {0}s more than {} deep", self.name, self.most_nested);
        }
        open.push(here);
        let mut find = |asked: &str| {
            let beside = path.with_file_name(asked);
            let with_ending = path.with_file_name(format!("{asked}.toml"));
            match [beside, with_ending].into_iter().find(|path| path.is_file()) {
                Some(path) => std::fs::read_to_string(&path)
                    .map_err(anyhow::Error::from)
                    .and_then(|text| self.load_within(&path, &text, open))
                    .map_err(|error| format!("{error:#}").into()),
                None => (self.shipped)(asked)
                    .ok_or_else(|| format!("there is no such file or shipped {}", self.name).into()),
            }
        };
        let found = (self.read)(text, &mut find).map_err(|mistake| anyhow!("{}:{mistake}", path.display()));
        open.pop();
        found
    }
}
