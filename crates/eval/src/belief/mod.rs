//! How well unseen opponents are tracked: the experiments of `repertoire belief`.
//!
//! | module        | what it measures                                                                      |
//! |---------------|---------------------------------------------------------------------------------------|
//! | [`trackers`]  | all trackers by name                                                                  |
//! | [`evaluate`]  | trackers on recorded play                                                             |
//! | [`evidence`]  | what sounds and wounds are worth beside sight                                         |
//! | [`calibrate`] | whether 90 % of the truth are in the 90 % set, when the truth follows the model        |
//! | [`plants`]    | one side from where the other stands, on snapshots                                    |
//! | [`rts`]       | the way of a unit from a few sightings and its two ends, on real-time strategy maps   |
//! | [`ground`]    | maps of the arena as places, and what of them sees what                               |
//!
//! All of it works on data in memory: [`repertoire_trace`] reads files' bytes, the command line opens them.

pub mod calibrate;
pub mod evaluate;
pub mod evidence;
pub mod ground;
pub mod plants;
pub mod rts;
pub mod trackers;

use repertoire_belief::ModelError;
use repertoire_belief::evaluate::Sight;
use repertoire_belief::play::Play;

pub use trackers::TrackerKind;

/// Why an experiment cannot be made.
#[derive(Debug, thiserror::Error)]
pub enum BeliefError {
    /// The model, or the play it should be learned from, is wrong.
    #[error(transparent)]
    Model(#[from] ModelError),

    /// Nobody is ever hidden.
    #[error("no enemy is ever out of sight in this play\n  remedy: give play with a live round of two sides")]
    NobodyHidden,

    /// Leaving the only round out leaves nothing.
    #[error("there is one round only: nothing is left to learn from\n  remedy: give more rounds")]
    OneRound,

    /// Lines of sight for another number of places.
    #[error(
        "the lines of sight are of {sight} places, the model has {places}\n  remedy: give those of the same map"
    )]
    Sight {
        /// Places of the lines of sight.
        sight: usize,
        /// Places of the model.
        places: usize,
    },

    /// Play that names a place the model does not have.
    #[error(
        "the play is somewhere in place {place}, the model has {places}\n  remedy: read the play with the model's places"
    )]
    Place {
        /// The place.
        place: u32,
        /// How many there are.
        places: usize,
    },

    /// The map of the arena is not the one the model was learned on.
    #[error(
        "the map `{map}` has {points} points, the model {places} places\n  remedy: name the map that it was learned on"
    )]
    OtherMap {
        /// The map.
        map: String,
        /// How many points it has.
        points: usize,
        /// How many places the model has.
        places: usize,
    },

    /// Too few snapshots, or not of two sides.
    #[error(
        "{states} states of {sides} sides\n  remedy: give at least {} states of two sides",
        plants::PARTS
    )]
    Snapshots {
        /// How many snapshots there are.
        states: usize,
        /// How many sides they have.
        sides: usize,
    },

    /// Not a map of MovingAI's format.
    #[error("{0}\n  remedy: give a map of MovingAI's format: type, height, width, map, then rows")]
    Grid(String),
}

/// Refuses play and lines of sight that belong to a map with another number of places.
pub(crate) fn check_play(play: &Play, sight: &Sight, places: usize) -> Result<(), BeliefError> {
    if sight.sees.len() != places {
        return Err(BeliefError::Sight { sight: sight.sees.len(), places });
    }
    let moments = play.rounds.iter().flat_map(|round| &round.moments);
    let stood = moments.flat_map(|moment| moment.who.iter().map(|who| who.place));
    let seen = sight.sees.iter().flatten().copied();
    match stood.chain(seen).find(|&place| place as usize >= places) {
        Some(place) => Err(BeliefError::Place { place, places }),
        None => Ok(()),
    }
}
