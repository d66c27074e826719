//! What a mind senses. It stays as it is from tick to tick until it is changed.

use std::ffi::c_char;

use super::RepertoireMind;
use super::design::no_index;
use crate::border::{array, guard, name};
use crate::fault::{Fault, RepertoireCode};
use crate::house::{Kind, with_mind};

/// A sensor reads a value, both by name.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn repertoire_mind_see(
    mind: RepertoireMind,
    sensor: *const c_char,
    value: *const c_char,
) -> RepertoireCode {
    guard(|| {
        // SAFETY: the caller gives a name that ends with a NUL.
        let sensor = unsafe { name(sensor, "sensor") }?;
        // SAFETY: the caller gives a name that ends with a NUL.
        let value = unsafe { name(value, "value") }?;
        with_mind(mind, |_, mind| Ok(mind.senses.see(sensor, value)?))
    })
}

/// A sensor reads a value, both by their number in the design's file.
#[unsafe(no_mangle)]
pub extern "C" fn repertoire_mind_set(mind: RepertoireMind, sensor: u32, value: u32) -> RepertoireCode {
    guard(|| {
        with_mind(mind, |kind, mind| {
            check_reading(kind, sensor, value)?;
            mind.senses.set(sensor as usize, value as usize);
            Ok(())
        })
    })
}

/// A sensor is not sure: how probable each of its values is, `count` numbers that add up to 1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn repertoire_mind_believe(
    mind: RepertoireMind,
    sensor: *const c_char,
    probabilities: *const f64,
    count: usize,
) -> RepertoireCode {
    guard(|| {
        // SAFETY: the caller gives a name that ends with a NUL.
        let sensor = unsafe { name(sensor, "sensor") }?;
        // SAFETY: the caller gives `count` numbers.
        let probabilities = unsafe { array(probabilities, count, "probabilities") }?;
        with_mind(mind, |_, mind| Ok(mind.senses.believe(sensor, probabilities)?))
    })
}

/// A sensor reads nothing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn repertoire_mind_lose(mind: RepertoireMind, sensor: *const c_char) -> RepertoireCode {
    guard(|| {
        // SAFETY: the caller gives a name that ends with a NUL.
        let sensor = unsafe { name(sensor, "sensor") }?;
        with_mind(mind, |_, mind| Ok(mind.senses.lose(sensor)?))
    })
}

/// A fact of the plan is seen to be so, both by name. Facts that are not seen are believed to be as they were last seen.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn repertoire_mind_fact(
    mind: RepertoireMind,
    fact: *const c_char,
    value: *const c_char,
) -> RepertoireCode {
    guard(|| {
        // SAFETY: the caller gives a name that ends with a NUL.
        let fact = unsafe { name(fact, "fact") }?;
        // SAFETY: the caller gives a name that ends with a NUL.
        let value = unsafe { name(value, "value") }?;
        with_mind(mind, |_, mind| Ok(mind.senses.fact(fact, value)?))
    })
}

/// A fact of the plan is seen to be so, both by their number in the design's file.
#[unsafe(no_mangle)]
pub extern "C" fn repertoire_mind_set_fact(mind: RepertoireMind, fact: u32, value: u32) -> RepertoireCode {
    guard(|| {
        with_mind(mind, |kind, mind| {
            check_fact(kind, fact, value)?;
            mind.senses.set_fact(fact as usize, Some(value as usize));
            Ok(())
        })
    })
}

/// There is a thing of a kind that tasks are about, `thing` being the game's own number for it, at a distance from 0 up in
/// any unit. Things stay offered until repertoire_mind_clear.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn repertoire_mind_offer(
    mind: RepertoireMind,
    kind: *const c_char,
    thing: u64,
    distance: f64,
) -> RepertoireCode {
    guard(|| {
        // SAFETY: the caller gives a name that ends with a NUL.
        let kind = unsafe { name(kind, "kind") }?;
        with_mind(mind, |_, mind| Ok(mind.senses.offer(kind, thing, distance)?))
    })
}

/// What somebody else says: for each of the design's tasks a number from 0 to 1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn repertoire_mind_opine(
    mind: RepertoireMind,
    voice: *const c_char,
    says: *const f64,
    count: usize,
) -> RepertoireCode {
    guard(|| {
        // SAFETY: the caller gives a name that ends with a NUL.
        let voice = unsafe { name(voice, "voice") }?;
        // SAFETY: the caller gives `count` numbers.
        let says = unsafe { array(says, count, "says") }?;
        with_mind(mind, |_, mind| Ok(mind.senses.opine(voice, says)?))
    })
}

/// Nothing is sensed, seen, offered or said any more.
#[unsafe(no_mangle)]
pub extern "C" fn repertoire_mind_clear(mind: RepertoireMind) -> RepertoireCode {
    guard(|| {
        with_mind(mind, |_, mind| {
            mind.senses.clear();
            Ok(())
        })
    })
}

fn check_reading(kind: &Kind, sensor: u32, value: u32) -> Result<(), Fault> {
    let sensors = kind.design.behaviour().sensors();
    let of = sensors.get(sensor as usize).ok_or_else(|| no_index("sensor", sensor, sensors.len()))?;
    check(value, of.values.len(), &of.name)
}

fn check_fact(kind: &Kind, fact: u32, value: u32) -> Result<(), Fault> {
    let facts = kind.design.planning().map_or(&[][..], |planning| &planning.domain.values);
    let of = facts.get(fact as usize).ok_or_else(|| no_index("fact", fact, facts.len()))?;
    check(value, of.len(), "fact")
}

fn check(value: u32, values: usize, of: &str) -> Result<(), Fault> {
    if (value as usize) < values { Ok(()) } else { Err(no_index(&format!("value of `{of}`"), value, values)) }
}
