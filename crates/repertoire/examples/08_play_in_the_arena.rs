//! One idea: put written characters and native bots into one arena, let them fight, and ask one of them why.
//!
//! `cargo run -p repertoire --example 08_play_in_the_arena`

use std::sync::Arc;

use repertoire::mind::Mind;
use repertoire::mind::fighter::Fighter;
use repertoire::prelude::*;
use repertoire::worlds::arena::game::{Contender, Match};
use repertoire::worlds::arena::level::Level;
use repertoire::worlds::arena::map::{file, shipped::shipped as map};
use repertoire::worlds::arena::rules::Rules;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let halls = file::read(map("halls").ok_or("halls comes with the library")?)?;
    let level = Arc::new(Level::new(halls.map).map_err(|faults| format!("{faults:?}"))?);
    let mut contenders = Vec::new();
    for name in ["prudent", "aggressive"] {
        let behaviour = Behaviour::shipped(name).ok_or("it is shipped")?;
        let mind: Box<dyn Mind> = Box::new(Fighter::sequencing(&behaviour)?);
        contenders.push(Contender { name: name.to_owned(), mind });
    }
    for level in [1, 3] {
        contenders
            .push(Contender { name: format!("native:{level}"), mind: Box::new(Fighter::native(level)) });
    }
    let mut game = Match::new(level, Rules::default(), contenders, 42);
    let mut task = String::new();
    println!("the prudent one, for the first minute, whenever it changes its task:");
    for tick in 0..3000 {
        game.tick();
        let prudent = &game.contenders()[0].mind;
        if tick < 600 && game.world().is_alive(0) && prudent.task() != task {
            task = prudent.task().to_owned();
            println!("  {:>5.1} s  {}", f64::from(tick) / 10.0, prudent.why());
        }
    }
    println!("\nafter five minutes:");
    for (id, contender) in game.contenders().iter().enumerate() {
        let tally = game.world().tally(id);
        println!("  {:<12} {:>3} frags, {:>3} deaths", contender.name, tally.frags, tally.deaths);
    }
    println!("state hash {:016x}", game.world().hash());
    Ok(())
}
