//! Incremental Baum-Welch: learning a sequence of hidden states while it happens.
//!
//! Each observation is filtered with the tables as they are, then added to soft counts:
//!
//! ```text
//! f_0(j) ∝ 1/S · b_j(o_0) L_0(j)
//! ξ_n(i,j) ∝ f_{n-1}(i) a_ij b_j(o_n) L_n(j)        f_n(j) = Σ_i ξ_n(i,j)
//! N_a(i,j) += ξ_n(i,j)   (n >= 1)                    N_b(k,j,o_n^k) += f_n(j)   (n >= 0)
//! ```
//! with all counts 1 at the start, and tables the normalised counts — Le Hy 2007, section 4.4.3, eq. 4.15 to 4.24.
//!
//! | paper                | code          | meaning                                              |
//! |----------------------|---------------|------------------------------------------------------|
//! | `P(T^n, T^{n-1} \| MS)` | `pair`     | `ξ_n`: one-step filter, no backward pass             |
//! | `P(M \| S_0 T)`      | `known`       | `L_n`: how well each task explains the observed act  |
//! | the three matrices   | [`SoftCounts`]    | soft counts that start at 1                          |
//!
//! Differs from the paper: the printed increments 4.23 and 4.24 are divided by `n P̃(T = i)`; added to matrices that
//! start at 1 their mass grows like log n and learning freezes. Plain soft counts are used. All probabilities are
//! conditioned on the observations so far, which the printed formulas leave out. Without task models (`known`)
//! the first step is symmetric in the states and nothing tells them apart. Cost: constant time and memory per
//! observation, O(states² + states · observations); no allocation.

use serde::{Deserialize, Serialize};

use super::{Hmm, MISSING, Observation, ObservationError, check_known};
use crate::num::normalise;

/// A table as unnormalised counts, `[row][value]`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SoftCounts {
    card: usize,
    cells: Vec<f64>,
    /// Sum of each row, kept so that a probability is one division.
    totals: Vec<f64>,
}

impl SoftCounts {
    fn ones(rows: usize, card: usize) -> Self {
        SoftCounts { card, cells: vec![1.0; rows * card], totals: vec![card as f64; rows] }
    }

    /// Goes on from counts `[row][value]`, virtual ones included. Every one must be positive.
    pub fn from_cells(card: usize, cells: Vec<f64>) -> Result<Self, ObservationError> {
        if card == 0 || !cells.len().is_multiple_of(card) {
            return Err(ObservationError::Size { what: "a row of counts", needed: card, found: cells.len() });
        }
        if let Some((at, &value)) = cells.iter().enumerate().find(|(_, n)| !(**n > 0.0 && n.is_finite())) {
            return Err(ObservationError::NotACount { at, value });
        }
        let totals = cells.chunks_exact(card).map(|row| row.iter().sum()).collect();
        Ok(SoftCounts { card, cells, totals })
    }

    /// The counts, `[row][value]`, virtual ones included.
    #[inline]
    pub fn cells(&self) -> &[f64] {
        &self.cells
    }

    /// The probabilities, `[row][value]`.
    pub fn probabilities(&self) -> Vec<f64> {
        let rows = self.cells.chunks_exact(self.card).zip(&self.totals);
        rows.flat_map(|(row, total)| row.iter().map(move |n| n / total)).collect()
    }

    #[inline]
    fn probability(&self, row: usize, value: usize) -> f64 {
        self.cells[row * self.card + value] / self.totals[row]
    }

    #[inline]
    fn add(&mut self, row: usize, value: usize, weight: f64) {
        self.cells[row * self.card + value] += weight;
        self.totals[row] += weight;
    }
}

/// Learns a hidden Markov model one observation at a time. Serialises, to go on later.
///
/// ```
/// use repertoire_prob::hmm::incremental::{IncrementalBaumWelch, Step};
/// // Two tasks, one sensor of three values; the act seen is five times likelier under the first task.
/// let mut learner = IncrementalBaumWelch::new(2, &[3]);
/// assert_eq!(learner.observe(&[2], Some(&[0.5, 0.1]))?, Step::Learned);
/// assert!(learner.filtered()[0] > 0.8);
/// assert!(learner.observe(&[2], Some(&[f64::INFINITY, 0.1])).is_err());
/// # Ok::<(), repertoire_prob::hmm::ObservationError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct IncrementalBaumWelch {
    states: usize,
    transition: SoftCounts,
    observations: Vec<SoftCounts>,
    /// `P(state | all so far)`; empty before the first observation.
    filtered: Vec<f64>,
    #[serde(skip)]
    scratch: Scratch,
}

/// Working memory of one step; holds nothing between steps.
#[derive(Clone, Debug, Default)]
struct Scratch {
    likelihood: Vec<f64>,
    pair: Vec<f64>,
    evidence: f64,
}

// Two learners are equal whatever their working memory holds.
impl PartialEq for Scratch {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

/// Whether an observation could be explained.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// It was, and is now part of the counts.
    Learned,
    /// The known likelihood was 0 for every state that could be: it was left out, and the rest was learned.
    Contradiction,
}

impl IncrementalBaumWelch {
    /// Nothing seen yet: every table uniform.
    ///
    /// # Panics
    /// If there is no state, or an observation variable has no value.
    pub fn new(states: usize, cards: &[usize]) -> Self {
        assert!(states > 0 && cards.iter().all(|&card| card > 0), "states and values to learn");
        IncrementalBaumWelch {
            states,
            transition: SoftCounts::ones(states, states),
            observations: cards.iter().map(|&card| SoftCounts::ones(states, card)).collect(),
            filtered: Vec::new(),
            scratch: Scratch::default(),
        }
    }

    /// Goes on from counts: those of the transitions, and of each observation variable.
    pub fn from_counts(
        transition: SoftCounts,
        observations: Vec<SoftCounts>,
    ) -> Result<Self, ObservationError> {
        let states = transition.card;
        if let Some(counts) =
            [&transition].into_iter().chain(&observations).find(|counts| counts.totals.len() != states)
        {
            let found = counts.totals.len();
            return Err(ObservationError::Size {
                what: "the rows of a table of counts",
                needed: states,
                found,
            });
        }
        Ok(IncrementalBaumWelch {
            states,
            transition,
            observations,
            filtered: Vec::new(),
            scratch: Scratch::default(),
        })
    }

    /// One observation: a value for each observation variable ([`MISSING`] where none was made), and optionally
    /// how well each state explains what was done: finite numbers from 0 up, of any scale.
    ///
    /// On an error nothing was learned.
    #[inline]
    pub fn observe(&mut self, values: &[u32], known: Option<&[f64]>) -> Result<Step, ObservationError> {
        self.check_values(values)?;
        if let Some(known) = known {
            if known.len() != self.states {
                let (needed, found) = (self.states, known.len());
                return Err(ObservationError::Size { what: "the known likelihoods", needed, found });
            }
            check_known(known)?;
        }
        Ok(self.learn(values, known))
    }

    /// One value that exists, or none, for each observation variable.
    #[inline]
    fn check_values(&self, values: &[u32]) -> Result<(), ObservationError> {
        let needed = self.observations.len();
        if values.len() != needed {
            return Err(ObservationError::Size { what: "the observed values", needed, found: values.len() });
        }
        for (variable, (counts, &value)) in self.observations.iter().zip(values).enumerate() {
            if value as usize >= counts.card && value != MISSING {
                return Err(ObservationError::NoSuchValue { variable, value, card: counts.card });
            }
        }
        Ok(())
    }

    #[inline]
    fn learn(&mut self, values: &[u32], known: Option<&[f64]>) -> Step {
        self.weigh(values);
        let mut step = Step::Learned;
        if !self.filter(known) {
            // SoftCounts are never 0, so without the known likelihood some state always explains the step.
            step = Step::Contradiction;
            self.weigh(values);
            self.filter(None);
        }
        if self.filtered.is_empty() {
            self.filtered = self.scratch.pair[..self.states].to_vec();
        } else {
            self.filtered.fill(0.0);
            let SoftCounts { cells, totals, .. } = &mut self.transition;
            let rows = cells.chunks_exact_mut(self.states).zip(totals);
            for ((row, total), pairs) in rows.zip(self.scratch.pair.chunks_exact(self.states)) {
                for ((cell, f), &xi) in row.iter_mut().zip(&mut self.filtered).zip(pairs) {
                    *f += xi;
                    *cell += xi;
                    *total += xi;
                }
            }
        }
        for (counts, &value) in self.observations.iter_mut().zip(values) {
            if value != MISSING {
                for (j, &f) in self.filtered.iter().enumerate() {
                    counts.add(j, value as usize, f);
                }
            }
        }
        step
    }

    /// `P(values | state)` for each state. SoftCounts and totals of a few variables are multiplied apart and divided once: a
    /// division takes as long as many multiplications, and eight totals stay far from what a number can hold.
    #[inline]
    fn weigh(&mut self, values: &[u32]) {
        let likelihood = &mut self.scratch.likelihood;
        likelihood.clear();
        likelihood.resize(self.states, 1.0);
        for (several, values) in self.observations.chunks(8).zip(values.chunks(8)) {
            for (j, b) in likelihood.iter_mut().enumerate() {
                let (mut counted, mut totals) = (1.0, 1.0);
                for (counts, &value) in several.iter().zip(values) {
                    if value != MISSING {
                        counted *= counts.cells[j * counts.card + value as usize];
                        totals *= counts.totals[j];
                    }
                }
                *b *= counted / totals;
            }
        }
    }

    /// One observation while the state was known, after the state before, if there was one: plain counting.
    ///
    /// On an error nothing was learned.
    pub fn observe_state(
        &mut self,
        previous: Option<usize>,
        state: usize,
        values: &[u32],
    ) -> Result<(), ObservationError> {
        self.check_values(values)?;
        let states = self.states;
        if let Some(state) = previous.into_iter().chain([state]).find(|&state| state >= states) {
            return Err(ObservationError::NoSuchState { state, states });
        }
        let sensors = self.observations.iter().zip(values).filter(|(_, value)| **value != MISSING);
        let likelihood: f64 =
            sensors.map(|(counts, &value)| counts.probability(state, value as usize)).product();
        let before = previous.map_or(1.0 / self.states as f64, |i| self.transition.probability(i, state));
        self.scratch.evidence = before * likelihood;
        if let Some(previous) = previous {
            self.transition.add(previous, state, 1.0);
        }
        for (counts, &value) in self.observations.iter_mut().zip(values) {
            if value != MISSING {
                counts.add(state, value as usize, 1.0);
            }
        }
        Ok(())
    }

    /// Fills `pair` with ξ (or, at the first step, its first row with `f_0`); false if nothing explains it.
    #[inline]
    fn filter(&mut self, known: Option<&[f64]>) -> bool {
        let Scratch { likelihood, pair, evidence } = &mut self.scratch;
        likelihood.iter_mut().zip(known.unwrap_or_default()).for_each(|(b, known)| *b *= known);
        pair.clear();
        if self.filtered.is_empty() {
            let first = 1.0 / self.states as f64;
            pair.extend(likelihood.iter().map(|b| first * b));
        } else {
            let SoftCounts { cells, totals, .. } = &self.transition;
            let rows = cells.chunks_exact(self.states).zip(totals);
            for ((row, total), f) in rows.zip(&self.filtered) {
                let share = f / total;
                pair.extend(row.iter().zip(&*likelihood).map(|(cell, b)| share * cell * b));
            }
        }
        *evidence = normalise(pair);
        *evidence > 0.0
    }

    /// `P(last observation | those before it)`, with the tables as they were.
    #[inline]
    pub fn evidence(&self) -> f64 {
        self.scratch.evidence
    }

    /// Begins a new sequence: what was learned stays, the state is unknown again.
    pub fn restart(&mut self) {
        self.filtered.clear();
    }

    /// `P(state | observations so far)`; empty before the first.
    #[inline]
    pub fn filtered(&self) -> &[f64] {
        &self.filtered
    }

    /// The soft counts of the transitions.
    pub fn transition(&self) -> &SoftCounts {
        &self.transition
    }

    /// The soft counts of each observation variable.
    pub fn observations(&self) -> &[SoftCounts] {
        &self.observations
    }

    /// What has been learned so far, as a model with a uniform start.
    pub fn model(&self) -> Hmm {
        Hmm {
            initial: vec![1.0 / self.states as f64; self.states],
            transition: self.transition.probabilities(),
            observations: self
                .observations
                .iter()
                .map(|counts| Observation { card: counts.card, table: counts.probabilities() })
                .collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Stream;
    use crate::draw::sample;

    #[test]
    fn two_steps_by_hand() {
        let mut learner = IncrementalBaumWelch::new(2, &[2]);
        learner.observe(&[0], Some(&[0.75, 0.25])).unwrap();
        assert_eq!(learner.filtered(), [0.75, 0.25]);
        // b(0|0) = 1.75/2.75, b(0|1) = 1.25/2.25, both reached with 1/2 from either state.
        learner.observe(&[0], None).unwrap();
        let (b0, b1) = (1.75 / 2.75, 1.25 / 2.25);
        let f0 = b0 / (b0 + b1);
        assert!((learner.filtered()[0] - f0).abs() < 1e-15);
        let table = learner.transition().probabilities();
        assert!((table[0] - (1.0 + 0.75 * f0) / 2.75).abs() < 1e-15);
        assert!((learner.observations()[0].cells()[0] - (1.75 + f0)).abs() < 1e-15);
    }

    #[test]
    fn without_task_models_the_states_stay_alike() {
        let mut learner = IncrementalBaumWelch::new(3, &[2]);
        for t in 0..50 {
            learner.observe(&[t % 2], None).unwrap();
        }
        assert!(learner.filtered().iter().all(|f| (f - 1.0 / 3.0).abs() < 1e-12));
    }

    #[test]
    fn with_task_models_the_sequence_is_recovered() {
        // A teacher changes task rarely; its acts tell the task four times out of five.
        let mut rng = Stream::new(5, 0, "teacher");
        let transition = [[0.9, 0.1, 0.0], [0.0, 0.9, 0.1], [0.2, 0.0, 0.8]];
        let sensor = [[0.8, 0.1, 0.1], [0.1, 0.8, 0.1], [0.1, 0.1, 0.8]];
        let mut learner = IncrementalBaumWelch::new(3, &[3]);
        let mut task = 0;
        for _ in 0..20_000 {
            let act = if rng.unit() < 0.8 { task } else { (rng.unit() * 3.0) as usize };
            let known: Vec<f64> =
                (0..3).map(|t| if t == act { 0.8 + 0.2 / 3.0 } else { 0.2 / 3.0 }).collect();
            learner.observe(&[sample(&sensor[task], &mut rng) as u32], Some(&known)).unwrap();
            task = sample(&transition[task], &mut rng);
        }
        let found = learner.transition().probabilities();
        for (found, truth) in found.iter().zip(transition.iter().flatten()) {
            assert!((found - truth).abs() < 0.05, "{found} {truth}");
        }
        for (found, truth) in learner.observations()[0].probabilities().iter().zip(sensor.iter().flatten()) {
            assert!((found - truth).abs() < 0.05, "{found} {truth}");
        }
    }

    #[test]
    fn a_contradiction_is_said_and_left_out() {
        let mut learner = IncrementalBaumWelch::new(2, &[2]);
        assert_eq!(learner.observe(&[0], Some(&[0.0, 0.0])), Ok(Step::Contradiction));
        assert_eq!(learner.filtered(), [0.5, 0.5]);
        assert_eq!(learner.observe(&[MISSING], Some(&[1.0, 0.0])), Ok(Step::Learned));
        assert_eq!(learner.filtered(), [1.0, 0.0]);
    }

    #[test]
    fn goes_on_from_where_it_was_saved() {
        let mut learner = IncrementalBaumWelch::new(3, &[2, 4]);
        let step = |learner: &mut IncrementalBaumWelch, t: u32| {
            learner.observe(&[t % 2, t % 4], Some(&[0.1, 0.2 + f64::from(t % 3), 0.3])).unwrap();
        };
        (0..40).for_each(|t| step(&mut learner, t));
        let saved = serde_json::to_string(&learner).unwrap();
        let mut restored: IncrementalBaumWelch = serde_json::from_str(&saved).unwrap();
        (40..80).for_each(|t| step(&mut learner, t));
        (40..80).for_each(|t| step(&mut restored, t));
        assert_eq!(learner, restored);
    }
}
