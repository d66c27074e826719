//! The arena: a deathmatch world of rooms with heights, items that come back, sight, sound and weapons.
//!
//! | module  | what it holds                                                              |
//! |---------|----------------------------------------------------------------------------|
//! | [`map`] | maps as data: areas, lines, items, starts; as TOML, and from Doom's files  |

pub mod map;
