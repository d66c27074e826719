//! One idea: a town of thousands who want, plan, fail and plan again; any of them says why.
//!
//! `cargo run -p repertoire --example 14_a_town_that_lives`

use repertoire::worlds::town::{At, DAY, Event, Minds, Town, charter};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let western = charter("western").ok_or("it comes with the library")?;
    let mut town = Town::new(western.clone(), 5_000, 42, Minds::default())?;
    // The wells run dry in the morning: whoever needs water finds out when they get there.
    town.add(Event::with_moment("day 1 09:00 dry well 8h", &western)?);
    while town.now() < 11 * 60 {
        town.tick();
    }
    let smith = (0..town.len() as u32)
        .find(|&who| town.why(who).class == "Blacksmith" && town.why(who).wrong.is_some())
        .ok_or("somebody was turned away by now")?;
    println!("{}", town.why(smith));

    // Saved in the middle of everything, it goes on to the bit.
    let mut saved = Vec::new();
    town.save(&mut saved)?;
    let mut again = Town::load(&mut &saved[..])?;
    while town.now() < DAY {
        town.tick();
        again.tick();
    }
    assert_eq!(town.hash(), again.hash());
    let tally = town.tally();
    println!(
        "{}: {} goals met, {} plans, {} of them anew",
        At(town.now()),
        tally.met.iter().sum::<u64>(),
        tally.plans,
        tally.replans
    );
    for (goal, times) in town.goals_met() {
        println!("  {goal:14} {times}");
    }
    Ok(())
}
