//! A demo's outer layer: a row of blocks, each with a time.
//!
//! | demo           | head of a block                                   | kinds                                                  |
//! |----------------|---------------------------------------------------|--------------------------------------------------------|
//! | client, `.qwd` | `f32` seconds, `u8` kind                          | 0 input, 1 packet, 2 sequence numbers                  |
//! | server, `.mvd` | `u8` milliseconds since the last, `u8` kind, whom | 1 and 6 to all, 3 to some, 4 and 5 to one, 2 sequences |

use super::bytes::{Broken, Bytes};
use crate::play::Keys;

/// Longer packets than this do not exist: the game's largest has 8 kB, a server's demo writes at most 64.
const LONGEST: usize = 1 << 18;

/// Which of the two kinds of demo.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Demo {
    Client,
    Server,
}

/// Whom a packet of a server's demo is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum For {
    All,
    One(u8),
    /// Data that the game never shows: to nobody.
    Hidden,
    Some,
}

/// What a block holds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Block<'a> {
    Input(Keys),
    /// Messages, without the head of the packet.
    Packet {
        to: For,
        sequence: u32,
        acknowledged: u32,
        messages: &'a [u8],
    },
    Sequences {
        outgoing: u32,
    },
    Skipped,
}

/// Reads the next block with its time in seconds; `before` is the time of the one before it.
pub(super) fn next<'a>(demo: Demo, bytes: &mut Bytes<'a>, before: f64) -> Result<(f64, Block<'a>), Broken> {
    match demo {
        Demo::Client => {
            let secs = f64::from(bytes.f32()?);
            let block = match bytes.u8()? {
                0 => Block::Input(input(bytes)?),
                1 => packet(bytes)?,
                2 => {
                    let outgoing = bytes.u32()?;
                    bytes.u32()?;
                    Block::Sequences { outgoing }
                }
                _ => return Err(Broken::Nonsense("a block is of none of the three kinds")),
            };
            Ok((secs, block))
        }
        Demo::Server => {
            let secs = before + f64::from(bytes.u8()?) / 1000.0;
            let kind = bytes.u8()?;
            let to = match kind & 7 {
                1 | 6 => For::All,
                2 => {
                    bytes.take(8)?;
                    return Ok((secs, Block::Skipped));
                }
                3 => match bytes.u32()? {
                    0 => For::Hidden,
                    _ => For::Some,
                },
                4 | 5 => For::One(kind >> 3),
                _ => return Err(Broken::Nonsense("a block is of none of the six kinds")),
            };
            let messages = messages(bytes)?;
            Ok((secs, Block::Packet { to, sequence: 0, acknowledged: 0, messages }))
        }
    }
}

fn messages<'a>(bytes: &mut Bytes<'a>) -> Result<&'a [u8], Broken> {
    let length = bytes.u32()? as usize;
    if length > LONGEST {
        return Err(Broken::Nonsense("a packet is longer than packets can be"));
    }
    bytes.take(length)
}

/// A packet as it came over the network. One that begins with four 0xff has no connection yet and is skipped.
fn packet<'a>(bytes: &mut Bytes<'a>) -> Result<Block<'a>, Broken> {
    let mut packet = Bytes::new(messages(bytes)?);
    let Ok(sequence) = packet.u32() else { return Ok(Block::Skipped) };
    if sequence == u32::MAX {
        return Ok(Block::Skipped);
    }
    let Ok(acknowledged) = packet.u32() else { return Ok(Block::Skipped) };
    let messages = packet.take(packet.len())?;
    let number = |word: u32| word & 0x7fff_ffff;
    Ok(Block::Packet {
        to: For::All,
        sequence: number(sequence),
        acknowledged: number(acknowledged),
        messages,
    })
}

fn input(bytes: &mut Bytes<'_>) -> Result<Keys, Broken> {
    let mut keys = Keys { msec: bytes.u8()?, ..Keys::default() };
    bytes.take(3)?;
    keys.pitch_deg = bytes.f32()?;
    keys.yaw_deg = bytes.f32()?;
    bytes.take(4)?;
    keys.forward = bytes.i16()?;
    keys.side = bytes.i16()?;
    keys.up = bytes.i16()?;
    keys.buttons = bytes.u8()?;
    keys.impulse = bytes.u8()?;
    bytes.take(12)?;
    Ok(keys)
}

/// Tells which kind of demo this is, by trying to read its first blocks as either. `None` if they fit neither.
pub(super) fn sniff(all: &[u8]) -> Option<Demo> {
    let fits = |demo: Demo| {
        let mut bytes = Bytes::new(all);
        let (mut read, mut secs, mut packets) = (0, 0.0, 0);
        while read < 40 && !bytes.is_empty() {
            match next(demo, &mut bytes, secs) {
                Ok((at, block)) if (0.0..1e7).contains(&at) && at >= secs - 1.0 => {
                    secs = at;
                    packets +=
                        usize::from(matches!(block, Block::Packet { messages, .. } if !messages.is_empty()));
                }
                // A file may end in the middle of a block.
                Err(Broken::Short(_)) if read > 0 => break,
                _ => return 0,
            }
            read += 1;
        }
        if packets > 0 { read } else { 0 }
    };
    let (client, server) = (fits(Demo::Client), fits(Demo::Server));
    match (client, server) {
        (0, 0) => None,
        _ if client >= server => Some(Demo::Client),
        _ => Some(Demo::Server),
    }
}
