//! Forward and backward through a sequence, with attention summed out tick by tick.
//!
//! ```text
//! α_d^t ∝ E_d^t Σ_i w_i^t N_{i,d}^t Σ_d' m_i(d | d', h_i^t) α_d'^{t-1}
//! w_i = θ_i(h_i) / Σ_x θ_x(h_x)                 N_{i,d} = Π_u n_ui(r_u | d, h_i)
//! E_d = Π_g Σ_{j∈K} λ_gj(d, l_j) Π_f o_fj(e_f | d, l_j) / Σ_{j∈K} λ_gj(d, l_j)
//! ```
//! — Tencé 2011, eq. 3.44 to 3.92. Given the decision, what is attended to at one level is independent of the other level
//! and of all other ticks, so a tick costs (high-level stimuli · decisions² + low-level stimuli · actions · decisions):
//! the product of the hidden states is never formed.
//!
//! | paper        | code                    | meaning                                        |
//! |--------------|-------------------------|------------------------------------------------|
//! | `α_d^t`      | [`Pass::alpha`]         | `P(D = d \| actions so far)`, sums to 1 (3.42)  |
//! | `β_d^t`      | `beta`                  | what the rest says of `d`, scaled (3.53)       |
//! | `γ_{d,i}^t`  | [`Gather::tick`]        | `P(D = d, I = i \| all actions)` (3.73)         |
//! | `γ_{d,j}^t`  | [`Gather::tick`]        | `P(D = d, J = j \| all actions)` (3.75)         |
//! | `ξ_{d',d,i}^t` | [`Gather::pair`]      | `P(D' = d', D = d, I = i \| all actions)` (3.87) |
//!
//! Differs from the paper: the misprints of 3.45, 3.52 and 3.63; both passes scaled by `P(actions at t | those before)`, so
//! that the forward pass gives `ln P(A | S)`. With nothing known (K empty) a group's actions say nothing: their factor is 1
//! and nothing is attended to. A decision that gives no known stimulus any attention is impossible at that tick.

use repertoire_prob::num::{exp, ln};
use thiserror::Error;

use crate::layout::{Layout, Level};
use crate::params::Params;
use crate::sequence::{Sequence, UNKNOWN};

/// A tick that no decision explains.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("what was done at tick {tick} is impossible for every decision")]
pub struct Impossible {
    /// Which, the first being 0.
    pub tick: usize,
}

/// Receives what the backward pass finds out, the last tick first.
pub(crate) trait Gather {
    /// Posteriors of a tick.
    fn tick(&mut self, tick: &Tick<'_>);
    /// `ξ_{d',d,i} = before[d'] · m[row][d'][d] · after[d]` for the stimulus whose value is `row`.
    fn pair(&mut self, row: usize, before: &[f64], after: &[f64]);
}

/// Posteriors of a tick.
pub(crate) struct Tick<'a> {
    /// Which.
    pub t: usize,
    /// `P(D = d)`.
    pub decision: &'a [f64],
    /// `P(D = d, I = i)`, `[i][d]`.
    pub high: &'a [f64],
    /// `1 / Σ θ`.
    pub inverse_theta: f64,
    /// For each group `P(J = slot | D = d)`, `[slot][d]`, one group after the other.
    pub share: &'a [f64],
    /// For each group `1 / Σ λ`, `[d]`; 0 where nothing was known.
    pub inverse_weight: &'a [f64],
}

/// Workspace for passes through sequences; what it holds is of the last one.
#[derive(Clone, Debug, Default)]
pub struct Pass {
    decisions: usize,
    /// `[t][d]`.
    alpha: Vec<f64>,
    /// `[t]`: `P(actions at t | those before)`, scaled as the tick's factors were.
    scale: Vec<f64>,
    /// `[t][i][d]`: `w_i N_{i,d}`.
    own: Vec<f64>,
    /// `[t][i][d]`: `own` times what the decision before says.
    part: Vec<f64>,
    /// `[t][d]`.
    emit: Vec<f64>,
    /// `[t]`.
    inverse_theta: Vec<f64>,
    /// `[t][group][slot][d]`.
    share: Vec<f64>,
    /// `[t][group][d]`.
    inverse_weight: Vec<f64>,
    /// The first cell of each group in a tick's `share`, and how many there are.
    share_first: Vec<usize>,
    beta: Vec<f64>,
    rows: Vec<usize>,
    scratch: Vec<f64>,
}

/// Below this a tick is worked out again in logarithms.
const SMALL: f64 = 1e-200;

impl Pass {
    /// An empty workspace.
    pub fn new() -> Self {
        Pass::default()
    }

    /// `P(D_t = d | actions up to t)`, `[t][d]`, of the last forward pass.
    pub fn alpha(&self) -> &[f64] {
        &self.alpha
    }

    /// Runs forward; returns `ln P(A | S)`.
    pub fn forward(
        &mut self,
        layout: &Layout,
        params: &Params,
        sequence: &Sequence,
    ) -> Result<f64, Impossible> {
        self.prepare(layout, sequence.len());
        let d = self.decisions;
        let mut log_likelihood = repertoire_prob::num::Sum::default();
        for t in 0..sequence.len() {
            self.plain_factors(layout, params, sequence, t);
            let mut total = self.step(layout, params, sequence, t);
            let mut log_scale = 0.0;
            if total.is_nan() || total <= SMALL {
                log_scale = self.log_factors(layout, params, sequence, t);
                total = self.step(layout, params, sequence, t);
                if total.is_nan() || total <= 0.0 {
                    return Err(Impossible { tick: t });
                }
            }
            self.alpha[t * d..(t + 1) * d].iter_mut().for_each(|alpha| *alpha /= total);
            self.scale[t] = total;
            log_likelihood.add(ln(total) + log_scale);
        }
        Ok(log_likelihood.value())
    }

    fn prepare(&mut self, layout: &Layout, ticks: usize) {
        let d = layout.decisions();
        self.decisions = d;
        self.share_first.clear();
        self.share_first.push(0);
        let mut cells = 0;
        for &level in &layout.shape().groups {
            cells += layout.stimuli(level) * d;
            self.share_first.push(cells);
        }
        let stimuli = layout.shape().high.len();
        // Every cell that is read is written before, so that nothing needs to be cleared.
        self.alpha.resize(ticks * d, 0.0);
        self.scale.resize(ticks, 0.0);
        self.own.resize(ticks * stimuli * d, 0.0);
        self.part.resize(ticks * stimuli * d, 0.0);
        self.emit.resize(ticks * d, 0.0);
        self.inverse_theta.resize(ticks, 0.0);
        self.share.resize(ticks * cells, 0.0);
        self.inverse_weight.resize(ticks * layout.shape().groups.len() * d, 0.0);
        self.beta.resize(d, 0.0);
        self.scratch.resize(3 * d, 0.0);
    }

    /// What a tick's own observations say: `own`, `emit`, `share`.
    fn plain_factors(&mut self, layout: &Layout, params: &Params, sequence: &Sequence, t: usize) {
        let d = self.decisions;
        let shape = layout.shape();
        let stimuli = shape.high.len();
        self.rows.clear();
        self.rows
            .extend(sequence.high(t).iter().enumerate().map(|(i, &value)| layout.high_row(i, value.into())));
        let total: f64 = self.rows.iter().map(|&row| params.theta[row]).sum();
        let inverse = if total > 0.0 { 1.0 / total } else { 0.0 };
        self.inverse_theta[t] = inverse;
        let own = &mut self.own[t * stimuli * d..(t + 1) * stimuli * d];
        for (own, &row) in own.chunks_exact_mut(d).zip(&self.rows) {
            own.fill(params.theta[row] * inverse);
            for &u in layout.tied() {
                let cell = row * shape.reflexive[u].count + usize::from(sequence.reflexive(t)[u]);
                multiply(own, &params.reflexive[u][cell * d..(cell + 1) * d]);
            }
        }
        let emit = &mut self.emit[t * d..(t + 1) * d];
        emit.fill(1.0);
        let cells = self.share_first[shape.groups.len()];
        let groups = shape.groups.len();
        for group in 0..groups {
            let share = &mut self.share[t * cells..][self.share_first[group]..self.share_first[group + 1]];
            let inverse = &mut self.inverse_weight[(t * groups + group) * d..][..d];
            let (weight, explained) = self.scratch.split_at_mut(d);
            let explained = &mut explained[..d];
            weight.fill(0.0);
            explained.fill(0.0);
            let mut known = false;
            for (slot, share) in share.chunks_exact_mut(d).enumerate() {
                let Some(row) = slot_row(layout, sequence, shape.groups[group], t, slot) else {
                    share.fill(0.0);
                    continue;
                };
                known = true;
                let attention = &params.weights[group][row * d..(row + 1) * d];
                share.copy_from_slice(attention);
                for &action in layout.members(group) {
                    let (table, cell, factor) =
                        action_cell(layout, params, sequence, shape.groups[group], action, row, t, slot);
                    let column = &table[cell * d..(cell + 1) * d];
                    if factor == 1.0 {
                        multiply(share, column);
                    } else {
                        share.iter_mut().zip(column).for_each(|(share, p)| *share *= p * factor);
                    }
                }
                add(weight, attention);
                add(explained, share);
            }
            if known {
                settle(emit, share, inverse, weight, explained);
            } else {
                inverse.fill(0.0);
            }
        }
    }

    /// The same in logarithms, each factor divided by its greatest value; returns the logarithm of what was divided by.
    #[cold]
    fn log_factors(&mut self, layout: &Layout, params: &Params, sequence: &Sequence, t: usize) -> f64 {
        let d = self.decisions;
        let shape = layout.shape();
        let stimuli = shape.high.len();
        let own = &mut self.own[t * stimuli * d..(t + 1) * stimuli * d];
        for (own, &row) in own.chunks_exact_mut(d).zip(&self.rows) {
            own.fill(ln(params.theta[row]) + ln(self.inverse_theta[t]));
            for &u in layout.tied() {
                let cell = row * shape.reflexive[u].count + usize::from(sequence.reflexive(t)[u]);
                let column = &params.reflexive[u][cell * d..(cell + 1) * d];
                own.iter_mut().zip(column).for_each(|(own, &p)| *own += ln(p));
            }
        }
        let mut log_scale = exponentiate(own);
        let emit = &mut self.emit[t * d..(t + 1) * d];
        emit.fill(1.0);
        let cells = self.share_first[shape.groups.len()];
        let groups = shape.groups.len();
        for group in 0..groups {
            let share = &mut self.share[t * cells..][self.share_first[group]..self.share_first[group + 1]];
            let inverse = &mut self.inverse_weight[(t * groups + group) * d..][..d];
            let mut weight = vec![0.0; d];
            let mut explained = vec![0.0; d];
            let mut known = false;
            for (slot, share) in share.chunks_exact_mut(d).enumerate() {
                let Some(row) = slot_row(layout, sequence, shape.groups[group], t, slot) else {
                    share.fill(f64::NEG_INFINITY);
                    continue;
                };
                known = true;
                let attention = &params.weights[group][row * d..(row + 1) * d];
                add(&mut weight, attention);
                share.iter_mut().zip(attention).for_each(|(share, &weight)| *share = ln(weight));
                for &action in layout.members(group) {
                    let (table, cell, factor) =
                        action_cell(layout, params, sequence, shape.groups[group], action, row, t, slot);
                    let column = &table[cell * d..(cell + 1) * d];
                    share.iter_mut().zip(column).for_each(|(share, &p)| *share += ln(p) + ln(factor));
                }
            }
            if known {
                log_scale += exponentiate(share);
                share.chunks_exact(d).for_each(|share| add(&mut explained, share));
                settle(emit, share, inverse, &weight, &mut explained);
            } else {
                share.fill(0.0);
                inverse.fill(0.0);
            }
        }
        // Factors of several groups may still vanish together.
        let most = emit.iter().copied().fold(0.0, f64::max);
        if most > 0.0 {
            emit.iter_mut().for_each(|emit| *emit /= most);
            log_scale += ln(most);
        }
        log_scale
    }

    /// `part` and the unnormalised `alpha` of a tick; returns the sum of `alpha`.
    fn step(&mut self, layout: &Layout, params: &Params, sequence: &Sequence, t: usize) -> f64 {
        let d = self.decisions;
        let stimuli = layout.shape().high.len();
        let (before, now) = self.alpha.split_at_mut(t * d);
        let now = &mut now[..d];
        let own = &self.own[t * stimuli * d..(t + 1) * stimuli * d];
        let part = &mut self.part[t * stimuli * d..(t + 1) * stimuli * d];
        now.fill(0.0);
        for (i, (part, own)) in part.chunks_exact_mut(d).zip(own.chunks_exact(d)).enumerate() {
            let row = layout.high_row(i, sequence.high(t)[i].into());
            if t == 0 {
                part.copy_from_slice(&params.first[row * d..(row + 1) * d]);
            } else {
                part.fill(0.0);
                let next = &params.next[row * d * d..(row + 1) * d * d];
                for (&alpha, next) in before[(t - 1) * d..].iter().zip(next.chunks_exact(d)) {
                    part.iter_mut().zip(next).for_each(|(part, p)| *part += alpha * p);
                }
            }
            multiply(part, own);
            add(now, part);
        }
        multiply(now, &self.emit[t * d..(t + 1) * d]);
        now.iter().sum()
    }

    /// Runs backward over the sequence of the last forward pass, telling everything to `gather`.
    pub(crate) fn backward(
        &mut self,
        layout: &Layout,
        params: &Params,
        sequence: &Sequence,
        gather: &mut impl Gather,
    ) {
        let d = self.decisions;
        let stimuli = layout.shape().high.len();
        let groups = layout.shape().groups.len();
        let cells = self.share_first[groups];
        self.beta.fill(1.0);
        for t in (0..sequence.len()).rev() {
            let (rest, scratch) = self.scratch.split_at_mut(d);
            let (decision, after) = scratch.split_at_mut(d);
            let inverse = 1.0 / self.scale[t];
            let emit = &self.emit[t * d..(t + 1) * d];
            for (((rest, decision), (emit, beta)), alpha) in rest
                .iter_mut()
                .zip(decision.iter_mut())
                .zip(emit.iter().zip(&self.beta))
                .zip(&self.alpha[t * d..(t + 1) * d])
            {
                *rest = emit * beta * inverse;
                *decision = alpha * beta;
            }
            let part = &mut self.part[t * stimuli * d..(t + 1) * stimuli * d];
            part.chunks_exact_mut(d).for_each(|part| multiply(part, rest));
            gather.tick(&Tick {
                t,
                decision,
                high: part,
                inverse_theta: self.inverse_theta[t],
                share: &self.share[t * cells..(t + 1) * cells],
                inverse_weight: &self.inverse_weight[t * groups * d..(t + 1) * groups * d],
            });
            if t == 0 {
                break;
            }
            self.beta.fill(0.0);
            let before = &self.alpha[(t - 1) * d..t * d];
            for (i, own) in self.own[t * stimuli * d..(t + 1) * stimuli * d].chunks_exact(d).enumerate() {
                after
                    .iter_mut()
                    .zip(own.iter().zip(&*rest))
                    .for_each(|(after, (own, rest))| *after = own * rest);
                let row = layout.high_row(i, sequence.high(t)[i].into());
                gather.pair(row, before, after);
                let next = &params.next[row * d * d..(row + 1) * d * d];
                for (beta, next) in self.beta.iter_mut().zip(next.chunks_exact(d)) {
                    *beta += dot(next, after);
                }
            }
            // Where alpha vanished beta may run away; their product is what counts, and it is at most 1.
            self.beta.iter_mut().for_each(|beta| *beta = beta.min(1e290));
        }
    }
}

/// The row of what a group may attend to in a slot, if it is known.
#[inline]
pub(crate) fn slot_row(
    layout: &Layout,
    sequence: &Sequence,
    level: Level,
    t: usize,
    slot: usize,
) -> Option<usize> {
    match level {
        Level::High => Some(layout.high_row(slot, sequence.high(t)[slot].into())),
        Level::Low => {
            let value = sequence.slots(t)[slot];
            (value != UNKNOWN).then(|| layout.low_row(layout.slots()[slot], value.into()))
        }
    }
}

/// The table of an action, the cell of what was done, and what its probability is multiplied by.
#[inline]
#[allow(clippy::too_many_arguments, reason = "one place of the two passes, told apart")]
fn action_cell<'p>(
    layout: &Layout,
    params: &'p Params,
    sequence: &Sequence,
    level: Level,
    action: usize,
    row: usize,
    t: usize,
    slot: usize,
) -> (&'p [f64], usize, f64) {
    match level {
        Level::High => {
            let value = usize::from(sequence.reflexive(t)[action]);
            (&params.reflexive[action], row * layout.shape().reflexive[action].count + value, 1.0)
        }
        Level::Low => {
            let value = usize::from(sequence.external(t, action, slot));
            let factor = layout.inverse_measure(action).map_or(1.0, |inverse| inverse[value]);
            (&params.external[action], row * layout.shape().external[action].count + value, factor)
        }
    }
}

/// Divides what each slot explains by what all do, and the sum by all attention.
#[inline]
fn settle(emit: &mut [f64], share: &mut [f64], inverse: &mut [f64], weight: &[f64], explained: &mut [f64]) {
    for ((emit, inverse), (weight, explained)) in
        emit.iter_mut().zip(inverse.iter_mut()).zip(weight.iter().zip(explained.iter_mut()))
    {
        *inverse = if *weight > 0.0 { 1.0 / *weight } else { 0.0 };
        *emit *= *explained * *inverse;
        // One over a vanishing number is none: such a tick is worked out again in logarithms.
        let divide = 1.0 / *explained;
        *explained = if divide.is_finite() { divide } else { 0.0 };
    }
    share.chunks_exact_mut(weight.len()).for_each(|share| multiply(share, explained));
}

/// Exponentials after subtracting the greatest; returns the greatest, 0 if all are minus infinity.
fn exponentiate(logs: &mut [f64]) -> f64 {
    let most = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if most == f64::NEG_INFINITY {
        logs.fill(0.0);
        return 0.0;
    }
    logs.iter_mut().for_each(|log| *log = exp(*log - most));
    most
}

/// The sum of products, in four sums side by side: one sum would wait for each addition before the next.
#[inline(always)]
fn dot(a: &[f64], b: &[f64]) -> f64 {
    let (a4, a_rest) = a.as_chunks::<4>();
    let (b4, b_rest) = b.as_chunks::<4>();
    let mut sums = [0.0; 4];
    for (a, b) in a4.iter().zip(b4) {
        for lane in 0..4 {
            sums[lane] += a[lane] * b[lane];
        }
    }
    let rest: f64 = a_rest.iter().zip(b_rest).map(|(a, b)| a * b).sum();
    (sums[0] + sums[2]) + (sums[1] + sums[3]) + rest
}

#[inline(always)]
fn multiply(into: &mut [f64], by: &[f64]) {
    into.iter_mut().zip(by).for_each(|(into, by)| *into *= by);
}

#[inline(always)]
fn add(into: &mut [f64], what: &[f64]) {
    into.iter_mut().zip(what).for_each(|(into, what)| *into += what);
}
