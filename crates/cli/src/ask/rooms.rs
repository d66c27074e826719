//! `ask rooms`: run a scenario.

use std::collections::BTreeMap;
use std::sync::Arc;

use repertoire_character::profile::{PROFILES, file, profile};
use repertoire_character::{Profile, Standing};
use repertoire_worlds::rooms::scenario::{SCENARIOS, scenario};
use repertoire_worlds::rooms::{Scenario, World};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Answer, Part};
use crate::rooms::film::{Film, Role, Worth};
use crate::rooms::source::read_scenario;

pub(super) struct Rooms;

impl Part for Rooms {
    const NAME: &'static str = "rooms";
    const ABOUT: &'static str =
        "run characters in a scenario of rooms: what they did, where they were, what everything was worth";
    const EXAMPLE: &'static str =
        r#"{"scenario":"6.1.2-left","profile":{"preferences":{"break":2,"unlock":0.8}},"seed":1,"steps":30}"#;
    type Request = Request;
    type Response = Response;
    const ANSWER: Answer<Self> = answer;
}

/// A run.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Request {
    /// The name of a scenario that comes with repertoire; or a scenario's TOML text; or the same as JSON.
    scenario: Value,
    /// Who acts, in the place of whom the scenario says: a profile's name, its TOML text, or its parameters. For the first
    /// character, unless it is `{"characters": {NAME: PROFILE, ...}}`.
    #[serde(default)]
    profile: Option<Value>,
    /// The seed; usually 1.
    #[serde(default)]
    seed: Option<u64>,
    /// How many steps; the scenario says what is usual.
    #[serde(default)]
    steps: Option<u32>,
}

/// One character's run.
#[derive(Serialize, JsonSchema)]
struct Life {
    /// What it did in each step: `take(apple1)`, `move to take(apple1)`, `explore`, `fail to open(door)`, `wait`.
    actions: Vec<String>,
    /// Where it was after each step, column and row from the top left.
    positions: Vec<[u32; 2]>,
    /// What everything it could have done in each step was worth.
    values: Vec<Vec<ValueOf>>,
    /// How its goals stand at the end: `met`, `open`, `unreachable`.
    goals: BTreeMap<String, String>,
}

/// What something was worth.
#[derive(Serialize, JsonSchema)]
struct ValueOf {
    action: String,
    goal: String,
    value: f64,
}

/// What happened.
#[derive(Serialize, JsonSchema)]
pub(super) struct Response {
    /// The first character.
    #[serde(flatten)]
    first: Life,
    /// The others, by name.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    others: BTreeMap<String, Life>,
    /// The hash of the state at the end.
    hash: String,
}

/// More steps at once would make a line of answer that nobody wants.
const MOST_STEPS: u32 = 100_000;

fn answer(request: Request) -> Result<Response, String> {
    let scenario = find(&request.scenario)?;
    let steps = request.steps.unwrap_or(scenario.steps);
    if steps > MOST_STEPS {
        return Err(format!("`steps` is {steps}: at most {MOST_STEPS}"));
    }
    let mut world = World::new(scenario, request.seed.unwrap_or(1));
    match &request.profile {
        None | Some(Value::Null) => {}
        Some(Value::Object(map)) if map.len() == 1 && map.contains_key("characters") => {
            let Some(Value::Object(each)) = map.get("characters") else {
                return Err("`characters` must be an object of names and profiles".into());
            };
            for (name, written) in each {
                let who = world.residents().iter().position(|resident| resident.name == *name);
                let who = who.ok_or_else(|| format!("nobody here is called `{name}`"))?;
                world.set_profile(who, &read_profile(written)?);
            }
        }
        Some(written) => world.set_profile(0, &read_profile(written)?),
    }
    let film = Film::run(&mut world, steps, false, |_| {});
    let mut lives = film.roles.into_iter().map(|role| (role.name.clone(), life(role)));
    let (_, first) = lives.next().ok_or("nobody acts")?;
    Ok(Response { first, others: lives.collect(), hash: format!("{:016x}", world.hash()) })
}

fn life(role: Role) -> Life {
    let standing = |standing| match standing {
        Standing::Met => "met",
        Standing::Open => "open",
        Standing::Unreachable => "unreachable",
    };
    let goals = role.goals.iter().map(|(name, end)| (name.clone(), standing(*end).to_owned())).collect();
    let mut life = Life { actions: Vec::new(), positions: Vec::new(), values: Vec::new(), goals };
    for shot in role.shots {
        life.actions.push(shot.action);
        life.positions.push(shot.at);
        let value = |worth: Worth| ValueOf { action: worth.action, goal: worth.goal, value: worth.value };
        life.values.push(shot.values.into_iter().map(value).collect());
    }
    life
}

fn find(written: &Value) -> Result<Arc<Scenario>, String> {
    match written {
        Value::String(text) if text.contains('\n') || text.contains('=') => {
            read_scenario("scenario", text).map_err(|error| format!("{error:#}"))
        }
        Value::String(name) => scenario(name).map(Arc::new).ok_or_else(|| {
            let names: Vec<&str> = SCENARIOS.iter().map(|(name, _)| *name).collect();
            format!("there is no scenario `{name}`: one of {}, or a scenario's text", names.join(", "))
        }),
        Value::Object(_) => {
            let text =
                repertoire_authored::write(&without_nulls(written)).map_err(|error| error.to_string())?;
            read_scenario("scenario", &text).map_err(|error| format!("{error:#}"))
        }
        _ => Err("`scenario` must be a name, a text, or an object".into()),
    }
}

/// What is null is not there, as callers from other languages mean it.
fn without_nulls(value: &Value) -> Value {
    match value {
        Value::Object(map) => {
            let there = map.iter().filter(|(_, value)| !value.is_null());
            Value::Object(there.map(|(key, value)| (key.clone(), without_nulls(value))).collect())
        }
        Value::Array(list) => Value::Array(list.iter().map(without_nulls).collect()),
        other => other.clone(),
    }
}

fn read_profile(written: &Value) -> Result<Profile, String> {
    let read = |text: &str| file::read(text).map_err(|mistake| format!("profile:{mistake}"));
    match written {
        Value::String(text) if text.contains('\n') || text.contains('=') => read(text),
        Value::String(name) => profile(name).ok_or_else(|| {
            let names: Vec<&str> = PROFILES.iter().map(|(name, _)| *name).collect();
            format!("there is no profile `{name}`: one of {}, or a profile's parameters", names.join(", "))
        }),
        Value::Object(_) => {
            read(&repertoire_authored::write(&without_nulls(written)).map_err(|error| error.to_string())?)
        }
        _ => Err("`profile` must be a name, a text, or an object".into()),
    }
}

#[cfg(test)]
mod tests {
    use super::super::{DOORS, answer};
    use serde_json::{Value, json};

    fn ask(question: &Value) -> Result<Value, String> {
        let door = DOORS.iter().find(|door| door.name == "rooms").unwrap();
        answer(door, question.to_string().as_bytes()).map(|line| serde_json::from_str(&line).unwrap())
    }

    fn done(answer: &Value) -> Vec<&str> {
        let actions = answer["actions"].as_array().unwrap().iter().map(|action| action.as_str().unwrap());
        actions
            .filter(|action| !action.starts_with("move") && !["explore", "wait"].contains(action))
            .collect()
    }

    #[test]
    fn a_profile_changes_what_is_done() {
        let gentle = ask(&json!({ "scenario": "6.1.2-left", "seed": 1, "steps": 60 })).unwrap();
        assert_eq!(done(&gentle)[0], "take(key)");
        let brutal = json!({ "preferences": { "break": 2, "unlock": 0.8, "other": 1.1 } });
        let brutal =
            ask(&json!({ "scenario": "6.1.2-left", "profile": brutal, "seed": 1, "steps": 60 })).unwrap();
        assert_eq!(done(&brutal)[0], "take(axe)");
        // As many as were asked for, whether or not there was anything left to do.
        assert_eq!(brutal["actions"].as_array().unwrap().len(), 60);
        let (actions, positions, values) = (&brutal["actions"], &brutal["positions"], &brutal["values"]);
        let length = |list: &Value| list.as_array().unwrap().len();
        assert!(length(actions) == length(positions) && length(actions) == length(values));
    }

    #[test]
    fn a_scenario_can_be_given_as_text_and_as_json() {
        let text = "name = \"t\"\nmap = \"\"\"\n#####\n#@.a#\n#####\n\"\"\"\n[character.b]\nat = \"@\"\n[character.b.goals]\neat = { want = \"actor.own(apple)\" }\n";
        let one = ask(&json!({ "scenario": text, "steps": 9 })).unwrap();
        assert_eq!(done(&one), ["take(apple)"]);
        let inline = json!({ "name": "t", "map": "#####\n#@.a#\n#####", "character": { "b": { "at": "@",
            "goals": { "eat": { "want": "actor.own(apple)" } } } } });
        let two = ask(&json!({ "scenario": inline, "steps": 9 })).unwrap();
        assert_eq!(one, two);
    }

    #[test]
    fn what_is_wrong_is_refused_in_words() {
        for (question, said) in [
            (json!({ "scenario": "6.9" }), "there is no scenario"),
            (json!({ "scenario": 7 }), "must be a name"),
            (json!({ "scenario": {} }), "missing field"),
            (json!({ "scenario": "6.2", "profile": "nobody" }), "there is no profile"),
            (json!({ "scenario": "6.2", "profile": { "time": 1 } }), "above 1"),
            (json!({ "scenario": { "name": "x", "map": [null] } }), "written as TOML"),
            (json!({ "scenario": "6.2", "profile": { "tme": 3 } }), "did you mean `time`?"),
            (json!({ "scenario": "6.2", "steps": 10_000_000 }), "at most"),
            (json!({ "scenario": "6.2", "steps": -1 }), "invalid value"),
        ] {
            let error = ask(&question).unwrap_err();
            assert!(error.contains(said), "{question}: {error}");
        }
        assert!(ask(&json!({ "scenario": "6.2", "profile": { "time": null }, "steps": 1 })).is_ok());
        let none = ask(&json!({ "scenario": "6.2", "steps": 0 })).unwrap();
        assert_eq!(none["actions"], json!([]));
    }
}
