//! `ask program`: any question to any program, values as indices.

use std::collections::BTreeMap;

use repertoire_bayes::syntax::Conditional;
use repertoire_bayes::{Form, Program, Workspace};
use repertoire_prob::Variable;
use repertoire_prob::variable::MOST_VALUES;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::nested::{Nested, Shaped};
use crate::door::{Keeps, line, only, question};
use crate::{DoorError, Library};

pub(super) struct Programs;

impl Keeps for Programs {
    const NAME: &'static str = "program";
    const ABOUT: &'static str = "P(searched | known) in a Bayesian program, exactly";
    const EXAMPLE: &'static str = r#"{"variables":["A","B"],"card":{"A":2,"B":3},"factors":[{"left":["A"],"given":[],"table":[0.5,"x"]},{"left":["B"],"given":["A"],"table":[[0.2,0.3,0.5],[0.6,0.3,0.1]]}],"searched":["A"],"known":{"B":1}}"#;
    const LOAD_EXAMPLE: &'static str = r#"{"load":{"variables":["A","B"],"card":{"A":2,"B":3},"factors":[{"left":["B"],"given":["A"],"table":[[0.2,0.3,0.5],[0.6,0.3,0.1]]}]},"as":"mine"}"#;
    const USE_EXAMPLE: &'static str = r#"{"use":"mine","searched":["A"],"known":{"B":1}}"#;
    type Request = Request;
    type Response = Response;
    type Thing = Thing;
    type Question = Question;
    type Kept = Program;
    type Last = ();

    fn answer(request: Request, (): &mut (), library: &dyn Library) -> Result<String, DoorError> {
        let (thing, question) = request.split();
        Self::ask(&[&Self::keep(thing, library)?], question)
    }

    fn keep(thing: Thing, _: &dyn Library) -> Result<Program, DoorError> {
        Ok(program(thing)?)
    }

    fn ask(used: &[&Program], question: Question) -> Result<String, DoorError> {
        line(&ask(only(used)?, question)?)
    }
}

question! {
    /// A program and a question to it.
    load {
        /// The names of the variables.
        variables: Vec<String>,
        /// How many values each has.
        card: BTreeMap<String, usize>,
        /// The decomposition. A variable on no left side is uniform.
        factors: Vec<FactorRequest>,
    }
    ask {
        /// The variables asked for, in the order of the answer's axes.
        searched: Vec<String>,
        /// The value of each known variable.
        #[serde(default)]
        known: BTreeMap<String, usize>,
    }
}

/// P(left | given).
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct FactorRequest {
    left: Vec<String>,
    #[serde(default)]
    given: Vec<String>,
    /// Axes: the given variables in order, then the left ones. "x" cells share what is left of their column.
    table: Nested,
}

/// The answer.
#[derive(Serialize, JsonSchema)]
pub(super) struct Response {
    /// P(searched | known), an axis for each searched variable.
    answer: Shaped,
    /// P(known); 0 if it is too small for a double.
    p_known: f64,
    /// ln P(known), given when p_known is too small for a double.
    #[serde(skip_serializing_if = "Option::is_none")]
    log_p_known: Option<f64>,
}

fn program(thing: Thing) -> Result<Program, String> {
    let mut variables = Vec::new();
    for name in &thing.variables {
        let card = *thing
            .card
            .get(name)
            .ok_or_else(|| format!("`card` does not say how many values `{name}` has"))?;
        if card > MOST_VALUES {
            return Err(format!("`{name}` has {card} values; at most {MOST_VALUES} are possible"));
        }
        let values = (0..card).map(|value| value.to_string());
        variables.push(Variable::new(name.as_str(), values).map_err(|error| error.to_string())?);
    }
    if let Some(name) = thing.card.keys().find(|name| !thing.variables.contains(name)) {
        return Err(format!("`card` names `{name}`, which is not among the variables"));
    }
    let mut factors = Vec::new();
    for (index, factor) in thing.factors.into_iter().enumerate() {
        factors.push(factor.checked(&thing.card).map_err(|error| format!("factor {index}: {error}"))?);
    }
    for name in &thing.variables {
        if !factors.iter().any(|(conditional, _)| conditional.left.contains(name)) {
            factors.push((Conditional { left: vec![name.clone()], given: vec![] }, Form::Uniform));
        }
    }
    Program::new("asked", variables, factors).map_err(|error| error.to_string())
}

fn ask(program: &Program, asked: Question) -> Result<Response, String> {
    let ask = Conditional {
        left: asked.searched,
        given: asked.known.keys().map(|name| (name.clone(), None)).collect(),
    };
    let question = repertoire_bayes::Question::compile(program, &ask).map_err(|error| error.to_string())?;
    let mut known = Vec::new();
    for ((name, &value), &card) in asked.known.iter().zip(question.known_cards()) {
        if value >= card {
            return Err(format!("`{name}` is known as {value}, but its values go from 0 to {}", card - 1));
        }
        known.push(value as u32);
    }
    let mut workspace = Workspace::new();
    let answer = question.ask(program, &known, &mut workspace).map_err(|error| error.to_string())?;
    Ok(Response {
        answer: Shaped::new(question.searched_cards(), answer.distribution.to_vec()),
        p_known: answer.p_known,
        log_p_known: (answer.p_known == 0.0).then(|| answer.log_p_known()),
    })
}

impl FactorRequest {
    fn checked(self, card: &BTreeMap<String, usize>) -> Result<(Conditional, Form), String> {
        let mut shape = Vec::new();
        let mut seen: Vec<&String> = Vec::new();
        for name in self.given.iter().chain(&self.left) {
            if seen.contains(&name) {
                return Err(format!("`{name}` stands there twice"));
            }
            seen.push(name);
            shape.push(*card.get(name).ok_or_else(|| format!("`{name}` is not a variable"))?);
        }
        if self.left.is_empty() {
            return Err("nothing stands on the left".into());
        }
        if self.table.shape != shape {
            return Err(format!(
                "the table has the shape {:?}, its variables need {shape:?}",
                self.table.shape
            ));
        }
        let given = self.given.into_iter().map(|name| (name, None)).collect();
        Ok((Conditional { left: self.left, given }, Form::Table(self.table.cells)))
    }
}
