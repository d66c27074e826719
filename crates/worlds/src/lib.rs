//! Worlds for characters to live in.
//!
//! | module    | what it is                                                            |
//! |-----------|-----------------------------------------------------------------------|
//! | [`arena`] | a deathmatch in rooms with heights: the place of Unreal Tournament    |
//! | [`rooms`] | a situated grid world of places, doors and things, with scenarios as data  |

pub mod arena;
pub mod rooms;
