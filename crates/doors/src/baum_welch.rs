//! `ask baum-welch`: a hidden Markov model learned from whole sequences.

use repertoire_prob::hmm::baum_welch::{Options, learn, posteriors};
use repertoire_prob::hmm::{Hmm, MISSING, Observation, Sequence};
use repertoire_prob::table::cells_over;
use schemars::JsonSchema;
use serde::Serialize;

use super::nested::{Nested, Shaped};
use crate::door::{Keeps, line, only, question};
use crate::{DoorError, Library};

pub(super) struct BaumWelch;

impl Keeps for BaumWelch {
    const NAME: &'static str = "baum-welch";
    const ABOUT: &'static str =
        "a hidden Markov model with several observation variables, learned from sequences";
    const EXAMPLE: &'static str = r#"{"pi":[0.5,0.5],"A":[[0.9,0.1],[0.2,0.8]],"B":[[[0.7,0.3],[0.1,0.9]]],"sequences":[[[0],[0],[1],[1]]],"iterations":2,"learn_pi":true}"#;
    const LOAD_EXAMPLE: &'static str =
        r#"{"load":{"pi":[0.5,0.5],"A":[[0.9,0.1],[0.2,0.8]],"B":[[[0.7,0.3],[0.1,0.9]]]},"as":"mine"}"#;
    const USE_EXAMPLE: &'static str = r#"{"use":"mine","sequences":[[[0],[0],[1],[1]]],"iterations":0}"#;
    type Request = Request;
    type Response = Response;
    type Thing = Thing;
    type Question = Question;
    type Kept = Hmm;
    type Last = ();

    fn answer(request: Request, (): &mut (), _: &dyn Library) -> Result<String, DoorError> {
        let (thing, question) = request.split();
        check(&question)?;
        line(&learned(model(thing)?, &question, true)?)
    }

    fn keep(thing: Thing, _: &dyn Library) -> Result<Hmm, DoorError> {
        Ok(model(thing)?)
    }

    fn ask(used: &[&Hmm], question: Question) -> Result<String, DoorError> {
        check(&question)?;
        line(&learned(only(used)?.clone(), &question, question.iterations > 0)?)
    }
}

question! {
    /// A model to start from, and what was observed.
    load {
        /// P(first state).
        pi: Vec<f64>,
        /// P(next state | state): [from][to].
        #[serde(rename = "A")]
        a: Nested,
        /// P(observation | state) for each observation variable: [k][state][value].
        #[serde(rename = "B")]
        b: Vec<Nested>,
    }
    ask {
        /// [sequence][t][k]: the value of each observation variable, or null where none was made.
        sequences: Vec<Vec<Vec<Option<u32>>>>,
        /// How often to re-estimate; 0 only tells what the model believes.
        iterations: usize,
        /// Whether pi is learned too.
        #[serde(default = "yes")]
        learn_pi: bool,
    }
}

fn yes() -> bool {
    true
}

/// The learned model; without its numbers where a loaded one was not learned further.
#[derive(Serialize, JsonSchema)]
pub(super) struct Response {
    #[serde(skip_serializing_if = "Option::is_none")]
    pi: Option<Vec<f64>>,
    #[serde(rename = "A", skip_serializing_if = "Option::is_none")]
    a: Option<Shaped>,
    #[serde(rename = "B", skip_serializing_if = "Option::is_none")]
    b: Option<Vec<Shaped>>,
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

fn check(asked: &Question) -> Result<(), String> {
    if asked.iterations > MOST_ITERATIONS {
        return Err(format!(
            "{} iterations: at most {MOST_ITERATIONS} in one line, go on from its answer",
            asked.iterations
        ));
    }
    Ok(())
}

fn model(thing: Thing) -> Result<Hmm, String> {
    let states = thing.pi.len();
    if thing.a.shape != [states, states] {
        return Err(format!(
            "A has the shape {:?}, {states} states need [{states}, {states}]",
            thing.a.shape
        ));
    }
    let mut observations = Vec::new();
    for (k, table) in thing.b.iter().enumerate() {
        let &[rows, card] = &table.shape[..] else { return Err(format!("B[{k}] must be [state][value]")) };
        if rows != states {
            return Err(format!("B[{k}] has {rows} rows for {states} states"));
        }
        observations.push(Observation { card, table: table.numbers()? });
    }
    Hmm::new(thing.pi, thing.a.numbers()?, observations).map_err(|error| error.to_string())
}

/// Learns from the sequences; says the model's numbers only if they are asked for.
fn learned(mut model: Hmm, asked: &Question, with_numbers: bool) -> Result<Response, String> {
    let states = model.states();
    let cards: Vec<usize> = model.observations().iter().map(|observation| observation.card).collect();
    let mut values = Vec::new();
    for (s, sequence) in asked.sequences.iter().enumerate() {
        values.push(flat(sequence, &cards).map_err(|error| format!("sequence {s}, {error}"))?);
        // Two tables of this size are kept for every sequence that is explained.
        cells_over([sequence.len(), states, states]).ok_or("a sequence with that many states is too long")?;
    }
    let lengths = asked.sequences.iter().map(Vec::len);
    let sequences: Vec<Sequence<'_>> =
        lengths.zip(&values).map(|(steps, values)| Sequence { steps, values, known: None }).collect();
    let options =
        Options { iterations: asked.iterations, learn_initial: asked.learn_pi, ..Options::default() };
    let log_likelihood = learn(&mut model, &sequences, &options).map_err(|error| error.to_string())?;
    let (mut gamma, mut xi) = (None, None);
    if asked.iterations == 0 {
        let (mut gammas, mut xis) = (Vec::new(), Vec::new());
        for sequence in &sequences {
            let (one, two) = posteriors(&model, sequence).map_err(|error| error.to_string())?;
            gammas.push(Shaped::new(&[sequence.steps, states], one));
            xis.push(Shaped::new(&[sequence.steps.saturating_sub(1), states, states], two));
        }
        (gamma, xi) = (Some(gammas), Some(xis));
    }
    let (pi, a, b) = match with_numbers {
        true => {
            let (a, b) = tables(&model);
            (Some(model.initial().to_vec()), Some(a), Some(b))
        }
        false => (None, None, None),
    };
    Ok(Response { pi, a, b, log_likelihood, gamma, xi })
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
