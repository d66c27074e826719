//! What came of a tournament: standings in total and for each map, and every match.

use serde::Serialize;

use super::play::share;
use super::times::Times;
use super::{Heat, MatchResult, Tournament};
use crate::Interval;

/// What came of a tournament. Everything but [`Outcome::timing`] is the same in every run.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Outcome {
    /// What was played.
    pub settings: TournamentSettings,
    /// How everybody did over all matches, best first.
    pub standings: Vec<Standing>,
    /// How everybody did on each map.
    pub maps: Vec<MapOutcome>,
    /// Every match, map by map.
    pub matches: Vec<MatchResult>,
    /// How long decisions took, in the order of the contenders; only if a clock was given.
    pub timing: Option<Vec<DecisionTime>>,
}

/// What was played: all that is needed to play it again.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TournamentSettings {
    /// Who played.
    pub contenders: Vec<String>,
    /// Where.
    pub maps: Vec<String>,
    /// Matches on each map.
    pub matches: u32,
    /// Frags that win a match.
    pub frags: i32,
    /// The seed.
    pub seed: u64,
    /// A match that nobody has won by then ends.
    pub time_limit_secs: f64,
    /// The numbers of the game.
    pub rules: repertoire_worlds::arena::rules::Rules,
}

/// How everybody did on one map.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MapOutcome {
    /// Its name.
    pub name: String,
    /// Best first.
    pub standings: Vec<Standing>,
    /// Matches that ended without a winner.
    pub undecided: u32,
    /// The mean length of a match, in seconds of the game.
    pub seconds: f64,
    /// Where everybody was, over all matches.
    pub heat: Heat,
}

/// How one character did over several matches.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Standing {
    /// Its place among the contenders, from 0.
    pub contender: usize,
    /// Its name.
    pub name: String,
    /// The mean of its scores, which are the winner's frags minus its own: 0 is best.
    pub score: Interval,
    /// Matches won.
    pub wins: u32,
    /// Frags a match.
    pub frags: f64,
    /// Deaths a match.
    pub deaths: f64,
    /// Suicides a match.
    pub suicides: f64,
    /// The share of all its shots that hurt somebody else.
    pub accuracy: f64,
    /// Damage done a match.
    pub damage: f64,
    /// Items picked up a match.
    pub items: f64,
    /// The share of all its decisions at which it was stuck.
    pub stuck_share: f64,
    /// How many frags a match it is ahead of the next one; none for the last.
    ///
    /// Taken match by match, so that what both met in a match cancels out: sharper than comparing two scores.
    pub lead: Option<Interval>,
}

impl Standing {
    /// Whether the next one may be as good: the interval of the lead holds 0, or is unknown.
    pub fn is_close_to_next(&self) -> bool {
        self.lead.is_some_and(|lead| lead.half_width.is_none() || lead.low() <= 0.0)
    }
}

/// How long a character's decisions took.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DecisionTime {
    /// Its name.
    pub name: String,
    /// Decisions taken.
    pub decisions: u64,
    /// Half of them took less, to an eighth: what a decision costs, on this machine.
    pub median_ns: f64,
    /// 99 of 100 took less.
    pub p99_ns: f64,
    /// The mean, with all interruptions by the system.
    pub mean_ns: f64,
}

impl Outcome {
    /// Puts together what was played; `matches` map by map.
    pub(super) fn new(
        tournament: &Tournament,
        matches: Vec<MatchResult>,
        heats: Vec<Heat>,
        times: Option<Vec<Times>>,
    ) -> Self {
        // In an interrupted tournament some maps may have seen no match.
        let per_map: Vec<&[MatchResult]> = matches.chunk_by(|a, b| a.map_index == b.map_index).collect();
        let mut heats: Vec<Option<Heat>> = heats.into_iter().map(Some).collect();
        let maps = per_map.iter().filter_map(|&matches| {
            let map = matches.first()?.map_index;
            Some((&tournament.levels[map], matches, heats[map].take()?))
        });
        let maps = maps.map(|((name, _), matches, heat)| MapOutcome {
            name: name.clone(),
            standings: standings(tournament, matches),
            undecided: matches.iter().filter(|one| one.winner.is_none()).count() as u32,
            seconds: matches.iter().map(|one| one.seconds).sum::<f64>() / matches.len() as f64,
            heat,
        });
        Outcome {
            settings: TournamentSettings {
                contenders: tournament.contenders.iter().map(|entry| entry.name.clone()).collect(),
                maps: tournament.levels.iter().map(|(name, _)| name.clone()).collect(),
                matches: tournament.matches,
                frags: tournament.frags,
                seed: tournament.seed,
                time_limit_secs: tournament.time_limit_secs,
                rules: tournament.rules.clone(),
            },
            maps: maps.collect(),
            standings: standings(tournament, &matches),
            timing: times.map(|times| timing(tournament, &times)),
            matches,
        }
    }

    /// Whether all matches were played; false if the tournament was interrupted.
    pub fn is_complete(&self) -> bool {
        self.matches.len() == self.settings.maps.len() * self.settings.matches as usize
    }

    /// Matches that ended without a winner.
    pub fn undecided(&self) -> u32 {
        self.maps.iter().map(|map| map.undecided).sum()
    }

    /// Seconds of the game, all matches together.
    pub fn seconds(&self) -> f64 {
        self.matches.iter().map(|one| one.seconds).sum()
    }
}

/// How everybody did over these matches, best first; equals stand in the order of the contenders.
fn standings(tournament: &Tournament, matches: &[MatchResult]) -> Vec<Standing> {
    let mut standings: Vec<Standing> =
        (0..tournament.contenders.len()).map(|contender| standing(tournament, matches, contender)).collect();
    standings.sort_by(|a, b| a.score.mean.total_cmp(&b.score.mean));
    for place in 1..standings.len() {
        let (ahead, behind) = (standings[place - 1].contender, standings[place].contender);
        let lead = |one: &MatchResult| {
            f64::from(one.characters[ahead].tally.frags - one.characters[behind].tally.frags)
        };
        standings[place - 1].lead = Some(Interval::of(&matches.iter().map(lead).collect::<Vec<_>>()));
    }
    standings
}

fn standing(tournament: &Tournament, matches: &[MatchResult], contender: usize) -> Standing {
    let name = tournament.contenders[contender].name.clone();
    let own: Vec<_> = matches.iter().map(|one| &one.characters[contender]).collect();
    let scores: Vec<f64> = own.iter().map(|one| f64::from(one.score)).collect();
    let frags = own.iter().map(|one| i64::from(one.tally.frags)).sum::<i64>();
    let total = |count: &dyn Fn(&super::Tally) -> u32| own.iter().map(|one| count(&one.tally)).sum::<u32>();
    let mean = |count: &dyn Fn(&super::Tally) -> u32| f64::from(total(count)) / matches.len() as f64;
    Standing {
        contender,
        score: Interval::of(&scores),
        wins: matches.iter().filter(|one| one.winner.as_ref() == Some(&name)).count() as u32,
        frags: frags as f64 / matches.len() as f64,
        deaths: mean(&|tally| tally.deaths),
        suicides: mean(&|tally| tally.suicides),
        accuracy: share(total(&|tally| tally.hits), total(&|tally| tally.shots)),
        damage: mean(&|tally| tally.damage),
        items: mean(&|tally| tally.items),
        stuck_share: share(total(&|tally| tally.stuck), total(&|tally| tally.decisions)),
        lead: None,
        name,
    }
}

fn timing(tournament: &Tournament, times: &[Times]) -> Vec<DecisionTime> {
    let time = |(entry, times): (&super::Entry, &Times)| DecisionTime {
        name: entry.name.clone(),
        decisions: times.count(),
        median_ns: times.quantile_ns(0.5),
        p99_ns: times.quantile_ns(0.99),
        mean_ns: times.mean_ns(),
    };
    tournament.contenders.iter().zip(times).map(time).collect()
}
