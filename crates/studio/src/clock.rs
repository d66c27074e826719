//! The one place of the studio that looks at the clock: to know when the next tick is due, never what happens in it.

use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// Time since the first call.
#[allow(
    clippy::disallowed_methods,
    reason = "a match that is watched runs at the speed of its clock; what happens in it does not depend on it"
)]
pub fn now() -> Duration {
    static START: OnceLock<Instant> = OnceLock::new();
    START.get_or_init(Instant::now).elapsed()
}

/// How late ticks were, for the figures of a load test: a histogram in tenths of a millisecond.
#[derive(Clone, Debug)]
pub struct Lateness {
    counts: Vec<u64>,
    total: u64,
}

impl Default for Lateness {
    fn default() -> Self {
        Lateness { counts: vec![0; Self::CELLS], total: 0 }
    }
}

impl Lateness {
    const CELLS: usize = 2000;

    /// A tick that was due then began now.
    pub fn note(&mut self, late: Duration) {
        let cell = (late.as_micros() / 100) as usize;
        self.counts[cell.min(Self::CELLS - 1)] += 1;
        self.total += 1;
    }

    /// Ticks so far.
    pub fn ticks(&self) -> u64 {
        self.total
    }

    /// The lateness that a share of ticks does not exceed, in milliseconds.
    pub fn quantile_ms(&self, share: f64) -> f64 {
        let wanted = (share * self.total as f64).ceil() as u64;
        let mut seen = 0;
        for (cell, count) in self.counts.iter().enumerate() {
            seen += count;
            if seen >= wanted {
                return (cell + 1) as f64 / 10.0;
            }
        }
        0.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ninety_nine_of_a_hundred_are_within_the_quantile() {
        let mut late = Lateness::default();
        (0..99).for_each(|_| late.note(Duration::from_micros(450)));
        late.note(Duration::from_millis(40));
        assert_eq!((late.ticks(), late.quantile_ms(0.99), late.quantile_ms(1.0)), (100, 0.5, 40.1));
    }
}
