//! One idea: a behaviour is a few small tables; ask it what comes next and why, for one guard and for a whole town.
//!
//! `cargo run -p repertoire --example 07_write_a_behaviour`

use repertoire::prelude::*;

const GUARD: &str = r#"
name = "guard"
tasks = ["watch", "chase", "rest"]

[sensors]
enemies = ["none", "some"]
hour = ["day", "night"]

[transition]
watch = ["x",  0.05, 0.1]
chase = [0.01, "x",  0.01]
rest  = [0.05, 0.01, "x"]

[likelihood.enemies]
none = ["x",  0.02, "x"]
some = [0.01, "x",  0.001]

[likelihood.hour]
day   = ["x", "x", 0.1]
night = ["x", "x", "x"]
"#;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let guard: Behaviour = GUARD.parse()?;
    for (before, enemies, hour) in
        [("watch", "some", "night"), ("watch", "none", "night"), ("rest", "none", "day")]
    {
        let sensed = guard.readings(&[("enemies", enemies), ("hour", hour)])?;
        let decision = guard.decide(guard.task(before), &sensed);
        println!("{}\n", guard.explain(&decision));
    }

    // A town of a hundred thousand guards, on a night on which enemies come to every tenth of them.
    let population = Population::new(&guard);
    let agents = 100_000;
    let enemies: Vec<u8> = (0..agents).map(|agent| u8::from(agent % 10 == 0)).collect();
    let night = vec![1; agents];
    let mut tasks = vec![0; agents];
    println!("a town at night, every tenth guard sees an enemy\n  tick  watch  chase   rest");
    for tick in 0..5 {
        population.decide(Draws { seed: 7, tick, first_agent: 0 }, &[&enemies, &night], &mut tasks);
        let count = |task: u8| tasks.iter().filter(|&&chosen| chosen == task).count();
        println!("  {tick:>4}  {:>5}  {:>5}  {:>5}", count(0), count(1), count(2));
    }
    Ok(())
}
