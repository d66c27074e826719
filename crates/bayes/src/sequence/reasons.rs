//! Readings by name, and a decision as a table in nats: a row for each thing that spoke, a column for each task.
//!
//! The rows of a column sum to `ln` of the task's probability, plus the same constant for every task: a difference of 1
//! between two columns of a row makes one task e = 2.7 times as probable as the other.

use std::fmt;

use repertoire_authored::nearest;
use repertoire_prob::Rng;
use thiserror::Error;

use super::decision::pick;
use super::{Behaviour, Decision};

/// A name that the behaviour does not have. The message lists those it has.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ReadingError {
    /// No sensor is called that.
    #[error("there is no sensor `{name}`\n  remedy: {remedy}")]
    NoSuchSensor {
        /// What was written.
        name: String,
        /// The nearest name, and all there are.
        remedy: String,
    },
    /// The sensor has no value of that name.
    #[error("the sensor `{sensor}` has no value `{value}`\n  remedy: {remedy}")]
    NoSuchValue {
        /// The sensor's name.
        sensor: String,
        /// What was written.
        value: String,
        /// The nearest name, and all there are.
        remedy: String,
    },
}

/// Why a decision came out as it did: `ln` of what each input says about each task.
///
/// Prints as a table; the numbers are in [`Reasons::rows`]. [`Behaviour::explain`] makes it.
#[derive(Clone, Debug, PartialEq)]
pub struct Reasons<'a> {
    /// The tasks, in the behaviour's order.
    pub tasks: Vec<&'a str>,
    /// What spoke, such as `after watch` or `enemies=some`, and what it says about each task, in nats (0 or less; minus
    /// infinity where it rules the task out). What the character was doing comes first, then the sensors that were read.
    pub rows: Vec<(String, Vec<f64>)>,
    /// The probability of each task.
    pub posterior: Vec<f64>,
    /// Every task was ruled out, so only the first row counts.
    pub degenerate: bool,
}

impl Behaviour {
    /// What the sensors read, from names, in the order that [`Behaviour::decide`] takes. Sensors that are not named are
    /// left out of the decision; of a sensor that is named twice the last value counts.
    ///
    /// Fails if the behaviour has no such sensor or value. This compares names: a game that decides often looks the
    /// indices up once, with [`Behaviour::sensor`] and [`Sensor::value`](super::Sensor::value).
    ///
    /// ```
    /// use repertoire_bayes::sequence::Behaviour;
    /// let prudent = Behaviour::shipped("prudent").expect("shipped");
    /// let readings = prudent.readings(&[("health", "low"), ("enemies", "one")])?;
    /// assert_eq!(readings.iter().flatten().count(), 2);
    /// let mistake = prudent.readings(&[("helth", "low")]).expect_err("misspelt");
    /// assert!(mistake.to_string().contains("did you mean `health`?"));
    /// # Ok::<(), repertoire_bayes::sequence::ReadingError>(())
    /// ```
    pub fn readings(&self, named: &[(&str, &str)]) -> Result<Vec<Option<usize>>, ReadingError> {
        let mut readings = vec![None; self.sensors.len()];
        for &(name, value) in named {
            let at = self.sensor(name).ok_or_else(|| ReadingError::NoSuchSensor {
                name: name.to_owned(),
                remedy: remedy(name, self.sensors.iter().map(|sensor| sensor.name.as_str())),
            })?;
            let sensor = &self.sensors[at];
            let value = sensor.value(value).ok_or_else(|| ReadingError::NoSuchValue {
                sensor: name.to_owned(),
                value: value.to_owned(),
                remedy: remedy(value, sensor.values.iter().map(String::as_str)),
            })?;
            readings[at] = Some(value);
        }
        Ok(readings)
    }

    /// The task that is carried out, drawn from a decision of this behaviour in the way that it says ([`Behaviour::choice`]).
    ///
    /// # Panics
    /// If the decision is another behaviour's, with no task or more than [`MOST_VALUES`](super::MOST_VALUES).
    pub fn choose<R: Rng + ?Sized>(&self, decision: &Decision, rng: &mut R) -> usize {
        let mut posterior = decision.posterior.clone();
        if let Err(error) = self.choice.apply(&mut posterior) {
            panic!("a behaviour's choice was checked, and some task is possible: {error}");
        }
        pick(&posterior, rng.next_u32())
    }

    /// Why a decision of this behaviour came out as it did.
    ///
    /// ```
    /// use repertoire_bayes::sequence::Behaviour;
    /// let prudent = Behaviour::shipped("prudent").expect("shipped");
    /// let readings = prudent.readings(&[("health", "low")])?;
    /// let decision = prudent.decide(prudent.task("attack"), &readings);
    /// let reasons = prudent.explain(&decision);
    /// let spoke: Vec<&str> = reasons.rows.iter().map(|(what, _)| what.as_str()).collect();
    /// assert_eq!(spoke, ["after attack", "health=low"]);
    /// assert!(reasons.to_string().contains("health=low"));
    /// # Ok::<(), repertoire_bayes::sequence::ReadingError>(())
    /// ```
    ///
    /// # Panics
    /// If the decision is another behaviour's, with tasks, sensors or values that this one does not have.
    pub fn explain(&self, decision: &Decision) -> Reasons<'_> {
        let before = match decision.previous {
            Some(task) => format!("after {}", self.tasks[task].name),
            None => "at the start".to_owned(),
        };
        let sensed = decision.contributions.iter().map(|spoke| {
            let sensor = &self.sensors[spoke.sensor];
            (format!("{}={}", sensor.name, sensor.values[spoke.value]), spoke.nats.clone())
        });
        Reasons {
            tasks: self.task_names().collect(),
            rows: std::iter::once((before, decision.log_prior.clone())).chain(sensed).collect(),
            posterior: decision.posterior.clone(),
            degenerate: decision.degenerate,
        }
    }
}

fn remedy<'a>(name: &str, known: impl Iterator<Item = &'a str> + Clone) -> String {
    let all = known.clone().collect::<Vec<_>>().join(", ");
    match nearest(name, known) {
        Some(near) => format!("did you mean `{near}`? There are {all}"),
        None => format!("use one of {all}"),
    }
}

impl fmt::Display for Reasons<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const PROBABILITY: &str = "probability";
        let name = self.rows.iter().map(|(what, _)| what.chars().count()).fold(PROBABILITY.len(), usize::max);
        let widths: Vec<usize> = self.tasks.iter().map(|task| task.chars().count().max(7)).collect();
        write!(f, "{:name$}", "nats")?;
        for (task, width) in self.tasks.iter().zip(&widths) {
            write!(f, "  {task:>width$}")?;
        }
        for (what, nats) in &self.rows {
            write!(f, "\n{what:name$}")?;
            for (&said, width) in nats.iter().zip(&widths) {
                if said == f64::NEG_INFINITY {
                    write!(f, "  {:>width$}", "never")?;
                } else {
                    write!(f, "  {said:>width$.2}")?;
                }
            }
        }
        write!(f, "\n{PROBABILITY:name$}")?;
        for (p, width) in self.posterior.iter().zip(&widths) {
            write!(f, "  {:>width$}", format!("{:.1} %", 100.0 * p))?;
        }
        if self.degenerate {
            write!(f, "\nThe sensors rule every task out, so only the first row counts.")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sequence::shipped;
    use repertoire_prob::Stream;
    use repertoire_prob::num::exp;

    #[test]
    fn the_rows_of_a_column_sum_to_the_log_of_its_probability() {
        let prudent = Behaviour::shipped("prudent").unwrap();
        let readings = prudent.readings(&[("health", "low"), ("noise", "true"), ("enemies", "one")]).unwrap();
        let decision = prudent.decide(prudent.task("explore"), &readings);
        let reasons = prudent.explain(&decision);
        for (task, &p) in reasons.posterior.iter().enumerate() {
            let sum: f64 = reasons.rows.iter().map(|(_, nats)| nats[task]).sum();
            assert!((exp(sum - decision.log_z) - p).abs() < 1e-12, "task {task}");
        }
    }

    #[test]
    fn a_contradiction_is_told() {
        let behaviour = shipped::contradictory();
        let readings = behaviour.readings(&[("door", "gone")]).unwrap();
        let decision = behaviour.decide(None, &readings);
        assert_eq!(
            behaviour.explain(&decision).to_string(),
            "nats             stay       go\n\
             at the start    -0.69    -0.69\n\
             door=gone       never    never\n\
             probability    50.0 %   50.0 %\n\
             The sensors rule every task out, so only the first row counts."
        );
    }

    #[test]
    fn unknown_names_are_answered_with_those_there_are() {
        let behaviour = shipped::contradictory();
        let value = behaviour.readings(&[("door", "shutt")]).unwrap_err();
        assert_eq!(
            value.to_string(),
            "the sensor `door` has no value `shutt`\n  remedy: did you mean `shut`? There are shut, gone"
        );
        let sensor = behaviour.readings(&[("window", "shut")]).unwrap_err();
        assert_eq!(sensor.to_string(), "there is no sensor `window`\n  remedy: use one of door");
    }

    #[test]
    fn the_choice_of_the_behaviour_is_obeyed() {
        let best = Behaviour::shipped("aggressive").unwrap().with_choice(super::super::Choice::Best).unwrap();
        let decision = best.decide(Some(0), &[None; 7]);
        let most = repertoire_prob::draw::arg_max(&decision.posterior);
        let mut rng = Stream::new(1, 0, "choose");
        assert!((0..100).all(|_| best.choose(&decision, &mut rng) == most));
    }
}
