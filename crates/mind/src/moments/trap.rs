//! Traps: places where moments lead back to each other, so that a pupil runs to and fro and gets nowhere.
//!
//! A person knows the way out; copied moments do not. Whoever stays within some metres for some seconds, with nobody in view, goes where
//! the decider goes, by its legs, for a while.

use glam::DVec3;
use serde::{Deserialize, Serialize};

use crate::Percept;

/// Within this many metres one gets nowhere.
const NEAR_M: f64 = 4.0;
/// After this many seconds one is in a trap, and goes by the decider's legs for that many.
const STAYED_SECS: f64 = 6.0;
const OUT_SECS: f64 = 3.0;

/// A trap this near to the last one is the same one, which takes twice as long to get out of, up to this many times.
const SAME_M: f64 = 25.0;
const MOST_TIMES: u32 = 3;

/// Whether a pupil gets on.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Trap {
    /// Where it has been since when.
    stays: Option<(DVec3, u32)>,
    /// Until when it goes by the decider's legs.
    until: u32,
    /// Where the last trap was, and how often it was met again.
    last: Option<(DVec3, u32)>,
}

impl Trap {
    /// Whether it has to get out of a trap now.
    pub fn is_in(&mut self, percept: &Percept, fights: bool) -> bool {
        let (now, at) = (percept.tick, percept.own.position);
        if fights {
            (self.stays, self.until) = (None, 0);
            return false;
        }
        let (from, since) = *self.stays.get_or_insert((at, now));
        if from.distance(at) > NEAR_M {
            self.stays = Some((at, now));
        } else if now >= since + percept.ticks(STAYED_SECS) {
            let again =
                self.last.filter(|(last, _)| last.distance(at) < SAME_M).map_or(0, |(_, times)| times + 1);
            let times = again.min(MOST_TIMES);
            self.last = Some((at, times));
            self.stays = Some((at, now));
            self.until = now + percept.ticks(OUT_SECS * f64::from(1 << times));
        }
        now < self.until
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(tick: u32, x: f64) -> Percept {
        let mut percept = Percept { tick, period_secs: 0.1, ..Percept::default() };
        percept.own.position.x = x;
        percept
    }

    #[test]
    fn who_runs_to_and_fro_is_led_out_and_longer_the_next_time() {
        let mut trap = Trap::default();
        let mut led = |from: u32, to: u32| -> usize {
            (from..to).filter(|&tick| trap.is_in(&at(tick, f64::from(tick % 3)), false)).count()
        };
        assert_eq!(led(0, 60), 0, "six seconds are nothing");
        assert_eq!(led(60, 120), 30);
        assert!(led(120, 240) > 60, "it is still there");
    }

    #[test]
    fn who_gets_on_or_fights_is_in_no_trap() {
        let mut trap = Trap::default();
        assert!((0..400).all(|tick| !trap.is_in(&at(tick, 0.2 * f64::from(tick)), false)));
        assert!((400..800).all(|tick| !trap.is_in(&at(tick, 0.0), true)));
    }
}
