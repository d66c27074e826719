//! What can be wrong with what a caller hands in.

use crate::filter::Impossible;
use crate::{Dynamics, DynamicsError};

/// Why a belief could not be updated.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum FilterError {
    /// What is observed cannot be, after what came before.
    #[error(transparent)]
    Impossible(#[from] Impossible),

    /// A list that has not one entry for each place (or step).
    #[error("{what} has {found} entries, {expected} are needed")]
    Length {
        /// Which list.
        what: &'static str,
        /// How many it has.
        found: usize,
        /// How many it should have.
        expected: usize,
    },

    /// A likelihood or probability that is negative, infinite or no number.
    #[error("{what}[{place}] is {value}: it must be finite and not negative")]
    Value {
        /// Which list.
        what: &'static str,
        /// The place.
        place: usize,
        /// What stands there.
        value: f64,
    },

    /// A share or probability above 1.
    #[error("{what} is {value}: it must be between 0 and 1")]
    Share {
        /// Which number.
        what: &'static str,
        /// What it is.
        value: f64,
    },

    /// A place that is not there.
    #[error("there is no place {place}: there are {places}")]
    NoSuchPlace {
        /// The place.
        place: usize,
        /// How many there are.
        places: usize,
    },

    /// Dynamics of another size than the filter was made for.
    #[error(
        "the dynamics have {places} places and {slots} slots, the filter was made for {own_places} and {own_slots}"
    )]
    OtherDynamics {
        /// Places of the dynamics.
        places: usize,
        /// Slots of the dynamics.
        slots: usize,
        /// Places of the filter.
        own_places: usize,
        /// Slots of the filter.
        own_slots: usize,
    },
}

/// What is wrong with a model, or with the play it should be learned from.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ModelError {
    /// Another version of the file.
    #[error("the format is `{0}`, this program reads `{FORMAT}`", FORMAT = crate::model::FORMAT)]
    Format(String),

    /// No places, or too many.
    #[error("a model needs between 1 and 65535 places; this one has {0}")]
    Places(usize),

    /// Lists of the places that are not equally long.
    #[error("places: ids, centres, links and names must be equally many")]
    Uneven,

    /// A link beyond the places.
    #[error("places: a link leads to a place that is not there")]
    Link,

    /// A position that is infinite or no number.
    #[error("places: a centre is not a number")]
    Centre,

    /// A place without a region.
    #[error("regions: every place needs a region that is there")]
    Region,

    /// A recorded way of somebody or somewhere unknown.
    #[error(
        "lives[{0}]: its player, side or a place is not in the file, or its steps are not those of the model"
    )]
    Life(usize),

    /// Settings that nothing can be made of.
    #[error("period_secs, settings.slots and settings.run_speed must be above 0")]
    Settings,

    /// A weight that is negative, infinite or no number.
    #[error("settings.{name} is {value}: it must be finite and not negative")]
    Weight {
        /// Which.
        name: &'static str,
        /// What it is.
        value: f64,
    },

    /// Play that is not on these places.
    #[error("round `{round}` has a player, a side or a place that is not there, or a time that is no number")]
    Play {
        /// The round.
        round: String,
    },

    /// The tables made of the recorded ways are none.
    #[error(transparent)]
    Dynamics(#[from] DynamicsError),
}

/// As many as are needed?
pub(crate) fn length(what: &'static str, found: usize, expected: usize) -> Result<(), FilterError> {
    if found == expected { Ok(()) } else { Err(FilterError::Length { what, found, expected }) }
}

/// One entry for each place, all finite and not negative.
pub(crate) fn weights(what: &'static str, list: &[f64], places: usize) -> Result<(), FilterError> {
    length(what, list.len(), places)?;
    let is_fine = |value: f64| (0.0..=f64::MAX).contains(&value);
    // Without a branch for each entry, so that the processor looks at several at once.
    if list.iter().fold(true, |fine, &value| fine & is_fine(value)) {
        return Ok(());
    }
    let wrong = list.iter().copied().enumerate().find(|(_, value)| !is_fine(*value));
    let (place, value) = wrong.unwrap_or((0, f64::NAN));
    Err(FilterError::Value { what, place, value })
}

/// One entry for each place, all between 0 and 1.
pub(crate) fn shares(what: &'static str, list: &[f64], places: usize) -> Result<(), FilterError> {
    weights(what, list, places)?;
    match list.iter().find(|value| **value > 1.0) {
        Some(&value) => Err(FilterError::Share { what, value }),
        None => Ok(()),
    }
}

/// Between 0 and 1?
pub(crate) fn share(what: &'static str, value: f64) -> Result<(), FilterError> {
    if (0.0..=1.0).contains(&value) { Ok(()) } else { Err(FilterError::Share { what, value }) }
}

/// A place that is there?
pub(crate) fn place(place: usize, places: usize) -> Result<(), FilterError> {
    if place < places { Ok(()) } else { Err(FilterError::NoSuchPlace { place, places }) }
}

/// Likelihoods for every step.
pub(crate) fn steps(dynamics: &Dynamics, likelihood: &[Vec<f64>]) -> Result<(), FilterError> {
    likelihood.iter().try_for_each(|row| weights("likelihood", row, dynamics.places()))
}
