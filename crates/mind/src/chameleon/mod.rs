//! CHAMELEON characters: a model's words joined to percepts and commands, characters that play, and play turned into
//! what is learned from.
//!
//! | module       | what it holds                                                   |
//! |--------------|-----------------------------------------------------------------|
//! | [`senses`]   | stimuli from percepts                                           |
//! | [`acts`]     | actions from commands and commands from actions                 |
//! | [`delay`]    | reaction time                                                   |
//! | [`play`]     | lives, as sequences to learn from                               |
//! | [`character`]| the character that plays                                        |

pub mod acts;
pub mod character;
pub mod delay;
pub mod play;
pub mod senses;

use repertoire_chameleon::Model;

pub use acts::Acts;
pub use character::{Chameleon, Taught};
pub use delay::Delay;
pub use play::Watcher;
pub use senses::{Sensed, Senses, Sighting};

use crate::tasks::CannotSense;

/// A model joined to what characters sense and do.
#[derive(Clone, Debug)]
pub struct Joined {
    model: Model,
    senses: Senses,
    acts: Acts,
}

impl Joined {
    /// Joins a model, or says what characters do not have.
    pub fn new(model: &Model) -> Result<Self, CannotSense> {
        Ok(Joined { senses: Senses::of(model)?, acts: Acts::of(model)?, model: model.clone() })
    }

    /// The model.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// How its stimuli are read.
    pub fn senses(&self) -> &Senses {
        &self.senses
    }

    /// How its actions are done.
    pub fn acts(&self) -> &Acts {
        &self.acts
    }
}
