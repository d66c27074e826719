//! Percepts in, commands out: the only two things that pass between a world and a mind.

mod angle;
mod command;
mod lead;
mod percept;
mod things;

pub use angle::{Bearing, turn_between, wrap_angle};
pub use command::{Command, Fire};
pub use lead::{Lead, LedHow};
pub use percept::{Hit, Noise, Own, Pack, Percept, RAYS, SeenCharacter, SeenItem, Sound};
pub use things::{AMMUNITION, Armour, Item, NoSuchItem, Weapon};
