//! Characters against each other: matches, counted and compared.
//!
//! | module         | what it holds                                                              |
//! |----------------|----------------------------------------------------------------------------|
//! | [`tournament`] | all characters against all in one arena, many times: Le Hy's protocol       |
//! | [`league`]     | tournaments of thousands of characters, at random tables of a few           |
//! | [`shard`]      | long work in parts that give the same bits as one run                       |
//! | [`interval`]   | means with a confidence interval                                           |
//! | [`report`]     | a tournament as text, and the tables that other reports are made of         |
//!
//! Everything but the time of decisions is a function of the settings and the seed, on any number of threads. It is a crate apart from
//! `repertoire-eval` because it is all that a first look needs: no recordings, no pictures, no experiments.

pub mod interval;
pub mod league;
pub mod report;
pub mod shard;
pub mod tournament;

pub use interval::Interval;
pub use tournament::{Entry, MatchResult, Outcome, Refused, Standing, Tournament};
