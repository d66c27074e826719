//! What a character learns of how its opponents walk, from those it sees while it plays.
//!
//! An opponent in view is followed second by second; what was seen of a way is kept when the opponent is lost from view. At the
//! beginning of each life everything kept so far refines the map's tables, as recorded play would ([`super::Habits`]), so that a
//! character that dies often learns often, and what it believes changes only then.

use serde::{Deserialize, Serialize};

use super::habits::Routes;
use crate::{Percept, Places};

/// From one place of a way to the next.
const PERIOD_SECS: f64 = 1.0;
/// More steps than this are not kept: the oldest ways go.
const MOST_STEPS: usize = 20_000;

/// Ways of opponents, as far as they were in view.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Watched {
    /// Those in view: who, where they were each second, and when that was last noted.
    open: Vec<(u8, Vec<u16>, u32)>,
    ways: Vec<Vec<u16>>,
    /// How many of the ways the present tables were made of.
    learned: usize,
    life: u32,
}

impl Watched {
    /// Takes in who is in view. Says whether there is something new to learn from, at the beginning of a life.
    pub fn see(&mut self, percept: &Percept, places: &Places) -> bool {
        let now = percept.tick;
        let period = (PERIOD_SECS / percept.period_secs).round().max(1.0) as u32;
        for seen in &percept.characters {
            let place = places.nearest(seen.position).0;
            match self.open.iter_mut().find(|(id, ..)| *id == seen.id) {
                Some((_, way, last)) if now >= *last + period => {
                    way.push(place);
                    *last = now;
                }
                Some(_) => {}
                None => self.open.push((seen.id, vec![place], now)),
            }
        }
        // Who was not noted for two periods is out of view.
        let (open, lost) =
            std::mem::take(&mut self.open).into_iter().partition(|(.., last)| now < last + 2 * period);
        self.open = open;
        let is_way = |way: &Vec<u16>| way.len() > 1;
        self.ways.extend(lost.into_iter().map(|(_, way, _): (u8, Vec<u16>, u32)| way).filter(is_way));
        if percept.own.life == self.life {
            return false;
        }
        self.life = percept.own.life;
        let is_new = self.ways.len() > self.learned;
        if is_new {
            self.forget_the_oldest();
            self.learned = self.ways.len();
        }
        is_new
    }

    fn forget_the_oldest(&mut self) {
        let mut steps: usize = self.ways.iter().map(Vec::len).sum();
        let too_many = self.ways.iter().take_while(|way| {
            let goes = steps > MOST_STEPS;
            steps -= if goes { way.len() } else { 0 };
            goes
        });
        let too_many = too_many.count();
        self.ways.drain(..too_many);
    }

    /// What the present tables are made of.
    pub fn routes(&self) -> Option<Routes> {
        let ways = self.ways.get(..self.learned)?;
        (!ways.is_empty()).then(|| Routes::of(PERIOD_SECS, ways.to_vec()))
    }

    /// How many ways it has learned from.
    pub fn learned(&self) -> usize {
        self.learned
    }
}
