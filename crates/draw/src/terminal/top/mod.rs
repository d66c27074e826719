//! A map from above, in the characters of a terminal.
//!
//! | module     | what it holds                                                    |
//! |------------|------------------------------------------------------------------|
//! | [`sheet`]  | a page of characters with colours                                |
//! | [`view`]   | which piece of the map is shown, and how large                   |
//! | [`ground`] | floors, walls and what characters see, two pixels to a character |
//! | [`signs`]  | items, characters, projectiles, and their colours                |

pub mod ground;
pub mod sheet;
pub mod signs;
pub mod view;
