//! Baum-Welch: learning a hidden Markov model from whole recordings.
//!
//! ```text
//! a_ij = Σ_s Σ_{t>=1} ξ_t(i,j) / Σ_s Σ_{t>=1} γ_{t-1}(i)
//! b_kj(v) = Σ_s Σ_{t: o_t^k = v} γ_t(j) / Σ_s Σ_t γ_t(j)
//! π_i = mean over sequences of γ_0(i)
//! ```
//! — Le Hy 2007, eq. 4.7 to 4.10.
//!
//! | paper                  | code          | meaning                          |
//! |------------------------|---------------|----------------------------------|
//! | `(transitions i -> j)` | `transition`  | expected transitions             |
//! | `(observations k en j)`| `observation` | expected observations in a state |
//!
//! Differs from the paper: in 4.9 and 4.10 the numerator sums over the steps where the value was observed, and the
//! denominator counts visits. Several sequences, several observation variables, an optional known likelihood per
//! state and step, and optional virtual counts (`prior`, 0 for plain maximum likelihood). A row that was never
//! visited keeps its numbers. The likelihood never falls (with `prior = 0`; otherwise the penalised one).

use super::{Hmm, MISSING, ObservationError, Sequence};
use crate::chain::{Chain, Chains, Transitions};
use crate::num::Sum;

use thiserror::Error;

/// How to learn by Baum-Welch.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Re-estimations at most.
    pub iterations: usize,
    /// Whether `P(first state)` is learned too. Off where sequences are cut anywhere.
    pub learn_initial: bool,
    /// Virtual counts added to every case; 0 is maximum likelihood, 1 is Laplace's law.
    pub prior: f64,
    /// Stop once an iteration gains less than this in log-likelihood; 0 runs all iterations.
    pub least_gain: f64,
}

impl Default for Options {
    fn default() -> Self {
        Options { iterations: 100, learn_initial: true, prior: 0.0, least_gain: 0.0 }
    }
}

/// Why a model cannot be learned: a sequence that the model holds for impossible, or that does not fit it.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
pub enum BaumWelchError {
    /// A sequence that the model holds for impossible, or that does not fit it.
    #[error("sequence {sequence}: {why}")]
    Sequence {
        /// Which one.
        sequence: usize,
        /// What is wrong with it.
        why: ObservationError,
    },
    /// Counts to go on from, or virtual ones, that are not counts.
    #[error(transparent)]
    Counts(ObservationError),
    /// Expected counts that were made for a model of another shape.
    #[error("these expected counts were made for a model of another shape")]
    OtherModel,
}

/// Learns in place. Returns the log-likelihood before each iteration and after the last.
pub fn learn(
    model: &mut Hmm,
    sequences: &[Sequence<'_>],
    options: &Options,
) -> Result<Vec<f64>, BaumWelchError> {
    if !(options.prior >= 0.0 && options.prior.is_finite()) {
        return Err(BaumWelchError::Counts(ObservationError::NotAPrior(options.prior)));
    }
    let mut expected = Expected::of(model);
    let mut log_likelihood = vec![expected.gather(model, sequences)?];
    for _ in 0..options.iterations {
        expected.maximise(model, options);
        let now = expected.gather(model, sequences)?;
        let gain = now - log_likelihood[log_likelihood.len() - 1];
        log_likelihood.push(now);
        if options.least_gain > 0.0 && gain < options.least_gain {
            break;
        }
    }
    Ok(log_likelihood)
}

/// Expected counts (sufficient statistics) and the workspace to gather them.
#[derive(Clone, Debug)]
pub struct Expected {
    initial: Vec<f64>,
    transition: Vec<f64>,
    observation: Vec<Vec<f64>>,
    chains: Chains,
    likelihood: Vec<f64>,
    pair: Vec<f64>,
}

impl Expected {
    /// Nothing gathered yet, for models of this shape.
    pub fn of(model: &Hmm) -> Self {
        let states = model.states();
        Expected {
            initial: vec![0.0; states],
            transition: vec![0.0; states * states],
            observation: model.observations.iter().map(|table| vec![0.0; table.table.len()]).collect(),
            chains: Chains::new(),
            likelihood: Vec::new(),
            pair: vec![0.0; states * states],
        }
    }

    /// The E-step: expected counts under the model as it is, and the log-likelihood.
    pub fn gather(&mut self, model: &Hmm, sequences: &[Sequence<'_>]) -> Result<f64, BaumWelchError> {
        let sizes = model.observations.iter().map(|table| table.table.len());
        if self.initial.len() != model.states() || !self.observation.iter().map(Vec::len).eq(sizes) {
            return Err(BaumWelchError::OtherModel);
        }
        self.initial.fill(0.0);
        self.transition.fill(0.0);
        self.observation.iter_mut().for_each(|table| table.fill(0.0));
        let mut total = Sum::default();
        for (index, sequence) in sequences.iter().enumerate().filter(|(_, sequence)| sequence.steps > 0) {
            let refused = |why| BaumWelchError::Sequence { sequence: index, why };
            model.likelihood(sequence, &mut self.likelihood).map_err(refused)?;
            let chain = Chain {
                initial: &model.initial,
                transitions: Transitions::Constant(&model.transition),
                likelihood: &self.likelihood,
            };
            let log_likelihood = self.chains.smooth(&chain).map_err(|why| refused(why.into()))?;
            total.add(log_likelihood);
            for t in 1..sequence.steps {
                self.chains.pair(&chain, t, &mut self.pair).map_err(|why| refused(why.into()))?;
                self.transition.iter_mut().zip(&self.pair).for_each(|(sum, xi)| *sum += xi);
            }
            let (states, width) = (model.states(), model.observations.len());
            for (t, gamma) in self.chains.smoothed().chunks_exact(states).enumerate() {
                if t == 0 {
                    self.initial.iter_mut().zip(gamma).for_each(|(sum, gamma)| *sum += gamma);
                }
                let values = &sequence.values[t * width..][..width];
                for ((counts, observation), &value) in
                    self.observation.iter_mut().zip(&model.observations).zip(values)
                {
                    if value != MISSING {
                        let column = counts[value as usize..].iter_mut().step_by(observation.card);
                        column.zip(gamma).for_each(|(sum, gamma)| *sum += gamma);
                    }
                }
            }
        }
        Ok(total.value())
    }

    /// The expected transitions, `[from][to]`.
    pub fn transition(&self) -> &[f64] {
        &self.transition
    }

    /// The expected observations of each variable, `[state][value]`.
    pub fn observation(&self) -> &[Vec<f64>] {
        &self.observation
    }

    /// The M-step: tables are the normalised expected counts.
    fn maximise(&self, model: &mut Hmm, options: &Options) {
        let states = model.states();
        if options.learn_initial {
            normalise_rows(&self.initial, states, options.prior, &mut model.initial);
        }
        normalise_rows(&self.transition, states, options.prior, &mut model.transition);
        for (counts, observation) in self.observation.iter().zip(&mut model.observations) {
            normalise_rows(counts, observation.card, options.prior, &mut observation.table);
        }
    }
}

fn normalise_rows(counts: &[f64], card: usize, prior: f64, table: &mut [f64]) {
    for (counts, row) in counts.chunks_exact(card).zip(table.chunks_exact_mut(card)) {
        let total = counts.iter().sum::<f64>() + prior * card as f64;
        if total > 0.0 {
            row.iter_mut().zip(counts).for_each(|(p, n)| *p = (n + prior) / total);
        }
    }
}

/// What a model believes about one sequence: `γ[t][i]`, and `ξ[t-1][i][j]`.
pub fn posteriors(model: &Hmm, sequence: &Sequence<'_>) -> Result<(Vec<f64>, Vec<f64>), ObservationError> {
    let mut expected = Expected::of(model);
    if sequence.steps == 0 {
        return Ok((Vec::new(), Vec::new()));
    }
    model.likelihood(sequence, &mut expected.likelihood)?;
    let chain = Chain {
        initial: &model.initial,
        transitions: Transitions::Constant(&model.transition),
        likelihood: &expected.likelihood,
    };
    expected.chains.smooth(&chain)?;
    let mut pairs = vec![0.0; (sequence.steps - 1) * expected.pair.len()];
    for (t, pair) in pairs.chunks_exact_mut(expected.pair.len()).enumerate() {
        expected.chains.pair(&chain, t + 1, pair)?;
    }
    Ok((expected.chains.smoothed().to_vec(), pairs))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draw::sample;
    use crate::hmm::Observation;
    use crate::num::{ln, normalise};
    use crate::{Stream, table::digits};
    use proptest::prelude::*;

    fn random_rows(rng: &mut Stream, rows: usize, card: usize) -> Vec<f64> {
        (0..rows)
            .flat_map(|_| {
                let mut row: Vec<f64> = (0..card).map(|_| 0.05 + rng.unit()).collect();
                normalise(&mut row);
                row
            })
            .collect()
    }

    fn random_model(rng: &mut Stream, states: usize, cards: &[usize]) -> Hmm {
        let observations =
            cards.iter().map(|&card| Observation { card, table: random_rows(rng, states, card) }).collect();
        Hmm::new(random_rows(rng, 1, states), random_rows(rng, states, states), observations).unwrap()
    }

    /// One re-estimation by enumerating every path of every sequence, and the log-likelihood.
    fn brute_force(model: &Hmm, sequences: &[Sequence<'_>]) -> (Hmm, f64) {
        let states = model.states();
        let mut next = model.clone();
        let (mut initial, mut transition) = (vec![0.0; states], vec![0.0; states * states]);
        let mut observation: Vec<Vec<f64>> =
            model.observations.iter().map(|table| vec![0.0; table.table.len()]).collect();
        let mut log_likelihood = 0.0;
        for sequence in sequences {
            let width = model.observations.len();
            let weigh = |path: &[usize]| {
                let mut p = model.initial[path[0]];
                for (t, &state) in path.iter().enumerate() {
                    if t > 0 {
                        p *= model.transition[path[t - 1] * states + state];
                    }
                    for (k, table) in model.observations.iter().enumerate() {
                        p *= table.table[state * table.card + sequence.values[t * width + k] as usize];
                    }
                    if let Some(known) = sequence.known {
                        p *= known[t * states + state];
                    }
                }
                p
            };
            let paths: Vec<Vec<usize>> = (0..states.pow(sequence.steps as u32))
                .map(|index| digits(index, &vec![states; sequence.steps]))
                .collect();
            let evidence: f64 = paths.iter().map(|path| weigh(path)).sum();
            log_likelihood += ln(evidence);
            for path in &paths {
                let p = weigh(path) / evidence;
                initial[path[0]] += p;
                for (t, &state) in path.iter().enumerate() {
                    if t > 0 {
                        transition[path[t - 1] * states + state] += p;
                    }
                    for (k, table) in model.observations.iter().enumerate() {
                        observation[k][state * table.card + sequence.values[t * width + k] as usize] += p;
                    }
                }
            }
        }
        normalise_rows(&initial, states, 0.0, &mut next.initial);
        normalise_rows(&transition, states, 0.0, &mut next.transition);
        for (counts, table) in observation.iter().zip(&mut next.observations) {
            normalise_rows(counts, table.card, 0.0, &mut table.table);
        }
        (next, log_likelihood)
    }

    fn near(a: &[f64], b: &[f64]) -> bool {
        a.len() == b.len() && a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-12)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(300))]
        #[test]
        fn one_iteration_agrees_with_enumeration(seed: u64, states in 1usize..4, with_known: bool, lengths in prop::collection::vec(1usize..5, 1..3)) {
            let mut rng = Stream::new(seed, 0, "baum-welch");
            let cards = [2, 3];
            let mut model = random_model(&mut rng, states, &cards);
            let values: Vec<Vec<u32>> = lengths.iter().map(|&steps| (0..steps).flat_map(|_| cards.map(|card| (rng.unit() * card as f64) as u32)).collect()).collect();
            let known: Vec<Vec<f64>> = lengths.iter().map(|&steps| (0..steps * states).map(|_| rng.unit() + 0.01).collect()).collect();
            let sequences: Vec<Sequence<'_>> = lengths.iter().zip(&values).zip(&known).map(|((&steps, values), known)| Sequence { steps, values, known: with_known.then_some(&known[..]) }).collect();
            let (next, before) = brute_force(&model, &sequences);
            let found = learn(&mut model, &sequences, &Options { iterations: 1, ..Options::default() }).unwrap();
            prop_assert!((found[0] - before).abs() < 1e-12);
            prop_assert!(found[1] >= found[0] - 1e-12);
            prop_assert!(near(&model.initial, &next.initial) && near(&model.transition, &next.transition));
            for (a, b) in model.observations.iter().zip(&next.observations) {
                prop_assert!(near(&a.table, &b.table));
            }
        }

        #[test]
        fn likelihood_never_falls(seed: u64, states in 1usize..5) {
            let mut rng = Stream::new(seed, 0, "rise");
            let mut model = random_model(&mut rng, states, &[3, 2]);
            let values: Vec<u32> = (0..100).flat_map(|_| [(rng.unit() * 3.0) as u32, (rng.unit() * 2.0) as u32]).collect();
            let sequence = Sequence { steps: 100, values: &values, known: None };
            let curve = learn(&mut model, &[sequence], &Options { iterations: 30, ..Options::default() }).unwrap();
            prop_assert!(curve.windows(2).all(|pair| pair[1] >= pair[0] - 1e-9), "{:?}", curve);
        }
    }

    #[test]
    fn recovers_the_model_that_made_the_data() {
        let mut rng = Stream::new(11, 0, "recover");
        let truth = Hmm::new(
            vec![1.0, 0.0],
            vec![0.95, 0.05, 0.10, 0.90],
            vec![
                Observation { card: 2, table: vec![0.9, 0.1, 0.2, 0.8] },
                Observation { card: 3, table: vec![0.7, 0.2, 0.1, 0.1, 0.2, 0.7] },
            ],
        )
        .unwrap();
        let mut values = Vec::new();
        let mut state = 0;
        for _ in 0..20_000 {
            values.extend(
                truth
                    .observations
                    .iter()
                    .map(|table| sample(&table.table[state * table.card..][..table.card], &mut rng) as u32),
            );
            state = sample(&truth.transition[state * 2..][..2], &mut rng);
        }
        let mut model = Hmm::new(
            vec![0.5, 0.5],
            vec![0.6, 0.4, 0.4, 0.6],
            vec![
                Observation { card: 2, table: vec![0.6, 0.4, 0.4, 0.6] },
                Observation { card: 3, table: vec![1.0 / 3.0; 6] },
            ],
        )
        .unwrap();
        let sequence = Sequence { steps: 20_000, values: &values, known: None };
        let options =
            Options { iterations: 200, learn_initial: false, least_gain: 1e-6, ..Options::default() };
        learn(&mut model, &[sequence], &options).unwrap();
        for (found, truth) in model.transition.iter().zip(&truth.transition) {
            assert!((found - truth).abs() < 0.02, "{:?}", model.transition);
        }
        for (found, truth) in model.observations.iter().zip(&truth.observations) {
            assert!(found.table.iter().zip(&truth.table).all(|(a, b)| (a - b).abs() < 0.02), "{found:?}");
        }
        assert_eq!(model.initial, [0.5, 0.5], "not learned");
    }

    #[test]
    fn a_state_never_visited_keeps_its_rows() {
        let mut model = Hmm::new(
            vec![1.0, 0.0],
            vec![1.0, 0.0, 0.25, 0.75],
            vec![Observation { card: 2, table: vec![0.5, 0.5, 0.125, 0.875] }],
        )
        .unwrap();
        let sequence = Sequence { steps: 3, values: &[0, 1, MISSING], known: None };
        learn(&mut model, &[sequence], &Options { iterations: 2, ..Options::default() }).unwrap();
        assert_eq!(model.transition[2..], [0.25, 0.75]);
        assert_eq!(model.observations[0].table[2..], [0.125, 0.875]);
    }

    #[test]
    fn an_impossible_sequence_is_named_and_nothing_is_lost() {
        let table = vec![1.0, 0.0, 1.0, 0.0];
        let mut model = Hmm::new(vec![0.5; 2], vec![0.5; 4], vec![Observation { card: 2, table }]).unwrap();
        let before = model.clone();
        let good = Sequence { steps: 1, values: &[0], known: None };
        let bad = Sequence { steps: 2, values: &[0, 1], known: None };
        let refused = learn(&mut model, &[good, bad], &Options::default()).unwrap_err();
        assert_eq!(
            refused.to_string(),
            "sequence 1: what is observed at step 1 is impossible after what came before"
        );
        assert_eq!(model, before);
    }
}
