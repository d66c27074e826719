//! One idea: nobody drew points on this map; where do people go, and how do they get there?
//!
//! `cargo run -p repertoire --example 12_learn_places`

use std::sync::Arc;

use repertoire::mind::Place;
use repertoire::mind::fighter::Fighter;
use repertoire::mind::learned_places::{self, Ground};
use repertoire::topology::{Learner, LearnerSettings};
use repertoire::worlds::arena::game::{Contender, Match};
use repertoire::worlds::arena::level::Level;
use repertoire::worlds::arena::map::{file, shipped::shipped as map};
use repertoire::worlds::arena::rules::Rules;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let halls = file::read(map("halls").ok_or("halls comes with the library")?)?;
    let level = Arc::new(Level::new(halls.map).map_err(|faults| format!("{faults:?}"))?);
    let bot = |_| Contender { name: "native:3".to_owned(), mind: Box::new(Fighter::native(3)) as _ };
    let mut game = Match::new(level, Rules::default(), (0..4).map(bot).collect(), 1);
    let period = game.world().rules().period_secs();

    // Four teachers at once, a position of each every tenth of a second. Lengths are metres here.
    let settings = LearnerSettings { reach: 4.0, cell: 1.0, ..LearnerSettings::default().in_units(1.0) };
    let mut learner = Learner::new(settings)?;
    let mut lives = [0; 4];
    for tick in 0..3000u32 {
        game.tick();
        for (id, life) in (0..4).zip(&mut lives) {
            let own = &game.percepts()[id].own;
            if !game.world().is_alive(id) || !own.on_ground {
                // In the air nobody stands anywhere.
                continue;
            }
            if own.life != *life {
                // They came back somewhere else: that is no walk.
                learner.end(id as u32);
                *life = own.life;
            }
            learner.see(id as u32, f64::from(tick) * period, own.position.to_array())?;
        }
        if (tick + 1) % 600 == 0 {
            let (minutes, places) = ((tick + 1) / 600, learner.places());
            println!(
                "after {minutes} min: {} places, {} links walked",
                places.nodes.len(),
                places.links.len()
            );
        }
    }

    // What was learned is knowledge of a map like any other.
    let places = learner.places();
    let known = learned_places::places(&places, Ground::default())?;
    let together = places.connected();
    let (from, goal) = (Place(together[0] as u16), Place(together[together.len() - 1] as u16));
    let mut at = from;
    print!("from place {} to place {}: {}", from.0, goal.0, at.0);
    while let Some(link) = known.next(at, goal) {
        at = link.to;
        print!(", {}", at.0);
    }
    println!(" in {:.1} s", known.travel_secs(from, goal).unwrap_or_default());
    Ok(())
}
