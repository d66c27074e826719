//! What can be wrong with settings, positions, tracks and places.

use crate::Point;

/// Positions farther out than this are no positions: their squares would not be numbers.
pub const FARTHEST: f64 = 1e12;

/// Whether all coordinates are numbers, and not beyond [`FARTHEST`].
#[inline]
pub fn is_position(at: &Point) -> bool {
    at.iter().all(|x| x.abs() <= FARTHEST)
}

/// A setting that makes no sense.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum SettingsError {
    /// A share of a way that is not from 0 to 1.
    #[error("`{name}` is {value}: it is a share of the way, from 0 to 1")]
    Share {
        /// Which setting.
        name: &'static str,
        /// What it is.
        value: f64,
    },
    /// A length, an age or a time below 0, or no number.
    #[error("`{name}` is {value}: it must be 0 or more")]
    Negative {
        /// Which setting.
        name: &'static str,
        /// What it is.
        value: f64,
    },
    /// A width or a length that must be above 0.
    #[error("`{name}` is {value}: {thing} above 0")]
    NotAbove0 {
        /// Which setting.
        name: &'static str,
        /// What it is.
        value: f64,
        /// What the setting measures.
        thing: &'static str,
    },
    /// The detour that still counts as straight is shorter than the straight way.
    #[error("`straight` is {0}: no way is shorter than the straight one, 1")]
    Straight(f64),
    /// Room for a single node.
    #[error("`most` is 1: a gas needs two nodes, or 0 for no bound")]
    OneNode,
    /// No room for positions.
    #[error(
        "`memory` is 0: links are worked out from remembered positions, so that there must be at least one"
    )]
    NoMemory,
}

/// Why a position cannot be learned from. The learner is left as it was.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum PositionError {
    /// A coordinate that is no number, or too large for its square to be one.
    #[error("{0:?} is no position: coordinates are numbers up to {FARTHEST:e}")]
    NotAPosition(Point),
    /// A time that is no number.
    #[error("{0} is no time: seconds are a number")]
    NotATime(f64),
    /// A track whose times and positions are not as many.
    #[error("the track has {secs} times and {at} positions: each position needs its time")]
    Lengths {
        /// How many times.
        secs: usize,
        /// How many positions.
        at: usize,
    },
}

impl PositionError {
    /// Refuses what is no position.
    #[inline]
    pub fn check(at: &Point) -> Result<(), PositionError> {
        if is_position(at) { Ok(()) } else { Err(PositionError::NotAPosition(*at)) }
    }
}

/// Why places cannot be used: they contradict themselves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlacesError {
    /// An id that two nodes have.
    #[error("there are two nodes with the id {0}")]
    TwoNodes(u32),
    /// A coordinate that is no number.
    #[error("the position of node {0} is none")]
    NotAPosition(u32),
    /// A list that belongs to the links and is not as long.
    #[error("`{name}` has {count} numbers for {links} links")]
    Lengths {
        /// Which list.
        name: &'static str,
        /// How long it is.
        count: usize,
        /// How many links there are.
        links: usize,
    },
    /// A link or an edge of a node that is not there.
    #[error("a link names the node {0}, which is not there")]
    NoNode(u32),
}

/// Why a saved gas cannot go on.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum SavedGasError {
    /// Its settings make no sense.
    #[error(transparent)]
    Settings(#[from] SettingsError),
    /// A node is nowhere.
    #[error(transparent)]
    Position(#[from] PositionError),
    /// An edge to a node that is not there, or that does not lead back.
    #[error("node {from} has an edge to node {to}, which is not there or has none back")]
    Edge {
        /// One end.
        from: u32,
        /// The other.
        to: u32,
    },
    /// A node's error was counted later than the gas is old.
    #[error("node {0} was changed later than the gas")]
    Later(u32),
}
