//! A recording in either format, told by the file's extension.

use std::fs::File;
use std::path::{Path, PathBuf};

use anyhow::{Result, anyhow, bail};
use repertoire_trace::{CsvReader, Cut, Header, Recording, Tick, TraceError};

/// The formats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Format {
    Parquet,
    Csv,
}

impl Format {
    pub(super) fn of(path: &Path) -> Result<Self> {
        let extension = path.extension().map(|extension| extension.to_string_lossy().to_lowercase());
        match extension.as_deref() {
            Some("parquet") => Ok(Format::Parquet),
            Some("csv") => Ok(Format::Csv),
            _ => bail!(
                "{}: its name does not tell what kind of recording it is\n  remedy: name a file that ends in .parquet or .csv",
                path.display()
            ),
        }
    }
}

/// An open recording.
pub(crate) struct Source {
    path: PathBuf,
    kind: Kind,
}

enum Kind {
    Parquet(Box<Recording<File>>),
    Csv(Box<CsvReader<File>>),
}

impl Source {
    pub(crate) fn open(path: &Path) -> Result<Self> {
        let format = Format::of(path)?;
        let file = File::open(path).map_err(|error| {
            let remedy = "give a recording: `repertoire record -o match.parquet` makes one";
            anyhow!("{} could not be read: {error}\n  remedy: {remedy}", path.display())
        })?;
        let kind = match format {
            Format::Parquet => Recording::open(file).map(|recording| Kind::Parquet(Box::new(recording))),
            Format::Csv => CsvReader::open(file).map(|reader| Kind::Csv(Box::new(reader))),
        };
        Ok(Source { path: path.to_owned(), kind: kind.map_err(|error| in_file(path, error))? })
    }

    pub(crate) fn header(&self) -> &Header {
        match &self.kind {
            Kind::Parquet(recording) => recording.header(),
            Kind::Csv(reader) => reader.header(),
        }
    }

    pub(crate) fn cut(&self) -> Option<Cut> {
        match &self.kind {
            Kind::Parquet(recording) => recording.cut(),
            Kind::Csv(_) => None,
        }
    }

    /// Says on standard error that a part is missing, if one is.
    pub(crate) fn note_cut(&self) {
        if let Some(cut) = self.cut() {
            anstream::eprintln!("note: {}", cut_words(&self.path, cut));
        }
    }

    /// The ticks, whose mistakes name the file.
    pub(crate) fn ticks(&mut self) -> impl Iterator<Item = Result<Tick>> {
        let Source { path, kind } = self;
        let ticks: Box<dyn Iterator<Item = Result<Tick, TraceError>>> = match kind {
            Kind::Parquet(recording) => Box::new(recording.ticks()),
            Kind::Csv(reader) => Box::new(reader),
        };
        ticks.map(move |tick| tick.map_err(|error| in_file(path, error)))
    }
}

/// What was saved of a recording.
pub(crate) fn cut_words(path: &Path, cut: Cut) -> String {
    let lost = match cut.bytes_lost {
        0 => "it was never finished".to_owned(),
        bytes => format!("{bytes} bytes after them are lost"),
    };
    format!("{} was cut off: {} ticks are saved, {lost}", path.display(), cut.ticks_saved)
}

/// A mistake with its file, and in text with its line as editors want it.
fn in_file(path: &Path, error: TraceError) -> anyhow::Error {
    match error {
        TraceError::Csv(mistake) => {
            let column = if mistake.column.is_empty() {
                String::new()
            } else {
                format!(" column `{}`:", mistake.column)
            };
            let (path, line) = (path.display(), mistake.line);
            anyhow!("{path}:{line}:{column} {}\n  remedy: {}", mistake.what, mistake.remedy)
        }
        other => anyhow::Error::new(other).context(path.display().to_string()),
    }
}
