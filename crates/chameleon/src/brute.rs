//! Truth by enumeration: every hidden sequence of tiny models, one by one.

use proptest::prelude::*;
use repertoire_prob::Stream;
use repertoire_prob::num::ln;

use crate::counts::ExpectedCounts;
use crate::layout::{ActionShape, Layout, Level, Shape};
use crate::learn::{self, EmSettings};
use crate::maximise::{Attention, log_prior, maximise};
use crate::params::Params;
use crate::pass::Pass;
use crate::posterior::posteriors;
use crate::sequence::Sequence;

/// A layout with everything: shared slots, two groups at the low level, one at the high level, an action seen from the stimulus.
fn rich(decisions: usize) -> Layout {
    let action = |count: usize, group, relative: bool, measure: &[f64]| ActionShape {
        count,
        group,
        relative,
        measure: if measure.is_empty() { vec![1.0; count] } else { measure.to_vec() },
    };
    Layout::new(Shape {
        decisions,
        high: vec![2, 3],
        low: vec![2, 3],
        slots: vec![0, 1, 1],
        reflexive: vec![action(2, None, false, &[]), action(2, Some(0), false, &[])],
        external: vec![
            action(2, Some(1), false, &[]),
            action(3, Some(1), true, &[0.5, 0.2, 0.3]),
            action(2, Some(2), true, &[]),
        ],
        groups: vec![Level::High, Level::Low, Level::Low],
        ..Shape::default()
    })
    .unwrap()
}

fn plain(decisions: usize) -> Layout {
    Layout::plain(decisions, &[2, 3], &[2, 3], &[2], &[2, 3]).unwrap()
}

fn random_attention(params: &mut Params, stream: &mut Stream) {
    let weights = params.theta.iter_mut().chain(params.weights.iter_mut().flatten());
    weights.for_each(|weight| *weight = 0.1 + 3.0 * stream.unit());
}

fn random_sequence(layout: &Layout, ticks: usize, unknown: f64, stream: &mut Stream) -> Sequence {
    let shape = layout.shape();
    let mut sequence = Sequence::new(layout);
    for _ in 0..ticks {
        let mut draw = |count: usize| (stream.unit() * count as f64) as u16;
        let high: Vec<u16> = shape.high.iter().map(|&count| draw(count)).collect();
        let low: Vec<u16> = shape.slots.iter().map(|&kind| draw(shape.low[kind])).collect();
        let reflexive: Vec<u16> = shape.reflexive.iter().map(|action| draw(action.count)).collect();
        let width = shape.slots.len().max(1);
        let external: Vec<Vec<u16>> = shape
            .external
            .iter()
            .map(|action| (0..if action.relative { width } else { 1 }).map(|_| draw(action.count)).collect())
            .collect();
        let low: Vec<Option<u16>> =
            low.into_iter().map(|value| (stream.unit() >= unknown).then_some(value)).collect();
        sequence
            .push(layout, &high, &low, &reflexive, |f, slot| external[f][slot.min(external[f].len() - 1)])
            .unwrap();
    }
    sequence
}

/// Every hidden state of a tick: decision, high attention, and a slot for each group (`None` if nothing is known).
#[derive(Clone, Debug)]
struct Hidden {
    d: usize,
    i: usize,
    slots: Vec<Option<usize>>,
}

fn hidden_states(layout: &Layout, sequence: &Sequence, t: usize) -> Vec<Hidden> {
    let mut states = Vec::new();
    for d in 0..layout.decisions() {
        for i in 0..layout.shape().high.len() {
            let mut lists: Vec<Vec<Option<usize>>> = vec![Vec::new()];
            for &level in &layout.shape().groups {
                let choices: Vec<Option<usize>> = match level {
                    Level::High => (0..layout.shape().high.len()).map(Some).collect(),
                    Level::Low => {
                        let known: Vec<Option<usize>> = (0..layout.slots().len())
                            .filter(|&slot| sequence.low(t, slot).is_some())
                            .map(Some)
                            .collect();
                        if known.is_empty() { vec![None] } else { known }
                    }
                };
                lists = lists
                    .iter()
                    .flat_map(|list| choices.iter().map(move |&c| [&list[..], &[c]].concat()))
                    .collect();
            }
            states.extend(lists.into_iter().map(|slots| Hidden { d, i, slots }));
        }
    }
    states
}

fn row_of(layout: &Layout, sequence: &Sequence, level: Level, t: usize, slot: usize) -> Option<usize> {
    match level {
        Level::High => Some(layout.high_row(slot, sequence.high(t)[slot].into())),
        Level::Low => sequence.low(t, slot).map(|v| layout.low_row(layout.slots()[slot], v.into())),
    }
}

/// `P(hidden, actions at t | decision before, stimuli)`, straight from eq. 3.2 to 3.10.
fn tick_probability(
    layout: &Layout,
    params: &Params,
    sequence: &Sequence,
    t: usize,
    before: Option<usize>,
    q: &Hidden,
) -> f64 {
    let decisions = layout.decisions();
    let shape = layout.shape();
    let high_row = |i: usize| layout.high_row(i, sequence.high(t)[i].into());
    let row = high_row(q.i);
    let total: f64 = (0..shape.high.len()).map(|i| params.theta[high_row(i)]).sum();
    let mut p = params.theta[row] / total;
    p *= match before {
        None => params.first[row * decisions + q.d],
        Some(before) => params.next[(row * decisions + before) * decisions + q.d],
    };
    for &u in layout.tied() {
        p *= params.reflexive(layout, u, row, q.d)[usize::from(sequence.reflexive(t)[u])];
    }
    for (g, &level) in shape.groups.iter().enumerate() {
        let Some(chosen) = q.slots[g] else { continue };
        let weight = |slot: usize| {
            row_of(layout, sequence, level, t, slot)
                .map_or(0.0, |row| params.weights[g][row * decisions + q.d])
        };
        let total: f64 = (0..layout.stimuli(level)).map(weight).sum();
        // A decision that gives nothing known any attention is impossible.
        p *= if total > 0.0 { weight(chosen) / total } else { 0.0 };
        let row = row_of(layout, sequence, level, t, chosen).unwrap();
        for &a in layout.members(g) {
            p *= match level {
                Level::High => params.reflexive(layout, a, row, q.d)[usize::from(sequence.reflexive(t)[a])],
                Level::Low => {
                    let value = usize::from(sequence.external(t, a, chosen));
                    params.external(layout, a, row, q.d)[value] / shape.external[a].measure[value]
                }
            };
        }
    }
    p
}

/// Calls `found` with every hidden sequence and its joint probability with the actions.
fn enumerate(
    layout: &Layout,
    params: &Params,
    sequence: &Sequence,
    path: &mut Vec<Hidden>,
    p: f64,
    found: &mut dyn FnMut(&[Hidden], f64),
) {
    if path.len() == sequence.len() {
        return found(path, p);
    }
    let t = path.len();
    for q in hidden_states(layout, sequence, t) {
        let before = path.last().map(|q| q.d);
        let p = p * tick_probability(layout, params, sequence, t, before, &q);
        path.push(q);
        enumerate(layout, params, sequence, path, p, found);
        path.pop();
    }
}

/// Expected counts by enumeration.
fn brute_counts(layout: &Layout, params: &Params, sequence: &Sequence) -> ExpectedCounts {
    let decisions = layout.decisions();
    let mut total = 0.0;
    enumerate(layout, params, sequence, &mut Vec::new(), 1.0, &mut |_, p| total += p);
    let mut counts = ExpectedCounts::new(layout);
    counts.log_likelihood = ln(total);
    counts.ticks = sequence.len() as f64;
    enumerate(layout, params, sequence, &mut Vec::new(), 1.0, &mut |path, p| {
        let p = p / total;
        for (t, q) in path.iter().enumerate() {
            let row = layout.high_row(q.i, sequence.high(t)[q.i].into());
            counts.used.theta[row] += p;
            match t.checked_sub(1) {
                None => counts.used.first[row * decisions + q.d] += p,
                Some(s) => counts.used.next[(row * decisions + path[s].d) * decisions + q.d] += p,
            }
            for &u in layout.tied() {
                let value = usize::from(sequence.reflexive(t)[u]);
                let count = layout.shape().reflexive[u].count;
                counts.used.reflexive[u][(row * count + value) * decisions + q.d] += p;
            }
            for (i, &value) in sequence.high(t).iter().enumerate() {
                let z: f64 = (sequence.high(t).iter().enumerate())
                    .map(|(i, &value)| params.theta[layout.high_row(i, value.into())])
                    .sum();
                counts.theta_over[layout.high_row(i, value.into())] += p / z;
                counts.high_met[layout.high_row(i, value.into())] += p;
            }
            for slot in 0..layout.slots().len() {
                if let Some(row) = row_of(layout, sequence, Level::Low, t, slot) {
                    counts.low_met[row] += p;
                }
            }
            for (g, &level) in layout.shape().groups.iter().enumerate() {
                let Some(chosen) = q.slots[g] else { continue };
                let row = row_of(layout, sequence, level, t, chosen).unwrap();
                counts.used.weights[g][row * decisions + q.d] += p;
                let rows =
                    (0..layout.stimuli(level)).filter_map(|slot| row_of(layout, sequence, level, t, slot));
                let rows: Vec<usize> = rows.collect();
                let z: f64 = rows.iter().map(|row| params.weights[g][row * decisions + q.d]).sum();
                if z > 0.0 {
                    rows.iter().for_each(|row| counts.weights_over[g][row * decisions + q.d] += p / z);
                }
                for &a in layout.members(g) {
                    let (table, count, value) = match level {
                        Level::High => (
                            &mut counts.used.reflexive[a],
                            layout.shape().reflexive[a].count,
                            sequence.reflexive(t)[a],
                        ),
                        Level::Low => (
                            &mut counts.used.external[a],
                            layout.shape().external[a].count,
                            sequence.external(t, a, chosen),
                        ),
                    };
                    table[(row * count + usize::from(value)) * decisions + q.d] += p;
                }
            }
        }
    });
    counts
}

fn assert_near(ours: &ExpectedCounts, truth: &ExpectedCounts) {
    assert!((ours.log_likelihood - truth.log_likelihood).abs() < 1e-10);
    let flat = |counts: &ExpectedCounts| -> Vec<f64> {
        let mut all = Vec::new();
        for table in [&counts.used.theta, &counts.used.first, &counts.used.next, &counts.theta_over] {
            all.extend(table);
        }
        all.extend(&counts.high_met);
        all.extend(&counts.low_met);
        for tables in
            [&counts.used.reflexive, &counts.used.external, &counts.used.weights, &counts.weights_over]
        {
            all.extend(tables.iter().flatten());
        }
        all
    };
    for (k, (ours, truth)) in flat(ours).iter().zip(flat(truth)).enumerate() {
        assert!((ours - truth).abs() < 1e-10, "cell {k}: {ours} instead of {truth}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn expected_counts_are_those_of_all_hidden_sequences(seed: u64, ticks in 1usize..4, unknown in prop_oneof![Just(0.0), Just(0.5), Just(1.0)]) {
        let mut stream = Stream::new(seed, 0, "brute");
        for layout in [plain(3), rich(2)] {
            let ticks = if layout.shape().groups.len() > 1 { ticks.min(2) } else { ticks };
            let mut params = Params::random(&layout, &mut stream);
            random_attention(&mut params, &mut stream);
            let sequence = random_sequence(&layout, ticks, unknown, &mut stream);
            let truth = brute_counts(&layout, &params, &sequence);
            let mut ours = ExpectedCounts::new(&layout);
            ours.add_sequence(&layout, &params, &sequence, &mut Pass::new()).unwrap();
            assert_near(&ours, &truth);
            // The same with a zero here and there.
            params.theta[0] = 0.0;
            params.weights[0][0] = 0.0;
            let truth = brute_counts(&layout, &params, &sequence);
            let mut ours = ExpectedCounts::new(&layout);
            ours.add_sequence(&layout, &params, &sequence, &mut Pass::new()).unwrap();
            assert_near(&ours, &truth);
        }
    }

    #[test]
    fn posteriors_are_those_of_all_hidden_sequences(seed: u64, ticks in 1usize..4) {
        let mut stream = Stream::new(seed, 0, "brute");
        let layout = plain(2);
        let mut params = Params::random(&layout, &mut stream);
        random_attention(&mut params, &mut stream);
        let sequence = random_sequence(&layout, ticks, 0.3, &mut stream);
        let ours = posteriors(&layout, &params, &sequence, &mut Pass::new()).unwrap();
        let mut total = 0.0;
        enumerate(&layout, &params, &sequence, &mut Vec::new(), 1.0, &mut |_, p| total += p);
        let (mut high, mut low) = (vec![0.0; ours.high.len()], vec![0.0; ours.groups[0].len()]);
        enumerate(&layout, &params, &sequence, &mut Vec::new(), 1.0, &mut |path, p| {
            for (t, q) in path.iter().enumerate() {
                high[(t * 2 + q.d) * 2 + q.i] += p / total;
                if let Some(slot) = q.slots[0] {
                    low[(t * 2 + q.d) * 2 + slot] += p / total;
                }
            }
        });
        for (ours, truth) in ours.high.iter().zip(&high).chain(ours.groups[0].iter().zip(&low)) {
            prop_assert!((ours - truth).abs() < 1e-10);
        }
        // Filtered decisions: the posteriors of the sequence cut off at each tick.
        for t in 0..ticks {
            let mut cut = Sequence::new(&layout);
            for s in 0..=t {
                let low: Vec<Option<u16>> = (0..2).map(|slot| sequence.low(s, slot)).collect();
                cut.push(&layout, sequence.high(s), &low, sequence.reflexive(s), |f, slot| sequence.external(s, f, slot)).unwrap();
            }
            let cut = posteriors(&layout, &params, &cut, &mut Pass::new()).unwrap();
            for (ours, truth) in ours.filtered[t * 2..(t + 1) * 2].iter().zip(&cut.decision[t * 2..]) {
                prop_assert!((ours - truth).abs() < 1e-10);
            }
        }
    }

    #[test]
    fn the_likelihood_never_falls(seed: u64, learned in 0usize..3) {
        let mut stream = Stream::new(seed, 0, "rising");
        for layout in [plain(3), rich(2)] {
            let mut params = Params::random(&layout, &mut stream);
            random_attention(&mut params, &mut stream);
            let sequences: Vec<Sequence> =
                (0..3).map(|_| random_sequence(&layout, 20, 0.3, &mut stream)).collect();
            let attention = [Attention::Fixed, Attention::LIKELIEST, Attention::LEARNED][learned];
            let mut before = f64::NEG_INFINITY;
            for _ in 0..25 {
                let mut counts = ExpectedCounts::new(&layout);
                for sequence in &sequences {
                    counts.add_sequence(&layout, &params, sequence, &mut Pass::new()).unwrap();
                }
                let now = counts.log_likelihood + log_prior(&params, attention);
                prop_assert!(now >= before - 1e-9, "{before} fell to {now}");
                before = now;
                maximise(&layout, &mut params, &counts, 0.0, attention);
                params.check(&layout).unwrap();
            }
        }
    }
}

#[test]
fn tiny_probabilities_are_worked_out_in_logarithms() {
    let layout = plain(2);
    let mut stream = Stream::new(1, 0, "tiny");
    let mut params = Params::random(&layout, &mut stream);
    let sequence = random_sequence(&layout, 3, 0.2, &mut stream);
    let mut pass = Pass::new();
    let ordinary = pass.forward(&layout, &params, &sequence).unwrap();
    // 1e-150 for every reflexive and external action: the product of a tick is far below the smallest double.
    for table in params.reflexive.iter_mut().chain(&mut params.external) {
        table.iter_mut().for_each(|p| *p *= 1e-150);
    }
    let tiny = pass.forward(&layout, &params, &sequence).unwrap();
    let known: usize = (0..3).filter(|&t| (0..2).any(|slot| sequence.low(t, slot).is_some())).count();
    let expected = ordinary + (3.0 + 2.0 * known as f64) * ln(1e-150);
    assert!((tiny - expected).abs() < 1e-9, "{tiny} instead of {expected}");
    let mut counts = ExpectedCounts::new(&layout);
    counts.add_sequence(&layout, &params, &sequence, &mut pass).unwrap();
    assert!((counts.used.theta.iter().sum::<f64>() - 3.0).abs() < 1e-12);
}

#[test]
fn what_no_decision_explains_is_named_by_its_tick() {
    let layout = plain(2);
    let mut params = Params::uniform(&layout);
    let sequence = random_sequence(&layout, 4, 0.0, &mut Stream::new(2, 0, "impossible"));
    // The action of tick 2 gets probability 0 wherever it would be looked up.
    let done = usize::from(sequence.reflexive(2)[0]);
    let first = (0..4).find(|&t| usize::from(sequence.reflexive(t)[0]) == done).unwrap();
    for (k, p) in params.reflexive[0].iter_mut().enumerate() {
        *p = if k / 2 % 2 == done { 0.0 } else { 1.0 };
    }
    let error = Pass::new().forward(&layout, &params, &sequence).unwrap_err();
    assert_eq!(error.tick, first);
}

#[test]
fn learning_gives_the_same_bits_for_any_number_of_threads() {
    let layout = rich(3);
    let mut stream = Stream::new(5, 0, "threads");
    let sequences: Vec<Sequence> =
        (0..13).map(|k| random_sequence(&layout, 5 + k, 0.3, &mut stream)).collect();
    let params = Params::random(&layout, &mut stream);
    for folds in [0, 3] {
        let settings = EmSettings { iterations: 5, least_gain: 0.0, folds, ..EmSettings::default() };
        let learn = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| learn::from_params(&layout, params.clone(), &sequences, &settings, &|_| {}))
                .unwrap()
        };
        let alone = learn(1);
        assert!(alone == learn(2) && alone == learn(8), "folds {folds}");
    }
}
