//! `ask incremental-baum-welch`: a sequence of tasks learned one observation at a time.

use repertoire_prob::hmm::incremental::{IncrementalBaumWelch, Step};
use repertoire_prob::table::cells_over;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::baum_welch::{flat, tables};
use super::nested::Shaped;
use crate::door::{Answer, Part};

pub(super) struct Incremental;

impl Part for Incremental {
    const NAME: &'static str = "incremental-baum-welch";
    const ABOUT: &'static str = "the same, one observation at a time, with what the acts tell of the task";
    const EXAMPLE: &'static str = r#"{"states":2,"cards":[2],"observations":[[0],[0],[1]],"task_likelihood":[[0.9,0.1],[0.8,0.2],[0.1,0.9]]}"#;
    type Request = Request;
    type Response = Response;
    const ANSWER: Answer<Self> = answer;
}

/// What was observed, in order.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Request {
    /// How many states (tasks) there are.
    states: usize,
    /// How many values each observation variable has.
    cards: Vec<usize>,
    /// [t][k]: the value of each observation variable, or null where none was made.
    observations: Vec<Vec<Option<u32>>>,
    /// [t][state]: how well each task explains the act seen at t; null in place of the whole list if nothing is known.
    task_likelihood: Option<Vec<Vec<f64>>>,
}

/// What was learned.
#[derive(Serialize, JsonSchema)]
pub(super) struct Response {
    /// P(next state | state), as learned after the last observation.
    #[serde(rename = "A")]
    a: Shaped,
    /// P(observation | state) for each observation variable.
    #[serde(rename = "B")]
    b: Vec<Shaped>,
    /// P(state at t | observations up to t), as believed at t.
    filtered: Vec<Vec<f64>>,
    /// Steps whose task likelihood no state could explain: it was left out there.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    contradictions: Vec<usize>,
}

fn answer(request: Request) -> Result<Response, String> {
    let Request { states, cards, observations, task_likelihood } = request;
    if states == 0 || cards.contains(&0) {
        return Err("states and cards must be at least 1".into());
    }
    let sizes = cards.iter().copied().chain([states]);
    if sizes.clone().any(|card| cells_over([states, card]).is_none())
        || cells_over([states, sizes.sum()]).is_none()
    {
        return Err("the tables would be too large".into());
    }
    let values = flat(&observations, &cards)?;
    if let Some(likelihood) = &task_likelihood {
        if likelihood.len() != observations.len() {
            return Err(format!("{} task likelihoods for {} steps", likelihood.len(), observations.len()));
        }
        let good = |row: &&Vec<f64>| row.len() == states && row.iter().all(|&p| p >= 0.0 && p.is_finite());
        if let Some(t) = likelihood.iter().position(|row| !good(&row)) {
            return Err(format!("task_likelihood[{t}] needs {states} finite numbers from 0 up"));
        }
    }
    let mut learner = IncrementalBaumWelch::new(states, &cards);
    let (mut filtered, mut contradictions) = (Vec::new(), Vec::new());
    for t in 0..observations.len() {
        let known = task_likelihood.as_ref().map(|likelihood| &likelihood[t][..]);
        let step = learner.observe(&values[t * cards.len()..][..cards.len()], known);
        if step.map_err(|error| error.to_string())? == Step::Contradiction {
            contradictions.push(t);
        }
        filtered.push(learner.filtered().to_vec());
    }
    let (a, b) = tables(&learner.model());
    Ok(Response { a, b, filtered, contradictions })
}
