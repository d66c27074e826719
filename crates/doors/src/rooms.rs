//! `ask rooms`: run a scenario.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use repertoire_character::profile::{PROFILES, file, profile};
use repertoire_character::reason::deed_label;
use repertoire_character::{Profile, Standing};
use repertoire_worlds::rooms::scenario::{self, SCENARIOS, scenario};
use repertoire_worlds::rooms::{Refused, Scenario, World};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::door::{Keeps, Names, Uses, line};
use crate::{DoorError, Library, NoFiles};

pub(super) struct Rooms;

impl Keeps for Rooms {
    const NAME: &'static str = "rooms";
    const ABOUT: &'static str =
        "run characters in a scenario of rooms: what they did, where they were, what everything was worth";
    const EXAMPLE: &'static str =
        r#"{"scenario":"6.1.2-left","profile":{"preferences":{"break":2,"unlock":0.8}},"seed":1,"steps":30}"#;
    const LOAD_EXAMPLE: &'static str = r#"{"load":{"scenario":"6.1.2-left","profile":{"preferences":{"break":2,"unlock":0.8}}},"as":"brute"}"#;
    const USE_EXAMPLE: &'static str = r#"{"use":"brute","seed":1,"steps":30}"#;
    type Request = Request;
    type Response = Response;
    type Thing = Thing;
    type Question = Question;
    type Kept = Kept;
    type Last = Option<(Value, Arc<Scenario>)>;

    fn answer(request: Request, last: &mut Self::Last, library: &dyn Library) -> Result<String, DoorError> {
        let scenario = match last {
            Some((before, scenario)) if *before == request.scenario => scenario.clone(),
            _ => {
                let (scenario, from_files) = find(&request.scenario, Asked::InLine, library)?;
                // A file may be written anew between two lines, so it is read for each.
                *last = (!from_files).then(|| (request.scenario, scenario.clone()));
                scenario
            }
        };
        line(&run(scenario, &[], request.profile.as_ref(), request.seed, request.steps)?)
    }

    fn keep(thing: Thing, library: &dyn Library) -> Result<Kept, DoorError> {
        if thing.scenario.is_none() && thing.profile.is_none() {
            return Err("`load` is empty: give a `scenario`, a `profile`, or both".to_owned().into());
        }
        let scenario = match &thing.scenario {
            Some(written) => Some(find(written, Asked::Loaded, library)?.0),
            None => None,
        };
        let who = match &thing.profile {
            Some(written) => who(written, library)?,
            None => Vec::new(),
        };
        Ok(Kept { scenario, who })
    }

    fn ask(used: &[&Kept], question: Question) -> Result<String, DoorError> {
        let mut scenarios: Vec<Arc<Scenario>> =
            used.iter().filter_map(|kept| kept.scenario.clone()).collect();
        if let Some(written) = &question.scenario {
            scenarios.push(find(written, Asked::InLine, &NoFiles)?.0);
        }
        let scenario = match (scenarios.pop(), scenarios.pop()) {
            (Some(scenario), None) => scenario,
            (Some(_), Some(_)) => return Err("two scenarios are given: use one".to_owned().into()),
            (None, _) => {
                return Err("no scenario is given: use one that is loaded, or give `scenario`"
                    .to_owned()
                    .into());
            }
        };
        let who: Vec<&Who> = used.iter().flat_map(|kept| &kept.who).collect();
        line(&run(scenario, &who, question.profile.as_ref(), question.seed, question.steps)?)
    }
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

/// A scenario, a profile, or both. Here each may also be the name of a file.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Thing {
    /// As in a question.
    #[serde(default)]
    scenario: Option<Value>,
    /// As in a question.
    #[serde(default)]
    profile: Option<Value>,
}

/// A run of what was loaded.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Question {
    /// A scenario and profiles, by the names under which they were loaded; of two profiles for the same character the later.
    #[serde(rename = "use")]
    used: Names,
    /// Where no scenario is used.
    #[serde(default)]
    scenario: Option<Value>,
    /// In the place of whom the scenario and the profiles that are used say.
    #[serde(default)]
    profile: Option<Value>,
    /// The seed; usually 1.
    #[serde(default)]
    seed: Option<u64>,
    /// How many steps; the scenario says what is usual.
    #[serde(default)]
    steps: Option<u32>,
}

impl Uses for Question {
    fn used(&self) -> &Names {
        &self.used
    }
}

/// What was loaded.
pub(super) struct Kept {
    scenario: Option<Arc<Scenario>>,
    who: Vec<Who>,
}

/// A profile, and the character it is for; the first character if nobody is named.
struct Who {
    name: Option<String>,
    profile: Profile,
}

/// One character's run.
#[derive(Serialize, JsonSchema)]
struct Life {
    /// What it did in each step: `take(apple1)`, `move to take(apple1)`, `explore`, `fail to open(door)`, `wait`;
    /// `gone` once it was taken out of the world.
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

fn run(
    scenario: Arc<Scenario>,
    used: &[&Who],
    written: Option<&Value>,
    seed: Option<u64>,
    steps: Option<u32>,
) -> Result<Response, String> {
    let steps = steps.unwrap_or(scenario.steps);
    if steps > MOST_STEPS {
        return Err(format!("`steps` is {steps}: at most {MOST_STEPS}"));
    }
    let mut world = World::new(scenario, seed.unwrap_or(1));
    for who in used {
        let resident = who.name.as_ref().map_or(Ok(0), |name| resident(&world, name))?;
        world.set_profile(resident, &who.profile);
    }
    match written {
        None | Some(Value::Null) => {}
        Some(written) => match characters(written)? {
            Some(each) => {
                for (name, written) in each {
                    let who = resident(&world, name)?;
                    world.set_profile(who, &read_profile(written)?);
                }
            }
            None => world.set_profile(0, &read_profile(written)?),
        },
    }
    let mut lives = lives(&mut world, steps).into_iter();
    let (_, first) = lives.next().ok_or("nobody acts")?;
    Ok(Response { first, others: lives.collect(), hash: format!("{:016x}", world.hash()) })
}

fn resident(world: &World, name: &str) -> Result<usize, String> {
    let who = world.residents().iter().position(|resident| resident.name == *name);
    who.ok_or_else(|| format!("nobody here is called `{name}`"))
}

/// The profiles of several characters, if that is what is written.
fn characters(written: &Value) -> Result<Option<&serde_json::Map<String, Value>>, String> {
    match written {
        Value::Object(map) if map.len() == 1 && map.contains_key("characters") => match &map["characters"] {
            Value::Object(each) => Ok(Some(each)),
            _ => Err("`characters` must be an object of names and profiles".into()),
        },
        _ => Ok(None),
    }
}

/// Runs the world and keeps what everybody did, in the order of the scenario's characters.
fn lives(world: &mut World, steps: u32) -> Vec<(String, Life)> {
    let scenario = world.scenario().clone();
    let (laws, roster) = (&scenario.laws, &scenario.roster);
    let life = || Life { actions: vec![], positions: vec![], values: vec![], goals: BTreeMap::new() };
    let mut lives: Vec<(String, Life)> =
        world.residents().iter().map(|resident| (resident.name.clone(), life())).collect();
    for _ in 0..steps {
        for entry in world.step() {
            let who = entry.who as usize;
            let goals = world.residents()[who].character.goals();
            let goal_name =
                |goal: u16| goals.get(goal as usize).map(|goal| goal.name.clone()).unwrap_or_default();
            let (_, life) = &mut lives[who];
            life.actions.push(entry.act.label(laws, roster));
            life.positions.push(scenario.grid.xy(entry.to).into());
            let value = |worth: &repertoire_worlds::rooms::log::Worth| ValueOf {
                action: deed_label(worth.deed, laws, roster),
                goal: goal_name(worth.goal),
                value: worth.value,
            };
            life.values.push(entry.values.iter().map(value).collect());
        }
    }
    for (resident, (_, life)) in world.residents().iter().zip(&mut lives) {
        let standing = |goal| match resident.character.standing(goal) {
            Standing::Met => "met",
            Standing::Open => "open",
            Standing::Unreachable => "unreachable",
        };
        let goals = resident.character.goals().iter().enumerate();
        life.goals = goals.map(|(at, goal)| (goal.name.clone(), standing(at).to_owned())).collect();
    }
    lives
}

/// Whether a name may also be a file's.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Asked {
    /// In a question: names stand for what is shipped.
    InLine,
    /// In a load: a file of that name comes first.
    Loaded,
}

/// The scenario that is written there, and whether any file was read for it.
fn find(written: &Value, asked: Asked, library: &dyn Library) -> Result<(Arc<Scenario>, bool), String> {
    match written {
        Value::String(text) if is_text(text) => read_scenario("scenario", text, library),
        Value::String(name) => {
            if asked == Asked::Loaded
                && let Ok(text) = library.text(name)
            {
                return read_scenario(name, &text, library);
            }
            let found = scenario(name).ok_or_else(|| {
                let names: Vec<&str> = SCENARIOS.iter().map(|(name, _)| *name).collect();
                format!("there is no scenario `{name}`: one of {}, or a scenario's text", names.join(", "))
            });
            Ok((Arc::new(found?), false))
        }
        Value::Object(_) => {
            let text =
                repertoire_authored::write(&without_nulls(written)).map_err(|error| error.to_string())?;
            read_scenario("scenario", &text, library)
        }
        _ => Err("`scenario` must be a name, a text, or an object".into()),
    }
}

fn is_text(written: &str) -> bool {
    written.contains('\n') || written.contains('=')
}

/// A scenario from its text; profiles that it names and that are not shipped are looked for beside `name`.
fn read_scenario(name: &str, text: &str, library: &dyn Library) -> Result<(Arc<Scenario>, bool), String> {
    let beside = Path::new(name).parent().map(Path::to_owned).unwrap_or_default();
    let mut from_files = false;
    let mut load = |named: &str| {
        from_files = true;
        let path = beside.join(named).display().to_string();
        library.text(&path).map_err(|error| {
            let names: Vec<&str> = PROFILES.iter().map(|(name, _)| *name).collect();
            let remedy = format!("name a file, or one of {}", names.join(", "));
            format!("profile or mind `{named}`: {path} could not be read: {error}\n  remedy: {remedy}").into()
        })
    };
    let read = scenario::read(text, &mut load).map_err(|refused| match refused {
        Refused::Here(mistake) => format!("{name}:{mistake}"),
        Refused::There(text) => format!("{name}: {text}"),
    });
    Ok((Arc::new(read?), from_files))
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
        Value::String(text) if is_text(text) => read(text),
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

/// The profiles to load: the first character's, or those of `{"characters": ...}`.
fn who(written: &Value, library: &dyn Library) -> Result<Vec<Who>, String> {
    let read = |written: &Value| match written {
        Value::String(name) if !is_text(name) => match library.text(name) {
            Ok(text) => file::read(&text).map_err(|mistake| format!("{name}:{mistake}")),
            Err(_) => read_profile(written),
        },
        _ => read_profile(written),
    };
    match characters(written)? {
        Some(each) => each
            .iter()
            .map(|(name, written)| Ok(Who { name: Some(name.clone()), profile: read(written)? }))
            .collect(),
        None => Ok(vec![Who { name: None, profile: read(written)? }]),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    fn ask(question: &Value) -> Result<Value, String> {
        let answer = crate::door("rooms").unwrap().answer(&question.to_string());
        answer.map(|line| serde_json::from_str(&line).unwrap()).map_err(|error| error.to_string())
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
