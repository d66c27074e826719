//! The probability base that every part of Repertoire stands on.
//!
//! | module           | what it gives                                                               |
//! |------------------|-----------------------------------------------------------------------------|
//! | [`variable`]     | variables with named values, some of which are bins of a scale              |
//! | [`distribution`] | validated distributions                                                     |
//! | [`draw`]         | sampling, arg-max, sampling after raising to a power                        |
//! | [`table`]        | `P(A.. \| B..)`, with `x` cells that share what is left of their column     |
//! | [`exact`]        | sums that do not depend on the order of their terms                         |
//! | [`histogram`]    | the same, learned from counts by Laplace's law                              |
//! | [`chain`]        | forward, backward, smoothing, most likely path, for any length              |
//! | [`hmm`]          | hidden Markov models with several observations; Baum-Welch, incremental too |
//! | [`stream`]       | random streams from (seed, agent, purpose)                                  |
//! | [`num`]          | portable `exp`, `ln`, trigonometry: the same bits on every platform         |
//!
//! Everything is finite and discrete. Nothing here knows a file, a clock, or a game.

pub mod chain;
pub mod distribution;
pub mod draw;
pub mod exact;
pub mod histogram;
pub mod hmm;
pub mod num;
pub mod stream;
pub mod table;
pub mod variable;

pub use distribution::Distribution;
pub use histogram::Histogram;
pub use rand_core::Rng;
pub use stream::Stream;
pub use table::{Cell, Table};
pub use variable::{Bins, Variable};
