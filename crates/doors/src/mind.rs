//! `ask mind`: one decision from what was done before, sensors that may be unsure, and opinions, as a table in nats.

use repertoire_bayes::deliberation::{Deliberation, Reading};
use repertoire_bayes::fusion::Stance;
use repertoire_prob::distribution::check;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::door::{Answer, Part};

pub(super) struct Mind;

impl Part for Mind {
    const NAME: &'static str = "mind";
    const ABOUT: &'static str =
        "one decision from the task before, sensors that may be unsure, and weighted opinions";
    const EXAMPLE: &'static str = r#"{"transition":[[0.8,0.2],[0.3,0.7]],"previous":0,"sensors":[{"likelihood":[[0.9,0.1],[0.05,0.95]],"reading":[0.4,0.6]},{"likelihood":[[0.5,0.5],[0.2,0.8]],"reading":null}],"opinions":[{"values":[0.7,0.3],"stance":"prescriptive","weight":1.0}]}"#;
    type Request = Request;
    type Response = Response;
    const ANSWER: Answer<Self> = answer;
}

/// What speaks for and against each task.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Request {
    /// P(task | task before): a row for each task before, a column for each task.
    transition: Vec<Vec<f64>>,
    /// The task before, by index; null if there was none, which makes every task as likely.
    previous: Option<usize>,
    /// What is sensed.
    #[serde(default)]
    sensors: Vec<Sensor>,
    /// What other parts of a mind say about the tasks.
    #[serde(default)]
    opinions: Vec<Opinion>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Sensor {
    /// P(value | task): a row for each task, a column for each value.
    likelihood: Vec<Vec<f64>>,
    /// A value by index, a distribution over the values, or null if it was not read.
    reading: Option<Read>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(untagged, expecting = "`reading` must be the index of a value, a list of probabilities, or null")]
enum Read {
    Value(usize),
    Believed(Vec<f64>),
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Opinion {
    /// A number from 0 to 1 for each task.
    values: Vec<f64>,
    /// Whether the task should agree with it or keep away from it, or whether it is left out.
    stance: Side,
    /// How much it counts: 1 as it is, 0 not at all.
    #[serde(default = "one")]
    weight: f64,
}

#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Side {
    Prescriptive,
    Proscriptive,
    Inactive,
}

fn one() -> f64 {
    1.0
}

/// The decision, or a contradiction.
#[derive(Serialize, JsonSchema)]
#[serde(untagged)]
pub(super) enum Response {
    Decided {
        /// P(task).
        posterior: Vec<f64>,
        contributions: Contributions,
        /// ln of the sum over tasks of the product of everything.
        log_z: f64,
    },
    Contradiction {
        /// null: every task is ruled out by something.
        posterior: (),
        contradiction: bool,
        /// P(task | task before).
        fallback: Vec<f64>,
    },
}

/// What each thing that spoke adds to each task, in nats, before normalising. Logarithms of 0 are null; whatever was
/// left out adds 0.
#[derive(Serialize, JsonSchema)]
pub(super) struct Contributions {
    transition: Vec<f64>,
    /// A row for each sensor.
    sensors: Vec<Vec<f64>>,
    /// A row for each opinion.
    opinions: Vec<Vec<f64>>,
}

fn answer(request: Request) -> Result<Response, String> {
    let tasks = request.transition.len();
    for (before, row) in request.transition.iter().enumerate() {
        let wrong = |error: &dyn std::fmt::Display| format!("transition {before}: {error}");
        check(row).map_err(|error| wrong(&error))?;
        if row.len() != tasks {
            return Err(wrong(&format!("{} numbers for {tasks} tasks", row.len())));
        }
    }
    let even = vec![1.0 / tasks.max(1) as f64; tasks];
    let before = match request.previous {
        Some(previous) => request.transition.get(previous).ok_or_else(|| {
            format!("there is no task {previous}: they are counted from 0, and there are {tasks}")
        })?,
        None => &even,
    };
    let mut table = Deliberation::new();
    table.begin(before).map_err(|error| error.to_string())?;
    let mut rows = Rows { spoken: Vec::new() };
    for (index, sensor) in request.sensors.iter().enumerate() {
        let wrong = |error: &dyn std::fmt::Display| format!("sensor {index}: {error}");
        let card = sensor.likelihood.first().map_or(0, Vec::len);
        for row in &sensor.likelihood {
            check(row).map_err(|error| wrong(&error))?;
        }
        if sensor.likelihood.len() != tasks || sensor.likelihood.iter().any(|row| row.len() != card) {
            return Err(wrong(&format!(
                "its likelihood needs {tasks} rows of equal length, one for each task"
            )));
        }
        let reading = match &sensor.reading {
            None => Reading::Unknown,
            Some(Read::Value(value)) => Reading::Value(*value),
            Some(Read::Believed(belief)) => Reading::Believed(belief),
        };
        let spoke = table.sensor(&sensor.likelihood.concat(), reading).map_err(|error| wrong(&error))?;
        rows.spoken.push(spoke);
    }
    for (index, opinion) in request.opinions.iter().enumerate() {
        let stance = match opinion.stance {
            Side::Prescriptive => Stance::Prescriptive,
            Side::Proscriptive => Stance::Proscriptive,
            Side::Inactive => Stance::Inactive,
        };
        let spoke = table.opinion(&opinion.values, stance, opinion.weight);
        rows.spoken.push(spoke.map_err(|error| format!("opinion {index}: {error}"))?);
    }
    let posterior = table.conclude().to_vec();
    if table.is_contradiction() {
        return Ok(Response::Contradiction { posterior: (), contradiction: true, fallback: before.clone() });
    }
    let contributions = rows.contributions(&table, request.sensors.len());
    Ok(Response::Decided { posterior, contributions, log_z: table.log_z() })
}

/// Which of the sensors and opinions spoke.
struct Rows {
    spoken: Vec<bool>,
}

impl Rows {
    fn contributions(&self, table: &Deliberation, sensors: usize) -> Contributions {
        let mut rows = table.rows();
        let transition: Vec<f64> = rows.next().unwrap_or_default().to_vec();
        let silent = vec![0.0; transition.len()];
        let mut spoken = self.spoken.iter().map(|&spoke| match spoke {
            true => rows.next().unwrap_or_default().to_vec(),
            false => silent.clone(),
        });
        let sensors = spoken.by_ref().take(sensors).collect();
        Contributions { transition, sensors, opinions: spoken.collect() }
    }
}
