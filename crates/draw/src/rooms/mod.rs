//! Runs in rooms: kept step by step, as a picture, and as a page to play back.

pub mod film;
pub mod page;
pub mod picture;
