//! The most likely path of a chain, in logs.
//!
//! `δ_t(j) = max_i δ_{t-1}(i) + ln a_ij + ln b_j(t)`. Of several equally likely paths the one with the lowest states is
//! found, last step first. Cost: O(steps · states²).

use super::{Chain, ChainError};
use crate::num::{Sum, ln};

/// A path through the states of a chain.
#[derive(Clone, Debug, PartialEq)]
pub struct Path {
    /// The state at each step.
    pub states: Vec<u32>,
    /// `ln P(path, observations)`.
    pub log_probability: f64,
}

/// The single most probable sequence of states, given all observations.
pub fn most_likely_path(chain: &Chain<'_>) -> Result<Path, ChainError> {
    chain.check()?;
    let (states, steps) = (chain.states(), chain.steps());
    let mut best: Vec<f64> = chain.initial.iter().map(|&p| ln(p)).collect();
    let mut next = vec![0.0; states];
    let mut came_from = vec![0u32; steps * states];
    // Kept near 0 by taking the maximum out each step, so that length costs no precision.
    let mut taken = Sum::default();
    for t in 0..steps {
        if t > 0 {
            let a = chain.transition(t);
            for (j, next) in next.iter_mut().enumerate() {
                let (mut from, mut most) = (0, f64::NEG_INFINITY);
                for (i, &so_far) in best.iter().enumerate() {
                    let through = so_far + ln(a[i * states + j]);
                    if through > most {
                        (from, most) = (i, through);
                    }
                }
                *next = most;
                came_from[t * states + j] = from as u32;
            }
            std::mem::swap(&mut best, &mut next);
        }
        for (so_far, &b) in best.iter_mut().zip(chain.likelihood_at(t)) {
            *so_far += ln(b);
        }
        let most = best.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        if most == f64::NEG_INFINITY {
            return Err(ChainError::Impossible { step: t });
        }
        taken.add(most);
        best.iter_mut().for_each(|so_far| *so_far -= most);
    }
    let mut path = vec![0u32; steps];
    let mut state = crate::draw::arg_max(&best) as u32;
    for t in (0..steps).rev() {
        path[t] = state;
        state = came_from[t * states + state as usize];
    }
    Ok(Path { states: path, log_probability: taken.value() })
}
