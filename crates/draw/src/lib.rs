//! Pictures of minds, maps and matches: one way to write SVG and pages.
//!
//! Whatever is drawn takes data and returns a `String`; nothing here reads or writes files. Pictures read on light and on
//! dark pages, carry a title and a description for those who cannot see them, and come out the same on every machine.
//!
//! | module         | what it draws                                                              |
//! |----------------|----------------------------------------------------------------------------|
//! | [`svg`]        | the writer: elements, text, paths, numbers, the tones of paper and ink      |
//! | [`html`]       | pages around pictures, which need nothing but themselves                   |
//! | [`attractors`] | several things to go for, by coherence and by attention                    |
//! | [`axes`]       | axes with grid lines and round numbers                                     |
//! | [`legend`]     | what colours mean                                                          |
//! | [`colour`]     | scales from numbers to colours                                             |
//! | [`label`]      | text that has to fit                                                       |
//! | [`round`]      | directions: wedges, rings, angles                                          |
//! | [`chart`]      | distributions as bars, or round                                            |
//! | [`likelihoods`] | how learning by imitation proceeds                                        |
//! | [`lines`]      | curves on logarithmic axes, and in panels                                  |
//! | [`map`]        | a map of the arena from above                                              |
//! | [`film`]       | a stretch of a match, animated, with one decision explained                |
//! | [`tournament`] | a tournament as a page                                                     |
//! | [`town`]       | a town: the map, crowds over time, a page to play back                      |
//! | [`rooms`]      | a run in rooms: ways, values over time, trees of reasons; a page to play back |
//! | [`chameleon`]  | characters learned by imitation: what they do about what, lives over time  |
//! | [`signature`]  | who moves like whom                                                        |
//! | [`topology`]   | places learned from where players walk                                     |
//! | [`belief`]     | where an unseen enemy is believed to be                                    |
//! | [`judge`]      | a page of clips for judges                                                 |
//! | [`believable`] | cards of believability as a page                                           |
//! | [`terminal`]   | the same in characters: tables, bars, maps and matches                     |
//! | [`png`]        | pictures of a game engine as one animated picture, or in a terminal        |
//!
//! A map, drawn:
//!
//! ```
//! use repertoire_worlds::arena::map::file;
//!
//! let written = r#"
//! name = "two rooms"
//! [[area]]
//! name = "hall"
//! ceiling = 4
//! rect = [0, 0, 12, 8]
//! [[area]]
//! name = "stage"
//! inside = "hall"
//! rect = [8, 0, 4, 8]
//! floor = 1
//! [[start]]
//! at = [2, 4]
//! "#;
//! let map = file::read(written)?.map;
//! let picture = repertoire_draw::map::svg(&map);
//! assert!(picture.starts_with("<svg") && picture.contains("<title>stage</title>"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod attractors;
pub mod axes;
pub mod belief;
pub mod believable;
pub mod chameleon;
pub mod chart;
pub mod colour;
pub mod film;
pub mod html;
pub mod judge;
pub mod label;
pub mod legend;
pub mod likelihoods;
pub mod lines;
pub mod map;
pub mod png;
pub mod rooms;
pub mod round;
pub mod signature;
pub mod svg;
pub mod terminal;
pub mod topology;
pub mod tournament;
pub mod town;

pub use chart::Chart;
pub use terminal::columns::columns;
