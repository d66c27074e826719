//! Everybody's tasks since the match began, for the strip under the picture.

use repertoire_worlds::arena::game::Match;
use serde_json::{Value, json};

use super::people::People;

/// What was done when, as stretches.
#[derive(Debug, Default)]
pub struct Strip {
    /// For each character: from which tick on it did what; empty while dead.
    stretches: Vec<Vec<(u32, String)>>,
    /// Who died when.
    deaths: Vec<(u32, usize)>,
    /// What each was doing before the last tick.
    before: Vec<String>,
    now: Vec<String>,
}

impl Strip {
    /// Notes what everybody decided at a tick.
    pub fn note(&mut self, game: &Match, people: &People) {
        let (world, tick) = (game.world(), game.world().tick());
        self.before = std::mem::take(&mut self.now);
        self.stretches.resize_with(world.len(), Vec::new);
        for id in 0..world.len() {
            let task = match (world.is_alive(id), people.label(id)) {
                (false, _) => "",
                (true, Some(label)) => label,
                (true, None) => game.contenders()[id].mind.task(),
            };
            let stretches = &mut self.stretches[id];
            if stretches.last().is_none_or(|(_, last)| last != task) {
                stretches.push((tick, task.to_owned()));
            }
            if world.events(id).iter().any(|event| matches!(event, repertoire_mind::Event::Died { .. })) {
                self.deaths.push((tick, id));
            }
            self.now.push(task.to_owned());
        }
    }

    /// What each was doing before the last tick that was noted.
    pub fn before(&self) -> &[String] {
        &self.before
    }

    /// Forgets what came after a tick.
    pub fn rewind(&mut self, tick: u32) {
        self.stretches.iter_mut().for_each(|stretches| stretches.retain(|(from, _)| *from < tick));
        self.deaths.retain(|(at, _)| *at < tick);
        (self.before, self.now) = (Vec::new(), Vec::new());
    }

    /// All of it.
    pub fn whole(&self) -> Value {
        json!({ "stretches": self.stretches, "deaths": self.deaths })
    }
}
