//! Pictures made of characters: tables, bars, and maps from above.
//!
//! | module          | what it shows                                                             |
//! |-----------------|---------------------------------------------------------------------------|
//! | [`table`]       | tables, and the cells that most of them have                              |
//! | [`bars`](mod@bars) | distributions                                                          |
//! | [`map`], [`top`]| a map of the arena from above                                             |
//! | [`watch`], [`show`], [`pace`] | a match while it is played                                  |
//! | [`nats`]        | the table of a decision in a narrow space                                 |
//! | [`lines`]       | curves and how fast they grow                                             |
//! | [`rooms`]       | a run in rooms                                                            |
//! | [`behaviour`]   | behaviours, and how two of them differ                                    |
//! | [`program`]     | Bayesian programs, and their answers with reasons                         |
//! | [`arena`]       | maps and weapons                                                          |
//! | [`character`]   | characters as files                                                       |
//! | [`learned`]     | behaviours and manners learned from play                                  |
//! | [`plan`]        | domains, and plans for a population                                       |
//! | [`recording`]   | what is in a recording                                                    |
//! | [`tournament`]  | who is better                                                             |
//! | [`town`], [`town_show`] | a town: what came of a run, the map while it lives                |
//! | [`belief`], [`topology`], [`signature`], [`soundness`], [`experiments`] | what evaluations found |
//!
//! Colours are escape codes; whoever prints takes them out where there is no terminal.

pub mod arena;
pub mod bars;
pub mod behaviour;
pub mod belief;
pub mod believable;
pub mod character;
pub mod experiments;
pub mod imitated;
pub mod judge;
pub mod learned;
pub mod lines;
pub mod map;
pub mod nats;
pub mod pace;
pub mod people;
pub mod plan;
pub mod play;
pub mod program;
pub mod recording;
pub mod rooms;
pub mod show;
pub mod signature;
pub mod soundness;
pub mod telling;
pub mod top;
pub mod topology;
pub mod town;
pub mod town_show;
pub mod watch;
pub mod wrap;

pub use bars::bars;
pub use repertoire_tournament::report as tournament;
pub use repertoire_tournament::report::{columns, table};
