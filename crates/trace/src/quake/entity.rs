//! Entities other than players: doors, lifts, rockets, items. Packets say what changed since an earlier packet.

use super::bytes::{Broken, Bytes};
use super::wire::Wire;

const ORIGIN: [u32; 3] = [1 << 9, 1 << 10, 1 << 11];
const ANGLE: [u32; 3] = [1 << 0, 1 << 12, 1 << 1];
const FRAME: u32 = 1 << 13;
const REMOVE: u32 = 1 << 14;
const MORE: u32 = 1 << 15;
const MODEL: u32 = 1 << 2;
const COLORMAP: u32 = 1 << 3;
const SKIN: u32 = 1 << 4;
const EFFECTS: u32 = 1 << 5;
/// FTE's third byte of flags, shifted beyond the others.
const EVEN_MORE: u32 = 1 << 7;
const SCALE: u32 = 1 << 16;
const TRANSPARENCY: u32 = 1 << 17;
const FATNESS: u32 = 1 << 18;
const MODEL_DOUBLE: u32 = 1 << 19;
const ENTITY_DOUBLE: u32 = 1 << 21;
const ENTITY_DOUBLE_2: u32 = 1 << 22;
const YET_MORE: u32 = 1 << 23;
const DRAW_FLAGS: u32 = 1 << 24;
const LIGHT: u32 = 1 << 25;
const COLOUR: u32 = 1 << 26;

/// The most entities that a demo can name.
const MOST: usize = 2048;

/// A thing in the world.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Entity {
    pub model: u16,
    pub at: [f32; 3],
}

/// What a packet says of one entity.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Change {
    pub number: u16,
    pub is_removed: bool,
    model: Option<u16>,
    at: [Option<f32>; 3],
}

impl Change {
    /// The entity after the change.
    pub(super) fn apply(&self, before: Entity) -> Entity {
        let [x, y, z] = before.at;
        let at = [self.at[0].unwrap_or(x), self.at[1].unwrap_or(y), self.at[2].unwrap_or(z)];
        Entity { model: self.model.unwrap_or(before.model), at }
    }
}

/// The changes of a packet, up to the zero that ends them.
pub(super) fn changes(bytes: &mut Bytes<'_>, wire: &Wire) -> Result<Vec<Change>, Broken> {
    let mut changes = Vec::new();
    loop {
        let word = bytes.u16()?;
        if word == 0 {
            return Ok(changes);
        }
        if changes.len() >= MOST {
            return Err(Broken::Nonsense("a packet names more entities than there can be"));
        }
        changes.push(change(word, bytes, wire)?);
    }
}

/// One change; `word` is its number and the first flags.
pub(super) fn change(word: u16, bytes: &mut Bytes<'_>, wire: &Wire) -> Result<Change, Broken> {
    let mut flags = u32::from(word & !511);
    let mut number = word & 511;
    let is_removed = flags & REMOVE != 0;
    if flags & MORE != 0 && (!is_removed || wire.fte != 0) {
        flags |= u32::from(bytes.u8()?);
        if flags & EVEN_MORE != 0 && wire.fte != 0 {
            flags |= u32::from(bytes.u8()?) << 16;
            if flags & YET_MORE != 0 {
                flags |= u32::from(bytes.u8()?) << 24;
            }
        }
    }
    if flags & ENTITY_DOUBLE != 0 {
        number += 512;
    }
    if flags & ENTITY_DOUBLE_2 != 0 {
        number += 1024;
    }
    let mut change = Change { number, is_removed, model: None, at: [None; 3] };
    if is_removed {
        return Ok(change);
    }
    change.model = match (flags & MODEL != 0, flags & MODEL_DOUBLE != 0) {
        (true, false) => Some(u16::from(bytes.u8()?)),
        (true, true) => Some(u16::from(bytes.u8()?) + 256),
        (false, true) => Some(bytes.u16()?),
        (false, false) => None,
    };
    for flag in [FRAME, COLORMAP, SKIN, EFFECTS] {
        if flags & flag != 0 {
            bytes.u8()?;
        }
    }
    for axis in 0..3 {
        if flags & ORIGIN[axis] != 0 {
            change.at[axis] = Some(wire.coordinate(bytes)?);
        }
        if flags & ANGLE[axis] != 0 {
            wire.angle(bytes)?;
        }
    }
    for (flag, length) in
        [(SCALE, 1), (TRANSPARENCY, 1), (FATNESS, 1), (DRAW_FLAGS, 1), (LIGHT, 1), (COLOUR, 3)]
    {
        if flags & flag != 0 {
            bytes.take(length)?;
        }
    }
    Ok(change)
}

/// A thing as it is before any packet changes it.
pub(super) fn baseline(bytes: &mut Bytes<'_>, wire: &Wire) -> Result<Entity, Broken> {
    let model = u16::from(bytes.u8()?);
    bytes.take(3)?;
    let mut at = [0.0; 3];
    for axis in &mut at {
        *axis = wire.coordinate(bytes)?;
        wire.angle(bytes)?;
    }
    Ok(Entity { model, at })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_touches_only_what_it_names() {
        let wire = Wire { protocol: 28, ..Wire::default() };
        // Entity 37: y and the model, then the end.
        let word = 37_u16 | (1 << 10) | (1 << 15);
        let mut bytes = word.to_le_bytes().to_vec();
        bytes.extend([4, 9]);
        bytes.extend((-80_i16).to_le_bytes());
        bytes.extend([0, 0]);
        let changes = changes(&mut Bytes::new(&bytes), &wire).unwrap();
        let after = changes[0].apply(Entity { model: 3, at: [1.0, 2.0, 3.0] });
        assert_eq!((changes[0].number, after), (37, Entity { model: 9, at: [1.0, -10.0, 3.0] }));
    }
}
