//! Characters learned apart, put together.
//!
//! By expected counts: what each of them saw adds up, so that a character that never took a decision says nothing about it. Eq. 3.107
//! of the thesis instead weighs whole distributions by how often their stimulus was met:
//!
//! ```text
//! v(z | s) = (v_1(z | s) · met_1(s) + v_2(z | s) · met_2(s)) / (met_1(s) + met_2(s))
//! ```
//! which gives the random start of a decision that one of them never took as much say as what the other learned of it; it is
//! here for comparison. Decisions are hidden and numbered by chance: merging needs characters that went on from the same
//! numbers ([`Learned::go_on`](crate::Learned::go_on), section 3.4.4.3), or [`aligned`] ones.
//!
//! Differs from the paper: 3.106 is summed over actions and values of stimuli, weighted by how often they were met.

use crate::counts::Counts;
use crate::layout::{Layout, Level};
use crate::maximise::{self, Attention};
use crate::params::Params;

/// Tables from the counts of both; attention too, if it was learned.
pub fn by_counts(
    layout: &Layout,
    (params, counts): (&Params, &Counts),
    other: &Counts,
    virtual_counts: f64,
    attention: Attention,
) -> (Params, Counts) {
    let mut merged = params.clone();
    let mut sum = counts.clone();
    sum.add(other, 1.0);
    maximise::maximise(layout, &mut merged, &sum, virtual_counts, attention);
    (merged, sum)
}

/// Eq. 3.107: distributions weighted by how often their stimulus was met. Met by neither: the first's.
pub fn by_stimuli_met(
    layout: &Layout,
    (params, counts): (&Params, &Counts),
    (other, other_counts): (&Params, &Counts),
) -> Params {
    let mut merged = params.clone();
    let d = layout.decisions();
    let mix = |into: &mut [f64], other: &[f64], width: usize, level: Level| {
        let (met, other_met) = match level {
            Level::High => (&counts.high_met, &other_counts.high_met),
            Level::Low => (&counts.low_met, &other_counts.low_met),
        };
        let rows = into.chunks_exact_mut(width).zip(other.chunks_exact(width));
        for ((into, other), (met, other_met)) in rows.zip(met.iter().zip(other_met)) {
            let share = other_met / (met + other_met);
            if share.is_finite() {
                into.iter_mut().zip(other).for_each(|(p, other)| *p += share * (other - *p));
            }
        }
    };
    mix(&mut merged.theta, &other.theta, 1, Level::High);
    mix(&mut merged.first, &other.first, d, Level::High);
    mix(&mut merged.next, &other.next, d * d, Level::High);
    for ((into, other), action) in
        merged.reflexive.iter_mut().zip(&other.reflexive).zip(&layout.shape().reflexive)
    {
        mix(into, other, action.count * d, Level::High);
    }
    for ((into, other), action) in
        merged.external.iter_mut().zip(&other.external).zip(&layout.shape().external)
    {
        mix(into, other, action.count * d, Level::Low);
    }
    for ((into, other), &level) in merged.weights.iter_mut().zip(&other.weights).zip(&layout.shape().groups) {
        mix(into, other, d, level);
    }
    merged
}

/// For each decision of `other` the decision of `params` that does most nearly the same (eq. 3.106), each taken once: the closest
/// pair first.
pub fn alignment(layout: &Layout, (params, counts): (&Params, &Counts), other: &Params) -> Vec<usize> {
    let d = layout.decisions();
    let mut distance = vec![0.0; d * d];
    let shape = layout.shape();
    let reflexive = (params.reflexive.iter().zip(&other.reflexive).zip(&shape.reflexive))
        .map(|((a, b), action)| (a, b, action.count, &counts.high_met));
    let external = (params.external.iter().zip(&other.external).zip(&shape.external))
        .map(|((a, b), action)| (a, b, action.count, &counts.low_met));
    for (a, b, count, met) in reflexive.chain(external) {
        for (cell, (a, b)) in a.chunks_exact(d).zip(b.chunks_exact(d)).enumerate() {
            let met = met[cell / count];
            for (from, b) in b.iter().enumerate().filter(|_| met > 0.0) {
                for (to, a) in a.iter().enumerate() {
                    distance[from * d + to] += met * (a - b) * (a - b);
                }
            }
        }
    }
    let mut pairs: Vec<(usize, usize)> = (0..d).flat_map(|from| (0..d).map(move |to| (from, to))).collect();
    pairs.sort_by(|a, b| distance[a.0 * d + a.1].total_cmp(&distance[b.0 * d + b.1]));
    let (mut to_of, mut taken) = (vec![None; d], vec![false; d]);
    for (from, to) in pairs {
        if to_of[from].is_none() && !taken[to] {
            to_of[from] = Some(to);
            taken[to] = true;
        }
    }
    to_of.into_iter().enumerate().map(|(from, to)| to.unwrap_or(from)).collect()
}

/// The same numbers with decisions renumbered: decision `k` becomes `to[k]`.
pub fn aligned(layout: &Layout, params: &Params, to: &[usize]) -> Params {
    let d = layout.decisions();
    let mut out = params.clone();
    let renumber = |from: &[f64], into: &mut [f64]| {
        for (from, into) in from.chunks_exact(d).zip(into.chunks_exact_mut(d)) {
            for (k, &p) in from.iter().enumerate() {
                into[to[k]] = p;
            }
        }
    };
    renumber(&params.first, &mut out.first);
    let (mut blocks, mut moved) = (params.next.clone(), params.next.clone());
    renumber(&params.next, &mut blocks);
    for (from, into) in blocks.chunks_exact(d * d).zip(moved.chunks_exact_mut(d * d)) {
        for (k, row) in from.chunks_exact(d).enumerate() {
            into[to[k] * d..(to[k] + 1) * d].copy_from_slice(row);
        }
    }
    out.next = moved;
    let tables = (params.reflexive.iter().zip(&mut out.reflexive))
        .chain(params.external.iter().zip(&mut out.external))
        .chain(params.weights.iter().zip(&mut out.weights));
    tables.for_each(|(from, into)| renumber(from, into));
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learn::{Settings, from_params, from_params_and_counts};
    use crate::pass::Pass;
    use crate::synthetic::{World, play, teacher};
    use repertoire_prob::Stream;

    fn layout() -> Layout {
        Layout::plain(3, &[3, 2], &[4, 3], &[3], &[4, 3]).unwrap()
    }

    #[test]
    fn renumbered_decisions_are_found_again_and_change_no_likelihood() {
        let (layout, mut stream) = (layout(), Stream::new(1, 0, "align"));
        let params = teacher(&layout, &mut stream);
        let sequence = play(&layout, &params, World::default(), &mut stream);
        let other = aligned(&layout, &params, &[2, 0, 1]);
        let mut pass = Pass::new();
        let (a, b) = (pass.forward(&layout, &params, &sequence), pass.forward(&layout, &other, &sequence));
        assert!((a.unwrap() - b.unwrap()).abs() < 1e-9);
        let mut counts = Counts::new(&layout);
        counts.add_sequence(&layout, &params, &sequence, &mut pass).unwrap();
        let back = alignment(&layout, (&params, &counts), &other);
        assert_eq!(back, [1, 2, 0]);
        assert_eq!(aligned(&layout, &other, &back), params);
    }

    #[test]
    fn expected_counts_of_two_halves_are_those_of_the_whole() {
        let (layout, mut stream) = (layout(), Stream::new(2, 0, "halves"));
        let params = teacher(&layout, &mut stream);
        let lives: Vec<_> = (0..6).map(|_| play(&layout, &params, World::default(), &mut stream)).collect();
        let gather = |lives: &[crate::Sequence]| {
            let mut counts = Counts::new(&layout);
            lives
                .iter()
                .for_each(|life| counts.add_sequence(&layout, &params, life, &mut Pass::new()).unwrap());
            counts
        };
        let (first, second) = (gather(&lives[..2]), gather(&lives[2..]));
        let (merged, _) = by_counts(&layout, (&params, &first), &second, 0.5, Attention::Fixed);
        let mut whole = params.clone();
        maximise::maximise(&layout, &mut whole, &gather(&lives), 0.5, Attention::Fixed);
        for (a, b) in merged.external.iter().flatten().zip(whole.external.iter().flatten()) {
            assert!((a - b).abs() < 1e-9);
        }
    }

    /// What the errata say: 3.107 lets a life that never took a decision overwrite what was known of it.
    #[test]
    fn merging_by_counts_judges_unseen_lives_better_than_equation_3_107() {
        let layout = layout();
        let mut better = 0;
        for seed in 0..5 {
            let mut stream = Stream::new(seed, 0, "merge");
            let params = teacher(&layout, &mut stream);
            let mut life = || play(&layout, &params, World::default(), &mut stream);
            let lives: Vec<_> = (0..20).map(|_| life()).collect();
            let unseen: Vec<_> = (0..10).map(|_| life()).collect();
            let settings = Settings { attention: Attention::Fixed, starts: 1, ..Settings::default() };
            let start = Params::random(&layout, &mut Stream::new(seed, 1, "start"));
            let first = from_params(&layout, start, &lives[..1], &settings, &|_| {}).unwrap();
            let (mut by_met, mut by_count) = (first.clone(), first);
            for life in &lives[1..] {
                let life = std::slice::from_ref(life);
                let next = from_params(&layout, by_met.params.clone(), life, &settings, &|_| {}).unwrap();
                by_met.params =
                    by_stimuli_met(&layout, (&by_met.params, &by_met.counts), (&next.params, &next.counts));
                by_met.counts.add(&next.counts, 1.0);
                let (params, counts) = (by_count.params.clone(), by_count.counts.clone());
                by_count =
                    from_params_and_counts(&layout, params, &counts, life, &settings, &|_| {}).unwrap();
            }
            let mut pass = Pass::new();
            let mut judge = |params: &Params| -> f64 {
                unseen.iter().map(|life| pass.forward(&layout, params, life).unwrap()).sum()
            };
            better += usize::from(judge(&by_count.params) > judge(&by_met.params));
        }
        assert!(better >= 4, "in {better} of 5");
    }
}
