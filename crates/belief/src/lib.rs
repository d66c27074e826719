//! Where an opponent is while out of sight: hidden semi-Markov tracking over the places of a map.
//!
//! | module         | what it gives                                                                |
//! |----------------|------------------------------------------------------------------------------|
//! | [`graph`]      | places: positions with neighbours, and ways along them                       |
//! | [`shortest`]   | shortest ways over any graph                                                 |
//! | [`dynamics`]   | how an opponent moves: first place, exits, how long stays last               |
//! | [`filter`]     | the exact belief over place and time in it, step by step, sparse             |
//! | [`smooth`](mod@smooth) | looking back; the most likely way, also between known ends                   |
//! | [`share`]      | the share of time spent in each place in the long run                        |
//! | [`particles`]  | the belief as a crowd of guesses                                             |
//! | [`crowd`]      | several opponents who cannot be told apart                                   |
//! | [`simulate`]   | ways drawn from the dynamics                                                 |
//! | [`play`]       | recorded play                                                                |
//! | [`model`]      | what is learned from it: a file                                              |
//! | [`fitted`]     | a model made ready: tables by context, where a side is at some time          |
//! | [`likeness`]   | which recorded rounds the present one is like                                |
//! | [`tracker`]    | one interface for all trackers                                               |
//! | [`region`]     | HMM, HSMM and particles over regions of a map                                |
//! | [`walk`]       | the random walk, to compare with                                             |
//! | [`pool`]       | several trackers as one, sharpened and weighed by what else is known         |
//! | [`observe`]    | what was seen, not seen and heard, as likelihoods                            |
//! | [`ways`]       | recorded ways as hidden states                                               |
//! | [`senses`]     | what is heard of the unseen, and that they are hurt, as evidence             |
//! | [`snapshot`]   | one side from where the other stands, without a past                         |
//! | [`score`]      | how good a belief was                                                        |
//! | [`evaluate`]   | all trackers on recorded play                                                |
//! | [`error`]      | what can be wrong with what is handed in                                     |
//!
//! Nothing here knows a file, a clock or a game: places are numbers, steps are steps.

pub mod crowd;
pub mod dynamics;
pub mod error;
pub mod evaluate;
pub mod filter;
pub mod fitted;
pub mod graph;
pub mod likeness;
pub mod model;
pub mod observe;
pub mod particles;
pub mod play;
pub mod pool;
pub mod region;
pub mod regions;
pub mod score;
pub mod senses;
pub mod share;
pub mod shortest;
pub mod simulate;
pub mod smooth;
pub mod snapshot;
pub mod tables;
pub mod tracker;
pub mod walk;
pub mod ways;

pub use dynamics::{Dynamics, DynamicsError};
pub use error::{FilterError, ModelError};
pub use filter::{Filter, Impossible, Leak, filter_all};
pub use fitted::Fitted;
pub use graph::{Distances, Graph};
pub use model::Model;
pub use smooth::{BestPath, best_path, smooth, with_ends};
pub use tracker::{Evidence, Quarry, Tracker};
