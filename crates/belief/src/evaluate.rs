//! Trackers on recorded play: each second a side sees an enemy if the place of any living member sees the enemy's; for
//! every living enemy that is not seen, a tracker says where it is.
//!
//! Opponents are told apart, and their places are known until the round goes live.

use crate::play::{Moment, Play, Round, Situation};
use crate::score::{Score, Scorer};
use crate::tracker::{Evidence, Quarry, Tracker};
use crate::{Distances, Model};
use serde::{Deserialize, Serialize};

/// Which places see which.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sight {
    /// For each place those that it sees.
    pub sees: Vec<Vec<u32>>,
}

impl Sight {
    /// What the living members of a side see together: 1 for a place in view, 0 for others.
    pub fn of_side(&self, moment: &Moment, side: u8, into: &mut [f64]) {
        into.fill(0.0);
        for who in moment.who.iter().filter(|who| who.alive && who.side == side) {
            self.sees[who.place as usize].iter().for_each(|&seen| into[seen as usize] = 1.0);
        }
    }
}

/// One belief about one unseen enemy, and how good it was.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// Which round of the play.
    pub round: usize,
    /// Seconds since it went live.
    pub secs: f64,
    /// Whose side it is.
    pub side: u8,
    /// Who it is.
    pub player: u16,
    /// Seconds since it was last seen.
    pub unseen_secs: f64,
    /// How good the belief was.
    pub score: Score,
}

/// Runs a tracker over a round, from the eyes of every side; `make` gives a new tracker. Names of sides and players are
/// those of `play`, found by name in the model. `watch` is shown each belief, and may look at the truth.
pub fn track_round<'t>(
    model: &Model,
    sight: &Sight,
    play: &Play,
    round: usize,
    make: &mut dyn FnMut() -> Box<dyn Tracker + 't>,
    watch: &mut dyn FnMut(Watched<'_>),
) {
    let places = model.places.len();
    let moments = play.rounds[round].known_and_live();
    let mut visible = vec![vec![0.0; places]; play.sides.len()];
    let mut watchers: Vec<Vec<u32>> = vec![Vec::new(); play.sides.len()];
    let mut belief = vec![0.0; places];
    let mut mates: Vec<u32> = Vec::new();
    let mut tracked: Vec<Tracked<'t>> = Vec::new();
    for moment in moments {
        let situation = situation_of(&play.rounds[round], moment);
        for (side, visible) in visible.iter_mut().enumerate() {
            sight.of_side(moment, side as u8, visible);
            watchers[side].clear();
            let members = moment.who.iter().filter(|who| who.alive && usize::from(who.side) == side);
            watchers[side].extend(members.map(|who| who.place));
        }
        // A belief ends when its opponent is killed; the next life begins at a place that everybody knows.
        let is_dead = |player: u16| moment.who.iter().any(|who| who.player == player && !who.alive);
        tracked.retain(|tracked| !is_dead(tracked.player));
        for who in moment.who.iter().filter(|who| who.alive) {
            for observer in (0..play.sides.len() as u8).filter(|&side| side != who.side) {
                let known = tracked.iter_mut().find(|t| t.player == who.player && t.observer == observer);
                let Some(known) = known else {
                    let mut tracker = make();
                    tracker.begin(
                        quarry_of(model, play, who.player, who.side),
                        situation,
                        who.place as usize,
                    );
                    let last_secs = moment.secs;
                    tracked.push(Tracked { player: who.player, observer, last_secs, tracker });
                    continue;
                };
                let visible = &visible[usize::from(observer)];
                mates.clear();
                let of_side = moment.who.iter().filter(|mate| mate.alive && mate.side == who.side);
                let seen =
                    of_side.filter(|mate| mate.player != who.player && visible[mate.place as usize] > 0.0);
                mates.extend(seen.map(|mate| mate.place));
                known.tracker.mates_seen(situation, &mates);
                if !moment.live || visible[who.place as usize] > 0.0 {
                    known.last_secs = moment.secs;
                    known.tracker.step(situation, Evidence::Seen(who.place as usize));
                    continue;
                }
                let watchers = &watchers[usize::from(observer)];
                known.tracker.step(situation, Evidence::Unseen { visible, heard: None, watchers });
                known.tracker.belief(&mut belief);
                watch(Watched {
                    belief: &belief,
                    visible,
                    truth: who.place as usize,
                    player: who.player,
                    side: who.side,
                    situation,
                    unseen_secs: moment.secs - known.last_secs,
                });
            }
        }
    }
}

struct Tracked<'t> {
    player: u16,
    observer: u8,
    last_secs: f64,
    tracker: Box<dyn Tracker + 't>,
}

/// A belief about an unseen enemy, with the truth.
#[derive(Clone, Copy, Debug)]
pub struct Watched<'a> {
    /// The probability of each place.
    pub belief: &'a [f64],
    /// What the tracker's side sees.
    pub visible: &'a [f64],
    /// Where the enemy is.
    pub truth: usize,
    /// Who it is.
    pub player: u16,
    /// Its side.
    pub side: u8,
    /// What everybody knows.
    pub situation: Situation,
    /// Seconds since it was last seen.
    pub unseen_secs: f64,
}

/// What everybody knows of a moment.
pub fn situation_of(round: &Round, moment: &Moment) -> Situation {
    let planted = round.planted_at_secs().filter(|&at| moment.secs >= at);
    Situation { secs: moment.secs, planted_secs: planted.map(|at| moment.secs - at) }
}

/// Whom to track, in the model's numbers. A side that the model does not know is its first.
pub fn quarry_of(model: &Model, play: &Play, player: u16, side: u8) -> Quarry {
    let side = &play.sides[usize::from(side)];
    let name = &play.players[usize::from(player)];
    Quarry {
        side: model.sides.iter().position(|known| known == side).unwrap_or(0) as u8,
        player: model.players.iter().position(|known| known == name).map(|k| k as u16),
    }
}

/// Scores a tracker on a round.
pub fn score_round<'t>(
    model: &Model,
    distances: &Distances,
    sight: &Sight,
    play: &Play,
    round: usize,
    make: &mut dyn FnMut() -> Box<dyn Tracker + 't>,
) -> Vec<Record> {
    let mut records = Vec::new();
    let mut scorer = Scorer::default();
    track_round(model, sight, play, round, make, &mut |watched: Watched<'_>| {
        records.push(Record {
            round,
            secs: watched.situation.secs,
            side: watched.side,
            player: watched.player,
            unseen_secs: watched.unseen_secs,
            score: scorer.score(watched.belief, watched.truth, distances),
        });
    });
    records
}
