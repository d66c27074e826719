//! How an opponent moves: a semi-Markov process over places.
//!
//! A stay begins in a place drawn from `μ` (the first) or from the row of the place that was left, and lasts `d` steps with
//! probability `P(d | place)` — Beaulac 2013, sections 2.3.1 and 3.1, after Murphy 2002 and Ross 2010.
//!
//! | paper        | code                     | meaning                                                      |
//! |--------------|--------------------------|--------------------------------------------------------------|
//! | `μ`          | [`Dynamics::initial`]    | where the first stay begins, at step 0, with a fresh duration|
//! | `P(s'│s)`    | [`Dynamics::exits`]      | where to, when a stay ends                                   |
//! | `P(d│s)`     | as [`Dynamics::ending`]  | kept as `h(e) = P(d = e) / P(d >= e)`, the chance that a stay ends after `e` steps, given that it lasted so long |
//!
//! Chances of ending instead of `P(d)`: the filter over (place, time in it) needs nothing else, `P(d >= e)` being
//! their product; they can change with the context in the middle of a stay; and a constant last one is a tail that
//! never ends. A hidden Markov model is then the same process with a single chance a place.
//!
//! Differs from the paper: a place without exits (a row of zeros) is never left, where the printed recursion would
//! lose its probability.

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// What makes tables no dynamics.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum DynamicsError {
    /// Nothing to be at.
    #[error("there are no places: mu is empty")]
    NoPlaces,
    /// A table of the wrong size.
    #[error("{what} has {found} entries, {expected} are needed")]
    Size {
        /// Which table.
        what: String,
        /// How many it has.
        found: usize,
        /// How many it should have.
        expected: usize,
    },
    /// Not a probability.
    #[error("{what}[{index}] is {value}: probabilities are finite and not negative")]
    NotAProbability {
        /// Which table.
        what: String,
        /// Where in it.
        index: usize,
        /// What stands there.
        value: f64,
    },
    /// A distribution that does not sum to 1.
    #[error("{what} sums to {sum}, not to 1")]
    Sum {
        /// Which distribution.
        what: String,
        /// What it sums to.
        sum: f64,
    },
}

/// How far a sum may be from 1.
const TOLERANCE: f64 = 1e-6;

/// A semi-Markov process over places.
///
/// ```
/// use repertoire_belief::Dynamics;
///
/// // A hall where one stays two steps on average, and a closet one leaves at once.
/// let exits = [vec![0.0, 1.0], vec![1.0, 0.0]];
/// let dynamics = Dynamics::new(&[1.0, 0.0], &exits, &[vec![0.5, 0.0, 0.5], vec![1.0]])?;
/// assert_eq!(dynamics.mean_stay(0), 2.0);
/// assert_eq!(dynamics.ending(1, 1), 1.0);
/// let refused = Dynamics::new(&[0.7, 0.7], &exits, &[vec![1.0], vec![1.0]]).unwrap_err();
/// assert_eq!(refused.to_string(), "mu sums to 1.4, not to 1");
/// # Ok::<(), repertoire_belief::DynamicsError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Dynamics {
    initial: Vec<f64>,
    /// Where each place's exits begin, and where the last one's end.
    row: Vec<u32>,
    exit_to: Vec<u32>,
    exit_p: Vec<f64>,
    slots: usize,
    /// `[place][e - 1]`.
    ending: Vec<f64>,
}

impl Dynamics {
    /// From dense tables as the door reads them: `transition[s][s']`, `duration[s][d - 1]` of any lengths.
    pub fn new(mu: &[f64], transition: &[Vec<f64>], duration: &[Vec<f64>]) -> Result<Self, DynamicsError> {
        let places = mu.len();
        if places == 0 {
            return Err(DynamicsError::NoPlaces);
        }
        let rows = transition.iter().enumerate().map(|(s, row)| {
            size(format!("transition[{s}]"), row.len(), places)?;
            Ok(row.iter().enumerate().filter(|(_, p)| **p != 0.0).map(|(to, &p)| (to as u32, p)).collect())
        });
        let rows = rows.collect::<Result<Vec<Vec<(u32, f64)>>, DynamicsError>>()?;
        let slots = duration.iter().map(Vec::len).max().unwrap_or(0).max(1);
        let mut endings = Vec::with_capacity(duration.len());
        for (s, table) in duration.iter().enumerate() {
            let total = sum_of(&format!("duration[{s}]"), table)?;
            if (total - 1.0).abs() > TOLERANCE {
                return Err(DynamicsError::Sum { what: format!("duration[{s}]"), sum: total });
            }
            endings.push(endings_of(table));
        }
        Self::from_endings(mu, &rows, &endings, slots)
    }

    /// From sparse exits and chances of ending after 1, 2, .. steps; the last chance holds for all longer stays.
    pub fn from_endings(
        mu: &[f64],
        exits: &[Vec<(u32, f64)>],
        endings: &[Vec<f64>],
        slots: usize,
    ) -> Result<Self, DynamicsError> {
        let places = mu.len();
        if places == 0 {
            return Err(DynamicsError::NoPlaces);
        }
        size("transition".into(), exits.len(), places)?;
        size("duration".into(), endings.len(), places)?;
        let total = sum_of("mu", mu)?;
        if (total - 1.0).abs() > TOLERANCE {
            return Err(DynamicsError::Sum { what: "mu".into(), sum: total });
        }
        let initial = mu.iter().map(|p| p / total).collect();
        let slots = slots.max(endings.iter().map(Vec::len).max().unwrap_or(1)).max(1);
        let mut made = Dynamics {
            initial,
            row: vec![0],
            exit_to: Vec::new(),
            exit_p: Vec::new(),
            slots,
            ending: vec![1.0; places * slots],
        };
        for (s, row) in exits.iter().enumerate() {
            let what = || format!("transition[{s}]");
            let p: Vec<f64> = row.iter().map(|exit| exit.1).collect();
            let total = sum_of(&what(), &p)?;
            if total != 0.0 && (total - 1.0).abs() > TOLERANCE {
                return Err(DynamicsError::Sum { what: what(), sum: total });
            }
            for &(to, p) in row.iter().filter(|exit| exit.1 > 0.0) {
                if to as usize >= places {
                    return Err(DynamicsError::Size {
                        what: what(),
                        found: to as usize + 1,
                        expected: places,
                    });
                }
                made.exit_to.push(to);
                made.exit_p.push(p / total);
            }
            made.row.push(made.exit_to.len() as u32);
            let chances = &mut made.ending[s * slots..][..slots];
            sum_of(&format!("duration[{s}]"), &endings[s])?;
            let last = endings[s].last().copied().unwrap_or(1.0);
            for e in 1..=slots {
                let chance = endings[s].get(e - 1).copied().unwrap_or(last).min(1.0);
                // Nowhere to go: never left.
                chances[e - 1] = if total == 0.0 { 0.0 } else { chance };
            }
        }
        Ok(made)
    }

    /// The hidden Markov model with the same exits: stays end with a constant chance that keeps their mean length.
    pub fn markov(&self) -> Self {
        let places = self.places();
        let ending = (0..places).map(|s| 1.0 / self.mean_stay(s)).collect();
        Dynamics { slots: 1, ending, ..self.clone() }
    }

    /// How many places.
    pub fn places(&self) -> usize {
        self.initial.len()
    }

    /// How many steps of a stay are told apart; longer stays end with the last chance.
    pub fn slots(&self) -> usize {
        self.slots
    }

    /// `P(first place)`.
    pub fn initial(&self) -> &[f64] {
        &self.initial
    }

    /// Where one goes when a stay ends, with probabilities.
    #[inline]
    pub fn exits(&self, place: usize) -> impl Iterator<Item = (usize, f64)> + '_ {
        let range = self.row[place] as usize..self.row[place + 1] as usize;
        self.exit_to[range.clone()].iter().map(|&to| to as usize).zip(self.exit_p[range].iter().copied())
    }

    /// The same as two lists.
    #[inline]
    pub(crate) fn exit_lists(&self, place: usize) -> (&[u32], &[f64]) {
        let range = self.row[place] as usize..self.row[place + 1] as usize;
        (&self.exit_to[range.clone()], &self.exit_p[range])
    }

    /// The chance that a stay ends after `elapsed` steps (from 1), given that it lasted so long.
    #[inline]
    pub fn ending(&self, place: usize, elapsed: usize) -> f64 {
        self.ending[place * self.slots + elapsed.clamp(1, self.slots) - 1]
    }

    /// The chances of a place, after 1, 2, .. steps.
    #[inline]
    pub(crate) fn endings(&self, place: usize) -> &[f64] {
        &self.ending[place * self.slots..][..self.slots]
    }

    /// How long a stay is on average; infinite where it need not end.
    pub fn mean_stay(&self, place: usize) -> f64 {
        let (mut mean, mut lasts) = (0.0, 1.0);
        for e in 1..self.slots {
            mean += lasts;
            lasts *= 1.0 - self.ending(place, e);
        }
        // The rest is a geometric tail.
        if lasts == 0.0 { mean } else { mean + lasts / self.ending(place, self.slots) }
    }
}

/// `P(d)` as chances of ending. What comes after the last possible duration is never asked for.
fn endings_of(duration: &[f64]) -> Vec<f64> {
    let mut survivor = 0.0;
    let mut endings: Vec<f64> = vec![1.0; duration.len()];
    // From the end, so that the survivor is a sum and not a difference.
    for (ending, &p) in endings.iter_mut().zip(duration).rev() {
        survivor += p;
        if survivor > 0.0 {
            *ending = p / survivor;
        }
    }
    endings
}

fn size(what: String, found: usize, expected: usize) -> Result<(), DynamicsError> {
    if found == expected { Ok(()) } else { Err(DynamicsError::Size { what, found, expected }) }
}

fn sum_of(what: &str, table: &[f64]) -> Result<f64, DynamicsError> {
    for (index, &value) in table.iter().enumerate() {
        if !(value.is_finite() && value >= 0.0) {
            return Err(DynamicsError::NotAProbability { what: what.to_owned(), index, value });
        }
    }
    // From 0, since an empty sum is -0.
    Ok(table.iter().fold(0.0, |sum, p| sum + p))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_duration_becomes_the_chance_of_ending_and_back() {
        let table = vec![0.1, 0.0, 0.6, 0.3, 0.0];
        let dynamics =
            Dynamics::new(&[1.0, 0.0], &[vec![0.0, 1.0], vec![1.0, 0.0]], &[table.clone(), vec![1.0]])
                .expect("two places");
        let mut lasts = 1.0;
        for (e, p) in table.iter().enumerate() {
            let ending = dynamics.ending(0, e + 1);
            assert!((lasts * ending - p).abs() < 1e-15, "{e}");
            lasts *= 1.0 - ending;
        }
        assert!((dynamics.mean_stay(0) - 3.1).abs() < 1e-12);
        assert_eq!(dynamics.mean_stay(1), 1.0);
        assert!((dynamics.markov().mean_stay(0) - 3.1).abs() < 1e-12);
    }

    #[test]
    fn wrong_tables_are_refused_with_what_is_wrong() {
        let even = vec![vec![0.0, 1.0], vec![1.0, 0.0]];
        let one = vec![vec![1.0], vec![1.0]];
        let refusal =
            |mu: &[f64], a: &[Vec<f64>], d: &[Vec<f64>]| Dynamics::new(mu, a, d).unwrap_err().to_string();
        assert_eq!(refusal(&[], &[], &[]), "there are no places: mu is empty");
        assert_eq!(refusal(&[0.5, 0.4], &even, &one), "mu sums to 0.9, not to 1");
        assert_eq!(refusal(&[0.5, 0.5], &even[..1], &one), "transition has 1 entries, 2 are needed");
        let bent = vec![vec![0.0, 0.5], vec![1.0, 0.0]];
        assert_eq!(refusal(&[0.5, 0.5], &bent, &one), "transition[0] sums to 0.5, not to 1");
        assert_eq!(refusal(&[0.5, 0.5], &even, &[vec![], vec![1.0]]), "duration[0] sums to 0, not to 1");
        assert!(refusal(&[f64::NAN, 0.5], &even, &one).contains("mu[0] is NaN"));
    }
}
