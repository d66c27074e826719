//! How good learned places are: judged on play that they were not learned from, and beside a designer's navigation points.
//!
//! | module       | what it answers                                                                        |
//! |--------------|----------------------------------------------------------------------------------------|
//! | [`learn`]    | places of each map from recorded sessions, in one call                                 |
//! | [`compare`]  | learned places beside navigation points, map by map, and on play if there is some      |
//! | [`evaluate`] | each session left out in turn: distances, links, k-means beside it, three learners     |
//! | [`figures`]  | what figures 4.11 to 4.20 of Tencé 2011 show: over time, by parameter, by teachers     |
//! | [`points`]   | the points that a map of the arena has of its own, to compare with                     |
//!
//! Play comes in as [`Session`]s: one player's lives as tracks of positions. Answers are functions of what comes in and the
//! seed, on any number of threads.
//!
//! ```
//! use repertoire_eval::topology::{Evaluation, Ground};
//! use repertoire_topology::LearnerSettings;
//! use repertoire_topology::evaluate::Session;
//! use repertoire_topology::walks::Track;
//!
//! // Two people walk to and fro along a corridor of 2,000 units, ten positions per second.
//! let walk = |name: &str, y: f64| {
//!     let along = |k: u32| f64::from(k * 44 % 4000);
//!     let at = (0..600).map(|k| [along(k).min(4000.0 - along(k)), y, 0.0]).collect();
//!     let secs = (0..600).map(|k| f64::from(k) * 0.1).collect();
//!     Session { name: name.to_owned(), tracks: vec![Track { secs, at }] }
//! };
//! let sessions = vec![walk("ann", 0.0), walk("bob", 40.0)];
//! let ground = Ground::new("corridor", sessions, Vec::new(), 50.0, LearnerSettings::default());
//! let evaluation = Evaluation { passes: 2, starts: 1 };
//! let judged = evaluation.run(&[ground], &|_, _| ())?;
//! assert_eq!(judged.mean[0].learner, "learner");
//! assert!(judged.mean[0].along_links_last > 0.9, "nearly every step between places follows a link");
//! # Ok::<(), repertoire_eval::topology::TopologyError>(())
//! ```

pub mod compare;
pub mod evaluate;
pub mod figures;
pub mod learn;
pub mod points;

pub use evaluate::{Evaluation, Ground, JudgedMap, Judgement};
use repertoire_topology::error::{PositionError, SettingsError};
use repertoire_topology::evaluate::EvaluateError;
pub use repertoire_topology::evaluate::Session;

/// Why places cannot be learned, compared or judged.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum TopologyError {
    /// No map, or no session on one.
    #[error("there is nothing to judge\n  remedy: give recorded play")]
    Nothing,
    /// Settings or positions of a map make no sense.
    #[error("{map}: {why}")]
    Map {
        /// Which map.
        map: String,
        /// What is wrong.
        why: EvaluateError,
    },
    /// Places and navigation points have no map in common.
    #[error(
        "no map is in both files: the places are of {}, the navigation points of {}\n  remedy: give files of the same map",
        .places.join(", "), .points.join(", ")
    )]
    NoCommonMap {
        /// The maps of the places.
        places: Vec<String>,
        /// The maps of the navigation points.
        points: Vec<String>,
    },
}

impl TopologyError {
    fn of(map: &str, why: impl Into<EvaluateError>) -> Self {
        TopologyError::Map { map: map.to_owned(), why: why.into() }
    }

    fn settings(map: &str) -> impl Fn(SettingsError) -> Self {
        move |why| TopologyError::of(map, why)
    }

    fn position(map: &str) -> impl Fn(PositionError) -> Self {
        move |why| TopologyError::of(map, why)
    }
}
