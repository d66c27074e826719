//! Writing a recording as text.

use std::io::Write;

use super::cell;
use crate::check::{Check, Refusal};
use crate::columns::{Flat, LISTS, written};
use crate::{Header, Tick, TraceError};

/// Writes a recording as CSV.
pub struct CsvWriter<W: Write> {
    out: csv::Writer<W>,
    check: Check,
    has_led: bool,
}

impl<W: Write> CsvWriter<W> {
    /// Writes the header's facts and the columns' names.
    pub fn new(mut out: W, header: &Header) -> Result<Self, TraceError> {
        header.check()?;
        for (key, value) in header.to_json()? {
            writeln!(out, "# {key}: {value}")?;
        }
        // Cells with a # are quoted: readers that take it for a comment must not stop there.
        let mut out = csv::WriterBuilder::new().comment(Some(b'#')).from_writer(out);
        let has_led = header.has_led();
        let fields = written(has_led).map(|field| field.name);
        out.write_record(fields.chain(LISTS.iter().map(|list| list.name))).map_err(failed)?;
        Ok(CsvWriter { out, check: Check::new(header), has_led })
    }

    /// Writes the next tick.
    pub fn push(&mut self, tick: Tick) -> Result<(), TraceError> {
        let number = tick.tick;
        let refused = |why: Refusal| TraceError::Refused { tick: number, what: why.to_string() };
        let rows = self.check.take(tick).map_err(refused)?;
        rows.iter().try_for_each(|row| self.write_row(row))
    }

    /// Writes what is left and gives back what was written to.
    pub fn finish(self) -> Result<W, TraceError> {
        self.out.into_inner().map_err(|error| TraceError::Io(error.into_error()))
    }

    fn write_row(&mut self, row: &Flat) -> Result<(), TraceError> {
        for field in written(self.has_led) {
            self.out.write_field(cell::print((field.get)(row))).map_err(failed)?;
        }
        for list in LISTS {
            self.out.write_field(cell::print_list(list, row)).map_err(failed)?;
        }
        self.out.write_record(None::<&[u8]>).map_err(failed)
    }
}

fn failed(error: csv::Error) -> TraceError {
    TraceError::Io(error.into())
}
