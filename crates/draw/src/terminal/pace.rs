//! How fast a match is shown: time passes in whole decisions, and the clock only says when the next one is due.

use std::fmt;

/// The slowest speed, in seconds of the game per second.
pub const SLOWEST: f64 = 0.1;
/// The fastest speed.
pub const FASTEST: f64 = 64.0;
/// No eye needs more frames.
const FRAME_SECS: f64 = 1.0 / 30.0;
/// The longest wait between looks at the clock.
const LONGEST_WAIT_SECS: f64 = 0.25;

/// How fast the game goes, and how much of it is due.
#[derive(Clone, Debug)]
pub struct Pace {
    speed: f64,
    /// Nothing is due while this is set.
    pub is_paused: bool,
    owed_secs: f64,
}

impl Pace {
    /// This many seconds of the game per second, held between [`SLOWEST`] and [`FASTEST`].
    pub fn new(speed: f64) -> Self {
        Pace { speed: speed.clamp(SLOWEST, FASTEST), is_paused: false, owed_secs: 0.0 }
    }

    /// Multiplies the speed, within its limits.
    pub fn change(&mut self, times: f64) {
        self.speed = (self.speed * times).clamp(SLOWEST, FASTEST);
    }

    /// How many decisions are due after this much time, each of them `period_secs` of the game.
    pub fn due(&mut self, passed_ns: u64, period_secs: f64) -> u32 {
        if self.is_paused {
            self.owed_secs = 0.0;
            return 0;
        }
        // A machine that was asleep owes nothing.
        let passed_secs = (passed_ns as f64 / 1e9).min(LONGEST_WAIT_SECS);
        self.owed_secs += passed_secs * self.speed;
        let due = (self.owed_secs / period_secs).floor();
        self.owed_secs -= due * period_secs;
        due as u32
    }

    /// How long to wait for a key: until the next decision is due, or the next frame.
    pub fn wait_secs(&self, period_secs: f64) -> f64 {
        if self.is_paused {
            return LONGEST_WAIT_SECS;
        }
        ((period_secs - self.owed_secs) / self.speed).clamp(FRAME_SECS, LONGEST_WAIT_SECS)
    }
}

impl fmt::Display for Pace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.speed, if self.is_paused { "  paused" } else { "" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_speed_is_kept_over_uneven_frames() {
        let mut pace = Pace::new(2.0);
        let frames_ms = [33, 41, 7, 100, 19].into_iter().cycle().take(51);
        let due: u32 = frames_ms.map(|ms| pace.due(ms * 1_000_000, 0.1)).sum();
        assert_eq!(due, 40, "2.033 s at twice the speed");
        assert!((5..=6).contains(&pace.due(3_600_000_000_000, 0.1)), "after a sleep it goes on as before");
        pace.is_paused = true;
        assert_eq!(pace.due(1_000_000_000, 0.1), 0);
        pace.is_paused = false;
        assert_eq!(pace.due(0, 0.1), 0, "a pause owes nothing");
    }
}
