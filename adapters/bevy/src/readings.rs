//! What an entity senses. It stays as it is from tick to tick until it is changed.

use std::sync::Arc;

use bevy_ecs::prelude::*;
use bevy_reflect::prelude::*;
use repertoire::prelude::{Design, Senses, SensesError};
use serde::{Deserialize, Serialize};

/// What an entity senses: sensors, facts, things, and what others say.
///
/// Before the character's asset is loaded nothing is known about its sensors: what is told then is kept, and what the character does
/// not have is dropped when it is born.
#[derive(Component, Reflect, Clone, Debug, Default, Serialize, Deserialize)]
#[reflect(opaque)]
#[reflect(Component, Default, Clone, Debug, Serialize, Deserialize)]
#[serde(from = "Saved", into = "Saved")]
pub struct Readings {
    senses: Option<Senses>,
    waiting: Vec<Told>,
    /// What was read back, as JSON, until the asset is loaded.
    saved: Option<String>,
}

/// Readings as they are saved.
#[derive(Serialize, Deserialize)]
struct Saved(Option<String>);

impl From<Saved> for Readings {
    fn from(Saved(saved): Saved) -> Self {
        Readings { senses: None, waiting: Vec::new(), saved }
    }
}

impl From<Readings> for Saved {
    fn from(readings: Readings) -> Self {
        // Plain data: writing it cannot fail.
        Saved(readings.senses.and_then(|senses| serde_json::to_string(&senses).ok()).or(readings.saved))
    }
}

/// Something that was told before anybody could listen.
#[derive(Clone, Debug)]
enum Told {
    Clear,
    See(String, String),
    Believe(String, Vec<f64>),
    Lose(String),
    Fact(String, String),
    Offer(String, u64, f64),
    Opine(String, Vec<f64>),
}

impl Told {
    fn tell(&self, senses: &mut Senses) -> Result<(), SensesError> {
        match self {
            Told::Clear => {
                senses.clear();
                Ok(())
            }
            Told::See(sensor, value) => senses.see(sensor, value),
            Told::Believe(sensor, probabilities) => senses.believe(sensor, probabilities),
            Told::Lose(sensor) => senses.lose(sensor),
            Told::Fact(fact, value) => senses.fact(fact, value),
            Told::Offer(kind, thing, distance) => senses.offer(kind, *thing, *distance),
            Told::Opine(voice, says) => senses.opine(voice, says),
        }
    }
}

impl Readings {
    fn tell<R>(&mut self, now: impl FnOnce(&mut Senses) -> R, later: impl FnOnce() -> Told) -> Option<R> {
        match &mut self.senses {
            Some(senses) => Some(now(senses)),
            None => {
                self.waiting.push(later());
                None
            }
        }
    }

    /// A sensor reads a value.
    ///
    /// # Errors
    /// If the character has no such sensor or value; this is known once its asset is loaded.
    pub fn see(&mut self, sensor: &str, value: &str) -> Result<(), SensesError> {
        let later = || Told::See(sensor.to_owned(), value.to_owned());
        self.tell(|senses| senses.see(sensor, value), later).unwrap_or(Ok(()))
    }

    /// A sensor is not sure: how probable each of its values is.
    ///
    /// # Errors
    /// If the character has no such sensor, or these are no probabilities of its values.
    pub fn believe(&mut self, sensor: &str, probabilities: &[f64]) -> Result<(), SensesError> {
        let later = || Told::Believe(sensor.to_owned(), probabilities.to_vec());
        self.tell(|senses| senses.believe(sensor, probabilities), later).unwrap_or(Ok(()))
    }

    /// A sensor reads nothing.
    ///
    /// # Errors
    /// If the character has no such sensor.
    pub fn lose(&mut self, sensor: &str) -> Result<(), SensesError> {
        self.tell(|senses| senses.lose(sensor), || Told::Lose(sensor.to_owned())).unwrap_or(Ok(()))
    }

    /// A fact of the plan is seen to be so. Facts that are not seen are believed to be as they were last seen.
    ///
    /// # Errors
    /// If the character has no such fact or value.
    pub fn fact(&mut self, fact: &str, value: &str) -> Result<(), SensesError> {
        let later = || Told::Fact(fact.to_owned(), value.to_owned());
        self.tell(|senses| senses.fact(fact, value), later).unwrap_or(Ok(()))
    }

    /// There is a thing of a kind that tasks are about, at a distance in any unit. Things stay offered until [`Readings::clear`].
    ///
    /// # Errors
    /// If no task is about such things, or the distance is negative or not a number.
    pub fn offer(&mut self, kind: &str, thing: u64, distance: f64) -> Result<(), SensesError> {
        let later = || Told::Offer(kind.to_owned(), thing, distance);
        self.tell(|senses| senses.offer(kind, thing, distance), later).unwrap_or(Ok(()))
    }

    /// What somebody else says: for each task a number from 0 to 1.
    ///
    /// # Errors
    /// If the character listens to no such voice, or there is not a number for each task.
    pub fn opine(&mut self, voice: &str, says: &[f64]) -> Result<(), SensesError> {
        let later = || Told::Opine(voice.to_owned(), says.to_vec());
        self.tell(|senses| senses.opine(voice, says), later).unwrap_or(Ok(()))
    }

    /// Nothing is sensed, seen, offered or said any more.
    pub fn clear(&mut self) {
        self.tell(Senses::clear, || Told::Clear);
    }

    /// By numbers, for systems that run for thousands: what the design is known to have.
    pub fn senses_mut(&mut self) -> Option<&mut Senses> {
        self.senses.as_mut()
    }

    pub(crate) fn senses(&self) -> Option<&Senses> {
        self.senses.as_ref()
    }

    /// Takes up a design: what was sensed stays, as far as the design has it.
    pub(crate) fn take_up(&mut self, design: &Arc<Design>) {
        let before = self.senses.take().and_then(|senses| serde_json::to_value(&senses).ok());
        let saved = self.saved.take().and_then(|saved| serde_json::from_str(&saved).ok());
        let mut senses = design.senses();
        if let Some(before) = before.or(saved) {
            // Senses of other sensors are forgotten: the game tells what is sensed again and again.
            let _ = senses.restore::<serde_json::Value>(before);
        }
        for told in self.waiting.drain(..) {
            // What the character does not have cannot be sensed.
            let _ = told.tell(&mut senses);
        }
        self.senses = Some(senses);
    }
}
