//! Reaction time: a character perceives what was there a while ago.
//!
//! Differs from the paper, which uses one number (300 ms) for everybody (3.4.4.1, 4.4.1.1): the delay is drawn from a
//! distribution, and held for a while, since a moment that flickered back and forth would make no sense.

use repertoire_prob::stream::counter;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How late a character perceives, in ticks.
///
/// ```
/// use repertoire_chameleon::Delay;
///
/// // Two or three ticks late, three more often.
/// let late = Delay { ticks: vec![0.0, 0.0, 0.4, 0.6], held: 10.0 };
/// assert_eq!((late.mistake(), late.longest()), (None, 3));
/// assert!(Delay { ticks: vec![0.5], held: 10.0 }.mistake().is_some(), "it sums to a half");
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(description = "How late a character perceives, in ticks.")]
pub struct Delay {
    /// The probability of each number of ticks, from 0 up; sums to 1.
    pub ticks: Vec<f64>,
    /// For how many ticks a delay is held on average before the next is drawn; at least 1.
    pub held: f64,
}

impl Default for Delay {
    fn default() -> Self {
        Delay::of(0)
    }
}

impl Delay {
    /// Always the same.
    pub fn of(ticks: usize) -> Self {
        let mut distribution = vec![0.0; ticks + 1];
        distribution[ticks] = 1.0;
        Delay { ticks: distribution, held: 10.0 }
    }

    /// The longest delay.
    pub fn longest(&self) -> usize {
        self.ticks.len().saturating_sub(1)
    }

    /// The mean, in ticks.
    pub fn mean(&self) -> f64 {
        self.ticks.iter().enumerate().map(|(ticks, p)| ticks as f64 * p).sum()
    }

    /// What is wrong with it, if anything.
    pub fn mistake(&self) -> Option<String> {
        let sum: f64 = self.ticks.iter().sum();
        let good = |p: &f64| *p >= 0.0 && p.is_finite();
        if self.ticks.is_empty()
            || self.ticks.len() > MOST_DELAY
            || !self.ticks.iter().all(good)
            || (sum - 1.0).abs() > 1e-6
        {
            return Some(format!(
                "the delay's probabilities must be 1 to {MOST_DELAY} and sum to 1; they sum to {sum}"
            ));
        }
        if !(self.held >= 1.0 && self.held.is_finite()) {
            return Some(format!("a delay is held for at least 1 tick, not for {}", self.held));
        }
        None
    }

    /// The delay of a tick, given the one before (`None` at the start of a life): kept, or drawn anew, so that over a long life
    /// each is met as often as the distribution says. `key` is 64 random bits.
    pub fn next(&self, before: Option<u16>, key: u64) -> u16 {
        if let Some(before) = before
            && unit(counter(key, 0)) * self.held >= 1.0
        {
            return before.min(self.longest() as u16);
        }
        pick(self.ticks.iter().copied(), unit(counter(key, 1))) as u16
    }
}

/// The longest list of delays: 10 s at 100 ticks a second.
pub(crate) const MOST_DELAY: usize = 1000;

/// A number in `[0, 1)` from 64 bits.
#[inline]
pub(crate) fn unit(bits: u64) -> f64 {
    (bits >> 11) as f64 * (1.0 / (1u64 << 53) as f64)
}

/// The index at which the sum of weights passes `at` of their total; never one of weight 0 unless all are.
#[inline]
pub(crate) fn pick(weights: impl Iterator<Item = f64> + Clone, at: f64) -> usize {
    let total: f64 = weights.clone().sum();
    let mut left = at * total;
    let mut last = 0;
    for (index, weight) in weights.enumerate() {
        if weight > 0.0 {
            if left < weight {
                return index;
            }
            left -= weight;
            last = index;
        }
    }
    last
}
