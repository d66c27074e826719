//! CHAMELEON characters: a model's words joined to percepts and commands, characters that play, and play turned into
//! what is learned from.
//!
//! | module       | what it holds                                                   |
//! |--------------|-----------------------------------------------------------------|
//! | [`senses`]   | stimuli from percepts                                           |
//! | [`acts`]     | actions from commands and commands from actions                 |
//! | [`delay`]    | reaction time                                                   |
//! | `hands`      | values carried out as the teacher did it                        |
//! | [`play`]     | lives, as sequences to learn from                               |
//! | [`character`]| playing what was learned, stage by stage                        |

pub mod acts;
pub mod character;
pub mod delay;
mod hands;
pub mod imitation;
pub mod play;
pub mod senses;

use repertoire_chameleon::{Impossible, Learned, Model, Sequence, Sharpness, Steadiness};

pub use acts::{Acts, BodySeen};
pub use character::Taught;
pub(crate) use character::{Chameleon, Perceived, State as ChameleonState};
pub use delay::Delay;
pub use imitation::{
    DecisionsTried, Imitation, ImitationError, ImitationSettings, Imitator, Pace, Reaction, Step,
};
pub use play::Watcher;
pub use senses::{Scene, Sensed, Senses, Sighting};

use crate::tasks::CannotSense;

/// Powers of attention: of groups that turn the view, and of others.
const EYES: f64 = 2.0;
const LEGS: f64 = 1.25;

/// A model joined to what characters sense and do.
///
/// ```
/// use repertoire_chameleon::model;
/// use repertoire_mind::chameleon::Joined;
///
/// let arena = model::shipped("arena").unwrap();
/// assert_eq!(Joined::new(&arena)?.model().name(), "arena");
/// // Characters of the arena cannot smell.
/// let other = model::read("name = \"dog\"\ndecisions = 2\n[high.smell]\nedges = [1]\n[external.jump]\nvalues = [\"no\", \"yes\"]\n[low.ahead]\n");
/// assert!(Joined::new(&other.unwrap()).is_err());
/// # Ok::<(), repertoire_mind::tasks::CannotSense>(())
/// ```
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

    /// Joins what was learned.
    pub fn of(learned: &Learned) -> Result<Self, CannotSense> {
        let joined = Joined::new(&learned.model)?;
        Ok(Joined { acts: joined.acts.with(learned.body.clone()), ..joined })
    }

    /// The model.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// How its stimuli are read.
    pub fn senses(&self) -> &Senses {
        &self.senses
    }

    /// For how long a character that learned from this holds what it drew. One that senses its own course keeps going by that,
    /// and holds nothing besides.
    pub fn steadiness(&self, learned: &Learned, from: &[Sequence]) -> Result<Steadiness, Impossible> {
        if self.senses.has_course() { Ok(Steadiness::default()) } else { Steadiness::observed(learned, from) }
    }

    /// How sharply a character attends unless practice says otherwise: the view stays on a thing, legs follow nearly as learned.
    pub fn sharpness(&self) -> Sharpness {
        let groups = self.model.groups().iter().enumerate();
        let power = |(group, _)| if self.acts.looks_by(group) { EYES } else { LEGS };
        Sharpness { groups: groups.map(power).collect(), ..Sharpness::of(LEGS, 1.0, 1.0) }
    }

    /// How its actions are done.
    pub fn acts(&self) -> &Acts {
        &self.acts
    }
}
