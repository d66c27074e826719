//! Leagues: tournaments of thousands of characters, at tables of a few.
//!
//! All against all in one arena ends at 255 contenders, and all pairs of 10,000 are 50 million duels. A league has rounds instead: in
//! each round a random order of all contenders is cut into tables of nearly equal size, and each table plays one match. So everybody plays
//! exactly once in a round, with others every time, on maps that take turns.
//!
//! The score of a match is Le Hy's (2007, section 3.4.3): the most frags at the table minus one's own. It depends on who else sat there; over
//! many rounds everybody meets much the same mixture, which is what makes the means comparable.
//!
//! A piece is a match, a function of the league, the seed and its number. It keeps the frags at its table and nothing else: some 100
//! bytes, against 18 kB of a tournament's.

use repertoire_prob::Stream;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::interval::Interval;
use crate::shard::{self, Sharded, What};
use crate::tournament::{Pieces, Refused, Tournament, settings};

/// A tournament at tables of a few. Of the `tournament`, `matches` is how many each contender plays, and there may be any number of
/// contenders.
#[derive(Clone, Debug)]
pub struct League {
    tournament: Tournament,
    table: usize,
}

/// A match of a league.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Table {
    /// Who sat there, by their places among the contenders.
    pub seats: Vec<usize>,
    /// Their frags.
    pub frags: Vec<i32>,
    /// How long it was, in seconds of the game.
    pub seconds: f64,
}

/// How a league ended.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LeagueOutcome {
    /// Contenders at a table, at most.
    pub table: usize,
    /// Matches that were played.
    pub matches: usize,
    /// Matches of the whole league; more than were played if it was interrupted.
    pub total: u64,
    /// Everybody, best first.
    pub standings: Vec<LeagueStanding>,
}

/// How somebody did in a league.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LeagueStanding {
    /// Its name.
    pub name: String,
    /// Matches that it played.
    pub matches: usize,
    /// Matches in which nobody had more frags.
    pub won: usize,
    /// All its frags.
    pub frags: i64,
    /// The most frags at the table minus its own, in the mean: 0 is best.
    pub score: Interval,
}

impl League {
    /// A league at tables of `table` contenders: of each round's tables, some may have one fewer.
    ///
    /// # Errors
    /// If no match can be played so.
    pub fn new(tournament: &Tournament, table: usize) -> Result<Self, Refused> {
        if tournament.contenders.len() < table || table < 2 {
            return Err(Refused::Contenders(tournament.contenders.len().min(table)));
        }
        let league = League { tournament: tournament.with_unique_names(), table };
        // The largest and the smallest table are as good as any match.
        for number in [0, league.tables() - 1] {
            Pieces::new(&league.sit(&league.seats(0, number)), None)?;
        }
        Ok(league)
    }

    /// Tables in each round.
    fn tables(&self) -> u64 {
        self.tournament.contenders.len().div_ceil(self.table) as u64
    }

    /// Who sits at a table of a round, in the order of seats.
    pub fn seats(&self, round: u64, table: u64) -> Vec<usize> {
        let count = self.tournament.contenders.len();
        let mut order: Vec<usize> = (0..count).collect();
        let mut draw = Stream::new(self.tournament.seed, round, "league round");
        for last in (1..count).rev() {
            order.swap(last, (draw.unit() * (last + 1) as f64) as usize);
        }
        let range = &shard::ranges(count as u64, self.tables())[table as usize];
        order[range.start as usize..range.end as usize].to_vec()
    }

    /// One table as a tournament of its own.
    fn sit(&self, seats: &[usize]) -> Tournament {
        let Tournament { levels, contenders, matches, frags, seed, rules, time_limit_secs } =
            &self.tournament;
        Tournament {
            levels: levels.clone(),
            contenders: seats.iter().map(|&who| contenders[who].clone()).collect(),
            matches: *matches,
            frags: *frags,
            seed: *seed,
            rules: rules.clone(),
            time_limit_secs: *time_limit_secs,
        }
    }
}

impl Sharded for League {
    type Piece = Table;
    type Whole = LeagueOutcome;
    type Refused = Refused;

    fn what(&self) -> What {
        let mut settings = settings(&self.tournament);
        settings["table"] = json!(self.table);
        What {
            kind: "league".into(),
            seed: self.tournament.seed,
            settings,
            total: u64::from(self.tournament.matches) * self.tables(),
        }
    }

    fn piece(&self, number: u64) -> Result<Table, Refused> {
        let (round, table) = (number / self.tables(), number % self.tables());
        let seats = self.seats(round, table);
        let levels = &self.tournament.levels;
        let level = levels[(round % levels.len() as u64) as usize].clone();
        let mut draw = Stream::new(self.tournament.seed, number, "league match");
        let seed = (draw.unit() * (1u64 << 53) as f64) as u64;
        let played =
            Pieces::new(&Tournament { levels: vec![level], matches: 1, seed, ..self.sit(&seats) }, None)?;
        let result = played.piece(0)?.result;
        let frags = result.characters.iter().map(|one| one.tally.frags).collect();
        Ok(Table { seats, frags, seconds: result.seconds })
    }

    /// Statistics of everybody's matches, in the order of their numbers.
    fn whole(&self, pieces: Vec<(u64, Table)>) -> Result<LeagueOutcome, Refused> {
        let contenders = &self.tournament.contenders;
        let mut scores: Vec<Vec<f64>> = vec![Vec::new(); contenders.len()];
        let mut frags = vec![0i64; contenders.len()];
        let matches = pieces.len();
        for (number, Table { seats, frags: own, .. }) in pieces {
            let most = own.iter().copied().max().unwrap_or(0);
            if seats.len() != own.len() || seats.iter().any(|&who| who >= contenders.len()) {
                return Err(Refused::Foreign(number));
            }
            for (&who, &own) in seats.iter().zip(&own) {
                scores[who].push(f64::from(most) - f64::from(own));
                frags[who] += i64::from(own);
            }
        }
        let standing = |(who, own): (usize, &Vec<f64>)| LeagueStanding {
            name: contenders[who].name.clone(),
            matches: own.len(),
            won: own.iter().filter(|&&score| score == 0.0).count(),
            frags: frags[who],
            score: Interval::of(own),
        };
        let mut standings: Vec<LeagueStanding> = scores.iter().enumerate().map(standing).collect();
        // Equals stay in the order of the contenders.
        standings.sort_by(|a, b| a.score.mean.total_cmp(&b.score.mean));
        Ok(LeagueOutcome { table: self.table, matches, total: self.what().total, standings })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shard::Shard;
    use crate::tournament::tests::{entry, small};

    fn league(count: usize, table: usize, rounds: u32) -> League {
        let contenders = (0..count).map(|k| entry("somebody", k % 2 == 0)).collect();
        let tournament = Tournament { matches: rounds, frags: 2, time_limit_secs: 60.0, ..small(contenders) };
        League::new(&tournament, table).expect("it can be played")
    }

    #[test]
    fn everybody_plays_once_in_each_round_with_others_every_time() {
        let league = league(1_003, 5, 3);
        assert_eq!(league.what().total, 3 * 201);
        let round = |round: u64| -> Vec<Vec<usize>> {
            (0..league.tables()).map(|table| league.seats(round, table)).collect()
        };
        let (first, second) = (round(0), round(1));
        for tables in [&first, &second] {
            assert!(tables.iter().all(|table| (4..=5).contains(&table.len())));
            let mut all: Vec<usize> = tables.iter().flatten().copied().collect();
            all.sort_unstable();
            assert_eq!(all, (0..1_003).collect::<Vec<_>>());
        }
        assert_ne!(first, second);
        assert_eq!(first, round(0), "a function of the round");
    }

    #[test]
    fn any_partition_gives_the_bits_of_one_run() {
        let league = league(7, 3, 2);
        let one = shard::run_all(&league, &|| ()).expect("played");
        assert_eq!(one.matches, 6);
        assert!(one.standings.iter().all(|standing| standing.matches == 2));
        assert!(one.standings.windows(2).all(|pair| pair[0].score.mean <= pair[1].score.mean));
        let shards = [4..6, 0..1, 1..4].map(|range| {
            let pieces = shard::run(&league, range.clone(), &|| true, &|_, _| ()).expect("played");
            let shard = Shard::of(&league, range, &pieces).expect("plain data");
            Shard::read("some", &shard.text().expect("plain data")).expect("it was written so")
        });
        assert_eq!(shard::merge(&league, &shards).expect("all is there"), one);
    }

    #[test]
    fn tables_without_enough_contenders_are_refused() {
        let tournament = small(vec![entry("a", true), entry("b", false), entry("c", true)]);
        for table in [0, 1, 4] {
            assert!(matches!(League::new(&tournament, table), Err(Refused::Contenders(_))), "{table}");
        }
        // Three contenders at tables of two: one would sit alone.
        assert_eq!(League::new(&tournament, 2).err(), Some(Refused::Contenders(1)));
    }
}
