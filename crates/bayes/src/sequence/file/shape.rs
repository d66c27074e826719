//! The shape of a behaviour file, before anything is checked.

use repertoire_authored::{Ordered, Spanned};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::file::shape::{CellFile, Row};

/// A table as people write it: a row for each value, a cell for each column.
pub(super) type Rows = Ordered<Spanned<Row>>;

/// A behaviour: tasks, sensors, how tasks follow each other, and what sensors say while a task goes on.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct BehaviourFile {
    /// What the behaviour is called.
    pub name: String,
    /// What it is like, in a sentence or two.
    #[serde(default)]
    pub about: String,
    /// Where it comes from.
    #[serde(default)]
    #[allow(dead_code, reason = "for people who read the file")]
    pub source: String,
    /// The tasks. Every table has a column for each of them, in this order.
    #[schemars(with = "Vec<String>")]
    pub tasks: Spanned<Vec<Spanned<String>>>,
    /// How a task is chosen: "sample" (the default), "best", or { sharpen = 5 }.
    #[schemars(with = "Option<ChooseFile>")]
    pub choose: Option<Spanned<ChooseFile>>,
    /// Instead of [transition]: how likely it goes on with a task for another tick; the other tasks share the rest.
    #[schemars(with = "Option<f64>")]
    pub stay: Option<Spanned<f64>>,
    /// The sensors, each with its values.
    #[serde(default)]
    #[schemars(with = "Ordered<Vec<String>>")]
    pub sensors: Ordered<Vec<Spanned<String>>>,
    /// P(task | previous task): a row for each task, a column for each task before it.
    #[schemars(with = "Ordered<Row>")]
    pub transition: Option<Rows>,
    /// P(sensor | task): for each sensor a table with a row for each value; every column sums to 1.
    #[serde(default)]
    #[schemars(with = "Ordered<Ordered<Row>>")]
    pub likelihood: Ordered<Rows>,
    /// P(M = 1 | sensor, task), instead of a likelihood: how well a value goes with a task, "x" or 0.5 for no opinion.
    #[serde(default)]
    #[schemars(with = "Ordered<Ordered<Row>>")]
    pub coherence: Ordered<Rows>,
    /// More about a task, or a task added to those above together with its columns.
    #[serde(default)]
    pub task: Ordered<TaskFile>,
    /// What was learned: kept so that learning can go on.
    pub counts: Option<CountsFile>,
}

/// How a task is chosen from its distribution.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(untagged, expecting = "expected \"sample\", \"best\" or { sharpen = 5 }")]
pub(super) enum ChooseFile {
    Named(String),
    Sharpen { sharpen: f64 },
}

/// A task: the behaviour within it, and, for a task that is not in `tasks`, its columns.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct TaskFile {
    /// The behaviour that chooses what to do within this task: a file beside this one, or a shipped one.
    #[schemars(with = "Option<String>")]
    pub behaviour: Option<Spanned<String>>,
    /// P(this task | previous task), for each previous task; 0 for those not named.
    #[schemars(with = "Option<Ordered<Row>>")]
    pub entered: Option<Ordered<CellFile>>,
    /// P(task | this task before), for each task; 0 for those not named.
    #[schemars(with = "Option<Ordered<Row>>")]
    pub next: Option<Ordered<CellFile>>,
    /// For each sensor its column; a sensor that is not named says nothing.
    #[serde(default)]
    #[schemars(with = "Ordered<Ordered<Row>>")]
    pub column: Ordered<Ordered<CellFile>>,
}

/// Counts of a learned behaviour, without the virtual ones.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct CountsFile {
    /// The virtual weight that every case starts with (1: Laplace's law).
    pub prior: f64,
    /// How many observations they come from.
    pub observations: u64,
    /// Transitions: a row for each task, a column for each task before it.
    #[schemars(with = "Ordered<Row>")]
    pub transition: Rows,
    /// For each sensor: a row for each value, a column for each task.
    #[serde(default)]
    #[schemars(with = "Ordered<Ordered<Row>>")]
    pub sensor: Ordered<Rows>,
}
