//! A recording in either of our formats, told by how it begins.

use std::io::{Read, Seek};

use crate::{CsvReader, Cut, Header, Recording, Tick, TraceError};

/// How a recording is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// What [`Recorder`](crate::Recorder) writes.
    Parquet,
    /// What [`CsvWriter`](crate::CsvWriter) writes.
    Csv,
}

impl Format {
    /// The format of a recording that begins with these bytes (nine are enough); `None` if it
    /// is no recording of ours.
    pub fn sniff(first: &[u8]) -> Option<Self> {
        if first.starts_with(b"PAR1") {
            Some(Format::Parquet)
        } else if first.starts_with(b"# format:") {
            Some(Format::Csv)
        } else {
            None
        }
    }
}

/// An open recording of either format.
pub enum Source<R: Read> {
    /// A Parquet file.
    Parquet(Box<Recording<R>>),
    /// A CSV file.
    Csv(Box<CsvReader<R>>),
}

impl<R: Read + Seek> Source<R> {
    /// Opens a recording that is known to have this format; see [`Format::sniff`].
    ///
    /// # Errors
    /// When it is no recording of that format, or of another version of it.
    pub fn open(source: R, format: Format) -> Result<Self, TraceError> {
        Ok(match format {
            Format::Parquet => Source::Parquet(Box::new(Recording::open(source)?)),
            Format::Csv => Source::Csv(Box::new(CsvReader::open(source)?)),
        })
    }

    /// Which match this is.
    pub fn header(&self) -> &Header {
        match self {
            Source::Parquet(recording) => recording.header(),
            Source::Csv(reader) => reader.header(),
        }
    }

    /// What was saved, if the recording was cut off. A CSV does not know.
    pub fn cut(&self) -> Option<Cut> {
        match self {
            Source::Parquet(recording) => recording.cut(),
            Source::Csv(_) => None,
        }
    }

    /// The ticks that follow. A Parquet file begins anew each time, a CSV can be read once.
    pub fn ticks(&mut self) -> impl Iterator<Item = Result<Tick, TraceError>> {
        let ticks: Box<dyn Iterator<Item = Result<Tick, TraceError>>> = match self {
            Source::Parquet(recording) => Box::new(recording.ticks()),
            Source::Csv(reader) => Box::new(reader),
        };
        ticks
    }
}

/// A file's content: unpacked if it begins like gzip, as it is otherwise.
///
/// # Errors
/// When it begins like gzip but cannot be unpacked.
pub fn unpack(bytes: Vec<u8>) -> Result<Vec<u8>, TraceError> {
    if !bytes.starts_with(&[0x1f, 0x8b]) {
        return Ok(bytes);
    }
    let mut unpacked = Vec::new();
    flate2::read::MultiGzDecoder::new(&bytes[..]).read_to_end(&mut unpacked).map_err(TraceError::Gzip)?;
    Ok(unpacked)
}
