//! Play with known tasks: what was sensed and done, tick by tick, as a game writes it to a table.
//!
//! A table is text, comma-separated. The first line names the columns: one for each sensor it has readings of, `task`, and
//! optionally `life`, which starts a new life wherever it changes. An empty cell is a sensor that was not read.
//!
//! ```
//! use repertoire_bayes::sequence::{Behaviour, labelled::Lives};
//!
//! let blank: Behaviour = r#"
//!     name = "villager"
//!     tasks = ["eat", "flee"]
//!     stay = 0.5
//!     sensors.wolf = ["away", "near"]
//!     likelihood.wolf.away = [0.5, 0.5]
//!     likelihood.wolf.near = ["x", "x"]
//! "#.parse()?;
//! let seen = Lives::read("wolf,task\naway,eat\naway,eat\nnear,flee\nnear,flee\naway,eat\n", &blank)?;
//! let pupil = blank.taught("pupil", &seen)?;
//! let p_flee = |wolf: &str| pupil.decide(Some(0), &pupil.readings(&[("wolf", wolf)]).unwrap()).posterior[1];
//! assert!(p_flee("near") > 0.6 && p_flee("away") < 0.2);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::ops::Range;

use repertoire_authored::{Mistake, nearest};
use repertoire_prob::hmm::ObservationError;

use super::learning::{Learner, NOT_READ, TaskCounts};
use super::sharpen::sharpened;
use super::{Behaviour, Kind};

/// Lives in which it is known what was sensed and done.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lives {
    /// How many sensors each observation has.
    sensors: usize,
    /// `[observation][sensor]`, [`NOT_READ`] where a sensor was not read.
    sensed: Vec<u32>,
    tasks: Vec<u32>,
    /// Where each life begins.
    begins: Vec<usize>,
}

impl Lives {
    /// Whether a table can be of a behaviour: its first line names `task`, and otherwise only sensors of the behaviour and `life`.
    pub fn is_table(heading: &str, behaviour: &Behaviour) -> bool {
        let is_known = |name: &str| {
            ["task", "life"].contains(&name) || behaviour.sensors().iter().any(|sensor| sensor.name == name)
        };
        let names: Vec<&str> = heading.trim().split(',').map(str::trim).collect();
        names.contains(&"task") && names.iter().all(|name| is_known(name))
    }

    /// Nothing seen yet, by as many sensors as a behaviour has.
    pub fn new(behaviour: &Behaviour) -> Self {
        Lives { sensors: behaviour.sensors().len(), ..Lives::default() }
    }

    /// A new life begins: what comes next does not follow from what came before.
    pub fn begin(&mut self) {
        if self.begins.last() != Some(&self.tasks.len()) {
            self.begins.push(self.tasks.len());
        }
    }

    /// One tick: the value of each sensor, by index, or [`NOT_READ`], and the task.
    ///
    /// # Errors
    /// If there are not as many readings as sensors.
    pub fn push(&mut self, sensed: &[u32], task: usize) -> Result<(), ObservationError> {
        if sensed.len() != self.sensors {
            let (needed, found) = (self.sensors, sensed.len());
            return Err(ObservationError::Size { what: "the readings of a tick", needed, found });
        }
        if self.begins.is_empty() {
            self.begins.push(0);
        }
        self.sensed.extend_from_slice(sensed);
        self.tasks.push(task as u32);
        Ok(())
    }

    /// How many ticks were seen.
    pub fn len(&self) -> usize {
        self.tasks.len()
    }

    /// Whether nothing was seen.
    pub fn is_empty(&self) -> bool {
        self.tasks.is_empty()
    }

    /// How many lives were seen.
    pub fn lives(&self) -> usize {
        self.begins.len()
    }

    /// Each tick: the task before, what was sensed, and the task; in order.
    pub(super) fn ticks(&self) -> impl Iterator<Item = (Option<u32>, &[u32], u32)> {
        let mut begins = self.begins.iter().peekable();
        (0..self.tasks.len()).map(move |k| {
            let is_first = begins.next_if(|begin| **begin == k).is_some();
            let before = if is_first { None } else { Some(self.tasks[k - 1]) };
            (before, &self.sensed[k * self.sensors..(k + 1) * self.sensors], self.tasks[k])
        })
    }

    /// Reads a table of a behaviour's tasks and sensors.
    ///
    /// # Errors
    /// With the line and column of what is not understood, and what would be.
    pub fn read(text: &str, behaviour: &Behaviour) -> Result<Self, Mistake> {
        let mut lines = lines_of(text).filter(|line| !text[line.clone()].trim().is_empty());
        let Some(heading) = lines.next() else {
            return Err(Mistake::at(text, 0..0, "the table is empty", columns_needed(behaviour)));
        };
        let columns = Columns::of(text, heading, behaviour)?;
        let mut lives = Lives::new(behaviour);
        let mut sensed = vec![NOT_READ; behaviour.sensors().len()];
        let mut life: Option<&str> = None;
        for line in lines {
            let start = line.start;
            let cells: Vec<Range<usize>> = cells_of(text, line.clone()).collect();
            if cells.len() != columns.0.len() {
                let what = format!("{} cells where the first line names {}", cells.len(), columns.0.len());
                return Err(Mistake::at(
                    text,
                    start..start,
                    what,
                    "write a cell for each column, even if empty",
                ));
            }
            let mut task = 0;
            for (cell, column) in cells.into_iter().zip(&columns.0) {
                let written = &text[cell.clone()];
                match *column {
                    Column::Task => {
                        task = behaviour
                            .task(written)
                            .ok_or_else(|| unknown(text, cell, "a task", behaviour.task_names().collect()))?;
                    }
                    Column::Life => {
                        if life.is_some_and(|life| life != written) {
                            lives.begin();
                        }
                        life = Some(written);
                    }
                    Column::Sensor(at) if written.is_empty() => sensed[at] = NOT_READ,
                    Column::Sensor(at) => {
                        let sensor = &behaviour.sensors()[at];
                        let value = sensor.value(written).ok_or_else(|| {
                            let kind = format!("a value of `{}`", sensor.name);
                            unknown(text, cell, &kind, sensor.values.iter().map(String::as_str).collect())
                        })?;
                        sensed[at] = value as u32;
                    }
                }
            }
            if let Err(error) = lives.push(&sensed, task) {
                unreachable!("a reading for each sensor: {error}");
            }
        }
        if lives.is_empty() {
            let what = "the table has a heading and nothing below it";
            return Err(Mistake::at(text, text.len()..text.len(), what, "write a line for each tick"));
        }
        Ok(lives)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Column {
    Task,
    Life,
    Sensor(usize),
}

struct Columns(Vec<Column>);

impl Columns {
    fn of(text: &str, heading: Range<usize>, behaviour: &Behaviour) -> Result<Self, Mistake> {
        let mut columns = Vec::new();
        for cell in cells_of(text, heading.clone()) {
            let column = match &text[cell.clone()] {
                "task" => Column::Task,
                "life" => Column::Life,
                name => Column::Sensor(behaviour.sensor(name).ok_or_else(|| {
                    let sensors = behaviour.sensors().iter().map(|sensor| sensor.name.as_str());
                    unknown(text, cell.clone(), "a sensor", sensors.chain(["task", "life"]).collect())
                })?),
            };
            if columns.contains(&column) {
                let what = format!("the column `{}` comes twice", &text[cell.clone()]);
                return Err(Mistake::at(text, cell, what, "leave one of them out"));
            }
            columns.push(column);
        }
        if !columns.contains(&Column::Task) {
            let what = "there is no column `task`";
            return Err(Mistake::at(text, heading, what, columns_needed(behaviour)));
        }
        Ok(Columns(columns))
    }
}

fn columns_needed(behaviour: &Behaviour) -> String {
    let sensors = behaviour.sensors().iter().map(|sensor| sensor.name.as_str());
    let columns: Vec<&str> = sensors.chain(["task"]).collect();
    format!("begin with a line that names the columns: {}", columns.join(","))
}

fn unknown(text: &str, cell: Range<usize>, kind: &str, known: Vec<&str>) -> Mistake {
    let written = &text[cell.clone()];
    let remedy = match nearest(written, known.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("write one of {}", known.join(", ")),
    };
    Mistake::at(text, cell.clone(), format!("`{written}` is not {kind}"), remedy)
}

/// The lines of a text as ranges of bytes, without their ends.
fn lines_of(text: &str) -> impl Iterator<Item = Range<usize>> {
    let mut at = 0;
    text.split_inclusive('\n').map(move |line| {
        let start = at;
        at += line.len();
        start..start + line.trim_end_matches(['\n', '\r']).len()
    })
}

/// The cells of a line, without the spaces and quotation marks around them.
fn cells_of(text: &str, line: Range<usize>) -> impl Iterator<Item = Range<usize>> {
    let mut at = line.start;
    text[line].split(',').map(move |cell| {
        let start = at + (cell.len() - cell.trim_start().len());
        at += cell.len() + 1;
        let trimmed = cell.trim();
        match trimmed.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) {
            Some(within) => start + 1..start + 1 + within.len(),
            None => start..start + trimmed.len(),
        }
    })
}

impl Behaviour {
    /// What this behaviour becomes by watching lives in which tasks are known: counted (Laplace, eq. 4.6), going on from the
    /// counts it has, and then sharpened ([`super::sharpen`]) so that rare reactions stay as clear as they were shown.
    ///
    /// # Errors
    /// If a task or a value is none of this behaviour's.
    pub fn taught(&self, name: impl Into<String>, lives: &Lives) -> Result<Behaviour, ObservationError> {
        let counted = self.count(name, lives)?;
        Ok(sharpened(&counted, lives).cohering_as(self))
    }

    /// The same without sharpening: only counted.
    ///
    /// # Errors
    /// If a task or a value is none of this behaviour's.
    pub fn counted(&self, name: impl Into<String>, lives: &Lives) -> Result<Behaviour, ObservationError> {
        Ok(self.count(name, lives)?.cohering_as(self))
    }

    fn count(&self, name: impl Into<String>, lives: &Lives) -> Result<Behaviour, ObservationError> {
        let (counts, _) = TaskCounts::of(self);
        let mut learner = Learner::new(self, &counts)?;
        for (before, sensed, task) in lives.ticks() {
            if before.is_none() {
                learner.begin_sequence();
            }
            learner.observe_task(task as usize, sensed)?;
        }
        let learned = self.learned_likelihoods(name, self.about(), learner.counts())?;
        debug_assert!(learned.sensors().iter().all(|sensor| sensor.kind == Kind::Likelihood));
        Ok(learned)
    }
}
