//! One decision from everything that speaks: what was done before, sensors that may be unsure, and opinions.
//!
//! ```text
//! ln P(T) = ln P(T | T before)  +  Σ_i ln Σ_s b_i(s) P(S_i = s | T)  +  Σ_k w_k ln c_k(T)  -  ln Z
//! ```
//! — Le Hy 2007, eq. 3.7 for the first two terms, 3.1 and 3.4 for the third.
//!
//! | paper              | code                        | meaning                                                 |
//! |--------------------|-----------------------------|---------------------------------------------------------|
//! | `P(T^t \| T^{t-1})`| [`Deliberation::begin`]     | how tasks follow each other, nothing sensed             |
//! | `P(S_i \| T^t)`    | [`Deliberation::sensor`]    | what a sensor says while a task goes on                 |
//! | `c_i(m)`           | [`Deliberation::opinion`]   | how coherent a task is with what a part of the mind says|
//! | `Z`                | [`Deliberation::log_z`]     | minus infinity when what speaks contradicts itself      |
//!
//! Differs from the paper: a reading may be a distribution `b` over the sensor's values (soft evidence), and an opinion
//! has a weight, which makes the product a log-linear pool. A contradiction falls back to `P(T | T before)` and says so.
//! Whatever is absent adds no row: it says nothing, which is not the same as a uniform opinion that was asked.
//!
//! The table is kept: a row for each thing that spoke, in the order in which it spoke, and a column for each task, in
//! nats. That is what a character shows when it is asked why. Cost: O(rows · tasks), and nothing is allocated once a
//! deliberation was used for as many rows.

use repertoire_prob::distribution::TOLERANCE;
use repertoire_prob::num::{exp, ln};
use thiserror::Error;

use crate::fusion::Stance;

/// What a sensor tells at a tick.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Reading<'a> {
    /// Nothing: the sensor does not speak.
    Unknown,
    /// One value, by index.
    Value(usize),
    /// How probable each value is.
    Believed(&'a [f64]),
}

/// Why something cannot take part in a decision. The deliberation is as it was before.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
pub enum DeliberationError {
    /// There is nothing to choose from.
    #[error("there is no task to choose from")]
    NoTask,
    /// A table of the wrong size.
    #[error("{found} numbers, where {needed} are needed")]
    Size {
        /// Numbers needed.
        needed: usize,
        /// Numbers found.
        found: usize,
    },
    /// A number that is no probability.
    #[error("number {at} is {value}: it must be a number from 0 to 1")]
    NotAProbability {
        /// Which number.
        at: usize,
        /// What stands there.
        value: f64,
    },
    /// A belief that is no distribution.
    #[error("the probabilities sum to {0}, not to 1")]
    Sum(f64),
    /// A value that the sensor does not have.
    #[error("there is no value {value}: the sensor has {card}")]
    NoSuchValue {
        /// The value given.
        value: usize,
        /// How many there are.
        card: usize,
    },
    /// A weight that is negative or not finite.
    #[error("a weight of {0}: it must be 0 or more")]
    Weight(f64),
}

/// The table of a decision, in nats, and what follows from it.
///
/// ```
/// use repertoire_bayes::deliberation::{Deliberation, Reading};
/// use repertoire_bayes::fusion::Stance;
/// // Tasks: eat, flee. Sensor: is a wolf near (no, yes), as P(value | task), a row for each task.
/// let wolf = [0.9, 0.1, 0.05, 0.95];
/// let mut choice = Deliberation::new();
/// choice.begin(&[0.8, 0.2])?;
/// choice.sensor(&wolf, Reading::Believed(&[0.4, 0.6]))?; // heard, not seen
/// choice.opinion(&[0.7, 0.3], Stance::Prescriptive, 1.0)?; // it is hungry
/// assert!(choice.conclude()[0] > 0.5, "a howl is not enough");
/// choice.begin(&[0.8, 0.2])?;
/// choice.sensor(&wolf, Reading::Value(1))?; // now it is in view
/// choice.opinion(&[0.7, 0.3], Stance::Prescriptive, 1.0)?;
/// assert!(choice.conclude()[1] > 0.5);
/// assert_eq!(choice.rows().len(), 3, "what it was doing, the wolf, hunger");
/// # Ok::<(), repertoire_bayes::deliberation::DeliberationError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Deliberation {
    tasks: usize,
    /// `[row][task]`; the first row is what came before.
    nats: Vec<f64>,
    sums: Vec<f64>,
    posterior: Vec<f64>,
    log_z: f64,
}

impl Deliberation {
    /// A table to be used again and again.
    pub fn new() -> Self {
        Deliberation::default()
    }

    /// Begins a decision with `P(task | task before)`; give a uniform distribution if nothing came before.
    ///
    /// # Errors
    /// If there is no task, or a number is no probability.
    pub fn begin(&mut self, transition: &[f64]) -> Result<(), DeliberationError> {
        if transition.is_empty() {
            return Err(DeliberationError::NoTask);
        }
        check(transition, transition.len())?;
        self.tasks = transition.len();
        self.nats.clear();
        self.nats.extend(transition.iter().map(|&p| ln(p)));
        self.sums.clone_from(&self.nats);
        self.posterior.clear();
        self.log_z = f64::NEG_INFINITY;
        Ok(())
    }

    /// The same from logarithms that are known to be those of a distribution.
    #[inline]
    pub fn begin_with(&mut self, log_transition: &[f64]) {
        self.tasks = log_transition.len();
        self.nats.clear();
        self.nats.extend_from_slice(log_transition);
        self.sums.clear();
        self.sums.extend_from_slice(log_transition);
        self.posterior.clear();
        self.log_z = f64::NEG_INFINITY;
    }

    /// A sensor's row: `ln Σ_s b(s) P(s | task)`, from a table with a row for each task. Nothing is added if the reading
    /// is unknown; whether a row was added is returned.
    ///
    /// # Errors
    /// If the table or the belief does not fit, or is not made of probabilities.
    pub fn sensor(&mut self, table: &[f64], reading: Reading<'_>) -> Result<bool, DeliberationError> {
        let card = table.len() / self.tasks.max(1);
        if card * self.tasks != table.len() || card == 0 {
            return Err(DeliberationError::Size { needed: self.tasks, found: table.len() });
        }
        check(table, table.len())?;
        match reading {
            Reading::Unknown => return Ok(false),
            Reading::Value(value) if value >= card => {
                return Err(DeliberationError::NoSuchValue { value, card });
            }
            Reading::Value(value) => self.add(|task| ln(table[task * card + value])),
            Reading::Believed(belief) => {
                check(belief, card)?;
                let sum: f64 = belief.iter().sum();
                if (sum - 1.0).abs() > TOLERANCE {
                    return Err(DeliberationError::Sum(sum));
                }
                let row = |task: usize| &table[task * card..][..card];
                self.add(|task| ln(row(task).iter().zip(belief).map(|(p, b)| p * b).sum()));
            }
        }
        Ok(true)
    }

    /// A row that is known in nats already, such as a column of logarithms made once.
    ///
    /// # Panics
    /// Unless there is one number for each task.
    #[inline]
    pub fn row(&mut self, nats: &[f64]) {
        assert_eq!(nats.len(), self.tasks, "a number for each task");
        self.nats.extend_from_slice(nats);
        self.sums.iter_mut().zip(nats).for_each(|(sum, nat)| *sum += nat);
    }

    /// An opinion's row: `w ln c(task)`. Nothing is added if it is inactive or weighs nothing; whether a row was added is
    /// returned.
    ///
    /// # Errors
    /// If it is not one probability for each task, or its weight is negative or not finite.
    pub fn opinion(&mut self, says: &[f64], stance: Stance, weight: f64) -> Result<bool, DeliberationError> {
        check(says, self.tasks)?;
        if !(weight >= 0.0 && weight.is_finite()) {
            return Err(DeliberationError::Weight(weight));
        }
        match stance {
            _ if weight == 0.0 => return Ok(false),
            Stance::Inactive => return Ok(false),
            Stance::Prescriptive => self.add(|task| weight * ln(says[task])),
            Stance::Proscriptive => self.add(|task| weight * ln((1.0 - says[task]).max(0.0))),
        }
        Ok(true)
    }

    #[inline]
    fn add(&mut self, nats: impl Fn(usize) -> f64) {
        for task in 0..self.tasks {
            let nat = nats(task);
            self.nats.push(nat);
            self.sums[task] += nat;
        }
    }

    /// `P(task)`. If every task is ruled out by somebody, what came before decides alone; see
    /// [`Deliberation::is_contradiction`].
    pub fn conclude(&mut self) -> &[f64] {
        self.log_z = normalised(&self.sums, &mut self.posterior);
        if self.is_contradiction() {
            normalised(&self.nats[..self.tasks], &mut self.posterior);
        }
        &self.posterior
    }

    /// `P(task)`, as last concluded; empty before.
    pub fn posterior(&self) -> &[f64] {
        &self.posterior
    }

    /// The table: a row for each thing that spoke, the first for what came before.
    pub fn rows(&self) -> impl ExactSizeIterator<Item = &[f64]> {
        self.nats.chunks_exact(self.tasks.max(1))
    }

    /// `ln` of the sum over tasks of the product of everything, as last concluded; minus infinity in a contradiction.
    pub fn log_z(&self) -> f64 {
        self.log_z
    }

    /// Whether every task was ruled out by somebody.
    pub fn is_contradiction(&self) -> bool {
        self.log_z == f64::NEG_INFINITY
    }
}

/// The distribution that logarithms are proportional to, and the logarithm of their sum: one exponential for each.
fn normalised(logs: &[f64], p: &mut Vec<f64>) -> f64 {
    let most = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    p.clear();
    if most == f64::NEG_INFINITY {
        p.resize(logs.len(), 0.0);
        return most;
    }
    p.extend(logs.iter().map(|log| exp(log - most)));
    let sum: f64 = p.iter().sum();
    p.iter_mut().for_each(|p| *p /= sum);
    most + ln(sum)
}

fn check(numbers: &[f64], needed: usize) -> Result<(), DeliberationError> {
    if numbers.len() != needed {
        return Err(DeliberationError::Size { needed, found: numbers.len() });
    }
    match numbers.iter().position(|&p| !(0.0..=1.0 + TOLERANCE).contains(&p)) {
        Some(at) => Err(DeliberationError::NotAProbability { at, value: numbers[at] }),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use repertoire_prob::num::pow;

    use super::*;

    /// A model small enough to enumerate: tables as weights, normalised here.
    #[derive(Clone, Debug)]
    struct Small {
        transition: Vec<f64>,
        /// `[task][value]` and what is believed.
        sensors: Vec<(Vec<f64>, Vec<f64>)>,
        opinions: Vec<(Vec<f64>, Stance, f64)>,
    }

    fn normalised(mut weights: Vec<f64>) -> Vec<f64> {
        let sum: f64 = weights.iter().sum();
        weights.iter_mut().for_each(|weight| *weight /= sum);
        weights
    }

    fn small() -> impl Strategy<Value = Small> {
        let distribution = |n: usize| prop::collection::vec(1e-6..1.0f64, n).prop_map(normalised);
        let stance = prop::sample::select(vec![Stance::Prescriptive, Stance::Proscriptive, Stance::Inactive]);
        (1..5usize, 1..4usize).prop_flat_map(move |(tasks, card)| {
            let table = prop::collection::vec(distribution(card), tasks).prop_map(|rows| rows.concat());
            (
                distribution(tasks),
                prop::collection::vec((table, distribution(card)), 0..3),
                prop::collection::vec((distribution(tasks), stance.clone(), 0.0..3.0f64), 0..3),
            )
                .prop_map(|(transition, sensors, opinions)| Small {
                    transition,
                    sensors,
                    opinions,
                })
        })
    }

    /// The same by enumerating every combination of sensor values, in plain products.
    fn brute_force(small: &Small) -> (Vec<f64>, f64) {
        let tasks = small.transition.len();
        let joint: Vec<f64> = (0..tasks)
            .map(|task| {
                let mut total = 0.0;
                let cards: Vec<usize> = small.sensors.iter().map(|(_, belief)| belief.len()).collect();
                for combination in 0..cards.iter().product::<usize>() {
                    let mut rest = combination;
                    let mut product = small.transition[task];
                    for ((table, belief), card) in small.sensors.iter().zip(&cards) {
                        let value = rest % card;
                        rest /= card;
                        product *= belief[value] * table[task * card + value];
                    }
                    total += product;
                }
                for (says, stance, weight) in &small.opinions {
                    total *= match stance {
                        Stance::Prescriptive => pow(says[task], *weight),
                        Stance::Proscriptive => pow(1.0 - says[task], *weight),
                        Stance::Inactive => 1.0,
                    };
                }
                total
            })
            .collect();
        let z: f64 = joint.iter().sum();
        (joint.iter().map(|p| p / z).collect(), z)
    }

    fn deliberate(small: &Small) -> Deliberation {
        let mut table = Deliberation::new();
        table.begin(&small.transition).unwrap();
        for (cells, belief) in &small.sensors {
            table.sensor(cells, Reading::Believed(belief)).unwrap();
        }
        for (says, stance, weight) in &small.opinions {
            table.opinion(says, *stance, *weight).unwrap();
        }
        table.conclude();
        table
    }

    proptest! {
        #[test]
        fn agrees_with_enumeration(small in small()) {
            let (expected, z) = brute_force(&small);
            let found = deliberate(&small);
            if z > 0.0 {
                prop_assert!(found.posterior().iter().zip(&expected).all(|(a, b)| (a - b).abs() < 1e-12));
                prop_assert!((found.log_z() - ln(z)).abs() < 1e-12 * (1.0 + ln(z).abs()));
                let columns = (0..small.transition.len()).map(|task| found.rows().map(|row| row[task]).sum::<f64>());
                for (sum, &p) in columns.zip(found.posterior()) {
                    prop_assert!((sum - found.log_z() - ln(p)).abs() < 1e-9, "rows add up to the posterior");
                }
            } else {
                prop_assert!(found.is_contradiction(), "a certain opinion against the only task");
            }
        }

        /// A belief that is certain is the same as a value.
        #[test]
        fn certainty_is_a_value(small in small(), value in 0..3usize) {
            let mut certain = deliberate(&small);
            let mut plain = certain.clone();
            if let Some((cells, belief)) = small.sensors.first() {
                let value = value % belief.len();
                let belief: Vec<f64> = (0..belief.len()).map(|s| f64::from(u8::from(s == value))).collect();
                certain.sensor(cells, Reading::Believed(&belief)).unwrap();
                plain.sensor(cells, Reading::Value(value)).unwrap();
                prop_assert_eq!(certain.conclude(), plain.conclude());
            }
        }
    }

    #[test]
    fn a_contradiction_falls_back_to_what_came_before() {
        let mut table = Deliberation::new();
        table.begin(&[0.25, 0.75]).unwrap();
        table.sensor(&[1.0, 0.0, 1.0, 0.0], Reading::Value(1)).unwrap();
        assert_eq!(table.conclude().iter().map(|p| (p * 100.0).round()).collect::<Vec<_>>(), [25.0, 75.0]);
        assert!(table.is_contradiction());
    }

    #[test]
    fn what_is_absent_adds_no_row() {
        let mut table = Deliberation::new();
        table.begin(&[0.5, 0.5]).unwrap();
        assert_eq!(table.sensor(&[0.1, 0.9, 0.9, 0.1], Reading::Unknown), Ok(false));
        assert_eq!(table.opinion(&[1.0, 0.0], Stance::Inactive, 1.0), Ok(false));
        assert_eq!(table.opinion(&[1.0, 0.0], Stance::Prescriptive, 0.0), Ok(false));
        assert_eq!(table.rows().len(), 1);
        assert_eq!(table.conclude(), [0.5, 0.5]);
    }

    #[test]
    fn refuses_what_makes_no_sense_and_stays_as_it_was() {
        let mut table = Deliberation::new();
        assert_eq!(table.begin(&[]), Err(DeliberationError::NoTask));
        table.begin(&[0.5, 0.5]).unwrap();
        let before = table.clone();
        let cells = [0.1, 0.9, 0.9, 0.1];
        assert_eq!(
            table.sensor(&cells, Reading::Value(2)),
            Err(DeliberationError::NoSuchValue { value: 2, card: 2 })
        );
        assert!(matches!(table.sensor(&cells[..3], Reading::Value(0)), Err(DeliberationError::Size { .. })));
        assert!(matches!(
            table.sensor(&cells, Reading::Believed(&[0.5, f64::NAN])),
            Err(DeliberationError::NotAProbability { at: 1, .. })
        ));
        assert_eq!(table.sensor(&cells, Reading::Believed(&[0.5, 0.1])), Err(DeliberationError::Sum(0.6)));
        assert!(matches!(
            table.opinion(&[2.0, 0.0], Stance::Prescriptive, 1.0),
            Err(DeliberationError::NotAProbability { at: 0, .. })
        ));
        assert_eq!(
            table.opinion(&[0.5, 0.5], Stance::Prescriptive, -1.0),
            Err(DeliberationError::Weight(-1.0))
        );
        assert_eq!(table, before);
    }
}
