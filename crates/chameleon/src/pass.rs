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
//! | `γ_{d,i}^t`  | `Gather::tick`          | `P(D = d, I = i \| all actions)` (3.73)         |
//! | `γ_{d,j}^t`  | `Gather::tick`          | `P(D = d, J = j \| all actions)` (3.75)         |
//! | `ξ_{d',d,i}^t` | `Gather::pair`        | `P(D' = d', D = d, I = i \| all actions)` (3.87) |
//!
//! Differs from the paper: the misprints of 3.45, 3.52 and 3.63; both passes scaled by `P(actions at t | those before)`, so
//! that the forward pass gives `ln P(A | S)`. With nothing known (K empty) a group's actions say nothing: their factor is 1
//! and nothing is attended to. A decision that gives no known stimulus any attention is impossible at that tick.

use repertoire_prob::num::{exp, ln};
use thiserror::Error;

use crate::index::Index;
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
    fn tick<const D: usize>(&mut self, index: &Index, tick: &Tick<'_>);
    /// `ξ_{d',d,i} = before[d'] · m[row][d'][d] · after[d]` for the stimulus whose value is `row`.
    fn pair<const D: usize>(&mut self, row: usize, before: &[f64], after: &[f64]);
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
    /// For every entry of the sequence `P(D = d, J = its slot)`, `[entry][d]`; right for those of this tick.
    pub low: &'a [f64],
    /// For each group `P(D = d) / Σ λ`, `[d]`; 0 where nothing was known.
    pub low_over: &'a [f64],
}

/// Workspace for passes through sequences; what it holds is of the last one.
#[derive(Clone, Debug, Default)]
pub struct Pass {
    decisions: usize,
    index: Index,
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
    /// `[entry][d]`.
    share: Vec<f64>,
    /// `[t][group][d]`.
    inverse_weight: Vec<f64>,
    beta: Vec<f64>,
    scratch: Vec<f64>,
}

/// Below this a tick is worked out again in logarithms.
const SMALL: f64 = 1e-200;

/// The number of decisions as the compiler knows it: 0 stands for any. Loops of a known length need no counting.
#[inline(always)]
pub(crate) fn lanes<const D: usize>(decisions: usize) -> usize {
    if D == 0 { decisions } else { D }
}

/// Calls a function for the number of decisions, known to the compiler for the usual ones.
macro_rules! for_decisions {
    ($decisions:expr, $self:ident . $function:ident ( $($argument:expr),* )) => {
        match $decisions {
            4 => $self.$function::<4>($($argument),*),
            8 => $self.$function::<8>($($argument),*),
            10 => $self.$function::<10>($($argument),*),
            12 => $self.$function::<12>($($argument),*),
            _ => $self.$function::<0>($($argument),*),
        }
    };
}

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
        let mut index = std::mem::take(&mut self.index);
        index.fill(layout, sequence);
        let found = self.forward_by(layout, params, &index);
        self.index = index;
        found
    }

    /// The same for a sequence whose cells were found before.
    pub(crate) fn forward_by(
        &mut self,
        layout: &Layout,
        params: &Params,
        index: &Index,
    ) -> Result<f64, Impossible> {
        self.prepare(layout, index);
        for_decisions!(self.decisions, self.forward_of(layout, params, index))
    }

    fn forward_of<const D: usize>(
        &mut self,
        layout: &Layout,
        params: &Params,
        index: &Index,
    ) -> Result<f64, Impossible> {
        let d = lanes::<D>(self.decisions);
        let mut log_likelihood = repertoire_prob::num::Sum::default();
        // The logarithm of a product is that of its factors: as many ticks together as cannot underflow.
        let mut product = 1.0;
        for t in 0..index.ticks {
            self.plain_factors::<D>(layout, params, index, t);
            let mut total = self.step::<D>(params, index, t);
            let mut log_scale = 0.0;
            if total.is_nan() || total <= SMALL {
                log_scale = self.log_factors(layout, params, index, t);
                total = self.step::<D>(params, index, t);
                if total.is_nan() || total <= 0.0 {
                    return Err(Impossible { tick: t });
                }
            }
            let inverse = 1.0 / total;
            if inverse.is_finite() {
                self.alpha[t * d..(t + 1) * d].iter_mut().for_each(|alpha| *alpha *= inverse);
            } else {
                self.alpha[t * d..(t + 1) * d].iter_mut().for_each(|alpha| *alpha /= total);
            }
            self.scale[t] = total;
            if log_scale == 0.0 && (1e-150..1e150).contains(&(product * total)) {
                product *= total;
            } else {
                log_likelihood.add(ln(product));
                log_likelihood.add(ln(total) + log_scale);
                product = 1.0;
            }
        }
        log_likelihood.add(ln(product));
        Ok(log_likelihood.value())
    }

    fn prepare(&mut self, layout: &Layout, index: &Index) {
        let d = layout.decisions();
        let (ticks, stimuli) = (index.ticks, layout.shape().high.len());
        self.decisions = d;
        // Every cell that is read is written before, so that nothing needs to be cleared.
        self.alpha.resize(ticks * d, 0.0);
        self.scale.resize(ticks, 0.0);
        self.own.resize(ticks * stimuli * d, 0.0);
        self.part.resize(ticks * stimuli * d, 0.0);
        self.emit.resize(ticks * d, 0.0);
        self.inverse_theta.resize(ticks, 0.0);
        self.share.resize(index.entry_row.len() * d, 0.0);
        self.inverse_weight.resize(ticks * layout.shape().groups.len() * d, 0.0);
        self.beta.resize(d, 0.0);
        self.scratch.resize(3 * d, 0.0);
    }

    /// What a tick's own observations say: `own`, `emit`, `share`.
    #[inline]
    fn plain_factors<const D: usize>(&mut self, layout: &Layout, params: &Params, index: &Index, t: usize) {
        let d = lanes::<D>(self.decisions);
        let shape = layout.shape();
        let stimuli = shape.high.len();
        let rows = &index.rows[t * stimuli..(t + 1) * stimuli];
        let total: f64 = rows.iter().map(|&row| params.theta[row as usize]).sum();
        let inverse = if total > 0.0 { 1.0 / total } else { 0.0 };
        self.inverse_theta[t] = inverse;
        let tied = layout.tied();
        let own = &mut self.own[t * stimuli * d..(t + 1) * stimuli * d];
        for (i, (own, &row)) in own.chunks_exact_mut(d).zip(rows).enumerate() {
            own.fill(params.theta[row as usize] * inverse);
            let cells = &index.tied[(t * stimuli + i) * tied.len()..][..tied.len()];
            for (&u, &cell) in tied.iter().zip(cells) {
                multiply(own, &params.reflexive[u][cell as usize * d..][..d]);
            }
        }
        let emit = &mut self.emit[t * d..(t + 1) * d];
        emit.fill(1.0);
        let groups = shape.groups.len();
        for group in 0..groups {
            let entries = index.entries(t, group, groups);
            let inverse = &mut self.inverse_weight[(t * groups + group) * d..][..d];
            if entries.is_empty() {
                inverse.fill(0.0);
                continue;
            }
            let (weight, explained) = self.scratch.split_at_mut(d);
            let explained = &mut explained[..d];
            weight.fill(0.0);
            explained.fill(0.0);
            let (members, tables) = (layout.members(group), tables_of(params, shape.groups[group]));
            for entry in entries.clone() {
                let share = &mut self.share[entry * d..(entry + 1) * d];
                let attention = &params.weights[group][index.entry_row[entry] as usize * d..][..d];
                add(weight, attention);
                share.copy_from_slice(attention);
                let cells = &index.cells[index.entry_cells[entry] as usize..][..members.len()];
                for (&action, &cell) in members.iter().zip(cells) {
                    multiply(share, &tables[action][cell as usize * d..][..d]);
                }
                let factor = index.entry_factor[entry];
                if factor != 1.0 {
                    share.iter_mut().for_each(|share| *share *= factor);
                }
                add(explained, share);
            }
            let share = &mut self.share[entries.start * d..entries.end * d];
            settle(emit, share, inverse, weight, explained);
        }
    }

    /// The same in logarithms, each factor divided by its greatest value; returns the logarithm of what was divided by.
    #[cold]
    fn log_factors(&mut self, layout: &Layout, params: &Params, index: &Index, t: usize) -> f64 {
        let d = self.decisions;
        let shape = layout.shape();
        let stimuli = shape.high.len();
        let rows = &index.rows[t * stimuli..(t + 1) * stimuli];
        let tied = layout.tied();
        let own = &mut self.own[t * stimuli * d..(t + 1) * stimuli * d];
        for (i, (own, &row)) in own.chunks_exact_mut(d).zip(rows).enumerate() {
            own.fill(ln(params.theta[row as usize]) + ln(self.inverse_theta[t]));
            let cells = &index.tied[(t * stimuli + i) * tied.len()..][..tied.len()];
            for (&u, &cell) in tied.iter().zip(cells) {
                let column = &params.reflexive[u][cell as usize * d..][..d];
                own.iter_mut().zip(column).for_each(|(own, &p)| *own += ln(p));
            }
        }
        let mut log_scale = exponentiate(own);
        let emit = &mut self.emit[t * d..(t + 1) * d];
        emit.fill(1.0);
        let groups = shape.groups.len();
        for group in 0..groups {
            let entries = index.entries(t, group, groups);
            let inverse = &mut self.inverse_weight[(t * groups + group) * d..][..d];
            if entries.is_empty() {
                inverse.fill(0.0);
                continue;
            }
            let (mut weight, mut explained) = (vec![0.0; d], vec![0.0; d]);
            let (members, tables) = (layout.members(group), tables_of(params, shape.groups[group]));
            for entry in entries.clone() {
                let share = &mut self.share[entry * d..(entry + 1) * d];
                let attention = &params.weights[group][index.entry_row[entry] as usize * d..][..d];
                add(&mut weight, attention);
                let factor = ln(index.entry_factor[entry]);
                share.iter_mut().zip(attention).for_each(|(share, &weight)| *share = ln(weight) + factor);
                let cells = &index.cells[index.entry_cells[entry] as usize..][..members.len()];
                for (&action, &cell) in members.iter().zip(cells) {
                    let column = &tables[action][cell as usize * d..][..d];
                    share.iter_mut().zip(column).for_each(|(share, &p)| *share += ln(p));
                }
            }
            let share = &mut self.share[entries.start * d..entries.end * d];
            log_scale += exponentiate(share);
            share.chunks_exact(d).for_each(|share| add(&mut explained, share));
            settle(emit, share, inverse, &weight, &mut explained);
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
    #[inline]
    fn step<const D: usize>(&mut self, params: &Params, index: &Index, t: usize) -> f64 {
        let d = lanes::<D>(self.decisions);
        let stimuli = index.rows.len() / index.ticks;
        let (before, now) = self.alpha.split_at_mut(t * d);
        let now = &mut now[..d];
        let own = &self.own[t * stimuli * d..(t + 1) * stimuli * d];
        let part = &mut self.part[t * stimuli * d..(t + 1) * stimuli * d];
        let rows = &index.rows[t * stimuli..(t + 1) * stimuli];
        now.fill(0.0);
        for ((part, own), &row) in part.chunks_exact_mut(d).zip(own.chunks_exact(d)).zip(rows) {
            let row = row as usize;
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
    pub(crate) fn backward(&mut self, layout: &Layout, params: &Params, gather: &mut impl Gather) {
        let index = std::mem::take(&mut self.index);
        self.backward_by(layout, params, &index, gather);
        self.index = index;
    }

    /// The same for a sequence whose cells were found before.
    pub(crate) fn backward_by(
        &mut self,
        layout: &Layout,
        params: &Params,
        index: &Index,
        gather: &mut impl Gather,
    ) {
        for_decisions!(self.decisions, self.backward_of(layout, params, index, gather));
    }

    fn backward_of<const D: usize>(
        &mut self,
        layout: &Layout,
        params: &Params,
        index: &Index,
        gather: &mut impl Gather,
    ) {
        let d = lanes::<D>(self.decisions);
        let stimuli = layout.shape().high.len();
        let groups = layout.shape().groups.len();
        self.beta.fill(1.0);
        for t in (0..index.ticks).rev() {
            let (rest, scratch) = self.scratch.split_at_mut(d);
            let (decision, after) = scratch.split_at_mut(d);
            let after = &mut after[..d];
            let inverse = 1.0 / self.scale[t];
            let emit = &self.emit[t * d..(t + 1) * d];
            let alpha = &self.alpha[t * d..(t + 1) * d];
            let beta = &mut self.beta[..d];
            for k in 0..d {
                rest[k] = emit[k] * beta[k] * inverse;
                decision[k] = alpha[k] * beta[k];
            }
            let part = &mut self.part[t * stimuli * d..(t + 1) * stimuli * d];
            part.chunks_exact_mut(d).for_each(|part| multiply(part, rest));
            // All groups of the tick; none, if there are no groups.
            let entries = index.first[t * groups] as usize..index.first[(t + 1) * groups] as usize;
            let low = &mut self.share[entries.start * d..entries.end * d];
            low.chunks_exact_mut(d).for_each(|low| multiply(low, decision));
            let over = &mut self.inverse_weight[t * groups * d..(t + 1) * groups * d];
            over.chunks_exact_mut(d).for_each(|over| multiply(over, decision));
            gather.tick::<D>(
                index,
                &Tick {
                    t,
                    decision,
                    high: part,
                    inverse_theta: self.inverse_theta[t],
                    low: &self.share,
                    low_over: over,
                },
            );
            if t == 0 {
                break;
            }
            beta.fill(0.0);
            let before = &self.alpha[(t - 1) * d..t * d];
            let own = &self.own[t * stimuli * d..(t + 1) * stimuli * d];
            let rows = &index.rows[t * stimuli..(t + 1) * stimuli];
            for (own, &row) in own.chunks_exact(d).zip(rows) {
                let row = row as usize;
                for k in 0..d {
                    after[k] = own[k] * rest[k];
                }
                gather.pair::<D>(row, before, after);
                let next = &params.next[row * d * d..(row + 1) * d * d];
                for (beta, next) in beta.iter_mut().zip(next.chunks_exact(d)) {
                    *beta += dot(next, after);
                }
            }
            // Where alpha vanished beta may run away; their product is what counts, and it is at most 1.
            beta.iter_mut().for_each(|beta| *beta = beta.min(1e290));
        }
    }
}

/// The tables of a level's actions.
#[inline(always)]
fn tables_of(params: &Params, level: Level) -> &[Vec<f64>] {
    match level {
        Level::High => &params.reflexive,
        Level::Low => &params.external,
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

/// Divides what each slot explains by what all do, and the sum by all attention.
#[inline(always)]
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
