//! The columns as a Parquet schema: how it is written, and which files can be read.

use std::sync::Arc;

use parquet::basic::{Compression, ConvertedType, Encoding, LogicalType, Repetition, Type as Physical};
use parquet::errors::ParquetError;
use parquet::file::metadata::{ParquetMetaData, RowGroupMetaData};
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::schema::types::{ColumnPath, SchemaDescriptor, Type, TypePtr};

use crate::TraceError;
use crate::columns::{FIELDS, Field, Flat, Kind, LISTS, names, written};

pub(super) fn physical(kind: Kind) -> Physical {
    match kind {
        Kind::Bool => Physical::BOOLEAN,
        Kind::U8 | Kind::U16 | Kind::U32 | Kind::I32 => Physical::INT32,
        Kind::U64 => Physical::INT64,
        Kind::Float | Kind::Level => Physical::DOUBLE,
        Kind::Text => Physical::BYTE_ARRAY,
    }
}

/// What readers should take the bits for.
fn logical(kind: Kind) -> Option<LogicalType> {
    let integer = |bit_width, is_signed| Some(LogicalType::integer(bit_width, is_signed));
    match kind {
        Kind::Bool | Kind::Float | Kind::Level => None,
        Kind::U8 => integer(8, false),
        Kind::U16 => integer(16, false),
        Kind::U32 => integer(32, false),
        Kind::I32 => integer(32, true),
        Kind::U64 => integer(64, false),
        Kind::Text => Some(LogicalType::String),
    }
}

/// The schema that recordings are written with; with columns for those who are led where somebody is.
pub(super) fn schema(has_led: bool) -> Result<TypePtr, ParquetError> {
    let mut columns = Vec::new();
    for field in written(has_led) {
        columns.push(leaf(field.name, field.kind, field.optional)?);
    }
    for list in LISTS {
        let members =
            (list.leaves)().into_iter().map(|member| leaf(member.name, member.kind, member.optional));
        let element = group("element", Repetition::REQUIRED, members.collect::<Result<_, _>>()?).build()?;
        let repeated = group("list", Repetition::REPEATED, vec![Arc::new(element)]).build()?;
        let list = group(list.name, Repetition::REQUIRED, vec![Arc::new(repeated)])
            .with_logical_type(Some(LogicalType::List))
            .with_converted_type(ConvertedType::LIST);
        columns.push(Arc::new(list.build()?));
    }
    Ok(Arc::new(Type::group_type_builder("recording").with_fields(columns).build()?))
}

fn leaf(name: &str, kind: Kind, optional: bool) -> Result<TypePtr, ParquetError> {
    let repetition = if optional { Repetition::OPTIONAL } else { Repetition::REQUIRED };
    let leaf = Type::primitive_type_builder(name, physical(kind))
        .with_repetition(repetition)
        .with_logical_type(logical(kind));
    Ok(Arc::new(leaf.build()?))
}

fn group(
    name: &str,
    repetition: Repetition,
    fields: Vec<TypePtr>,
) -> parquet::schema::types::GroupTypeBuilder<'_> {
    Type::group_type_builder(name).with_repetition(repetition).with_fields(fields)
}

/// How columns are encoded: measured numbers byte by byte across rows (their first bytes repeat), everything that
/// repeats by number. Only what readers may want to skip by (`tick`, `character`) has statistics, since they make
/// footers longer.
pub(super) fn properties() -> WriterProperties {
    let mut builder = WriterProperties::builder()
        .set_compression(Compression::SNAPPY)
        .set_statistics_enabled(EnabledStatistics::None)
        .set_offset_index_disabled(true);
    for (path, kind, _) in paths() {
        let path = ColumnPath::new(path);
        if kind == Kind::Float {
            builder = builder
                .set_column_dictionary_enabled(path.clone(), false)
                .set_column_encoding(path, Encoding::BYTE_STREAM_SPLIT);
        }
    }
    for name in ["tick", "character"] {
        builder = builder.set_column_statistics_enabled(ColumnPath::from(name), EnabledStatistics::Chunk);
    }
    builder
        .set_column_dictionary_enabled(ColumnPath::from("tick"), false)
        .set_column_encoding(ColumnPath::from("tick"), Encoding::DELTA_BINARY_PACKED)
        .build()
}

/// The path and kind of every column, lists taken apart, and whether older recordings lack it.
fn paths() -> Vec<(Vec<String>, Kind, bool)> {
    let field = |field: &Field<Flat>| (vec![field.name.to_owned()], field.kind, field.is_later);
    let mut paths: Vec<_> = FIELDS.iter().map(field).collect();
    for list in LISTS {
        paths.extend((list.leaves)().iter().map(|member| {
            let path = [list.name, "list", "element", member.name].map(str::to_owned);
            (path.to_vec(), member.kind, false)
        }));
    }
    paths
}

/// Where a file has our columns: for each of [`paths`] the number of its column; none where an older recording lacks it.
pub(super) fn find_columns(schema: &SchemaDescriptor) -> Result<Vec<Option<usize>>, TraceError> {
    let is_there = |path: &[String]| schema.columns().iter().any(|column| column.path().parts() == path);
    paths()
        .iter()
        .map(|(path, kind, is_later)| match *is_later && !is_there(path) {
            true => Ok(None),
            false => find_column(schema, path, *kind).map(Some),
        })
        .collect()
}

fn find_column(schema: &SchemaDescriptor, path: &[String], kind: Kind) -> Result<usize, TraceError> {
    let name = match path {
        [name] => format!("`{name}`"),
        [list, .., member] => format!("`{list}` (its member `{member}`)"),
        [] => String::new(),
    };
    // Programs call the two levels between a list and its members by different names.
    let same = |parts: &[String]| {
        parts.len() == path.len() && parts.first() == path.first() && parts.last() == path.last()
    };
    let Some(at) = schema.columns().iter().position(|column| same(column.path().parts())) else {
        return Err(TraceError::Foreign {
            what: format!("it has no column {name}"),
            remedy: format!("give a recording; its columns are {}", names().collect::<Vec<_>>().join(", ")),
        });
    };
    let column = schema.column(at);
    if column.max_rep_level() != i16::from(path.len() > 1) {
        let (is, should) =
            if path.len() > 1 { ("not a list", "a list") } else { ("a list", "one value a row") };
        return Err(TraceError::Foreign {
            what: format!("its column {name} is {is}"),
            remedy: format!("give a recording; there it is {should}"),
        });
    }
    if column.physical_type() != physical(kind) {
        return Err(TraceError::Foreign {
            what: format!("its column {name} has the type {}", column.physical_type()),
            remedy: format!(
                "give a recording; there it has the type {} ({})",
                physical(kind),
                kind.expected()
            ),
        });
    }
    Ok(at)
}

/// Refuses what this program has no means to unpack, before a reader takes it for damage.
pub(super) fn check_compression(metadata: &ParquetMetaData) -> Result<(), TraceError> {
    for column in metadata.row_groups().iter().flat_map(RowGroupMetaData::columns) {
        if !matches!(column.compression(), Compression::SNAPPY | Compression::UNCOMPRESSED) {
            return Err(TraceError::Foreign {
                what: format!(
                    "its column `{}` is compressed as {}",
                    column.column_path(),
                    column.compression()
                ),
                remedy: "write it with the compression `snappy`, or with none".to_owned(),
            });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_schema_is_what_readers_of_recordings_rely_on() {
        let mut text = Vec::new();
        parquet::schema::printer::print_schema(&mut text, &schema(false).expect("the schema is sound"));
        insta::assert_snapshot!(String::from_utf8(text).expect("a schema is text"));
    }

    #[test]
    fn finds_its_own_columns_in_order() {
        let schema = SchemaDescriptor::new(schema(true).expect("the schema is sound"));
        let found = find_columns(&schema).expect("they are all there");
        assert_eq!(found, (0..schema.num_columns()).map(Some).collect::<Vec<_>>());
    }
}
