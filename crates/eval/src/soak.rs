//! A soak: thousands of matches, so that rare events happen, with every character watched at every decision.
//!
//! A map is sound when nobody leaves the world, nothing panics, and bots are hardly ever stuck.

use std::convert::Infallible;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use repertoire_mind::fighter::{Fighter, Skill};
use repertoire_prob::Stream;
use repertoire_worlds::arena::game::{Contender, Match};
use repertoire_worlds::arena::level::Level;
use repertoire_worlds::arena::rules::Rules;
use repertoire_worlds::arena::rules::body::HEIGHT_M;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::shard::{self, Sharded, What};

/// What to play.
pub struct Soak {
    /// The maps, by name; matches take turns on them.
    pub levels: Vec<(String, Arc<Level>)>,
    /// Matches in all.
    pub matches: u32,
    /// The length of each, in seconds of the game.
    pub seconds: f64,
    /// Native bots in each, of levels drawn at random.
    pub bots: u8,
    /// Random seed; the same seed repeats the run.
    pub seed: u64,
}

/// What became of the matches on one map.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Soaked {
    /// The map.
    pub map: String,
    /// Matches played.
    pub matches: u32,
    /// Matches that panicked.
    pub panics: u32,
    /// Decisions at which somebody was outside the world: in no area, below a floor or above a ceiling.
    pub outside: u64,
    /// Where that happened first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outside_at: Option<[f64; 3]>,
    /// Decisions of living bots.
    pub decisions: u64,
    /// Those of them at which the bot was stuck.
    pub stuck: u64,
    /// Frags of everybody.
    pub frags: i64,
    /// Deaths of everybody.
    pub deaths: u64,
    /// The hashes of all final states, mixed: the same for any number of threads.
    pub hash: u64,
}

impl Soaked {
    /// How much of their time characters may be stuck on such a map, in percent: maps of other games have corners that ours have not.
    pub fn usual_percent(&self) -> f64 {
        if self.map.to_ascii_lowercase().contains(".wad") { 8.0 } else { 3.0 }
    }

    /// The share of bot time that was spent stuck.
    pub fn stuck_share(&self) -> f64 {
        self.stuck as f64 / (self.decisions.max(1)) as f64
    }

    /// The map's name without the folders of its file.
    pub fn short_name(&self) -> &str {
        self.map.rsplit(['/', '\\']).next().unwrap_or(&self.map)
    }

    /// Refuses a map on which a match panicked, somebody was outside the world, or bots were stuck for more than
    /// `most_stuck` of their time (a share of 1).
    pub fn check(&self, most_stuck: f64) -> Result<(), Unsound> {
        let map = self.short_name().to_owned();
        if self.panics > 0 {
            return Err(Unsound::Panicked { map, panics: self.panics, matches: self.matches });
        }
        if let Some([x, y, z]) = self.outside_at {
            return Err(Unsound::Outside { map, x, y, z });
        }
        if self.stuck_share() > most_stuck {
            return Err(Unsound::Stuck {
                map,
                percent: 100.0 * self.stuck_share(),
                most_percent: 100.0 * most_stuck,
            });
        }
        Ok(())
    }

    fn add(&mut self, one: &Soaked) {
        self.matches += one.matches;
        self.panics += one.panics;
        self.outside += one.outside;
        self.outside_at = self.outside_at.or(one.outside_at);
        self.decisions += one.decisions;
        self.stuck += one.stuck;
        self.frags += one.frags;
        self.deaths += one.deaths;
        self.hash = (self.hash ^ one.hash).wrapping_mul(0x0000_0100_0000_01b3).rotate_left(29);
    }
}

/// What is wrong with a map.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Unsound {
    /// Matches on it panicked.
    #[error("{map}: {panics} of {matches} matches panicked\n  remedy: report it with the map and the seed")]
    Panicked {
        /// The map.
        map: String,
        /// How many matches panicked.
        panics: u32,
        /// How many were played.
        matches: u32,
    },
    /// Somebody left the world.
    #[error(
        "{map}: somebody was outside the world, first at ({x:.2}, {y:.2}, {z:.2})\n  remedy: look at the lines around there"
    )]
    Outside {
        /// The map.
        map: String,
        /// Where, in metres: east,
        x: f64,
        /// north,
        y: f64,
        /// and up.
        z: f64,
    },
    /// Bots got stuck too often.
    #[error(
        "{map}: bots were stuck {percent:.1} % of the time, more than {most_percent} %\n  remedy: draw its links (`arena draw {map} --nav --svg`) and look for what catches them"
    )]
    Stuck {
        /// The map.
        map: String,
        /// How much of their time, in percent.
        percent: f64,
        /// How much was allowed.
        most_percent: f64,
    },
}

impl Soak {
    /// Plays all matches on all cores; one row per map. `on_match_done` is called from many threads.
    pub fn run(&self, on_match_done: &(dyn Fn() + Sync)) -> Vec<Soaked> {
        self.run_while(&|| true, on_match_done)
    }

    /// The same, until `go_on` says no: no further match is begun then, and the rows hold those that were played.
    pub fn run_while(
        &self,
        go_on: &(dyn Fn() -> bool + Sync),
        on_match_done: &(dyn Fn() + Sync),
    ) -> Vec<Soaked> {
        let Ok(played) = shard::run(self, 0..self.what().total, go_on, &|_, _| on_match_done());
        let Ok(rows) = self.whole(played);
        rows
    }

    fn play(&self, number: u32, map: usize) -> Soaked {
        // A panic is counted and the soak goes on: nothing of the match is used afterwards.
        let watched = std::panic::catch_unwind(AssertUnwindSafe(|| self.watch(number, map)));
        watched.unwrap_or(Soaked { matches: 1, panics: 1, ..Soaked::default() })
    }

    fn watch(&self, number: u32, map: usize) -> Soaked {
        let level = &self.levels[map].1;
        let mut draw = Stream::new(self.seed, u64::from(number), "soak");
        let contenders = (0..self.bots).map(|_| {
            let skill = (draw.unit() * f64::from(Skill::HIGHEST + 1)) as u8;
            Contender { name: format!("native:{skill}"), mind: Box::new(Fighter::native(skill)) }
        });
        let contenders = contenders.collect();
        let seed = self.seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(u64::from(number));
        let mut game = Match::new(level.clone(), Rules::default(), contenders, seed);
        let ticks = (self.seconds / game.world().rules().period_secs()).round() as u32;
        let mut soaked = Soaked { matches: 1, ..Soaked::default() };
        for _ in 0..ticks {
            game.tick();
            for id in 0..usize::from(self.bots) {
                if is_outside(&game, id) {
                    soaked.outside += 1;
                    soaked.outside_at = soaked.outside_at.or(Some(game.world().look(id).position.into()));
                }
            }
        }
        for id in 0..usize::from(self.bots) {
            let tally = game.world().tally(id);
            soaked.decisions += u64::from(tally.decisions);
            soaked.stuck += u64::from(tally.stuck);
            soaked.frags += i64::from(tally.frags);
            soaked.deaths += u64::from(tally.deaths);
        }
        soaked.hash = game.world().hash();
        soaked
    }
}

/// Its pieces are matches, which take turns on the maps.
impl Sharded for Soak {
    type Piece = Soaked;
    type Whole = Vec<Soaked>;
    type Refused = Infallible;

    fn what(&self) -> What {
        What {
            kind: "soak".into(),
            seed: self.seed,
            settings: json!({ "maps": shard::maps(&self.levels), "matches": self.matches, "seconds": self.seconds,
                "bots": self.bots }),
            total: if self.levels.is_empty() { 0 } else { self.matches.into() },
        }
    }

    fn piece(&self, number: u64) -> Result<Soaked, Infallible> {
        Ok(self.play(number as u32, (number % self.levels.len() as u64) as usize))
    }

    /// A row for each map: sums of whole numbers, and hashes mixed in the order of matches.
    fn whole(&self, pieces: Vec<(u64, Soaked)>) -> Result<Vec<Soaked>, Infallible> {
        let mut rows: Vec<Soaked> =
            self.levels.iter().map(|(map, _)| Soaked { map: map.clone(), ..Soaked::default() }).collect();
        for (number, one) in &pieces {
            rows[(number % self.levels.len() as u64) as usize].add(one);
        }
        Ok(rows)
    }
}

/// Whether a living character is somewhere it cannot be.
fn is_outside(game: &Match, id: usize) -> bool {
    const SLACK_M: f64 = 0.02;
    let look = game.world().look(id);
    let scene = game.world().scene();
    let at = look.position.truncate();
    look.alive
        && scene.space.area_at(at).is_none_or(|area| {
            look.position.z < scene.floor_m(area, at) - SLACK_M
                || look.position.z + HEIGHT_M > scene.ceiling_m(area) + SLACK_M
        })
}
