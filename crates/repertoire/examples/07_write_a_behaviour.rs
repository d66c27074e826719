//! One idea: a behaviour is a few small tables; ask it what comes next and why, for one guard and for a whole town.
//!
//! `cargo run -p repertoire --example 07_write_a_behaviour`

use repertoire::bayes::sequence::population::{Draws, Population};
use repertoire::bayes::sequence::{Behaviour, file};

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
    let guard = file::read(GUARD, &mut |_| Err("a guard has no behaviours within".into()))?;
    explain(&guard, "watch", "some", "night");
    explain(&guard, "watch", "none", "night");
    explain(&guard, "rest", "none", "day");

    // A town of a hundred thousand guards, on a night on which enemies come to every tenth of them.
    let population = Population::new(&guard);
    let agents = 100_000;
    let enemies: Vec<u8> = (0..agents).map(|agent| u8::from(agent % 10 == 0)).collect();
    let night = vec![1; agents];
    let mut tasks = vec![0; agents];
    println!("\na town at night, every tenth guard sees an enemy\n  tick  watch  chase   rest");
    for tick in 0..5 {
        population.decide(Draws { seed: 7, tick, first_agent: 0 }, &[&enemies, &night], &mut tasks);
        let count = |task: u8| tasks.iter().filter(|&&chosen| chosen == task).count();
        println!("  {tick:>4}  {:>5}  {:>5}  {:>5}", count(0), count(1), count(2));
    }
    Ok(())
}

fn explain(guard: &Behaviour, previous: &str, enemies: &str, hour: &str) {
    let value = |sensor: usize, name: &str| guard.sensors()[sensor].value(name);
    let decision = guard.decide(guard.task(previous), &[value(0, enemies), value(1, hour)]);
    println!("after {previous}, enemies={enemies}, hour={hour}");
    for (task, name) in guard.task_names().enumerate() {
        print!(
            "  {name:6} {:>5.1} %   prior {:>6.2}",
            decision.posterior[task] * 100.0,
            decision.log_prior[task]
        );
        for (sensor, says) in &decision.contributions {
            print!("   {} {:>6.2}", guard.sensors()[*sensor].name, says[task]);
        }
        println!();
    }
}
