//! A run of a town as a table: what everybody begins to do, and a hash of the whole town every hour; and the run repeated from it.

use std::io::{Read, Seek, Write};
use std::sync::Arc;

use repertoire_trace::{Column, Table, TableRecorder, TraceError};
use repertoire_worlds::town::{Event, Minds, Town, read};

/// The columns of a recording: a row for each thing that somebody begins, and at every hour a row for the whole town with its
/// hash (`inhabitant` is then [`WHOLE`]).
pub const COLUMNS: [(&str, u8); 10] = [
    ("tick", 32),
    ("inhabitant", 32),
    ("class", 32),
    ("phase", 32),
    ("goal", 32),
    ("action", 32),
    ("x", 32),
    ("y", 32),
    ("until", 32),
    ("hash", 64),
];
/// The inhabitant of a row that is about the whole town.
pub const WHOLE: u32 = u32::MAX;
/// A goal or action that there is not.
pub const NONE: u32 = u32::MAX;
/// Ticks between two hashes.
const HOUR: u32 = 60;

/// Records a town while it runs.
pub struct TownRecorder<W: Write + Send> {
    table: TableRecorder<W>,
    rows: [Vec<u32>; 9],
    hashes: Vec<u64>,
    /// What each recorded inhabitant was last seen doing.
    last: Vec<(u32, u8, u32)>,
    most: u32,
}

impl<W: Write + Send> TownRecorder<W> {
    /// Begins a recording of the first `most` inhabitants.
    pub fn new(out: W, town: &Town, most: u32) -> Result<Self, TraceError> {
        let events: Vec<String> = town.by_hand().iter().map(|event| event.line(town.charter())).collect();
        let pairs = vec![
            ("town", town.charter().text.clone()),
            ("seed", town.seed().to_string()),
            ("inhabitants", town.len().to_string()),
            ("begins", town.now().to_string()),
            ("minds", json(&town.minds())),
            ("events", json(&events)),
        ];
        let most = most.min(town.len() as u32);
        Ok(TownRecorder {
            table: TableRecorder::new(out, "town", &COLUMNS, pairs)?,
            rows: Default::default(),
            hashes: Vec::new(),
            last: vec![(u32::MAX, 0, 0); most as usize],
            most,
        })
    }

    /// Records what a tick has begun.
    pub fn look(&mut self, town: &Town) -> Result<(), TraceError> {
        for who in 0..self.most {
            let seen = town.seen(who);
            let now = (seen.due, seen.phase as u8, seen.place);
            if self.last[who as usize] == now {
                continue;
            }
            self.last[who as usize] = now;
            let or_none = |number: Option<u8>| number.map_or(NONE, u32::from);
            self.row(
                [
                    town.now(),
                    who,
                    u32::from(seen.class),
                    seen.phase as u32,
                    or_none(seen.goal),
                    or_none(seen.action),
                    seen.at.0 as u32,
                    seen.at.1 as u32,
                    seen.due,
                ],
                0,
            );
        }
        if town.now().is_multiple_of(HOUR) {
            self.row([town.now(), WHOLE, NONE, NONE, NONE, NONE, 0, 0, 0], town.hash());
            self.write()?;
        }
        Ok(())
    }

    fn row(&mut self, row: [u32; 9], hash: u64) {
        self.rows.iter_mut().zip(row).for_each(|(column, number)| column.push(number));
        self.hashes.push(hash);
    }

    /// Writes what was gathered: everything up to here can be read from now on.
    fn write(&mut self) -> Result<(), TraceError> {
        let mut columns: Vec<Column> =
            self.rows.iter_mut().map(|rows| Column::U32(std::mem::take(rows))).collect();
        columns.push(Column::U64(std::mem::take(&mut self.hashes)));
        self.table.push(&columns)
    }

    /// Ends the recording.
    pub fn finish(mut self, town: &Town) -> Result<W, TraceError> {
        self.row([town.now(), WHOLE, NONE, NONE, NONE, NONE, 0, 0, 0], town.hash());
        self.write()?;
        self.table.finish()
    }
}

fn json<T: serde::Serialize>(value: &T) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

/// A recording repeated.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Replayed {
    /// Inhabitants.
    pub inhabitants: u32,
    /// The last tick that was compared.
    pub ticks: u32,
    /// How many hashes of the whole town were compared.
    pub hashes: u32,
    /// How many rows the recording has.
    pub rows: u64,
    /// The first tick at which the town was another one.
    pub differs_at: Option<u32>,
    /// Bytes at the end that could not be read, if it was cut off.
    pub bytes_lost: Option<u64>,
}

/// Why a recording cannot be repeated.
#[derive(Debug, thiserror::Error)]
pub enum ReplayError {
    /// It cannot be read.
    #[error(transparent)]
    Trace(#[from] TraceError),
    /// It does not say what is needed to repeat it.
    #[error(
        "the recording cannot be repeated: {0}\n  remedy: give a file that `town run --record` wrote from its start"
    )]
    Unknown(String),
}

/// Runs a recorded town again and compares every hash; `stop` is asked as it goes.
pub fn replay<R: Read + Seek>(
    source: R,
    on_tick: &mut dyn FnMut(u32) -> bool,
) -> Result<Replayed, ReplayError> {
    let mut table = Table::open(source)?;
    let mut expected: Vec<(u32, u64)> = Vec::new();
    let mut rows = 0;
    for group in 0..table.groups() {
        let columns = table.read(group)?;
        let (Some(Column::U32(ticks)), Some(Column::U32(who)), Some(Column::U64(hashes))) =
            (columns.first(), columns.get(1), columns.last())
        else {
            return Err(ReplayError::Unknown("its columns are others".into()));
        };
        rows += ticks.len() as u64;
        for ((&tick, &who), &hash) in ticks.iter().zip(who).zip(hashes) {
            if who == WHOLE {
                expected.push((tick, hash));
            }
        }
    }
    let text = |key: &str| {
        table.value(key).map(str::to_owned).ok_or_else(|| ReplayError::Unknown(format!("`{key}` is missing")))
    };
    let number = |key: &str| -> Result<u64, ReplayError> {
        text(key)?.parse().map_err(|_| ReplayError::Unknown(format!("`{key}` is no number")))
    };
    if number("begins")? != 0 {
        return Err(ReplayError::Unknown("it begins in the middle of a run".into()));
    }
    let wrong = |what: String| ReplayError::Unknown(what);
    let charter = Arc::new(read(&text("town")?).map_err(|mistake| wrong(mistake.to_string()))?);
    let minds: Minds = serde_json::from_str(&text("minds")?).map_err(|error| wrong(error.to_string()))?;
    let events: Vec<String> =
        serde_json::from_str(&text("events")?).map_err(|error| wrong(error.to_string()))?;
    let inhabitants = u32::try_from(number("inhabitants")?).unwrap_or(u32::MAX).min(20_000_000);
    let mut town = Town::new(charter.clone(), inhabitants, number("seed")?, minds)
        .map_err(|error| wrong(error.to_string()))?;
    for line in &events {
        town.add(Event::with_moment(line, &charter).map_err(|error| wrong(error.to_string()))?);
    }
    let bytes_lost = table.cut().map(|cut| cut.bytes_lost);
    let mut replayed = Replayed { inhabitants, ticks: 0, hashes: 0, rows, differs_at: None, bytes_lost };
    for (tick, hash) in expected {
        while town.now() < tick {
            town.tick();
            if !on_tick(town.now()) {
                return Ok(replayed);
            }
        }
        (replayed.ticks, replayed.hashes) = (tick, replayed.hashes + 1);
        if town.hash() != hash {
            replayed.differs_at = Some(tick);
            break;
        }
    }
    Ok(replayed)
}
