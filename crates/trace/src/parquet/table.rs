//! Tables of numbers and words as Parquet that survives being cut off: for worlds whose recordings are not matches.
//!
//! They are written and found again as recordings are (see [`super`]): a sealed footer after every group.

use std::io::{Read, Seek, Write};
use std::sync::Arc;

use parquet::basic::{Compression, LogicalType, Repetition, Type as Physical};
use parquet::column::reader::ColumnReader;
use parquet::column::writer::ColumnWriter;
use parquet::data_type::ByteArray;
use parquet::errors::ParquetError;
use parquet::file::metadata::RowGroupMetaData;
use parquet::file::metadata::page_index::RowGroupPageIndex;
use parquet::file::properties::{EnabledStatistics, ReaderProperties, WriterProperties, WriterPropertiesPtr};
use parquet::file::reader::RowGroupReader;
use parquet::file::serialized_reader::SerializedRowGroupReader;
use parquet::file::writer::{SerializedRowGroupWriter, TrackedWrite};
use parquet::schema::types::{SchemaDescPtr, SchemaDescriptor, Type, TypePtr};

use super::footer::{self, Footer, Found};
use super::recording::{Chunk, Cut, byte_range};
use super::{Checksum, MAGIC, Summing};
use crate::TraceError;

/// The numbers of a column. Unsigned ones keep their bits.
#[derive(Clone, Debug, PartialEq)]
pub enum Column {
    /// Numbers of 32 bits.
    U32(Vec<u32>),
    /// Numbers of 64 bits.
    U64(Vec<u64>),
    /// Decimal numbers; some cells may be empty.
    Real(Vec<Option<f64>>),
    /// Words; some cells may be empty.
    Text(Vec<Option<String>>),
}

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColumnType {
    /// [`Column::U32`].
    U32,
    /// [`Column::U64`].
    U64,
    /// [`Column::Real`].
    Real,
    /// [`Column::Text`].
    Text,
}

impl ColumnType {
    fn leaf(self, name: &str) -> Result<TypePtr, ParquetError> {
        let (physical, logical, repetition) = match self {
            ColumnType::U32 => (Physical::INT32, Some(LogicalType::integer(32, false)), Repetition::REQUIRED),
            ColumnType::U64 => (Physical::INT64, Some(LogicalType::integer(64, false)), Repetition::REQUIRED),
            ColumnType::Real => (Physical::DOUBLE, None, Repetition::OPTIONAL),
            ColumnType::Text => (Physical::BYTE_ARRAY, Some(LogicalType::String), Repetition::OPTIONAL),
        };
        let leaf = Type::primitive_type_builder(name, physical).with_repetition(repetition);
        Ok(Arc::new(leaf.with_logical_type(logical).build()?))
    }
}

impl Column {
    fn len(&self) -> usize {
        match self {
            Column::U32(numbers) => numbers.len(),
            Column::U64(numbers) => numbers.len(),
            Column::Real(numbers) => numbers.len(),
            Column::Text(words) => words.len(),
        }
    }
}

/// Writes a table, group by group.
///
/// ```
/// use repertoire_trace::{Column, Table, TableRecorder};
/// let mut recorder = TableRecorder::new(Vec::new(), "town", &[("tick", 32), ("hash", 64)], vec![("seed", "7".into())])?;
/// recorder.push(&[Column::U32(vec![0, 1]), Column::U64(vec![5, 6])])?;
/// let file: Vec<u8> = recorder.finish()?;
/// let mut table = Table::open(std::io::Cursor::new(file))?;
/// assert_eq!((table.value("seed"), table.cut()), (Some("7"), None));
/// assert_eq!(table.read(0)?, [Column::U32(vec![0, 1]), Column::U64(vec![5, 6])]);
/// # Ok::<(), repertoire_trace::TraceError>(())
/// ```
pub struct TableRecorder<W: Write + Send> {
    out: TrackedWrite<Summing<W>>,
    schema: SchemaDescPtr,
    properties: WriterPropertiesPtr,
    pairs: Vec<(&'static str, String)>,
    groups: Vec<RowGroupMetaData>,
    checksums: Vec<u64>,
    rows: u64,
}

impl<W: Write + Send> TableRecorder<W> {
    /// Begins a table of columns with these names and bits (32 or 64), and what the file says of itself. `kind` is what its rows
    /// are about, and tells tables apart.
    pub fn new(
        out: W,
        kind: &str,
        columns: &[(&str, u8)],
        pairs: Vec<(&'static str, String)>,
    ) -> Result<Self, TraceError> {
        let typed = |bits| if bits == 64 { ColumnType::U64 } else { ColumnType::U32 };
        let columns: Vec<_> = columns.iter().map(|&(name, bits)| (name, typed(bits))).collect();
        TableRecorder::with_types(out, kind, &columns, pairs)
    }

    /// The same with columns of any type.
    pub fn with_types(
        out: W,
        kind: &str,
        columns: &[(&str, ColumnType)],
        mut pairs: Vec<(&'static str, String)>,
    ) -> Result<Self, TraceError> {
        let leaf = |&(name, of): &(&str, ColumnType)| of.leaf(name);
        let fields = columns.iter().map(leaf).collect::<Result<Vec<_>, _>>()?;
        let schema = Type::group_type_builder(kind).with_fields(fields).build()?;
        let properties = WriterProperties::builder()
            .set_compression(Compression::SNAPPY)
            .set_statistics_enabled(EnabledStatistics::None)
            .set_offset_index_disabled(true)
            .build();
        pairs.insert(0, ("table", kind.to_owned()));
        let mut out = TrackedWrite::new(Summing { to: out, sum: Checksum::EMPTY });
        out.write_all(MAGIC)?;
        Ok(TableRecorder {
            out,
            schema: Arc::new(SchemaDescriptor::new(Arc::new(schema))),
            properties: Arc::new(properties),
            pairs,
            groups: Vec::new(),
            checksums: Vec::new(),
            rows: 0,
        })
    }

    /// Writes a group and a footer: from here on everything up to it can be read, whatever happens.
    ///
    /// # Panics
    /// If there are not as many columns as the table has, or they differ in length.
    pub fn push(&mut self, columns: &[Column]) -> Result<(), TraceError> {
        assert_eq!(columns.len(), self.schema.num_columns(), "a column for each of the table's");
        let rows = columns.first().map_or(0, Column::len);
        assert!(columns.iter().all(|column| column.len() == rows), "columns of one length");
        self.out.flush()?;
        self.out.inner_mut().sum = Checksum::EMPTY;
        let ordinal = i32::try_from(self.groups.len()).map_err(std::io::Error::other)?;
        let (schema, properties) = (self.schema.clone(), self.properties.clone());
        let mut group = SerializedRowGroupWriter::new(schema, properties, &mut self.out, ordinal, None);
        for column in columns {
            let Some(mut writer) = group.next_column()? else { break };
            match (writer.untyped(), column) {
                (ColumnWriter::Int32ColumnWriter(writer), Column::U32(numbers)) => {
                    let numbers: Vec<i32> = numbers.iter().map(|&number| number as i32).collect();
                    writer.write_batch(&numbers, None, None)?;
                }
                (ColumnWriter::Int64ColumnWriter(writer), Column::U64(numbers)) => {
                    let numbers: Vec<i64> = numbers.iter().map(|&number| number as i64).collect();
                    writer.write_batch(&numbers, None, None)?;
                }
                (ColumnWriter::DoubleColumnWriter(writer), Column::Real(numbers)) => {
                    let there: Vec<f64> = numbers.iter().flatten().copied().collect();
                    writer.write_batch(&there, Some(&definition(numbers)), None)?;
                }
                (ColumnWriter::ByteArrayColumnWriter(writer), Column::Text(words)) => {
                    let there: Vec<ByteArray> =
                        words.iter().flatten().map(|word| ByteArray::from(word.as_str())).collect();
                    writer.write_batch(&there, Some(&definition(words)), None)?;
                }
                _ => return Err(ParquetError::General("a column of other values".into()).into()),
            }
            writer.close()?;
        }
        let group = group.close()?;
        self.out.flush()?;
        self.checksums.push(self.out.inner().sum.0);
        self.groups.push(Arc::unwrap_or_clone(group));
        self.rows += rows as u64;
        self.write_footer(false)
    }

    /// Ends the table and gives back what was written to.
    pub fn finish(mut self) -> Result<W, TraceError> {
        self.write_footer(true)?;
        Ok(self.out.into_inner()?.to)
    }

    fn write_footer(&mut self, complete: bool) -> Result<(), TraceError> {
        let footer = Footer {
            pairs: self.pairs.clone(),
            schema: &self.schema,
            groups: &self.groups,
            checksums: &self.checksums,
            ticks: self.rows,
            complete,
        };
        let footer = footer.to_bytes()?;
        self.out.write_all(&footer)?;
        Ok(self.out.flush()?)
    }
}

/// 1 where a cell is not empty.
fn definition<T>(cells: &[Option<T>]) -> Vec<i16> {
    cells.iter().map(|cell| i16::from(cell.is_some())).collect()
}

/// Puts the empty cells back.
fn spread<T>(definition: &[i16], values: Vec<T>) -> Vec<Option<T>> {
    let mut values = values.into_iter();
    definition.iter().map(|&level| if level == 1 { values.next() } else { None }).collect()
}

/// A table to read, also what is left of one that was cut off.
pub struct Table<R> {
    source: R,
    found: Found,
    checksums: Vec<u64>,
}

impl<R: Read + Seek> Table<R> {
    /// Opens a table.
    pub fn open(mut source: R) -> Result<Self, TraceError> {
        let found = footer::find(&mut source)?;
        if found.value("table").is_none() {
            return Err(TraceError::Foreign {
                what: "it does not say what its rows are about".into(),
                remedy: "give a file that `town run --record` wrote".into(),
            });
        }
        let sums = found.value("checksums").unwrap_or_default().split_whitespace();
        let checksums = sums.filter_map(|sum| u64::from_str_radix(sum, 16).ok()).collect();
        Ok(Table { source, found, checksums })
    }

    /// What the file says of itself.
    pub fn value(&self, key: &str) -> Option<&str> {
        self.found.value(key)
    }

    /// What was saved, in rows, if the table is not whole.
    pub fn cut(&self) -> Option<Cut> {
        let whole = self.found.lost == 0 && self.value("complete") == Some("true");
        let rows = self.found.metadata.file_metadata().num_rows();
        (!whole).then_some(Cut { ticks_saved: u64::try_from(rows).unwrap_or(0), bytes_lost: self.found.lost })
    }

    /// How many groups there are.
    pub fn groups(&self) -> usize {
        self.found.metadata.num_row_groups()
    }

    /// The columns of a group.
    ///
    /// # Panics
    /// If there is no such group.
    pub fn read(&mut self, group: usize) -> Result<Vec<Column>, TraceError> {
        let metadata = self.found.metadata.row_group(group);
        let damaged =
            |what: &str| TraceError::Damaged { place: format!("in group {group}"), what: what.to_owned() };
        let range = byte_range(metadata)
            .filter(|range| range.end <= self.found.start)
            .ok_or_else(|| damaged("its place is not inside the file"))?;
        let bytes = footer::read_at(&mut self.source, range.start, (range.end - range.start) as usize)?;
        if self.checksums.get(group) != Some(&Checksum::of(&bytes).0) {
            return Err(damaged("its checksum is not that of what was recorded"));
        }
        let chunk = Arc::new(Chunk { start: range.start, bytes: bytes.into() });
        let properties = Arc::new(ReaderProperties::builder().build());
        let reader =
            SerializedRowGroupReader::new(chunk, metadata, RowGroupPageIndex::new(group, None), properties)?;
        let rows = usize::try_from(metadata.num_rows()).unwrap_or(0);
        let mut columns = Vec::new();
        for index in 0..metadata.num_columns() {
            columns.push(match reader.get_column_reader(index)? {
                ColumnReader::Int32ColumnReader(mut reader) => {
                    let mut numbers = Vec::new();
                    reader.read_records(rows, None, None, &mut numbers)?;
                    Column::U32(numbers.into_iter().map(|number| number as u32).collect())
                }
                ColumnReader::Int64ColumnReader(mut reader) => {
                    let mut numbers = Vec::new();
                    reader.read_records(rows, None, None, &mut numbers)?;
                    Column::U64(numbers.into_iter().map(|number| number as u64).collect())
                }
                ColumnReader::DoubleColumnReader(mut reader) => {
                    let (mut numbers, mut levels) = (Vec::new(), Vec::new());
                    reader.read_records(rows, Some(&mut levels), None, &mut numbers)?;
                    Column::Real(spread(&levels, numbers))
                }
                ColumnReader::ByteArrayColumnReader(mut reader) => {
                    let (mut words, mut levels) = (Vec::new(), Vec::new());
                    reader.read_records(rows, Some(&mut levels), None, &mut words)?;
                    let words = words.iter().map(|word| Ok(word.as_utf8()?.to_owned()));
                    Column::Text(spread(&levels, words.collect::<Result<_, ParquetError>>()?))
                }
                _ => return Err(damaged("a column of a type that tables do not have")),
            });
        }
        match columns.iter().all(|column| column.len() == rows) {
            true => Ok(columns),
            false => Err(damaged("a column has too few rows")),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;

    #[test]
    fn cut_anywhere_it_reads_up_to_the_last_group() {
        let mut recorder =
            TableRecorder::new(Vec::new(), "town", &[("tick", 32), ("hash", 64)], vec![]).unwrap();
        let group = |from: u32| {
            [
                Column::U32((from..from + 50).collect()),
                Column::U64(
                    (from..from + 50)
                        .map(|tick| u64::from(tick).wrapping_mul(0x9e37_79b9_7f4a_7c15))
                        .collect(),
                ),
            ]
        };
        for number in 0..5 {
            recorder.push(&group(number * 50)).unwrap();
        }
        let file = recorder.finish().unwrap();
        let mut seen = std::collections::BTreeSet::new();
        for cut in (0..=file.len()).step_by(7).chain([file.len()]) {
            let Ok(mut table) = Table::open(Cursor::new(&file[..cut])) else { continue };
            assert_eq!(table.cut().is_none(), cut == file.len());
            seen.insert(table.groups());
            for number in 0..table.groups() {
                assert_eq!(table.read(number).unwrap(), group(number as u32 * 50));
            }
        }
        assert_eq!(seen.into_iter().collect::<Vec<_>>(), [1, 2, 3, 4, 5]);
    }
}
