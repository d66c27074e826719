//! Who is where and does what: for maps, curves over time, and the days of single inhabitants.

use super::person::{NONE, Phase};
use super::town::Town;

/// How many are where, and pursue what.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct Census {
    /// The tick.
    pub tick: u32,
    /// For each kind of place, how many are there.
    pub at: Vec<u32>,
    /// How many are on their way.
    pub walking: u32,
    /// How many wait in line.
    pub waiting: u32,
    /// How many have nothing to do.
    pub idle: u32,
    /// For each goal name of the town (see [`Town::goal_names`]), how many pursue it.
    pub goals: Vec<u32>,
}

/// An inhabitant as others see them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Seen {
    /// Where, in cells.
    pub at: (f64, f64),
    /// The place they are at, or come from.
    pub place: u32,
    /// Where they go, if they walk.
    pub to: Option<u32>,
    /// Their class.
    pub class: u8,
    /// The family their profile was drawn from.
    pub family: u8,
    /// What they are doing.
    pub phase: Phase,
    /// Whether they wait in line.
    pub waits: bool,
    /// The goal they pursue, by its number in their class.
    pub goal: Option<u8>,
    /// The action they are doing or going to do, by its number in their class.
    pub action: Option<u8>,
    /// When they are next due.
    pub due: u32,
}

impl Town {
    /// An inhabitant as others see them.
    ///
    /// # Panics
    /// If nobody has this number.
    pub fn seen(&self, who: u32) -> Seen {
        let (person, due) = (&self.people[who as usize], self.due[who as usize]);
        let phase = Phase::of(person.phase).unwrap_or(Phase::Idle);
        let place = &self.places.places[person.at as usize];
        let at = match phase {
            Phase::Walking => {
                let whole = f64::from(due.saturating_sub(person.began).max(1));
                self.places.on_the_way(
                    person.at,
                    person.to,
                    f64::from(self.now.saturating_sub(person.began)) / whole,
                )
            }
            _ => (f64::from(place.x), f64::from(place.y)),
        };
        Seen {
            at,
            place: person.at,
            to: (phase == Phase::Walking).then_some(person.to),
            class: person.class,
            family: person.family,
            phase,
            waits: phase == Phase::Acting && person.began > self.now,
            goal: (person.goal != NONE).then_some(person.goal),
            action: (person.action != NONE).then_some(person.action),
            due,
        }
    }

    /// The names of all goals, each once, in the order of classes.
    pub fn goal_names(&self) -> Vec<&str> {
        let mut names: Vec<&str> = Vec::new();
        for goal in self.charter.classes.iter().flat_map(|class| &class.goals) {
            if !names.contains(&goal.name.as_str()) {
                names.push(&goal.name);
            }
        }
        names
    }

    /// How many are where, and pursue what.
    pub fn census(&self) -> Census {
        let names = self.goal_names();
        let numbers: Vec<Vec<usize>> = self
            .charter
            .classes
            .iter()
            .map(|class| {
                let number = |name: &str| names.iter().position(|known| *known == name).unwrap_or(0);
                class.goals.iter().map(|goal| number(&goal.name)).collect()
            })
            .collect();
        let mut census = Census {
            tick: self.now,
            at: vec![0; self.charter.kinds.len()],
            goals: vec![0; names.len()],
            ..Census::default()
        };
        for person in &self.people {
            match Phase::of(person.phase) {
                Some(Phase::Walking) => census.walking += 1,
                phase => {
                    census.at[usize::from(self.places.places[person.at as usize].kind)] += 1;
                    census.waiting += u32::from(phase == Some(Phase::Acting) && person.began > self.now);
                    census.idle += u32::from(phase == Some(Phase::Idle));
                }
            }
            if person.goal != NONE {
                census.goals[numbers[usize::from(person.class)][usize::from(person.goal)]] += 1;
            }
        }
        census
    }

    /// How often each goal was met, by name and in the order of [`Town::goal_names`].
    pub fn goals_met(&self) -> Vec<(&str, u64)> {
        let names = self.goal_names();
        let mut met: Vec<(&str, u64)> = names.iter().map(|name| (*name, 0)).collect();
        let goals = self.charter.classes.iter().flat_map(|class| &class.goals);
        for (goal, count) in goals.zip(&self.tally.met) {
            if let Some(entry) = met.iter_mut().find(|(name, _)| *name == goal.name) {
                entry.1 += count;
            }
        }
        met
    }
}
