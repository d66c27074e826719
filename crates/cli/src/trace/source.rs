//! Opens recordings, and says what is wrong with one by its file's name.

use std::fs::File;
use std::io::{Read, Seek};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail};
use repertoire_trace::{CopyError, Cut, Format, Header, Source as Opened, Tick, TraceError, source};

/// The format that a file's name asks for.
pub(super) fn format_of(path: &Path) -> Result<Format> {
    match named_format(path) {
        Some(format) => Ok(format),
        None => bail!(
            "{}: its name does not tell what kind of recording it is\n  remedy: name a file that ends in .parquet or .csv",
            path.display()
        ),
    }
}

/// Refuses a file whose name does not end in `.parquet`: the only format that is written while a match is played.
pub(crate) fn refuse_other_than_parquet(path: &Path) -> Result<()> {
    match named_format(path) {
        Some(Format::Parquet) => Ok(()),
        _ => bail!(
            "{}: recordings are Parquet files\n  remedy: give a name that ends in .parquet; `repertoire trace convert` makes CSV of it",
            path.display()
        ),
    }
}

fn named_format(path: &Path) -> Option<Format> {
    let extension = path.extension().map(|extension| extension.to_string_lossy().to_lowercase());
    match extension.as_deref() {
        Some("parquet") => Some(Format::Parquet),
        Some("csv") => Some(Format::Csv),
        _ => None,
    }
}

/// A file's bytes, unpacked if it is gzip.
pub(crate) fn read(path: &Path) -> Result<Vec<u8>> {
    let bytes = std::fs::read(path).with_context(|| {
        format!("{} could not be read\n  remedy: name a file that is there", path.display())
    })?;
    source::unpack(bytes).map_err(|error| in_file(path, error))
}

/// An open recording.
pub(crate) struct Source {
    path: PathBuf,
    opened: Opened<File>,
}

impl Source {
    /// Opens a recording, whatever it is called: how it begins tells its format. Only a file that begins like neither is
    /// judged by its name.
    pub(crate) fn open(path: &Path) -> Result<Self> {
        let unreadable = |error: std::io::Error| {
            let remedy = "give a recording: `repertoire record -o match.parquet` makes one";
            anyhow!("{} could not be read: {error}\n  remedy: {remedy}", path.display())
        };
        let mut file = File::open(path).map_err(unreadable)?;
        let mut first = Vec::new();
        file.by_ref().take(16).read_to_end(&mut first).map_err(unreadable)?;
        file.rewind().map_err(unreadable)?;
        let format = match Format::sniff(&first) {
            Some(format) => format,
            None => format_of(path)?,
        };
        let opened = Opened::open(file, format).map_err(|error| in_file(path, error))?;
        Ok(Source { path: path.to_owned(), opened })
    }

    pub(crate) fn header(&self) -> &Header {
        self.opened.header()
    }

    pub(crate) fn cut(&self) -> Option<Cut> {
        self.opened.cut()
    }

    /// Says on standard error that a part is missing, if one is.
    pub(crate) fn note_cut(&self) {
        if let Some(cut) = self.cut() {
            anstream::eprintln!("note: {}", cut_words(&self.path, cut));
        }
    }

    /// Writes the recording anew. A failure of the disk stays what it is, so that the message names the file that is written.
    pub(crate) fn copy_to(&mut self, out: &mut File, format: Format) -> Result<u64> {
        self.opened.copy_to(out, format).map_err(|error| match error {
            CopyError::Read(error) => in_file(&self.path, error),
            CopyError::Write(TraceError::Io(error)) => error.into(),
            CopyError::Write(other) => other.into(),
        })
    }

    /// The ticks, whose mistakes name the file.
    pub(crate) fn ticks(&mut self) -> impl Iterator<Item = Result<Tick>> {
        let Source { path, opened } = self;
        opened.ticks().map(move |tick| tick.map_err(|error| in_file(path, error)))
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
pub(crate) fn in_file(path: &Path, error: TraceError) -> anyhow::Error {
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
