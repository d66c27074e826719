//! Generalisation while learning: what neighbouring values say counts a little.
//!
//! Where a value was met seldom, its distribution is drawn towards that of its neighbours, whose say fades as the exponential of
//! their distance (Shepard's law, on which section 3.1.1.3 of the thesis rests), and that towards the distribution over all
//! values of the stimulus:
//!
//! ```text
//! pool(e | d)    = (Σ_l n(e,l,d) + share(e)) / (Σ_l n(l,d) + 1)
//! near(e | l, d) = (Σ_l' k(l,l') n(e,l',d) + pool(e | d)) / (Σ_l' k(l,l') n(l',d) + 1)      k(l,l') = exp(-|l - l'| / reach)
//! o(e | l, d)    = (n(e,l,d) + c · near(e | l, d)) / (n(l,d) + c)
//! ```
//! The same for `n` and `m`, and for attention, whose prior then has its mode at what neighbours draw. A value never met
//! has the distribution of its neighbours.
//!
//! Differs from the paper, which lets a value never met stand for the nearest that was, after learning: see
//! [`stand_in`](crate::stand_in). Distances add over axes, so the kernel is applied axis by axis: linear in the number of values.

use repertoire_prob::num::exp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::counts::ExpectedCounts;
use crate::layout::{Arrangement, AxisShape, Layout, Level};
use crate::maximise::Attention;
use crate::model::ATTENTION;
use crate::params::Params;

/// How strongly values learn from their neighbours.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Pooling {
    /// `c`: how many ticks of evidence each value borrows from its neighbours.
    pub weight: f64,
    /// The distance at which a neighbour's say has fallen to 1/e.
    pub reach: f64,
}

impl Default for Pooling {
    fn default() -> Self {
        Pooling { weight: 5.0, reach: 1.0 }
    }
}

/// How the distributions of a row lie: `outer` blocks of `values` times `inner`.
#[derive(Clone, Copy)]
struct Rows {
    outer: usize,
    values: usize,
    inner: usize,
}

impl Rows {
    fn width(self) -> usize {
        self.outer * self.values * self.inner
    }
}

/// Tables from counts, each row drawn towards its neighbours.
pub(crate) fn tables(layout: &Layout, params: &mut Params, counts: &ExpectedCounts, pooling: Pooling) {
    let d = layout.decisions();
    let used = &counts.used;
    let even = |values: usize| vec![1.0 / values as f64; values];
    let decisions = even(d);
    let first = Rows { outer: 1, values: d, inner: 1 };
    table(layout, Level::High, first, &mut params.first, &used.first, &decisions, pooling);
    let next = Rows { outer: d, ..first };
    table(layout, Level::High, next, &mut params.next, &used.next, &decisions, pooling);
    let reflexive = params.reflexive.iter_mut().zip(&used.reflexive).zip(&layout.shape().reflexive);
    let external = params.external.iter_mut().zip(&used.external).zip(&layout.shape().external);
    let all = reflexive.map(|both| (Level::High, both)).chain(external.map(|both| (Level::Low, both)));
    for (level, ((into, used), action)) in all {
        let rows = Rows { outer: 1, values: action.count, inner: d };
        let total: f64 = action.measure.iter().sum();
        let shares: Vec<f64> = action.measure.iter().map(|measure| measure / total).collect();
        table(layout, level, rows, into, used, &shares, pooling);
    }
}

fn table(
    layout: &Layout,
    level: Level,
    rows: Rows,
    into: &mut [f64],
    used: &[f64],
    shares: &[f64],
    pooling: Pooling,
) {
    let width = rows.width();
    let firsts = layout.first_rows(level);
    let mut totals = vec![0.0; rows.inner];
    for stimulus in 0..firsts.len() - 1 {
        let range = firsts[stimulus] * width..firsts[stimulus + 1] * width;
        let (into, used) = (&mut into[range.clone()], &used[range]);
        let mut pool = vec![0.0; width];
        used.chunks_exact(width).for_each(|row| add(&mut pool, row));
        let even: Vec<f64> = (0..width).map(|at| shares[at / rows.inner % rows.values]).collect();
        blend(&mut pool, rows, 1.0, &even, &mut totals);
        let mut near = used.to_vec();
        spread(&mut near, width, &layout.axes(level, stimulus), pooling.reach);
        for ((into, used), near) in
            into.chunks_exact_mut(width).zip(used.chunks_exact(width)).zip(near.chunks_exact_mut(width))
        {
            blend(near, rows, 1.0, &pool, &mut totals);
            into.copy_from_slice(used);
            blend(into, rows, pooling.weight, near, &mut totals);
        }
    }
}

fn add(into: &mut [f64], what: &[f64]) {
    into.iter_mut().zip(what).for_each(|(into, what)| *into += what);
}

/// ExpectedCounts into distributions, with `weight` counts of a prior that lies as they do.
fn blend(counts: &mut [f64], rows: Rows, weight: f64, prior: &[f64], totals: &mut [f64]) {
    let block = rows.values * rows.inner;
    for (counts, prior) in counts.chunks_exact_mut(block).zip(prior.chunks_exact(block)) {
        if rows.inner == 1 {
            let inverse = 1.0 / (counts.iter().sum::<f64>() + weight);
            counts.iter_mut().zip(prior).for_each(|(p, prior)| *p = (*p + weight * prior) * inverse);
            continue;
        }
        totals.fill(weight);
        counts.chunks_exact(rows.inner).for_each(|row| add(totals, row));
        totals.iter_mut().for_each(|total| *total = 1.0 / *total);
        for (counts, prior) in counts.chunks_exact_mut(rows.inner).zip(prior.chunks_exact(rows.inner)) {
            for ((p, prior), inverse) in counts.iter_mut().zip(prior).zip(&*totals) {
                *p = (*p + weight * prior) * inverse;
            }
        }
    }
}

/// Adds to every row its neighbours' numbers, weighted by the exponential of minus their distance, axis by axis.
fn spread(rows: &mut [f64], width: usize, axes: &[AxisShape], reach: f64) {
    // `block`: numbers from one value of the axis to the next.
    let mut block = rows.len();
    for axis in axes {
        let whole = block;
        block /= axis.count;
        let fade = exp(-axis.step / reach);
        for rows in rows.chunks_exact_mut(whole) {
            match axis.arrangement {
                Arrangement::Apart => apart(rows, block, fade),
                Arrangement::Line => line(rows, block, fade),
                Arrangement::Circle => circle(rows, block, fade),
            }
        }
    }
    debug_assert_eq!(block, width);
}

/// Every other value has the same say.
fn apart(rows: &mut [f64], block: usize, fade: f64) {
    let mut total = vec![0.0; block];
    rows.chunks_exact(block).for_each(|row| add(&mut total, row));
    for row in rows.chunks_exact_mut(block) {
        row.iter_mut().zip(&total).for_each(|(own, total)| *own += fade * (total - *own));
    }
}

/// Once up and once down: the say of all values below, and of all above.
fn line(rows: &mut [f64], block: usize, fade: f64) {
    let original = rows.to_vec();
    let values = rows.len() / block;
    let mut carried = vec![0.0; block];
    for value in 0..values {
        let range = value * block..(value + 1) * block;
        carry(&mut rows[range.clone()], &original[range], &mut carried, fade);
    }
    carried.fill(0.0);
    for value in (0..values).rev() {
        let range = value * block..(value + 1) * block;
        carry(&mut rows[range.clone()], &original[range], &mut carried, fade);
    }
}

/// Adds what is carried, and carries on, faded.
fn carry(rows: &mut [f64], own: &[f64], carried: &mut [f64], fade: f64) {
    for ((row, own), carried) in rows.iter_mut().zip(own).zip(carried) {
        *row += *carried;
        *carried = fade * (*carried + own);
    }
}

/// By the shorter way round.
fn circle(rows: &mut [f64], block: usize, fade: f64) {
    let original = rows.to_vec();
    let values = rows.len() / block;
    let weight = |steps: usize| (0..steps).fold(1.0, |weight, _| weight * fade);
    for value in 0..values {
        for other in (0..values).filter(|&other| other != value) {
            let apart = value.abs_diff(other);
            let weight = weight(apart.min(values - apart));
            let own = &mut rows[value * block..(value + 1) * block];
            let other = &original[other * block..(other + 1) * block];
            own.iter_mut().zip(other).for_each(|(own, other)| *own += weight * other);
        }
    }
}

/// Attention from counts: the mode of its prior is what neighbours draw.
pub(crate) fn attention(
    layout: &Layout,
    params: &mut Params,
    counts: &ExpectedCounts,
    attention: Attention,
    pooling: Pooling,
) {
    let Attention::Learned { shape, rate } = attention else { return };
    let prior = (shape - 1.0).max(1e-3);
    let (used, over) = (&counts.used.theta, &counts.theta_over);
    weights(layout, Level::High, 1, &mut params.theta, used, over, (prior, rate), pooling);
    let groups = params.weights.iter_mut().zip(counts.used.weights.iter().zip(&counts.weights_over));
    for ((into, (used, over)), &level) in groups.zip(&layout.shape().groups) {
        let d = layout.decisions();
        weights(layout, level, d, into, used, over, (prior, rate), pooling);
    }
}

#[allow(clippy::too_many_arguments, reason = "one table and its two counts")]
fn weights(
    layout: &Layout,
    level: Level,
    width: usize,
    into: &mut [f64],
    used: &[f64],
    over: &[f64],
    (prior, rate): (f64, f64),
    pooling: Pooling,
) {
    let firsts = layout.first_rows(level);
    for stimulus in 0..firsts.len() - 1 {
        let range = firsts[stimulus] * width..firsts[stimulus + 1] * width;
        let axes = layout.axes(level, stimulus);
        let (mut near_used, mut near_over) = (used[range.clone()].to_vec(), over[range.clone()].to_vec());
        spread(&mut near_used, width, &axes, pooling.reach);
        spread(&mut near_over, width, &axes, pooling.reach);
        for (k, cell) in range.enumerate() {
            let near = (prior + near_used[k]) / (rate + near_over[k]).max(1e-300);
            let near = near.clamp(1e-50, 1e50);
            let found = (prior + used[cell]) / (prior / near + over[cell]);
            into[cell] = found.clamp(*ATTENTION.start(), *ATTENTION.end());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use repertoire_prob::Stream;

    proptest! {
        #[test]
        fn spreading_axis_by_axis_is_the_sum_over_all_pairs(seed: u64, a in 1usize..6, b in 1usize..5, c in 1usize..4) {
            let axes = [
                AxisShape { count: a, arrangement: Arrangement::Circle, step: 0.7 },
                AxisShape { count: b, arrangement: Arrangement::Line, step: 1.3 },
                AxisShape { count: c, arrangement: Arrangement::Apart, step: 1.0 },
            ];
            let (width, reach) = (2, 0.8);
            let mut stream = Stream::new(seed, 0, "spread");
            let counts: Vec<f64> = (0..a * b * c * width).map(|_| stream.unit()).collect();
            let mut ours = counts.clone();
            spread(&mut ours, width, &axes, reach);
            let places: Vec<[usize; 3]> = (0..a * b * c).map(|v| [v / (b * c), v / c % b, v % c]).collect();
            for (v, [i, j, k]) in places.iter().enumerate() {
                for number in 0..width {
                    let near = |(w, [x, y, z]): (usize, &[usize; 3])| {
                        let round = i.abs_diff(*x).min(a - i.abs_diff(*x)) as f64 * 0.7;
                        let along = j.abs_diff(*y) as f64 * 1.3;
                        let apart = f64::from(u8::from(k != z));
                        exp(-(round + along + apart) / reach) * counts[w * width + number]
                    };
                    let truth: f64 = places.iter().enumerate().map(near).sum();
                    prop_assert!((ours[v * width + number] - truth).abs() < 1e-9);
                }
            }
        }
    }

    #[test]
    fn a_value_never_met_does_as_its_neighbours_do() {
        let model = crate::model::read(
            "name = \"n\"\ndecisions = 1\n[high.a]\nvalues = [\"x\"]\n[low.b]\naxes = [{ of = \"yaw\", edges = [1, 2, 3, 4] }]\n[external.c]\nvalues = [\"p\", \"q\"]\n",
        )
        .unwrap();
        let layout = model.layout();
        let mut counts = ExpectedCounts::new(layout);
        counts.used.external[0] = vec![100.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 100.0];
        let mut params = Params::uniform(layout);
        tables(layout, &mut params, &counts, Pooling::default());
        params.check(layout).unwrap();
        let p: Vec<f64> = (0..5).map(|row| params.external(layout, 0, row, 0)[0]).collect();
        assert!(p[0] > 0.95 && p[1] > 0.8 && (p[2] - 0.5).abs() < 1e-9 && p[3] < 0.2 && p[4] < 0.05, "{p:?}");
    }
}
