//! Hidden Markov models whose observations are several variables, independent given the state.
//!
//! This is Le Hy's sequencing model seen as a chain (section 4.4.3): the state is the task, each sensor is an
//! observation variable. [`baum_welch`] learns it from whole recordings, [`incremental`] one observation at a time.

pub mod baum_welch;
pub mod incremental;

use thiserror::Error;

use crate::chain::ChainError;
use crate::distribution::{DistributionError, check};

/// Stands for an observation that was not made: it says nothing about the state.
pub const MISSING: u32 = u32::MAX;

/// A hidden Markov model.
///
/// ```
/// use repertoire_prob::hmm::{Hmm, Observation};
/// // Two tasks that last, and one sensor with two values.
/// let sensor = Observation { card: 2, table: vec![0.9, 0.1, 0.2, 0.8] };
/// let model = Hmm::new(vec![0.5, 0.5], vec![0.9, 0.1, 0.1, 0.9], vec![sensor])?;
/// assert_eq!(model.states(), 2);
/// # Ok::<(), repertoire_prob::hmm::HmmError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Hmm {
    initial: Vec<f64>,
    transition: Vec<f64>,
    observations: Vec<Observation>,
}

/// `P(observation | state)` for one observation variable.
#[derive(Clone, Debug, PartialEq)]
pub struct Observation {
    /// How many values it has.
    pub card: usize,
    /// `[state][value]`.
    pub table: Vec<f64>,
}

/// Why tables are not a model.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum HmmError {
    /// No state.
    #[error("a model needs at least one state")]
    NoState,
    /// A table of the wrong size.
    #[error("{table} has {found} numbers, it needs {needed}")]
    Size {
        /// Which table.
        table: String,
        /// Numbers needed.
        needed: usize,
        /// Numbers found.
        found: usize,
    },
    /// A row that is no distribution.
    #[error("{table}, row {row}: {why}")]
    Row {
        /// Which table.
        table: String,
        /// Which row.
        row: usize,
        /// What is wrong with it.
        why: DistributionError,
    },
}

impl Hmm {
    /// A model from its tables: `initial[i]`, `transition[i][j]`, and one table `[state][value]` for each
    /// observation variable.
    pub fn new(
        initial: Vec<f64>,
        transition: Vec<f64>,
        observations: Vec<Observation>,
    ) -> Result<Self, HmmError> {
        let states = initial.len();
        if states == 0 {
            return Err(HmmError::NoState);
        }
        check_rows("initial", &initial, 1, states)?;
        check_rows("transition", &transition, states, states)?;
        for (k, observation) in observations.iter().enumerate() {
            check_rows(&format!("observation {k}"), &observation.table, states, observation.card)?;
        }
        Ok(Hmm { initial, transition, observations })
    }

    /// How many states.
    pub fn states(&self) -> usize {
        self.initial.len()
    }

    /// `P(first state)`.
    pub fn initial(&self) -> &[f64] {
        &self.initial
    }

    /// `P(next state | state)`, `[from][to]`.
    pub fn transition(&self) -> &[f64] {
        &self.transition
    }

    /// `P(observation k | state)` for each observation variable.
    pub fn observations(&self) -> &[Observation] {
        &self.observations
    }

    /// `P(what was observed | state)` for every step of a sequence, into `out[t][state]`, which is empty on an error.
    pub fn likelihood(&self, sequence: &Sequence<'_>, out: &mut Vec<f64>) -> Result<(), ObservationError> {
        let (states, width) = (self.states(), self.observations.len());
        out.clear();
        let size = |what, needed: Option<usize>, found| match needed {
            Some(needed) if needed == found => Ok(()),
            needed => Err(ObservationError::Size { what, needed: needed.unwrap_or(usize::MAX), found }),
        };
        size("the sequence's values", sequence.steps.checked_mul(width), sequence.values.len())?;
        if let Some(known) = sequence.known {
            size("the known likelihoods", sequence.steps.checked_mul(states), known.len())?;
        }
        for (at, &value) in sequence.values.iter().enumerate() {
            let (variable, card) = (at % width, self.observations[at % width].card);
            if value != MISSING && value as usize >= card {
                return Err(ObservationError::NoSuchValue { variable, value, card });
            }
        }
        match sequence.known {
            Some(known) => {
                check_known(known)?;
                out.extend_from_slice(known);
            }
            None => out.resize(sequence.steps * states, 1.0),
        }
        for (t, likelihood) in out.chunks_exact_mut(states).enumerate() {
            for (observation, &value) in self.observations.iter().zip(&sequence.values[t * width..]) {
                if value != MISSING {
                    let column = observation.table[value as usize..].iter().step_by(observation.card);
                    likelihood.iter_mut().zip(column).for_each(|(b, p)| *b *= p);
                }
            }
        }
        Ok(())
    }
}

/// Why an observation, or a sequence of them, is refused. Nothing is learned from what is refused.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
pub enum ObservationError {
    /// Not as many numbers as the model has variables or states, for every step.
    #[error("{what}: {found} numbers where {needed} are needed")]
    Size {
        /// Which numbers.
        what: &'static str,
        /// Numbers needed.
        needed: usize,
        /// Numbers found.
        found: usize,
    },
    /// A value that an observation variable does not have.
    #[error("observation variable {variable} has {card} values, there is no value {value}")]
    NoSuchValue {
        /// Which variable.
        variable: usize,
        /// The value.
        value: u32,
        /// How many values the variable has.
        card: usize,
    },
    /// A state that the model does not have.
    #[error("the model has {states} states, there is no state {state}")]
    NoSuchState {
        /// The state.
        state: usize,
        /// How many there are.
        states: usize,
    },
    /// A known likelihood that is negative, infinite or not a number.
    #[error("known likelihood {at} is {value}: it must be a finite number from 0 up")]
    NotALikelihood {
        /// Which number.
        at: usize,
        /// What stands there.
        value: f64,
    },
    /// A count that is not positive, or not finite.
    #[error("count {at} is {value}: it must be a finite number above 0")]
    NotACount {
        /// Which number.
        at: usize,
        /// What stands there.
        value: f64,
    },
    /// The virtual counts are negative, infinite or not a number.
    #[error("virtual counts of {0}: they must be a finite number from 0 up")]
    NotAPrior(f64),
    /// A chain cannot be worked out.
    #[error(transparent)]
    Chain(#[from] ChainError),
}

#[inline]
fn check_known(known: &[f64]) -> Result<(), ObservationError> {
    match crate::chain::first_wrong(known) {
        Some(at) => Err(ObservationError::NotALikelihood { at, value: known[at] }),
        None => Ok(()),
    }
}

/// A recorded sequence, borrowed.
#[derive(Clone, Copy, Debug)]
pub struct Sequence<'a> {
    /// How many steps.
    pub steps: usize,
    /// The value of each observation variable, `[t][k]`; [`MISSING`] where none was made.
    pub values: &'a [u32],
    /// What is known of the state from elsewhere, `[t][state]`: for a task, the likelihood of the observed
    /// command under that task's own model.
    pub known: Option<&'a [f64]>,
}

fn check_rows(table: &str, numbers: &[f64], rows: usize, card: usize) -> Result<(), HmmError> {
    let needed = rows * card;
    if numbers.len() != needed || card == 0 {
        return Err(HmmError::Size { table: table.into(), needed, found: numbers.len() });
    }
    for (row, cells) in numbers.chunks_exact(card).enumerate() {
        check(cells).map_err(|why| HmmError::Row { table: table.into(), row, why })?;
    }
    Ok(())
}
