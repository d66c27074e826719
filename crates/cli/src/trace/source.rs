//! Recordings from files: `repertoire::recordings`, with notes on standard error.

use std::fs::File;
use std::ops::Deref;

use repertoire::recordings::{self, NotCopied};
pub(crate) use repertoire::recordings::{format_of, read, refuse_other_than_parquet};
use repertoire_trace::{Format, Tick, TraceError};

use crate::prelude::*;

/// Says something on standard error.
pub(crate) fn note(said: &str) {
    anstream::eprintln!("note: {said}");
}

/// An open recording.
pub(crate) struct Source(recordings::Source);

impl Source {
    pub(crate) fn open(path: &Path) -> Result<Self> {
        Ok(Source(recordings::Source::open(path)?))
    }

    /// Says on standard error that a part is missing, if one is.
    pub(crate) fn note_cut(&self) {
        self.cut_in_words().iter().for_each(|cut| note(cut));
    }

    /// Writes the recording anew. A failure of the disk stays what it is, so that the message names the file that is written.
    pub(crate) fn copy_to(&mut self, out: &mut File, format: Format) -> Result<u64> {
        self.0.copy_to(out, format).map_err(|error| match error {
            NotCopied::Write(TraceError::Io(error)) => error.into(),
            NotCopied::Write(other) => other.into(),
            NotCopied::Read(error) => error.into(),
        })
    }

    pub(crate) fn ticks(&mut self) -> impl Iterator<Item = Result<Tick>> {
        self.0.ticks().map(|tick| Ok(tick?))
    }
}

impl Deref for Source {
    type Target = recordings::Source;

    fn deref(&self) -> &recordings::Source {
        &self.0
    }
}
