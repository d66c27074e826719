//! Recordings as text: the same columns, for spreadsheets and for those who write their own.
//!
//! The first lines are `# key: value` with the header's facts, each value as JSON; then the columns' names, then a line
//! a row. Lists are JSON in one cell, with the same members as in Parquet; an empty cell is null. Numbers are the
//! shortest text that reads back as the same bits, so that Parquet to CSV to Parquet loses nothing.
//!
//! Columns may stand in any order, and others may stand between them. pandas reads such a file with
//! `read_csv(file, comment="#")`, and before version 3 bit for bit with `float_precision="round_trip"`.

mod cell;
mod read;
mod write;

pub use read::CsvReader;
pub(crate) use read::unreadable;
pub use write::CsvWriter;
