//! Worlds for characters to live in.
//!
//! | module    | what it is                                                            |
//! |-----------|-----------------------------------------------------------------------|
//! | [`arena`] | a deathmatch in rooms with heights: the place of Unreal Tournament    |

pub mod arena;
