//! Recordings as Parquet files that survive being cut off.
//!
//! A Parquet file is groups of rows followed by a footer that says where they are; a file without its footer is
//! lost. So a footer is written after every group, and the next group after that: readers only follow the offsets of
//! the last footer and never see the earlier ones, and what is left of a file that was cut off ends somewhere behind
//! one of them. [`Recording::open`] looks for it, backwards from the cut; everything before it is a complete
//! Parquet file, and [`Recording::cut`] says what was saved.
//!
//! ```text
//! PAR1 | group 0 | seal 0 | footer 0, length, PAR1 | group 1 | seal 1 | footer 0+1, length, PAR1 | ...
//! ```
//!
//! - A group is as long as everything before it, at least 5 and at most 60 seconds of a match at 10 Hz: a cut loses at
//!   most about half of a short recording, and a minute of a long one.
//! - A footer lists all groups before it, and holds the map. It is left out where it would be longer than what was
//!   written since the last one, so that footers never make up more than half of a file.
//! - A *seal* is 16 bytes before each footer: a mark and the footer's checksum (FNV-1a). The footer's key `checksums`
//!   has one number a group. What is read is what was written, or else the reader says where it is damaged.
//! - Programs that read a recording and write it again (pyarrow, if it keeps the metadata) drop the seal; such a file is
//!   read without checksums. Columns may then be in another order, nullable, or more than ours.
//!
//! Rejected: page checksums, which the format has and the library cannot write; a journal beside the file, which gets
//! separated from it.

mod footer;
mod group;
mod recorder;
mod recording;
mod schema;
mod table;

pub use recorder::Recorder;
pub use recording::{Cut, Recording, Ticks};
pub use table::{Column, ColumnType, Table, TableRecorder};

use std::io::Write;

const MAGIC: &[u8; 4] = b"PAR1";

/// A checksum that grows with the bytes: FNV-1a, whose every step is one to one, so that no single changed byte goes
/// unnoticed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Checksum(u64);

impl Checksum {
    const EMPTY: Checksum = Checksum(0xcbf2_9ce4_8422_2325);

    fn add(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }

    fn of(bytes: &[u8]) -> Self {
        let mut sum = Checksum::EMPTY;
        sum.add(bytes);
        sum
    }
}

/// Sums up what passes.
struct Summing<W> {
    to: W,
    sum: Checksum,
}

impl<W: Write> Write for Summing<W> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let written = self.to.write(bytes)?;
        self.sum.add(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.to.flush()
    }
}
