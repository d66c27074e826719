//! A recording in either of our formats, told by how it begins.

use std::io::{BufWriter, Read, Seek, Write};

use crate::{CsvReader, CsvWriter, Cut, Header, Recorder, Recording, Tick, TraceError};

/// How a recording is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// What [`Recorder`] writes.
    Parquet,
    /// What [`CsvWriter`] writes.
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

    /// Writes the recording anew in a format, and gives how many ticks it has. Nothing is lost either way: numbers come back
    /// bit for bit.
    ///
    /// # Errors
    /// When this recording cannot be read, or the new one cannot be written; which of the two is told apart, since they are
    /// about different files.
    pub fn copy_to(&mut self, out: impl Write + Send, format: Format) -> Result<u64, CopyError> {
        let header = self.header().clone();
        let mut count = 0;
        match format {
            Format::Parquet => {
                let mut recorder = Recorder::new(out, header).map_err(CopyError::Write)?;
                for tick in self.ticks() {
                    recorder.push(tick.map_err(CopyError::Read)?).map_err(CopyError::Write)?;
                    count += 1;
                }
                recorder.finish().map_err(CopyError::Write)?;
            }
            Format::Csv => {
                let mut writer = CsvWriter::new(BufWriter::new(out), &header).map_err(CopyError::Write)?;
                for tick in self.ticks() {
                    writer.push(tick.map_err(CopyError::Read)?).map_err(CopyError::Write)?;
                    count += 1;
                }
                let out = writer.finish().map_err(CopyError::Write)?;
                out.into_inner().map_err(|error| CopyError::Write(error.into_error().into()))?;
            }
        }
        Ok(count)
    }
}

/// Why a recording could not be written anew.
#[derive(Debug, thiserror::Error)]
pub enum CopyError {
    /// The recording that is copied cannot be read.
    #[error("the recording could not be read: {0}")]
    Read(TraceError),
    /// The new one cannot be written.
    #[error("the copy could not be written: {0}")]
    Write(TraceError),
}

/// A small file may unpack to something endless; recordings have at most this many bytes.
const LONGEST: u64 = 2 << 30;

/// A file's content: unpacked if it begins like gzip, as it is otherwise.
///
/// # Errors
/// When it begins like gzip but cannot be unpacked.
pub fn unpack(bytes: Vec<u8>) -> Result<Vec<u8>, TraceError> {
    if !bytes.starts_with(&[0x1f, 0x8b]) {
        return Ok(bytes);
    }
    let mut unpacked = Vec::new();
    let mut reader = flate2::read::MultiGzDecoder::new(&bytes[..]).take(LONGEST + 1);
    reader.read_to_end(&mut unpacked).map_err(TraceError::Gzip)?;
    if unpacked.len() as u64 > LONGEST {
        return Err(TraceError::Gzip(std::io::Error::other(
            "it unpacks to more than 2 GiB, which no recording has",
        )));
    }
    Ok(unpacked)
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;
    use crate::Row;

    #[test]
    fn a_copy_in_the_other_format_and_back_is_the_same() {
        let header = Header::new("arena", "duel", 42, 0.1, ["native:3"]);
        let mut recorder = Recorder::new(Vec::new(), header).unwrap();
        for tick in 0..5 {
            recorder.push(Tick { tick, state_hash: u64::from(tick) * 7, rows: vec![Row::of(0)] }).unwrap();
        }
        let first = recorder.finish().unwrap();
        let (mut csv, mut again) = (Vec::new(), Vec::new());
        let open = |bytes: &[u8], format| Source::open(Cursor::new(bytes.to_vec()), format).unwrap();
        assert_eq!(open(&first, Format::Parquet).copy_to(&mut csv, Format::Csv).unwrap(), 5);
        assert_eq!(open(&csv, Format::Csv).copy_to(&mut again, Format::Parquet).unwrap(), 5);
        let ticks = |bytes: &[u8]| -> Vec<Tick> {
            open(bytes, Format::Parquet).ticks().map(Result::unwrap).collect()
        };
        assert_eq!(ticks(&first), ticks(&again));
    }
}
