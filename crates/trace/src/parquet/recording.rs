//! Reading a recording, group by group.

use std::io::{Cursor, Read, Seek};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use bytes::Bytes;
use parquet::errors::ParquetError;
use parquet::file::metadata::page_index::RowGroupPageIndex;
use parquet::file::metadata::{ColumnChunkMetaData, RowGroupMetaData};
use parquet::file::properties::ReaderProperties;
use parquet::file::reader::{ChunkReader, Length};
use parquet::file::serialized_reader::SerializedRowGroupReader;

use super::footer::{self, Found};
use super::{Checksum, group, schema};
use crate::check::{Gather, Refusal};
use crate::columns::Flat;
use crate::header::check_format;
use crate::{Header, Tick, TraceError};

/// What is left of a recording that was never finished, or cut off later.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cut {
    /// How many ticks can still be read.
    pub ticks_saved: u64,
    /// How many bytes after them cannot.
    pub bytes_lost: u64,
}

/// A recording to read. Keeps one group of rows in memory at a time.
///
/// ```
/// use std::io::Cursor;
/// use repertoire_trace::{Header, Recorder, Recording, Row, Tick};
///
/// # let header = Header::new("arena", "duel", 42, 0.1, ["native:3"]);
/// # let mut recorder = Recorder::new(Vec::new(), header)?.group_ticks(1000..=1000);
/// # for tick in 0..4000 {
/// #     let state_hash = u64::from(tick).wrapping_mul(0x9e37_79b9_7f4a_7c15);
/// #     recorder.push(Tick { tick, state_hash, rows: vec![Row::of(0)] })?;
/// # }
/// # let file: Vec<u8> = recorder.finish()?;
/// // A file of 4,000 ticks, the end of which was lost: it reads up to the last group that is whole.
/// let cut = &file[..file.len() - 1];
/// let mut recording = Recording::open(Cursor::new(cut))?;
/// let saved = recording.cut().expect("it is not whole").ticks_saved;
/// assert!((1000..=4000).contains(&saved));
/// assert_eq!(recording.header().characters[0].name, "native:3");
/// assert_eq!(recording.ticks().count() as u64, saved);
/// # Ok::<(), repertoire_trace::TraceError>(())
/// ```
pub struct Recording<R> {
    source: R,
    found: Found,
    header: Header,
    columns: Vec<Option<usize>>,
    checksums: Option<Vec<u64>>,
    cut: Option<Cut>,
}

impl<R: Read + Seek> Recording<R> {
    /// Opens a recording: a file, or bytes in a [`Cursor`].
    pub fn open(mut source: R) -> Result<Self, TraceError> {
        let found = footer::find(&mut source)?;
        // A foreign file is told by what it has, a recording of another version by what it says.
        if let Some(format) = found.value("format") {
            check_format(Some(format), found.value("program"))?;
        }
        let columns = schema::find_columns(found.metadata.file_metadata().schema_descr())?;
        schema::check_compression(&found.metadata)?;
        let header = Header::from_text(|key| found.value(key))?;
        let number = |key| found.value(key).and_then(|text| text.parse().ok()).unwrap_or(0);
        let complete = !found.sealed || (found.lost == 0 && found.value("complete") == Some("true"));
        let cut = (!complete).then(|| Cut { ticks_saved: number("ticks"), bytes_lost: found.lost });
        let checksums = found.sealed.then(|| {
            let sums = found.value("checksums").unwrap_or_default().split_whitespace();
            sums.filter_map(|sum| u64::from_str_radix(sum, 16).ok()).collect()
        });
        Ok(Recording { source, found, header, columns, checksums, cut })
    }

    /// Which match this is.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// What was saved, if the recording is not whole. The rest of it reads like any other.
    pub fn cut(&self) -> Option<Cut> {
        self.cut
    }

    /// How many rows there are: one a tick and character.
    pub fn row_count(&self) -> u64 {
        u64::try_from(self.found.metadata.file_metadata().num_rows()).unwrap_or(0)
    }

    /// The ticks from the first on. After a failure there are no more.
    pub fn ticks(&mut self) -> Ticks<'_, R> {
        let gather = Gather::new(&self.header);
        Ticks {
            recording: self,
            gather,
            group: 0,
            row: 0,
            rows: Vec::new().into_iter(),
            failed: None,
            done: false,
        }
    }

    fn read_group(&mut self, index: usize, first_row: usize) -> Result<Vec<Flat>, TraceError> {
        let metadata = self.found.metadata.row_group(index);
        let damaged = |what: &str| TraceError::Damaged {
            place: format!("from row {first_row} on (group {index})"),
            what: what.to_owned(),
        };
        let chunk = byte_range(metadata)
            .filter(|range| range.end <= self.found.start)
            .ok_or_else(|| damaged("its place is not inside the file"))?;
        let bytes = footer::read_at(&mut self.source, chunk.start, (chunk.end - chunk.start) as usize)?;
        if let Some(sums) = &self.checksums
            && sums.get(index) != Some(&Checksum::of(&bytes).0)
        {
            return Err(damaged("its checksum is not that of what was recorded"));
        }
        let chunk = Arc::new(Chunk { start: chunk.start, bytes: bytes.into() });
        let properties = Arc::new(ReaderProperties::builder().build());
        let pages = RowGroupPageIndex::new(index, None);
        let reader = SerializedRowGroupReader::new(chunk, metadata, pages, properties)?;
        let schema = self.found.metadata.file_metadata().schema_descr();
        let read = || group::read(&reader, schema, &self.columns, first_row);
        // The library panics on some damaged pages. Where a checksum was right there are none; where there is no
        // checksum, a damaged file must still be an answer and not the end of the program.
        let rows = match &self.checksums {
            Some(_) => read(),
            None => catch_unwind(AssertUnwindSafe(read))
                .unwrap_or_else(|_| Err(damaged("its pages cannot be decoded"))),
        };
        rows.map_err(|error| match error {
            TraceError::Parquet(error) => damaged(&error.to_string()),
            other => other,
        })
    }
}

/// Where a group's bytes are, all columns together.
pub(super) fn byte_range(group: &RowGroupMetaData) -> Option<std::ops::Range<u64>> {
    let (mut start, mut end) = (u64::MAX, 0);
    for column in group.columns() {
        let first: fn(&ColumnChunkMetaData) -> i64 =
            |column| column.dictionary_page_offset().unwrap_or(column.data_page_offset());
        let from = u64::try_from(first(column)).ok()?;
        let length = u64::try_from(column.compressed_size()).ok()?;
        start = start.min(from);
        end = end.max(from.checked_add(length)?);
    }
    (start <= end).then_some(start..end)
}

/// Part of a file in memory, under the offsets that it has in the file.
pub(super) struct Chunk {
    pub start: u64,
    pub bytes: Bytes,
}

impl Chunk {
    fn from(&self, at: u64) -> Result<Bytes, ParquetError> {
        let inside = at.checked_sub(self.start).and_then(|at| usize::try_from(at).ok());
        match inside.filter(|&at| at <= self.bytes.len()) {
            Some(at) => Ok(self.bytes.slice(at..)),
            None => Err(ParquetError::EOF(format!("byte {at} is outside its group"))),
        }
    }
}

impl Length for Chunk {
    fn len(&self) -> u64 {
        self.start + self.bytes.len() as u64
    }
}

impl ChunkReader for Chunk {
    type T = Cursor<Bytes>;

    fn get_read(&self, start: u64) -> Result<Self::T, ParquetError> {
        Ok(Cursor::new(self.from(start)?))
    }

    fn get_bytes(&self, start: u64, length: usize) -> Result<Bytes, ParquetError> {
        let bytes = self.from(start)?;
        if length > bytes.len() {
            return Err(ParquetError::EOF(format!(
                "{length} bytes from byte {start} on are more than its group"
            )));
        }
        Ok(bytes.slice(..length))
    }
}

/// The ticks of a recording.
pub struct Ticks<'a, R> {
    recording: &'a mut Recording<R>,
    gather: Gather,
    /// The next group.
    group: usize,
    /// The next row, in the whole file.
    row: usize,
    rows: std::vec::IntoIter<Flat>,
    /// To be said after the tick that is complete.
    failed: Option<TraceError>,
    done: bool,
}

impl<R: Read + Seek> Ticks<'_, R> {
    fn fail(&mut self) -> Result<Option<Tick>, TraceError> {
        self.failed.take().map_or(Ok(None), Err)
    }

    fn advance(&mut self) -> Result<Option<Tick>, TraceError> {
        loop {
            for flat in self.rows.by_ref() {
                let number = flat.tick;
                let what = |why| match why {
                    Refusal::NotFinite { character, column, value } => {
                        TraceError::NotFinite { row: self.row, tick: number, character, column, value }
                    }
                    Refusal::Other(what) => TraceError::Damaged {
                        place: format!("in row {} (tick {number}; the first row is 0)", self.row),
                        what,
                    },
                };
                let ended = self.gather.push(flat).map_err(what)?;
                self.row += 1;
                if ended.is_some() {
                    return Ok(ended);
                }
            }
            if self.group == self.recording.found.metadata.num_row_groups() {
                self.done = true;
                return Ok(self.gather.finish());
            }
            match self.recording.read_group(self.group, self.row) {
                Ok(rows) => self.rows = rows.into_iter(),
                // A recorder never splits a tick between groups: the last one is whole.
                Err(error) if self.recording.found.sealed => {
                    self.failed = Some(error);
                    return self.gather.finish().map(Some).map_or_else(|| self.fail(), Ok);
                }
                Err(error) => return Err(error),
            }
            self.group += 1;
        }
    }
}

impl<R: Read + Seek> Iterator for Ticks<'_, R> {
    type Item = Result<Tick, TraceError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.done {
            return None;
        }
        let next = if self.failed.is_some() { self.fail() } else { self.advance() };
        self.done |= next.is_err();
        next.transpose()
    }
}
