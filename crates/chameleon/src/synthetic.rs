//! Teachers whose attention is known, to see whether it is found.
//!
//! A teacher is a set of numbers; what it does in a world of independent stimuli, each of which stays as it is for a while, is
//! drawn from the model itself. Whoever learns from the sequences can be compared with the truth.

use repertoire_prob::Stream;
use repertoire_prob::draw::sample;
use repertoire_prob::num::{exp, ln};

use crate::layout::{Layout, Level};
use crate::params::{Params, normalise_columns};
use crate::sequence::Sequence;

/// How a teacher and its world are made.
#[derive(Clone, Copy, Debug)]
pub struct World {
    /// Ticks of each sequence.
    pub ticks: usize,
    /// The probability that a stimulus changes at a tick.
    pub changing: f64,
    /// The probability that a low-level stimulus is not known.
    pub unknown: f64,
}

impl Default for World {
    fn default() -> Self {
        World { ticks: 100, changing: 0.3, unknown: 0.2 }
    }
}

/// A teacher with definite habits: distributions raised to a power, decisions that last, attention between 1/30 and 30.
pub fn teacher(layout: &Layout, stream: &mut Stream) -> Params {
    let mut params = Params::random(layout, stream);
    let d = layout.decisions();
    let counts = layout.shape().reflexive.iter().chain(&layout.shape().external).map(|action| action.count);
    for (table, count) in params.reflexive.iter_mut().chain(&mut params.external).zip(counts) {
        for row in table.chunks_exact_mut(count * d) {
            row.iter_mut().for_each(|p| *p = exp(4.0 * ln(*p)));
            normalise_columns(row, d);
        }
    }
    for row in params.next.chunks_exact_mut(d * d) {
        for (before, row) in row.chunks_exact_mut(d).enumerate() {
            row.iter_mut().for_each(|p| *p *= 0.5);
            row[before] += 0.5;
        }
    }
    let weights = params.theta.iter_mut().chain(params.weights.iter_mut().flatten());
    weights.for_each(|weight| *weight = exp(3.4 * (2.0 * stream.unit() - 1.0)));
    params
}

/// What a teacher does in a random world.
pub fn play(layout: &Layout, teacher: &Params, world: World, stream: &mut Stream) -> Sequence {
    let shape = layout.shape();
    let d = layout.decisions();
    let mut sequence = Sequence::new(layout);
    let fresh = |count: usize, stream: &mut Stream| (stream.unit() * count as f64) as u16;
    let mut high: Vec<u16> = shape.high.iter().map(|&count| fresh(count, stream)).collect();
    let mut low: Vec<Option<u16>> = vec![None; shape.slots.len()];
    let mut before = None;
    for t in 0..world.ticks {
        for (value, &count) in high.iter_mut().zip(&shape.high) {
            if stream.unit() < world.changing {
                *value = fresh(count, stream);
            }
        }
        for (value, &kind) in low.iter_mut().zip(&shape.slots) {
            if t == 0 || stream.unit() < world.changing {
                let known = stream.unit() >= world.unknown;
                *value = known.then(|| fresh(shape.low[kind], stream));
            }
        }
        let high_row = |i: usize| layout.high_row(i, high[i].into());
        let attention: Vec<f64> = (0..high.len()).map(|i| teacher.theta[high_row(i)]).collect();
        let row = high_row(sample(&attention, stream));
        let decisions = match before {
            None => &teacher.first[row * d..(row + 1) * d],
            Some(before) => &teacher.next[(row * d + before) * d..][..d],
        };
        let decision = sample(decisions, stream);
        before = Some(decision);
        let mut reflexive = vec![0; shape.reflexive.len()];
        for &u in layout.tied() {
            reflexive[u] = sample(&teacher.reflexive(layout, u, row, decision), stream) as u16;
        }
        let mut external = vec![0; shape.external.len()];
        for (group, &level) in shape.groups.iter().enumerate() {
            let row_of = |slot: usize| match level {
                Level::High => Some(high_row(slot)),
                Level::Low => low[slot].map(|value| layout.low_row(layout.slots()[slot], value.into())),
            };
            let weight =
                |slot: usize| row_of(slot).map_or(0.0, |row| teacher.weights[group][row * d + decision]);
            let weights: Vec<f64> = (0..layout.stimuli(level)).map(weight).collect();
            let attended = weights.iter().any(|&weight| weight > 0.0).then(|| sample(&weights, stream));
            for &action in layout.members(group) {
                match (level, attended.and_then(row_of)) {
                    (_, None) => {}
                    (Level::High, Some(row)) => {
                        reflexive[action] =
                            sample(&teacher.reflexive(layout, action, row, decision), stream) as u16;
                    }
                    (Level::Low, Some(row)) => {
                        external[action] =
                            sample(&teacher.external(layout, action, row, decision), stream) as u16;
                    }
                }
            }
        }
        // What is drawn lies within the layout; actions seen from a stimulus are the same from all of them here.
        let pushed = sequence.push(layout, &high, &low, &reflexive, |f, _| external[f]);
        debug_assert!(pushed.is_ok());
    }
    sequence
}
