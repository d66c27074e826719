//! The server's messages: every kind is read to its end, since its length is known only by reading it.

use super::bytes::{Broken, Bytes};
use super::entity::{self, Change, Entity};
use super::player::{self, Changed, Whole};
use super::wire::{Wire, angle16, fte};
use crate::play::Physics;

/// What a server says about itself when a level begins.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ServerData {
    pub wire: Wire,
    pub game: String,
    pub level: String,
    /// The slot of the player who records, in client demos.
    pub slot: Option<u8>,
    pub is_spectator: bool,
    pub physics: Physics,
}

/// A message.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Message {
    ServerData(Box<ServerData>),
    Stat { stat: u8, value: i32 },
    Sound { entity: u16, sound: u16 },
    Print { level: u8, text: String },
    Command(String),
    Frags { slot: u8, frags: i16 },
    Damage { armour: u8, blood: u8 },
    UserInfo { slot: u8, user: i32, info: String },
    SetInfo { slot: u8, key: String, value: String },
    ServerInfo { key: String, value: String },
    Player(Whole),
    PlayerChange(Changed),
    Entities { is_delta: bool, from: u8, changes: Vec<Change> },
    Baseline { number: u16, entity: Entity },
    MuzzleFlash { entity: u16 },
    Models { first: usize, names: Vec<String> },
    Sounds { first: usize, names: Vec<String> },
    MaxSpeed(f32),
    Gravity(f32),
    Intermission,
    Disconnect,
    Other,
}

/// Reads the next message. `wire` is what the last server data said.
pub(super) fn next(bytes: &mut Bytes<'_>, wire: &Wire) -> Result<Message, Broken> {
    let kind = bytes.u8()?;
    Ok(match kind {
        1 | 27 | 28 | 33 | 34 | 35 => Message::Other,
        2 => {
            // Servers' demos end with text, old clients' without.
            let _ = bytes.text();
            Message::Disconnect
        }
        3 => Message::Stat { stat: bytes.u8()?, value: i32::from(bytes.u8()?) },
        38 => Message::Stat { stat: bytes.u8()?, value: bytes.i32()? },
        6 => sound(bytes, wire)?,
        8 => Message::Print { level: bytes.u8()?, text: bytes.text()? },
        9 => Message::Command(bytes.text()?),
        10 => {
            // The view is turned for the player. What servers' demos say of views builds upon what they said before, not on this.
            if wire.is_server_demo {
                bytes.u8()?;
            }
            for _ in 0..3 {
                wire.angle(bytes)?;
            }
            Message::Other
        }
        11 => Message::ServerData(Box::new(server_data(bytes, wire.is_server_demo)?)),
        14 => Message::Frags { slot: bytes.u8()?, frags: bytes.i16()? },
        19 => {
            let (armour, blood) = (bytes.u8()?, bytes.u8()?);
            wire.point(bytes)?;
            Message::Damage { armour, blood }
        }
        20 => {
            entity::baseline(bytes, wire)?;
            Message::Other
        }
        21 | 66 => fte_baseline(kind, bytes, wire)?,
        22 => Message::Baseline { number: bytes.u16()?, entity: entity::baseline(bytes, wire)? },
        23 => temporary(bytes, wire)?,
        29 => skip_after_point(bytes, wire, 3)?,
        30 => {
            wire.point(bytes)?;
            for _ in 0..3 {
                wire.angle(bytes)?;
            }
            Message::Intermission
        }
        5 | 7 | 16 | 24 | 32 | 36 | 37 | 44 | 53 => skip(bytes, fixed_length(kind))?,
        12 => {
            bytes.u8()?;
            skip_text(bytes)?
        }
        26 | 31 => skip_text(bytes)?,
        39 => Message::MuzzleFlash { entity: bytes.u16()? },
        40 => Message::UserInfo { slot: bytes.u8()?, user: bytes.i32()?, info: bytes.text()? },
        41 => download(bytes, wire)?,
        42 if wire.is_server_demo => Message::PlayerChange(player::changed(bytes, wire)?),
        42 => Message::Player(player::whole(bytes, wire)?),
        43 | 54 => nails(kind, bytes)?,
        45 | 60 => {
            let (first, names) = list(bytes, kind == 60)?;
            Message::Models { first, names }
        }
        46 | 56 => {
            let (first, names) = list(bytes, kind == 56)?;
            Message::Sounds { first, names }
        }
        47 => Message::Entities { is_delta: false, from: 0, changes: entity::changes(bytes, wire)? },
        48 => {
            let from = bytes.u8()?;
            Message::Entities { is_delta: true, from, changes: entity::changes(bytes, wire)? }
        }
        49 => Message::MaxSpeed(bytes.f32()?),
        50 => Message::Gravity(bytes.f32()?),
        51 => Message::SetInfo { slot: bytes.u8()?, key: bytes.text()?, value: bytes.text()? },
        52 => Message::ServerInfo { key: bytes.text()?, value: bytes.text()? },
        78 => {
            bytes.u8()?;
            skip_text(bytes)?
        }
        79 => {
            let stat = bytes.u8()?;
            Message::Stat { stat, value: bytes.f32()? as i32 }
        }
        83 => skip(bytes, 34)?,
        84 => {
            bytes.take(3)?;
            let length = bytes.u16()?;
            skip(bytes, usize::from(length))?
        }
        85 => {
            for _ in 0..3 {
                angle16(bytes)?;
            }
            Message::Other
        }
        unknown => return Err(Broken::Unknown(unknown)),
    })
}

/// The length of messages that are skipped: ping, time of entering, choked packets, lost packets, view, time, stopped sound, pause, track.
fn fixed_length(kind: u8) -> usize {
    match kind {
        36 => 3,
        37 => 5,
        24 | 32 | 44 => 1,
        7 => 4,
        _ => 2,
    }
}

fn skip(bytes: &mut Bytes<'_>, length: usize) -> Result<Message, Broken> {
    bytes.take(length)?;
    Ok(Message::Other)
}

fn skip_text(bytes: &mut Bytes<'_>) -> Result<Message, Broken> {
    bytes.text()?;
    Ok(Message::Other)
}

fn skip_after_point(bytes: &mut Bytes<'_>, wire: &Wire, length: usize) -> Result<Message, Broken> {
    wire.point(bytes)?;
    skip(bytes, length)
}

fn sound(bytes: &mut Bytes<'_>, wire: &Wire) -> Result<Message, Broken> {
    let word = bytes.u16()?;
    for flag in [0x8000, 0x4000] {
        if word & flag != 0 {
            bytes.u8()?;
        }
    }
    let sound = u16::from(bytes.u8()?);
    wire.point(bytes)?;
    Ok(Message::Sound { entity: (word >> 3) & 1023, sound })
}

fn server_data(bytes: &mut Bytes<'_>, is_server_demo: bool) -> Result<ServerData, Broken> {
    let wire = Wire::read(bytes, is_server_demo)?;
    bytes.i32()?;
    let game = bytes.text()?;
    let (slot, is_spectator) = if is_server_demo {
        bytes.f32()?;
        (None, false)
    } else {
        let slot = bytes.u8()?;
        (Some(slot & 127), slot & 128 != 0)
    };
    let level = bytes.text()?;
    let mut numbers = [0.0; 10];
    for number in &mut numbers {
        *number = bytes.f32()?;
    }
    Ok(ServerData { wire, game, level, slot, is_spectator, physics: Physics::from(numbers) })
}

/// Names from a first number on. The byte after them, where the list goes on, is not needed.
fn list(bytes: &mut Bytes<'_>, is_long: bool) -> Result<(usize, Vec<String>), Broken> {
    let first = if is_long { bytes.u16()? } else { u16::from(bytes.u8()?) };
    let mut names = Vec::new();
    loop {
        let name = bytes.text()?;
        if name.is_empty() {
            break;
        }
        names.push(name);
    }
    bytes.u8()?;
    Ok((usize::from(first), names))
}

/// FTE's baselines and static entities, written as a change from nothing.
fn fte_baseline(kind: u8, bytes: &mut Bytes<'_>, wire: &Wire) -> Result<Message, Broken> {
    let word = bytes.u16()?;
    let change = entity::change(word, bytes, wire)?;
    Ok(match kind {
        66 => Message::Baseline { number: change.number, entity: change.apply(Entity::default()) },
        _ => Message::Other,
    })
}

fn nails(kind: u8, bytes: &mut Bytes<'_>) -> Result<Message, Broken> {
    let count = usize::from(bytes.u8()?);
    skip(bytes, count * if kind == 54 { 7 } else { 6 })
}

fn download(bytes: &mut Bytes<'_>, wire: &Wire) -> Result<Message, Broken> {
    if wire.fte & fte::CHUNKED_DOWNLOADS != 0 {
        if bytes.i32()? >= 0 {
            return skip(bytes, 1024);
        }
        bytes.i32()?;
        return skip_text(bytes);
    }
    let size = bytes.i16()?;
    bytes.u8()?;
    skip(bytes, usize::try_from(size).unwrap_or(0))
}

/// Explosions, sparks, beams.
fn temporary(bytes: &mut Bytes<'_>, wire: &Wire) -> Result<Message, Broken> {
    match bytes.u8()? {
        // Lightning: who, from where to where.
        5 | 6 | 9 | 17 => {
            bytes.u16()?;
            wire.point(bytes)?;
        }
        // Shot and blood come in numbers.
        2 | 12 => {
            bytes.u8()?;
        }
        0 | 1 | 3 | 4 | 7 | 8 | 10 | 11 | 13 | 14 | 15 => {}
        16 => {
            wire.point(bytes)?;
        }
        _ => return Err(Broken::Nonsense("an effect is not known")),
    }
    wire.point(bytes)?;
    Ok(Message::Other)
}
