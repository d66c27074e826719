//! Worlds for characters to live in.
//!
//! | module    | what it is                                                            |
//! |-----------|-----------------------------------------------------------------------|
//! | [`arena`] | a deathmatch in rooms with heights: the place of Unreal Tournament    |
//! | [`quake`] | Quake's maps, rooms above rooms, and movement by QuakeWorld's rules     |
//! | [`rooms`] | a situated grid world of places, doors and things, with scenarios as data  |
//! | [`town`]  | a town of up to millions who want, plan, act, fail and plan again           |

pub mod arena;
pub mod quake;
pub mod rooms;
pub mod town;
