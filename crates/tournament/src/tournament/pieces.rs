//! A tournament in pieces: its matches, counted over all maps.

use serde_json::json;

use super::play::{self, Played};
use super::times::Times;
use super::{Clock, Heat, Outcome, Refused, Tournament};
use crate::shard::{self, Sharded, What};

/// The matches of a tournament as pieces of long work: match `number` of the first map is piece `number`, those of the next map
/// follow.
#[derive(Clone, Debug)]
pub struct Pieces {
    /// With names that are told apart.
    tournament: Tournament,
    clock: Option<Clock>,
}

impl Pieces {
    /// Of a tournament that can be played.
    ///
    /// # Errors
    /// If it cannot.
    pub fn new(tournament: &Tournament, clock: Option<Clock>) -> Result<Self, Refused> {
        tournament.check()?;
        Ok(Pieces { tournament: tournament.with_unique_names(), clock })
    }

    /// The tournament, its names told apart.
    pub fn tournament(&self) -> &Tournament {
        &self.tournament
    }
}

/// Everything that the matches of a tournament depend on beside the seed, so that shards of another one are noticed.
pub(crate) fn settings(tournament: &Tournament) -> serde_json::Value {
    let Tournament { levels, contenders, matches, frags, rules, time_limit_secs, seed: _ } = tournament;
    let names: Vec<_> = contenders.iter().map(|entry| &entry.name).collect();
    json!({ "contenders": names, "maps": shard::maps(levels), "matches": matches, "frags": frags, "rules": rules,
        "time_limit_secs": time_limit_secs })
}

impl Sharded for Pieces {
    type Piece = Played;
    type Whole = Outcome;
    type Refused = Refused;

    fn what(&self) -> What {
        What {
            kind: "tournament".into(),
            seed: self.tournament.seed,
            settings: settings(&self.tournament),
            total: self.tournament.total_matches(),
        }
    }

    fn piece(&self, number: u64) -> Result<Played, Refused> {
        let matches = u64::from(self.tournament.matches);
        let (map, number) = (number / matches, number % matches);
        Ok(play::play(&self.tournament, map as usize, number as u32, self.clock))
    }

    /// Sums of whole numbers, and statistics of matches in their order.
    fn whole(&self, pieces: Vec<(u64, Played)>) -> Result<Outcome, Refused> {
        let tournament = &self.tournament;
        let count = tournament.contenders.len();
        let mut heats: Vec<Heat> =
            tournament.levels.iter().map(|(_, level)| Heat::new(level.map(), count)).collect();
        let mut times = vec![Times::default(); count];
        let timed = !pieces.is_empty() && pieces.iter().all(|(_, played)| !played.times.is_empty());
        let mut results = Vec::with_capacity(pieces.len());
        for (number, Played { result, heat, times: own }) in pieces {
            let fits = |sum: &&mut Heat| sum.is_like(&heat) && result.characters.len() == count;
            let sum = heats.get_mut(result.map_index).filter(fits).ok_or(Refused::Foreign(number))?;
            sum.add(&heat);
            times.iter_mut().zip(&own).for_each(|(sum, own)| sum.merge(own));
            results.push(result);
        }
        Ok(Outcome::new(tournament, results, heats, timed.then_some(times)))
    }
}
