//! What each kind of distribution contributes to the likelihood that EM raises.
//!
//! EM raises `Q`, the expected logarithm of the probability of what was done together with what was decided and attended to, under
//! the posteriors of the numbers themselves. `Q` is a sum — Tencé 2011, eq. 3.31 to 3.36:
//!
//! | paper          | code          | what it is about                     |
//! |----------------|---------------|--------------------------------------|
//! | 3.35, `m¹`     | `first`       | the first decision                   |
//! | 3.36, `m`      | `next`        | every other decision                 |
//! | 3.31, `n`      | `reflexive`   | reflexive actions                    |
//! | 3.32, `o`      | `external`    | external actions                     |
//! | 3.33, `θ`      | `theta`       | attention to high-level stimuli      |
//! | 3.34, `λ`      | `weights`     | attention to low-level stimuli       |
//!
//! Differs from the paper: nothing. The log-likelihood itself is larger than `Q`, by the entropy of the posteriors.

use repertoire_prob::num::ln;
use serde::Serialize;

use crate::counts::ExpectedCounts;
use crate::layout::Layout;
use crate::params::Params;
use crate::pass::{Impossible, Pass, slot_row};
use crate::posterior::posteriors;
use crate::sequence::Sequence;

/// The parts of `Q`, in nats.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Partial {
    /// The first decision.
    pub first: f64,
    /// Every other decision.
    pub next: f64,
    /// Reflexive actions.
    pub reflexive: f64,
    /// External actions.
    pub external: f64,
    /// Attention to high-level stimuli.
    pub theta: f64,
    /// Attention to low-level stimuli.
    pub weights: f64,
}

impl Partial {
    /// The names of the parts, as the paper has them, in order.
    pub const NAMES: [&str; 6] = ["m1", "m", "n", "o", "theta", "lambda"];

    /// The parts, in order.
    pub fn parts(&self) -> [f64; 6] {
        [self.first, self.next, self.reflexive, self.external, self.theta, self.weights]
    }

    /// `Q`.
    pub fn total(&self) -> f64 {
        self.parts().iter().sum()
    }
}

/// The parts of a sequence's `Q` under some numbers.
///
/// ```
/// use repertoire_chameleon::partial::partial;
/// use repertoire_chameleon::{Layout, Params, Pass, Sequence};
///
/// let layout = Layout::plain(1, &[2], &[3], &[], &[4])?;
/// let mut life = Sequence::new(&layout);
/// (0..10).try_for_each(|_| life.push(&layout, &[1], &[Some(2)], &[], |_, _| 3))?;
/// let parts = partial(&layout, &Params::uniform(&layout), &life, &mut Pass::new())?;
/// assert!((parts.external - 10.0 * 0.25f64.ln()).abs() < 1e-9, "one of four actions, ten times");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If the numbers hold the sequence for impossible.
pub fn partial(
    layout: &Layout,
    params: &Params,
    sequence: &Sequence,
    pass: &mut Pass,
) -> Result<Partial, Impossible> {
    let mut counts = ExpectedCounts::new(layout);
    counts.add_sequence(layout, params, sequence, pass)?;
    let tables =
        |used: &[Vec<f64>], p: &[Vec<f64>]| used.iter().zip(p).map(|(used, p)| expected(used, p)).sum();
    let used = &counts.used;
    let mut parts = Partial {
        first: expected(&used.first, &params.first),
        next: expected(&used.next, &params.next),
        reflexive: tables(&used.reflexive, &params.reflexive),
        external: tables(&used.external, &params.external),
        ..Partial::default()
    };
    let gamma = posteriors(layout, params, sequence, pass)?;
    let (d, stimuli) = (layout.decisions(), layout.shape().high.len());
    for t in 0..sequence.len() {
        let attention: Vec<f64> =
            (0..stimuli).map(|i| params.theta[layout.high_row(i, sequence.high(t)[i].into())]).collect();
        let total: f64 = attention.iter().sum();
        for (i, theta) in attention.iter().enumerate() {
            let attended: f64 = (0..d).map(|k| gamma.high[(t * d + k) * stimuli + i]).sum();
            parts.theta += weighted(attended, theta / total);
        }
    }
    for (group, &level) in layout.shape().groups.iter().enumerate() {
        let slots = layout.stimuli(level);
        let weights = &params.weights[group];
        for t in 0..sequence.len() {
            let rows: Vec<Option<usize>> =
                (0..slots).map(|slot| slot_row(layout, sequence, level, t, slot)).collect();
            for k in 0..d {
                let weight = |row: &Option<usize>| row.map_or(0.0, |row| weights[row * d + k]);
                let total: f64 = rows.iter().map(weight).sum();
                for (slot, row) in rows.iter().enumerate() {
                    parts.weights +=
                        weighted(gamma.groups[group][(t * d + k) * slots + slot], weight(row) / total);
                }
            }
        }
    }
    Ok(parts)
}

fn expected(used: &[f64], p: &[f64]) -> f64 {
    used.iter().zip(p).map(|(&used, &p)| weighted(used, p)).sum()
}

/// What never happens counts nothing, however improbable it is.
fn weighted(used: f64, p: f64) -> f64 {
    if used > 0.0 { used * ln(p) } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learn::{EmSettings, from_params};
    use crate::{Attention, maximise};
    use repertoire_prob::Stream;

    fn life(layout: &Layout, ticks: usize, draw: &mut Stream) -> Sequence {
        let mut life = Sequence::new(layout);
        for _ in 0..ticks {
            let value = |draw: &mut Stream, count: u32| (draw.unit() * f64::from(count)) as u16;
            let (high, low) =
                ([value(draw, 2), value(draw, 3)], [Some(value(draw, 3)), Some(value(draw, 3))]);
            let (reflexive, external) = ([value(draw, 2)], value(draw, 4));
            life.push(layout, &high, &low, &reflexive, |_, _| external).unwrap();
        }
        life
    }

    #[test]
    fn where_nothing_is_hidden_the_parts_sum_to_the_likelihood() {
        let layout = Layout::plain(1, &[3], &[2], &[2], &[4]).unwrap();
        let mut draw = Stream::new(4, 0, "partial");
        let params = Params::random(&layout, &mut draw);
        let mut life = Sequence::new(&layout);
        for k in 0..20u16 {
            life.push(&layout, &[k % 3], &[Some(k % 2)], &[k % 2], |_, _| k % 4).unwrap();
        }
        let parts = partial(&layout, &params, &life, &mut Pass::new()).unwrap();
        let truth = Pass::new().forward(&layout, &params, &life).unwrap();
        assert!((parts.total() - truth).abs() < 1e-9, "{} {truth}", parts.total());
    }

    #[test]
    fn an_iteration_raises_every_part_that_it_maximises() {
        let layout = Layout::plain(3, &[2, 3], &[3, 3], &[2], &[4]).unwrap();
        let mut draw = Stream::new(5, 0, "partial");
        let (mut params, life) = (Params::random(&layout, &mut draw), life(&layout, 40, &mut draw));
        let mut counts = ExpectedCounts::new(&layout);
        counts.add_sequence(&layout, &params, &life, &mut Pass::new()).unwrap();
        // The parts of Q with the posteriors of the old numbers: before the step, and after it.
        let of = |params: &Params| [&params.first, &params.next].map(Vec::clone);
        let before =
            [expected(&counts.used.first, &of(&params)[0]), expected(&counts.used.next, &of(&params)[1])];
        maximise(&layout, &mut params, &counts, 0.0, Attention::Fixed);
        let after =
            [expected(&counts.used.first, &of(&params)[0]), expected(&counts.used.next, &of(&params)[1])];
        assert!(after[0] >= before[0] && after[1] > before[1], "{before:?} {after:?}");
        // And the likelihood is never below Q.
        let learned =
            from_params(&layout, params, std::slice::from_ref(&life), &EmSettings::default(), &|_| ())
                .unwrap();
        let parts = partial(&layout, &learned.params, &life, &mut Pass::new()).unwrap();
        let likelihood = Pass::new().forward(&layout, &learned.params, &life).unwrap();
        assert!(parts.total() <= likelihood + 1e-9, "{} {likelihood}", parts.total());
    }
}
