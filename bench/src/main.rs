//! Benchmarks: named scenarios, each against an alternative in the same run, as a ratio.
//!
//! `cargo xtask bench` runs them; `--quick` runs them small, as the tests do, so that they cannot rot; `--peers` asks
//! the same questions of Python libraries; `--instructions` counts instead of timing; `--arena` times
//! matches alone, `--belief` updates of beliefs alone, `--chameleon` learning by imitation alone, `--sequencing` decisions
//! and learning of tasks alone, `--characters` individual characters and `--minds` whole ones (against `big-brain`: see
//! `bench/big-brain`).
//! Machines are noisy: believe the ratios, not the nanoseconds.

mod alternatives;
mod arena;
mod belief;
mod chameleon;
mod characters;
#[cfg(feature = "dogoap")]
mod goap;
mod instructions;
mod minds;
mod peers;
mod planning;
mod scenario;
mod sequencing;
mod timing;

use anyhow::{Result, bail};
use repertoire_prob::num::significant;
use serde_json::json;

use scenario::Scenario;

/// One line of the report.
struct Line {
    scenario: String,
    ours: &'static str,
    ours_ns: f64,
    other: String,
    other_ns: f64,
    allocations: Option<u64>,
}

impl Line {
    fn ratio(&self) -> f64 {
        self.other_ns / self.ours_ns
    }
}

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [word, name, rounds] = &arguments[..]
        && word == "--count"
    {
        let rounds = rounds.parse()?;
        return match name.strip_prefix("plan ") {
            Some(_) => planning::be_counted(name, rounds),
            None => instructions::be_counted(&scenario::all(false)?, name, rounds),
        };
    }
    if arguments.iter().any(|word| word == "--help") {
        println!(
            "usage: cargo xtask bench [--peers] [--quick] [--instructions] [--arena] [--belief] [--chameleon] [--characters] [--minds] [--sequencing] [--json]"
        );
        return Ok(());
    }
    let known = [
        "--quick",
        "--peers",
        "--instructions",
        "--arena",
        "--belief",
        "--chameleon",
        "--characters",
        "--minds",
        "--sequencing",
        "--json",
    ];
    if let Some(unknown) = arguments.iter().find(|word| !known.contains(&word.as_str())) {
        bail!("`{unknown}` is not known\n  usage: cargo xtask bench [{}]", known.join("] ["));
    }
    let has = |word: &str| arguments.iter().any(|argument| argument == word);
    let quick = has("--quick");
    if has("--arena") {
        return print_arena(quick, has("--json"));
    }
    if has("--characters") {
        characters::print(quick);
        return Ok(());
    }
    if has("--minds") {
        print_minds(quick);
        return Ok(());
    }
    if has("--belief") {
        return print_belief(quick, has("--peers"), has("--json"));
    }
    if has("--chameleon") {
        return print_chameleon(quick, has("--peers"), has("--json"));
    }
    if has("--sequencing") {
        let lines = sequencing::all(quick)?;
        return if has("--json") { print_json(&lines) } else { print_table(&lines) };
    }
    let scenarios = scenario::all(quick)?;
    if has("--instructions") {
        return instructions::print(&scenarios);
    }
    let mut lines = Vec::new();
    for scenario in &scenarios {
        lines.extend(against_alternatives(scenario, quick)?);
    }
    lines.extend(alternatives::learning(quick));
    lines.extend(sequencing::all(quick)?);
    lines.extend(planning::all(quick)?);
    lines.extend(belief::against_memory(quick)?);
    lines.extend(chameleon::against_the_thesis(quick)?);
    if has("--peers") {
        lines.extend(peers::pyagrum(&scenarios, quick)?);
        lines.extend(belief::hmmlearn(quick)?);
        lines.extend(chameleon::numpy(quick)?);
    }
    if has("--json") {
        return print_json(&lines);
    }
    print_table(&lines)?;
    belief::print("How an update of a belief grows", &belief::growth(quick)?);
    belief::print("How learning by imitation grows", &chameleon::growth(quick)?);
    print_minds(quick);
    print_arena(quick, false)
}

/// Whole characters of a game's own, by number of tasks.
fn print_minds(quick: bool) {
    let (count, rounds) = if quick { (500, 3) } else { (100_000, 15) };
    println!("\nA tick of a whole character: 3 sensors, a need for each task, a plan, a reaction time");
    println!("{:>8} {:>12} {:>12} {:>14}", "tasks", "ns, 1 core", "all cores", "at 10 Hz");
    for tasks in [4, 8, 64] {
        let (mut village, mut scratch) =
            (minds::Village::new(count, tasks), repertoire_mind::game::Scratch::new());
        (0..5).for_each(|_| {
            village.tick(&mut scratch);
        });
        let one = characters::least_ns(count, rounds, || assert!(village.tick(&mut scratch) <= count));
        let all = characters::least_ns(count, rounds, || assert!(village.tick_on_all_cores() <= count));
        println!("{:>8} {one:>12.0} {all:>12.0} {:>14.0}", village.tasks(), 1e8 / all);
    }
}

fn print_belief(quick: bool, peers: bool, as_json: bool) -> Result<()> {
    let mut lines = belief::against_memory(quick)?;
    if peers {
        lines.extend(belief::hmmlearn(quick)?);
    }
    let growth = belief::growth(quick)?;
    if as_json {
        let rows: Vec<_> = growth.iter().map(belief::Growth::json).collect();
        println!("{}", serde_json::to_string_pretty(&rows)?);
        return print_json(&lines);
    }
    print_table(&lines)?;
    belief::print("How an update of a belief grows", &growth);
    Ok(())
}

fn print_chameleon(quick: bool, peers: bool, as_json: bool) -> Result<()> {
    let mut lines = chameleon::against_the_thesis(quick)?;
    if peers {
        lines.extend(chameleon::numpy(quick)?);
    }
    let mut growth = chameleon::growth(quick)?;
    growth.extend(chameleon::population(quick)?);
    if as_json {
        let rows: Vec<_> = growth.iter().map(belief::Growth::json).collect();
        println!("{}", serde_json::to_string_pretty(&rows)?);
        return print_json(&lines);
    }
    print_table(&lines)?;
    belief::print("How learning by imitation grows", &growth);
    Ok(())
}

fn print_arena(quick: bool, as_json: bool) -> Result<()> {
    let speeds = arena::all(quick)?;
    if as_json {
        let rows: Vec<_> = speeds.iter().map(arena::Speed::json).collect();
        println!("{}", serde_json::to_string_pretty(&rows)?);
    } else {
        arena::print(&speeds);
    }
    Ok(())
}

/// The engine against enumerating the joint, and against the loop one would write by hand.
fn against_alternatives(scenario: &Scenario, quick: bool) -> Result<Vec<Line>> {
    let (ours_ns, allocations) = scenario.time(quick)?;
    let line = |other: &str, other_ns: f64| Line {
        scenario: scenario.name.clone(),
        ours: "question",
        ours_ns,
        other: other.into(),
        other_ns,
        allocations: Some(allocations),
    };
    let mut lines = Vec::new();
    if let Some(ns) = alternatives::enumeration(scenario, quick)? {
        lines.push(line("whole joint", ns));
    }
    if scenario.name == "prudent" {
        lines.push(line("loop by hand", alternatives::by_hand(scenario, quick)?));
    }
    Ok(lines)
}

fn print_table(lines: &[Line]) -> Result<()> {
    println!(
        "{:26} {:14} {:>10}  {:28} {:>12} {:>9}  {:>6}",
        "scenario", "ours", "ns", "against", "ns", "ratio", "allocs"
    );
    for line in lines {
        let allocations = line.allocations.map_or("-".to_owned(), |count| count.to_string());
        println!(
            "{:26} {:14} {:>10}  {:28} {:>12} {:>8.1}x  {allocations:>6}",
            line.scenario,
            line.ours,
            significant(line.ours_ns, 3),
            line.other,
            significant(line.other_ns, 3),
            line.ratio()
        );
    }
    Ok(())
}

fn print_json(lines: &[Line]) -> Result<()> {
    let rows = lines.iter().map(|line| {
        json!({ "scenario": line.scenario, "ours": line.ours, "ours_ns": line.ours_ns, "other": line.other,
            "other_ns": line.other_ns, "ratio": line.ratio(), "allocations": line.allocations })
    });
    println!("{}", serde_json::to_string_pretty(&rows.collect::<Vec<_>>())?);
    Ok(())
}
