//! Any moment of a town's past: a copy now and then, and the same ticks from there.

use super::town::Town;

/// Copies of a town as it was. When they take more room than allowed, every second one is dropped and later ones are taken half as
/// often, so that the whole past stays within reach and costs a bounded number of ticks to come back to.
///
/// ```
/// use repertoire_worlds::town::{Minds, Past, Town, charter};
///
/// let western = charter("western").expect("it comes with repertoire");
/// let mut town = Town::new(western, 50, 1, Minds::default())?;
/// let mut past = Past::new(&town, 60, 1 << 20);
/// let mut at_eight = 0;
/// for _ in 0..900 {
///     town.tick();
///     past.look(&town);
///     if town.now() == 8 * 60 {
///         at_eight = town.hash();
///     }
/// }
/// let then = past.at(&town, 8 * 60).expect("the past reaches back to the beginning");
/// assert_eq!(then.hash(), at_eight);
/// # Ok::<(), repertoire_worlds::town::TooMany>(())
/// ```
#[derive(Clone, Debug)]
pub struct Past {
    every: u32,
    room: usize,
    /// The first is never dropped.
    copies: Vec<Town>,
}

impl Past {
    /// The past of a town begins now: a copy is taken every so many ticks, within so many bytes (the first copy is always kept).
    pub fn new(town: &Town, every: u32, room: usize) -> Self {
        Past { every: every.max(1), room, copies: vec![town.clone()] }
    }

    /// The tick at which it begins.
    pub fn first(&self) -> u32 {
        self.copies[0].now()
    }

    /// Looks at the town, after every tick. What was kept of a future that did not come about is forgotten.
    pub fn look(&mut self, town: &Town) {
        let first = self.first();
        let kept = self.copies.partition_point(|copy| copy.now() < town.now()).max(1);
        self.copies.truncate(kept);
        if town.now() <= first || !(town.now() - first).is_multiple_of(self.every) {
            return;
        }
        self.copies.push(town.clone());
        while self.copies.len() > 2 && self.copies.len() * town.bytes() > self.room {
            self.every = self.every.saturating_mul(2);
            let every = self.every;
            self.copies.retain(|copy| (copy.now() - first).is_multiple_of(every));
        }
    }

    /// The town as it was before this tick, to the bit, with the events by hand of `town`; `None` before the past began.
    pub fn at(&self, town: &Town, tick: u32) -> Option<Town> {
        let before = self.copies.partition_point(|copy| copy.now() <= tick);
        let mut then = self.copies.get(before.checked_sub(1)?)?.clone();
        let known = then.by_hand().len();
        for event in town.by_hand().iter().skip(known) {
            then.add(event.clone());
        }
        while then.now() < tick {
            then.tick();
        }
        Some(then)
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Event, Minds, charter};
    use super::*;

    fn town() -> Town {
        let western = charter("western").expect("it comes with repertoire");
        Town::new(western, 40, 3, Minds::default()).expect("there is room")
    }

    #[test]
    fn every_moment_comes_back_to_the_bit_whatever_room_there_is() {
        for room in [0, 40_000, 1 << 30] {
            let mut town = town();
            let mut past = Past::new(&town, 30, room);
            let mut hashes = vec![town.hash()];
            for tick in 0..500 {
                if tick == 200 {
                    let charter = town.charter().clone();
                    let event = Event::parse(230, "tell outlaw=free", &charter).expect("an event");
                    town.add(event);
                }
                town.tick();
                past.look(&town);
                hashes.push(town.hash());
            }
            for tick in [0, 1, 29, 30, 31, 199, 200, 231, 330, 500] {
                let then = past.at(&town, tick).expect("it reaches back to the beginning");
                // The event by hand was not known yet before tick 200, and is now.
                let same = then.now() == tick && (tick < 200 || then.hash() == hashes[tick as usize]);
                assert!(same, "room {room}, tick {tick}");
            }
        }
    }

    #[test]
    fn a_future_that_did_not_come_about_is_forgotten() {
        let mut town = town();
        let mut past = Past::new(&town, 10, 1 << 30);
        for _ in 0..100 {
            town.tick();
            past.look(&town);
        }
        town = past.at(&town, 45).expect("kept");
        let charter = town.charter().clone();
        town.add(Event::parse(46, "fire well 5h", &charter).expect("an event"));
        for _ in 0..55 {
            town.tick();
            past.look(&town);
        }
        assert_eq!(past.at(&town, 100).expect("kept").hash(), town.hash());
    }
}
