//! `ask baum-welch`: a hidden Markov model learned from whole sequences.

use repertoire_prob::hmm::baum_welch::{Options, learn, posteriors};
use repertoire_prob::hmm::{Hmm, MISSING, Observation, Sequence};
use repertoire_prob::table::cells_over;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::nested::{Nested, Shaped};
use super::{Answer, Part};

pub(super) struct BaumWelch;

impl Part for BaumWelch {
    const NAME: &'static str = "baum-welch";
    const ABOUT: &'static str =
        "a hidden Markov model with several observation variables, learned from sequences";
    const EXAMPLE: &'static str = r#"{"pi":[0.5,0.5],"A":[[0.9,0.1],[0.2,0.8]],"B":[[[0.7,0.3],[0.1,0.9]]],"sequences":[[[0],[0],[1],[1]]],"iterations":2,"learn_pi":true}"#;
    type Request = Request;
    type Response = Response;
    const ANSWER: Answer<Self> = answer;
}

/// A model to start from, and what was observed.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Request {
    /// P(first state).
    pi: Vec<f64>,
    /// P(next state | state): [from][to].
    #[serde(rename = "A")]
    a: Nested,
    /// P(observation | state) for each observation variable: [k][state][value].
    #[serde(rename = "B")]
    b: Vec<Nested>,
    /// [sequence][t][k]: the value of each observation variable, or null where none was made.
    sequences: Vec<Vec<Vec<Option<u32>>>>,
    /// How often to re-estimate; 0 only tells what the model believes.
    iterations: usize,
    /// Whether pi is learned too.
    #[serde(default = "yes")]
    learn_pi: bool,
}

fn yes() -> bool {
    true
}

/// The learned model.
#[derive(Serialize, JsonSchema)]
pub(super) struct Response {
    pi: Vec<f64>,
    #[serde(rename = "A")]
    a: Shaped,
    #[serde(rename = "B")]
    b: Vec<Shaped>,
    /// ln P(sequences), before each iteration and after the last.
    log_likelihood: Vec<f64>,
    /// With no iterations: P(state at t | sequence), [sequence][t][state].
    #[serde(skip_serializing_if = "Option::is_none")]
    gamma: Option<Vec<Shaped>>,
    /// With no iterations: P(states at t-1 and t | sequence), [sequence][t-1][from][to].
    #[serde(skip_serializing_if = "Option::is_none")]
    xi: Option<Vec<Shaped>>,
}

/// One line is one answer: whoever wants more goes on from it.
const MOST_ITERATIONS: usize = 100_000;

fn answer(request: Request) -> Result<Response, String> {
    let states = request.pi.len();
    if request.iterations > MOST_ITERATIONS {
        return Err(format!(
            "{} iterations: at most {MOST_ITERATIONS} in one line, go on from its answer",
            request.iterations
        ));
    }
    if request.a.shape != [states, states] {
        return Err(format!(
            "A has the shape {:?}, {states} states need [{states}, {states}]",
            request.a.shape
        ));
    }
    let mut observations = Vec::new();
    for (k, table) in request.b.iter().enumerate() {
        let &[rows, card] = &table.shape[..] else { return Err(format!("B[{k}] must be [state][value]")) };
        if rows != states {
            return Err(format!("B[{k}] has {rows} rows for {states} states"));
        }
        observations.push(Observation { card, table: table.numbers()? });
    }
    let cards: Vec<usize> = observations.iter().map(|observation| observation.card).collect();
    let mut model =
        Hmm::new(request.pi, request.a.numbers()?, observations).map_err(|error| error.to_string())?;
    let mut values = Vec::new();
    for (s, sequence) in request.sequences.iter().enumerate() {
        values.push(flat(sequence, &cards).map_err(|error| format!("sequence {s}, {error}"))?);
        // Two tables of this size are kept for every sequence that is explained.
        cells_over([sequence.len(), states, states]).ok_or("a sequence with that many states is too long")?;
    }
    let lengths = request.sequences.iter().map(Vec::len);
    let sequences: Vec<Sequence<'_>> =
        lengths.zip(&values).map(|(steps, values)| Sequence { steps, values, known: None }).collect();
    let options =
        Options { iterations: request.iterations, learn_initial: request.learn_pi, ..Options::default() };
    let log_likelihood = learn(&mut model, &sequences, &options).map_err(|error| error.to_string())?;
    let (mut gamma, mut xi) = (None, None);
    if request.iterations == 0 {
        let (mut gammas, mut xis) = (Vec::new(), Vec::new());
        for sequence in &sequences {
            let (one, two) = posteriors(&model, sequence).map_err(|error| error.to_string())?;
            gammas.push(Shaped::new(&[sequence.steps, states], one));
            xis.push(Shaped::new(&[sequence.steps.saturating_sub(1), states, states], two));
        }
        (gamma, xi) = (Some(gammas), Some(xis));
    }
    let (a, b) = tables(&model);
    Ok(Response { pi: model.initial().to_vec(), a, b, log_likelihood, gamma, xi })
}

/// A model's transition and observation tables as nested lists.
pub(super) fn tables(model: &Hmm) -> (Shaped, Vec<Shaped>) {
    let states = model.states();
    let observed = model.observations().iter();
    let b = observed.map(|observation| Shaped::new(&[states, observation.card], observation.table.clone()));
    (Shaped::new(&[states, states], model.transition().to_vec()), b.collect())
}

/// `[t][k]` values in a row, each within its variable.
pub(super) fn flat(steps: &[Vec<Option<u32>>], cards: &[usize]) -> Result<Vec<u32>, String> {
    let mut values = Vec::with_capacity(steps.len() * cards.len());
    for (t, step) in steps.iter().enumerate() {
        if step.len() != cards.len() {
            return Err(format!("step {t}: {} values for {} observation variables", step.len(), cards.len()));
        }
        for (k, (value, &card)) in step.iter().zip(cards).enumerate() {
            match value {
                Some(value) if *value as usize >= card => {
                    return Err(format!(
                        "step {t}: variable {k} has the value {value}, its values go up to {}",
                        card - 1
                    ));
                }
                value => values.push(value.unwrap_or(MISSING)),
            }
        }
    }
    Ok(values)
}
