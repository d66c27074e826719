//! Data that servers hide in their demos for programs like this one: who hurt whom, and how much.

use super::bytes::{Broken, Bytes};

/// Somebody was hurt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Harm {
    /// The game's number of how: see [`how`].
    pub kind: u16,
    pub attacker: u16,
    pub victim: u16,
    pub damage: i16,
    pub is_splash: bool,
}

const DAMAGE: u16 = 7;
const EXTENDED: u16 = 0xffff;
const SPLASH: u16 = 1 << 15;

/// All harm in a hidden packet.
pub(super) fn harm(messages: &[u8]) -> Result<Vec<Harm>, Broken> {
    let mut bytes = Bytes::new(messages);
    let mut found = Vec::new();
    while !bytes.is_empty() {
        let length = bytes.u32()? as usize;
        let kind = bytes.u16()?;
        let mut data = Bytes::new(bytes.take(length)?);
        if kind == EXTENDED || kind != DAMAGE {
            continue;
        }
        let kind = data.u16()?;
        found.push(Harm {
            kind: kind & !SPLASH,
            is_splash: kind & SPLASH != 0,
            attacker: data.u16()?,
            victim: data.u16()?,
            damage: data.i16()?,
        });
    }
    Ok(found)
}

/// The weapon, or whatever else did the harm, as the common server program numbers it.
pub(super) fn how(kind: u16) -> &'static str {
    const NAMES: [&str; 28] = [
        "none",
        "axe",
        "sg",
        "ssg",
        "ng",
        "sng",
        "gl",
        "rl",
        "lg",
        "discharge",
        "discharge",
        "hook",
        "changelevel",
        "lava",
        "slime",
        "water",
        "fall",
        "stomp",
        "tele",
        "tele",
        "tele",
        "tele",
        "explosive box",
        "laser",
        "fireball",
        "squish",
        "trigger",
        "suicide",
    ];
    NAMES.get(usize::from(kind)).copied().unwrap_or("unknown")
}
