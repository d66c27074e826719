//! What everybody did in a match.

use std::collections::BTreeMap;

use glam::DVec3;
use repertoire_worlds::arena::game::StuckMeter;
use serde::{Deserialize, Serialize};

/// What one of our characters did.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Tally {
    /// Who.
    pub name: String,
    /// Others killed, minus deaths without a killer: the engine's count.
    pub frags: i32,
    /// Deaths.
    pub deaths: u32,
    /// Those of them by the own weapon.
    pub own_weapon: u32,
    /// Those of them by a fall, a harmful floor, something that crushes.
    pub by_world: u32,
    /// Damage done to others.
    pub damage: u32,
    /// Decisions while alive.
    pub decisions: u32,
    /// Decisions at which it wanted to move and had come less than a metre in three seconds.
    pub stuck: u32,
    /// Decisions at which it had come less than a metre in three seconds, whatever it wanted.
    pub still: u32,
}

/// What one of the engine's bots did, as the engine tells every player.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct BotTally {
    /// Its name.
    pub name: String,
    /// The engine's count.
    pub frags: i32,
    /// Deaths.
    pub deaths: u32,
    /// Those of them by the own weapon.
    pub own_weapon: u32,
    /// Those of them by the world.
    pub by_world: u32,
}

/// A match that was played, to its end or until something broke.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MatchResult {
    /// The map.
    pub map: String,
    /// Its seed.
    pub seed: u64,
    /// How long it was to be, in seconds of the game.
    pub wanted_secs: f64,
    /// How long it was.
    pub played_secs: f64,
    /// Our characters.
    pub ours: Vec<Tally>,
    /// The engine's bots.
    pub bots: Vec<BotTally>,
    /// The share of their lives in which the bots had come less than a metre in three seconds.
    pub bots_still_share: f64,
    /// Decisions of the match: steps through the bridge.
    pub steps: u64,
    /// What broke it, if something did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub broken: Option<String>,
    /// How long it took in real time, and whom; no result depends on it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timing: Option<Timing>,
}

/// Where the time of a match went, in seconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Timing {
    /// From the first decision to the last.
    pub total_secs: f64,
    /// Deciding: our minds.
    pub minds_secs: f64,
    /// Making percepts and keys: the rest of our side.
    pub adapter_secs: f64,
}

/// Who of many bodies stands still, by the number of the body.
#[derive(Clone, Debug, Default)]
pub(crate) struct StillMeters {
    meters: BTreeMap<i64, (StuckMeter, u64)>,
    decisions: u64,
    still: u64,
}

impl StillMeters {
    /// Where the living bodies are at one decision.
    pub fn count(&mut self, tick: u64, bodies: impl Iterator<Item = (i64, DVec3)>, window: usize) {
        for (body, position) in bodies {
            let (meter, seen) = self.meters.entry(body).or_default();
            *seen = tick;
            self.decisions += 1;
            self.still += meter.count(true, position, window) as u64;
        }
        // Bodies that are gone will not come back: each life has a new one.
        self.meters.retain(|_, (_, seen)| *seen == tick);
    }

    pub fn share(&self) -> f64 {
        self.still as f64 / (self.decisions as f64).max(1.0)
    }
}
