//! Behaviours from recorded play: from tasks that are known, and from tasks that are hidden.
//!
//! | method      | what is known of the tasks                         | how                                           |
//! |-------------|----------------------------------------------------|-----------------------------------------------|
//! | labels      | every one (4.4.1), or a heuristic's guess (4.4.2)  | [`Learner::observe_task`]: Laplace, eq. 4.6   |
//! | incremental | how well each explains what was done (4.4.3)       | [`Learner::observe`]: soft counts, one pass   |
//! | batch       | the same                                           | [`batch`]: Baum-Welch over whole recordings   |
//!
//! All of them end in the same [`TaskCounts`], so that learning can go on, by any method, from where a file left off.
//!
//! ```text
//! P(T^t = i | T^{t-1} = j) = (prior + n_ij) / (prior |T| + n_j)
//! ```
//! — Le Hy 2007, eq. 4.6, whose middle line is misprinted; see [`repertoire_prob::hmm::incremental`] for 4.15 to 4.24.
//!
//! Differs from the paper: nothing in the labels. Batch learning adds the virtual counts to each re-estimation (maximum
//! a posteriori), so that what was never seen is improbable and not impossible, as for the other two.

use repertoire_prob::hmm::baum_welch::{BaumWelchError, Expected};
use repertoire_prob::hmm::incremental::{self, IncrementalBaumWelch, Step};
use repertoire_prob::hmm::{Hmm, MISSING, Observation, ObservationError, Sequence};
use repertoire_prob::num::{fabs, ln};

use super::{Behaviour, Kind, Sensor};

/// What was counted of tasks and sensors, without the virtual counts.
#[derive(Clone, Debug, PartialEq)]
pub struct TaskCounts {
    /// The virtual weight that every case starts with; 1 is Laplace's law.
    pub prior: f64,
    /// How many observations these come from.
    pub observations: u64,
    /// `[previous][task]`.
    pub transition: Vec<f64>,
    /// For each sensor `[task][value]`.
    pub sensors: Vec<Vec<f64>>,
}

impl TaskCounts {
    /// Nothing counted yet, for the tasks and sensors of a behaviour.
    pub fn none(behaviour: &Behaviour) -> Self {
        let tasks = behaviour.tasks().len();
        TaskCounts {
            prior: 1.0,
            observations: 0,
            transition: vec![0.0; tasks * tasks],
            sensors: behaviour
                .sensors()
                .iter()
                .map(|sensor| vec![0.0; tasks * sensor.values.len()])
                .collect(),
        }
    }

    /// What a behaviour has learned so far; nothing if it has not. Columns that were edited by hand since keep their
    /// weight and take the shape of the edit. Also says how many those were.
    pub fn of(behaviour: &Behaviour) -> (Self, usize) {
        let Some(counts) = behaviour.counts() else { return (TaskCounts::none(behaviour), 0) };
        let mut counts = counts.clone();
        let tasks = behaviour.tasks().len();
        let mut edited = follow(&mut counts.transition, behaviour.transition(), tasks, counts.prior);
        for (cells, sensor) in counts.sensors.iter_mut().zip(behaviour.sensors()) {
            if sensor.kind == Kind::Likelihood {
                edited += follow(cells, sensor.cells(), sensor.values.len(), counts.prior);
            }
        }
        (counts, edited)
    }

    /// Whether these are counts of a behaviour's tasks and sensors.
    pub fn check(&self, behaviour: &Behaviour) -> Result<(), ObservationError> {
        // Without a virtual weight a case never seen would be divided by 0.
        if !(self.prior > 0.0 && self.prior.is_finite()) {
            return Err(ObservationError::NotAPrior(self.prior));
        }
        let (tasks, sensors) = (behaviour.tasks().len(), behaviour.sensors());
        if self.sensors.len() != sensors.len() {
            let (needed, found) = (sensors.len(), self.sensors.len());
            return Err(ObservationError::Size { what: "the sensors counted", needed, found });
        }
        let sizes = sensors.iter().map(|sensor| tasks * sensor.values.len());
        let tables = [&self.transition].into_iter().chain(&self.sensors);
        for (cells, needed) in tables.zip([tasks * tasks].into_iter().chain(sizes)) {
            if cells.len() != needed {
                return Err(ObservationError::Size { what: "a table of counts", needed, found: cells.len() });
            }
            if let Some((at, &value)) = cells.iter().enumerate().find(|(_, n)| !(**n >= 0.0 && n.is_finite()))
            {
                return Err(ObservationError::NotACount { at, value });
            }
        }
        Ok(())
    }

    fn with_prior(&self, cells: &[f64]) -> Vec<f64> {
        cells.iter().map(|n| n + self.prior).collect()
    }
}

/// Makes columns of counts agree with a table that was edited; returns how many did not.
fn follow(counts: &mut [f64], table: &[f64], height: usize, prior: f64) -> usize {
    let mut edited = 0;
    for (counts, column) in counts.chunks_exact_mut(height).zip(table.chunks_exact(height)) {
        let weight: f64 = counts.iter().sum();
        let total = weight + prior * height as f64;
        // Files round to four digits.
        let agrees = |(n, p): (&f64, &f64)| fabs((n + prior) / total - p) < 2e-3;
        if !counts.iter().zip(column).all(agrees) {
            edited += 1;
            counts.iter_mut().zip(column).for_each(|(n, p)| *n = (p * total - prior).max(0.0));
        }
    }
    edited
}

/// Learns a behaviour one observation at a time, in constant time and memory for each.
///
/// ```
/// use repertoire_bayes::sequence::learning::{Learner, TaskCounts};
/// use repertoire_bayes::sequence::shipped;
/// let uniform = shipped::behaviour("uniform").expect("shipped");
/// let mut learner = Learner::new(&uniform, &TaskCounts::none(&uniform))?;
/// let sensed = vec![0; uniform.sensors().len()];
/// learner.observe_task(2, &sensed)?;
/// learner.observe_task(2, &sensed)?;
/// let learned = uniform.learned("steady", "Stays with what it does.", learner.counts())?;
/// assert!(learned.after(2)[2] > learned.after(2)[0], "it stayed with task 2, and was never seen to leave it");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Learner {
    hidden: IncrementalBaumWelch,
    prior: f64,
    observations: u64,
    previous: Option<usize>,
}

impl Learner {
    /// Goes on from counts.
    pub fn new(behaviour: &Behaviour, counts: &TaskCounts) -> Result<Self, ObservationError> {
        counts.check(behaviour)?;
        let tasks = behaviour.tasks().len();
        let cells = |cells: &[f64], card| incremental::SoftCounts::from_cells(card, counts.with_prior(cells));
        let sensors = behaviour.sensors().iter().zip(&counts.sensors);
        let sensors =
            sensors.map(|(sensor, counts)| cells(counts, sensor.values.len())).collect::<Result<_, _>>()?;
        Ok(Learner {
            hidden: IncrementalBaumWelch::from_counts(cells(&counts.transition, tasks)?, sensors)?,
            prior: counts.prior,
            observations: counts.observations,
            previous: None,
        })
    }

    /// A new life begins: what came before says nothing about what comes now.
    pub fn begin_sequence(&mut self) {
        self.hidden.restart();
        self.previous = None;
    }

    /// The sensors ([`MISSING`] where one was not read) while a known task went on. On an error nothing was learned.
    pub fn observe_task(&mut self, task: usize, values: &[u32]) -> Result<(), ObservationError> {
        self.hidden.observe_state(self.previous, task, values)?;
        self.previous = Some(task);
        self.observations += 1;
        Ok(())
    }

    /// The sensors, and how well each task explains what was done: finite numbers from 0 up, of any scale. On an error
    /// nothing was learned.
    #[inline]
    pub fn observe(&mut self, values: &[u32], explains: &[f64]) -> Result<Step, ObservationError> {
        let step = self.hidden.observe(values, Some(explains))?;
        self.observations += 1;
        Ok(step)
    }

    /// `P(task | everything observed in this sequence)`, for [`Learner::observe`]; empty before the first.
    pub fn recognised(&self) -> &[f64] {
        self.hidden.filtered()
    }

    /// `ln` of how probable the last observation was before it was learned (with its task, where that was known).
    pub fn log_evidence(&self) -> f64 {
        ln(self.hidden.evidence())
    }

    /// What was counted so far.
    pub fn counts(&self) -> TaskCounts {
        let without = |counts: &incremental::SoftCounts| -> Vec<f64> {
            counts.cells().iter().map(|n| (n - self.prior).max(0.0)).collect()
        };
        TaskCounts {
            prior: self.prior,
            observations: self.observations,
            transition: without(self.hidden.transition()),
            sensors: self.hidden.observations().iter().map(without).collect(),
        }
    }
}

/// Learns from whole recordings by Baum-Welch, until an iteration gains less than `least_gain` or `iterations` are done.
/// Each sequence must carry what explains it (`known`). `told` hears the log-likelihood before each iteration. A
/// `least_gain` that is not a number never stops it.
pub fn batch(
    behaviour: &Behaviour,
    before: &TaskCounts,
    sequences: &[Sequence<'_>],
    iterations: usize,
    least_gain: f64,
    told: &mut dyn FnMut(f64),
) -> Result<TaskCounts, BaumWelchError> {
    let mut climb =
        BatchClimb::new(behaviour, before, iterations, least_gain).map_err(BaumWelchError::Counts)?;
    let seen: u64 = sequences.iter().map(|sequence| sequence.steps as u64).sum();
    let mut expected: Option<Expected> = None;
    while let Some(model) = climb.ask() {
        let expected = expected.get_or_insert_with(|| Expected::of(&model));
        let log_likelihood = expected.gather(&model, sequences)?;
        told(log_likelihood);
        climb.tell(expected.transition(), expected.observation(), seen, log_likelihood);
    }
    Ok(climb.finish())
}

/// Baum-Welch whose expectations are taken elsewhere, over some sequences at a time: it says which model, and hears the expected
/// counts of all sequences.
#[derive(Clone, Debug)]
pub struct BatchClimb {
    behaviour: Behaviour,
    before: TaskCounts,
    counts: TaskCounts,
    least_gain: f64,
    last: f64,
    left: usize,
}

impl BatchClimb {
    /// Before the first iteration.
    ///
    /// # Errors
    /// If the counts are none of the behaviour's.
    pub fn new(
        behaviour: &Behaviour,
        before: &TaskCounts,
        iterations: usize,
        least_gain: f64,
    ) -> Result<Self, ObservationError> {
        before.check(behaviour)?;
        let (behaviour, before, counts) = (behaviour.clone(), before.clone(), before.clone());
        Ok(BatchClimb { behaviour, before, counts, least_gain, last: f64::NEG_INFINITY, left: iterations })
    }

    /// The model under which the expected counts are wanted next; none when all is learned.
    pub fn ask(&self) -> Option<Hmm> {
        (self.left > 0).then(|| model_of(&self.behaviour, &self.counts))
    }

    /// Hears the expected transitions and observations of sequences with `seen` steps in all, and their log-likelihood.
    pub fn tell(&mut self, transition: &[f64], sensors: &[Vec<f64>], seen: u64, log_likelihood: f64) {
        let add = |before: &[f64], now: &[f64]| before.iter().zip(now).map(|(b, n)| b + n).collect();
        self.counts.observations = self.before.observations + seen;
        self.counts.transition = add(&self.before.transition, transition);
        let sensors = self.before.sensors.iter().zip(sensors);
        self.counts.sensors = sensors.map(|(before, now)| add(before, now)).collect();
        let is_settled = log_likelihood - self.last < self.least_gain;
        self.left = if is_settled { 0 } else { self.left - 1 };
        self.last = log_likelihood;
    }

    /// What was counted.
    pub fn finish(self) -> TaskCounts {
        self.counts
    }
}

fn model_of(behaviour: &Behaviour, counts: &TaskCounts) -> Hmm {
    let tasks = behaviour.tasks().len();
    let sensors = behaviour.sensors().iter().zip(&counts.sensors);
    let observations = sensors.map(|(sensor, cells)| {
        let card = sensor.values.len();
        Observation { card, table: normalised(cells, card, counts.prior) }
    });
    let uniform = vec![1.0 / tasks as f64; tasks];
    match Hmm::new(uniform, normalised(&counts.transition, tasks, counts.prior), observations.collect()) {
        Ok(model) => model,
        Err(error) => unreachable!("normalised counts are distributions: {error}"),
    }
}

fn normalised(counts: &[f64], height: usize, prior: f64) -> Vec<f64> {
    let column = |column: &[f64]| {
        let total = column.iter().sum::<f64>() + prior * height as f64;
        column.iter().map(|n| (n + prior) / total).collect::<Vec<_>>()
    };
    counts.chunks_exact(height).flat_map(column).collect()
}

impl Behaviour {
    /// The behaviour that counts amount to, with the tasks and sensors of this one. Likelihoods are learned as likelihoods, and
    /// coherences as coherences.
    ///
    /// # Errors
    /// If these are no counts of this behaviour's tasks and sensors.
    pub fn learned(
        &self,
        name: impl Into<String>,
        about: impl Into<String>,
        counts: TaskCounts,
    ) -> Result<Behaviour, ObservationError> {
        Ok(self.learned_likelihoods(name, about, counts)?.cohering_as(self))
    }

    /// The same with a likelihood for every sensor.
    pub(super) fn learned_likelihoods(
        &self,
        name: impl Into<String>,
        about: impl Into<String>,
        counts: TaskCounts,
    ) -> Result<Behaviour, ObservationError> {
        counts.check(self)?;
        let tasks = self.tasks.len();
        let sensors = self.sensors.iter().zip(&counts.sensors).map(|(sensor, cells)| Sensor {
            name: sensor.name.clone(),
            values: sensor.values.clone(),
            kind: Kind::Likelihood,
            cells: normalised(cells, sensor.values.len(), counts.prior),
        });
        let transition = normalised(&counts.transition, tasks, counts.prior);
        let mut learned = Behaviour::from_parts(name, self.tasks.clone(), sensors.collect(), transition);
        learned.about = about.into();
        learned.choice = self.choice;
        learned.counts = Some(counts);
        Ok(learned)
    }

    /// Likelihoods become coherences where another behaviour has them: `P(v | t)` over twice `P(v)`, so that 1/2 says nothing about the
    /// task, or over the greatest if that is above 1. A factor for each value changes no decision: this one decides as before.
    pub(super) fn cohering_as(mut self, other: &Behaviour) -> Behaviour {
        let tasks = self.tasks.len();
        for (sensor, like) in self.sensors.iter_mut().zip(&other.sensors) {
            if like.kind != Kind::Coherence || sensor.kind == Kind::Coherence {
                continue;
            }
            sensor.kind = Kind::Coherence;
            let card = sensor.values.len();
            for value in 0..card {
                let column = || (0..tasks).map(move |task| task * card + value);
                let most = column().map(|cell| sensor.cells[cell]).fold(0.0, f64::max);
                let mean = column().map(|cell| sensor.cells[cell]).sum::<f64>() / tasks as f64;
                let scale = (2.0 * mean).max(most);
                column().for_each(|cell| sensor.cells[cell] /= scale);
            }
        }
        self
    }
}

/// Stands for a sensor that was not read.
pub const NOT_READ: u32 = MISSING;
