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

use repertoire_worlds::town::{Charter, DAY, Minds, TooMany, Town};
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::Interval;
use crate::identify::{Identified, hold_out};
use crate::shard::file::checksum;
use crate::shard::{self, Sharded, What};

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

/// The sorts of towns: name, minds, and whether events happen.
const ARMS: [(&str, Minds, bool); 6] = [
    ("plans", WHOLE, false),
    ("never plans anew", Minds { replan: false, ..WHOLE }, false),
    ("greedy by need", Minds { plan: false, ..WHOLE }, false),
    ("plans", WHOLE, true),
    ("never plans anew", Minds { replan: false, ..WHOLE }, true),
    ("greedy by need", Minds { plan: false, ..WHOLE }, true),
];

/// Towns in which families are guessed, and whether there are any.
const GUESSED: [(&str, bool); 2] = [("families of profiles", true), ("everybody the same", false)];

/// What came of one town.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum OneTown {
    /// Goals met, plans made anew and minutes in line, per inhabitant and day.
    Lived([f64; 3]),
    /// How families were told.
    Guessed {
        /// How often the guess was right.
        right: usize,
        /// Of how many.
        of: usize,
        /// The share of right guesses by chance.
        chance: f64,
        /// The 95 % interval of the share that is right.
        low: f64,
        /// Its upper end.
        high: f64,
    },
}

impl TownExperiment {
    /// How many towns live in all.
    pub fn total_towns(&self) -> u64 {
        u64::from(self.towns) * ARMS.len() as u64 + GUESSED.len() as u64
    }

    /// Runs it; `on_town_done` is called after every town.
    ///
    /// # Errors
    /// If the town has no room for so many inhabitants.
    pub fn run(&self, on_town_done: &(dyn Fn() + Sync)) -> Result<(Vec<Arm>, Vec<Told>), TooMany> {
        shard::run_all(self, on_town_done)
    }

    /// The same town without events.
    fn calm(&self) -> Arc<Charter> {
        Arc::new(Charter { events: Vec::new(), ..Charter::clone(&self.charter) })
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

/// Its pieces are towns: sort by sort, and last those in which families are guessed.
impl Sharded for TownExperiment {
    type Piece = OneTown;
    type Whole = (Vec<Arm>, Vec<Told>);
    type Refused = TooMany;

    fn what(&self) -> What {
        let charter = checksum(format!("{:?}", self.charter).as_bytes());
        What {
            kind: "experiment town".into(),
            seed: self.seed,
            settings: json!({ "town": self.charter.name, "charter": charter, "inhabitants": self.inhabitants,
                "days": self.days, "towns": self.towns }),
            total: self.total_towns(),
        }
    }

    fn piece(&self, number: u64) -> Result<OneTown, TooMany> {
        let (arm, number) = (number / u64::from(self.towns), number % u64::from(self.towns));
        if let Some(&(_, minds, events)) = ARMS.get(arm as usize) {
            let charter = if events { Arc::clone(&self.charter) } else { self.calm() };
            return Ok(OneTown::Lived(self.live(&charter, minds, self.seed + number)?));
        }
        let guessed = (arm as usize - ARMS.len()) * self.towns as usize + number as usize;
        let found = self.guess(&self.calm(), Minds { families: GUESSED[guessed].1, ..WHOLE })?;
        let Identified { right, of, chance, low, high, .. } = found;
        Ok(OneTown::Guessed { right, of, chance, low, high })
    }

    fn whole(&self, pieces: Vec<(u64, OneTown)>) -> Result<Self::Whole, TooMany> {
        let (mut lived, mut told) = (Vec::new(), Vec::new());
        for (_, piece) in pieces {
            match piece {
                OneTown::Lived(measured) => lived.push(measured),
                OneTown::Guessed { right, of, chance, low, high } => {
                    told.push(Told {
                        name: GUESSED[told.len() % GUESSED.len()].0,
                        right,
                        of,
                        chance,
                        low,
                        high,
                    });
                }
            }
        }
        let measured: Vec<&[[f64; 3]]> = lived.chunks(self.towns as usize).collect();
        let arm = |(index, own): (usize, &&[[f64; 3]])| {
            let (name, _, events) = ARMS[index];
            let column = |k: usize| Interval::of(&own.iter().map(|one| one[k]).collect::<Vec<_>>());
            let whole = if events { 3 } else { 0 };
            let less = own.iter().zip(measured[whole]).map(|(one, whole)| one[0] - whole[0]);
            let less = (index != whole).then(|| Interval::of(&less.collect::<Vec<_>>()));
            Arm { name, events, met: column(0), less, replans: column(1), waited: column(2) }
        };
        Ok((measured.iter().enumerate().map(arm).collect(), told))
    }
}
