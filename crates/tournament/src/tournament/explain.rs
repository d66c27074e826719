//! One decision of a contender, explained: what it was doing, and why, when it first beat somebody.

use repertoire_worlds::arena::game::{Contender, Match};
use serde::Serialize;

use super::Tournament;
use super::play::match_seed;

/// A moment is looked for in the first so many seconds of the first match.
const LOOKED_FOR_SECS: f64 = 600.0;

/// A decision, explained.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Explained {
    /// Whose.
    pub name: String,
    /// On which map.
    pub map: String,
    /// How many seconds into the first match there.
    pub seconds: f64,
    /// What it was doing.
    pub task: String,
    /// Why, in its own words.
    pub why: String,
}

impl Tournament {
    /// Plays the first match again until a contender has its first frag, and asks it why it did what it did the moment before.
    /// None if nobody is called that, or it has no frag in the first ten minutes.
    pub fn explained(&self, name: &str) -> Option<Explained> {
        let tournament = self.with_unique_names();
        let (map, level) = tournament.levels.first()?;
        let seat = tournament.contenders.iter().position(|entry| entry.name == name)?;
        let sit = |entry: &super::Entry| Contender { name: entry.name.clone(), mind: (entry.make)() };
        let seats = tournament.contenders.iter().map(sit).collect();
        let seed = match_seed(tournament.seed, 0, 0);
        let mut game = Match::new(level.clone(), tournament.rules.clone(), seats, seed);
        while game.world().tally(seat).frags < 1 {
            if game.best_frags() >= tournament.frags || game.world().time_secs() > LOOKED_FOR_SECS {
                return None;
            }
            game.tick();
        }
        let mind = &game.contenders()[seat].mind;
        Some(Explained {
            name: name.to_owned(),
            map: map.clone(),
            seconds: game.world().time_secs(),
            task: mind.task().to_owned(),
            why: mind.why(),
        })
    }
}
