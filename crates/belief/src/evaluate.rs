//! Trackers on recorded play: each second a side sees an enemy if the place of any living member sees the enemy's; for
//! every living enemy that is not seen, a tracker says where it is.
//!
//! Opponents are told apart, and their places are known until the round goes live.
//!
//! In the recording of one player ([`Round::recorded_by`]) only that player looks, and others are there only when the game sent
//! them, which is whenever they might be seen. Then a belief is measured at two kinds of moment: an opponent is sent though none of
//! its place is in view, or it comes back into view after at least one moment out of it. At a return it is what was believed before
//! the sighting, without using what is in view now.

use crate::play::{Moment, Play, Round, Situation, Who};
use crate::score::{Score, Scorer};
use crate::senses::Senses;
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
    /// Whether it came back into view just then, in the recording of one player.
    pub returns: bool,
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
    track_round_with(model, sight, play, round, &Senses::default(), make, watch);
}

/// The same with evidence beside sight.
pub fn track_round_with<'t>(
    model: &Model,
    sight: &Sight,
    play: &Play,
    round: usize,
    senses: &Senses,
    make: &mut dyn FnMut() -> Box<dyn Tracker + 't>,
    watch: &mut dyn FnMut(Watched<'_>),
) {
    let places = model.places.len();
    let whole = &play.rounds[round];
    let mut visible = vec![vec![0.0; places]; play.sides.len()];
    let mut watchers: Vec<Vec<u32>> = vec![Vec::new(); play.sides.len()];
    let (mut belief, mut sound, nothing) = (vec![0.0; places], vec![0.0; places], vec![0.0; places]);
    let mut mates: Vec<u32> = Vec::new();
    let mut tracked: Vec<Tracked<'t>> = Vec::new();
    let mut before_secs = f64::NEG_INFINITY;
    let mut sides = whole.moments.iter().flat_map(|moment| moment.who.iter().map(|who| who.side));
    let is_free_for_all = sides.next().is_none_or(|first| sides.all(|side| side == first));
    for moment in whole.known_and_live() {
        let situation = situation_of(whole, moment);
        for (side, visible) in visible.iter_mut().enumerate() {
            // In the recording of one player nobody else looks.
            let looks = |who: &&Who| {
                who.alive
                    && usize::from(who.side) == side
                    && whole.recorded_by.is_none_or(|pov| pov == who.player)
            };
            visible.fill(0.0);
            watchers[side].clear();
            for who in moment.who.iter().filter(looks) {
                sight.sees[who.place as usize].iter().for_each(|&seen| visible[seen as usize] = 1.0);
                watchers[side].push(who.place);
            }
        }
        // A belief ends when its opponent is killed; the next life begins at a place that everybody knows.
        let is_dead = |player: u16| moment.who.iter().any(|who| who.player == player && !who.alive);
        tracked.retain(|tracked| !is_dead(tracked.player));
        if let Some(pov) = whole.recorded_by {
            // Who is not sent is somewhere out of sight. While the recording player is dead nobody looks.
            let observer = moment.who.iter().find(|who| who.player == pov).map_or(0, |who| who.side);
            let (visible, watchers) = (&visible[usize::from(observer)], &watchers[usize::from(observer)]);
            for known in &mut tracked {
                if moment.who.iter().any(|who| who.player == known.player) {
                    continue;
                }
                let span = (before_secs, moment.secs);
                let is_heard = senses.hear(&model.places, whole, known.player, span, watchers, &mut sound);
                let heard = is_heard.then_some(&sound[..]);
                known.tracker.step(situation, Evidence::Unseen { visible, heard, watchers });
            }
        }
        for who in moment.who.iter().filter(|who| who.alive) {
            for observer in observers(play, whole, moment, who, is_free_for_all) {
                let visible = &visible[usize::from(observer)];
                let watchers = &watchers[usize::from(observer)];
                let is_seen = visible[who.place as usize] > 0.0;
                let quarry = quarry_of(model, play, who.player, who.side);
                let known = tracked.iter_mut().find(|t| t.player == who.player && t.observer == observer);
                let Some(known) = known else {
                    // In the recording of one player a belief begins with a sighting.
                    if whole.recorded_by.is_none() || is_seen {
                        let mut tracker = make();
                        tracker.begin(quarry, situation, who.place as usize);
                        let last_secs = moment.secs;
                        tracked.push(Tracked { player: who.player, observer, last_secs, tracker });
                    }
                    continue;
                };
                if !is_free_for_all {
                    mates.clear();
                    let of_side = moment.who.iter().filter(|mate| mate.alive && mate.side == who.side);
                    let seen = of_side
                        .filter(|mate| mate.player != who.player && visible[mate.place as usize] > 0.0);
                    mates.extend(seen.map(|mate| mate.place));
                    known.tracker.mates_seen(situation, &mates);
                }
                let unseen_secs = moment.secs - known.last_secs;
                // Whoever comes back into view after a moment out of it: what was believed just before is measured, since in
                // the recording of one player nothing is known of those who stay away.
                let returns = is_seen && whole.recorded_by.is_some() && known.last_secs < before_secs;
                if !returns && (!moment.live || is_seen) {
                    known.last_secs = moment.secs;
                    known.tracker.step(situation, Evidence::Seen(who.place as usize));
                    continue;
                }
                let span = (before_secs, moment.secs);
                let is_heard =
                    !returns && senses.hear(&model.places, whole, who.player, span, watchers, &mut sound);
                let heard = is_heard.then_some(&sound[..]);
                let in_view = if returns { &nothing } else { visible };
                known.tracker.step(situation, Evidence::Unseen { visible: in_view, heard, watchers });
                known.tracker.belief(&mut belief);
                senses.weigh(whole, who.player, observer, moment.secs, &mut belief);
                watch(Watched {
                    belief: &belief,
                    visible: in_view,
                    truth: who.place as usize,
                    player: who.player,
                    side: who.side,
                    situation,
                    unseen_secs,
                    returns,
                });
                if returns {
                    known.last_secs = moment.secs;
                    known.tracker.begin(quarry, situation, who.place as usize);
                }
            }
        }
        before_secs = moment.secs;
    }
}

/// The sides that look for somebody: all others, or that of the player who recorded. Where there is one side only, everybody else is
/// looked for.
fn observers(play: &Play, round: &Round, moment: &Moment, who: &Who, is_free_for_all: bool) -> Vec<u8> {
    match round.recorded_by {
        None => (0..play.sides.len() as u8).filter(|&side| side != who.side).collect(),
        Some(pov) => {
            let own = moment.who.iter().find(|other| other.player == pov);
            let is_enemy = |own: &&Who| who.player != pov && (own.side != who.side || is_free_for_all);
            own.filter(is_enemy).map(|own| own.side).into_iter().collect()
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
    /// Whether it comes back into view just now, in the recording of one player.
    pub returns: bool,
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
    score_round_with(model, distances, sight, play, round, &Senses::default(), make)
}

/// The same with evidence beside sight.
pub fn score_round_with<'t>(
    model: &Model,
    distances: &Distances,
    sight: &Sight,
    play: &Play,
    round: usize,
    senses: &Senses,
    make: &mut dyn FnMut() -> Box<dyn Tracker + 't>,
) -> Vec<Record> {
    let mut records = Vec::new();
    let mut scorer = Scorer::default();
    track_round_with(model, sight, play, round, senses, make, &mut |watched: Watched<'_>| {
        records.push(Record {
            round,
            secs: watched.situation.secs,
            side: watched.side,
            player: watched.player,
            unseen_secs: watched.unseen_secs,
            returns: watched.returns,
            score: scorer.score(watched.belief, watched.truth, distances),
        });
    });
    records
}
