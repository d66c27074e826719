//! Looking back: where the opponent was, given also what was seen later; and the way it most likely took.
//!
//! Both work on the chain of (place, steps in it), as the filter does:
//!
//! ```text
//! β_t(s, e) = (1 - h_s(e)) L_{t+1}(s) β_{t+1}(s, e+1) + h_s(e) Σ_s' P(s' | s) L_{t+1}(s') β_{t+1}(s', 1)
//! γ_t(s)    ∝ Σ_e α_t(s, e) β_t(s, e)
//! ```
//!
//! Known ends (Southey, Loh and Wilkinson 2007, as told by Beaulac 2013, section 4.2: the path of a unit whose start and
//! destination are known) are likelihoods that leave one place at the first and at the last step: [`with_ends`].
//!
//! Differs from the paper: it gives neither backward pass nor path for the semi-Markov case. The last stay need not end
//! with the observations. Cost: O(steps · (places · slots + exits)) time and memory.

use repertoire_prob::num::{ln, normalise};

use crate::error::{self, FilterError};
use crate::{Dynamics, Impossible};

/// `P(place at t | all observations)`, `[t][place]`.
///
/// # Errors
/// When a step has not one finite, non-negative likelihood for each place, or is impossible.
pub fn smooth(dynamics: &Dynamics, likelihood: &[Vec<f64>]) -> Result<Vec<Vec<f64>>, FilterError> {
    error::steps(dynamics, likelihood)?;
    let (places, slots, steps) = (dynamics.places(), dynamics.slots(), likelihood.len());
    let size = places * slots;
    let mut forward = vec![0.0; size * steps];
    let mut inflow = vec![0.0; places];
    for t in 0..steps {
        let (before, now) = forward.split_at_mut(t * size);
        let now = &mut now[..size];
        inflow.fill(0.0);
        if t == 0 {
            inflow.copy_from_slice(dynamics.initial());
        } else {
            let before = &before[(t - 1) * size..];
            for s in 0..places {
                let mut leaving = 0.0;
                for e in 1..=slots {
                    let mass = before[s * slots + e - 1];
                    let h = dynamics.ending(s, e);
                    leaving += mass * h;
                    now[s * slots + e.min(slots - 1)] += mass * (1.0 - h);
                }
                if leaving > 0.0 {
                    dynamics.exits(s).for_each(|(to, p)| inflow[to] += leaving * p);
                }
            }
        }
        for s in 0..places {
            now[s * slots] += inflow[s];
            now[s * slots..][..slots].iter_mut().for_each(|mass| *mass *= likelihood[t][s]);
        }
        if normalise(now) == 0.0 {
            return Err(Impossible { step: t }.into());
        }
    }
    let mut smoothed = vec![vec![0.0; places]; steps];
    let mut backward = vec![1.0; size];
    let mut next = vec![0.0; size];
    for t in (0..steps).rev() {
        if t + 1 < steps {
            let l = &likelihood[t + 1];
            for s in 0..places {
                let out: f64 = dynamics.exits(s).map(|(to, p)| p * l[to] * backward[to * slots]).sum();
                for e in 1..=slots {
                    let h = dynamics.ending(s, e);
                    let on = backward[s * slots + e.min(slots - 1)];
                    next[s * slots + e - 1] = (1.0 - h) * l[s] * on + h * out;
                }
            }
            // Any factor will do, as long as nothing underflows.
            normalise(&mut next);
            std::mem::swap(&mut backward, &mut next);
        }
        let forward = &forward[t * size..][..size];
        for (s, gamma) in smoothed[t].iter_mut().enumerate() {
            let both = forward[s * slots..][..slots].iter().zip(&backward[s * slots..][..slots]);
            *gamma = both.map(|(a, b)| a * b).sum();
        }
        normalise(&mut smoothed[t]);
    }
    Ok(smoothed)
}

/// The most likely way.
#[derive(Clone, Debug, PartialEq)]
pub struct BestPath {
    /// The place at each step.
    pub places: Vec<u32>,
    /// `ln P(this way and all observations)`.
    pub log_probability: f64,
}

/// The most likely way, given all observations. Of equally likely ones, that with the lower places.
///
/// With exits from a place to itself it is the most likely sequence of stays, of which several make the same way.
///
/// # Errors
/// When a step has not one finite, non-negative likelihood for each place, or is impossible.
pub fn best_path(dynamics: &Dynamics, likelihood: &[Vec<f64>]) -> Result<BestPath, FilterError> {
    error::steps(dynamics, likelihood)?;
    let (places, slots, steps) = (dynamics.places(), dynamics.slots(), likelihood.len());
    let size = places * slots;
    let log = |p: f64| if p > 0.0 { ln(p) } else { f64::NEG_INFINITY };
    let mut best = vec![f64::NEG_INFINITY; size];
    let mut next = vec![f64::NEG_INFINITY; size];
    // For each step and place: which (place, slot) a stay that begins there comes from; and whether the last slot was
    // reached from itself.
    let mut came_from = vec![u32::MAX; places * steps];
    let mut from_last = vec![false; places * steps];
    for t in 0..steps {
        if t == 0 {
            (0..places).for_each(|s| best[s * slots] = log(dynamics.initial()[s]));
        } else {
            next.fill(f64::NEG_INFINITY);
            for s in 0..places {
                let mut leaving = (f64::NEG_INFINITY, u32::MAX);
                for e in 1..=slots {
                    let here = best[s * slots + e - 1];
                    if here == f64::NEG_INFINITY {
                        continue;
                    }
                    let h = dynamics.ending(s, e);
                    let (out, on) = (here + log(h), here + log(1.0 - h));
                    if out > leaving.0 {
                        leaving = (out, (s * slots + e - 1) as u32);
                    }
                    let to = &mut next[s * slots + e.min(slots - 1)];
                    if on > *to {
                        *to = on;
                        from_last[t * places + s] = e == slots;
                        if slots == 1 {
                            came_from[t * places + s] = u32::MAX;
                        }
                    }
                }
                if leaving.0 > f64::NEG_INFINITY {
                    for (to, p) in dynamics.exits(s) {
                        let into = leaving.0 + log(p);
                        if into > next[to * slots] {
                            next[to * slots] = into;
                            came_from[t * places + to] = leaving.1;
                        }
                    }
                }
            }
            std::mem::swap(&mut best, &mut next);
        }
        let mut possible = false;
        for s in 0..places {
            let l = log(likelihood[t][s]);
            for value in &mut best[s * slots..][..slots] {
                *value += l;
                possible |= *value > f64::NEG_INFINITY;
            }
        }
        if !possible {
            return Err(Impossible { step: t }.into());
        }
    }
    if steps == 0 {
        return Ok(BestPath { places: Vec::new(), log_probability: 0.0 });
    }
    let mut at = 0;
    for (state, &value) in best.iter().enumerate() {
        if value > best[at] {
            at = state;
        }
    }
    let log_probability = best[at];
    let mut path = vec![0; steps];
    for t in (0..steps).rev() {
        let (s, slot) = (at / slots, at % slots);
        path[t] = s as u32;
        if t == 0 {
            break;
        }
        let entered = came_from[t * places + s];
        at = if slot == 0 && (slots > 1 || entered != u32::MAX) {
            entered as usize
        } else if slot == slots - 1 && from_last[t * places + s] {
            at
        } else {
            at - 1
        };
    }
    Ok(BestPath { places: path, log_probability })
}

/// Likelihoods that also know where the way begins and ends.
///
/// # Errors
/// When one of the two is not among the places of the first and last step.
pub fn with_ends(
    likelihood: &[Vec<f64>],
    start: usize,
    destination: usize,
) -> Result<Vec<Vec<f64>>, FilterError> {
    if let (Some(first), Some(last)) = (likelihood.first(), likelihood.last()) {
        error::place(start, first.len())?;
        error::place(destination, last.len())?;
    }
    let mut known = likelihood.to_vec();
    let mut only = |row: usize, place: usize| {
        if let Some(row) = known.get_mut(row) {
            row.iter_mut().enumerate().filter(|(s, _)| *s != place).for_each(|(_, l)| *l = 0.0);
        }
    };
    only(0, start);
    only(likelihood.len().wrapping_sub(1), destination);
    Ok(known)
}
