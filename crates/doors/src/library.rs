//! Where files come from: this crate reads none, its users may.

use std::io;

use repertoire_bayes::sequence::Behaviour;

use crate::DoorError;

/// Reads the files that lines name. The command line reads them from the disk; a game may have an archive of its own.
pub trait Library: Send + Sync {
    /// The text of the file of this name.
    fn text(&self, name: &str) -> io::Result<String>;

    /// The behaviour in the file of this name, with the behaviours in other files that are its tasks; `None` to look for it
    /// among the shipped ones.
    fn behaviour(&self, name: &str) -> Option<Result<Behaviour, DoorError>>;
}

/// No files at all: names stand for what is shipped, everything else is on the lines.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoFiles;

impl Library for NoFiles {
    fn text(&self, _name: &str) -> io::Result<String> {
        Err(io::Error::new(io::ErrorKind::Unsupported, "no files are read here"))
    }

    fn behaviour(&self, _name: &str) -> Option<Result<Behaviour, DoorError>> {
        None
    }
}
