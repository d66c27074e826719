//! One idea: a program is written as data and asked in words, then asked fast.
//!
//! `cargo run -p repertoire --example 01_ask_a_program`

use repertoire::prelude::*;
use repertoire::prob::draw::sample;

/// A guard who looks up from dinner, or does not.
const GUARD: &str = r#"
name = "guard"
about = "Does a guard look up?"

[variables]
Noise = ["quiet", "steps", "crash"]
Tired = ["false", "true"]
Looks = ["down", "up"]

[[factor]]
of = "P(Noise)"
form = "table"
rows.quiet = "x"
rows.steps = 0.2
rows.crash = 0.01

[[factor]]
of = "P(Tired)"
form = "uniform"

[[factor]]
of = "P(Looks | Noise Tired)"
form = "table"
columns   = ["quiet false", "quiet true", "steps false", "steps true", "crash false", "crash true"]
rows.down = ["x",           "x",          "x",           "x",          "x",           "x"]
rows.up   = [0.05,          0.01,         0.6,           0.2,          1,             0.9]
"#;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let guard: Program = GUARD.parse()?;

    // One call that just works.
    let answer = guard.ask("P(Looks | Noise=steps)")?;
    println!("Steps behind a guard: looks up with {:.2}", answer.distribution[1]);

    // It answers the other way round as well: the guard looked up, so what was it?
    let answer = guard.ask("P(Noise Tired | Looks=up)")?;
    let (noise, tired) =
        (guard.variable("Noise").expect("declared"), guard.variable("Tired").expect("declared"));
    for (index, p) in answer.distribution.iter().enumerate() {
        println!("  heard {:5}, tired {:5}: {p:.3}", noise.values()[index / 2], tired.values()[index % 2]);
    }

    // Compiled once, asked for ten thousand guards at a time: what each knows is a column.
    let question = Question::compile(&guard, &"P(Looks | Noise, Tired)".parse()?)?;
    let (steps, tired): (Vec<u32>, Vec<u32>) = (0..10_000).map(|agent| (1, agent % 2)).unzip();
    let (mut answers, mut impossible) = (vec![0.0; 2 * 10_000], Vec::new());
    question.ask_columns(&guard, &[&steps, &tired], &mut Workspace::new(), &mut answers, &mut impossible)?;
    let looks = |(agent, looks): (usize, &[f64])| sample(looks, &mut Stream::new(1, agent as u64, "look"));
    let up: usize = answers.chunks(2).enumerate().map(looks).sum();
    println!("Of 10000 guards, every other one tired, {up} look up at steps (expected 4000)");
    Ok(())
}
