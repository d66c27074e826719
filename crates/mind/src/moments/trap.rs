//! Traps: places where moments lead back to each other, so that a pupil runs to and fro and gets nowhere.
//!
//! A person knows the way out; copied moments do not. Whoever stays within some metres for some seconds, or within more for longer, with
//! nobody in view, goes where the decider goes, by its legs, for a while.

use glam::DVec3;
use serde::{Deserialize, Serialize};

use crate::Percept;

/// Within this many metres one gets nowhere, and after this many seconds there one is in a trap: a corner, and a pit.
const TRAPS: [(f64, f64); 2] = [(4.0, 6.0), (12.0, 20.0)];
/// Out of it one goes by the decider's legs for this many seconds.
const OUT_SECS: f64 = 3.0;

/// A trap this near to the last one is the same one, which takes twice as long to get out of, up to this many times.
const SAME_M: f64 = 25.0;
const MOST_TIMES: u32 = 3;

/// Whether a pupil gets on.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Trap {
    /// Where it has been since when, for each kind of trap.
    #[serde(default)]
    within: [Option<(DVec3, u32)>; 2],
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
            (self.within, self.until) = ([None; 2], 0);
            return false;
        }
        let mut is_caught = false;
        for (stays, (near_m, secs)) in self.within.iter_mut().zip(TRAPS) {
            let (from, since) = *stays.get_or_insert((at, now));
            if from.distance(at) > near_m {
                *stays = Some((at, now));
            } else if now >= since + percept.ticks(secs) {
                is_caught = true;
            }
        }
        if is_caught {
            let again =
                self.last.filter(|(last, _)| last.distance(at) < SAME_M).map_or(0, |(_, times)| times + 1);
            let times = again.min(MOST_TIMES);
            self.last = Some((at, times));
            self.within = [Some((at, now)); 2];
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
    fn what_an_earlier_version_saved_is_read() {
        let saved = r#"{"stays":[[1.0,2.0,3.0],7],"until":9,"last":null}"#;
        let trap: Trap = serde_json::from_str(saved).expect("as it was written");
        assert_eq!((trap.until, trap.within), (9, [None; 2]));
    }

    #[test]
    fn who_runs_about_in_a_pit_is_led_out_of_it_too() {
        let mut trap = Trap::default();
        let mut led = |from: u32, to: u32| -> usize {
            (from..to).filter(|&tick| trap.is_in(&at(tick, f64::from(tick % 10)), false)).count()
        };
        assert_eq!(led(0, 200), 0, "twenty seconds are nothing");
        assert_eq!(led(200, 260), 30);
    }

    #[test]
    fn who_gets_on_or_fights_is_in_no_trap() {
        let mut trap = Trap::default();
        assert!((0..400).all(|tick| !trap.is_in(&at(tick, 0.2 * f64::from(tick)), false)));
        assert!((400..800).all(|tick| !trap.is_in(&at(tick, 0.0), true)));
    }
}
