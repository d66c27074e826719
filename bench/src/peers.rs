//! The same questions to Python libraries, in the same run.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};
use repertoire_bayes::Workspace;
use repertoire_prob::table::digits;
use serde_json::{Value, json};

use crate::Line;
use crate::scenario::Scenario;

/// pyAgrum's exact inference: the fastest of its engines, its answers compared with ours.
pub fn pyagrum(scenarios: &[Scenario], quick: bool) -> Result<Vec<Line>> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR")).join("peers");
    let python = here.join(".venv/bin/python");
    if !python.exists() {
        bail!("the peers have no environment yet\n  remedy: cargo xtask setup");
    }
    let asked =
        json!({ "scenarios": scenarios.iter().map(|scenario| to_json(scenario, quick)).collect::<Vec<_>>() });
    let file = Scratch::new(&asked.to_string())?;
    let output = Command::new(&python)
        .arg(here.join("pyagrum_peer.py"))
        .arg(&file.0)
        .stderr(Stdio::inherit())
        .output()
        .with_context(|| format!("{} could not be run", python.display()))?;
    if !output.status.success() {
        bail!("the pyAgrum peer failed: its message is above");
    }
    let answered: Value =
        serde_json::from_slice(&output.stdout).context("the pyAgrum peer did not answer in JSON")?;
    let mut lines = Vec::new();
    for (scenario, peer) in scenarios.iter().zip(answered["scenarios"].as_array().context("scenarios")?) {
        compare(scenario, &peer["answers"])?;
        let (ours_ns, allocations) = scenario.time(quick)?;
        lines.push(Line {
            scenario: scenario.name.clone(),
            ours: "question",
            ours_ns,
            other: format!("pyAgrum {}", peer["engine"].as_str().unwrap_or_default()),
            other_ns: peer["ns_per_question"].as_f64().context("ns_per_question")?,
            allocations: Some(allocations),
        });
    }
    Ok(lines)
}

/// Both must say the same, or the times mean nothing.
fn compare(scenario: &Scenario, answers: &Value) -> Result<()> {
    let mut workspace = Workspace::new();
    for asking in 0..scenario.askings {
        let ours = scenario.answer(asking, &mut workspace)?;
        let theirs =
            answers[asking].as_array().map(|list| list.iter().filter_map(Value::as_f64).collect::<Vec<_>>());
        let same = match (&ours, &theirs) {
            (Some(ours), Some(theirs)) => {
                ours.len() == theirs.len() && ours.iter().zip(theirs).all(|(a, b)| (a - b).abs() < 1e-9)
            }
            (None, None) => true,
            _ => false,
        };
        if !same {
            bail!("{}: we answer {ours:?}, pyAgrum {theirs:?}", scenario.name);
        }
    }
    Ok(())
}

/// A scenario as the peers read it.
fn to_json(scenario: &Scenario, quick: bool) -> Value {
    let program = &scenario.program;
    let name = |&id: &u32| program.variables()[id as usize].name();
    let card = |id: &u32| program.variables()[*id as usize].card();
    let factors = program.factors().iter().map(|factor| {
        let cards: Vec<usize> = factor.given().iter().chain(factor.left()).map(card).collect();
        json!({ "left": factor.left().iter().map(name).collect::<Vec<_>>(),
            "given": factor.given().iter().map(name).collect::<Vec<_>>(), "table": nested(&cards, factor.cells()) })
    });
    let questions = (0..scenario.askings).map(|asking| {
        let pairs = scenario.question.known().iter().map(name).zip(scenario.known(asking));
        Value::Object(pairs.map(|(name, &value)| (name.to_owned(), value.into())).collect())
    });
    let variables: Vec<&str> = program.variables().iter().map(|variable| variable.name()).collect();
    let cards =
        program.variables().iter().map(|variable| (variable.name().to_owned(), variable.card().into()));
    json!({ "name": scenario.name, "variables": variables, "card": Value::Object(cards.collect()),
        "factors": factors.collect::<Vec<_>>(), "searched": scenario.question.searched().iter().map(name).collect::<Vec<_>>(),
        "questions": questions.collect::<Vec<_>>(), "repeat": if quick { 1 } else { 5 } })
}

fn nested(cards: &[usize], cells: &[f64]) -> Value {
    debug_assert_eq!(digits(cells.len() - 1, cards).len(), cards.len());
    match cards {
        [] => cells[0].into(),
        [card, inner @ ..] => {
            let size = cells.len() / card;
            (0..*card).map(|value| nested(inner, &cells[value * size..][..size])).collect()
        }
    }
}

/// A file that is gone when it is no longer needed.
pub struct Scratch(pub PathBuf);

impl Scratch {
    /// With this in it.
    pub fn new(content: &str) -> Result<Self> {
        let path = std::env::temp_dir().join(format!("repertoire-bench-{}.json", std::process::id()));
        std::fs::write(&path, content).with_context(|| format!("{} could not be written", path.display()))?;
        Ok(Scratch(path))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // Left behind it is only a file in the temporary folder.
        let _ = std::fs::remove_file(&self.0);
    }
}
