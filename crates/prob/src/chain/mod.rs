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
#[derive(Clone, Copy, Debug)]
pub struct Chain<'a> {
    /// `P(first state)`; its length is the number of states.
    pub initial: &'a [f64],
    /// `P(next state | state)`.
    pub transitions: Transitions<'a>,
    /// `P(what was observed at t | state)`, `[t][state]`, up to a factor of each step's own.
    pub likelihood: &'a [f64],
}

/// The evidence at a step has probability 0, whatever the states were.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("what is observed at step {step} is impossible after what came before")]
pub struct Impossible {
    /// The first step that cannot be.
    pub step: usize,
}

impl<'a> Chain<'a> {
    /// How many states.
    pub fn states(&self) -> usize {
        self.initial.len()
    }

    /// How many steps.
    pub fn steps(&self) -> usize {
        self.likelihood.len() / self.states()
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

    fn check(&self) {
        let (states, steps) = (self.states(), self.steps());
        assert!(states > 0, "a chain has states");
        assert_eq!(self.likelihood.len(), steps * states, "likelihood is [t][state]");
        let transitions = match self.transitions {
            Transitions::Constant(table) => table.len() == states * states,
            Transitions::EachStep(tables) => tables.len() == steps.saturating_sub(1) * states * states,
        };
        assert!(transitions, "transitions are [from][to], or that for each step after the first");
    }
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
    pub fn forward(&mut self, chain: &Chain<'_>) -> Result<f64, Impossible> {
        chain.check();
        self.states = chain.states();
        self.filtered.clear();
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
                return Err(Impossible { step: t });
            }
            log_likelihood.add(ln(scale));
        }
        self.log_likelihood = log_likelihood.value();
        Ok(self.log_likelihood)
    }

    /// Filters forward, then smooths backward: `P(state at t | all observations)`. Returns the log-likelihood.
    pub fn smooth(&mut self, chain: &Chain<'_>) -> Result<f64, Impossible> {
        let log_likelihood = self.forward(chain)?;
        let (states, steps) = (self.states, chain.steps());
        self.backward.clear();
        self.backward.resize(self.filtered.len(), 1.0 / states as f64);
        self.smoothed.clear();
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

    /// `P(states at t-1 and t | all observations)` into `out[from][to]`, for `t >= 1`, after [`Chains::smooth`].
    pub fn pair(&self, chain: &Chain<'_>, t: usize, out: &mut [f64]) {
        let states = self.states;
        assert_eq!(out.len(), states * states, "out is [from][to]");
        let alpha = &self.filtered[(t - 1) * states..][..states];
        let beta = &self.backward[t * states..][..states];
        let (a, b) = (chain.transition(t), chain.likelihood_at(t));
        for ((row, a), alpha) in out.chunks_exact_mut(states).zip(a.chunks_exact(states)).zip(alpha) {
            for (((pair, a), b), beta) in row.iter_mut().zip(a).zip(b).zip(beta) {
                *pair = alpha * a * b * beta;
            }
        }
        normalise(out);
    }
}

/// Turns log-likelihoods `[t][state]` into likelihoods that do not underflow, and returns what was taken out:
/// add it to the log-likelihood of the chain.
pub fn rescale_logs(states: usize, logs: &mut [f64]) -> f64 {
    let mut taken = Sum::default();
    for step in logs.chunks_exact_mut(states) {
        let most = step.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let most = if most == f64::NEG_INFINITY { 0.0 } else { most };
        taken.add(most);
        for log in step {
            *log = crate::num::exp(*log - most);
        }
    }
    taken.value()
}

#[cfg(test)]
mod tests;
