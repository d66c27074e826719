//! Reaction time from the data (Tencé 2011, section 4.4.1.1, figure 4.22).
//!
//! For every delay the actions are set against the stimuli that were there as many ticks before, and a character is learned; the likeliest
//! delay is the teacher's. People are not that even: the delays of single lives are then told apart by a mixture,
//!
//! ```text
//! P(A_s | S_s) = Σ_k π_k P(A_s | S_s shifted by k)
//! ```
//! whose shares `π` and whose one set of numbers are learned together by EM, from the likeliest delay's character on.
//!
//! Differs from the paper, which takes one number for all and says that a variable time could do better.

use rayon::prelude::*;
use repertoire_prob::num::{exp, log_sum_exp};

use crate::counts::{ExpectedCounts, Met, Part};
use crate::delay::Delay;
use crate::index::Index;
use crate::learn::{EmSettings, LearnError, Run};
use crate::learned::{Learned, learn};
use crate::model::Model;
use crate::pass::Pass;
use crate::sequence::Sequence;

/// What the data say of a teacher's reaction time.
#[derive(Clone, Debug)]
pub struct Reaction {
    /// For each delay `ln P(A | S)` a tick after learning with it.
    pub curve: Vec<f64>,
    /// The delay with the greatest.
    pub likeliest: usize,
    /// The share of lives with each delay.
    pub delay: Delay,
    /// A character learned with that distribution.
    pub learned: Learned,
}

/// Aligns sequences for delays from 0 to `longest`: stimuli at `t` with actions at `t + delay`, the same actions for all delays.
/// For models whose actions are seen from the character itself; others are rebuilt from the world.
pub fn shifted(sequences: &[Sequence], longest: usize) -> Vec<Vec<Sequence>> {
    let of = |delay: usize| {
        let one = |sequence: &Sequence| sequence.delayed(delay).tail(sequence.len().saturating_sub(longest));
        sequences.iter().map(one).collect()
    };
    (0..=longest).map(of).collect()
}

/// Learns reaction times. `by_delay[k]` are the same lives with a delay of `k` ticks, the same number of ticks each.
pub fn reaction(
    model: &Model,
    by_delay: &[Vec<Sequence>],
    settings: &EmSettings,
    done: &dyn Fn(usize, f64),
) -> Result<Reaction, LearnError> {
    let mut curve = Vec::new();
    let mut best: Option<Learned> = None;
    let mut likeliest = 0;
    for (delay, sequences) in by_delay.iter().enumerate() {
        let learned = learn(model, sequences, settings, &|_| {})?;
        let ticks: usize = sequences.iter().map(Sequence::len).sum();
        let mean = learned.curve.last().copied().unwrap_or(f64::NEG_INFINITY) / ticks.max(1) as f64;
        done(delay, mean);
        if best.is_none() || mean > curve[likeliest] {
            likeliest = delay;
            best = Some(learned);
        }
        curve.push(mean);
    }
    let start = best.ok_or(LearnError::Nothing)?;
    let (delay, learned) = mixture(&start, by_delay, settings)?;
    Ok(Reaction { curve, likeliest, delay, learned })
}

/// Shares of delays and numbers together, from a character on.
pub fn mixture(
    start: &Learned,
    by_delay: &[Vec<Sequence>],
    settings: &EmSettings,
) -> Result<(Delay, Learned), LearnError> {
    let layout = start.model.layout();
    let lives = by_delay.first().map_or(0, Vec::len);
    let mut params = start.raw_params().clone();
    let mut shares = vec![1.0 / by_delay.len().max(1) as f64; by_delay.len()];
    let mut curve: Vec<f64> = Vec::new();
    let mut counts = ExpectedCounts::new(layout);
    let index = |sequences: &Vec<Sequence>| -> Vec<Index> {
        sequences.par_iter().map(|one| Index::of(layout, std::iter::once(one))).collect()
    };
    let by_delay: Vec<Vec<Index>> = by_delay.iter().map(index).collect();
    let met = Met::all(layout);
    let ticks: usize = by_delay.first().map_or(0, |sequences| sequences.iter().map(Index::ticks).sum());
    for iteration in 0..=settings.iterations {
        // ln π_k + ln P(A_s | S_s shifted by k), each life on its own.
        let joint: Vec<Vec<f64>> = (0..lives)
            .into_par_iter()
            .map_init(Pass::new, |pass, life| {
                let of = |(lives, &share): (&Vec<Index>, &f64)| {
                    let found = pass.forward_by(layout, &params, &lives[life]);
                    found.map_or(f64::NEG_INFINITY, |log| log + repertoire_prob::num::ln(share))
                };
                by_delay.iter().zip(&shares).map(of).collect()
            })
            .collect();
        let logs: Vec<f64> = joint.iter().map(|joint| log_sum_exp(joint)).collect();
        if let Some(sequence) = logs.iter().position(|log| *log == f64::NEG_INFINITY) {
            return Err(LearnError::Impossible { sequence, why: crate::pass::Impossible { tick: 0 } });
        }
        let now: f64 = logs.iter().sum();
        let gain = now - curve.last().copied().unwrap_or(f64::NEG_INFINITY);
        curve.push(now);
        // Expected counts, each delay of each life with its posterior; in order, so that any number of threads gives the same.
        let mut pass = Pass::new();
        counts = ExpectedCounts::new(layout);
        let mut found = vec![0.0; by_delay.len()];
        for (life, (joint, log)) in joint.iter().zip(&logs).enumerate() {
            for (delay, joint) in joint.iter().enumerate() {
                let posterior = exp(joint - log);
                found[delay] += posterior;
                if posterior > 1e-6 {
                    let index = &by_delay[delay][life];
                    let log = pass
                        .forward_by(layout, &params, index)
                        .map_err(|error| LearnError::Impossible { sequence: life, why: error.why })?;
                    pass.backward_by(layout, &params, index);
                    pass.weigh(posterior);
                    let part = Part { index, pass: &pass, params: &params, weight: posterior };
                    counts.gather(layout, part);
                    counts.log_likelihood += posterior * log;
                }
            }
        }
        if iteration == settings.iterations || gain < settings.least_gain * ticks as f64 {
            break;
        }
        settings.maximise_all(layout, &mut params, &counts, &met);
        repertoire_prob::num::normalise(&mut found);
        shares = found;
    }
    let run = Run { params, counts, recipe: settings.recipe(), log_likelihood: curve, start: 0 };
    let mut learned = Learned::from_run(start.model.clone(), run, lives as u64);
    let delay = Delay { ticks: shares, ..Delay::default() };
    learned.delay = delay.clone();
    Ok((delay, learned))
}
