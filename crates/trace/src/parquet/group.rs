//! Rows to columns and back: one group of a file.
//!
//! Parquet keeps a list's elements of all rows in one column and says with two small numbers a value which belong
//! together: the repetition level is 0 where a row begins, 1 where its list goes on; the definition level grows with
//! everything on the way to the value that is there (the list has an element, the value is not null).

use std::io::Write;

use parquet::column::reader::ColumnReader;
use parquet::column::writer::ColumnWriter;
use parquet::data_type::ByteArray;
use parquet::errors::ParquetError;
use parquet::file::metadata::RowGroupMetaDataPtr;
use parquet::file::properties::WriterPropertiesPtr;
use parquet::file::reader::RowGroupReader;
use parquet::file::writer::{SerializedRowGroupWriter, TrackedWrite};
use parquet::schema::types::{SchemaDescPtr, SchemaDescriptor};

use crate::TraceError;
use crate::columns::{FIELDS, Flat, Kind, LISTS, List, Value, written};

/// A column in memory.
#[derive(Default)]
struct Column {
    values: Values,
    definition: Vec<i16>,
    repetition: Vec<i16>,
}

#[derive(Default)]
enum Values {
    #[default]
    None,
    Bool(Vec<bool>),
    Int32(Vec<i32>),
    Int64(Vec<i64>),
    Double(Vec<f64>),
    Bytes(Vec<ByteArray>),
}

impl Values {
    fn new(kind: Kind) -> Self {
        match kind {
            Kind::Bool => Values::Bool(Vec::new()),
            Kind::U8 | Kind::U16 | Kind::U32 | Kind::I32 => Values::Int32(Vec::new()),
            Kind::U64 => Values::Int64(Vec::new()),
            Kind::Float | Kind::Level => Values::Double(Vec::new()),
            Kind::Text => Values::Bytes(Vec::new()),
        }
    }

    /// Whole numbers keep their low bits, which is how Parquet has unsigned ones.
    fn push(&mut self, value: Value<'_>) {
        match (self, value) {
            (Values::Bool(values), Value::Bool(value)) => values.push(value),
            (Values::Int32(values), Value::Int(value)) => values.push(value as i32),
            (Values::Int64(values), Value::Int(value)) => values.push(value as i64),
            (Values::Double(values), Value::Float(value)) => values.push(value),
            (Values::Bytes(values), Value::Text(text)) => match values.last() {
                // Words repeat, and a clone only counts.
                Some(last) if last.data() == text.as_bytes() => values.push(last.clone()),
                _ => values.push(ByteArray::from(text)),
            },
            (_, value) => debug_assert!(false, "{value:?} is not of its column's kind"),
        }
    }

    fn get(&self, kind: Kind, at: usize) -> Option<Value<'_>> {
        Some(match self {
            Values::None => return None,
            Values::Bool(values) => Value::Bool(*values.get(at)?),
            Values::Int32(values) if kind == Kind::I32 => Value::Int(i128::from(*values.get(at)?)),
            Values::Int32(values) => Value::Int(i128::from(*values.get(at)? as u32)),
            Values::Int64(values) => Value::Int(i128::from(*values.get(at)? as u64)),
            Values::Double(values) => Value::Float(*values.get(at)?),
            Values::Bytes(values) => Value::Text(std::str::from_utf8(values.get(at)?.data()).ok()?),
        })
    }
}

/// Writes rows as a group.
pub(super) fn write<W: Write + Send>(
    (rows, has_led): (&[Flat], bool),
    out: &mut TrackedWrite<W>,
    schema: &SchemaDescPtr,
    properties: &WriterPropertiesPtr,
    ordinal: i32,
) -> Result<RowGroupMetaDataPtr, ParquetError> {
    let mut group = SerializedRowGroupWriter::new(schema.clone(), properties.clone(), out, ordinal, None);
    for field in written(has_led) {
        let mut column = Column { values: Values::new(field.kind), ..Column::default() };
        for row in rows {
            let value = (field.get)(row);
            if field.optional {
                column.definition.push(i16::from(value != Value::Null));
            }
            if value != Value::Null {
                column.values.push(value);
            }
        }
        column.write(&mut group)?;
    }
    for list in LISTS {
        for (leaf, member) in (list.leaves)().iter().enumerate() {
            let mut column = Column { values: Values::new(member.kind), ..Column::default() };
            for row in rows {
                column.push_list(list, row, leaf, member.optional);
            }
            column.write(&mut group)?;
        }
    }
    group.close()
}

impl Column {
    /// One row's elements: level 0 says that there are none, 1 that there is one, 2 that an optional member of it is
    /// there too.
    fn push_list(&mut self, list: &List, row: &Flat, leaf: usize, optional: bool) {
        let count = (list.len)(row);
        if count == 0 {
            self.definition.push(0);
            self.repetition.push(0);
        }
        for element in 0..count {
            let value = (list.get)(row, element, leaf);
            self.repetition.push(i16::from(element > 0));
            self.definition.push(if optional && value != Value::Null { 2 } else { 1 });
            if value != Value::Null {
                self.values.push(value);
            }
        }
    }

    fn write<W: Write + Send>(self, group: &mut SerializedRowGroupWriter<'_, W>) -> Result<(), ParquetError> {
        let none_left = || ParquetError::General("the schema has fewer columns than rows have".to_owned());
        let mut writer = group.next_column()?.ok_or_else(none_left)?;
        let definition = Some(&self.definition[..]).filter(|levels| !levels.is_empty());
        let repetition = Some(&self.repetition[..]).filter(|levels| !levels.is_empty());
        match (writer.untyped(), &self.values) {
            (ColumnWriter::BoolColumnWriter(to), Values::Bool(values)) => {
                to.write_batch(values, definition, repetition)?
            }
            (ColumnWriter::Int32ColumnWriter(to), Values::Int32(values)) => {
                to.write_batch(values, definition, repetition)?
            }
            (ColumnWriter::Int64ColumnWriter(to), Values::Int64(values)) => {
                to.write_batch(values, definition, repetition)?
            }
            (ColumnWriter::DoubleColumnWriter(to), Values::Double(values)) => {
                to.write_batch(values, definition, repetition)?
            }
            (ColumnWriter::ByteArrayColumnWriter(to), Values::Bytes(values)) => {
                to.write_batch(values, definition, repetition)?
            }
            _ => return Err(ParquetError::General("a column's type is not its schema's".to_owned())),
        };
        writer.close()
    }

    fn read(group: &dyn RowGroupReader, at: usize, rows: usize) -> Result<Self, ParquetError> {
        let mut column = Column::default();
        let Column { values, definition, repetition } = &mut column;
        let levels = (Some(definition), Some(repetition));
        macro_rules! read {
            ($reader:ident, $kind:ident) => {{
                let mut read = Vec::new();
                let (records, _, _) = $reader.read_records(rows, levels.0, levels.1, &mut read)?;
                *values = Values::$kind(read);
                records
            }};
        }
        let records = match group.get_column_reader(at)? {
            ColumnReader::BoolColumnReader(mut reader) => read!(reader, Bool),
            ColumnReader::Int32ColumnReader(mut reader) => read!(reader, Int32),
            ColumnReader::Int64ColumnReader(mut reader) => read!(reader, Int64),
            ColumnReader::DoubleColumnReader(mut reader) => read!(reader, Double),
            ColumnReader::ByteArrayColumnReader(mut reader) => read!(reader, Bytes),
            _ => 0,
        };
        if records != rows {
            return Err(ParquetError::General(format!("a column has {records} rows instead of {rows}")));
        }
        Ok(column)
    }
}

/// Reads a group's rows; `columns` are the numbers of ours in the file, `first_row` says where the group is, for
/// people.
pub(super) fn read(
    group: &dyn RowGroupReader,
    schema: &SchemaDescriptor,
    columns: &[Option<usize>],
    first_row: usize,
) -> Result<Vec<Flat>, TraceError> {
    let count = usize::try_from(group.metadata().num_rows()).unwrap_or(0);
    let mut columns = columns.iter().copied();
    let mut next = || -> Result<Option<(Column, Levels)>, TraceError> {
        let Some(at) = columns.next().flatten() else { return Ok(None) };
        Ok(Some((Column::read(group, at, count)?, Levels::of(schema, at))))
    };
    let mut rows: Vec<Flat> = Vec::new();
    for field in FIELDS {
        let Some((column, levels)) = next()? else { continue };
        // Only now is it sure that the file really has so many rows.
        rows.resize_with(count, Flat::default);
        let mut taken = 0;
        for (index, row) in rows.iter_mut().enumerate() {
            let there = levels.value == 0 || column.definition.get(index) == Some(&levels.value);
            let value = if there { column.values.get(field.kind, taken) } else { Some(Value::Null) };
            taken += usize::from(there);
            put(value, |value| (field.set)(row, value)).map_err(wrong(first_row + index, field.name))?;
        }
    }
    for list in LISTS {
        for (leaf, member) in (list.leaves)().iter().enumerate() {
            let Some((column, levels)) = next()? else { continue };
            let mut elements = Elements { column: &column, levels, at: 0, taken: 0 };
            for (index, row) in rows.iter_mut().enumerate() {
                elements
                    .fill(row, list, leaf, member.kind)
                    .map_err(wrong(first_row + index, &format!("{}.{}", list.name, member.name)))?;
            }
        }
    }
    Ok(rows)
}

/// The definition levels that matter. Other programs make more of a column optional than we do, so they are the
/// file's.
#[derive(Clone, Copy)]
struct Levels {
    /// From here on the list has an element; 0 where there is no list.
    element: i16,
    /// Here there is a value.
    value: i16,
}

impl Levels {
    fn of(schema: &SchemaDescriptor, column: usize) -> Self {
        let column = schema.column(column);
        Levels { element: column.repeated_ancestor_def_level(), value: column.max_def_level() }
    }
}

/// Goes through a list's column row by row.
struct Elements<'a> {
    column: &'a Column,
    levels: Levels,
    /// The next level.
    at: usize,
    /// The next value.
    taken: usize,
}

impl Elements<'_> {
    /// The next row's elements. The first member makes them, the others must have as many.
    fn fill(&mut self, row: &mut Flat, list: &List, leaf: usize, kind: Kind) -> Result<(), String> {
        let mut element = 0;
        while let Some(&definition) = self.column.definition.get(self.at) {
            let goes_on = self.column.repetition.get(self.at).is_some_and(|&level| level > 0);
            if element > 0 && !goes_on {
                break;
            }
            self.at += 1;
            if definition < self.levels.element {
                break;
            }
            let there = definition == self.levels.value;
            let value = if there { self.column.values.get(kind, self.taken) } else { Some(Value::Null) };
            self.taken += usize::from(there);
            if leaf == 0 {
                (list.grow)(row).map_err(|expected| format!("it should be {expected}"))?;
            }
            if element >= (list.len)(row) {
                return Err("its members have different numbers of elements".to_owned());
            }
            put(value, |value| (list.set)(row, element, leaf, value))?;
            element += 1;
        }
        if element != (list.len)(row) {
            return Err("its members have different numbers of elements".to_owned());
        }
        Ok(())
    }
}

fn put(value: Option<Value<'_>>, set: impl FnOnce(Value<'_>) -> Result<(), String>) -> Result<(), String> {
    let value = value.ok_or("a value is missing or no UTF-8")?;
    set(value).map_err(|expected| match value {
        Value::Null => format!("it is empty and should be {expected}"),
        Value::Bool(found) => format!("it is {found} and should be {expected}"),
        Value::Int(found) => format!("it is {found} and should be {expected}"),
        Value::Float(found) => format!("it is {found} and should be {expected}"),
        Value::Text(found) => format!("it is `{found}` and should be {expected}"),
    })
}

fn wrong(row: usize, column: &str) -> impl FnOnce(String) -> TraceError {
    let place = format!("in row {row}, column `{column}` (the first row is 0)");
    move |what| TraceError::Damaged { place, what }
}
