//! One mind: life, ticks, needs, reasons, saving.

use std::ffi::c_char;

use repertoire_authored::nearest;
use repertoire_mind::game::Character;

use super::design::no_index;
use super::{RepertoireDeed, RepertoireDesign, RepertoireMind};
use crate::border::{Buffer, Out, array, guard, name};
use crate::fault::{
    Fault, REPERTOIRE_ERROR_NAME, REPERTOIRE_ERROR_NUMBER, REPERTOIRE_ERROR_UNDECIDED, RepertoireCode,
};
use crate::house::{self, Kind, Mind, with_mind};
use crate::saved;

/// A new mind. `seed` is the world's, `agent` the character's number in it: the same two make the same individual. If the
/// design has profiles, one is drawn. Free it with repertoire_mind_free.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn repertoire_mind_new(
    design: RepertoireDesign,
    seed: u64,
    agent: u64,
    mind: *mut RepertoireMind,
) -> RepertoireCode {
    guard(|| {
        // SAFETY: the caller gives room for a handle.
        let out = unsafe { Out::new(mind, "mind") }?;
        let kind = house::kind(design)?;
        let entry = house::born(&kind, Character::new(&kind.design, seed, agent));
        out.put(house::minds_mut().insert(entry)?);
        Ok(())
    })
}

/// A new mind of one of the design's profiles.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn repertoire_mind_new_with_profile(
    design: RepertoireDesign,
    profile: *const c_char,
    seed: u64,
    agent: u64,
    mind: *mut RepertoireMind,
) -> RepertoireCode {
    guard(|| {
        // SAFETY: the caller gives a name that ends with a NUL.
        let profile = unsafe { name(profile, "profile") }?;
        // SAFETY: the caller gives room for a handle.
        let out = unsafe { Out::new(mind, "mind") }?;
        let kind = house::kind(design)?;
        let Some(character) = Character::with_profile(&kind.design, profile, seed, agent) else {
            let remedy = match nearest(profile, kind.design.profiles()) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("there are {}", kind.design.profiles().collect::<Vec<_>>().join(", ")),
            };
            let message =
                format!("`{profile}` is not a profile of {}\n  remedy: {remedy}", kind.design.name());
            return Err(Fault::new(REPERTOIRE_ERROR_NAME, message));
        };
        out.put(house::minds_mut().insert(house::born(&kind, character))?);
        Ok(())
    })
}

/// Frees a mind.
#[unsafe(no_mangle)]
pub extern "C" fn repertoire_mind_free(mind: RepertoireMind) -> RepertoireCode {
    guard(|| {
        let gone = house::minds_mut().remove(mind)?;
        drop(gone); // after the lock
        Ok(())
    })
}

/// One tick: perceive, believe, want, plan, decide, act. Call it as often per second as the design is made for.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn repertoire_mind_tick(
    mind: RepertoireMind,
    deed: *mut RepertoireDeed,
) -> RepertoireCode {
    guard(|| {
        // SAFETY: the caller gives room for a deed.
        let out = unsafe { Out::new(deed, "deed") }?;
        let deed = with_mind(mind, |kind, mind| Ok(kind.with_scratch(|scratch| mind.tick(scratch))))?;
        out.put(deed.into());
        Ok(())
    })
}

/// What the mind decided at its last tick; REPERTOIRE_ERROR_UNDECIDED before the first.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn repertoire_mind_deed(
    mind: RepertoireMind,
    deed: *mut RepertoireDeed,
) -> RepertoireCode {
    guard(|| {
        // SAFETY: the caller gives room for a deed.
        let out = unsafe { Out::new(deed, "deed") }?;
        out.put(with_mind(mind, |_, mind| decided(mind))?);
        Ok(())
    })
}

/// The name of the task that the mind decided on at its last tick. Never freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn repertoire_mind_task(
    mind: RepertoireMind,
    task: *mut *const c_char,
) -> RepertoireCode {
    guard(|| {
        // SAFETY: the caller gives room for a pointer.
        let out = unsafe { Out::new(task, "task") }?;
        let name = with_mind(mind, |kind, mind| Ok(kind.words.lists[0][decided(mind)?.task as usize].name))?;
        out.put(name.as_ptr());
        Ok(())
    })
}

/// How strongly a need is felt, from 0 to 1, by its name.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn repertoire_mind_need(
    mind: RepertoireMind,
    need: *const c_char,
    level: *mut f64,
) -> RepertoireCode {
    guard(|| {
        // SAFETY: the caller gives a name that ends with a NUL.
        let need = unsafe { name(need, "need") }?;
        // SAFETY: the caller gives room for a number.
        let out = unsafe { Out::new(level, "level") }?;
        out.put(with_mind(mind, |kind, mind| Ok(mind.character.need(need_index(kind, need)?)))?);
        Ok(())
    })
}

/// How strongly a need is felt, from 0 to 1, by its number in the design's file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn repertoire_mind_need_at(
    mind: RepertoireMind,
    need: u32,
    level: *mut f64,
) -> RepertoireCode {
    guard(|| {
        // SAFETY: the caller gives room for a number.
        let out = unsafe { Out::new(level, "level") }?;
        out.put(with_mind(mind, |kind, mind| {
            let needs = kind.design.needs().len();
            if need as usize >= needs {
                return Err(no_index("need", need, needs));
            }
            Ok(mind.character.need(need as usize))
        })?);
        Ok(())
    })
}

/// Something that happened in the game eases a need, or makes it worse if `by` is below 0: a meal, a gift, a wound.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn repertoire_mind_ease(
    mind: RepertoireMind,
    need: *const c_char,
    by: f64,
) -> RepertoireCode {
    guard(|| {
        // SAFETY: the caller gives a name that ends with a NUL.
        let need = unsafe { name(need, "need") }?;
        with_mind(mind, |_, mind| Ok(mind.character.ease(need, by)?))
    })
}

/// How strongly a need is felt, told by the game, from 0 to 1: for needs that are states of the body.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn repertoire_mind_set_need(
    mind: RepertoireMind,
    need: *const c_char,
    level: f64,
) -> RepertoireCode {
    guard(|| {
        // SAFETY: the caller gives a name that ends with a NUL.
        let need = unsafe { name(need, "need") }?;
        with_mind(mind, |kind, mind| {
            let index = need_index(kind, need)?;
            if !(0.0..=1.0).contains(&level) {
                let message = format!("the need `{need}` at {level}\n  remedy: a number from 0 to 1");
                return Err(Fault::new(REPERTOIRE_ERROR_NUMBER, message));
            }
            mind.character.set_need(index, level);
            Ok(())
        })
    })
}

/// A new life of the same individual: what it was doing, planning and perceiving is over, its needs start again. What it
/// senses stays; clear it if it should not.
#[unsafe(no_mangle)]
pub extern "C" fn repertoire_mind_begin_life(mind: RepertoireMind) -> RepertoireCode {
    guard(|| {
        with_mind(mind, |_, mind| {
            mind.character.begin_life();
            mind.deed = None;
            Ok(())
        })
    })
}

/// Why the mind does what it does, as text that ends with a NUL, which `length` counts too. With a capacity of 0 only the
/// length is written, and `buffer` may be NULL; if the buffer is too small, REPERTOIRE_ERROR_BUFFER and the length needed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn repertoire_mind_report(
    mind: RepertoireMind,
    buffer: *mut c_char,
    capacity: usize,
    length: *mut usize,
) -> RepertoireCode {
    guard(|| {
        // SAFETY: the caller gives `capacity` bytes, and room for a length.
        let buffer = unsafe { Buffer::new(buffer.cast(), capacity, length) }?;
        let mut report = with_mind(mind, |_, mind| Ok(mind.character.report().to_string()))?;
        report.push('\0');
        buffer.fill(report.as_bytes())
    })
}

/// Saves everything that a later tick depends on, in mid-plan too, and what is sensed, as `length` bytes. With a capacity of
/// 0 only the length is written, and `buffer` may be NULL; if the buffer is too small, REPERTOIRE_ERROR_BUFFER and the
/// length needed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn repertoire_mind_save(
    mind: RepertoireMind,
    buffer: *mut u8,
    capacity: usize,
    length: *mut usize,
) -> RepertoireCode {
    guard(|| {
        // SAFETY: the caller gives `capacity` bytes, and room for a length.
        let buffer = unsafe { Buffer::new(buffer, capacity, length) }?;
        buffer.fill(&with_mind(mind, |kind, mind| saved::write(kind, mind))?)
    })
}

/// Goes on from what was saved, to the bit. The mind must be of the design that the saved one was of. If it fails, the mind
/// stays as it was.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn repertoire_mind_restore(
    mind: RepertoireMind,
    bytes: *const u8,
    length: usize,
) -> RepertoireCode {
    guard(|| {
        // SAFETY: the caller gives `length` bytes.
        let bytes = unsafe { array(bytes, length, "bytes") }?;
        let resident = house::resident(mind)?;
        resident.replace(saved::read(&resident.kind, bytes)?);
        Ok(())
    })
}

fn decided(mind: &Mind) -> Result<RepertoireDeed, Fault> {
    let not_yet = || {
        Fault::new(REPERTOIRE_ERROR_UNDECIDED, "the mind has decided nothing yet\n  remedy: tick it first")
    };
    mind.deed.map(RepertoireDeed::from).ok_or_else(not_yet)
}

fn need_index(kind: &Kind, need: &str) -> Result<usize, Fault> {
    let needs = kind.design.needs();
    if let Some(index) = needs.iter().position(|known| known.name == need) {
        return Ok(index);
    }
    let names: Vec<&str> = needs.iter().map(|need| need.name.as_str()).collect();
    let remedy = match nearest(need, names.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None if names.is_empty() => "its file declares none".to_owned(),
        None => format!("there are {}", names.join(", ")),
    };
    let message = format!("`{need}` is not a need of {}\n  remedy: {remedy}", kind.design.name());
    Err(Fault::new(REPERTOIRE_ERROR_NAME, message))
}
