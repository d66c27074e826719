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
//! Layout: a place's row holds its stays by age, in a window that slides one cell down each step, so that all stays grow
//! older without being moved; when it has reached the end of the row, the window is copied back. A step multiplies it in
//! place; what is older than `slots` steps is one number more. Only places that carry belief are walked, and of them only
//! the ages that can. Cost: O(Σ over such places of (ages in use + exits)), no allocation once made.

use repertoire_prob::num::ln;
use serde::{Deserialize, Serialize};

use crate::Dynamics;
use crate::error::{self, FilterError};

/// How many sums [`multiply`] keeps side by side.
const LANES: usize = 8;

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
///
/// ```
/// use repertoire_belief::{Dynamics, Filter, FilterError};
///
/// // Three rooms in a row. Whoever is in the middle goes either way; stays last one step or two.
/// let exits = [vec![0.0, 1.0, 0.0], vec![0.5, 0.0, 0.5], vec![0.0, 1.0, 0.0]];
/// let stays = [vec![0.5, 0.5], vec![1.0], vec![0.5, 0.5]];
/// let dynamics = Dynamics::new(&[0.0, 1.0, 0.0], &exits, &stays)?;
/// let mut filter = Filter::of(&dynamics);
///
/// // The opponent is seen in the middle; then the middle and the left room are empty.
/// filter.begin(dynamics.initial(), &[0.0, 1.0, 0.0])?;
/// filter.step(&dynamics, &[0.0, 0.0, 1.0])?;
/// assert_eq!(filter.belief(), [0.0, 0.0, 1.0]);
///
/// // What cannot be used is refused, and the belief is as it was.
/// let short = filter.step(&dynamics, &[1.0]);
/// assert!(matches!(short, Err(FilterError::Length { found: 1, expected: 3, .. })));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Filter {
    slots: usize,
    /// `[place][base + age - 1]` in rows of twice the slots, to be divided by `total`.
    mass: Vec<f64>,
    /// Where windows begin.
    base: usize,
    /// Stays longer than all slots, by place.
    older: Vec<f64>,
    /// Stays that began at the last step, by place: they enter their row in the next, when it is at hand anyway.
    newest: Vec<f64>,
    /// How many ages of a place can carry belief, the newest not counted.
    extent: Vec<u32>,
    /// Whether a place is among the active.
    is_active: Vec<bool>,
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
    /// A filter for dynamics with this many places and slots; it knows nothing before [`Filter::begin`].
    pub fn new(places: usize, slots: usize) -> Self {
        Filter {
            slots,
            mass: vec![0.0; places * 2 * slots],
            base: slots,
            older: vec![0.0; places],
            newest: vec![0.0; places],
            extent: vec![0; places],
            is_active: vec![false; places],
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
    ///
    /// # Errors
    /// When a list has not one finite, non-negative entry for each place, or when what is observed is impossible. After the
    /// first the filter is as it was; after the second it believes nothing until it begins again.
    pub fn begin(&mut self, initial: &[f64], likelihood: &[f64]) -> Result<(), FilterError> {
        error::weights("initial", initial, self.belief.len())?;
        error::weights("likelihood", likelihood, self.belief.len())?;
        Ok(self.begin_unchecked(initial, likelihood)?)
    }

    /// [`Filter::begin`] without looking at what is handed in, for loops over many filters whose input is known to be sound.
    ///
    /// # Errors
    /// When what is observed is impossible. With lists of another length the belief is wrong, or this panics.
    pub fn begin_unchecked(&mut self, initial: &[f64], likelihood: &[f64]) -> Result<(), Impossible> {
        debug_assert_eq!((initial.len(), likelihood.len()), (self.belief.len(), self.belief.len()));
        self.forget();
        (self.step, self.log_evidence) = (0, Saved::default());
        for (s, (&p, &l)) in initial.iter().zip(likelihood).enumerate() {
            let mass = p * l;
            if mass > 0.0 {
                self.active.push(s as u32);
                self.is_active[s] = true;
                self.newest[s] = mass;
                self.belief[s] = mass;
                self.total += mass;
            }
        }
        self.finish()
    }

    /// No place carries belief any more.
    fn forget(&mut self) {
        while let Some(s) = self.active.pop() {
            self.clear(s as usize);
        }
        self.total = 0.0;
    }

    fn clear(&mut self, s: usize) {
        self.is_active[s] = false;
        self.extent[s] = 0;
        (self.older[s], self.newest[s], self.belief[s]) = (0.0, 0.0, 0.0);
    }

    /// One step: the opponent moves, then this is observed, as a likelihood for each place.
    ///
    /// # Errors
    /// As [`Filter::step_with_leak`].
    pub fn step(&mut self, dynamics: &Dynamics, likelihood: &[f64]) -> Result<(), FilterError> {
        self.step_with_leak(dynamics, likelihood, Leak { share: 0.0, prior: &[] })
    }

    /// One step in which a share of the belief is redrawn from a prior, which may be empty if the share is 0.
    ///
    /// # Errors
    /// When the dynamics are of another size than the filter, when a list has not one finite, non-negative entry for each
    /// place, when the share is not between 0 and 1, or when what is observed is impossible. The filter is as it was,
    /// except after the last: then it believes nothing until it begins again.
    pub fn step_with_leak(
        &mut self,
        dynamics: &Dynamics,
        likelihood: &[f64],
        leak: Leak<'_>,
    ) -> Result<(), FilterError> {
        let (places, slots) = (dynamics.places(), dynamics.slots());
        let (own_places, own_slots) = (self.belief.len(), self.slots);
        if (places, slots) != (own_places, own_slots) {
            return Err(FilterError::OtherDynamics { places, slots, own_places, own_slots });
        }
        error::weights("likelihood", likelihood, places)?;
        error::share("the leak's share", leak.share)?;
        if leak.share > 0.0 || !leak.prior.is_empty() {
            error::weights("the leak's prior", leak.prior, places)?;
        }
        Ok(self.step_unchecked(dynamics, likelihood, leak)?)
    }

    /// [`Filter::step_with_leak`] without looking at what is handed in, for loops over many filters whose input is known to
    /// be sound: a step then touches only places that carry belief.
    ///
    /// # Errors
    /// When what is observed is impossible. With other lengths, NaN or negative numbers the belief is wrong, or this panics.
    pub fn step_unchecked(
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
        let base = self.slide();
        let before = self.active.len();
        // Once belief is everywhere nobody can be new.
        let everywhere = before == self.belief.len();
        for k in 0..before {
            let s = self.active[k] as usize;
            let leaving = self.stay(s, base, dynamics.endings(s), likelihood[s] * keep) * keep;
            if leaving <= 0.0 {
                continue;
            }
            let (to, p) = dynamics.exit_lists(s);
            if everywhere {
                to.iter().zip(p).for_each(|(&to, p)| self.inflow[to as usize] += leaving * p);
            } else {
                to.iter().zip(p).for_each(|(&to, p)| self.flow_into(to as usize, leaving * p));
            }
        }
        for (s, &p) in leak.prior.iter().enumerate() {
            if p > 0.0 {
                self.flow_into(s, p * leak.share);
            }
        }
        self.settle(likelihood);
        self.finish()
    }

    /// Moves the windows one down; gives where they were.
    fn slide(&mut self) -> usize {
        if self.base == 0 {
            for &s in &self.active {
                let row = &mut self.mass[s as usize * 2 * self.slots..][..2 * self.slots];
                row.copy_within(..self.slots, self.slots);
            }
            self.base = self.slots;
        }
        self.base -= 1;
        self.base + 1
    }

    /// Those who stay in a place, times a factor; gives how much was leaving, before the factor.
    #[inline]
    fn stay(&mut self, s: usize, base: usize, endings: &[f64], factor: f64) -> f64 {
        let slots = self.slots;
        let in_use = self.extent[s] as usize + 1;
        let window = &mut self.mass[s * 2 * slots + base..][..in_use];
        window[0] = self.newest[s];
        let (leaving, stays) = multiply(window, &endings[..in_use], factor);
        let chance = endings[slots - 1];
        let before = self.older[s];
        let mut older = before * (1.0 - chance) * factor;
        self.belief[s] = stays + older;
        let mut left = in_use;
        if in_use == slots {
            // An opponent who is still there has stayed longer than all slots.
            older += window[slots - 1];
            left -= 1;
        }
        self.older[s] = older;
        // The oldest are trimmed as they end.
        while left > 0 && window[left - 1] == 0.0 {
            left -= 1;
        }
        self.extent[s] = left as u32;
        leaving + before * chance
    }

    #[inline]
    fn flow_into(&mut self, s: usize, mass: f64) {
        if !self.is_active[s] && mass > 0.0 {
            self.is_active[s] = true;
            self.active.push(s as u32);
            self.belief[s] = 0.0;
        }
        self.inflow[s] += mass;
    }

    /// New stays begin; places without belief are dropped; sums up.
    fn settle(&mut self, likelihood: &[f64]) {
        let mut total = 0.0;
        let mut kept = 0;
        for k in 0..self.active.len() {
            let s = self.active[k] as usize;
            let new = self.inflow[s] * likelihood[s];
            self.inflow[s] = 0.0;
            self.newest[s] = new;
            let belief = self.belief[s] + new;
            self.belief[s] = belief;
            if belief > 0.0 {
                total += belief;
                self.active[kept] = s as u32;
                kept += 1;
            } else {
                self.clear(s);
            }
        }
        self.active.truncate(kept);
        self.total = total;
    }

    /// Turns masses into the belief; the masses themselves are divided in the next step.
    fn finish(&mut self) -> Result<(), Impossible> {
        if !(self.total > 0.0 && self.total.is_finite()) {
            self.forget();
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
    #[inline]
    pub fn belief(&self) -> &[f64] {
        &self.belief
    }

    /// Places that carry belief, in no particular order.
    #[inline]
    pub fn active(&self) -> &[u32] {
        &self.active
    }

    /// `P(place and number of steps in it | all observations so far)`; steps beyond the slots are counted together, as
    /// `slots + 1`.
    pub fn joint(&self, place: usize, elapsed: usize) -> f64 {
        if self.total <= 0.0 || elapsed == 0 || elapsed > self.slots + 1 {
            return 0.0;
        }
        if elapsed == self.slots + 1 {
            return self.older[place] / self.total;
        }
        if elapsed == 1 {
            return self.newest[place] / self.total;
        }
        if elapsed > self.extent[place] as usize + 1 {
            return 0.0;
        }
        self.mass[place * 2 * self.slots + self.base + elapsed - 1] / self.total
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

/// Multiplies stays by the chance to go on and a factor; gives what was leaving and what stays. Eight sums side by side,
/// always in the same order, so that the processor can do them at once and every processor gets the same bits.
#[inline]
fn multiply(mass: &mut [f64], chances: &[f64], factor: f64) -> (f64, f64) {
    let (mut leaving, mut stays) = ([0.0; LANES], [0.0; LANES]);
    let mut one = |m: &mut f64, chance: f64, lane: usize| {
        // `m - m h` and not `m (1 - h)`: one operation less, and as exact, since nobody leaves who is not there.
        let leaves = *m * chance;
        let goes_on = *m - leaves;
        leaving[lane] += leaves;
        stays[lane] += goes_on;
        *m = goes_on * factor;
    };
    let (eights, rest) = mass.as_chunks_mut::<LANES>();
    let (chances_of, chances_rest) = chances.as_chunks::<LANES>();
    for (m, h) in eights.iter_mut().zip(chances_of) {
        for lane in 0..LANES {
            one(&mut m[lane], h[lane], lane);
        }
    }
    // What is left over: four once more side by side, the others one by one.
    let (fours, last) = rest.as_chunks_mut::<{ LANES / 2 }>();
    let (chances_of, chances_last) = chances_rest.as_chunks::<{ LANES / 2 }>();
    for (m, h) in fours.iter_mut().zip(chances_of) {
        for lane in 0..LANES / 2 {
            one(&mut m[lane], h[lane], lane);
        }
    }
    let (mut last_leaving, mut last_stays) = (0.0, 0.0);
    for (m, h) in last.iter_mut().zip(chances_last) {
        let leaves = *m * h;
        let goes_on = *m - leaves;
        last_leaving += leaves;
        last_stays += goes_on;
        *m = goes_on * factor;
    }
    let sum = |parts: [f64; LANES], last: f64| {
        let [a, b, c, d]: [f64; 4] = std::array::from_fn(|lane| parts[lane] + parts[lane + 4]);
        (a + b) + (c + d) + last
    };
    (sum(leaving, last_leaving), sum(stays, last_stays) * factor)
}

/// The whole filter at once, as the door answers it: `P(place | o_0..o_t)` and `ln P(o_0..o_t)` for every step.
///
/// # Errors
/// When a step has not one finite, non-negative likelihood for each place, or is impossible.
pub fn filter_all(
    dynamics: &Dynamics,
    likelihood: &[Vec<f64>],
) -> Result<(Vec<Vec<f64>>, Vec<f64>), FilterError> {
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
