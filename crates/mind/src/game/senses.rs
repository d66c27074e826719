//! What a game tells a character at a tick.

use std::sync::Arc;

use repertoire_authored::nearest;
use repertoire_prob::distribution::check;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use thiserror::Error;

use super::design::Design;

/// What one character senses. Keep it from tick to tick and change what has changed; nothing is allocated then.
#[derive(Clone, Debug)]
pub struct Senses {
    design: Arc<Design>,
    pub(super) sensed: Sensed,
}

/// What is sensed, without its words; this is what is remembered until it is perceived.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Sensed {
    pub readings: Vec<Sense>,
    /// The beliefs of all sensors, one after the other; nothing where no sensor ever had one.
    pub believed: Vec<f64>,
    /// For each variable of the plan, its value if it is known now.
    pub facts: Vec<Option<u16>>,
    /// Kind, thing, distance.
    pub offers: Vec<(u16, u64, f64)>,
    /// For each voice, whether it speaks; and what it says of each task, one voice after the other.
    #[serde(default)]
    pub speaks: Vec<bool>,
    #[serde(default)]
    pub said: Vec<f64>,
}

/// Copying into what is there uses its room again, which the derived `clone_from` would not.
impl Clone for Sensed {
    fn clone(&self) -> Self {
        let mut copy = Sensed::default();
        copy.clone_from(self);
        copy
    }

    fn clone_from(&mut self, from: &Self) {
        let Sensed { readings, believed, facts, offers, speaks, said } = from;
        self.readings.clone_from(readings);
        self.believed.clone_from(believed);
        self.facts.clone_from(facts);
        self.offers.clone_from(offers);
        self.speaks.clone_from(speaks);
        self.said.clone_from(said);
    }
}

impl Sensed {
    /// As if nothing had ever been sensed.
    pub fn forget(&mut self) {
        let Sensed { readings, believed, facts, offers, speaks, said } = self;
        readings.clear();
        believed.clear();
        facts.clear();
        offers.clear();
        speaks.clear();
        said.clear();
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Sense {
    #[default]
    Unknown,
    Value(u8),
    /// In `believed`.
    Believed,
}

/// Why something cannot be sensed.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum SensesError {
    /// A name that the design does not have.
    #[error("`{name}` is not {kind} of {character}\n  remedy: {remedy}")]
    NoSuchName {
        /// The name.
        name: String,
        /// What it should be.
        kind: String,
        /// The design.
        character: String,
        /// What would be right.
        remedy: String,
    },
    /// A belief that is no distribution over the sensor's values.
    #[error("the belief about `{sensor}` is not one probability for each of its values: {why}")]
    NotABelief {
        /// The sensor.
        sensor: String,
        /// What is wrong.
        why: String,
    },
    /// An opinion that does not say something of each task.
    #[error("`{voice}` must say a number from 0 to 1 for each of the {tasks} tasks")]
    NotAnOpinion {
        /// Whose opinion.
        voice: String,
        /// How many tasks there are.
        tasks: usize,
    },
    /// A distance that is negative or not a number.
    #[error("a thing at a distance of {0}\n  remedy: a number from 0 up, in any unit")]
    Distance(f64),
    /// Not a number.
    #[error("a need eased by {0}\n  remedy: a number, most of them from 0 to 1")]
    NotANumber(f64),
}

impl Senses {
    pub(super) fn new(design: Arc<Design>) -> Self {
        let sensors = design.behaviour.sensors();
        let sensed = Sensed {
            readings: vec![Sense::Unknown; sensors.len()],
            believed: Vec::new(),
            facts: vec![None; design.planning.as_ref().map_or(0, |plan| plan.domain.variables.len())],
            offers: Vec::new(),
            speaks: vec![false; design.voices.len()],
            said: vec![0.0; design.voices.len() * design.behaviour.tasks().len()],
        };
        Senses { design, sensed }
    }

    /// Forgets everything: nothing is sensed.
    pub fn clear(&mut self) {
        self.sensed.readings.fill(Sense::Unknown);
        self.sensed.facts.fill(None);
        self.sensed.offers.clear();
        self.sensed.speaks.fill(false);
    }

    /// A sensor reads a value, both by name.
    pub fn see(&mut self, sensor: &str, value: &str) -> Result<(), SensesError> {
        let index = self.sensor(sensor)?;
        let of = &self.design.behaviour.sensors()[index];
        match of.value(value) {
            Some(at) => self.sensed.readings[index] = Sense::Value(at as u8),
            None => {
                let known = of.values.iter().map(String::as_str);
                return Err(self.no_such(value, format!("a value of the sensor `{sensor}`"), known));
            }
        }
        Ok(())
    }

    /// A sensor reads a value, both by their number in the file.
    ///
    /// # Panics
    /// If there is no such sensor or value.
    pub fn set(&mut self, sensor: usize, value: usize) {
        assert!(
            value < self.design.behaviour.sensors()[sensor].values.len(),
            "the sensor has no value {value}"
        );
        self.sensed.readings[sensor] = Sense::Value(value as u8);
    }

    /// A sensor is not sure: how probable each of its values is.
    pub fn believe(&mut self, sensor: &str, probabilities: &[f64]) -> Result<(), SensesError> {
        let index = self.sensor(sensor)?;
        let sensors = self.design.behaviour.sensors();
        let card = sensors[index].values.len();
        let wrong = |why: String| SensesError::NotABelief { sensor: sensor.to_owned(), why };
        check(probabilities).map_err(|error| wrong(error.to_string()))?;
        if probabilities.len() != card {
            return Err(wrong(format!("{} numbers for {card} values", probabilities.len())));
        }
        self.believe_at(index, probabilities);
        Ok(())
    }

    /// A sensor reads nothing.
    pub fn lose(&mut self, sensor: &str) -> Result<(), SensesError> {
        let index = self.sensor(sensor)?;
        self.sensed.readings[index] = Sense::Unknown;
        Ok(())
    }

    /// A sensor is not sure, by its number in the file; the numbers need not add up to 1.
    ///
    /// # Panics
    /// If there is no such sensor, or not a finite number from 0 up for each of its values.
    pub fn believe_at(&mut self, sensor: usize, probabilities: &[f64]) {
        assert!(
            probabilities.iter().all(|p| p.is_finite() && *p >= 0.0),
            "a belief is a finite number from 0 up for each value"
        );
        let sensors = self.design.behaviour.sensors();
        let (first, card) = (offset(&self.design, sensor), sensors[sensor].values.len());
        self.sensed.believed.resize(offset(&self.design, sensors.len()), 0.0);
        self.sensed.believed[first..first + card].copy_from_slice(probabilities);
        self.sensed.readings[sensor] = Sense::Believed;
    }

    /// A sensor reads nothing, by its number in the file.
    ///
    /// # Panics
    /// If there is no such sensor.
    pub fn lose_at(&mut self, sensor: usize) {
        self.sensed.readings[sensor] = Sense::Unknown;
    }

    /// A fact of the plan is seen to be so, by its number and that of its value; with `None` it is not seen.
    ///
    /// # Panics
    /// If there is no such fact or value.
    pub fn set_fact(&mut self, variable: usize, value: Option<usize>) {
        let values = self.design.planning.as_ref().map_or(0, |plan| plan.domain.values[variable].len());
        assert!(value.is_none_or(|value| value < values), "the fact has no value {value:?}");
        self.sensed.facts[variable] = value.map(|value| value as u16);
    }

    /// Goes on from senses that were saved: [`Senses`] serialises what is sensed, and not the design.
    ///
    /// # Errors
    /// If they are not senses of a character of this design; then nothing changes.
    pub fn restore<'de, D: Deserializer<'de>>(&mut self, saved: D) -> Result<(), D::Error> {
        let sensed = Sensed::deserialize(saved)?;
        if !sensed.fits(&self.design) {
            return Err(D::Error::custom("the senses are not those of a character with such sensors"));
        }
        self.sensed = sensed;
        Ok(())
    }

    /// What a voice says: how well each task goes with it, from 0 to 1.
    pub fn opine(&mut self, voice: &str, says: &[f64]) -> Result<(), SensesError> {
        let voices = &self.design.voices;
        let Some(index) = voices.iter().position(|known| known.name == voice) else {
            let known = voices.iter().map(|voice| voice.name.as_str());
            return Err(self.no_such(voice, "a voice in [opinions]".into(), known));
        };
        let tasks = self.design.behaviour.tasks().len();
        let right = says.len() == tasks && says.iter().all(|p| (0.0..=1.0).contains(p));
        if !right {
            return Err(SensesError::NotAnOpinion { voice: voice.to_owned(), tasks });
        }
        self.sensed.said[index * tasks..][..tasks].copy_from_slice(says);
        self.sensed.speaks[index] = true;
        Ok(())
    }

    /// A fact of the plan is seen to be so.
    pub fn fact(&mut self, variable: &str, value: &str) -> Result<(), SensesError> {
        let nothing = (Vec::new(), Vec::new());
        let (variables, values) = self
            .design
            .planning
            .as_ref()
            .map_or((&nothing.0, &nothing.1), |p| (&p.domain.variables, &p.domain.values));
        let Some(index) = variables.iter().position(|name| name == variable) else {
            return Err(self.no_such(variable, "a fact".into(), variables.iter().map(String::as_str)));
        };
        match values[index].iter().position(|name| name == value) {
            Some(at) => self.sensed.facts[index] = Some(at as u16),
            None => {
                let known = values[index].iter().map(String::as_str);
                return Err(self.no_such(value, format!("a value of the fact `{variable}`"), known));
            }
        }
        Ok(())
    }

    /// A thing of a kind that tasks are about, and how far it is.
    pub fn offer(&mut self, kind: &str, thing: u64, distance: f64) -> Result<(), SensesError> {
        if !(distance >= 0.0 && distance.is_finite()) {
            return Err(SensesError::Distance(distance));
        }
        let Some(index) = self.design.kinds.iter().position(|name| name == kind) else {
            return Err(self.no_such(
                kind,
                "a kind in [targets]".into(),
                self.design.kinds.iter().map(String::as_str),
            ));
        };
        self.sensed.offers.push((index as u16, thing, distance));
        Ok(())
    }

    fn sensor(&self, name: &str) -> Result<usize, SensesError> {
        let sensors = self.design.behaviour.sensors();
        self.design.behaviour.sensor(name).ok_or_else(|| {
            self.no_such(name, "a sensor".into(), sensors.iter().map(|sensor| sensor.name.as_str()))
        })
    }

    fn no_such<'a>(&self, name: &str, kind: String, known: impl Iterator<Item = &'a str>) -> SensesError {
        SensesError::no_such(&self.design, name, kind, known)
    }
}

impl Serialize for Senses {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.sensed.serialize(serializer)
    }
}

impl SensesError {
    pub(super) fn no_such<'a>(
        design: &Design,
        name: &str,
        kind: String,
        known: impl Iterator<Item = &'a str>,
    ) -> Self {
        let known: Vec<&str> = known.collect();
        let remedy = match nearest(name, known.iter().copied()) {
            Some(near) => format!("did you mean `{near}`?"),
            None if known.is_empty() => "its file declares none".to_owned(),
            None => format!("there are {}", known.join(", ")),
        };
        SensesError::NoSuchName { name: name.to_owned(), kind, character: design.name().to_owned(), remedy }
    }
}

impl Sensed {
    /// What a sensor believes.
    pub fn belief(&self, design: &Design, sensor: usize) -> &[f64] {
        let first = offset(design, sensor);
        &self.believed[first..first + design.behaviour.sensors()[sensor].values.len()]
    }

    /// Whether it has as much as the design has sensors and facts, and nothing that there is not.
    pub fn fits(&self, design: &Design) -> bool {
        let sensors = design.behaviour.sensors();
        let facts = design.planning.as_ref().map_or(&[][..], |plan| &plan.domain.values);
        let beliefs = offset(design, sensors.len());
        let reading = |(index, sense): (usize, &Sense)| match sense {
            Sense::Value(value) => usize::from(*value) < sensors[index].values.len(),
            Sense::Believed => !self.believed.is_empty() && check(self.belief(design, index)).is_ok(),
            Sense::Unknown => true,
        };
        let fact = |(fact, values): (&Option<u16>, &Vec<String>)| {
            fact.is_none_or(|at| usize::from(at) < values.len())
        };
        self.readings.len() == sensors.len()
            && (self.believed.is_empty() || self.believed.len() == beliefs)
            && self.facts.len() == facts.len()
            && self.readings.iter().enumerate().all(reading)
            && self.facts.iter().zip(facts).all(fact)
            && self.speaks.len() == design.voices.len()
            && self.said.len() == design.voices.len() * design.behaviour.tasks().len()
            && self.said.iter().all(|p| (0.0..=1.0).contains(p))
            && self.offers.iter().all(|offer| usize::from(offer.0) < design.kinds.len() && offer.2 >= 0.0)
    }
}

/// Where a sensor's belief begins; that of the sensor after the last, where all end.
fn offset(design: &Design, sensor: usize) -> usize {
    design.behaviour.sensors()[..sensor].iter().map(|sensor| sensor.values.len()).sum()
}
