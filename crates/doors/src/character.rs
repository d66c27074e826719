//! The door to characters of any game: one tick, from what is sensed to a task, its target and the reasons.
//!
//! A session keeps the character's file; its state goes out with each answer and comes back with the next question, so
//! that one loaded file serves any number of individuals, and any of them can be saved or rewound.

use std::collections::BTreeMap;
use std::sync::Arc;

use repertoire_bayes::sequence::shipped;
use repertoire_mind::game::{Character, Design, Report, Scratch, Senses, State};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::door::{Keeps, line, only, question};
use crate::{DoorError, Library};

pub(super) struct Characters;

impl Keeps for Characters {
    const NAME: &'static str = "character";
    const ABOUT: &'static str =
        "one tick of a character of any game: what it does about what it senses, and why";
    const EXAMPLE: &'static str = r#"{"character":{"tasks":["eat","flee"],"stay":0.7,"sensors":{"wolf":["away","near"]},"likelihood":{"wolf":{"away":["x",0.1],"near":[0.01,"x"]}},"needs":{"hunger":{"grows":0.1,"eased":{"eat":0.3}}}},"sensors":{"wolf":"near"}}"#;
    const LOAD_EXAMPLE: &'static str = r#"{"load":{"character":{"tasks":["eat","flee"],"stay":0.7,"sensors":{"wolf":["away","near"]},"likelihood":{"wolf":{"away":["x",0.1],"near":[0.01,"x"]}}}},"as":"villager"}"#;
    const USE_EXAMPLE: &'static str = r#"{"use":"villager","seed":1,"agent":7,"sensors":{"wolf":[0.4,0.6]}}"#;
    type Request = Request;
    type Response = Response;
    type Thing = Thing;
    type Question = Question;
    type Kept = Arc<Design>;
    type Last = ();

    fn answer(request: Request, (): &mut (), _: &dyn Library) -> Result<String, DoorError> {
        let (thing, question) = request.split();
        Self::ask(&[&read(&thing.character)?], question)
    }

    fn keep(thing: Thing, _: &dyn Library) -> Result<Arc<Design>, DoorError> {
        Ok(read(&thing.character)?)
    }

    fn ask(used: &[&Arc<Design>], question: Question) -> Result<String, DoorError> {
        Ok(tick(only(used)?, &question)?)
    }
}

question! {
    /// What does it do now?
    load {
        /// A character: the text of its file, or an object with the keys of such a file.
        character: Value,
    }
    ask {
        /// The state that the last answer gave; left out, an individual is born.
        #[serde(default)]
        state: Option<Value>,
        /// For one who is born: the world's seed.
        #[serde(default)]
        seed: u64,
        /// For one who is born: its number in the world.
        #[serde(default)]
        agent: u64,
        /// What happened since the last tick: by how much each need was eased, below 0 if it got worse.
        #[serde(default)]
        eased: BTreeMap<String, f64>,
        /// What each sensor says: the name of a value, or how probable each value is; those left out say nothing.
        #[serde(default)]
        sensors: BTreeMap<String, Reading>,
        /// Facts that are seen to be so.
        #[serde(default)]
        facts: BTreeMap<String, String>,
        /// Things that tasks may be about.
        #[serde(default)]
        offers: Vec<Offer>,
        /// What other voices say of each task.
        #[serde(default)]
        opinions: BTreeMap<String, Vec<f64>>,
    }
}

/// What a sensor says.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(untagged)]
enum Reading {
    /// One value.
    Value(String),
    /// How probable each value is.
    Believed(Vec<f64>),
    /// Nothing.
    Nothing,
}

/// A thing that tasks may be about.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Offer {
    /// Its kind, as in `[targets]`.
    kind: String,
    /// Its number in the game.
    thing: u64,
    /// How far it is, in any unit.
    distance: f64,
}

/// What it does, and why.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Response {
    /// The task.
    task: String,
    /// The thing that the task is about.
    target: Option<u64>,
    /// Why, stage by stage. Logarithms of 0 are null.
    #[schemars(with = "Value")]
    report: Report,
    /// Everything that its next tick depends on.
    #[schemars(with = "Value")]
    state: State,
}

fn read(written: &Value) -> Result<Arc<Design>, String> {
    let text = match written {
        Value::String(text) => text.clone(),
        Value::Object(object) => {
            let mut object = object.clone();
            object.entry("name").or_insert_with(|| Value::String("asked".into()));
            // The reader of files reads this too, so that both mean the same.
            toml_edit::ser::to_string(&object)
                .map_err(|error| format!("the character cannot be a file: {error}"))?
        }
        _ => return Err("`character` is the text of a character's file, or an object with its keys".into()),
    };
    let find = &mut |name: &str| shipped::behaviour(name).ok_or_else(|| "it is not shipped".into());
    Design::read(&text, find).map_err(|mistake| match written {
        Value::String(_) => mistake.to_string(),
        _ => format!("character: {}; remedy: {}", mistake.what, mistake.remedy),
    })
}

fn tick(design: &Arc<Design>, question: &Question) -> Result<String, String> {
    let senses = senses(design, question).map_err(|error| error.to_string())?;
    let mut character = Character::new(design, question.seed, question.agent);
    if let Some(saved) = &question.state {
        let state = State::deserialize(saved).map_err(|error| format!("this is no saved state: {error}"))?;
        character.restore(state).map_err(|error| error.to_string())?;
    }
    let eased = question.eased.iter().try_for_each(|(need, by)| character.ease(need, *by));
    eased.map_err(|error| error.to_string())?;
    let deed = character.tick(&senses, &mut Scratch::new());
    let answer = Response {
        task: design.task_name(deed.task).to_owned(),
        target: deed.target,
        report: character.report(),
        state: character.state().clone(),
    };
    line(&answer).map_err(|error| error.to_string())
}

fn senses(design: &Arc<Design>, question: &Question) -> Result<Senses, repertoire_mind::game::SensesError> {
    let mut senses = design.senses();
    for (sensor, reading) in &question.sensors {
        match reading {
            Reading::Value(value) => senses.see(sensor, value)?,
            Reading::Believed(probabilities) => senses.believe(sensor, probabilities)?,
            Reading::Nothing => senses.lose(sensor)?,
        }
    }
    question.facts.iter().try_for_each(|(variable, value)| senses.fact(variable, value))?;
    question.offers.iter().try_for_each(|offer| senses.offer(&offer.kind, offer.thing, offer.distance))?;
    question.opinions.iter().try_for_each(|(voice, says)| senses.opine(voice, says))?;
    Ok(senses)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use crate::door;

    #[test]
    fn a_state_sent_back_goes_on_as_if_it_had_never_left() {
        let mut session = door("character").unwrap().session();
        session.answer(<super::Characters as crate::door::Keeps>::LOAD_EXAMPLE).unwrap();
        let mut ask = |state: &Value, wolf: &str| -> Value {
            let line = json!({ "use": "villager", "seed": 3, "agent": 1, "state": state, "sensors": { "wolf": wolf } });
            serde_json::from_str(&session.answer(&line.to_string()).unwrap()).unwrap()
        };
        let (mut state, mut tasks) = (Value::Null, Vec::new());
        for tick in 0..40 {
            let answer = ask(&state, if tick < 20 { "away" } else { "near" });
            assert_eq!(
                answer,
                ask(&state, if tick < 20 { "away" } else { "near" }),
                "the same question, the same answer"
            );
            tasks.push(answer["task"].as_str().unwrap().to_owned());
            state = answer["state"].clone();
        }
        assert!(tasks[..20].iter().filter(|task| *task == "eat").count() > 15, "{tasks:?}");
        assert!(tasks[25..].iter().filter(|task| *task == "flee").count() > 10, "{tasks:?}");
    }

    #[test]
    fn what_is_wrong_is_said_with_a_remedy() {
        let mut session = door("character").unwrap().session();
        session.answer(<super::Characters as crate::door::Keeps>::LOAD_EXAMPLE).unwrap();
        for (line, said) in [
            (r#"{"use":"villager","sensors":{"wulf":"near"}}"#, "did you mean `wolf`?"),
            (r#"{"use":"villager","sensors":{"wolf":[0.5,0.6]}}"#, "wolf"),
            (r#"{"use":"villager","state":{"draw":1}}"#, "no saved state"),
            (r#"{"use":"villager","facts":{"food":"raw"}}"#, "its file declares none"),
            (r#"{"use":"villager","eased":{"hunger":1}}"#, "its file declares none"),
            (r#"{"character":"tasks = 3"}"#, "remedy"),
        ] {
            let error = session.answer(line).expect_err(line).to_string();
            assert!(error.contains(said), "{line}: {error}");
        }
    }
}
