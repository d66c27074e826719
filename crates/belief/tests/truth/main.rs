//! The filter, smoothing, the most likely way and crowds against all hidden ways, one by one.

use proptest::prelude::*;
use repertoire_belief::crowd::{self, Sightings};
use repertoire_belief::{Dynamics, FilterError, Impossible, best_path, filter_all, smooth, with_ends};
use repertoire_prob::num::{ln, pow};

/// Tables of a small problem.
#[derive(Clone, Debug)]
struct Problem {
    mu: Vec<f64>,
    transition: Vec<Vec<f64>>,
    duration: Vec<Vec<f64>>,
    likelihood: Vec<Vec<f64>>,
}

impl Problem {
    fn dynamics(&self) -> Dynamics {
        Dynamics::new(&self.mu, &self.transition, &self.duration).expect("tables")
    }
}

fn normalised(mut row: Vec<f64>) -> Vec<f64> {
    let total: f64 = row.iter().sum();
    row.iter_mut().for_each(|p| *p /= total);
    row
}

/// Every way of `steps` steps with its probability, straight from the definition: stays with drawn lengths, the last one
/// cut off by the end.
fn all_ways(problem: &Problem, steps: usize) -> Vec<(Vec<usize>, f64)> {
    fn go_on(
        problem: &Problem,
        steps: usize,
        way: &mut Vec<usize>,
        p: f64,
        out: &mut Vec<(Vec<usize>, f64)>,
        s: usize,
    ) {
        let left = steps - way.len();
        let stays = &problem.duration[s];
        for (d, &chance) in stays.iter().enumerate().map(|(d, chance)| (d + 1, chance)) {
            if d < left && chance > 0.0 {
                way.extend(std::iter::repeat_n(s, d));
                for (to, &next) in problem.transition[s].iter().enumerate() {
                    if next > 0.0 {
                        go_on(problem, steps, way, p * chance * next, out, to);
                    }
                }
                way.truncate(way.len() - d);
            }
        }
        let longer: f64 = stays.iter().skip(left - 1).sum();
        if longer > 0.0 {
            way.extend(std::iter::repeat_n(s, left));
            out.push((way.clone(), p * longer));
            way.truncate(way.len() - left);
        }
    }
    let mut out = Vec::new();
    for (s, &p) in problem.mu.iter().enumerate() {
        if p > 0.0 {
            go_on(problem, steps, &mut Vec::new(), p, &mut out, s);
        }
    }
    out
}

fn weight(way: &[usize], p: f64, likelihood: &[Vec<f64>]) -> f64 {
    way.iter().zip(likelihood).fold(p, |p, (&s, l)| p * l[s])
}

/// `P(place at each step | all of these observations)` and `P(observations)`.
fn by_enumeration(problem: &Problem, likelihood: &[Vec<f64>]) -> (Vec<Vec<f64>>, f64) {
    let (places, steps) = (problem.mu.len(), likelihood.len());
    let mut gamma = vec![vec![0.0; places]; steps];
    let mut total = 0.0;
    for (way, p) in all_ways(problem, steps) {
        let w = weight(&way, p, likelihood);
        total += w;
        way.iter().enumerate().for_each(|(t, &s)| gamma[t][s] += w);
    }
    gamma.iter_mut().flatten().for_each(|p| *p /= total);
    (gamma, total)
}

fn distribution(size: usize) -> impl Strategy<Value = Vec<f64>> {
    prop::collection::vec(prop_oneof![3 => 0.05..1.0f64, 1 => Just(0.0)], size)
        .prop_filter("something is possible", |row| row.iter().sum::<f64>() > 0.0)
        .prop_map(normalised)
}

/// Durations: any, or fixed.
fn stays() -> impl Strategy<Value = Vec<f64>> {
    prop_oneof![
        (1usize..4).prop_flat_map(distribution),
        (1usize..4).prop_map(|d| (1..=d).map(|k| f64::from(u8::from(k == d))).collect::<Vec<f64>>()),
    ]
}

fn problem() -> impl Strategy<Value = Problem> {
    (2usize..4, 1usize..6).prop_flat_map(|(places, steps)| {
        let rows = (0..places)
            .map(|s| {
                distribution(places - 1).prop_map(move |mut row| {
                    row.insert(s, 0.0);
                    row
                })
            })
            .collect::<Vec<_>>();
        let likelihood = prop::collection::vec(
            prop::collection::vec(prop_oneof![4 => 0.01..1.0f64, 1 => Just(0.0)], places),
            steps,
        );
        (distribution(places), rows, prop::collection::vec(stays(), places), likelihood).prop_map(
            |(mu, transition, duration, likelihood)| Problem { mu, transition, duration, likelihood },
        )
    })
}

fn close(a: f64, b: f64) -> bool {
    (a - b).abs() < 1e-12
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn the_filter_is_the_posterior_of_all_ways(problem in problem()) {
        let found = filter_all(&problem.dynamics(), &problem.likelihood);
        for t in 0..problem.likelihood.len() {
            let (gamma, total) = by_enumeration(&problem, &problem.likelihood[..=t]);
            if total == 0.0 {
                prop_assert_eq!(*found.as_ref().expect_err("impossible"), FilterError::from(Impossible { step: t }));
                break;
            }
            if let Ok((posterior, evidence)) = &found {
                prop_assert!(close(evidence[t], ln(total)), "{} {}", evidence[t], ln(total));
                for (a, b) in posterior[t].iter().zip(&gamma[t]) {
                    prop_assert!(close(*a, *b), "{:?} {:?}", posterior[t], gamma[t]);
                }
            }
        }
    }

    #[test]
    fn smoothing_and_the_best_way_are_those_of_all_ways(problem in problem()) {
        let (gamma, total) = by_enumeration(&problem, &problem.likelihood);
        let found = smooth(&problem.dynamics(), &problem.likelihood);
        let best = best_path(&problem.dynamics(), &problem.likelihood);
        if total == 0.0 {
            prop_assert!(found.is_err() && best.is_err());
        } else {
            let found = found.expect("possible");
            for (a, b) in found.iter().flatten().zip(gamma.iter().flatten()) {
                prop_assert!(close(*a, *b), "{found:?} {gamma:?}");
            }
            let best = best.expect("possible");
            let ways = all_ways(&problem, problem.likelihood.len());
            let weighed = |(way, p): &(Vec<usize>, f64)| weight(way, *p, &problem.likelihood);
            let most = ways.iter().map(weighed).fold(0.0, f64::max);
            prop_assert!(close(best.log_probability, ln(most)), "{} {}", best.log_probability, ln(most));
            let way: Vec<usize> = best.places.iter().map(|&s| s as usize).collect();
            let own: f64 = ways.iter().filter(|(other, _)| *other == way).map(weighed).sum();
            prop_assert!((own / most - 1.0).abs() < 1e-12, "the way it names is as likely as it says");
        }
    }

    #[test]
    fn known_ends_are_the_ways_that_have_them(problem in problem()) {
        let known = with_ends(&problem.likelihood, 0, 1).expect("two places");
        let ends = |way: &[usize]| way.first() == Some(&0) && way.last() == Some(&1);
        let steps = problem.likelihood.len();
        let ways: Vec<_> = all_ways(&problem, steps).into_iter().filter(|(way, _)| ends(way)).collect();
        let total: f64 = ways.iter().map(|(way, p)| weight(way, *p, &problem.likelihood)).sum();
        match smooth(&problem.dynamics(), &known) {
            Err(_) => prop_assert_eq!(total, 0.0),
            Ok(found) => {
                for (t, row) in found.iter().enumerate() {
                    for (s, p) in row.iter().enumerate() {
                        let there = ways.iter().filter(|(way, _)| way[t] == s);
                        let sum: f64 = there.map(|(way, p)| weight(way, *p, &problem.likelihood)).sum();
                        prop_assert!(close(*p, sum / total));
                    }
                }
            }
        }
    }

    #[test]
    fn a_crowd_is_all_their_ways_together(problem in problem(), opponents in 0usize..3, visible in prop::collection::vec(prop_oneof![0.0..1.0f64, Just(0.0), Just(1.0)], 12), pick in any::<u64>()) {
        let (places, steps) = (problem.mu.len(), problem.likelihood.len().min(3));
        let visible: Vec<Vec<f64>> = (0..steps).map(|t| (0..places).map(|s| visible[(t * places + s) % 12]).collect()).collect();
        let ways = all_ways(&problem, steps);
        // Observations that can be: made from one of the joint ways.
        let mut rng = repertoire_prob::Stream::new(pick, 0, "crowd");
        let drawn: Vec<&Vec<usize>> = (0..opponents).map(|_| &ways[(rng.unit() * ways.len() as f64) as usize].0).collect();
        let seen: Vec<Vec<u32>> = (0..steps).map(|t| (0..places).map(|s| drawn.iter().filter(|way| way[t] == s && rng.unit() < visible[t][s]).count() as u32).collect()).collect();
        let sightings = Sightings { opponents, visible: &visible, seen: &seen };
        let found = crowd::exact(&problem.dynamics(), sightings).expect("it happened");
        for t in 0..steps {
            let (expected, at_least) = crowd_by_enumeration(&problem, opponents, &visible[..=t], &seen[..=t]);
            for s in 0..places {
                prop_assert!(close(found.expected_count[t][s], expected[s]), "{:?} {expected:?}", found.expected_count[t]);
                prop_assert!(close(found.p_at_least_one[t][s], at_least[s]));
            }
        }
    }
}

fn crowd_by_enumeration(
    problem: &Problem,
    m: usize,
    visible: &[Vec<f64>],
    seen: &[Vec<u32>],
) -> (Vec<f64>, Vec<f64>) {
    let (places, steps) = (problem.mu.len(), seen.len());
    let ways = all_ways(problem, steps);
    let choose = |n: u32, c: u32| (0..c).fold(1.0, |b, k| b * f64::from(n - k) / f64::from(k + 1));
    let (mut expected, mut at_least, mut total) = (vec![0.0; places], vec![0.0; places], 0.0);
    let mut which = vec![0; m];
    loop {
        let mut p: f64 = which.iter().map(|&k| ways[k].1).product();
        for t in 0..steps {
            for s in 0..places {
                let n = which.iter().filter(|&&k| ways[k].0[t] == s).count() as u32;
                let (c, v) = (seen[t][s], visible[t][s]);
                p *= if c > n {
                    0.0
                } else {
                    choose(n, c) * pow(v, f64::from(c)) * pow(1.0 - v, f64::from(n - c))
                };
            }
        }
        total += p;
        for s in 0..places {
            let n = which.iter().filter(|&&k| ways[k].0[steps - 1] == s).count();
            expected[s] += p * n as f64;
            at_least[s] += if n > 0 { p } else { 0.0 };
        }
        let Some(at) = which.iter().position(|&k| k + 1 < ways.len()) else { break };
        which[at] += 1;
        which[..at].fill(0);
    }
    (expected.iter().map(|p| p / total).collect(), at_least.iter().map(|p| p / total).collect())
}

#[test]
fn fixed_durations_are_exact_where_the_printed_recursion_is_zero() {
    // Stays of exactly 2 and 3 steps: at most steps no stay ends, and eq. 9 says 0 everywhere.
    let problem = Problem {
        mu: vec![0.3, 0.7],
        transition: vec![vec![0.0, 1.0], vec![1.0, 0.0]],
        duration: vec![vec![0.0, 1.0], vec![0.0, 0.0, 1.0]],
        likelihood: vec![vec![0.5, 0.9]; 9],
    };
    let (posterior, evidence) = filter_all(&problem.dynamics(), &problem.likelihood).expect("possible");
    for t in 0..9 {
        let (gamma, total) = by_enumeration(&problem, &problem.likelihood[..=t]);
        assert!(posterior[t].iter().zip(&gamma[t]).all(|(a, b)| close(*a, *b)), "{t}");
        assert!(close(evidence[t], ln(total)));
    }
}

#[test]
fn a_place_without_exits_is_never_left() {
    let dynamics =
        Dynamics::new(&[1.0, 0.0], &[vec![0.0, 1.0], vec![0.0, 0.0]], &[vec![1.0], vec![0.5, 0.5]]);
    let (posterior, evidence) =
        filter_all(&dynamics.expect("tables"), &vec![vec![1.0, 1.0]; 6]).expect("possible");
    assert_eq!(posterior[5], [0.0, 1.0]);
    assert!(evidence[5].abs() < 1e-15);
}

#[test]
fn long_filters_neither_underflow_nor_drift() {
    let dynamics = Dynamics::new(
        &[0.2, 0.8],
        &[vec![0.0, 1.0], vec![1.0, 0.0]],
        &[vec![0.1, 0.4, 0.5], vec![0.6, 0.0, 0.0, 0.4]],
    )
    .expect("tables");
    let (posterior, evidence) = filter_all(&dynamics, &vec![vec![1e-200, 2e-200]; 5000]).expect("possible");
    assert!((posterior[4999].iter().sum::<f64>() - 1.0).abs() < 1e-12);
    assert!(evidence[4999].is_finite() && evidence[4999] < -2e6);
}

#[test]
fn the_error_of_tracks_is_what_we_say() {
    let mut rng = repertoire_prob::Stream::new(11, 0, "tracks");
    let (mut worst, mut sum, mut count) = (0.0f64, 0.0, 0.0);
    for _ in 0..300 {
        let places = 4;
        let mut row = |size: usize| normalised((0..size).map(|_| rng.unit() + 0.02).collect());
        let transition = (0..places)
            .map(|s| {
                let mut row = row(places - 1);
                row.insert(s, 0.0);
                row
            })
            .collect();
        let problem = Problem {
            mu: row(places),
            transition,
            duration: (0..places).map(|_| row(2)).collect(),
            likelihood: vec![],
        };
        let dynamics = problem.dynamics();
        let mut walks: Vec<_> =
            (0..3).map(|_| repertoire_belief::simulate::Walk::begin(&dynamics, &mut rng)).collect();
        let (mut visible, mut seen) = (Vec::new(), Vec::new());
        for _ in 0..8 {
            let v: Vec<f64> = (0..places).map(|_| if rng.unit() < 0.5 { 0.9 } else { 0.0 }).collect();
            let mut counts = vec![0; places];
            walks.iter().for_each(|walk| counts[walk.place] += u32::from(rng.unit() < v[walk.place]));
            visible.push(v);
            seen.push(counts);
            walks.iter_mut().for_each(|walk| walk.step(&dynamics, &mut rng));
        }
        let sightings = Sightings { opponents: 3, visible: &visible, seen: &seen };
        let exact = crowd::exact(&dynamics, sightings).expect("it happened");
        let tracks = crowd::tracks(&dynamics, sightings).expect("it happened");
        for (a, b) in exact.expected_count.iter().flatten().zip(tracks.expected_count.iter().flatten()) {
            worst = worst.max((a - b).abs());
            sum += (a - b).abs();
            count += 1.0;
        }
        // The first sighting is exact.
        for (a, b) in exact.p_at_least_one[0].iter().zip(&tracks.p_at_least_one[0]) {
            assert!((a - b).abs() < 1e-9, "{a} {b}");
        }
    }
    println!("mean {} worst {worst}", sum / count);
    assert!(sum / count < 0.02 && worst < 0.5, "mean {} worst {worst}", sum / count);
}
