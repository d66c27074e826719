//! Many minds at once, on all processors, with what they sense as columns.
//!
//! Everything is checked before the first mind ticks, so that a call that fails changes nothing. Minds do not touch each
//! other, so any number of threads gives the same bits.

use std::mem::MaybeUninit;
use std::panic::{AssertUnwindSafe, catch_unwind};

use rayon::prelude::*;
use repertoire_mind::game::{Character, Scratch};

use super::design::no_index;
use super::{RepertoireDeed, RepertoireDesign, RepertoireMind};
use crate::border::{array, array_out, guard, span};
use crate::fault::{
    Fault, REPERTOIRE_ERROR_BROKEN, REPERTOIRE_ERROR_INDEX, REPERTOIRE_ERROR_MINDS, REPERTOIRE_ERROR_SIZE,
    RepertoireCode,
};
use crate::handles::{Table, slot_of};
use crate::house::{self, Entry, Kind};
use crate::threads;

/// In a column: this mind's sensor reads nothing, or the fact is not seen.
pub const REPERTOIRE_NOTHING: u16 = 0xFFFF;

/// The task in the deed of a mind that is broken (REPERTOIRE_ERROR_BROKEN).
pub const REPERTOIRE_NO_TASK: u32 = 0xFFFF_FFFF;

/// How many minds a thread takes at a time.
const PIECE: usize = 128;

/// Makes `count` minds of a design, numbered from `first_agent` on, as repertoire_mind_new would one by one. The handles are
/// written to `minds`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn repertoire_minds_new(
    design: RepertoireDesign,
    seed: u64,
    first_agent: u64,
    count: usize,
    minds: *mut RepertoireMind,
) -> RepertoireCode {
    guard(|| {
        // SAFETY: the caller gives room for `count` handles.
        let out = unsafe { array_out(minds, count, "minds") }?;
        let kind = house::kind(design)?;
        if first_agent.checked_add(count as u64).is_none() {
            let message =
                format!("{count} agents from number {first_agent} on are more than there are numbers");
            return Err(Fault::new(REPERTOIRE_ERROR_INDEX, message));
        }
        let born = |agent| house::born(&kind, Character::new(&kind.design, seed, agent));
        let entries: Vec<Entry> = (first_agent..first_agent + count as u64).map(born).collect();
        let mut table = house::minds_mut();
        let mut made = Vec::with_capacity(count);
        for entry in entries {
            match table.insert(entry) {
                Ok(handle) => made.push(handle),
                Err(fault) => {
                    made.into_iter().for_each(|handle| drop(table.remove(handle)));
                    return Err(fault);
                }
            }
        }
        for (place, handle) in out.iter_mut().zip(made) {
            place.write(handle);
        }
        Ok(())
    })
}

/// Frees `count` minds, or none if one of them cannot be freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn repertoire_minds_free(minds: *const RepertoireMind, count: usize) -> RepertoireCode {
    guard(|| {
        // SAFETY: the caller gives `count` handles.
        let minds = unsafe { array(minds, count, "minds") }?;
        let mut table = house::minds_mut();
        check_each_once(&table, minds, |_, _| Ok(()))?;
        let gone: Vec<_> = minds.iter().map(|mind| table.remove(*mind)).collect();
        drop(table);
        drop(gone); // after the lock
        Ok(())
    })
}

/// One tick of `count` minds of one design, on several threads. The same seed gives the same bits on any number of them.
///
/// `readings` holds a column for each of the design's first `sensor_count` sensors: `count` values by number, one for each
/// mind, REPERTOIRE_NOTHING where a sensor reads nothing. `facts` holds such columns for the design's first `fact_count`
/// facts. A column that is NULL leaves what the minds sense as it is, and so do sensors and facts beyond those counts. Offers,
/// beliefs and voices are told to each mind by the calls for one.
///
/// `deeds` gets what each mind does, in the order of `minds`, and must overlap none of the other arrays.
///
/// If this fails nothing has changed, except with REPERTOIRE_ERROR_BROKEN: then all other minds have ticked, and the deeds
/// of the broken ones have the task REPERTOIRE_NO_TASK.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn repertoire_minds_tick(
    minds: *const RepertoireMind,
    count: usize,
    readings: *const *const u16,
    sensor_count: usize,
    facts: *const *const u16,
    fact_count: usize,
    deeds: *mut RepertoireDeed,
) -> RepertoireCode {
    guard(|| {
        let written = span(deeds, count, "deeds")?;
        let apart = |other: std::ops::Range<usize>, what: &str| {
            if written.start < other.end && other.start < written.end {
                return Err(Fault::new(REPERTOIRE_ERROR_SIZE, format!("`deeds` overlaps {what}")));
            }
            Ok(())
        };
        apart(span(minds, count, "minds")?, "`minds`")?;
        apart(span(readings, sensor_count, "readings")?, "`readings`")?;
        apart(span(facts, fact_count, "facts")?, "`facts`")?;
        // SAFETY: the caller gives `count` handles.
        let minds = unsafe { array(minds, count, "minds") }?;
        // SAFETY: the caller gives `sensor_count` columns.
        let readings = unsafe { array(readings, sensor_count, "readings") }?;
        // SAFETY: the caller gives `fact_count` columns.
        let facts = unsafe { array(facts, fact_count, "facts") }?;
        let column = |first: &*const u16, what: &str| {
            if first.is_null() {
                return Ok(None);
            }
            apart(span(*first, count, what)?, what)?;
            // SAFETY: the caller gives `count` values in a column that is not NULL.
            unsafe { array(*first, count, what) }.map(Some)
        };
        let columns = Columns {
            readings: readings
                .iter()
                .map(|first| column(first, "a column of readings"))
                .collect::<Result<_, _>>()?,
            facts: facts.iter().map(|first| column(first, "a column of facts")).collect::<Result<_, _>>()?,
        };
        // SAFETY: the caller gives room for `count` deeds, which nothing above overlaps.
        let deeds = unsafe { array_out(deeds, count, "deeds") }?;
        tick(minds, &columns, deeds)
    })
}

/// What a population senses, `[sensor][mind]` and `[fact][mind]`.
struct Columns<'a> {
    readings: Vec<Option<&'a [u16]>>,
    facts: Vec<Option<&'a [u16]>>,
}

impl Columns<'_> {
    /// Whether the design has such sensors, facts and values.
    fn check(&self, kind: &Kind) -> Result<(), Fault> {
        let sensors = kind.design.behaviour().sensors().iter().map(|sensor| sensor.values.len());
        check_columns(&self.readings, &sensors.collect::<Vec<_>>(), "sensor")?;
        let facts = kind.design.planning().map_or(&[][..], |planning| &planning.domain.values);
        check_columns(&self.facts, &facts.iter().map(Vec::len).collect::<Vec<_>>(), "fact")
    }
}

fn check_columns(columns: &[Option<&[u16]>], cards: &[usize], what: &str) -> Result<(), Fault> {
    if columns.len() > cards.len() {
        let message = format!("{} columns where the design has {} {what}s", columns.len(), cards.len());
        return Err(Fault::new(REPERTOIRE_ERROR_SIZE, message));
    }
    for (index, (column, card)) in columns.iter().zip(cards).enumerate() {
        let wrong = |value: &u16| *value != REPERTOIRE_NOTHING && usize::from(*value) >= *card;
        if let Some(mind) = column.and_then(|column| column.iter().position(wrong)) {
            let value = column.map_or(0, |column| column[mind]);
            let mut fault = no_index("value", u32::from(value), *card);
            fault.message = format!("{what} {index} of mind {mind} in the array: {}", fault.message);
            return Err(fault);
        }
    }
    Ok(())
}

/// Looks every mind up and sees that none comes twice.
fn check_each_once(
    table: &Table<Entry>,
    minds: &[u64],
    mut check: impl FnMut(usize, &Entry) -> Result<(), Fault>,
) -> Result<(), Fault> {
    let mut met = vec![0u64; table.slots().div_ceil(64)];
    for (index, mind) in minds.iter().enumerate() {
        let entry = table.get(*mind).map_err(|mut fault| {
            fault.message = format!("mind {index} of the array: {}", fault.message);
            fault
        })?;
        let (word, bit) = (slot_of(*mind) / 64, 1 << (slot_of(*mind) % 64));
        if met[word] & bit != 0 {
            let message =
                format!("the mind {mind:#x} comes twice, the second time as number {index} of the array");
            return Err(Fault::new(REPERTOIRE_ERROR_MINDS, message));
        }
        met[word] |= bit;
        check(index, entry)?;
    }
    Ok(())
}

fn tick(
    minds: &[u64],
    columns: &Columns<'_>,
    deeds: &mut [MaybeUninit<RepertoireDeed>],
) -> Result<(), Fault> {
    // Held to the end: nobody is freed while the population ticks.
    let table = house::minds();
    let Some(first) = minds.first() else { return Ok(()) };
    let first = table.get(*first)?;
    let kind = &*first.resident.kind;
    check_each_once(&table, minds, |index, entry| {
        if entry.kind == first.kind {
            return Ok(());
        }
        let message = format!(
            "mind {index} of the array is of another design than the first\n  remedy: a call for each design"
        );
        Err(Fault::new(REPERTOIRE_ERROR_MINDS, message))
    })?;
    columns.check(kind)?;

    let piece = |(piece, deeds): (usize, &mut [MaybeUninit<RepertoireDeed>])| {
        kind.with_scratch(|scratch| {
            let mut broken = None;
            for (offset, deed) in deeds.iter_mut().enumerate() {
                let index = piece * PIECE + offset;
                let done = tick_one(&table, minds[index], index, columns, scratch);
                broken = broken.or(done.is_none().then_some(index));
                deed.write(
                    done.unwrap_or(RepertoireDeed { task: REPERTOIRE_NO_TASK, ..RepertoireDeed::default() }),
                );
            }
            broken
        })
    };
    let broken = if minds.len() <= PIECE || threads::count() == 1 {
        deeds.chunks_mut(PIECE).enumerate().map(piece).fold(None, Option::or)
    } else {
        threads::run(|| deeds.par_chunks_mut(PIECE).enumerate().map(piece).reduce(|| None, Option::or))?
    };
    let Some(index) = broken else { return Ok(()) };
    let message = format!(
        "a defect has broken mind {index} of the array, and maybe others\n  remedy: restore it or free it"
    );
    Err(Fault::new(REPERTOIRE_ERROR_BROKEN, message))
}

/// One mind of a population; none if it is broken, or breaks.
fn tick_one(
    table: &Table<Entry>,
    mind: u64,
    index: usize,
    columns: &Columns<'_>,
    scratch: &mut Scratch,
) -> Option<RepertoireDeed> {
    let resident = &table.get(mind).ok()?.resident;
    let work = || {
        let mut mind = resident.lock().ok()?;
        let at = |column: &&[u16]| {
            Some(column[index]).filter(|value| *value != REPERTOIRE_NOTHING).map(usize::from)
        };
        for (sensor, column) in columns.readings.iter().enumerate() {
            if let Some(column) = column {
                match at(column) {
                    Some(value) => mind.senses.set(sensor, value),
                    None => mind.senses.lose_at(sensor),
                }
            }
        }
        for (fact, column) in columns.facts.iter().enumerate() {
            if let Some(column) = column {
                mind.senses.set_fact(fact, at(column));
            }
        }
        Some(mind.tick(scratch).into())
    };
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|_| {
        // It may be half written.
        *scratch = Scratch::new();
        None
    })
}
