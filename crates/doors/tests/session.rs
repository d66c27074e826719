//! Loading once and asking many times.

#![allow(clippy::unwrap_used, reason = "a helper of tests may panic as tests do")]

use std::collections::BTreeMap;
use std::io;

use repertoire_bayes::sequence::Behaviour;
use repertoire_doors::{DOORS, DoorError, Library, Session, door};
use serde_json::{Value, json};

fn session(name: &str) -> Session {
    door(name).unwrap().session()
}

fn ask(session: &mut Session, line: &Value) -> Value {
    serde_json::from_str(&session.reply(line.to_string().as_bytes())).unwrap()
}

/// The line that holds everything, from one that loads and one that uses.
fn whole(load: &str, used: &str) -> Value {
    let load: Value = serde_json::from_str(load).unwrap();
    let mut used: Value = serde_json::from_str(used).unwrap();
    let keys = used.as_object_mut().unwrap();
    keys.remove("use");
    keys.extend(load["load"].as_object().unwrap().clone());
    used
}

#[test]
fn what_is_loaded_answers_as_what_is_on_the_line() {
    for door in &DOORS {
        let Some(loading) = &door.loading else { continue };
        let mut session = door.session();
        session.answer(loading.load_example).unwrap();
        let used: Value = serde_json::from_str(&session.answer(loading.use_example).unwrap()).unwrap();
        let inline = ask(&mut session, &whole(loading.load_example, loading.use_example));
        assert!(inline.get("error").is_none(), "{inline}");
        // The loaded numbers themselves are not said again.
        for (key, value) in used.as_object().unwrap() {
            assert_eq!(*value, inline[key], "{}: {key}", door.name);
        }
        let left_out = inline.as_object().unwrap().keys().filter(|key| used.get(key).is_none());
        assert!(left_out.clone().all(|key| ["pi", "A", "B", "params"].contains(&&**key)), "{}", door.name);
    }
}

#[test]
fn a_bad_load_leaves_what_was_loaded_before() {
    for door in &DOORS {
        let Some(loading) = &door.loading else { continue };
        let mut session = door.session();
        session.answer(loading.load_example).unwrap();
        let before = session.answer(loading.use_example).unwrap();
        let load: Value = serde_json::from_str(loading.load_example).unwrap();
        let mut without_a_key = load.clone();
        let keys = without_a_key["load"].as_object_mut().unwrap();
        keys.clear();
        let mut with_nonsense = load.clone();
        for (_, value) in with_nonsense["load"].as_object_mut().unwrap() {
            *value = json!(-3);
        }
        let mut with_a_stranger = load.clone();
        with_a_stranger["load"]["stranger"] = json!(1);
        let mut of_a_file = load.clone();
        of_a_file["load"] = json!("nowhere.json");
        for bad in [without_a_key, with_nonsense, with_a_stranger, of_a_file] {
            let answer = ask(&mut session, &bad);
            assert!(answer.get("error").is_some(), "{}: {bad}: {answer}", door.name);
            assert_eq!(session.answer(loading.use_example).unwrap(), before, "{}: {bad}", door.name);
        }
    }
}

#[test]
fn loading_again_replaces() {
    let mut session = session("sequence");
    let question = json!({ "use": "guard", "previous": "attack", "sensors": { "health": "low" } });
    let mut answers = Vec::new();
    for behaviour in ["prudent", "aggressive", "prudent"] {
        let loaded = ask(&mut session, &json!({ "load": { "behaviour": behaviour }, "as": "guard" }));
        assert_eq!(loaded, json!({ "loaded": "guard" }));
        answers.push(ask(&mut session, &question));
    }
    assert_eq!(answers[0], answers[2]);
    assert_ne!(answers[0], answers[1]);
}

#[test]
fn what_was_never_loaded_is_said_with_what_was() {
    let mut session = session("sequence");
    let error = session.answer(r#"{"use":"gard"}"#).unwrap_err();
    assert!(
        matches!(error, DoorError::NotLoaded { .. }) && error.to_string().contains("load it first"),
        "{error}"
    );
    session.answer(r#"{"load":{"behaviour":"prudent"},"as":"guard"}"#).unwrap();
    let error = session.answer(r#"{"use":"gard"}"#).unwrap_err();
    assert!(error.to_string().contains("loaded are guard"), "{error}");
}

#[test]
fn lines_that_load_or_use_wrongly_are_refused_in_words() {
    let mut session = session("sequence");
    session.answer(r#"{"load":{"behaviour":"prudent"},"as":"guard"}"#).unwrap();
    for (line, said) in [
        (r#"{"load":{"behaviour":"prudent"}}"#, "missing field `as`"),
        (r#"{"load":{"behaviour":"prudent"},"as":""}"#, "give what is loaded a name"),
        (r#"{"load":{"behaviour":"prudent"},"as":"a","sensors":{}}"#, "unknown field `sensors`"),
        (r#"{"load":{"behaviour":"nobody"},"as":"a"}"#, "there is no behaviour `nobody`"),
        (r#"{"load":{"behavior":"prudent"},"as":"a"}"#, "unknown field `behavior`, expected `behaviour`"),
        (r#"{"load":"mine.json","as":"a"}"#, "no files are read here"),
        (r#"{"use":"guard","behaviour":"prudent"}"#, "unknown field `behaviour`"),
        (r#"{"use":["guard","guard"]}"#, "`use` names 2 loaded things: name one"),
        (r#"{"use":[]}"#, "`use` names 0 loaded things: name one"),
        (r#"{"use":7}"#, "`use` must be a name, or a list of names"),
    ] {
        let error = session.answer(line).unwrap_err().to_string();
        assert!(error.contains(said), "{line}: {error}");
    }
}

#[test]
fn a_sensor_may_be_called_use_or_load() {
    let behaviour = json!({
        "tasks": ["rest", "work"],
        "transition": { "rest": [0.5, 0.5], "work": [0.5, 0.5] },
        "sensor": { "load": { "values": ["low", "high"], "rest": [0.9, 0.1], "work": [0.2, 0.8] } },
    });
    let line = json!({ "behaviour": behaviour, "sensors": { "load": "high" } });
    let answer = ask(&mut session("sequence"), &line);
    // Whatever it says of the behaviour, it was not taken for a line that loads.
    assert!(!answer.to_string().contains("missing field `as`"), "{answer}");
}

#[test]
fn rooms_use_a_scenario_and_profiles_from_several_loads() {
    let mut session = session("rooms");
    let brute = json!({ "preferences": { "break": 2, "unlock": 0.8, "other": 1.1 } });
    ask(&mut session, &json!({ "load": { "scenario": "6.1.2-left" }, "as": "left" }));
    ask(&mut session, &json!({ "load": { "profile": brute }, "as": "brute" }));
    let gentle = ask(&mut session, &json!({ "use": "left", "steps": 60 }));
    let brutal = ask(&mut session, &json!({ "use": ["left", "brute"], "steps": 60 }));
    assert_ne!(gentle, brutal);
    assert_eq!(gentle, ask(&mut session, &json!({ "scenario": "6.1.2-left", "steps": 60 })));
    let inline = json!({ "scenario": "6.1.2-left", "profile": brute, "steps": 60 });
    assert_eq!(brutal, ask(&mut session, &inline));
    assert_eq!(brutal, ask(&mut session, &json!({ "use": "left", "profile": brute, "steps": 60 })));
    for (line, said) in [
        (json!({ "use": "brute" }), "no scenario is given"),
        (json!({ "use": ["left", "left"] }), "two scenarios are given"),
        (json!({ "use": "left", "scenario": "6.2" }), "two scenarios are given"),
        (json!({ "load": {}, "as": "nothing" }), "`load` is empty"),
    ] {
        let answer = ask(&mut session, &line);
        assert!(answer["error"].as_str().is_some_and(|error| error.contains(said)), "{line}: {answer}");
    }
}

/// Files in memory.
struct Shelf(BTreeMap<&'static str, String>);

impl Library for Shelf {
    fn text(&self, name: &str) -> io::Result<String> {
        self.0.get(name).cloned().ok_or_else(|| io::ErrorKind::NotFound.into())
    }
    fn behaviour(&self, _: &str) -> Option<Result<Behaviour, DoorError>> {
        None
    }
}

#[test]
fn a_file_may_hold_what_is_loaded() {
    for door in &DOORS {
        let Some(loading) = &door.loading else { continue };
        let load: Value = serde_json::from_str(loading.load_example).unwrap();
        let files = [("mine.json", load["load"].to_string()), ("broken.json", "{".to_owned())];
        let mut session = door.session_with(Shelf(files.into()));
        let name = &load["as"];
        assert_eq!(ask(&mut session, &json!({ "load": "mine.json", "as": name })), json!({ "loaded": name }));
        let before = session.answer(loading.use_example).unwrap();
        for (file, said) in [("broken.json", "cannot be loaded"), ("nowhere.json", "could not be read")] {
            let answer = ask(&mut session, &json!({ "load": file, "as": name }));
            assert!(answer["error"].as_str().is_some_and(|error| error.contains(said)), "{answer}");
        }
        assert_eq!(session.answer(loading.use_example).unwrap(), before);
    }
}

#[test]
fn scenarios_and_profiles_may_be_files_when_they_are_loaded() {
    let scenario = "name = \"t\"\nmap = \"\"\"\n#####\n#@.a#\n#####\n\"\"\"\n[character.b]\nat = \"@\"\nprofile = \"calm\"\n[character.b.goals]\neat = { want = \"actor.own(apple)\" }\n";
    let calm = "name = \"calm\"\n[preferences]\ntake = 1.5\n";
    let files = [("town/t.toml", scenario.to_owned()), ("town/calm", calm.to_owned())];
    let mut session = door("rooms").unwrap().session_with(Shelf(files.into()));
    let loaded = ask(&mut session, &json!({ "load": { "scenario": "town/t.toml" }, "as": "t" }));
    assert_eq!(loaded, json!({ "loaded": "t" }));
    let loaded = ask(&mut session, &json!({ "load": { "profile": "town/calm" }, "as": "calm" }));
    assert_eq!(loaded, json!({ "loaded": "calm" }));
    let one = ask(&mut session, &json!({ "use": "t", "steps": 5 }));
    assert_eq!(one, ask(&mut session, &json!({ "use": ["t", "calm"], "steps": 5 })));
    // In a question a name stands for what is shipped, as it always did.
    let answer = ask(&mut session, &json!({ "scenario": "town/t.toml" }));
    assert!(answer["error"].as_str().is_some_and(|error| error.contains("there is no scenario")), "{answer}");
}

#[test]
fn the_same_behaviour_again_answers_the_same() {
    let mut session = session("sequence");
    let line = |behaviour: Value| json!({ "behaviour": behaviour, "previous": "attack", "sensors": { "health": "low" } });
    let prudent = ask(&mut session, &line(json!("prudent")));
    let aggressive = ask(&mut session, &line(json!("aggressive")));
    assert_ne!(prudent, aggressive);
    assert_eq!(prudent, ask(&mut session, &line(json!("prudent"))));
    assert!(ask(&mut session, &line(json!("nobody"))).get("error").is_some());
    assert_eq!(prudent, ask(&mut session, &line(json!("prudent"))));
}
