//! How fast the arena is: a match of four native bots on one core, against the clock of the game.
//!
//! The alternative is real time, which is what a game server plays. A match is timed phase by phase, because what a
//! mind costs and what the world costs are different questions.

use std::sync::Arc;

use anyhow::{Result, anyhow};
use repertoire_mind::fighter::Fighter;
use repertoire_worlds::arena::game::{Contender, Match};
use repertoire_worlds::arena::level::Level;
use repertoire_worlds::arena::map::file;
use repertoire_worlds::arena::map::shipped::SHIPPED;
use repertoire_worlds::arena::rules::Rules;
use serde_json::json;

use crate::timing;

/// One map's figures.
pub struct Speed {
    map: &'static str,
    /// Seconds of the game in a second of one core.
    times_real: f64,
    /// Shares of perception, decisions and physics, in percent.
    shares: [f64; 3],
}

impl Speed {
    /// The row as JSON.
    pub fn json(&self) -> serde_json::Value {
        let [perception, decision, physics] = self.shares;
        json!({ "map": self.map, "times_real_time": self.times_real, "perception_percent": perception,
            "decision_percent": decision, "physics_percent": physics })
    }
}

/// Plays on each shipped map.
pub fn all(quick: bool) -> Result<Vec<Speed>> {
    SHIPPED.iter().map(|&(map, text)| speed(map, text, quick)).collect()
}

fn speed(map: &'static str, text: &str, quick: bool) -> Result<Speed> {
    let authored = file::read(text).map_err(|mistake| anyhow!("{map}:{mistake}"))?;
    let level = Arc::new(Level::new(authored.map).map_err(|faults| anyhow!("{map}: {faults:?}"))?);
    let (rounds, ticks) = if quick { (1, 50) } else { (9, 3000) };
    let mut seconds = Vec::new();
    let mut shares = [0.0; 3];
    for seed in 0..rounds {
        let phases = play(level.clone(), seed, ticks);
        seconds.push(phases.iter().sum::<f64>());
        for (share, phase) in shares.iter_mut().zip(phases) {
            *share += phase;
        }
    }
    let whole: f64 = shares.iter().sum();
    let game_secs = f64::from(ticks) * Rules::default().period_secs();
    Ok(Speed {
        map,
        times_real: game_secs / timing::median(seconds),
        shares: shares.map(|share| 100.0 * share / whole),
    })
}

/// Seconds spent in each phase.
fn play(level: Arc<Level>, seed: u64, ticks: u32) -> [f64; 3] {
    let bot =
        |skill: u8| Contender { name: format!("native:{skill}"), mind: Box::new(Fighter::native(skill)) };
    let mut game = Match::new(level, Rules::default(), [1, 3, 5, 7].map(bot).into(), seed);
    let mut phases = [0.0; 3];
    for _ in 0..ticks {
        phases[0] += timing::secs(|| game.perceive());
        phases[1] += timing::secs(|| game.decide());
        phases[2] += timing::secs(|| game.advance());
    }
    phases
}

/// Prints the table.
pub fn print(speeds: &[Speed]) {
    println!("\nFour native bots on one core, headless, against the time of the game");
    println!("{:8} {:>12}  {:>10} {:>9} {:>8}", "map", "real time", "perception", "decision", "physics");
    for speed in speeds {
        let [perception, decision, physics] = speed.shares;
        println!(
            "{:8} {:>11.0}x  {perception:>8.0} % {decision:>7.0} % {physics:>6.0} %",
            speed.map, speed.times_real
        );
    }
}
