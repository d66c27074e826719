//! One idea: the same world, the same engine; who a character is, is a profile, and a motivation is a trait.
//!
//! `cargo run -p repertoire --example 09_who_it_is`

use std::sync::Arc;

use repertoire::character::explain::{explain, sentence};
use repertoire::character::profile::fuse::fuse;
use repertoire::prelude::*;
use repertoire::worlds::rooms::scenario::scenario;
use repertoire::worlds::rooms::{Act, World};

/// A motivation of one's own: things whose name is short are irresistible.
struct ShortNames;

impl Evaluator for ShortNames {
    fn name(&self) -> &str {
        "short names"
    }
    fn value(&self, candidate: &Candidate<'_>) -> f64 {
        let roster = candidate.view.memory.roster();
        let target = candidate.deeds.first().and_then(|deed| deed.target());
        target.map_or(1.0, |target| 4.0 / roster.label(target, candidate.view.laws).len() as f64)
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // A locked door, a key, an axe: who opens it how?
    let larder = Arc::new(scenario("6.1.2-left").ok_or("shipped")?);
    for name in ["brute", "careful"] {
        let mut world = World::new(larder.clone(), 1);
        world.set_profile(0, &Profile::shipped(name).ok_or("shipped")?);
        let log = world.run(60);
        let done = log.iter().filter(|entry| matches!(entry.act, Act::Do(_)));
        let done: Vec<String> = done.map(|entry| entry.act.label(&larder.laws, &larder.roster)).collect();
        println!("{name}: {}", done.join(", "));
    }

    // Half of each, and why it begins as it does.
    let (brute, careful) =
        (Profile::shipped("brute").ok_or("shipped")?, Profile::shipped("careful").ok_or("shipped")?);
    let mixed = fuse(&brute, &careful, 0.5)?;
    let mut world = World::new(larder.clone(), 1);
    world.set_profile(0, &mixed);
    world.step();
    let resident = &world.residents()[0];
    println!("\nhalf of each: {}", sentence(&explain(&resident.character, &larder.laws, &resident.temper)));

    // Another motivation, without touching the engine.
    let mut temper = Temper::new(&mixed, &larder.laws);
    temper.evaluators.push(Box::new(ShortNames));
    let mut character = resident.character.clone();
    let space = repertoire::character::Nowhere;
    let chosen = character.weigh(&larder.laws, &space, &temper, &|_| 1.0).ok_or("something to do")?;
    println!("with a taste for short names: {}", sentence(&explain(&character, &larder.laws, &temper)));
    assert!(chosen.value > 0.0);
    Ok(())
}
