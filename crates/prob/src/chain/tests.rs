//! Chains against the enumeration of every path, and over lengths that would underflow.

use super::*;
use crate::Stream;
use proptest::prelude::*;

struct Owned {
    states: usize,
    initial: Vec<f64>,
    transitions: Vec<f64>,
    each_step: bool,
    likelihood: Vec<f64>,
}

impl Owned {
    /// A random chain with hard zeros, deterministic rows and likelihoods of any size.
    fn random(seed: u64, states: usize, steps: usize, each_step: bool) -> Owned {
        let mut rng = Stream::new(seed, 0, "chain");
        let mut weights = |n: usize| -> Vec<f64> {
            let mut row: Vec<f64> =
                (0..n).map(|_| if rng.unit() < 0.25 { 0.0 } else { rng.unit() }).collect();
            if row.iter().sum::<f64>() == 0.0 {
                row[n - 1] = 1.0;
            }
            row
        };
        let mut distribution = |n: usize| {
            let mut row = weights(n);
            normalise(&mut row);
            row
        };
        let tables = if each_step { steps - 1 } else { 1 };
        let initial = distribution(states);
        let transitions = (0..tables * states).flat_map(|_| distribution(states)).collect();
        let likelihood = (0..steps).flat_map(|_| weights(states)).collect();
        Owned { states, initial, transitions, each_step, likelihood }
    }

    fn chain(&self) -> Chain<'_> {
        let transitions = if self.each_step {
            Transitions::EachStep(&self.transitions)
        } else {
            Transitions::Constant(&self.transitions)
        };
        Chain { initial: &self.initial, transitions, likelihood: &self.likelihood }
    }

    /// Every path of the first `steps` steps with its joint probability.
    fn paths(&self, steps: usize) -> Vec<(Vec<usize>, f64)> {
        let chain = self.chain();
        (0..self.states.pow(steps as u32))
            .map(|index| {
                let path = crate::table::digits(index, &vec![self.states; steps]);
                let mut p = self.initial[path[0]] * chain.likelihood_at(0)[path[0]];
                for t in 1..steps {
                    p *= chain.transition(t)[path[t - 1] * self.states + path[t]]
                        * chain.likelihood_at(t)[path[t]];
                }
                (path, p)
            })
            .collect()
    }
}

fn total<'a>(paths: impl IntoIterator<Item = &'a (Vec<usize>, f64)>) -> f64 {
    paths.into_iter().map(|(_, p)| p).sum()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]
    #[test]
    fn everything_agrees_with_enumeration(seed: u64, states in 1usize..4, steps in 1usize..6, each_step: bool) {
        let owned = Owned::random(seed, states, steps, each_step);
        let chain = owned.chain();
        let mut chains = Chains::new();
        let paths = owned.paths(steps);
        let evidence = total(&paths);
        if evidence == 0.0 {
            let first = (1..=steps).find(|&t| total(&owned.paths(t)) == 0.0).unwrap() - 1;
            prop_assert_eq!(chains.smooth(&chain), Err(ChainError::Impossible { step: first }));
            prop_assert_eq!(most_likely_path(&chain), Err(ChainError::Impossible { step: first }));
            return Ok(());
        }
        let log_likelihood = chains.smooth(&chain).unwrap();
        prop_assert!((log_likelihood - ln(evidence)).abs() < 1e-12);
        let mut pair = vec![0.0; states * states];
        for t in 0..steps {
            let so_far = owned.paths(t + 1);
            for i in 0..states {
                let filtered = total(so_far.iter().filter(|(path, _)| path[t] == i)) / total(&so_far);
                prop_assert!((chains.filtered()[t * states + i] - filtered).abs() < 1e-12);
                let smoothed = total(paths.iter().filter(|(path, _)| path[t] == i)) / evidence;
                prop_assert!((chains.smoothed()[t * states + i] - smoothed).abs() < 1e-12);
                if t > 0 {
                    chains.pair(&chain, t, &mut pair).unwrap();
                    for j in 0..states {
                        let both = total(paths.iter().filter(|(path, _)| path[t - 1] == i && path[t] == j)) / evidence;
                        prop_assert!((pair[i * states + j] - both).abs() < 1e-12);
                    }
                }
            }
        }
        let best = paths.iter().map(|(_, p)| *p).fold(0.0, f64::max);
        let found = most_likely_path(&chain).unwrap();
        let (_, p) = paths.iter().find(|(path, _)| path.iter().zip(&found.states).all(|(a, b)| *a == *b as usize)).unwrap();
        prop_assert!((p / best - 1.0).abs() < 1e-12);
        prop_assert!((found.log_probability - ln(best)).abs() < 1e-12);
    }
}

#[test]
fn a_hundred_thousand_steps_neither_underflow_nor_drift() {
    // Likelihoods near 1e-30: the plain product leaves f64 after ten steps.
    let (states, steps) = (5, 100_000);
    let mut rng = Stream::new(1, 0, "long");
    let mut row = || {
        let mut row: Vec<f64> = (0..states).map(|_| rng.unit()).collect();
        normalise(&mut row);
        row
    };
    let initial = row();
    let transitions: Vec<f64> = (0..states).flat_map(|_| row()).collect();
    let likelihood: Vec<f64> = (0..steps).flat_map(|_| row()).map(|p| p * 1e-30).collect();
    let chain = Chain {
        initial: &initial,
        transitions: Transitions::Constant(&transitions),
        likelihood: &likelihood,
    };
    let mut chains = Chains::new();
    let log_likelihood = chains.smooth(&chain).unwrap();

    for gamma in chains.smoothed().chunks_exact(states) {
        assert!((gamma.iter().sum::<f64>() - 1.0).abs() < 1e-14);
    }
    // γ_{t-1} is the margin of ξ_t on one side and γ_t on the other, at the start, the middle and the end.
    let mut pair = vec![0.0; states * states];
    for t in [1, 50_000, steps - 1] {
        chains.pair(&chain, t, &mut pair).unwrap();
        for i in 0..states {
            let from: f64 = pair[i * states..][..states].iter().sum();
            let to: f64 = (0..states).map(|j| pair[j * states + i]).sum();
            assert!((from - chains.smoothed()[(t - 1) * states + i]).abs() < 1e-13);
            assert!((to - chains.smoothed()[t * states + i]).abs() < 1e-13);
        }
    }
    // An independent forward pass in logs.
    let mut logs: Vec<f64> = (0..states).map(|i| ln(initial[i]) + ln(likelihood[i])).collect();
    for t in 1..steps {
        logs = (0..states)
            .map(|j| {
                let into: Vec<f64> = (0..states).map(|i| logs[i] + ln(transitions[i * states + j])).collect();
                crate::num::log_sum_exp(&into) + ln(likelihood[t * states + j])
            })
            .collect();
    }
    let reference = crate::num::log_sum_exp(&logs);
    assert!((log_likelihood / reference - 1.0).abs() < 1e-12, "{log_likelihood} {reference}");
}

#[test]
fn a_known_answer_does_not_drift() {
    // Every state explains every step with 1/3, so ln P = -steps ln 3 exactly.
    let steps = 100_000;
    let transitions = [0.5, 0.3, 0.2, 0.2, 0.5, 0.3, 0.3, 0.2, 0.5];
    let likelihood = vec![1.0 / 3.0; 3 * steps];
    let chain = Chain {
        initial: &[1.0, 0.0, 0.0],
        transitions: Transitions::Constant(&transitions),
        likelihood: &likelihood,
    };
    let log_likelihood = Chains::new().forward(&chain).unwrap();
    assert!((log_likelihood + steps as f64 * ln(3.0)).abs() < 1e-7, "{log_likelihood}");
}
