//! What a character perceives, what it commands, and what it knows of a map.
//!
//! A mind never sees a world. It gets a [`Percept`], which holds what a player would see, hear and feel and nothing
//! else, and answers with a [`Command`], which holds what a player could do with keyboard and mouse. Another game
//! that fills the one and obeys the other can be played by the same minds. The map is different: a player knows it
//! by heart, so [`Places`] may be used freely.
//!
//! | module     | what it holds                                                      |
//! |------------|--------------------------------------------------------------------|
//! | [`arms`]   | weapons as data: the arena's three and Quake's eight               |
//! | [`belief`] | where opponents out of sight are believed to be                   |
//! | [`body`]   | percepts in, commands out                                          |
//! | [`blast`]  | too close for a rocket                                            |
//! | [`fighter`] | the one mind of all who fight, from one file each                  |
//! | [`game`]   | characters of any game: needs, plans, reasons                      |
//! | [`event`]  | what happened, for recordings and pages                            |
//! | [`mind`]   | the trait between minds and worlds                                  |
//! | [`memory`] | what a character remembers of enemies and items                     |
//! | [`unstuck`] | a reflex: try another way for a while when stuck                   |
//! | [`route`]  | following the links of a map                                      |
//! | [`tasks`]  | the six elementary tasks as Bayesian programs                     |
//! | [`sequenced`] | behaviours that choose among them                              |
//! | [`student`] | learns such a character from play                                |
//! | [`learned_places`] | places learned from play as such knowledge                        |
//! | [`replay`] | does again what somebody did in a recording, body and all              |
//! | [`places`] | knowledge of a map: points, links, where things lie, the way there |
//!
//! Lengths are metres, times seconds, angles radians. `x` is east, `y` north, `z` up; yaw 0 looks east and grows
//! counter-clockwise, so that left is positive; pitch grows upwards.

pub mod arms;
pub mod belief;
pub mod blast;
pub mod body;
pub mod chameleon;
pub mod event;
pub mod fighter;
mod footing;
pub mod game;
mod glide;
pub mod lava;
pub mod learned_places;
pub mod memory;
pub mod mind;
pub mod moments;
pub mod notice;
pub mod places;
pub mod replay;
pub mod route;
pub mod sequenced;
pub mod student;
pub mod tasks;
pub mod unstuck;

pub use belief::Beliefs;
pub use body::{
    AMMUNITION, Armour, Bearing, Command, Fire, Hit, Item, Lead, LedHow, Noise, Own, Pack, Percept, RAYS,
    SeenCharacter, SeenItem, Sound, Weapon, turn_between, wrap_angle,
};
pub use event::Event;
pub use glam::{DVec2, DVec3};
pub use mind::{Attends, Cue, Mind, RestoreError};
pub use places::{Cells, How, Link, NoPlace, Place, Places, Spot, Timetable};
