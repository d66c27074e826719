//! One idea: a town of a hundred thousand characters, each with a plan, replanned when something changes.
//!
//! `cargo run -p repertoire --example 06_plan_for_a_town`

use repertoire::prelude::*;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let western = Domain::shipped("western").ok_or("shipped")?;

    // One character, in words.
    let sheriff = western.class("Sheriff").ok_or("declared")?;
    let goal = western.total_goal(&sheriff.goals[0], &western.start);
    let mut planner = Planner::new(western.task.clone());
    let Outcome::Plan { actions, tier } = planner.solve(&western.start, &goal, None)? else {
        return Err("the sheriff has a plan".into());
    };
    let names: Vec<&str> = actions.iter().map(|&action| western.actions[action as usize].as_str()).collect();
    println!("Sheriff, by {}: {}", tier.name(), names.join(", "));

    // Carrying it out; someone takes the keys away meanwhile.
    let mut state = western.start.clone();
    let (mut running, mut surprises) = (Running::new(actions), 0);
    for tick in 0.. {
        if tick == 6 {
            state[western.variable("keys").ok_or("declared")?] = 0;
        }
        match running.next(&western.task, &state, &goal) {
            Next::Do(action) => {
                western.task.apply(action as usize, &mut state);
                running.advance();
            }
            Next::Replan => {
                surprises += 1;
                if let Outcome::Plan { actions, .. } = planner.solve(&state, &goal, None)? {
                    running = Running::new(actions);
                }
            }
            Next::Done => {
                println!("  done after {tick} ticks, {surprises} surprise(s) met with a new plan");
                break;
            }
        }
    }

    // A town: states as columns, plans shared.
    let mut town = Town::new(&western)?;
    let mut rng = Stream::new(1, 0, "town");
    town.settle(100_000, &mut || rng.unit());
    town.plan_all();
    println!("\n{} characters share {} distinct plans", town.len(), town.distinct_plans());
    let class = western.classes.iter().position(|class| class.name == "Hunter").ok_or("declared")?;
    let before = town.plan(class, 0).map(<[u8]>::len);
    // One of them starts over: rifle slung, knife sheathed, the game roaming, no stew.
    let key = town.key(class, 1, &[0, 0, 0, 0])?;
    town.set(class, 0, key);
    println!("Hunter 0 had {before:?} steps to go, now {:?}", town.plan(class, 0).map(<[u8]>::len));
    Ok(())
}
