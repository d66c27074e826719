//! Task sequencing by inverse programming: which task comes next, given the task before and the sensors.
//!
//! ```text
//! P(T^t | T^{t-1} S_1..S_n) = 1/Z · P(T^t | T^{t-1}) Π_i P(S_i | T^t)
//! ```
//! — Le Hy 2007, eq. 3.7 and figure 3.17. A behaviour says, for each task, what the sensors look like while it goes on;
//! the question turns that round.
//!
//! | paper              | code                         | meaning                                           |
//! |--------------------|------------------------------|---------------------------------------------------|
//! | `P(T^t \| T^{t-1})`| [`Behaviour::transition`]    | how tasks follow each other, nothing sensed       |
//! | `P(S_i \| T^t)`    | [`Sensor`] of [`Kind::Likelihood`] | what a sensor says while a task goes on     |
//! | `P(M_i \| S_i T^t)`| [`Sensor`] of [`Kind::Coherence`]  | how well a value goes with a task (5.3.1)   |
//!
//! Differs from the paper: computed in logs; when every task is impossible the answer is `P(T^t | T^{t-1})` alone and
//! says so; a sensor that was not read is left out of the product. Coherence, which the thesis proposes and does not
//! work out, is read as `P(M = 1 | S, T)`, a number for each cell that need not sum to anything; "no opinion" is 1/2,
//! as in the footnote of section 3.3.4, so that a sensor that has none about any task changes nothing.
//!
//! | module         | what it gives                                                            |
//! |----------------|--------------------------------------------------------------------------|
//! | [`decision`]   | one decision with all of its reasons, and the choice from it             |
//! | [`population`] | the same for whole populations, as columns                               |
//! | [`learning`]   | behaviours from labelled, recognised or hidden tasks, going on from counts |
//! | [`labelled`]   | play with known tasks, from a game's own tables                          |
//! | [`sharpen`]    | learned tables that keep rare reactions clear                            |
//! | [`reasons`]    | readings by name; a decision as a table in nats                          |
//! | [`review`]     | what looks odd in a behaviour, and how two of them differ                |
//! | [`summary`]    | all tables of a behaviour as plain data                                  |
//! | [`file`](mod@file) | behaviours as TOML                                                   |
//! | [`shipped`]    | the three of the thesis                                                  |

pub mod decision;
pub mod file;
pub mod labelled;
pub mod learning;
pub mod population;
pub mod reasons;
pub mod review;
pub mod sharpen;
pub mod shipped;
pub mod summary;

pub use decision::{Choice, DecideError, Decision, SensorReason};
pub use learning::TaskCounts;
pub use population::Population;
pub use reasons::{ReadingError, Reasons};

use std::str::FromStr;

use repertoire_authored::Mistake;
use repertoire_prob::draw::DrawError;

/// The most values a sensor may have, and the most tasks: one byte holds any, and one value is left for "not read".
pub const MOST_VALUES: usize = 255;

/// A behaviour: tasks, sensors, and the tables between them.
///
/// It is read from TOML text with `parse`, or with [`file::read`] where its tasks are behaviours in files of their
/// own; tables that do not fit together are refused with the line and a remedy.
///
/// ```
/// use repertoire_bayes::sequence::Behaviour;
/// let guard: Behaviour = r#"
///     name = "guard"
///     tasks = ["watch", "chase"]
///     sensors.enemy = ["none", "seen"]
///     [transition]
///     watch = ["x", 0.1]
///     chase = [0.1, "x"]
///     [likelihood.enemy]
///     none = ["x", 0.01]
///     seen = [0.05, "x"]
/// "#.parse()?;
/// let decision = guard.decide(guard.task("watch"), &guard.readings(&[("enemy", "seen")])?);
/// assert!(decision.posterior[1] > 0.6);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Behaviour {
    name: String,
    about: String,
    tasks: Vec<Task>,
    sensors: Vec<Sensor>,
    /// `[previous][task]`.
    transition: Vec<f64>,
    choice: Choice,
    counts: Option<TaskCounts>,
}

/// A task, which may itself be a behaviour.
#[derive(Clone, Debug, PartialEq)]
pub struct Task {
    /// What it is called.
    pub name: String,
    /// The behaviour that chooses what to do within it (section 5.3.1).
    pub inner: Option<Box<Behaviour>>,
}

/// Which question a sensor's table answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `P(value | task)`: each column sums to 1.
    Likelihood,
    /// `P(M = 1 | value, task)`: each cell stands for itself, 1/2 is no opinion.
    Coherence,
}

/// A sensor and its table.
#[derive(Clone, Debug, PartialEq)]
pub struct Sensor {
    /// What it is called.
    pub name: String,
    /// Its values, in order.
    pub values: Vec<String>,
    /// What its table says.
    pub kind: Kind,
    /// `[task][value]`.
    cells: Vec<f64>,
}

impl Sensor {
    /// What the table says for a value and a task.
    ///
    /// # Panics
    /// If the sensor does not have the value, or the behaviour the task.
    #[inline]
    pub fn cell(&self, task: usize, value: usize) -> f64 {
        assert!(value < self.values.len(), "value {value} of a sensor with {}", self.values.len());
        self.cells[task * self.values.len() + value]
    }

    /// The table, `[task][value]`.
    #[inline]
    pub fn cells(&self) -> &[f64] {
        &self.cells
    }

    /// The value of this name.
    pub fn value(&self, name: &str) -> Option<usize> {
        self.values.iter().position(|value| value == name)
    }
}

impl Behaviour {
    /// A behaviour from tables that are known to be distributions.
    pub(crate) fn from_parts(
        name: impl Into<String>,
        tasks: Vec<Task>,
        sensors: Vec<Sensor>,
        transition: Vec<f64>,
    ) -> Self {
        let count = tasks.len();
        assert!(count > 0 && transition.len() == count * count, "a transition for each pair of tasks");
        assert!(
            sensors.iter().all(|sensor| sensor.cells.len() == count * sensor.values.len()),
            "a cell for each task and value"
        );
        Behaviour {
            name: name.into(),
            about: String::new(),
            tasks,
            sensors,
            transition,
            choice: Choice::Sample,
            counts: None,
        }
    }

    /// A behaviour that comes with the library (`prudent`, `aggressive` or `uniform`), or `None` if none has this name.
    pub fn shipped(name: &str) -> Option<Self> {
        shipped::behaviour(name)
    }

    /// What it is called.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The same under another name.
    pub fn named(mut self, name: impl Into<String>) -> Self {
        self.name = name.into();
        self
    }

    /// The same under another name.
    pub fn with_name(mut self, name: impl Into<String>) -> Self {
        self.name = name.into();
        self
    }

    /// The same, described in another sentence.
    pub fn with_about(mut self, about: impl Into<String>) -> Self {
        self.about = about.into();
        self
    }

    /// What it is for.
    pub fn about(&self) -> &str {
        &self.about
    }

    /// The tasks, in order.
    #[inline]
    pub fn tasks(&self) -> &[Task] {
        &self.tasks
    }

    /// The names of the tasks, in order.
    pub fn task_names(&self) -> impl ExactSizeIterator<Item = &str> {
        self.tasks.iter().map(|task| task.name.as_str())
    }

    /// The task of this name.
    pub fn task(&self, name: &str) -> Option<usize> {
        self.tasks.iter().position(|task| task.name == name)
    }

    /// The sensors, in order.
    #[inline]
    pub fn sensors(&self) -> &[Sensor] {
        &self.sensors
    }

    /// The sensor of this name.
    pub fn sensor(&self, name: &str) -> Option<usize> {
        self.sensors.iter().position(|sensor| sensor.name == name)
    }

    /// `P(task | previous task)`, `[previous][task]`.
    #[inline]
    pub fn transition(&self) -> &[f64] {
        &self.transition
    }

    /// `P(task | previous task)` for one previous task.
    ///
    /// # Panics
    /// If there is no such task.
    #[inline]
    pub fn after(&self, previous: usize) -> &[f64] {
        &self.transition[previous * self.tasks.len()..][..self.tasks.len()]
    }

    /// How a task is chosen from its distribution.
    #[inline]
    pub fn choice(&self) -> Choice {
        self.choice
    }

    /// The same, choosing in another way; refused if that is a power that is negative or not finite.
    pub fn with_choice(mut self, choice: Choice) -> Result<Self, DrawError> {
        choice.check()?;
        self.choice = choice;
        Ok(self)
    }

    /// What it has learned so far, if it has learned.
    pub fn counts(&self) -> Option<&TaskCounts> {
        self.counts.as_ref()
    }

    /// How many combinations of a previous task and sensor values there are, unless that is beyond `usize`.
    pub fn situations(&self) -> Option<usize> {
        let cards = self.sensors.iter().map(|sensor| sensor.values.len());
        cards.chain([self.tasks.len()]).try_fold(1usize, usize::checked_mul)
    }
}

/// Reads TOML text. Tasks may be behaviours that come with the library; [`file::read`] takes those of other files too.
impl FromStr for Behaviour {
    type Err = Mistake;

    fn from_str(text: &str) -> Result<Self, Mistake> {
        file::read(text, &mut |name| {
            Behaviour::shipped(name).ok_or_else(|| format!("`{name}` does not come with the library").into())
        })
    }
}
