//! Chains of hidden states, of any length: filtering, smoothing, the most likely path.
//!
//! With initial distribution `π`, transitions `a_ij` and likelihoods `b_j(t) = P(o_t | state j)`, which may both
//! change every step:
//!
//! ```text
//! forward    α_0(j) = π_j b_j(0)              α_t(j) = Σ_i α_{t-1}(i) a_ij b_j(t)
//! backward   β_n(i) = 1                       β_{t-1}(i) = Σ_j a_ij b_j(t) β_t(j)
//! smoothing  γ_t(i) ∝ α_t(i) β_t(i)           ξ_t(i,j) ∝ α_{t-1}(i) a_ij b_j(t) β_t(j)
//! ```
//! — Le Hy 2007, eq. 4.11 to 4.14.
//!
//! | paper | code                    | meaning                                            |
//! |-------|-------------------------|----------------------------------------------------|
//! | `α_t` | [`Chains::filtered`]    | normalised each step: P(state at t, given o_0..o_t)|
//! | `β_t` | inside                  | normalised each step                               |
//! | `γ_t` | [`Chains::smoothed`]    | P(state at t, given all observations)              |
//! | `ξ_t` | [`Chains::pair`]        | P(states at t-1 and t, given all observations)     |
//!
//! Differs from the paper: 4.12 is printed with `P(o_t | T_{t-1})` and 4.14 with `o_{t+1}`; the ones above are right.
//! Both passes are scaled every step, each by its own factor, so that no length underflows; the
//! log-likelihood is the compensated sum of the forward factors' logs. A state whose filtered probability falls
//! below 1e-308 counts as impossible from there on. Cost: O(steps · states²), no allocation once warm.

mod viterbi;

use thiserror::Error;

use crate::num::{Sum, ln, normalise};

pub use viterbi::{Path, most_likely_path};

/// How states follow each other.
#[derive(Clone, Copy, Debug)]
pub enum Transitions<'a> {
    /// The same at every step: `[from][to]`.
    Constant(&'a [f64]),
    /// Its own for each step after the first: `[t - 1][from][to]`.
    EachStep(&'a [f64]),
}

/// A chain, borrowed: nothing is copied to ask about it.
///
/// ```
/// use repertoire_prob::chain::{Chain, Chains, Transitions};
/// // Two rooms; a noise was heard that is likelier in the second, twice.
/// let chain = Chain {
///     initial: &[0.5, 0.5],
///     transitions: Transitions::Constant(&[0.9, 0.1, 0.1, 0.9]),
///     likelihood: &[0.2, 0.6, 0.2, 0.6],
/// };
/// let mut chains = Chains::new();
/// chains.smooth(&chain)?;
/// assert!(chains.filtered()[3] > 0.8 && chains.smoothed()[1] > chains.filtered()[1]);
/// # Ok::<(), repertoire_prob::chain::ChainError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Chain<'a> {
    /// `P(first state)`; its length is the number of states.
    pub initial: &'a [f64],
    /// `P(next state | state)`.
    pub transitions: Transitions<'a>,
    /// `P(what was observed at t | state)`, `[t][state]`, up to a factor of each step's own.
    pub likelihood: &'a [f64],
}

/// Why nothing can be said about a chain.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
pub enum ChainError {
    /// The evidence at a step has probability 0, whatever the states were.
    #[error("what is observed at step {step} is impossible after what came before")]
    Impossible {
        /// The first step that cannot be.
        step: usize,
    },
    /// The chain has no state.
    #[error("a chain needs at least one state")]
    NoState,
    /// One of the tables has the wrong size.
    #[error("{table} has {found} numbers, it needs {needed}")]
    Size {
        /// Which table.
        table: &'static str,
        /// Numbers needed.
        needed: usize,
        /// Numbers found.
        found: usize,
    },
    /// A number that is negative, infinite or not a number.
    #[error("{table}, number {at} is {value}: it must be a finite number from 0 up")]
    NotAProbability {
        /// Which table.
        table: &'static str,
        /// Which number of it.
        at: usize,
        /// What stands there.
        value: f64,
    },
    /// A step that the chain does not have, or that has none before it.
    #[error("there is no pair of states that ends at step {step}: the chain has {steps} steps")]
    NoPair {
        /// The step asked for.
        step: usize,
        /// How many there are.
        steps: usize,
    },
}

impl<'a> Chain<'a> {
    /// How many states.
    pub fn states(&self) -> usize {
        self.initial.len()
    }

    /// How many steps; 0 if there are no states.
    pub fn steps(&self) -> usize {
        self.likelihood.len().checked_div(self.states()).unwrap_or(0)
    }

    /// `[from][to]` into step `t`, for `t >= 1`.
    #[inline]
    pub(crate) fn transition(&self, t: usize) -> &'a [f64] {
        let size = self.states() * self.states();
        match self.transitions {
            Transitions::Constant(table) => &table[..size],
            Transitions::EachStep(tables) => &tables[(t - 1) * size..][..size],
        }
    }

    #[inline]
    pub(crate) fn likelihood_at(&self, t: usize) -> &'a [f64] {
        &self.likelihood[t * self.states()..][..self.states()]
    }

    /// Sizes fit and every number is finite and not negative. Reads each number once, where both passes read it several
    /// times.
    fn check(&self) -> Result<(), ChainError> {
        let (states, steps) = (self.states(), self.steps());
        if states == 0 {
            return Err(ChainError::NoState);
        }
        let (transitions, tables) = match self.transitions {
            Transitions::Constant(table) => (table, 1),
            Transitions::EachStep(tables) => (tables, steps.saturating_sub(1)),
        };
        for (table, numbers, needed) in [
            ("the initial distribution", self.initial, states),
            ("the transitions", transitions, tables * states * states),
            ("the likelihood", self.likelihood, steps * states),
        ] {
            if numbers.len() != needed {
                return Err(ChainError::Size { table, needed, found: numbers.len() });
            }
            if let Some(at) = first_wrong(numbers) {
                return Err(ChainError::NotAProbability { table, at, value: numbers[at] });
            }
        }
        Ok(())
    }
}

/// Where the first number stands that is negative, infinite or not a number.
#[inline]
pub(crate) fn first_wrong(numbers: &[f64]) -> Option<usize> {
    // Without a way out of the loop, so that several are compared at a time; where is looked up only if there is one.
    #[allow(
        clippy::manual_range_contains,
        reason = "`&` has no branch, so that whole lists are checked at once"
    )]
    let is_right = |x: f64| (x >= 0.0) & (x < f64::INFINITY);
    if numbers.iter().fold(true, |right, &x| right & is_right(x)) {
        return None;
    }
    numbers.iter().position(|&x| !is_right(x))
}

/// What is known about the states of a chain; the workspace is reused from chain to chain.
#[derive(Clone, Debug, Default)]
pub struct Chains {
    states: usize,
    filtered: Vec<f64>,
    smoothed: Vec<f64>,
    backward: Vec<f64>,
    log_likelihood: f64,
}

impl Chains {
    /// An empty workspace.
    pub fn new() -> Self {
        Chains::default()
    }

    /// Filters forward: `P(state at t | o_0..o_t)` for every step. Returns the log-likelihood.
    ///
    /// On an error the workspace holds nothing.
    pub fn forward(&mut self, chain: &Chain<'_>) -> Result<f64, ChainError> {
        self.clear();
        chain.check()?;
        self.states = chain.states();
        self.filtered.resize(chain.likelihood.len(), 0.0);
        let mut log_likelihood = Sum::default();
        for t in 0..chain.steps() {
            let (before, now) = self.filtered.split_at_mut(t * self.states);
            let now = &mut now[..self.states];
            if t == 0 {
                now.copy_from_slice(chain.initial);
            } else {
                let before = &before[(t - 1) * self.states..];
                for (&p, row) in before.iter().zip(chain.transition(t).chunks_exact(self.states)) {
                    for (next, a) in now.iter_mut().zip(row) {
                        *next += p * a;
                    }
                }
            }
            for (p, b) in now.iter_mut().zip(chain.likelihood_at(t)) {
                *p *= b;
            }
            let scale = normalise(now);
            if scale == 0.0 {
                self.clear();
                return Err(ChainError::Impossible { step: t });
            }
            log_likelihood.add(ln(scale));
        }
        self.log_likelihood = log_likelihood.value();
        Ok(self.log_likelihood)
    }

    /// Filters forward, then smooths backward: `P(state at t | all observations)`. Returns the log-likelihood.
    ///
    /// On an error the workspace holds nothing.
    pub fn smooth(&mut self, chain: &Chain<'_>) -> Result<f64, ChainError> {
        let log_likelihood = self.forward(chain)?;
        let (states, steps) = (self.states, chain.steps());
        self.backward.resize(self.filtered.len(), 1.0 / states as f64);
        self.smoothed.extend_from_slice(&self.filtered);
        for t in (1..steps).rev() {
            let (before, now) = self.backward.split_at_mut(t * states);
            let before = &mut before[(t - 1) * states..];
            let b = chain.likelihood_at(t);
            for (beta, row) in before.iter_mut().zip(chain.transition(t).chunks_exact(states)) {
                *beta = row.iter().zip(b).zip(&now[..states]).map(|((a, b), beta)| a * b * beta).sum();
            }
            normalise(before);
            let gamma = &mut self.smoothed[(t - 1) * states..][..states];
            for (gamma, beta) in gamma.iter_mut().zip(before) {
                *gamma *= *beta;
            }
            normalise(gamma);
        }
        Ok(log_likelihood)
    }

    /// What was known of another chain must not be taken for this one's.
    fn clear(&mut self) {
        self.states = 0;
        self.filtered.clear();
        self.smoothed.clear();
        self.backward.clear();
        self.log_likelihood = 0.0;
    }

    /// `P(state at t | o_0..o_t)`, `[t][state]`.
    pub fn filtered(&self) -> &[f64] {
        &self.filtered
    }

    /// `P(state at t | all observations)`, `[t][state]`, after [`Chains::smooth`].
    pub fn smoothed(&self) -> &[f64] {
        &self.smoothed
    }

    /// `ln P(all observations)`.
    pub fn log_likelihood(&self) -> f64 {
        self.log_likelihood
    }

    /// `P(states at t-1 and t | all observations)` into `out[from][to]`, for `t >= 1`, after [`Chains::smooth`] of the
    /// same chain.
    pub fn pair(&self, chain: &Chain<'_>, t: usize, out: &mut [f64]) -> Result<(), ChainError> {
        let states = self.states;
        let steps = self.backward.len().checked_div(states).unwrap_or(0);
        if t == 0 || t >= steps {
            return Err(ChainError::NoPair { step: t, steps });
        }
        if (chain.states(), chain.likelihood.len()) != (states, self.backward.len()) {
            let (needed, found) = (self.backward.len(), chain.likelihood.len());
            return Err(ChainError::Size { table: "the likelihood", needed, found });
        }
        if out.len() != states * states {
            return Err(ChainError::Size { table: "the output", needed: states * states, found: out.len() });
        }
        let alpha = &self.filtered[(t - 1) * states..][..states];
        let beta = &self.backward[t * states..][..states];
        let (a, b) = (chain.transition(t), chain.likelihood_at(t));
        for ((row, a), alpha) in out.chunks_exact_mut(states).zip(a.chunks_exact(states)).zip(alpha) {
            for (((pair, a), b), beta) in row.iter_mut().zip(a).zip(b).zip(beta) {
                *pair = alpha * a * b * beta;
            }
        }
        normalise(out);
        Ok(())
    }
}

#[cfg(test)]
mod tests;
