//! The mind of an entity.
//!
//! A mind is made of its seed and number as soon as its asset is loaded. It serialises through reflection (`ReflectSerialize`), in
//! mid-plan too; what was read back waits for its asset, and then goes on to the bit.

use std::sync::Arc;

use bevy_asset::Handle;
use bevy_ecs::prelude::*;
use bevy_reflect::prelude::*;
use repertoire::prelude::{Character as Individual, Design, SensesError, State};
use serde::{Deserialize, Serialize};

use crate::asset::Character;

/// Which character an entity is.
#[derive(Component, Clone, Debug)]
#[require(Mind, crate::Readings, Doing)]
pub struct MindOf(pub Handle<Character>);

/// The mind of one character.
#[derive(Component, Reflect, Clone, Debug, Default, Serialize, Deserialize)]
#[reflect(opaque)]
#[reflect(Component, Default, Clone, Debug, Serialize, Deserialize)]
pub struct Mind {
    seed: u64,
    agent: u64,
    profile: Option<String>,
    life: Life,
}

/// Where a mind is in its life.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(from = "Option<State>", into = "Option<State>")]
pub(crate) enum Life {
    /// Its asset is not loaded yet.
    #[default]
    Unborn,
    /// It was read back, and its asset is not loaded yet.
    Saved(Box<State>),
    /// It thinks.
    Lives(Box<Individual>),
}

impl From<Option<State>> for Life {
    fn from(saved: Option<State>) -> Self {
        saved.map_or(Life::Unborn, |state| Life::Saved(Box::new(state)))
    }
}

impl From<Life> for Option<State> {
    fn from(life: Life) -> Self {
        match life {
            Life::Unborn => None,
            Life::Saved(state) => Some(*state),
            Life::Lives(character) => Some(character.state().clone()),
        }
    }
}

impl Mind {
    /// An individual: the world's seed, and the character's own number in it. The same two make the same individual, so give each
    /// entity a number of its own.
    pub fn new(seed: u64, agent: u64) -> Self {
        Mind { seed, agent, profile: None, life: Life::Unborn }
    }

    /// An individual of one of the file's profiles; where there is no such profile, one is drawn.
    pub fn with_profile(self, profile: impl Into<String>) -> Self {
        Mind { profile: Some(profile.into()), ..self }
    }

    /// The individual; none until its asset is loaded.
    pub fn individual(&self) -> Option<&Individual> {
        match &self.life {
            Life::Lives(character) => Some(character),
            _ => None,
        }
    }

    pub(crate) fn individual_mut(&mut self) -> Option<&mut Individual> {
        match &mut self.life {
            Life::Lives(character) => Some(character),
            _ => None,
        }
    }

    /// Why it does what it does, stage by stage, as text.
    pub fn explain(&self) -> String {
        self.individual().map_or("its character is not loaded yet".to_owned(), |one| one.report().to_string())
    }

    /// How strongly a need is felt, from 0 to 1; none before its asset is loaded, or if it has no such need.
    pub fn need(&self, name: &str) -> Option<f64> {
        let one = self.individual()?;
        Some(one.need(one.design().needs().iter().position(|need| need.name == name)?))
    }

    /// Something that happened in the game eases a need, or makes it worse if `by` is below 0. Before its asset is loaded this does
    /// nothing.
    ///
    /// # Errors
    /// If there is no such need, or `by` is not a number.
    pub fn ease(&mut self, need: &str, by: f64) -> Result<(), SensesError> {
        self.individual_mut().map_or(Ok(()), |one| one.ease(need, by))
    }

    /// A new life of the same individual.
    pub fn begin_life(&mut self) {
        if let Some(one) = self.individual_mut() {
            one.begin_life();
        }
    }

    /// Takes up a design: is born, goes on from what was saved, or lives on with the new one. Whether nothing was lost: a state that
    /// does not fit begins anew, and only needs of the same names stay as they were.
    pub(crate) fn take_up(&mut self, design: &Arc<Design>) -> bool {
        let profile = self.profile.as_deref();
        let born = profile.and_then(|name| Individual::with_profile(design, name, self.seed, self.agent));
        let mut born = born.unwrap_or_else(|| Individual::new(design, self.seed, self.agent));
        let before = match std::mem::take(&mut self.life) {
            Life::Unborn => None,
            Life::Saved(state) => Some((*state, None)),
            Life::Lives(one) => Some((one.state().clone(), Some(one))),
        };
        let kept = match before {
            None => true,
            Some((state, one)) => {
                let fits = born.restore(state).is_ok();
                if let (false, Some(one)) = (fits, one) {
                    keep_needs(&one, &mut born);
                }
                fits
            }
        };
        self.life = Life::Lives(Box::new(born));
        kept
    }
}

fn keep_needs(before: &Individual, born: &mut Individual) {
    let design = Arc::clone(born.design());
    for (index, need) in design.needs().iter().enumerate() {
        if let Some(old) = before.design().needs().iter().position(|old| old.name == need.name) {
            born.set_need(index, before.need(old));
        }
    }
}

/// What a character does now. Changes only when the task or its target does, so `Changed<Doing>` tells of new decisions.
#[derive(Component, Reflect, Clone, Debug, Default, PartialEq, Eq)]
#[reflect(Component, Default, Clone, Debug, PartialEq)]
pub struct Doing {
    /// The task's name; empty before the first decision.
    pub task: String,
    /// The task's number in the file.
    pub index: usize,
    /// The thing the task is about, by the game's own number for it (`Entity::to_bits` for entities).
    pub target: Option<u64>,
}

/// Why a character does what it does, as text: add it to an entity that an inspector looks at, and it is written anew at every tick.
#[derive(Component, Reflect, Clone, Debug, Default, PartialEq, Eq)]
#[reflect(Component, Default, Clone, Debug, PartialEq)]
pub struct Explanation(pub String);
