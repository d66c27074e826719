//! Damaged files and lines thrown at every reader: no panic, no hang.
//!
//! A small run is part of the tests; `cargo xtask fuzz` throws a million. Inputs are made from good ones by random
//! damage (bytes and whole words), from streams, so that a failure can be had again from its number.

use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use repertoire_bayes::sequence::{self, shipped as behaviours};
use repertoire_bayes::{Program, file, shipped};
use repertoire_chameleon::{Learned, model as chameleon};
use repertoire_doors::DOORS;
use repertoire_plan::{Outcome, Task, domain, sas_plus, solve};
use repertoire_prob::Stream;

/// What damage is made of, besides single bytes and pieces of other inputs.
const WORDS: [&str; 44] = [
    "0",
    "1",
    "-1",
    "2",
    "0.5",
    "1e308",
    "1e-320",
    "99999999999999999999",
    "65536",
    "4194304",
    "nan",
    "inf",
    "\"x\"",
    "\"\"",
    "[",
    "]",
    "{",
    "}",
    "[[",
    "]]",
    "[]",
    "{}",
    ",",
    ":",
    "=",
    "|",
    "(",
    ")",
    "null",
    "true",
    "\n",
    "P(A)",
    "P(Rotation | Direction)",
    "table",
    "gaussian",
    "histogram",
    "question",
    "like = \"Rotation\"",
    "range = [-3, 3]",
    "circular = true",
    "\\u0000",
    "é",
    "\"modes\":",
    "rows.weak = ",
];

/// A thousand inputs may take this long (they take a tenth of a second) before one of them counts as hanging.
const PATIENCE: Duration = Duration::from_secs(120);

struct Maker {
    seeds: Vec<Vec<u8>>,
}

impl Maker {
    fn new() -> Self {
        let texts = shipped::PROGRAMS.iter().map(|(_, text)| text.as_bytes().to_vec());
        let lines = DOORS.iter().map(|door| door.example.as_bytes().to_vec());
        let domains = ["horse-breeder", "western"]
            .iter()
            .filter_map(|name| Some(domain::text(name)?.as_bytes().to_vec()));
        let sas = [include_bytes!("../../plan/tests/sas/problems/gripper-4.sas").to_vec()];
        let behaviours = behaviours::BEHAVIOURS.iter().map(|(_, text)| text.as_bytes().to_vec());
        let models = chameleon::MODELS.iter().map(|(_, text)| text.as_bytes().to_vec());
        let old = include_bytes!("../../chameleon/src/file/version-1.json").to_vec();
        let new = Learned::from_bytes(&old).expect("it is a learned character").to_bytes();
        let all = texts.chain(lines).chain(domains).chain(sas).chain(behaviours).chain(models);
        Maker { seeds: all.chain([old, new]).collect() }
    }

    /// Input number `index`, always the same.
    fn make(&self, index: u64) -> Vec<u8> {
        let mut rng = Stream::new(2026, index, "fuzz");
        let mut below = |n: usize| (rng.unit() * n as f64) as usize;
        if below(50) == 0 {
            return (0..below(200)).map(|_| below(256) as u8).collect();
        }
        let mut input = self.seeds[below(self.seeds.len())].clone();
        for _ in 0..1 + below(3) {
            let at = below(input.len() + 1);
            let until = (at + below(40)).min(input.len());
            match below(7) {
                0 => drop(input.drain(at..until)),
                1 => {
                    let copy = input[at..until].to_vec();
                    input.splice(at..at, copy);
                }
                2 => drop(input.splice(at..until.min(at + 3), WORDS[below(WORDS.len())].bytes())),
                3 => {
                    let other = &self.seeds[below(self.seeds.len())];
                    let from = below(other.len());
                    let to = (from + below(80)).min(other.len());
                    input.splice(at..at, other[from..to].iter().copied());
                }
                4 if at < input.len() => input[at] = below(256) as u8,
                5 if at < input.len() => input[at] = b"0123456789.-xeE\"[]{},= "[below(23)],
                _ => input.truncate(input.len().max(2) - below(input.len().max(2) / 2)),
            }
        }
        input
    }
}

/// Every reader; returns how many accepted the input.
fn read(input: &[u8]) -> u32 {
    let mut accepted = 0;
    if let Ok(text) = std::str::from_utf8(input) {
        let find = &mut |name: &str| shipped::program(name).ok_or_else(|| "not shipped".into());
        if let Ok(program) = file::read(text, find) {
            accepted += 1;
            use_it(text, &program);
        }
    }
    if let Ok(text) = std::str::from_utf8(input) {
        if let Ok(domain) = domain::read(text) {
            accepted += 1;
            for class in &domain.classes {
                for goal in &class.goals {
                    let goal = domain.total_goal(goal, &domain.start);
                    plan(&domain.task, &domain.start, &goal);
                }
            }
        }
        if let Ok(problem) = sas_plus::read(text) {
            accepted += 1;
            plan(&problem.task, &problem.init, &problem.goal);
        }
    }
    if let Ok(text) = std::str::from_utf8(input)
        && let Ok(behaviour) = sequence::file::read(text, &mut |_| Err("not found".into()))
    {
        accepted += 1;
        let values: Vec<Option<usize>> = behaviour.sensors().iter().map(|_| Some(0)).collect();
        let decision = behaviour.decide(None, &values);
        assert!((decision.posterior.iter().sum::<f64>() - 1.0).abs() < 1e-9);
        let written = sequence::file::to_toml(&behaviour);
        sequence::file::read(&written, &mut |_| Err("not found".into()))
            .expect("what is written can be read");
    }
    if let Ok(text) = std::str::from_utf8(input)
        && let Ok(model) = chameleon::read(text)
    {
        accepted += 1;
        let values = model.low().iter().chain(model.high()).map(|stimulus| stimulus.count());
        assert!(values.into_iter().all(|count| count > 0), "every stimulus has a value");
        assert!(model.layout().numbers().is_some_and(|numbers| numbers <= chameleon::MOST_NUMBERS));
    }
    if let Ok(learned) = Learned::from_bytes(input) {
        accepted += 1;
        let again = Learned::from_bytes(&learned.to_bytes()).expect("what is written can be read");
        assert_eq!(again.params(), learned.params());
    }
    for door in &DOORS {
        if let Ok(Ok(answered)) = std::str::from_utf8(input).map(|line| door.answer(line)) {
            accepted += 1;
            assert!(!answered.contains('\n') && !answered.contains("NaN"), "{answered}");
        }
    }
    accepted
}

/// Whatever was accepted can be planned in, within a small budget.
fn plan(task: &Task, init: &[u16], goal: &[Option<u16>]) {
    if let Ok(Outcome::Plan { actions, .. }) = solve(task, init, goal, Some(200)) {
        assert!(task.is_plan(&actions, init, goal));
    }
}

/// A program that was accepted can be asked, saved, and read again.
fn use_it(text: &str, program: &Program) {
    for variable in program.variables() {
        let answer =
            program.ask(&format!("P({})", variable.name())).expect("without knowledge all is possible");
        assert!((answer.distribution.iter().sum::<f64>() - 1.0).abs() < 1e-9);
    }
    let find = &mut |name: &str| shipped::program(name).ok_or_else(|| "not shipped".into());
    let saved = file::with_counts(text, program).expect("it was read from this text");
    file::read(&saved, find).expect("what is saved can be read");
    file::read(&file::to_toml(program), find).expect("what is written can be read");
}

#[test]
fn no_input_makes_a_reader_panic_or_hang() {
    let inputs: u64 = match std::env::var("REPERTOIRE_FUZZ_INPUTS") {
        Ok(count) => count.parse().expect("REPERTOIRE_FUZZ_INPUTS is a number"),
        Err(_) => 5_000,
    };
    let now = Arc::new(Mutex::new(Vec::new()));
    let (send, receive) = channel();
    let worker = {
        let now = Arc::clone(&now);
        std::thread::spawn(move || {
            let maker = Maker::new();
            let mut accepted = 0u64;
            for index in 0..inputs {
                let input = maker.make(index);
                now.lock().expect("not poisoned").clone_from(&input);
                accepted += u64::from(read(&input));
                if index.is_multiple_of(1_000) && send.send(index).is_err() {
                    break;
                }
            }
            accepted
        })
    };
    loop {
        match receive.recv_timeout(PATIENCE) {
            Ok(index) if index % 100_000 == 0 && index > 0 => println!("{index} inputs"),
            Ok(_) => {}
            Err(RecvTimeoutError::Disconnected) => break,
            Err(RecvTimeoutError::Timeout) => {
                let input = now.lock().map(|input| input.clone()).unwrap_or_default();
                panic!("a reader hangs on {:?}", String::from_utf8_lossy(&input));
            }
        }
    }
    let accepted = worker.join().unwrap_or_else(|_| {
        let input = now.lock().map_or_else(|poisoned| poisoned.into_inner().clone(), |input| input.clone());
        panic!("a reader panicked on {:?}", String::from_utf8_lossy(&input));
    });
    println!("{inputs} inputs, {accepted} accepted by some reader, no panic, no hang");
    assert!(
        accepted > inputs / 50,
        "the damage is so heavy that nothing gets past the parser: {accepted} of {inputs}"
    );
}
