//! Running scenarios and reading what happened.

use std::sync::Arc;

use repertoire_worlds::rooms::scenario::{read, scenario};
use repertoire_worlds::rooms::{Act, Entry, Scenario, World};

/// A run of a scenario.
pub struct Run {
    pub world: World,
    pub log: Vec<Entry>,
}

pub fn shipped(name: &str) -> Arc<Scenario> {
    Arc::new(scenario(name).unwrap_or_else(|| panic!("{name} is shipped")))
}

pub fn written(text: &str) -> Arc<Scenario> {
    let mut load = |name: &str| Err(format!("{name} is not there").into());
    Arc::new(read(text, &mut load).unwrap_or_else(|refused| panic!("{refused}")))
}

pub fn run(scenario: Arc<Scenario>, seed: u64, steps: u32) -> Run {
    let mut world = World::new(scenario, seed);
    let log = world.run(steps);
    Run { world, log }
}

impl Run {
    pub fn label(&self, act: Act) -> String {
        let scenario = self.world.scenario();
        act.label(&scenario.laws, &scenario.roster)
    }

    /// What was done, without the ways, by one character.
    pub fn done_by(&self, who: u16) -> Vec<String> {
        let entries = self.log.iter().filter(|entry| entry.who == who);
        entries
            .filter(|entry| matches!(entry.act, Act::Do(_) | Act::Fail(_)))
            .map(|entry| self.label(entry.act))
            .collect()
    }

    /// The same of the first character.
    pub fn done(&self) -> Vec<String> {
        self.done_by(0)
    }

    /// The whole log, for failing tests.
    pub fn story(&self) -> String {
        let scenario = self.world.scenario();
        let mut text = String::new();
        for entry in &self.log {
            let (x, y) = scenario.grid.xy(entry.to);
            let values: Vec<String> = entry
                .values
                .iter()
                .map(|worth| {
                    let deed = repertoire_character::reason::deed_label(
                        worth.deed,
                        &scenario.laws,
                        &scenario.roster,
                    );
                    format!("{}/{deed} {:.2}", worth.goal, worth.value)
                })
                .collect();
            text += &format!(
                "{:3} {} ({x},{y}) {:24} [{}]\n",
                entry.step,
                entry.who,
                self.label(entry.act),
                values.join(", ")
            );
        }
        text
    }

    /// The step at which a label first appears.
    pub fn when(&self, label: &str) -> Option<u32> {
        self.log.iter().find(|entry| self.label(entry.act) == label).map(|entry| entry.step)
    }
}
