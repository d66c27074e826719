//! Instructions instead of nanoseconds: the same number on a busy machine.
//!
//! The benchmark runs itself under `valgrind --tool=callgrind` twice, with few and with many rounds; the difference is
//! what the rounds cost, without the start of the process.

use std::process::Command;

use anyhow::{Context, Result, bail};
use repertoire_bayes::Workspace;

use crate::scenario::Scenario;

const FEW: usize = 10;
const MANY: usize = 110;

/// What the process does when it is counted: asks every question of a scenario `rounds` times.
pub fn be_counted(scenarios: &[Scenario], name: &str, rounds: usize) -> Result<()> {
    let scenario = scenarios.iter().find(|scenario| scenario.name == name).context("no such scenario")?;
    let mut workspace = Workspace::new();
    for _ in 0..rounds {
        for asking in 0..scenario.askings {
            // An impossible question has cost its instructions too.
            let _ = std::hint::black_box(scenario.question.ask(
                &scenario.program,
                scenario.known(asking),
                &mut workspace,
            ));
        }
    }
    Ok(())
}

/// Instructions a question of each scenario.
pub fn print(scenarios: &[Scenario]) -> Result<()> {
    println!("{:24} {:>24}", "scenario", "instructions each");
    for scenario in scenarios {
        let counted = collected(&scenario.name, MANY)? - collected(&scenario.name, FEW)?;
        let askings = (MANY - FEW) * scenario.askings;
        println!("{:24} {:>24.0}", scenario.name, counted as f64 / askings as f64);
    }
    // A round is a thousand Western instances.
    for who in ["plan ours", "plan breadth-first"].into_iter().chain(crate::planning::COUNTED_ALIKE) {
        let counted = collected(who, MANY)? - collected(who, FEW)?;
        println!("{who:24} {:>24.0}", counted as f64 / ((MANY - FEW) * 1_000) as f64);
    }
    Ok(())
}

fn collected(name: &str, rounds: usize) -> Result<u64> {
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(std::env::current_exe()?)
        .args(["--count", name, &rounds.to_string()])
        .output()
        .context("valgrind could not be run\n  remedy: cargo xtask setup")?;
    let said = String::from_utf8_lossy(&output.stderr);
    let line = said.lines().find_map(|line| line.split_once("Collected :"));
    match line.and_then(|(_, count)| count.trim().parse().ok()) {
        Some(count) if output.status.success() => Ok(count),
        _ => bail!("valgrind said: {said}"),
    }
}
