//! Generalisation: a value never met stands for the nearest that was (Tencé 2011, section 3.1.1.3).
//!
//! Differs from the paper, which leaves the distance open: the sum over axes of bins between two values
//! ([`Stimulus::distance`]); of several nearest values the one met most often. A kind of which no value was ever met
//! acts as its decision does on average, and draws as little attention as anything that was met.

use crate::counts::ExpectedCounts;
use crate::layout::Level;
use crate::model::{Model, Stimulus};
use crate::params::{Params, normalise_columns};

/// For each value of a stimulus the one that stands for it: itself if it was met. `None` if none was.
pub fn nearest_met(stimulus: &Stimulus, met: &[f64]) -> Option<Vec<usize>> {
    let known: Vec<usize> = (0..met.len()).filter(|&value| met[value] > 0.0).collect();
    if known.is_empty() {
        return None;
    }
    let nearest = |value: usize| {
        if met[value] > 0.0 {
            return value;
        }
        let mut best = known[0];
        for &other in &known[1..] {
            let (near, far) = (stimulus.distance(value, other), stimulus.distance(value, best));
            if near < far || (near == far && met[other] > met[best]) {
                best = other;
            }
        }
        best
    };
    Some((0..met.len()).map(nearest).collect())
}

/// Numbers in which every value never met has the numbers of the one that stands for it; as they are if they were `pooled`
/// while learning.
pub(crate) fn stand_in(model: &Model, raw: &Params, counts: &ExpectedCounts, pooled: bool) -> Params {
    if pooled {
        return raw.clone();
    }
    let layout = model.layout();
    let (d, shape) = (layout.decisions(), layout.shape());
    let mut params = raw.clone();
    for (i, stimulus) in model.high().iter().enumerate() {
        let first = layout.high_row(i, 0);
        let Some(nearest) = nearest_met(stimulus, &counts.high_met[first..first + stimulus.count()]) else {
            continue;
        };
        for (value, from) in nearest.into_iter().enumerate().filter(|(value, from)| value != from) {
            let (to, from) = (first + value, first + from);
            copy_row(&mut params.theta, 1, from, to);
            copy_row(&mut params.first, d, from, to);
            copy_row(&mut params.next, d * d, from, to);
            for (table, action) in params.reflexive.iter_mut().zip(&shape.reflexive) {
                copy_row(table, action.count * d, from, to);
            }
            for (weights, _) in
                params.weights.iter_mut().zip(&shape.groups).filter(|(_, level)| **level == Level::High)
            {
                copy_row(weights, d, from, to);
            }
        }
    }
    let average: Vec<Vec<f64>> = (counts.used.external.iter().zip(&shape.external))
        .map(|(used, action)| average(used, action.count * d, d))
        .collect();
    let least: Vec<Vec<f64>> = (raw.weights.iter().zip(&shape.groups))
        .map(|(weights, &level)| {
            least(weights, if level == Level::High { &counts.high_met } else { &counts.low_met }, d)
        })
        .collect();
    for (kind, stimulus) in model.low().iter().enumerate() {
        let first = layout.low_row(kind, 0);
        let nearest = nearest_met(stimulus, &counts.low_met[first..first + stimulus.count()]);
        for value in 0..stimulus.count() {
            let to = first + value;
            let from = nearest.as_ref().map(|nearest| first + nearest[value]);
            if from == Some(to) {
                continue;
            }
            for ((table, action), average) in params.external.iter_mut().zip(&shape.external).zip(&average) {
                let width = action.count * d;
                match from {
                    Some(from) => copy_row(table, width, from, to),
                    None => table[to * width..(to + 1) * width].copy_from_slice(average),
                }
            }
            for ((weights, level), least) in params.weights.iter_mut().zip(&shape.groups).zip(&least) {
                match (level, from) {
                    (Level::High, _) => {}
                    (Level::Low, Some(from)) => copy_row(weights, d, from, to),
                    (Level::Low, None) => weights[to * d..(to + 1) * d].copy_from_slice(least),
                }
            }
        }
    }
    params
}

fn copy_row(table: &mut [f64], width: usize, from: usize, to: usize) {
    table.copy_within(from * width..(from + 1) * width, to * width);
}

/// What each decision does, whatever it attends to; `[value][decision]`.
fn average(used: &[f64], width: usize, d: usize) -> Vec<f64> {
    // A crumb everywhere, for decisions that never did anything.
    let mut sums = vec![1e-6; width];
    for row in used.chunks_exact(width) {
        sums.iter_mut().zip(row).for_each(|(sum, used)| *sum += used);
    }
    normalise_columns(&mut sums, d);
    sums
}

/// The least attention that each decision pays to anything that was met; 1 if nothing was.
fn least(weights: &[f64], met: &[f64], d: usize) -> Vec<f64> {
    let mut least = vec![f64::INFINITY; d];
    for (weights, _) in weights.chunks_exact(d).zip(met).filter(|(_, met)| **met > 0.0) {
        least.iter_mut().zip(weights).for_each(|(least, weight)| *least = least.min(*weight));
    }
    least.into_iter().map(|weight| if weight.is_finite() { weight } else { 1.0 }).collect()
}
