//! QuakeWorld demos: matches of people as their game or their server recorded them (protocol 26 to 28).
//!
//! [`read`] takes a client's demo (`.qwd`: what one player was told, and every key they pressed) or a server's (`.mvd`:
//! everybody), and gives a [`Play`]. What is cut off or damaged is read as far as it can be, and [`Play::notes`] says what is missing;
//! a file that is something else is refused.
//!
//! | module      | what it knows                                       |
//! |-------------|-----------------------------------------------------|
//! | `block`     | the outer layer: inputs and packets with their times |
//! | `message`   | the messages in a packet                            |
//! | `player`, `entity` | the two kinds of things that move            |
//! | `wire`      | how numbers are packed, with or without extensions  |
//! | `game`      | what the messages add up to                         |

mod block;
mod bytes;
mod entity;
mod game;
mod hidden;
mod message;
mod player;
#[cfg(test)]
mod tests;
mod wire;

use crate::TraceError;
use crate::play::Play;
use bytes::{Broken, Bytes};
use game::Game;

/// Whether this looks like a demo.
pub fn is_demo(bytes: &[u8]) -> bool {
    block::sniff(bytes).is_some()
}

/// Reads a demo that is not packed; `session` is what the file is called, without its ending.
///
/// # Errors
/// When it is no QuakeWorld demo, or damaged before the first player was seen.
pub fn read(all: &[u8], session: &str) -> Result<Play, TraceError> {
    let Some(demo) = block::sniff(all) else { return Err(not_a_demo(all)) };
    let mut game = Game::new(demo, session, all.len());
    let mut bytes = Bytes::new(all);
    let mut secs = 0.0;
    while !bytes.is_empty() {
        let offset = all.len() - bytes.len();
        match block::next(demo, &mut bytes, secs) {
            Ok((at, block)) => {
                secs = at;
                game.block(at, block);
            }
            Err(Broken::Short(_)) => {
                game.note(format!(
                    "the file was cut off: its last {} bytes are no whole block",
                    all.len() - offset
                ));
                break;
            }
            Err(broken) => {
                let lost = all.len() - offset;
                game.note(format!("damaged at byte {offset}: {broken}; {lost} bytes after it are lost"));
                break;
            }
        }
        if game.has_ended() {
            break;
        }
    }
    game.finish().map_err(|what| TraceError::Demo { what, remedy: REMEDY.to_owned() })
}

const REMEDY: &str = "give a whole QuakeWorld demo (.qwd or .mvd, plain or gzip); one that was downloaded may have to be fetched again";

fn not_a_demo(all: &[u8]) -> TraceError {
    let what = if all.is_empty() {
        "the file is empty".to_owned()
    } else if all.starts_with(b"HL2DEMO") || all.starts_with(b"PBDEMS2") {
        "this is a demo of another game (Counter-Strike or another Source game)".to_owned()
    } else if all.starts_with(b"QWZ") || all.starts_with(b"qwz") {
        "this demo is packed by Qizmo (.qwz)".to_owned()
    } else if all.iter().take(12).any(|&byte| byte == b'\n')
        && all.iter().take_while(|&&byte| byte != b'\n').all(|byte| byte.is_ascii_digit() || *byte == b'-')
    {
        "this is a demo of the original Quake (.dem), not of QuakeWorld".to_owned()
    } else {
        "this is no QuakeWorld demo: its first bytes are neither a client's (.qwd) nor a server's (.mvd)"
            .to_owned()
    };
    TraceError::Demo { what, remedy: REMEDY.to_owned() }
}
