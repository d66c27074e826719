//! `repertoire ask character` reproduces `decisions.txt`, as every adapter must. The rules of the village are in that file.

use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};

use serde_json::{Value, json};

const VILLAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../adapters/c/tests");

fn read(name: &str) -> String {
    std::fs::read_to_string(format!("{VILLAGE}/{name}")).expect("it is in the repository")
}

/// What a villager is asked at a tick.
fn question(tick: u64, agent: u64, full: bool, hunger: f64) -> Value {
    let wolf = match tick % 40 {
        0..6 => json!({ "wolf": "near" }),
        6..10 => json!({ "wolf": [0.5, 0.5] }),
        38.. => json!({}),
        _ => json!({ "wolf": "away" }),
    };
    let inn = |thing: u64, distance: u64| json!({ "kind": "inn", "thing": thing, "distance": distance });
    json!({
        "use": "villager", "agent": agent, "sensors": wolf,
        "facts": { "purse": if full { "full" } else { "empty" }, "meal": if hunger < 0.1 { "had" } else { "due" } },
        "offers": [inn(1, 10 + agent), inn(2, 14 - tick % 8)],
    })
}

fn felt(answer: &Value) -> f64 {
    let wants = answer["report"]["wants"].as_array().expect("it has needs");
    let hunger = wants.iter().find(|want| want["need"] == "hunger").expect("it is hungry");
    hunger["felt"].as_f64().expect("a number")
}

#[test]
fn the_command_line_decides_as_every_adapter_does() {
    let mut asked = Command::new(env!("CARGO_BIN_EXE_repertoire"))
        .args(["ask", "character"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the command runs");
    let mut to = asked.stdin.take().expect("it is piped");
    let mut answers = BufReader::new(asked.stdout.take().expect("it is piped")).lines();
    let mut ask = |question: &Value| -> Value {
        writeln!(to, "{question}").expect("it listens");
        let line = answers.next().expect("it answers").expect("text");
        serde_json::from_str(&line).expect("JSON")
    };
    let loaded = ask(&json!({ "load": { "character": read("village.toml") }, "as": "villager" }));
    assert_eq!(loaded, json!({ "loaded": "villager" }));

    let golden = read("decisions.txt");
    let mut golden = golden.lines().filter(|line| !line.starts_with('#'));
    for seed in 1..=2_u64 {
        for agent in 0..5 {
            let (mut state, mut full, mut hunger, mut eaten) = (Value::Null, false, 0.2, false);
            for tick in 0..120 {
                let mut question = question(tick, agent, full, hunger);
                question["seed"] = seed.into();
                question["state"] = state;
                if eaten {
                    question["eased"] = json!({ "hunger": 0.5 });
                }
                let mut answer = ask(&question);
                hunger = felt(&answer);
                let task = answer["task"].as_str().expect("a name").to_owned();
                let target = answer["target"].as_u64().map_or("-".to_owned(), |thing| thing.to_string());
                let line = format!("{seed} {agent} {tick} {task} {target} {:016x}", hunger.to_bits());
                assert_eq!(Some(line.as_str()), golden.next());
                eaten = task == "eat" && full;
                full = task == "work" || (full && !eaten);
                hunger = if eaten { (hunger - 0.5_f64).clamp(0.0, 1.0) } else { hunger };
                state = answer["state"].take();
            }
        }
    }
    assert_eq!(golden.next(), None);
    drop(to);
    assert!(asked.wait().expect("it ends").success());
}
