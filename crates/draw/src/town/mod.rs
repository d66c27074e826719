//! A town in pictures: the map, crowds over time, the day of single inhabitants; a page to play back.

pub mod page;
pub mod picture;
