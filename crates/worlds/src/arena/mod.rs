//! The arena: a deathmatch world of rooms with heights, items that come back, sight, sound and weapons.
//!
//! | module     | what it holds                                                                |
//! |------------|------------------------------------------------------------------------------|
//! | [`map`]    | maps as data: areas, lines, items, starts; as TOML, and from Doom's files    |
//! | [`space`]  | the shape of a map: where one stands, what bars the way, what rays meet      |
//! | [`level`]  | a checked map, ready to play, with what characters know of it                |
//! | [`nav`]    | points and links found from the geometry, each walked before it is believed  |
//! | [`rules`]  | the numbers of the game                                                      |
//! | [`motion`] | how bodies move                                                              |
//! | [`figures`] | how large a map is, and how well characters can get about in it             |
//! | [`game`]   | a match: a world and the minds that play in it                               |
//! | [`world`]  | a match without its minds                                                    |

pub mod figures;
pub mod game;
pub mod level;
pub mod map;
pub mod motion;
pub mod nav;
pub mod rules;
pub mod space;
pub mod world;
