//! One match of a tournament.

use std::sync::{Arc, Mutex, PoisonError};

use repertoire_mind::{Command, Cue, Lead, Mind, Percept, Places, RestoreError};
use repertoire_prob::Stream;
use repertoire_worlds::arena::game::{Contender, Match};
use repertoire_worlds::arena::world::{Tally, World};
use serde::{Deserialize, Serialize};

use super::times::Times;
use super::{Clock, Heat, Tournament};

/// Frags are written down this often.
const SAMPLE_SECS: f64 = 5.0;

/// What came of one match.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MatchResult {
    /// The map's name.
    pub map: String,
    /// The map's place among those of the tournament.
    pub map_index: usize,
    /// Which match on this map, from 1.
    pub number: u32,
    /// Its seed: the same contenders in the order of [`MatchResult::seats`] play the same match again.
    pub seed: u64,
    /// Who sat where: bodies move in the order of seats, so contenders take turns to be first.
    pub seats: Vec<String>,
    /// How long it was, in seconds of the game.
    pub seconds: f64,
    /// The hash of the last state, as 16 digits.
    pub hash: String,
    /// Who reached the frags, alone. Nobody if time ran out, or if two reached them with the same decision.
    pub winner: Option<String>,
    /// From one sample of [`CharacterResult::frags_over_time`] to the next.
    pub sample_secs: f64,
    /// How each did, in the order of the contenders.
    pub characters: Vec<CharacterResult>,
}

/// How one character did in one match.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CharacterResult {
    /// Its name.
    pub name: String,
    /// The most frags that anybody had at the end, minus its own: 0 is best.
    pub score: i32,
    /// What it did.
    #[serde(flatten)]
    pub tally: Tally,
    /// The share of its shots that hurt somebody else.
    pub accuracy: f64,
    /// The share of its decisions at which it was stuck.
    pub stuck_share: f64,
    /// Its frags at 0, once each [`MatchResult::sample_secs`], and last at the end.
    pub frags_over_time: Vec<i32>,
}

/// A match, with where everybody was and how long decisions took: a piece of a tournament.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Played {
    /// What came of it.
    pub result: MatchResult,
    pub(super) heat: Heat,
    /// How long decisions took, for each contender; empty without a clock.
    pub(super) times: Vec<Times>,
}

/// `part` of `whole`; none of nothing.
pub(super) fn share(part: u32, whole: u32) -> f64 {
    if whole == 0 { 0.0 } else { f64::from(part) / f64::from(whole) }
}

/// The seed of a match, from its place in the tournament and nothing else; below 2^53, so that JSON keeps it.
pub(super) fn match_seed(seed: u64, map: usize, number: u32) -> u64 {
    let place = (map as u64) << 32 | u64::from(number);
    (Stream::new(seed, place, "tournament match").unit() * (1u64 << 53) as f64) as u64
}

/// Plays one match to its end. `number` counts from 0.
pub(super) fn play(tournament: &Tournament, map: usize, number: u32, clock: Option<Clock>) -> Played {
    let (name, level) = &tournament.levels[map];
    let count = tournament.contenders.len();
    let who: Vec<usize> = (0..count).map(|seat| (seat + number as usize) % count).collect();
    let times: Vec<Arc<Mutex<Times>>> = (0..count).map(|_| Arc::default()).collect();
    let sit = |&contender: &usize| {
        let entry = &tournament.contenders[contender];
        let mind = (entry.make)();
        let mind = match clock {
            Some(clock) => Box::new(Timed { mind, clock, times: times[contender].clone() }),
            None => mind,
        };
        Contender { name: entry.name.clone(), mind }
    };
    let seed = match_seed(tournament.seed, map, number);
    let seats = who.iter().map(sit).collect();
    let mut game = Match::new(level.clone(), tournament.rules.clone(), seats, seed);
    let watched = watch(tournament, &mut game, &who);
    let world = game.world();
    let characters = characters(tournament, world, &who, watched.samples);
    let result = MatchResult {
        map: name.clone(),
        map_index: map,
        number: number + 1,
        seed,
        seats: game.contenders().iter().map(|contender| contender.name.clone()).collect(),
        seconds: world.time_secs(),
        hash: format!("{:016x}", world.hash()),
        winner: winner(&characters, tournament.frags),
        sample_secs: f64::from(ticks_per_sample(tournament)) * tournament.rules.period_secs(),
        characters,
    };
    let times = clock.map_or(Vec::new(), |_| times.iter().map(|times| locked(times).clone()).collect());
    Played { result, heat: watched.heat, times }
}

/// What is seen while a match goes on, by contender.
struct Watched {
    heat: Heat,
    samples: Vec<Vec<i32>>,
}

fn ticks_per_sample(tournament: &Tournament) -> u32 {
    (SAMPLE_SECS / tournament.rules.period_secs()).round().max(1.0) as u32
}

/// Lets a match run to its end; `who` says which contender sits in each seat.
fn watch(tournament: &Tournament, game: &mut Match, who: &[usize]) -> Watched {
    let mut watched = Watched {
        heat: Heat::new(game.world().level().map(), who.len()),
        samples: vec![Vec::new(); who.len()],
    };
    let every = ticks_per_sample(tournament);
    let sample = |samples: &mut Vec<Vec<i32>>, world: &World| {
        for (seat, &contender) in who.iter().enumerate() {
            samples[contender].push(world.tally(seat).frags);
        }
    };
    while game.best_frags() < tournament.frags && game.world().time_secs() < tournament.time_limit_secs {
        if game.world().tick().is_multiple_of(every) {
            sample(&mut watched.samples, game.world());
        }
        game.tick();
        for (seat, &contender) in who.iter().enumerate() {
            let look = game.world().look(seat);
            if look.alive {
                watched.heat.visit(contender, look.position);
            }
        }
    }
    sample(&mut watched.samples, game.world());
    watched
}

fn characters(
    tournament: &Tournament,
    world: &World,
    who: &[usize],
    samples: Vec<Vec<i32>>,
) -> Vec<CharacterResult> {
    let mut tallies = vec![Tally::default(); who.len()];
    for (seat, &contender) in who.iter().enumerate() {
        tallies[contender] = world.tally(seat);
    }
    let best = tallies.iter().map(|tally| tally.frags).max().unwrap_or(0);
    let each = tournament.contenders.iter().zip(tallies).zip(samples);
    each.map(|((entry, tally), frags_over_time)| CharacterResult {
        name: entry.name.clone(),
        score: best - tally.frags,
        tally,
        accuracy: share(tally.hits, tally.shots),
        stuck_share: share(tally.stuck, tally.decisions),
        frags_over_time,
    })
    .collect()
}

fn winner(characters: &[CharacterResult], frags: i32) -> Option<String> {
    let mut best = characters.iter().filter(|one| one.score == 0 && one.tally.frags >= frags);
    match (best.next(), best.next()) {
        (Some(one), None) => Some(one.name.clone()),
        _ => None,
    }
}

/// A mind whose decisions are timed. It decides as the one inside.
struct Timed {
    mind: Box<dyn Mind>,
    clock: Clock,
    times: Arc<Mutex<Times>>,
}

/// Nobody panics while holding these, so a poisoned lock cannot be.
fn locked(times: &Mutex<Times>) -> std::sync::MutexGuard<'_, Times> {
    times.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Mind for Timed {
    fn decide(&mut self, percept: &Percept, places: &Places, draw: &mut Stream) -> Command {
        let start = (self.clock)();
        let command = self.mind.decide(percept, places, draw);
        let spent = (self.clock)().saturating_sub(start);
        locked(&self.times).add(spent);
        command
    }

    fn task(&self) -> &str {
        self.mind.task()
    }

    fn why(&self) -> String {
        self.mind.why()
    }

    fn needs_sight(&self) -> bool {
        self.mind.needs_sight()
    }

    fn leads(&self) -> bool {
        self.mind.leads()
    }

    fn lead(&mut self, cue: Cue<'_>) -> Option<Lead> {
        self.mind.lead(cue)
    }

    fn belief(&self) -> &[f64] {
        self.mind.belief()
    }

    fn save(&self) -> serde_json::Value {
        self.mind.save()
    }

    fn restore(&mut self, saved: &serde_json::Value) -> Result<(), RestoreError> {
        self.mind.restore(saved)
    }
}
