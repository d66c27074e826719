//! Repertoire's characters in Doom: the same mind files, in a game that others wrote.
//!
//! ViZDoom, which the user installs (`repertoire doom setup`), runs the game in a process of its own; `bridge.py` passes
//! states out and actions in as lines of JSON; everything else is here.
//!
//! | module          | what it holds                                                              |
//! |-----------------|----------------------------------------------------------------------------|
//! | [`protocol`]    | the lines                                                                  |
//! | [`bridge`]      | the process: started, answered, never left behind; recorded conversations  |
//! | [`environment`] | where Python, ViZDoom and the maps are                                     |
//! | [`setup`]       | making that environment                                                    |
//! | [`ground`]      | a map of Doom's as characters know it                                      |
//! | [`senses`]      | from states to percepts                                                    |
//! | [`hands`]       | from commands to keys and mouse                                            |
//! | [`arsenal`]     | Doom's weapons as weak, medium and strong                                  |
//! | [`feed`]        | who died of whom                                                           |
//! | [`game`]        | a match of our characters and the engine's bots                            |
//! | [`pictures`]    | where its pictures are put                                                 |
//! | [`processor`]   | a match on one processor                                                   |
//! | [`tally`]       | what everybody did in it                                                   |
//! | [`tournament`]  | many matches on many maps                                                  |
//! | [`results`]     | its results as lines, to go on from                                        |
//! | [`report`]      | both as tables                                                             |
//! | [`demo`]        | recorded play of the engine's bots, as percepts and commands               |

pub mod arsenal;
pub mod bridge;
pub mod demo;
pub mod environment;
pub mod error;
pub mod feed;
pub mod game;
pub mod ground;
pub mod hands;
pub mod pictures;
pub mod processor;
pub mod protocol;
pub mod report;
pub mod results;
pub mod senses;
pub mod setup;
pub mod tally;
pub mod tournament;

pub use environment::Environment;
pub use error::DoomError;
pub use game::{Game, GameSettings};
pub use ground::Ground;
pub use hands::Manner;
pub use tally::{BotTally, MatchResult, Tally};
