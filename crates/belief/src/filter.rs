//! The exact filter: `P(place, time in it | all observations so far)`, a step at a time.
//!
//! ```text
//! leaving_t(s)   = Σ_e a_t(s, e) h_s(e)
//! a_{t+1}(s, 1)   ∝ L(s) · ((1 - leak) Σ_s' leaving_t(s') P(s | s') + leak · prior(s))
//! a_{t+1}(s, e+1) ∝ L(s) · (1 - leak) · a_t(s, e) (1 - h_s(e))
//! ```
//! with `h_s(e)` the chance that a stay ends after `e` steps and `L(s) = P(what is observed now | place s)`.
//!
//! | paper                    | code                   | meaning                                             |
//! |--------------------------|------------------------|-----------------------------------------------------|
//! | `P(q_t = S_i │ o_1..o_t)`| [`Filter::belief`]     | over places, summed over the time in them           |
//! | `P(o_1..o_t)`            | [`Filter::log_evidence`] | its logarithm                                     |
//! | `α_t(s)` (eq. 8, 9)      | the part that is leaving | not what we report: see below                     |
//!
//! Differs from the paper: eq. 8 and 9 count only stays that *end* at `t`, so that normalising them is not where the
//! opponent is (with fixed durations they can be 0 everywhere). Here all stays count, with the chance to have
//! lasted so long. The base case that the paper leaves out: at the first step the sum over predecessors is `μ`.
//! The leak is not in the paper: it redraws a share of the belief from a prior, against a model that is wrong.
//!
//! Layout: who entered a place at step `τ` stays in the slot `τ mod slots` until the stay ends, so that a step multiplies
//! a row in place by the row of chances; what is older than `slots` steps is one number more. Only places that carry
//! belief are walked, and of them only the slots that can. Cost: O(Σ over such places of (slots in use + exits)), no
//! allocation once made.

use repertoire_prob::num::ln;
use serde::{Deserialize, Serialize};

use crate::Dynamics;

/// What is observed has probability 0 wherever the opponent may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("what is observed at step {step} is impossible after what came before")]
pub struct Impossible {
    /// The first step that cannot be.
    pub step: usize,
}

/// A share of belief that is redrawn each step.
#[derive(Clone, Copy, Debug)]
pub struct Leak<'a> {
    /// How much: 0 for none, 1 for all.
    pub share: f64,
    /// From where, over places.
    pub prior: &'a [f64],
}

/// The belief about one opponent.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Filter {
    slots: usize,
    /// `[place][slot]`, to be divided by `total`.
    mass: Vec<f64>,
    /// Stays longer than all slots, by place.
    older: Vec<f64>,
    /// How many slots of a place can carry belief.
    extent: Vec<u32>,
    /// Places that carry belief, in ascending order.
    active: Vec<u32>,
    belief: Vec<f64>,
    inflow: Vec<f64>,
    /// What `mass` sums to.
    total: f64,
    step: usize,
    log_evidence: Saved,
}

/// A compensated sum (Neumaier) that can be saved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Saved {
    total: f64,
    lost: f64,
}

impl Saved {
    fn add(&mut self, term: f64) {
        let next = self.total + term;
        self.lost += if self.total.abs() >= term.abs() {
            (self.total - next) + term
        } else {
            (term - next) + self.total
        };
        self.total = next;
    }
}

impl Filter {
    /// A filter for dynamics of so many places and slots, which knows nothing before [`Filter::begin`].
    pub fn new(places: usize, slots: usize) -> Self {
        Filter {
            slots,
            mass: vec![0.0; places * slots],
            older: vec![0.0; places],
            extent: vec![0; places],
            active: Vec::with_capacity(places),
            belief: vec![0.0; places],
            inflow: vec![0.0; places],
            total: 0.0,
            step: 0,
            log_evidence: Saved::default(),
        }
    }

    /// The filter of these dynamics.
    pub fn of(dynamics: &Dynamics) -> Self {
        Filter::new(dynamics.places(), dynamics.slots())
    }

    /// Begins anew: the first place is drawn from `initial`, and this is what is observed there.
    pub fn begin(&mut self, initial: &[f64], likelihood: &[f64]) -> Result<(), Impossible> {
        for &s in &self.active {
            let s = s as usize;
            (self.extent[s], self.older[s], self.belief[s]) = (0, 0.0, 0.0);
        }
        self.active.clear();
        (self.step, self.log_evidence, self.total) = (0, Saved::default(), 0.0);
        for (s, (&p, &l)) in initial.iter().zip(likelihood).enumerate() {
            let mass = p * l;
            if mass > 0.0 {
                self.active.push(s as u32);
                self.extent[s] = 1;
                self.mass[s * self.slots] = mass;
                self.belief[s] = mass;
                self.total += mass;
            }
        }
        self.finish()
    }

    /// One step: the opponent moves, then this is observed, as a likelihood for each place.
    pub fn step(&mut self, dynamics: &Dynamics, likelihood: &[f64]) -> Result<(), Impossible> {
        self.step_with_leak(dynamics, likelihood, Leak { share: 0.0, prior: &[] })
    }

    /// One step in which a share of the belief is redrawn from a prior.
    pub fn step_with_leak(
        &mut self,
        dynamics: &Dynamics,
        likelihood: &[f64],
        leak: Leak<'_>,
    ) -> Result<(), Impossible> {
        debug_assert_eq!((dynamics.places(), dynamics.slots()), (self.belief.len(), self.slots));
        self.step += 1;
        if self.total.is_nan() || self.total <= 0.0 {
            return Err(Impossible { step: self.step });
        }
        let scale = 1.0 / self.total;
        let keep = (1.0 - leak.share) * scale;
        let head = self.step % self.slots;
        let before = self.active.len();
        for k in 0..before {
            let s = self.active[k] as usize;
            let leaving = self.stay(s, head, dynamics.endings(s), likelihood[s] * keep);
            if leaving > 0.0 {
                for (to, p) in dynamics.exits(s) {
                    self.flow_into(to, leaving * p * keep);
                }
            }
        }
        for (s, &p) in leak.prior.iter().enumerate() {
            if p > 0.0 {
                self.flow_into(s, p * leak.share);
            }
        }
        self.settle(head, likelihood);
        self.finish()
    }

    /// Those who stay in a place, times a factor; gives how much was leaving, before the factor.
    #[inline]
    fn stay(&mut self, s: usize, head: usize, endings: &[f64], factor: f64) -> f64 {
        let slots = self.slots;
        let row = &mut self.mass[s * slots..][..slots];
        let in_use = self.extent[s] as usize;
        // Slots from `head` upwards are the oldest stays: they face the front of the row of chances.
        let first = slots - in_use;
        let (young, old) = row.split_at_mut(head);
        let (chances_old, chances_young) = endings.split_at(slots - head);
        let skip_old = first.min(old.len());
        let skip_young = first - skip_old;
        let (mut leaving, mut stays) = multiply(&mut old[skip_old..], &chances_old[skip_old..], factor);
        let (l, m) = multiply(&mut young[skip_young..], &chances_young[skip_young..], factor);
        (leaving, stays) = (leaving + l, stays + m);
        // The oldest slot becomes the newest: who is still there is older than all slots.
        let oldest = if in_use == slots { row[head] } else { 0.0 };
        row[head] = 0.0;
        let chance = endings[0];
        leaving += self.older[s] * chance;
        let older = self.older[s] * (1.0 - chance) * factor;
        stays += older;
        self.older[s] = older + oldest;
        self.belief[s] = stays;
        leaving
    }

    #[inline]
    fn flow_into(&mut self, s: usize, mass: f64) {
        if self.extent[s] == 0 && self.inflow[s] == 0.0 && mass > 0.0 {
            self.active.push(s as u32);
            self.belief[s] = 0.0;
        }
        self.inflow[s] += mass;
    }

    /// New stays begin; places without belief are dropped; sums up.
    fn settle(&mut self, head: usize, likelihood: &[f64]) {
        let slots = self.slots;
        let mut total = 0.0;
        let mut kept = 0;
        for k in 0..self.active.len() {
            let s = self.active[k] as usize;
            let new = self.inflow[s] * likelihood[s];
            self.inflow[s] = 0.0;
            let belief = self.belief[s] + new;
            self.belief[s] = belief;
            if belief > 0.0 {
                let row = &mut self.mass[s * slots..][..slots];
                row[head] = new;
                let mut in_use = (self.extent[s] as usize + 1).min(slots);
                // The oldest stays in use are trimmed as they end.
                while in_use > 1 && row[(head + slots + 1 - in_use) % slots] == 0.0 {
                    in_use -= 1;
                }
                self.extent[s] = in_use as u32;
                total += belief;
                self.active[kept] = s as u32;
                kept += 1;
            } else {
                (self.extent[s], self.older[s], self.belief[s]) = (0, 0.0, 0.0);
            }
        }
        self.active.truncate(kept);
        self.total = total;
    }

    /// Turns masses into the belief; the masses themselves are divided in the next step.
    fn finish(&mut self) -> Result<(), Impossible> {
        if !(self.total > 0.0 && self.total.is_finite()) {
            for &s in &self.active {
                self.extent[s as usize] = 0;
                self.older[s as usize] = 0.0;
                self.belief[s as usize] = 0.0;
            }
            self.active.clear();
            self.total = 0.0;
            return Err(Impossible { step: self.step });
        }
        let scale = 1.0 / self.total;
        for &s in &self.active {
            self.belief[s as usize] *= scale;
        }
        self.log_evidence.add(ln(self.total));
        Ok(())
    }

    /// `P(place | all observations so far)`.
    pub fn belief(&self) -> &[f64] {
        &self.belief
    }

    /// Places that carry belief, in no particular order.
    pub fn active(&self) -> &[u32] {
        &self.active
    }

    /// `P(place and so many steps in it | all observations so far)`; steps beyond the slots are counted together, as
    /// `slots + 1`.
    pub fn joint(&self, place: usize, elapsed: usize) -> f64 {
        if self.total <= 0.0 || elapsed == 0 || elapsed > self.slots + 1 {
            return 0.0;
        }
        if elapsed == self.slots + 1 {
            return self.older[place] / self.total;
        }
        if elapsed > self.extent[place] as usize {
            return 0.0;
        }
        let slot = (self.step + self.slots + 1 - elapsed) % self.slots;
        self.mass[place * self.slots + slot] / self.total
    }

    /// `ln P(all observations so far)`.
    pub fn log_evidence(&self) -> f64 {
        self.log_evidence.total + self.log_evidence.lost
    }

    /// Steps since the beginning.
    pub fn steps(&self) -> usize {
        self.step
    }
}

/// Multiplies stays by the chance to go on and a factor; gives what was leaving and what stays. Four sums side by side,
/// always in the same order, so that the processor can do them at once.
#[inline]
fn multiply(mass: &mut [f64], chances: &[f64], factor: f64) -> (f64, f64) {
    let mut leaving = [0.0; 4];
    let mut stays = [0.0; 4];
    let chances = &chances[..mass.len()];
    let mut fours = mass.chunks_exact_mut(4);
    let mut chances_of = chances.chunks_exact(4);
    for (m, h) in fours.by_ref().zip(chances_of.by_ref()) {
        for k in 0..4 {
            leaving[k] += m[k] * h[k];
            m[k] *= (1.0 - h[k]) * factor;
            stays[k] += m[k];
        }
    }
    for (k, (m, h)) in fours.into_remainder().iter_mut().zip(chances_of.remainder()).enumerate() {
        leaving[k] += *m * h;
        *m *= (1.0 - h) * factor;
        stays[k] += *m;
    }
    ((leaving[0] + leaving[1]) + (leaving[2] + leaving[3]), (stays[0] + stays[1]) + (stays[2] + stays[3]))
}

/// The whole filter at once, as the door answers it: `P(place | o_0..o_t)` and `ln P(o_0..o_t)` for every step.
pub fn filter_all(
    dynamics: &Dynamics,
    likelihood: &[Vec<f64>],
) -> Result<(Vec<Vec<f64>>, Vec<f64>), Impossible> {
    let mut filter = Filter::of(dynamics);
    let (mut posterior, mut evidence) = (Vec::new(), Vec::new());
    for (t, likelihood) in likelihood.iter().enumerate() {
        if t == 0 {
            filter.begin(dynamics.initial(), likelihood)?;
        } else {
            filter.step(dynamics, likelihood)?;
        }
        posterior.push(filter.belief().to_vec());
        evidence.push(filter.log_evidence());
    }
    Ok((posterior, evidence))
}
