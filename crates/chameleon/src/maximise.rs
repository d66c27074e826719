//! The M-step: tables from expected counts, attention by one minorise-maximise step.
//!
//! ```text
//! n_ui(r | d, h) = Σ_{t: h_i=h, r_u=r} γ_{d,i}^t / Σ_{t: h_i=h} γ_{d,i}^t          (3.96, the same for o: 3.99)
//! m_i(d | d', h) = Σ_{t>=2: h_i=h} ξ_{d',d,i}^t / Σ_d Σ_{t>=2: h_i=h} ξ_{d',d,i}^t   (3.102; m¹: 3.105)
//! θ_i(h)   <- (a-1 + Σ_{t: h_i=h} γ_i^t)            / (b + Σ_{t: h_i=h} 1/Z_t)
//! λ_j(d,l) <- (a-1 + Σ_{t: j∈K, l_j=l} γ_{d,j}^t)   / (b + Σ_{t: j∈K, l_j=l} γ_d^t / Z_{d,t})
//! ```
//! The terms of attention in the expected log-likelihood have the shape of a Plackett-Luce likelihood, `ln θ_i - ln Σ θ`;
//! Hunter's bound of the second logarithm by its tangent gives the last two lines in closed form, from the same E-step, with
//! no step size, and the likelihood (with a prior: times the prior) never falls.
//!
//! Differs from the paper: it sets attention by hand, after gradient descent failed; a Gamma(a, b) prior keeps attention finite.
//! Actions factorise (3.96 for each `u` alone). Virtual counts on every cell of a distribution, if asked, in
//! proportion to what a value stands for. A
//! distribution without any count keeps its numbers.

use pulp::Simd;
use rayon::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::counts::{ExpectedCounts, Met};
use crate::layout::{ActionShape, Layout, Level};
use crate::model::ATTENTION;
use crate::params::Params;
use crate::pass::{for_decisions, lanes};
use crate::wide::{Kernel, has_helpers, in_blocks, read, widest};

/// What becomes of attention.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Attention {
    /// It stays as it was at the start.
    Fixed,
    /// It is learned, with a Gamma prior on every weight.
    Learned {
        /// `a`: 1 with a rate of 0 is maximum likelihood.
        shape: f64,
        /// `b`.
        rate: f64,
    },
}

impl Attention {
    /// Learned by maximum likelihood, without a prior.
    pub const LIKELIEST: Attention = Attention::Learned { shape: 1.0, rate: 0.0 };
    /// Learned with the prior that keeps it in bounds: Gamma(2, 1), whose greatest density is at 1.
    pub const LEARNED: Attention = Attention::Learned { shape: 2.0, rate: 1.0 };
}

/// Sets `params` to what the counts of the last E-step say. `virtual_counts` are added to each cell of a distribution.
pub fn maximise(
    layout: &Layout,
    params: &mut Params,
    counts: &ExpectedCounts,
    virtual_counts: f64,
    attention: Attention,
) {
    let met = Met::all(layout);
    tables(layout, params, counts, virtual_counts, &met);
    self::attention(params, counts, attention);
}

/// The tables' part, for rows that were met.
pub(crate) fn tables(
    layout: &Layout,
    params: &mut Params,
    counts: &ExpectedCounts,
    virtual_counts: f64,
    met: &Met,
) {
    let (used, shape) = (&counts.used, layout.shape());
    let Params { first, next, reflexive, external, .. } = params;
    let reflexive = reflexive.iter_mut().zip(&used.reflexive).zip(&shape.reflexive);
    let external = external.iter_mut().zip(&used.external).zip(&shape.external);
    let all = reflexive.map(|both| (Level::High, both)).chain(external.map(|both| (Level::Low, both)));
    let actions = all.map(|(level, ((table, used), action))| Divide::Action { level, table, used, action });
    let jobs: Vec<Divide<'_>> = std::iter::once(Divide::Decisions { first, next }).chain(actions).collect();
    let work = |job| widest(Tables { job, decisions: layout.decisions(), counts, virtual_counts, met });
    if has_helpers() { jobs.into_par_iter().for_each(work) } else { jobs.into_iter().for_each(work) }
}

/// Tables that are divided together.
enum Divide<'a> {
    Decisions { first: &'a mut [f64], next: &'a mut [f64] },
    Action { level: Level, table: &'a mut [f64], used: &'a [f64], action: &'a ActionShape },
}

struct Tables<'a> {
    job: Divide<'a>,
    decisions: usize,
    counts: &'a ExpectedCounts,
    virtual_counts: f64,
    met: &'a Met,
}

impl Kernel for Tables<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, _: S) {
        for_decisions!(self.decisions, self.divide());
    }
}

impl Tables<'_> {
    #[inline(always)]
    fn divide<const D: usize>(self) {
        let Tables { job, decisions, counts, virtual_counts, met } = self;
        let d = lanes::<D>(decisions);
        match job {
            Divide::Decisions { first, next } => {
                for &row in met.high.iter().filter(|&&row| counts.high_met[row] > 0.0) {
                    divide_row(first, &counts.used.first, row, d, virtual_counts);
                    for before in row * d..(row + 1) * d {
                        divide_row(next, &counts.used.next, before, d, virtual_counts);
                    }
                }
            }
            Divide::Action { level, table, used, action } => {
                let width = action.count * d;
                // In proportion to what values stand for: narrow bins get few.
                let scale = virtual_counts * action.count as f64 / action.measure.iter().sum::<f64>();
                let virtual_counts: Vec<f64> = action.measure.iter().map(|measure| scale * measure).collect();
                let times = if level == Level::High { &counts.high_met } else { &counts.low_met };
                let all_virtual = virtual_counts.iter().sum();
                for &row in met.rows(level).iter().filter(|&&row| times[row] > 0.0) {
                    let range = row * width..(row + 1) * width;
                    let (table, used) = (&mut table[range.clone()], &used[range]);
                    in_blocks!(d, divide_block(&mut *table, used, d, &virtual_counts, all_virtual));
                }
            }
        }
    }
}

/// One distribution that lies side by side.
#[inline(always)]
fn divide_row(table: &mut [f64], used: &[f64], row: usize, d: usize, virtual_counts: f64) {
    let range = row * d..(row + 1) * d;
    let used = &used[range.clone()];
    let total = used.iter().sum::<f64>() + virtual_counts * d as f64;
    if total > 0.0 {
        let inverse = 1.0 / total;
        if inverse.is_finite() {
            table[range].iter_mut().zip(used).for_each(|(p, used)| *p = (used + virtual_counts) * inverse);
        }
    }
}

/// `W` of `d` distributions, interleaved, from `column` on; with virtual counts for each value.
#[inline(always)]
fn divide_block<const W: usize>(
    column: usize,
    table: &mut [f64],
    used: &[f64],
    d: usize,
    virtual_counts: &[f64],
    all_virtual: f64,
) {
    let mut totals = [all_virtual; W];
    for used in used.chunks_exact(d) {
        let used: [f64; W] = read(used, column);
        totals = std::array::from_fn(|k| totals[k] + used[k]);
    }
    let inverses = totals.map(|total| 1.0 / total);
    let rows = table.chunks_exact_mut(d).zip(used.chunks_exact(d)).zip(virtual_counts);
    // One over a vanishing number is none: such a distribution keeps its numbers.
    let are_finite = inverses.iter().fold(true, |all, inverse| all & inverse.is_finite());
    for ((table, used), extra) in rows {
        let (old, used): ([f64; W], [f64; W]) = (read(table, column), read(used, column));
        let mut new: [f64; W] = std::array::from_fn(|k| (used[k] + extra) * inverses[k]);
        if !are_finite {
            new = std::array::from_fn(|k| if inverses[k].is_finite() { new[k] } else { old[k] });
        }
        table[column..column + W].copy_from_slice(&new);
    }
}

/// Attention's part.
pub(crate) fn attention(params: &mut Params, counts: &ExpectedCounts, attention: Attention) {
    let Attention::Learned { shape, rate } = attention else { return };
    let update = |weight: &mut f64, used: f64, over: f64| {
        let (used, over) = (shape - 1.0 + used, rate + over);
        if over > 0.0 {
            let found = (used / over).min(*ATTENTION.end());
            // Too small to be told from nothing.
            *weight = if found < *ATTENTION.start() { 0.0 } else { found };
        }
    };
    let theta = params.theta.iter_mut().zip(counts.used.theta.iter().zip(&counts.theta_over));
    theta.for_each(|(weight, (&used, &over))| update(weight, used, over));
    for ((weights, used), over) in
        params.weights.iter_mut().zip(&counts.used.weights).zip(&counts.weights_over)
    {
        let cells = weights.iter_mut().zip(used.iter().zip(over));
        cells.for_each(|(weight, (&used, &over))| update(weight, used, over));
    }
}

/// The logarithm of the prior of attention, up to a constant: what is added to the likelihood for it never to fall.
pub fn log_prior(params: &Params, attention: Attention) -> f64 {
    let Attention::Learned { shape, rate } = attention else { return 0.0 };
    let of = |weight: f64| {
        let log = if shape == 1.0 { 0.0 } else { (shape - 1.0) * repertoire_prob::num::ln(weight) };
        log - rate * weight
    };
    let weights = params.theta.iter().chain(params.weights.iter().flatten());
    weights.map(|&weight| of(weight)).sum()
}
