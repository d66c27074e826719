//! Writing a recording, tick by tick.

use std::io::Write;
use std::ops::RangeInclusive;
use std::sync::Arc;

use parquet::file::metadata::RowGroupMetaData;
use parquet::file::properties::WriterPropertiesPtr;
use parquet::file::writer::TrackedWrite;
use parquet::schema::types::{SchemaDescPtr, SchemaDescriptor};

use super::footer::Footer;
use super::{Checksum, MAGIC, Summing, group, schema};
use crate::check::{Check, Refusal};
use crate::columns::Flat;
use crate::{Header, Tick, TraceError};

/// Records a match.
///
/// Keeps the rows of one group in memory, a few megabytes at most. One that is dropped without
/// [`Recorder::finish`] leaves a file that can be read up to its last group.
///
/// ```
/// use repertoire_mind::{Command, Percept};
/// use repertoire_trace::{Header, Recorder, Row, Tick, TraceError};
///
/// let mut recorder = Recorder::new(Vec::new(), Header::new("my game", "cellar", 7, 0.1, ["ann", "bot"]))?;
/// for tick in 0..10 {
///     let percept = Percept { tick, period_secs: 0.1, ..Percept::default() };
///     let command = Command { forward: 1.0, ..Command::default() };
///     let ann = Row { percept: Some(percept), command: Some(command), ..Row::of(0) };
///     let bot = Row { alive: false, ..Row::of(1) };
///     recorder.push(Tick { tick, state_hash: 0, rows: vec![ann, bot] })?;
/// }
/// // A number that is none is refused, and leaves the recording as it was.
/// let lost = Row { command: Some(Command { yaw: f64::NAN, ..Command::default() }), ..Row::of(0) };
/// let refused = recorder.push(Tick { tick: 10, state_hash: 0, rows: vec![lost] });
/// assert!(matches!(refused, Err(TraceError::Refused { tick: 10, .. })));
/// let file: Vec<u8> = recorder.finish()?;
/// # Ok::<(), TraceError>(())
/// ```
pub struct Recorder<W: Write + Send> {
    out: TrackedWrite<Summing<W>>,
    header: Header,
    schema: SchemaDescPtr,
    properties: WriterPropertiesPtr,
    check: Check,
    group_ticks: RangeInclusive<u64>,
    rows: Vec<Flat>,
    ticks_in_group: u64,
    ticks_written: u64,
    groups: Vec<RowGroupMetaData>,
    checksums: Vec<u64>,
    /// Where the last footer ends.
    footer_end: usize,
    failed: bool,
}

impl<W: Write + Send> Recorder<W> {
    /// Begins a recording.
    pub fn new(out: W, header: Header) -> Result<Self, TraceError> {
        header.check()?;
        let mut out = TrackedWrite::new(Summing { to: out, sum: Checksum::EMPTY });
        out.write_all(MAGIC)?;
        Ok(Recorder {
            out,
            schema: Arc::new(SchemaDescriptor::new(schema::schema(header.has_led())?)),
            properties: Arc::new(schema::properties()),
            check: Check::new(&header),
            header,
            group_ticks: 50..=600,
            rows: Vec::new(),
            ticks_in_group: 0,
            ticks_written: 0,
            groups: Vec::new(),
            checksums: Vec::new(),
            footer_end: 0,
            failed: false,
        })
    }

    /// How many ticks a group has: as many as all before it, but at least and at most so many. Short groups lose less
    /// to a cut, long ones compress better and are faster to read; 50 to 600 unless told.
    pub fn group_ticks(mut self, ticks: RangeInclusive<u32>) -> Self {
        let least = (*ticks.start()).max(1);
        self.group_ticks = u64::from(least)..=u64::from((*ticks.end()).max(least));
        self
    }

    /// Which match this is.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// Records the next tick. One that is refused leaves the recording as it was; after any other failure the
    /// recording takes no more, and can be read up to its last group.
    pub fn push(&mut self, tick: Tick) -> Result<(), TraceError> {
        self.refuse_after_failure()?;
        let number = tick.tick;
        let refused = |why: Refusal| TraceError::Refused { tick: number, what: why.to_string() };
        self.rows.extend(self.check.take(tick).map_err(refused)?);
        self.ticks_in_group += 1;
        if self.ticks_in_group < self.ticks_written.clamp(*self.group_ticks.start(), *self.group_ticks.end())
        {
            return Ok(());
        }
        self.failed = true;
        self.write_group()?;
        let footer = self.footer(false)?;
        if footer.len() <= self.out.bytes_written() - self.footer_end {
            self.write_footer(&footer)?;
        }
        self.failed = false;
        Ok(())
    }

    /// Ends the recording and gives back what was written to.
    pub fn finish(mut self) -> Result<W, TraceError> {
        self.refuse_after_failure()?;
        if !self.rows.is_empty() {
            self.write_group()?;
        }
        let footer = self.footer(true)?;
        self.write_footer(&footer)?;
        Ok(self.out.into_inner()?.to)
    }

    fn refuse_after_failure(&self) -> Result<(), TraceError> {
        match self.failed {
            true => Err(std::io::Error::other("writing this recording has failed before").into()),
            false => Ok(()),
        }
    }

    fn write_group(&mut self) -> Result<(), TraceError> {
        // What is on its way belongs to what comes before the group.
        self.out.flush()?;
        self.out.inner_mut().sum = Checksum::EMPTY;
        let ordinal = i32::try_from(self.groups.len()).map_err(std::io::Error::other)?;
        let group = group::write(
            (&self.rows, self.header.has_led()),
            &mut self.out,
            &self.schema,
            &self.properties,
            ordinal,
        )?;
        self.out.flush()?;
        self.checksums.push(self.out.inner().sum.0);
        self.groups.push(Arc::unwrap_or_clone(group));
        self.rows.clear();
        self.ticks_written += self.ticks_in_group;
        self.ticks_in_group = 0;
        Ok(())
    }

    fn footer(&self, complete: bool) -> Result<Vec<u8>, TraceError> {
        let footer = Footer {
            pairs: self.header.to_text()?,
            schema: &self.schema,
            groups: &self.groups,
            checksums: &self.checksums,
            ticks: self.ticks_written,
            complete,
        };
        footer.to_bytes()
    }

    fn write_footer(&mut self, footer: &[u8]) -> Result<(), TraceError> {
        self.out.write_all(footer)?;
        self.out.flush()?;
        self.footer_end = self.out.bytes_written();
        Ok(())
    }
}
