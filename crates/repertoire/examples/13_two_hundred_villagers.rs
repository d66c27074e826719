//! One idea: from an empty file to a village. Needs, plans, profiles, reasons, saving, and learning, for any game.
//!
//! `cargo run -p repertoire --example 13_two_hundred_villagers`

use repertoire::prelude::*;

const VILLAGER: &str = r#"
name = "villager"
tasks = ["eat", "sleep", "work", "flee"]
stay = 0.7                                  # how probable it is that a task goes on
sensors.wolf = ["away", "near"]
likelihood.wolf.away = ["x", "x", "x", 0.02] # how often, while a task goes on
likelihood.wolf.near = [0.01, 0.02, 0.01, "x"]
perceive.reaction_ticks = 2
needs.hunger = { grows = 0.01, starts = 0.2 }
needs.fatigue = { grows = 0.004, eased.sleep = 0.03 }
facts.purse = ["empty", "full"]             # what plans are about
facts.meal = ["due", "had"]
actions.work = "purse: empty -> full"
actions.eat = "purse: full -> empty, meal: due -> had"
goals.dinner = "meal=had"
plan.pursue.dinner = "hunger"               # why a goal is pursued
profiles.glutton = { hunger = [3.0, 6.0] }  # individuals differ
profiles.sleepy = { fatigue = [3.0, 6.0] }
targets.eat = "inn"
"#;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let villager = Design::parse(VILLAGER)?;
    let mut village: Vec<Character> = (0..200).map(|agent| Character::new(&villager, 42, agent)).collect();
    let (mut full, mut had) = (vec![false; 200], vec![0u32; 200]);
    let (mut senses, mut scratch) = (villager.senses(), Scratch::new());
    let mut diary = String::from("wolf,life,task\n");
    for tick in 0..1000 {
        let wolf = if tick % 200 < 20 { "near" } else { "away" };
        for (agent, character) in village.iter_mut().enumerate() {
            senses.clear();
            senses.see("wolf", wolf)?;
            senses.fact("purse", if full[agent] { "full" } else { "empty" })?;
            senses.fact("meal", if character.need(0) < 0.1 { "had" } else { "due" })?;
            senses.offer("inn", 1, 12.0)?;
            let deed = character.tick(&senses, &mut scratch);
            match villager.task_name(deed.task) {
                "work" => full[agent] = true,
                "eat" if full[agent] => {
                    (full[agent], had[agent]) = (false, had[agent] + 1);
                    character.ease("hunger", 0.5)?;
                }
                _ => {}
            }
            diary += &format!("{wolf},{agent},{}\n", villager.task_name(deed.task));
        }
    }
    println!("{}\n\n{} meals", village[4].report(), had.iter().sum::<u32>());
    let saved = serde_json::to_string(village[4].state())?; // in the middle of a plan
    village[4].restore(serde_json::from_str(&saved)?)?;
    let pupil = villager.learned(&Lives::read(&diary, villager.behaviour())?)?;
    println!("\nlearned from {} ticks: {:.2?}", 200 * 1000, pupil.behaviour().sensors()[0].cells());
    Ok(())
}
