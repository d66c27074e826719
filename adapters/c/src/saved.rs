//! A mind as bytes: JSON, so that it can be read, and the same on every machine.

use repertoire_mind::game::{Character, Deed, State};
use serde::{Deserialize, Serialize};

use crate::fault::{Fault, REPERTOIRE_ERROR_STATE};
use crate::house::{Kind, Mind};

/// Raised when minds of older versions can no longer be read.
const FORMAT: u32 = 1;

#[derive(Deserialize)]
struct Head {
    format: u32,
    design: String,
}

#[derive(Serialize)]
struct Written<'a> {
    format: u32,
    design: &'a str,
    state: &'a State,
    senses: &'a repertoire_mind::game::Senses,
}

#[derive(Deserialize)]
struct Read {
    state: State,
    senses: serde_json::Value,
}

pub fn write(kind: &Kind, mind: &Mind) -> Result<Vec<u8>, Fault> {
    let (state, senses) = (mind.character.state(), &mind.senses);
    let written = Written { format: FORMAT, design: kind.design.name(), state, senses };
    serde_json::to_vec(&written).map_err(|error| wrong(format!("the mind cannot be written: {error}")))
}

pub fn read(kind: &Kind, bytes: &[u8]) -> Result<Mind, Fault> {
    let unreadable = |error| wrong(format!("these bytes are no saved mind: {error}"));
    let Head { format, design } = serde_json::from_slice(bytes).map_err(unreadable)?;
    if format != FORMAT {
        let message = format!("the mind was saved in format {format}, and this version reads {FORMAT}");
        return Err(wrong(message + "\n  remedy: restore it with the version it was saved with"));
    }
    if design != kind.design.name() {
        let message = format!("the mind was saved as a {design}, and this one is a {}", kind.design.name());
        return Err(wrong(message + "\n  remedy: restore it into a mind of the design it was saved with"));
    }
    let read: Read = serde_json::from_slice(bytes).map_err(unreadable)?;
    let mut character = Character::new(&kind.design, 0, 0);
    character.restore(read.state).map_err(|error| wrong(error.to_string()))?;
    let mut senses = kind.design.senses();
    senses.restore(read.senses).map_err(|error| wrong(error.to_string()))?;
    let deed = character.task().map(|task| Deed { task, target: character.target() });
    Ok(Mind { character, senses, deed })
}

fn wrong(message: impl Into<String>) -> Fault {
    Fault::new(REPERTOIRE_ERROR_STATE, message)
}
