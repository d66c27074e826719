//! Shards: long work cut into numbered pieces, done anywhere and in any order, merged into what one run gives.
//!
//! A piece (a match, a duel, a town, a round) is a function of the work and the piece's number alone. A [`Shard`] is a text file
//! with the pieces of a half-open range of numbers. Merging puts all pieces in the order of their numbers and calls the same
//! function ([`Sharded::whole`]) that a single run calls, so the result has the same bits for every partition, every order of
//! shards and every number of threads: **sums are taken in the order of pieces**, never shard by shard. Keeping every piece
//! costs a few kilobytes for each, against minutes to play it; what is too large to keep for each piece (the counts of learning)
//! is summed exactly instead, as fixed-point numbers ([`repertoire_prob::exact`]).
//!
//! | module     | what it holds                                                          |
//! |------------|------------------------------------------------------------------------|
//! | [`mod@file`] | a shard as text: written line by line, read again after a kill         |
//! | [`Kept`]   | a shard's file on disk, gone on with after a kill                      |
//! | [`merge()`]| many shards as one result, or what speaks against it                   |
//! | [`range`]  | half-open ranges, and what is missing of them                          |
//!
//! Work that is to be done in shards implements [`Sharded`]. Processes and machines are somebody else's: a shell, a queue of yours,
//! or Ray and Dask through `repertoire.cluster` (Python).

pub mod file;
mod kept;
mod merge;
pub mod range;
#[cfg(test)]
mod tests;

use std::ops::Range;
use std::sync::Arc;

use rayon::prelude::*;
use repertoire_worlds::arena::level::Level;
use repertoire_worlds::arena::map::file as map_file;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

pub use file::{Header, Shard, Unreadable};
pub use kept::{CannotKeep, Kept};
pub use merge::{CannotMerge, merge};

/// What a shard is a part of. Two shards belong together if these are equal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct What {
    /// The kind of work, such as `tournament`.
    pub kind: String,
    /// Random seed of the work.
    pub seed: u64,
    /// Everything else that the result depends on, by name.
    pub settings: Value,
    /// How many pieces the whole has.
    pub total: u64,
}

/// Long work in numbered pieces.
///
/// ```
/// use repertoire_tournament::shard::{self, Shard, Sharded, What};
///
/// /// The sum of squares, which is not really long.
/// struct Squares(u64);
///
/// impl Sharded for Squares {
///     type Piece = u64;
///     type Whole = u64;
///     type Refused = std::convert::Infallible;
///     fn what(&self) -> What {
///         What { kind: "squares".into(), seed: 0, settings: serde_json::Value::Null, total: self.0 }
///     }
///     fn piece(&self, number: u64) -> Result<u64, Self::Refused> {
///         Ok(number * number)
///     }
///     fn whole(&self, pieces: Vec<(u64, u64)>) -> Result<u64, Self::Refused> {
///         Ok(pieces.into_iter().map(|(_, square)| square).sum())
///     }
/// }
///
/// let work = Squares(10);
/// let [first, second] = [0..4, 4..10].map(|range| {
///     let pieces = shard::run(&work, range.clone(), &|| true, &|_, _| ()).unwrap();
///     Shard::of(&work, range, &pieces).unwrap()
/// });
/// // In any order, the same as in one run.
/// assert_eq!(shard::merge(&work, &[second.clone(), first])?, 285);
/// let refused = shard::merge(&work, &[second]).unwrap_err();
/// assert!(refused.to_string().contains("0..4"), "{refused}");
/// # Ok::<(), shard::CannotMerge<std::convert::Infallible>>(())
/// ```
pub trait Sharded: Sync {
    /// The result of a piece: plain data that JSON keeps whole, so without infinite numbers.
    type Piece: Serialize + DeserializeOwned + Send;
    /// What comes of all pieces together.
    type Whole;
    /// Why the work cannot be done.
    type Refused: std::error::Error + Send;

    /// What a shard of this work belongs to.
    fn what(&self) -> What;

    /// Does one piece; a function of the work and the number alone.
    ///
    /// # Errors
    /// If the work cannot be done.
    fn piece(&self, number: u64) -> Result<Self::Piece, Self::Refused>;

    /// Puts pieces together, which come in the order of their numbers. Some may be missing if a run was interrupted.
    ///
    /// # Errors
    /// If nothing can be said about these pieces.
    fn whole(&self, pieces: Vec<(u64, Self::Piece)>) -> Result<Self::Whole, Self::Refused>;
}

/// Does the pieces of a range, each on one thread of the rayon pool in which this is called, until `go_on` says no: pieces that
/// have begun are then done to their end. `done` hears of each piece at once, in any order.
///
/// # Errors
/// As [`Sharded::piece`].
pub fn run<W: Sharded>(
    work: &W,
    numbers: impl IntoIterator<Item = u64>,
    go_on: &(dyn Fn() -> bool + Sync),
    done: &(dyn Fn(u64, &W::Piece) + Sync),
) -> Result<Vec<(u64, W::Piece)>, W::Refused> {
    let numbers: Vec<u64> = numbers.into_iter().collect();
    let one = |number: u64| {
        go_on().then(|| {
            let piece = work.piece(number)?;
            done(number, &piece);
            Ok((number, piece))
        })
    };
    // Pieces are long and of different lengths: each may go to any free thread.
    numbers.into_par_iter().with_max_len(1).filter_map(one).collect()
}

/// Does all of it here and now.
///
/// # Errors
/// As [`Sharded::piece`] and [`Sharded::whole`].
pub fn run_all<W: Sharded>(work: &W, done: &(dyn Fn() + Sync)) -> Result<W::Whole, W::Refused> {
    work.whole(run(work, 0..work.what().total, &|| true, &|_, _| done())?)
}

/// Cuts the pieces of some work into `shards` ranges of nearly equal length; fewer if there are not so many pieces.
pub fn ranges(total: u64, shards: u64) -> Vec<Range<u64>> {
    let shards = shards.clamp(1, total.max(1));
    (0..shards).map(|k| k * total / shards..(k + 1) * total / shards).collect()
}

/// Maps as part of what a result depends on: each with its name and a checksum of what it looks like, since two files may have
/// one name.
pub fn maps(levels: &[(String, Arc<Level>)]) -> Value {
    let one = |(name, level): &(String, Arc<Level>)| {
        serde_json::json!([name, file::checksum(map_file::write(level.map()).as_bytes())])
    };
    levels.iter().map(one).collect()
}
