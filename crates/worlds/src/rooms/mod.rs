//! Rooms: a situated grid world where characters know only what they have seen.
//!
//! | module       | what it holds                                                              |
//! |--------------|----------------------------------------------------------------------------|
//! | [`grid`]     | places, obstacles, lines of sight                                          |
//! | [`known`]    | the ground as a character knows it, and the ways it knows                  |
//! | [`search`]   | where something may be by now, and which places are worth another look     |
//! | [`mind`]     | a whole mind in a room: tables, needs and plans beside motivations         |
//! | [`scenario`] | scenarios as TOML; those of the paper's experiments                        |
//! | [`world`]    | things, characters, one step                                               |
//! | [`review`]   | what looks odd in a scenario                                               |
//! | [`log`]      | what happened, step by step                                                |
//! | [`social`]   | asking for help, and what is thought of others                             |

pub mod grid;
pub mod known;
pub mod log;
pub mod mind;
pub mod review;
pub mod scenario;
pub mod search;
pub mod social;
pub mod world;

pub use log::{Act, Entry};
pub use scenario::{Refused, Scenario};
pub use world::{NobodyCalledSo, Resident, World};
