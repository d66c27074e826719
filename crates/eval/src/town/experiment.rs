//! What planning, planning anew and families of profiles are worth in a town.
//!
//! | question                      | compared                                                    | measured                       |
//! |-------------------------------|-------------------------------------------------------------|--------------------------------|
//! | does planning matter?         | plans, and doing what gets nearest to the goal in one step   | goals met, without events      |
//! | does planning anew matter?    | it, and putting the goal off when its plan fails             | goals met, with and without events |
//! | do individuals differ?        | families of profiles, and everybody the same                 | how often a family is guessed  |
//!
//! Towns of the same seed are compared pairwise. A family is guessed from one day of an inhabitant, by what they pursued in each
//! half hour ([`crate::identify::hold_out`]); work of all classes is one word, so that the class does not give it away. Where
//! everybody is the same, families are drawn all the same and mean nothing.

use std::sync::Arc;

use rayon::prelude::*;
use repertoire_worlds::town::{Charter, DAY, Minds, TooMany, Town};
use serde::Serialize;

use crate::Interval;
use crate::identify::{Identified, hold_out};

/// The experiment.
#[derive(Clone, Debug)]
pub struct TownExperiment {
    /// The town; its events are used where events are asked for.
    pub charter: Arc<Charter>,
    /// How many live in each town.
    pub inhabitants: u32,
    /// How many days each town lives.
    pub days: u32,
    /// How many towns of each sort.
    pub towns: u32,
    /// The first seed.
    pub seed: u64,
}

/// Towns of one sort.
#[derive(Clone, Debug, Serialize)]
pub struct Arm {
    /// What sort.
    pub name: &'static str,
    /// Whether events happened.
    pub events: bool,
    /// Goals met per inhabitant and day.
    pub met: Interval,
    /// Goals met per inhabitant and day less those of whole minds under the same events, town by town.
    pub less: Option<Interval>,
    /// Plans made anew per inhabitant and day.
    pub replans: Interval,
    /// Minutes in line per inhabitant and day.
    pub waited: Interval,
}

/// How well families are told by a day.
#[derive(Clone, Debug, Serialize)]
pub struct Told {
    /// What sort of town.
    pub name: &'static str,
    /// How often the guess was right.
    pub right: usize,
    /// Of how many.
    pub of: usize,
    /// The share of right guesses by chance.
    pub chance: f64,
    /// The 95 % interval of the share that is right.
    pub low: f64,
    /// Its upper end.
    pub high: f64,
}

const WHOLE: Minds = Minds { plan: true, replan: true, families: true };

impl TownExperiment {
    /// How many towns live in all.
    pub fn total_towns(&self) -> u64 {
        u64::from(self.towns) * 6 + 2
    }

    /// Runs it; `on_town_done` is called after every town.
    ///
    /// # Errors
    /// If the town has no room for so many inhabitants.
    pub fn run(&self, on_town_done: &(dyn Fn() + Sync)) -> Result<(Vec<Arm>, Vec<Told>), TooMany> {
        let calm = Arc::new(Charter { events: Vec::new(), ..Charter::clone(&self.charter) });
        let arms = [
            ("plans", WHOLE, false),
            ("never plans anew", Minds { replan: false, ..WHOLE }, false),
            ("greedy by need", Minds { plan: false, ..WHOLE }, false),
            ("plans", WHOLE, true),
            ("never plans anew", Minds { replan: false, ..WHOLE }, true),
            ("greedy by need", Minds { plan: false, ..WHOLE }, true),
        ];
        let mut measured: Vec<Vec<[f64; 3]>> = Vec::new();
        for (_, minds, events) in arms {
            let charter = if events { &self.charter } else { &calm };
            let each: Result<Vec<[f64; 3]>, TooMany> = (0..self.towns)
                .into_par_iter()
                .map(|number| {
                    let measured = self.live(charter, minds, self.seed + u64::from(number));
                    on_town_done();
                    measured
                })
                .collect();
            measured.push(each?);
        }
        let whole_of = |events: bool| if events { 3 } else { 0 };
        let outcome = arms.iter().enumerate().map(|(index, &(name, _, events))| {
            let column =
                |k: usize| Interval::of(&measured[index].iter().map(|one| one[k]).collect::<Vec<_>>());
            let whole = whole_of(events);
            let less = measured[index].iter().zip(&measured[whole]).map(|(one, whole)| one[0] - whole[0]);
            let less = (index != whole).then(|| Interval::of(&less.collect::<Vec<_>>()));
            Arm { name, events, met: column(0), less, replans: column(1), waited: column(2) }
        });
        let mut told = Vec::new();
        for (name, families) in [("families of profiles", true), ("everybody the same", false)] {
            let found = self.guess(&calm, Minds { families, ..WHOLE })?;
            let Identified { right, of, chance, low, high, .. } = found;
            told.push(Told { name, right, of, chance, low, high });
            on_town_done();
        }
        Ok((outcome.collect(), told))
    }

    /// Goals met, plans made anew and minutes in line, per inhabitant and day.
    fn live(&self, charter: &Arc<Charter>, minds: Minds, seed: u64) -> Result<[f64; 3], TooMany> {
        let mut town = Town::new(charter.clone(), self.inhabitants, seed, minds)?;
        (0..self.days * DAY).for_each(|_| town.tick());
        let per = f64::from(self.inhabitants) * f64::from(self.days);
        let tally = town.tally();
        Ok([tally.met.iter().sum::<u64>(), tally.replans, tally.waited].map(|sum| sum as f64 / per))
    }

    /// The last day of everybody as words, and how often their family is guessed from it.
    fn guess(&self, charter: &Arc<Charter>, minds: Minds) -> Result<Identified, TooMany> {
        let mut town = Town::new(charter.clone(), self.inhabitants, self.seed, minds)?;
        (0..(self.days - 1) * DAY).for_each(|_| town.tick());
        // Goals that every class has are told by their names.
        let shared =
            |name: &str| charter.classes.iter().all(|class| class.goals.iter().any(|goal| goal.name == name));
        let mut days: Vec<Vec<String>> = vec![Vec::new(); town.len()];
        for tick in 0..DAY {
            town.tick();
            if !tick.is_multiple_of(30) {
                continue;
            }
            for (who, day) in days.iter_mut().enumerate() {
                let seen = town.seen(who as u32);
                let goal = seen
                    .goal
                    .map(|goal| &charter.classes[usize::from(seen.class)].goals[usize::from(goal)].name);
                day.push(goal.map_or("nothing", |goal| if shared(goal) { goal } else { "work" }).to_owned());
            }
        }
        let family = |who: usize| charter.families[usize::from(town.seen(who as u32).family)].name.clone();
        let logs: Vec<(String, Vec<String>)> =
            days.into_iter().enumerate().map(|(who, day)| (family(who), day)).collect();
        Ok(hold_out(&logs))
    }
}
