//! A player as a packet describes them: whole in client demos, as changes in server demos.

use super::bytes::{Broken, Bytes};
use super::wire::{Wire, angle16, fte};
use crate::play::Keys;

/// What a client was told of a player.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Whole {
    pub slot: u8,
    pub at: [f32; 3],
    pub velocity: [f32; 3],
    /// Milliseconds between the player's last command and the packet.
    pub age_ms: u8,
    /// The last command that the server has of them; not sent of the player who records.
    pub command: Option<Keys>,
    pub effects: u8,
    pub is_dead: bool,
}

const MSEC: u32 = 1 << 0;
const COMMAND: u32 = 1 << 1;
const VELOCITY: [u32; 3] = [1 << 2, 1 << 3, 1 << 4];
const MODEL: u32 = 1 << 5;
const SKIN: u32 = 1 << 6;
const EFFECTS: u32 = 1 << 7;
const WEAPON_FRAME: u32 = 1 << 8;
const DEAD: u32 = 1 << 9;
const GIB: u32 = 1 << 10;
const EXTRA: u32 = 1 << 15;
/// Bits of FTE's extra byte that bring a byte each.
const EXTRA_BYTES: [u32; 3] = [1 << 16, 1 << 17, 1 << 18];

/// Reads a player in a client's demo.
pub(super) fn whole(bytes: &mut Bytes<'_>, wire: &Wire) -> Result<Whole, Broken> {
    let mut player = Whole { slot: bytes.u8()?, ..Whole::default() };
    let mut flags = u32::from(bytes.u16()?);
    if wire.fte & fte::PLAYER_FLAGS != 0 && flags & EXTRA != 0 {
        flags |= u32::from(bytes.u8()?) << 16;
    }
    player.at = wire.point(bytes)?;
    bytes.u8()?;
    if flags & MSEC != 0 {
        player.age_ms = bytes.u8()?;
    }
    if flags & COMMAND != 0 {
        player.command = Some(command(bytes)?);
    }
    for (part, flag) in player.velocity.iter_mut().zip(VELOCITY) {
        if flags & flag != 0 {
            *part = f32::from(bytes.i16()?);
        }
    }
    for flag in [MODEL, SKIN] {
        if flags & flag != 0 {
            bytes.u8()?;
        }
    }
    if flags & EFFECTS != 0 {
        player.effects = bytes.u8()?;
    }
    if flags & WEAPON_FRAME != 0 {
        bytes.u8()?;
    }
    for flag in EXTRA_BYTES {
        if flags & flag != 0 {
            bytes.u8()?;
        }
    }
    player.is_dead = flags & (DEAD | GIB) != 0;
    Ok(player)
}

/// A command, as the difference from an empty one.
fn command(bytes: &mut Bytes<'_>) -> Result<Keys, Broken> {
    let flags = bytes.u8()?;
    let has = |bit: u8| flags & (1 << bit) != 0;
    let mut keys = Keys::default();
    if has(0) {
        keys.pitch_deg = angle16(bytes)?;
    }
    if has(7) {
        keys.yaw_deg = angle16(bytes)?;
    }
    if has(1) {
        angle16(bytes)?;
    }
    for (bit, key) in [(2, &mut keys.forward), (3, &mut keys.side), (4, &mut keys.up)] {
        if has(bit) {
            *key = bytes.i16()?;
        }
    }
    if has(5) {
        keys.buttons = bytes.u8()?;
    }
    if has(6) {
        keys.impulse = bytes.u8()?;
    }
    keys.msec = bytes.u8()?;
    Ok(keys)
}

/// What a server's demo says of a player: only what changed.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Changed {
    pub slot: u8,
    pub at: [Option<f32>; 3],
    /// Pitch, yaw and roll in degrees.
    pub angles: [Option<f32>; 3],
    pub effects: Option<u8>,
    pub is_dead: bool,
}

/// Reads a player in a server's demo.
pub(super) fn changed(bytes: &mut Bytes<'_>, wire: &Wire) -> Result<Changed, Broken> {
    let mut player = Changed { slot: bytes.u8()?, ..Changed::default() };
    let flags = bytes.u16()?;
    let has = |bit: usize| flags & (1 << bit) != 0;
    bytes.u8()?;
    for axis in 0..3 {
        if has(axis) {
            player.at[axis] = Some(wire.coordinate(bytes)?);
        }
    }
    for axis in 0..3 {
        if has(3 + axis) {
            player.angles[axis] = Some(angle16(bytes)?);
        }
    }
    for bit in [11, 7] {
        if has(bit) {
            bytes.u8()?;
        }
    }
    if has(6) {
        player.effects = Some(bytes.u8()?);
    }
    if has(10) {
        bytes.u8()?;
    }
    player.is_dead = has(8) || has(9);
    Ok(player)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_player_is_read_as_the_flags_say() {
        let wire = Wire { protocol: 28, ..Wire::default() };
        let mut bytes = vec![3];
        bytes.extend((MSEC as u16 | COMMAND as u16 | (1 << 3) | (1 << 9)).to_le_bytes());
        for coordinate in [8_i16, -16, 24] {
            bytes.extend(coordinate.to_le_bytes());
        }
        bytes.extend([12, 7]); // frame, msec
        bytes.extend([0b1000_0100, 0, 0x40]); // yaw and forward; 90 degrees
        bytes.extend(400_i16.to_le_bytes());
        bytes.push(13);
        bytes.extend((-320_i16).to_le_bytes());
        let mut rest = Bytes::new(&bytes);
        let player = whole(&mut rest, &wire).unwrap();
        assert!(rest.is_empty() && player.is_dead);
        assert_eq!((player.at, player.velocity), ([1.0, -2.0, 3.0], [0.0, -320.0, 0.0]));
        let keys = player.command.unwrap();
        assert_eq!((keys.yaw_deg, keys.forward, keys.msec), (90.0, 400, 13));
    }
}
