//! The world changed outside of somebody's senses: they must do exactly the same.

use std::sync::Arc;

use repertoire_prob::Stream;
use repertoire_worlds::arena::game::{Contender, Match};
use serde::{Deserialize, Serialize};

use super::life::{Life, Moment};
use crate::Entry;

/// Moments lived again with a change that the subject cannot perceive.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub(super) struct Unseen {
    /// Pairs whose percepts were the same.
    pub pairs: usize,
    /// Of these, pairs in which the subject did the same as long as percepts stayed the same.
    pub same: usize,
}

impl Unseen {
    pub fn add(&mut self, other: Unseen) {
        self.pairs += other.pairs;
        self.same += other.same;
    }
}

/// Changes tried for each moment.
const TRIES: u64 = 3;

/// Lives every moment again with somebody out of view moved elsewhere, or an item out of view taken.
pub(super) fn again(life: &Life, subject: &Entry, opponents: &[Entry], seed: u64) -> Unseen {
    let mut unseen = Unseen::default();
    for (number, moment) in life.moments.iter().enumerate() {
        if !life.holds(moment.at, 0) {
            continue;
        }
        let mut draw = Stream::new(seed, number as u64, "unseen");
        for _ in 0..TRIES {
            unseen.add(pair(life, moment, subject, opponents, &mut draw));
        }
    }
    unseen
}

fn pair(life: &Life, moment: &Moment, subject: &Entry, opponents: &[Entry], draw: &mut Stream) -> Unseen {
    let places = life.level.places();
    let seen = &life.percepts[moment.at];
    let pick = |draw: &mut Stream, count: usize| (draw.unit() * count as f64) as usize;
    let sit = |entry: &Entry| Contender { name: entry.name.clone(), mind: (entry.make)() };
    let seats = std::iter::once(subject).chain(opponents).map(sit).collect();
    let Ok(mut game) = Match::restore(Arc::clone(&life.level), seats, moment.saved.clone()) else {
        return Unseen::default();
    };
    let is_changed = if draw.unit() < 0.7 {
        let who = 1 + pick(draw, opponents.len());
        let point = places.points()[pick(draw, places.points().len())];
        if seen.characters.iter().any(|character| usize::from(character.id) == who) {
            return Unseen::default();
        }
        game.world_mut().set_position(who, point.truncate())
    } else {
        let spots = places.spots().len();
        if spots == 0 {
            return Unseen::default();
        }
        let spot = pick(draw, spots);
        if seen.items.iter().any(|item| usize::from(item.spot) == spot) {
            return Unseen::default();
        }
        game.world_mut().take_item(spot)
    };
    if !is_changed {
        return Unseen::default();
    }
    let mut compared = 0;
    for (percept, command) in life.percepts[moment.at..].iter().zip(&life.commands[moment.at..]).take(10) {
        game.perceive();
        if game.percepts()[life.own] != *percept {
            break;
        }
        game.decide();
        if game.commands()[life.own].sane() != *command {
            return Unseen { pairs: 1, same: 0 };
        }
        compared += 1;
        game.advance();
    }
    let pairs = usize::from(compared > 0);
    Unseen { pairs, same: pairs }
}
