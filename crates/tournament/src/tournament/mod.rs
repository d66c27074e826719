//! Tournaments: all characters against all in one arena, until one reaches a number of frags; many times.
//!
//! The protocol is Le Hy's (2007, section 3.4.3, tables 3.11 and 4.31): `score = winner's frags - own frags`, so that
//! 0 is best, and the mean of it over the matches. His characters met ten times, to 100 frags.
//!
//! Differs from the paper: matches may be played on several maps, equally often on each; it ends undecided after a limit
//! of time, and the most frags then take the place of the winner's; contenders take turns to sit first; the mean comes
//! with its interval.

mod explain;
mod heat;
mod outcome;
mod pieces;
mod play;
#[cfg(test)]
pub(crate) mod tests;
mod times;

use std::collections::BTreeSet;
use std::sync::Arc;

use repertoire_mind::Mind;
use repertoire_worlds::arena::level::Level;
use repertoire_worlds::arena::rules::Rules;

pub use explain::Explained;
pub use heat::Heat;
pub use outcome::{DecisionTime, MapOutcome, Outcome, Standing, TournamentSettings};
pub use pieces::Pieces;
pub(crate) use pieces::settings;
pub use play::{CharacterResult, MatchResult, Played};
pub use repertoire_worlds::arena::world::Tally;

use crate::shard::{self, Sharded};

/// Six hours of the game: two beginners alone on the largest map that comes with it need up to five for 100 frags. An end
/// for those that never fight.
pub const TIME_LIMIT_SECS: f64 = 21_600.0;

/// Nanoseconds since any moment. Libraries have no clock; a caller that has one can lend it to time decisions.
pub type Clock = fn() -> u64;

/// Who takes part.
#[derive(Clone)]
pub struct Entry {
    /// Its name, for tables.
    pub name: String,
    /// Makes its mind, afresh for each match.
    pub make: Arc<dyn Fn() -> Box<dyn Mind> + Send + Sync>,
}

impl std::fmt::Debug for Entry {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Entry").field("name", &self.name).finish_non_exhaustive()
    }
}

/// All characters against all, many times.
///
/// ```no_run
/// # use std::sync::Arc;
/// # use repertoire_tournament::{Entry, Tournament};
/// # fn show(level: Arc<repertoire_worlds::arena::level::Level>, contenders: Vec<Entry>) -> Result<(), repertoire_tournament::Refused> {
/// let tournament = Tournament { matches: 3, ..Tournament::new(vec![("yard".into(), level)], contenders) };
/// let outcome = tournament.run(&|_| (), None)?;
/// for standing in &outcome.standings {
///     println!("{} {:.1}", standing.name, standing.score.mean);
/// }
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Tournament {
    /// Where, with names. Each map is played equally often, whatever its size.
    pub levels: Vec<(String, Arc<Level>)>,
    /// Who plays: 2 to 255.
    pub contenders: Vec<Entry>,
    /// Matches on each map. More make intervals narrower, with the square root. The paper played 10.
    pub matches: u32,
    /// Frags that win a match. The paper played to 100.
    pub frags: i32,
    /// Chance in all matches comes from it.
    pub seed: u64,
    /// The numbers of the game.
    pub rules: Rules,
    /// A match that nobody has won by then ends, in seconds of the game; see [`TIME_LIMIT_SECS`].
    pub time_limit_secs: f64,
}

/// Why a tournament cannot be played.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Refused {
    /// Nobody to beat, or no room.
    #[error("a match needs 2 to 255 characters, but there are {0}")]
    Contenders(usize),
    /// Somebody who cannot play there.
    #[error("{name} cannot play on {map}: {why}")]
    Misplaced {
        /// Who.
        name: String,
        /// Where.
        map: String,
        /// Why not, with a remedy.
        why: String,
    },
    /// Nowhere to play.
    #[error("a tournament needs at least one map, but there is none")]
    NoMap,
    /// Nothing to play.
    #[error("a tournament needs at least one match on each map, but there are 0")]
    NoMatch,
    /// Won before it begins.
    #[error("a match is won with at least 1 frag, but `frags` is {0}")]
    Frags(i32),
    /// A match of another tournament.
    #[error("match {0} is none of this tournament: it has other maps or contenders")]
    Foreign(u64),
    /// Over before it begins, or never.
    #[error("the time limit of a match is a number of seconds above 0, but it is {0}")]
    TimeLimit(f64),
    /// Too short or too long to live moments of it again.
    #[error(
        "moments are lived again in 5 to 3600 s of a match, not in {0} s\n  remedy: give --seconds within that"
    )]
    Lived(f64),
}

impl Tournament {
    /// The paper's protocol: 10 matches (on each map) to 100 frags; seed 1.
    pub fn new(levels: Vec<(String, Arc<Level>)>, contenders: Vec<Entry>) -> Self {
        Tournament {
            levels,
            contenders,
            matches: 10,
            frags: 100,
            seed: 1,
            rules: Rules::default(),
            time_limit_secs: TIME_LIMIT_SECS,
        }
    }

    /// Plays all matches, each on one thread of the rayon pool in which this is called.
    ///
    /// The outcome does not depend on the number of threads. `on_match_done` is called as matches end, in any order.
    /// Of several contenders or maps with one name, the second becomes `name#2` and so on.
    pub fn run(
        &self,
        on_match_done: &(dyn Fn(&MatchResult) + Sync),
        clock: Option<Clock>,
    ) -> Result<Outcome, Refused> {
        self.run_while(&|| true, on_match_done, clock)
    }

    /// The same, until `go_on` says no: matches that have begun are played to their end, no other is begun, and the
    /// outcome is that of the matches played ([`Outcome::is_complete`]). Which ones that are depends on the moment.
    pub fn run_while(
        &self,
        go_on: &(dyn Fn() -> bool + Sync),
        on_match_done: &(dyn Fn(&MatchResult) + Sync),
        clock: Option<Clock>,
    ) -> Result<Outcome, Refused> {
        let pieces = Pieces::new(self, clock)?;
        let played =
            shard::run(&pieces, 0..self.total_matches(), go_on, &|_, one| on_match_done(&one.result))?;
        pieces.whole(played)
    }

    /// How many matches there are.
    pub fn total_matches(&self) -> u64 {
        self.levels.len() as u64 * u64::from(self.matches)
    }

    fn check(&self) -> Result<(), Refused> {
        match self.contenders.len() {
            2..=255 => {}
            count => return Err(Refused::Contenders(count)),
        }
        if self.levels.is_empty() {
            return Err(Refused::NoMap);
        }
        for entry in &self.contenders {
            let mind = (entry.make)();
            for (map, level) in &self.levels {
                if let Some(why) = mind.refuses(level.places()) {
                    return Err(Refused::Misplaced { name: entry.name.clone(), map: map.clone(), why });
                }
            }
        }
        if self.matches == 0 {
            return Err(Refused::NoMatch);
        }
        if self.frags < 1 {
            return Err(Refused::Frags(self.frags));
        }
        if !(self.time_limit_secs.is_finite() && self.time_limit_secs > 0.0) {
            return Err(Refused::TimeLimit(self.time_limit_secs));
        }
        Ok(())
    }

    pub(crate) fn with_unique_names(&self) -> Tournament {
        let mut tournament = self.clone();
        unique_names(tournament.contenders.iter_mut().map(|entry| &mut entry.name));
        unique_names(tournament.levels.iter_mut().map(|(name, _)| name));
        tournament
    }
}

/// `a, a, b` becomes `a, a#2, b`.
pub fn unique_names<'a>(names: impl Iterator<Item = &'a mut String>) {
    let mut taken: BTreeSet<String> = BTreeSet::new();
    for name in names {
        let plain = name.clone();
        let mut number = 2;
        while !taken.insert(name.clone()) {
            *name = format!("{plain}#{number}");
            number += 1;
        }
    }
}
