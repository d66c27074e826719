//! What can be wrong with a recording, where, and what would be right.

use crate::FORMAT;
use crate::check::FINITE_REMEDY;

/// A recording could not be written or read.
#[derive(Debug, thiserror::Error)]
pub enum TraceError {
    /// Reading or writing failed.
    #[error(transparent)]
    Io(#[from] std::io::Error),

    /// Begins like gzip, but is damaged or cut off.
    #[error("it begins like gzip but cannot be unpacked: {0}\n  remedy: fetch or pack the file again")]
    Gzip(#[source] std::io::Error),

    /// The file is something else altogether.
    #[error(
        "this is not a Parquet file: it does not begin with `PAR1`\n  remedy: give a file that `repertoire record` wrote, or a .csv that was made from one"
    )]
    NotParquet,

    /// Parquet, but without an end, and there is no earlier point to go back to.
    #[error(
        "the file was cut off or damaged before anything in it was complete ({bytes} bytes are left): nothing can be saved\n  remedy: record the match again"
    )]
    NothingSaved {
        /// How many bytes there are.
        bytes: u64,
    },

    /// A good file, but not of our schema.
    #[error("this is no recording: {what}\n  remedy: {remedy}")]
    Foreign {
        /// Which column or key is missing or of another type.
        what: String,
        /// What a recording has there.
        remedy: String,
    },

    /// A recording of another version of the format.
    #[error("the recording has the format `{found}`, and this program reads `{FORMAT}`\n  remedy: read it with the version of repertoire that wrote it{}", written_by(.program))]
    OtherVersion {
        /// What the file says.
        found: String,
        /// The program that wrote it, if the file says so.
        program: String,
    },

    /// What the file holds is not what was written.
    #[error(
        "the recording is damaged {place}: {what}\n  remedy: what is before that can be read; for the rest, record the match again"
    )]
    Damaged {
        /// Where: ticks, rows or bytes.
        place: String,
        /// What is wrong there.
        what: String,
    },

    /// A number in it is infinite or none. Whoever learned from it would learn nothing but such numbers.
    #[error(
        "row {row} (tick {tick}, character {character}; the first row is 0): `{column}` is {value}, not a finite number\n  remedy: {FINITE_REMEDY}"
    )]
    NotFinite {
        /// The row, counted from 0.
        row: usize,
        /// The tick.
        tick: u32,
        /// The character.
        character: u8,
        /// The column; in a list with the element: `characters[2].vx`.
        column: String,
        /// What stands there.
        value: f64,
    },

    /// What was to be recorded, or was read, is no recording of a match.
    #[error("tick {tick} cannot be kept: {what}")]
    Refused {
        /// The tick.
        tick: u32,
        /// What is wrong with it.
        what: String,
    },

    /// The facts about the match are no such facts.
    #[error("the recording's `{key}` is wrong: {what}\n  remedy: {remedy}")]
    Header {
        /// Which.
        key: String,
        /// What is wrong.
        what: String,
        /// What would be right.
        remedy: String,
    },

    /// Another game's demo, or what was to be one, cannot be read.
    #[error("{what}\n  remedy: {remedy}")]
    Demo {
        /// What is wrong.
        what: String,
        /// What would be right.
        remedy: String,
    },

    /// A text file with a mistake.
    #[error(transparent)]
    Csv(#[from] CsvMistake),

    /// The Parquet library failed.
    #[error(transparent)]
    Parquet(#[from] parquet::errors::ParquetError),
}

fn written_by(program: &str) -> String {
    if program.is_empty() { String::new() } else { format!(" ({program})") }
}

/// A mistake in a CSV recording.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}{}: {what}\n  remedy: {remedy}", in_column(.column))]
pub struct CsvMistake {
    /// Line, counted from 1.
    pub line: u64,
    /// The column's name, if it is in one.
    pub column: String,
    /// What is wrong.
    pub what: String,
    /// What would be right.
    pub remedy: String,
}

fn in_column(column: &str) -> String {
    if column.is_empty() { String::new() } else { format!(", column `{column}`") }
}
