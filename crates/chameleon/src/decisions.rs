//! How many decisions: by the likelihood of sequences kept aside (Tencé 2011, figure 4.23).
//!
//! Differs from the paper, which judges by the sequences learned from: those are explained the better the more decisions there are.

use crate::learn::{EmSettings, LearnError};
use crate::learned::{Learned, learn};
use crate::model::Model;
use crate::pass::Pass;
use crate::sequence::Sequence;

/// What a number of decisions gave.
#[derive(Clone, Debug)]
pub struct Judged {
    /// How many decisions.
    pub decisions: usize,
    /// `ln P(A | S)` a tick of the sequences learned from.
    pub learned_from: f64,
    /// `ln P(A | S)` a tick of the sequences kept aside; minus infinity if one of them was impossible.
    pub kept_aside: f64,
    /// Iterations of the start that won.
    pub iterations: usize,
    /// The character.
    pub learned: Learned,
}

/// Learns with each number of decisions from every sequence but each `keep`-th, and judges by those. Returns all, in the order
/// of `candidates`; the one to take has the greatest `kept_aside`.
pub fn judge(
    model: &Model,
    sequences: &[Sequence],
    candidates: &[usize],
    keep: usize,
    settings: &EmSettings,
    done: &dyn Fn(&Judged),
) -> Result<Vec<Judged>, LearnError> {
    let keep = keep.max(2);
    let (aside, from): (Vec<_>, Vec<_>) =
        sequences.iter().cloned().enumerate().partition(|(index, _)| index % keep == keep - 1);
    let plain = |list: Vec<(usize, Sequence)>| list.into_iter().map(|(_, one)| one).collect::<Vec<_>>();
    let (aside, from) = (plain(aside), plain(from));
    let mut all = Vec::new();
    for &decisions in candidates {
        // A number that the model cannot have is left out by the caller; the model's own error says which.
        let Ok(model) = model.with_decisions(decisions) else { continue };
        let learned = learn(&model, &from, settings, &|_| {})?;
        let judged = Judged {
            decisions,
            learned_from: mean_log_likelihood(&learned, &from),
            kept_aside: mean_log_likelihood(&learned, &aside),
            iterations: learned.curve.len().saturating_sub(1),
            learned,
        };
        done(&judged);
        all.push(judged);
    }
    Ok(all)
}

/// `ln P(A | S)` a tick; minus infinity if something is impossible, 0 if there is nothing.
pub fn mean_log_likelihood(learned: &Learned, sequences: &[Sequence]) -> f64 {
    let mut pass = Pass::new();
    let (mut total, mut ticks) = (0.0, 0);
    for sequence in sequences {
        total += learned.log_likelihood(sequence, &mut pass).unwrap_or(f64::NEG_INFINITY);
        ticks += sequence.len();
    }
    if ticks == 0 { 0.0 } else { total / ticks as f64 }
}
