//! Footers: what makes bytes a Parquet file, and how the last one is found in what is left of a recording.

use std::io::{Read, Seek, SeekFrom};

use parquet::file::metadata::{
    FileMetaData, KeyValue, ParquetMetaData, ParquetMetaDataBuilder, ParquetMetaDataReader,
    ParquetMetaDataWriter, RowGroupMetaData,
};
use parquet::schema::types::SchemaDescPtr;

use super::{Checksum, MAGIC};
use crate::TraceError;

/// The mark of a footer that a recorder wrote; its checksum follows.
const SEAL: &[u8; 8] = b"RPTRSEAL";
const SEAL_LEN: u64 = 16;

/// What a footer says who wrote the file.
const CREATED_BY: &str = concat!("repertoire ", env!("CARGO_PKG_VERSION"));

/// A footer to write.
pub(super) struct Footer<'a> {
    /// What the file says of itself, beside what every footer has.
    pub pairs: Vec<(&'a str, String)>,
    pub schema: &'a SchemaDescPtr,
    pub groups: &'a [RowGroupMetaData],
    pub checksums: &'a [u64],
    pub ticks: u64,
    pub complete: bool,
}

impl Footer<'_> {
    /// The seal, the metadata, its length and the magic word.
    pub(super) fn to_bytes(&self) -> Result<Vec<u8>, TraceError> {
        let mut pairs: Vec<KeyValue> =
            self.pairs.iter().map(|(key, text)| KeyValue::new((*key).to_owned(), text.clone())).collect();
        let checksums: Vec<String> = self.checksums.iter().map(|sum| format!("{sum:016x}")).collect();
        for (key, text) in [
            ("ticks", self.ticks.to_string()),
            ("complete", self.complete.to_string()),
            ("checksums", checksums.join(" ")),
        ] {
            pairs.push(KeyValue::new(key.to_owned(), text));
        }
        let rows = self.groups.iter().map(RowGroupMetaData::num_rows).sum();
        let file =
            FileMetaData::new(1, rows, Some(CREATED_BY.to_owned()), Some(pairs), self.schema.clone(), None);
        let metadata = ParquetMetaDataBuilder::new(file).set_row_groups(self.groups.to_vec()).build();
        let mut footer = Vec::new();
        ParquetMetaDataWriter::new(&mut footer, &metadata).finish()?;
        use_old_column_order(&mut footer, self.schema.num_columns());
        Ok([&SEAL[..], &Checksum::of(&footer).0.to_le_bytes(), &footer].concat())
    }
}

/// Says of every column that its statistics have the order of its type, as all files did until lately.
///
/// The library says of numbers that they have the total order of IEEE 754, which polars before 2 takes for a broken
/// file (versions 1.0 to 1.35 were tried). No number of ours has statistics, so the order means nothing. The list is
/// the last thing in the metadata: three bytes a column, of which the first names the order, then one that ends it
/// all. Where that is not so, nothing is touched.
fn use_old_column_order(footer: &mut [u8], columns: usize) {
    const TYPE_ORDER: u8 = 0x1c;
    const TOTAL_ORDER: u8 = 0x2c;
    let tail_len = 4 + MAGIC.len();
    let Some(start) = footer.len().checked_sub(tail_len + 1 + 3 * columns) else { return };
    let orders = &mut footer[start..start + 3 * columns];
    let known = |order: &[u8]| matches!(order, [TYPE_ORDER | TOTAL_ORDER, 0, 0]);
    if orders.chunks_exact(3).all(known) {
        orders.iter_mut().step_by(3).for_each(|order| *order = TYPE_ORDER);
    }
}

/// The footer that a file is read with.
pub(super) struct Found {
    pub metadata: ParquetMetaData,
    /// Whether it is as a recorder wrote it.
    pub sealed: bool,
    /// Where the data before it ends.
    pub start: u64,
    /// Bytes after it.
    pub lost: u64,
}

impl Found {
    /// A value of the file's metadata.
    pub(super) fn value(&self, key: &str) -> Option<&str> {
        let pairs = self.metadata.file_metadata().key_value_metadata()?;
        pairs.iter().find(|pair| pair.key == key)?.value.as_deref()
    }
}

/// The last complete footer: at the end, or before the place where the file was cut.
pub(super) fn find<R: Read + Seek>(source: &mut R) -> Result<Found, TraceError> {
    let length = source.seek(SeekFrom::End(0))?;
    let begin = read_at(source, 0, MAGIC.len().min(length as usize))?;
    if !MAGIC.starts_with(&begin) {
        return Err(TraceError::NotParquet);
    }
    if let Some(found) = footer_before(source, length, length, true)? {
        return Ok(found);
    }
    search(source, length)?.ok_or(TraceError::NothingSaved { bytes: length })
}

/// Looks backwards for the end of a sealed footer. Windows overlap, so that no magic word is split.
fn search<R: Read + Seek>(source: &mut R, length: u64) -> Result<Option<Found>, TraceError> {
    const WINDOW: u64 = 1 << 16;
    let mut end = length;
    while end > SEAL_LEN {
        let start = end.saturating_sub(WINDOW);
        let window = read_at(source, start, (end - start) as usize)?;
        let mut before = window.len();
        while let Some(at) = window[..before].iter().rposition(|byte| *byte == MAGIC[0]) {
            before = at;
            if window[at..].starts_with(MAGIC) {
                let footer_end = start + (at + MAGIC.len()) as u64;
                if let Some(found) = footer_before(source, footer_end, length, false)? {
                    return Ok(Some(found));
                }
            }
        }
        if start == 0 {
            break;
        }
        end = start + MAGIC.len() as u64 - 1;
    }
    Ok(None)
}

/// The footer that ends at a byte, if one does. Without a seal it is believed only at the file's end, and only when
/// another program wrote it: ours never leave it out.
fn footer_before<R: Read + Seek>(
    source: &mut R,
    end: u64,
    length: u64,
    unsealed: bool,
) -> Result<Option<Found>, TraceError> {
    let tail_len = 4 + MAGIC.len() as u64;
    if end < tail_len + MAGIC.len() as u64 {
        return Ok(None);
    }
    let tail = read_at(source, end - tail_len, tail_len as usize)?;
    let Some((metadata_len, magic)) = tail.split_first_chunk::<4>() else { return Ok(None) };
    let metadata_len = u64::from(u32::from_le_bytes(*metadata_len));
    if magic != MAGIC || metadata_len > end - tail_len - MAGIC.len() as u64 {
        return Ok(None);
    }
    let footer_len = metadata_len + tail_len;
    let start = end - footer_len;
    let seal =
        if start < SEAL_LEN { Vec::new() } else { read_at(source, start - SEAL_LEN, SEAL_LEN as usize)? };
    let sealed = seal.strip_prefix(SEAL);
    if sealed.is_none() && !unsealed {
        return Ok(None);
    }
    let footer = read_at(source, start, footer_len as usize)?;
    if sealed.is_some_and(|sum| sum != Checksum::of(&footer).0.to_le_bytes()) {
        return Ok(None);
    }
    let Ok(metadata) = ParquetMetaDataReader::decode_metadata(&footer[..metadata_len as usize]) else {
        return Ok(None);
    };
    let ours = metadata.file_metadata().created_by().is_some_and(|by| by.starts_with("repertoire "));
    if ours && sealed.is_none() {
        return Ok(None);
    }
    let sealed = sealed.is_some();
    let start = if sealed { start - SEAL_LEN } else { start };
    Ok(Some(Found { metadata, sealed, start, lost: length - end }))
}

/// Bytes of the file; fewer where it ends.
pub(super) fn read_at<R: Read + Seek>(source: &mut R, at: u64, count: usize) -> Result<Vec<u8>, TraceError> {
    let mut bytes = Vec::new();
    source.seek(SeekFrom::Start(at))?;
    source.take(count as u64).read_to_end(&mut bytes)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use parquet::basic::ColumnOrder;

    use super::*;
    use crate::{Header, Recorder};

    #[test]
    fn every_column_has_the_order_that_old_readers_know() {
        let header = Header::new("arena", "yard", 0, 0.1, ["a"]);
        let file = Recorder::new(Vec::new(), header).and_then(Recorder::finish).expect("memory");
        let found = find(&mut Cursor::new(file)).expect("its footer");
        let facts = found.metadata.file_metadata();
        let orders = facts.column_orders().expect("they are written");
        assert_eq!(orders.len(), facts.schema_descr().num_columns());
        for order in orders {
            assert!(matches!(order, ColumnOrder::TYPE_DEFINED_ORDER(_)), "{order:?}");
        }
    }
}
