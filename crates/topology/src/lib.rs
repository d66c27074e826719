//! Places learned from where players walk.
//!
//! | module       | what it holds                                                                     |
//! |--------------|-----------------------------------------------------------------------------------|
//! | [`gas`]      | growing neural gas as Tencé modified it, figure 3.12, with both rules for edges   |
//! | [`nearest`]  | the two nodes nearest to a position, whatever the number of nodes                 |
//! | [`learner`]  | the gas with what makes it learn in one pass, forget, and never grow without bound |
//! | [`walks`]    | what is remembered of where teachers walked, and the links that follow from it    |
//! | [`places`]   | what was learned, as a file: nodes, and links that someone was seen walking       |
//! | [`compare`]  | sensitivity and specificity against navigation points; distances; links followed  |
//! | [`evaluate`] | how well places learned from some sessions serve in others                         |
//! | [`kmeans`]   | the baseline: as many centres, placed with all positions at hand                  |
//! | [`error`]    | what can be wrong with settings, positions and places                             |
//!
//! Nothing here knows a file, a clock or a game. Units are whatever positions come in; defaults are for Unreal units, of
//! which there are about 50 in a metre.

pub mod compare;
pub mod error;
pub mod evaluate;
pub mod gas;
pub mod kmeans;
pub mod learner;
pub mod nearest;
pub mod places;
pub mod walks;

pub use gas::{EdgeRule, Gas, GasSettings};
pub use learner::{Learner, LearnerSettings};
pub use nearest::Index;
pub use places::{PlaceGraph, PlaceNode, PlacesFile};

/// A position.
pub type Point = [f64; 3];
