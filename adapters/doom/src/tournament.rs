//! Many matches on many maps: each of our characters alone against the engine's bots, in turn on the same matches.
//!
//! One of ours a match, because then a match is a function of its seed and the engine runs as fast as it can: engines that
//! wait for each other over a network are several times slower, and their first tics depend on who connects first. All
//! contenders meet the same bots from the same seeds, so that differences between them are paired.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use repertoire_eval::tournament::Clock;
use repertoire_eval::{Entry, Interval};
use repertoire_prob::stream::counter;
use repertoire_worlds::arena::game::Contender;
use serde::{Deserialize, Serialize};

use crate::processor::on_one_processor;
use crate::results::ResultsFile;
use crate::tally::MatchResult;
use crate::{DoomError, Environment, Game, GameSettings, Ground};

/// Who meets whom where, how often.
#[derive(Clone, Debug)]
pub struct Tournament {
    /// The maps by name.
    pub maps: Vec<(String, Ground)>,
    /// Our characters.
    pub contenders: Vec<Entry>,
    /// Matches of each on each map.
    pub matches: u32,
    /// Every match's settings but for its map and seed.
    pub settings: GameSettings,
}

/// One match to play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Fixture {
    /// Who, by number.
    pub contender: usize,
    /// Where, by number.
    pub map: usize,
    /// The how-manieth on this map.
    pub number: u32,
}

impl Tournament {
    /// All matches; neighbours are of different contenders, so that an unfinished tournament is fair to all.
    pub fn fixtures(&self) -> Vec<Fixture> {
        let mut fixtures = Vec::new();
        for number in 0..self.matches {
            for map in 0..self.maps.len() {
                for contender in 0..self.contenders.len() {
                    fixtures.push(Fixture { contender, map, number });
                }
            }
        }
        fixtures
    }

    /// The seed of a match: the same for every contender.
    pub fn seed_of(&self, fixture: Fixture) -> u64 {
        counter(self.settings.seed, (fixture.map as u64) << 32 | u64::from(fixture.number)) >> 16
    }

    /// Plays one match; one that breaks is told with what was played of it.
    pub fn play(&self, environment: &Environment, fixture: Fixture, clock: Option<Clock>) -> MatchResult {
        let (map, ground) = &self.maps[fixture.map];
        let entry = &self.contenders[fixture.contender];
        let settings =
            GameSettings { map: map.clone(), seed: self.seed_of(fixture), ..self.settings.clone() };
        let contender = Contender { name: entry.name.clone(), mind: (entry.make)() };
        let nothing = |error: DoomError| MatchResult {
            map: map.clone(),
            seed: settings.seed,
            wanted_secs: settings.seconds,
            broken: Some(error.to_string()),
            ..MatchResult::default()
        };
        match Game::start(environment, ground.clone(), settings.clone(), vec![contender]) {
            Err(error) => nothing(error),
            Ok(mut game) => {
                while !game.is_over() {
                    if let Err(error) = game.tick(clock, None) {
                        return MatchResult { broken: Some(error.to_string()), ..game.result() };
                    }
                }
                game.end()
            }
        }
    }

    /// That a match broke off, in words.
    pub fn broke_off(&self, fixture: Fixture, result: &MatchResult) -> String {
        format!(
            "{}'s match {} on {} broke off after {:.0} s and does not count: {}",
            self.contenders[fixture.contender].name,
            fixture.number + 1,
            result.map,
            result.played_secs,
            result.broken.as_deref().unwrap_or_default()
        )
    }

    /// Plays the matches, `at_once` at a time, and reports each as it ends.
    pub fn run(
        &self,
        environment: &Environment,
        fixtures: &[Fixture],
        at_a_time: usize,
        clock: Option<Clock>,
        told: &(dyn Fn(Fixture, &MatchResult) + Sync),
    ) -> Vec<(Fixture, MatchResult)> {
        let next = AtomicUsize::new(0);
        let results = Mutex::new(Vec::with_capacity(fixtures.len()));
        std::thread::scope(|scope| {
            for worker in 0..at_a_time.clamp(1, fixtures.len().max(1)) {
                let (next, results) = (&next, &results);
                scope.spawn(move || {
                    while let Some(&fixture) = fixtures.get(next.fetch_add(1, Ordering::Relaxed)) {
                        let result = on_one_processor(worker, || self.play(environment, fixture, clock));
                        told(fixture, &result);
                        let mut results = results.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
                        results.push((fixture, result));
                    }
                });
            }
        });
        let mut results = results.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
        results.sort_by_key(|(fixture, _)| *fixture);
        results
    }
}

impl Tournament {
    /// Plays the matches that have no result yet, and adds theirs; each is appended to a file as it ends, if one is given. `told` hears
    /// of every match as it ends, with a note if it broke off or its result could not be written.
    pub fn go_on(
        &self,
        environment: &Environment,
        results: &mut BTreeMap<Fixture, MatchResult>,
        file: Option<&ResultsFile>,
        (at_a_time, clock): (usize, Option<Clock>),
        told: &(dyn Fn(Option<String>) + Sync),
    ) {
        let left: Vec<Fixture> =
            self.fixtures().into_iter().filter(|fixture| !results.contains_key(fixture)).collect();
        let ended = |fixture: Fixture, result: &MatchResult| {
            let written = || file?.add(self, fixture, result).err();
            told(match &result.broken {
                Some(_) => Some(self.broke_off(fixture, result)),
                None => written().map(|error| format!("a result could not be written: {error}")),
            });
        };
        results.extend(self.run(environment, &left, at_a_time, clock, &ended));
    }

    /// How each of ours did in these matches, the largest lead over a bot first.
    pub fn standings(&self, results: &BTreeMap<Fixture, MatchResult>) -> Vec<Standing> {
        let of = |contender: usize| {
            let own = results.iter().filter(move |(fixture, _)| fixture.contender == contender);
            Standing::of(&self.contenders[contender].name, own.map(|(_, result)| result))
        };
        let mut standings: Vec<Standing> = (0..self.contenders.len()).map(of).collect();
        standings.sort_by(|a, b| b.lead.mean.total_cmp(&a.lead.mean));
        standings
    }
}

/// How one of our characters did, beside the bots of the same matches.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Standing {
    /// Who.
    pub name: String,
    /// Matches played to their end.
    pub matches: usize,
    /// Those in which nobody had more frags.
    pub wins: usize,
    /// Its frags a match.
    pub frags: Interval,
    /// A bot's frags a match: the mean of the bots of each match.
    pub bot_frags: Interval,
    /// Its frags minus a bot's.
    pub lead: Interval,
    /// Its frags minus the best bot's.
    pub lead_over_best: Interval,
    /// Its deaths a match.
    pub deaths: f64,
    /// A bot's deaths a match.
    pub bot_deaths: f64,
    /// Its deaths by its own weapon a match.
    pub own_weapon: f64,
    /// A bot's.
    pub bot_own_weapon: f64,
    /// Its deaths by the world a match.
    pub by_world: f64,
    /// A bot's.
    pub bot_by_world: f64,
    /// The share of its life in which it wanted to move and did not get on.
    pub stuck_share: f64,
    /// The share in which it did not get on, whatever it wanted.
    pub still_share: f64,
    /// The bots'.
    pub bot_still_share: f64,
    /// Steps a second through the bridge.
    pub steps_per_sec: f64,
    /// The share of the time that its mind took.
    pub mind_share: f64,
}

impl Standing {
    /// From the matches of one contender; those that broke do not count.
    pub fn of<'a>(name: &str, results: impl Iterator<Item = &'a MatchResult>) -> Self {
        let played: Vec<&MatchResult> =
            results.filter(|result| result.broken.is_none() && !result.ours.is_empty()).collect();
        let own = |result: &MatchResult| f64::from(result.ours[0].frags);
        let mean_of_bots = |result: &MatchResult, of: &dyn Fn(&crate::BotTally) -> f64| {
            result.bots.iter().map(of).sum::<f64>() / (result.bots.len() as f64).max(1.0)
        };
        let bot = |result: &MatchResult| mean_of_bots(result, &|bot| f64::from(bot.frags));
        let best = |result: &MatchResult| {
            result.bots.iter().map(|bot| f64::from(bot.frags)).fold(f64::NEG_INFINITY, f64::max)
        };
        let interval = |of: &dyn Fn(&MatchResult) -> f64| {
            Interval::of(&played.iter().map(|result| of(result)).collect::<Vec<_>>())
        };
        let mean = |of: &dyn Fn(&MatchResult) -> f64| interval(of).mean;
        let total = |of: &dyn Fn(&MatchResult) -> f64| played.iter().map(|result| of(result)).sum::<f64>();
        let decisions = total(&|result| f64::from(result.ours[0].decisions)).max(1.0);
        let time = total(&|result| result.timing.map_or(0.0, |timing| timing.total_secs));
        Standing {
            name: name.to_owned(),
            matches: played.len(),
            wins: played
                .iter()
                .filter(|result| result.bots.is_empty() || own(result) >= best(result))
                .count(),
            frags: interval(&own),
            bot_frags: interval(&bot),
            lead: interval(&|result| own(result) - bot(result)),
            lead_over_best: interval(&|result| {
                if result.bots.is_empty() { 0.0 } else { own(result) - best(result) }
            }),
            deaths: mean(&|result| f64::from(result.ours[0].deaths)),
            bot_deaths: mean(&|result| mean_of_bots(result, &|bot| f64::from(bot.deaths))),
            own_weapon: mean(&|result| f64::from(result.ours[0].own_weapon)),
            bot_own_weapon: mean(&|result| mean_of_bots(result, &|bot| f64::from(bot.own_weapon))),
            by_world: mean(&|result| f64::from(result.ours[0].by_world)),
            bot_by_world: mean(&|result| mean_of_bots(result, &|bot| f64::from(bot.by_world))),
            stuck_share: total(&|result| f64::from(result.ours[0].stuck)) / decisions,
            still_share: total(&|result| f64::from(result.ours[0].still)) / decisions,
            bot_still_share: mean(&|result| result.bots_still_share),
            steps_per_sec: if time > 0.0 { total(&|result| result.steps as f64) / time } else { 0.0 },
            mind_share: if time > 0.0 {
                total(&|result| result.timing.map_or(0.0, |timing| timing.minds_secs)) / time
            } else {
                0.0
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BotTally, Tally};

    fn result(own: i32, bots: [i32; 2]) -> MatchResult {
        MatchResult {
            ours: vec![Tally { frags: own, decisions: 100, stuck: 3, ..Tally::default() }],
            bots: bots.map(|frags| BotTally { frags, own_weapon: 1, ..BotTally::default() }).to_vec(),
            ..MatchResult::default()
        }
    }

    #[test]
    fn a_standing_compares_with_the_bots_of_the_same_matches() {
        let mut broken = result(99, [0, 0]);
        broken.broken = Some("killed".to_owned());
        let results = [result(10, [4, 6]), result(5, [2, 8]), broken];
        let standing = Standing::of("a", results.iter());
        assert_eq!((standing.matches, standing.wins), (2, 1));
        assert_eq!((standing.frags.mean, standing.bot_frags.mean, standing.lead.mean), (7.5, 5.0, 2.5));
        assert_eq!(standing.lead_over_best.mean, 0.5);
        assert_eq!((standing.bot_own_weapon, standing.stuck_share), (1.0, 0.03));
    }
}
