//! What a whole mind is worth, stage by stage: duels of each subject against one and the same opponent.
//!
//! Each subject plays the same duels (the same maps, seeds and seats) against the opponent. What is counted of a duel is what
//! Tencé's requirements ask of memory and planning, beside who wins:
//!
//! | measure          | what it is                                                                              |
//! |------------------|-----------------------------------------------------------------------------------------|
//! | wins             | the share of duels won; a draw counts half                                              |
//! | lead             | own frags minus the opponent's                                                          |
//! | suicides         | own deaths by nobody else's hand                                                        |
//! | avoidable deaths | deaths with nothing but the weak weapon, or below half health when it met the opponent, though what was missing lay within reach when the opponent came into view |
//! | went short       | stretches of five seconds without a usable weapon, or below half health, while a thing that was missing lay within reach all the time and came no nearer |
//! | found again      | seconds from losing the opponent for two seconds to having it in view again             |
//! | items            | items picked up in a minute                                                             |
//!
//! Intervals of wins are Wilson's (1927); the others are over duels.

use std::sync::Arc;

use repertoire_mind::{Item, Percept, Place, Places, Weapon};
use repertoire_prob::Stream;
use repertoire_worlds::arena::game::{Contender, Match};
use repertoire_worlds::arena::level::Level;
use repertoire_worlds::arena::rules::Rules;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::interval::wilson;
use crate::shard::{self, Sharded, What};
use crate::{Entry, Interval, Refused};

/// Maps on which the shipped fighters were tuned, by how their names end: what they win there says less.
pub const TUNED: [&str; 12] = [
    "yard", "halls", "keep", "MAP05", "MAP06", "MAP07", "MAP08", "MAP09", "MAP10", "MAP11", "MAP12", "MAP16",
];

/// Whether the shipped fighters were tuned on a map.
pub fn is_tuned(map: &str) -> bool {
    TUNED.iter().any(|tuned| map.ends_with(tuned))
}

/// Duels of subjects against an opponent.
pub struct MindExperiment {
    /// Where, with names.
    pub levels: Vec<(String, Arc<Level>)>,
    /// Who is judged.
    pub subjects: Vec<Entry>,
    /// Whom all of them meet.
    pub opponent: Entry,
    /// Duels on each map.
    pub duels: u32,
    /// Frags that win a duel.
    pub frags: i32,
    /// Seconds of the game after which a duel ends.
    pub seconds: f64,
    /// Random seed; the same seed repeats the run.
    pub seed: u64,
}

/// What came of one duel, for the subject.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Duel {
    /// 1 if it won, 0 if it lost, 1/2 if nobody did.
    pub won: f64,
    /// Own frags minus the opponent's.
    pub lead: i32,
    /// Deaths.
    pub deaths: u32,
    /// Deaths by its own hand.
    pub suicides: u32,
    /// Deaths that it could have avoided.
    pub avoidable: u32,
    /// Stretches of five seconds in which it did without what lay within reach.
    pub went_short: u32,
    /// Seconds from losing the opponent to having it in view again, each time.
    pub found_again_secs: Vec<f64>,
    /// Items picked up.
    pub items: u32,
    /// How long it lasted.
    pub seconds: f64,
}

/// What came of a subject's duels on one map.
#[derive(Clone, Debug, Serialize)]
pub struct SubjectOnMap {
    /// The subject.
    pub subject: String,
    /// The map.
    pub map: String,
    /// Its duels there.
    pub duels: Vec<Duel>,
}

/// The measures of some duels.
#[derive(Clone, Debug, Serialize)]
pub struct Worth {
    /// How many duels.
    pub duels: usize,
    /// The share won, and the ends of its interval.
    pub wins: f64,
    /// The lower end.
    pub wins_low: f64,
    /// The upper end.
    pub wins_high: f64,
    /// Own frags minus the opponent's, per duel.
    pub lead: Interval,
    /// Per duel.
    pub suicides: Interval,
    /// Per duel.
    pub avoidable_deaths: Interval,
    /// Per duel: avoidable deaths, suicides, and stretches in which it did without what lay within reach.
    pub mistakes: Interval,
    /// Over all times it lost the opponent.
    pub found_again_secs: Interval,
    /// Per minute, over duels.
    pub items_per_minute: Interval,
}

/// The measures of every subject on some of the maps.
#[derive(Clone, Debug, Serialize)]
pub struct Group {
    /// Which maps, and whether they were used for tuning.
    pub maps: String,
    /// The subjects, in their order.
    pub subjects: Vec<SubjectWorth>,
}

/// The measures of a subject.
#[derive(Clone, Debug, Serialize)]
pub struct SubjectWorth {
    /// The subject.
    pub subject: String,
    /// Its measures.
    pub worth: Worth,
}

impl Worth {
    /// The measures of duels.
    pub fn of<'a>(duels: impl IntoIterator<Item = &'a Duel>) -> Self {
        let duels: Vec<&Duel> = duels.into_iter().collect();
        let each =
            |of: &dyn Fn(&Duel) -> f64| Interval::of(&duels.iter().map(|duel| of(duel)).collect::<Vec<_>>());
        let wins = duels.iter().map(|duel| duel.won).sum::<f64>();
        let (wins_low, wins_high) = wilson(wins, duels.len() as f64);
        let found: Vec<f64> = duels.iter().flat_map(|duel| duel.found_again_secs.iter().copied()).collect();
        Worth {
            duels: duels.len(),
            wins: wins / (duels.len() as f64).max(1.0),
            wins_low,
            wins_high,
            lead: each(&|duel| f64::from(duel.lead)),
            suicides: each(&|duel| f64::from(duel.suicides)),
            avoidable_deaths: each(&|duel| f64::from(duel.avoidable)),
            mistakes: each(&|duel| f64::from(duel.avoidable + duel.suicides + duel.went_short)),
            found_again_secs: Interval::of(&found),
            items_per_minute: each(&|duel| f64::from(duel.items) * 60.0 / duel.seconds.max(1.0)),
        }
    }
}

impl MindExperiment {
    /// How many duels there are.
    pub fn total_duels(&self) -> u64 {
        self.levels.len() as u64 * self.subjects.len() as u64 * u64::from(self.duels)
    }

    /// The measures of each subject, on the maps that the shipped fighters were tuned on ([`TUNED`]) and on the others.
    pub fn groups(&self, outcome: &[SubjectOnMap]) -> Vec<Group> {
        let mut groups = Vec::new();
        for (tuned, which) in [(true, "used for tuning"), (false, "not used for tuning")] {
            let names = self.levels.iter().map(|(name, _)| name.as_str());
            let names: Vec<&str> = names.filter(|name| is_tuned(name) == tuned).collect();
            if names.is_empty() {
                continue;
            }
            let subject = |subject: &Entry| {
                let of =
                    outcome.iter().filter(|one| one.subject == subject.name && is_tuned(&one.map) == tuned);
                let worth = Worth::of(of.flat_map(|one| &one.duels));
                SubjectWorth { subject: subject.name.clone(), worth }
            };
            let maps = format!("{} ({which})", names.join(", "));
            groups.push(Group { maps, subjects: self.subjects.iter().map(subject).collect() });
        }
        groups
    }

    /// Plays all duels, on the threads of the rayon pool in which this is called; the outcome does not depend on their number.
    /// Subject by subject, and map by map.
    ///
    /// # Errors
    /// If there is nothing to play: no map, no duel, no frag to win, or no time.
    pub fn run(&self, on_duel_done: &(dyn Fn() + Sync)) -> Result<Vec<SubjectOnMap>, Refused> {
        self.check()?;
        shard::run_all(self, on_duel_done)
    }

    /// Whether there is something to play.
    ///
    /// # Errors
    /// See [`MindExperiment::run`].
    pub fn check(&self) -> Result<(), Refused> {
        if self.duels == 0 {
            return Err(Refused::NoMatch);
        }
        if self.frags < 1 {
            return Err(Refused::Frags(self.frags));
        }
        if !(self.seconds.is_finite() && self.seconds > 0.0) {
            return Err(Refused::TimeLimit(self.seconds));
        }
        if self.levels.is_empty() {
            return Err(Refused::NoMap);
        }
        Ok(())
    }

    fn duel(&self, subject: &Entry, level: &Arc<Level>, map: usize, number: u32) -> Duel {
        let seed = Stream::new(self.seed, (map as u64) << 32 | u64::from(number), "minds").unit();
        let seed = (seed * (1u64 << 53) as f64) as u64;
        // Seats take turns: who sits first is spawned first.
        let own = (number % 2) as usize;
        let sit = |entry: &Entry| Contender { name: entry.name.clone(), mind: (entry.make)() };
        let seats = if own == 0 { [subject, &self.opponent] } else { [&self.opponent, subject] };
        let mut game = Match::new(Arc::clone(level), Rules::default(), seats.map(sit).into(), seed);
        let mut watch = Watch::new(own, Rules::default().period_secs());
        while game.best_frags() < self.frags && watch.seconds < self.seconds {
            game.tick();
            watch.see(&game, level.places());
        }
        watch.finish(&game)
    }
}

/// Its pieces are duels: subject by subject, map by map.
impl Sharded for MindExperiment {
    type Piece = Duel;
    type Whole = Vec<SubjectOnMap>;
    type Refused = Refused;

    fn what(&self) -> What {
        let subjects: Vec<_> = self.subjects.iter().map(|entry| &entry.name).collect();
        What {
            kind: "experiment mind".into(),
            seed: self.seed,
            settings: json!({ "maps": shard::maps(&self.levels), "subjects": subjects, "opponent": self.opponent.name,
                "duels": self.duels, "frags": self.frags, "seconds": self.seconds }),
            total: self.total_duels(),
        }
    }

    fn piece(&self, number: u64) -> Result<Duel, Refused> {
        let (pair, number) = (number / u64::from(self.duels), number % u64::from(self.duels));
        let maps = self.levels.len() as u64;
        let (subject, map) = ((pair / maps) as usize, (pair % maps) as usize);
        Ok(self.duel(&self.subjects[subject], &self.levels[map].1, map, number as u32))
    }

    fn whole(&self, pieces: Vec<(u64, Duel)>) -> Result<Vec<SubjectOnMap>, Refused> {
        let pairs =
            self.subjects.iter().flat_map(|one| self.levels.iter().map(move |(map, _)| (&one.name, map)));
        let mut each: Vec<SubjectOnMap> = pairs
            .map(|(subject, map)| SubjectOnMap {
                subject: subject.clone(),
                map: map.clone(),
                duels: Vec::new(),
            })
            .collect();
        for (number, duel) in pieces {
            each[(number / u64::from(self.duels)) as usize].duels.push(duel);
        }
        Ok(each)
    }
}

/// An opponent out of view for this long counts as lost.
const LOST_SECS: f64 = 2.0;
/// What lies within this way could have been fetched.
const WITHIN_SECS: f64 = 4.0;
/// Whoever does without it for this long made a mistake.
const SHORT_SECS: f64 = 5.0;
/// Below this health it should have healed.
const HALF_HEALTH: f64 = 50.0;

/// Counts one side of a duel.
struct Watch {
    own: usize,
    period_secs: f64,
    seconds: f64,
    life: u32,
    lost_since: Option<f64>,
    met: bool,
    /// Whether it was short of something within reach when it last met the opponent.
    unready: bool,
    within: Within,
    duel: Duel,
}

impl Watch {
    fn new(own: usize, period_secs: f64) -> Self {
        let duel = Duel {
            won: 0.5,
            lead: 0,
            deaths: 0,
            suicides: 0,
            avoidable: 0,
            went_short: 0,
            found_again_secs: Vec::new(),
            items: 0,
            seconds: 0.0,
        };
        let (seconds, life, lost_since, met, unready) = (0.0, 1, None, false, false);
        Watch { own, period_secs, seconds, life, lost_since, met, unready, within: Within::default(), duel }
    }

    fn see(&mut self, game: &Match, places: &Places) {
        self.seconds += self.period_secs;
        let (world, percept) = (game.world(), &game.percepts()[self.own]);
        let other = 1 - self.own;
        if percept.own.life != self.life {
            self.life = percept.own.life;
            self.duel.avoidable += u32::from(self.unready);
            (self.met, self.unready, self.lost_since) = (false, false, None);
        }
        let lacks = world.is_alive(self.own).then(|| Lack::of(percept));
        let here = places.nearest(percept.own.position);
        let ways = places.spots().iter().enumerate().map(|(k, spot)| {
            let is_wanted =
                lacks.as_ref().is_some_and(|lacks| lacks.is_met_by(spot.item)) && world.is_there(k);
            spot.place.filter(|_| is_wanted).and_then(|place| way_secs(here, place, places))
        });
        let Shortage { is_short, went_short } = self.within.see(ways, self.period_secs);
        self.duel.went_short += u32::from(went_short);
        if !(world.is_alive(self.own) && world.is_alive(other)) {
            self.lost_since = None;
            return;
        }
        let in_view = percept.characters.iter().any(|seen| usize::from(seen.id) == other);
        if in_view {
            if let Some(since) = self.lost_since.take()
                && self.seconds - since > LOST_SECS
            {
                self.duel.found_again_secs.push(self.seconds - since);
            }
            if !self.met {
                self.unready = is_short;
            }
        } else if self.met || self.lost_since.is_some() {
            self.lost_since = self.lost_since.or(Some(self.seconds));
        }
        self.met = in_view;
    }

    fn finish(mut self, game: &Match) -> Duel {
        let world = game.world();
        let (own, other) = (world.tally(self.own), world.tally(1 - self.own));
        self.duel.lead = own.frags - other.frags;
        self.duel.won = match self.duel.lead {
            0 => 0.5,
            lead => f64::from(u8::from(lead > 0)),
        };
        (self.duel.deaths, self.duel.suicides, self.duel.items) = (own.deaths, own.suicides, own.items);
        self.duel.seconds = self.seconds;
        self.duel
    }
}

/// For each spot how long it has held what is missing within reach, and how long the way was at first.
#[derive(Default)]
struct Within(Vec<(f64, f64)>);

/// What a moment says of somebody's lacks.
#[derive(Debug, PartialEq)]
struct Shortage {
    /// Something that is missing lies within reach.
    is_short: bool,
    /// It has done without it for long, and come no nearer.
    went_short: bool,
}

impl Within {
    /// Notes the ways to what is missing, spot by spot, in seconds. Whoever goes for it, or for another thing farther away, makes no
    /// mistake; whoever stays around does.
    fn see(&mut self, ways: impl Iterator<Item = Option<f64>>, period_secs: f64) -> Shortage {
        let mut shortage = Shortage { is_short: false, went_short: false };
        for (k, way) in ways.enumerate() {
            if self.0.len() <= k {
                self.0.push((0.0, 0.0));
            }
            let (secs, at_first) = &mut self.0[k];
            let Some(way) = way.filter(|&way| way <= WITHIN_SECS) else {
                *secs = 0.0;
                continue;
            };
            shortage.is_short = true;
            if *secs == 0.0 {
                *at_first = way;
            }
            *secs += period_secs;
            if *secs >= SHORT_SECS {
                shortage.went_short |= way >= *at_first;
                *secs = 0.0;
            }
        }
        if shortage.went_short {
            self.0.fill((0.0, 0.0));
        }
        shortage
    }
}

/// What somebody is short of.
struct Lack {
    arms: bool,
    health: bool,
}

impl Lack {
    fn of(percept: &Percept) -> Self {
        let own = &percept.own;
        let usable = |weapon: Weapon| own.weapons[weapon.index()] && own.ammo[weapon.index()] > 0;
        let arms = !usable(Weapon::Medium) && !usable(Weapon::Strong);
        Lack { arms, health: own.health < HALF_HEALTH }
    }

    fn is_met_by(&self, item: Item) -> bool {
        (self.arms && matches!(item, Item::Weapon(_))) || (self.health && item.is_health())
    }
}

fn way_secs(here: Place, to: Place, places: &Places) -> Option<f64> {
    if here == to { Some(0.0) } else { places.travel_secs(here, to) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_goes_for_what_is_missing_did_not_go_short() {
        let count = |ways: &dyn Fn(f64) -> [Option<f64>; 2]| {
            let mut within = Within::default();
            (0..120).filter(|&k| within.see(ways(f64::from(k) * 0.1).into_iter(), 0.1).went_short).count()
        };
        assert_eq!(count(&|_| [Some(3.0), None]), 2, "twelve seconds beside it");
        assert_eq!(count(&|_| [Some(4.5), None]), 0, "too far away");
        assert_eq!(count(&|at| [Some(4.0 - 0.3 * at), None]), 0, "on its way");
        let first = |at: f64| at % 8.0 < 4.0;
        assert_eq!(
            count(&|at| if first(at) { [Some(3.0), None] } else { [None, Some(3.0)] }),
            0,
            "one thing after another"
        );
        assert_eq!(count(&|at| [Some(2.0 + 0.1 * at), None]), 2, "running away from it");
    }

    #[test]
    fn duels_without_an_end_are_refused() {
        let make =
            || -> Box<dyn repertoire_mind::Mind> { Box::new(repertoire_mind::fighter::Fighter::native(1)) };
        let entry = Entry { name: "one".into(), make: Arc::new(make) };
        for seconds in [f64::NAN, f64::INFINITY, 0.0, -1.0] {
            let experiment = MindExperiment {
                levels: Vec::new(),
                subjects: vec![entry.clone()],
                opponent: entry.clone(),
                duels: 1,
                frags: 1,
                seconds,
                seed: 1,
            };
            assert!(matches!(experiment.run(&|| ()), Err(Refused::TimeLimit(_))), "{seconds}");
        }
    }
}
