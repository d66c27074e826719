//! The village of `decisions.txt`: its rules, once, for whoever plays it.

use std::fmt::Write as _;

pub const DESIGN: &str = include_str!("../village.toml");
pub const SEEDS: [u64; 2] = [1, 2];
pub const AGENTS: u64 = 5;
pub const TICKS: u64 = 120;

/// What goes before the decisions.
pub const RULES: &str = "\
# Decisions that every adapter of Repertoire must reproduce, to the bit. The villagers are those of village.toml.
#
# For each seed 1 and 2 there are villagers with the agent numbers 0 to 4, alone in their worlds. At each tick from 0 to 119
# all that a villager senses is cleared, and then it senses, with t = tick modulo 40:
#   wolf    near if t < 6; believed to be away or near with 0.5 each if 6 <= t < 10; not read if t >= 38; otherwise away
#   purse   full or empty (facts of the plan); empty at first
#   meal    had if its hunger is below 0.1, otherwise due
#   inn     thing 1 at a distance of 10 + agent, then thing 2 at a distance of 14 - (tick modulo 8)
# Then it ticks, and a line is written. Then, if it works, its purse is full; if it eats and its purse is full, the purse is
# empty and its hunger is eased by 0.5.
#
# A line: seed agent tick task target hunger. The target is - if there is none; hunger is the 64 bits of its level (IEEE 754
# double) as 16 hexadecimal digits.
";

/// What a villager senses at a tick.
pub struct Scene {
    pub wolf: Wolf,
    pub purse: &'static str,
    pub meal: &'static str,
    /// Thing and distance.
    pub inns: [(u64, f64); 2],
}

#[derive(Clone, Copy, PartialEq)]
pub enum Wolf {
    Away,
    Near,
    Unsure,
    NotRead,
}

/// A villager's own world.
#[derive(Clone, Copy)]
pub struct World {
    pub agent: u64,
    full: bool,
}

impl World {
    pub fn new(agent: u64) -> Self {
        World { agent, full: false }
    }

    pub fn scene(&self, tick: u64, hunger: f64) -> Scene {
        Scene {
            wolf: match tick % 40 {
                0..6 => Wolf::Near,
                6..10 => Wolf::Unsure,
                38.. => Wolf::NotRead,
                _ => Wolf::Away,
            },
            purse: if self.full { "full" } else { "empty" },
            meal: if hunger < 0.1 { "had" } else { "due" },
            inns: [(1, (10 + self.agent) as f64), (2, (14 - tick % 8) as f64)],
        }
    }

    /// What happens; whether the villager has eaten.
    pub fn happens(&mut self, task: &str) -> bool {
        let eaten = task == "eat" && self.full;
        self.full = task == "work" || (self.full && !eaten);
        eaten
    }
}

/// Somebody who plays a villager.
pub trait Player {
    fn hunger(&self) -> f64;
    fn tick(&mut self, scene: &Scene) -> (String, Option<u64>);
    fn eat(&mut self);
}

/// Every decision, as in `decisions.txt`.
pub fn play<P: Player>(make: impl Fn(u64, u64) -> P) -> String {
    let mut lines = String::from(RULES);
    for seed in SEEDS {
        for agent in 0..AGENTS {
            let (mut player, mut world) = (make(seed, agent), World::new(agent));
            for tick in 0..TICKS {
                let (task, target) = player.tick(&world.scene(tick, player.hunger()));
                line(&mut lines, [seed, agent, tick], &task, target, player.hunger());
                if world.happens(&task) {
                    player.eat();
                }
            }
        }
    }
    lines
}

pub fn line(lines: &mut String, [seed, agent, tick]: [u64; 3], task: &str, target: Option<u64>, hunger: f64) {
    let target = target.map_or("-".to_owned(), |thing| thing.to_string());
    writeln!(lines, "{seed} {agent} {tick} {task} {target} {:016x}", hunger.to_bits()).unwrap();
}
