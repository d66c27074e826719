//! A behaviour as plain data, for other programs to read: what the files say, filled in and computed.

use serde::Serialize;

use super::{Behaviour, Kind, Sensor};

/// All tables of a behaviour, with every cell filled in.
///
/// ```
/// use repertoire_bayes::sequence::{shipped, summary::Summary};
///
/// let prudent = shipped::behaviour("prudent").expect("shipped");
/// let summary = Summary::of(&prudent);
/// assert_eq!(summary.transition.len(), summary.tasks.len());
/// ```
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Summary<'a> {
    /// Its name.
    pub name: &'a str,
    /// What it says about itself.
    pub about: &'a str,
    /// The names of its tasks.
    pub tasks: Vec<&'a str>,
    /// How a task is chosen from its distribution: `sample`, `best`, or `sharpen` with a power.
    pub choose: String,
    /// How many situations there are (previous task and every sensor's value); none if more than can be counted.
    pub situations: Option<usize>,
    /// How many observations it was learned from, if it was.
    pub observations: Option<u64>,
    /// `P(task | previous task)`, as `[previous][task]`.
    pub transition: Vec<&'a [f64]>,
    /// Its sensors.
    pub sensors: Vec<SensorSummary<'a>>,
}

/// A sensor and what its values say of tasks.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SensorSummary<'a> {
    /// `[task][value]`: `P(value | task)`, or how well a value goes with a task.
    pub given_task: Vec<&'a [f64]>,
    /// Its name.
    pub name: &'a str,
    /// What its numbers are: `likelihood` or `coherence`.
    pub table: &'static str,
    /// Its values.
    pub values: &'a [String],
}

impl<'a> Summary<'a> {
    /// The tables of a behaviour.
    pub fn of(behaviour: &'a Behaviour) -> Self {
        Summary {
            name: behaviour.name(),
            about: behaviour.about(),
            tasks: behaviour.task_names().collect(),
            choose: behaviour.choice().to_string(),
            situations: behaviour.situations(),
            observations: behaviour.counts().map(|counts| counts.observations),
            transition: (0..behaviour.tasks().len()).map(|previous| behaviour.after(previous)).collect(),
            sensors: behaviour.sensors().iter().map(sensor).collect(),
        }
    }
}

fn sensor(sensor: &Sensor) -> SensorSummary<'_> {
    SensorSummary {
        given_task: sensor.cells().chunks_exact(sensor.values.len()).collect(),
        name: &sensor.name,
        table: match sensor.kind {
            Kind::Likelihood => "likelihood",
            Kind::Coherence => "coherence",
        },
        values: &sensor.values,
    }
}
