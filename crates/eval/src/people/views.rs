//! Still views and bursts of turning, at 20 Hz.
//!
//! A view is still while it turns by less than 0.05 degrees in 50 ms. A burst is what lies between two still moments; its size is how
//! far the view has turned from its beginning to its end, left and right taken against each other. Bursts of less than 0.3 degrees are
//! the hand on the mouse, not a turn.
//!
//! [`crate::signature::habits`] measures all recordings at 10 Hz and adds up both ways: there turns that follow each other closely are
//! one burst, and larger.

use serde::Serialize;

use super::series::{PERIOD_SECS, Sample};
use crate::signature::habits::STILL_DEG;
use crate::signature::wrap_deg;

/// Smaller bursts do not count.
const LEAST_DEG: f64 = 0.3;

/// Sums; people can be added to each other.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Views {
    steps: u64,
    still: u64,
    bursts: u64,
    turned_deg: f64,
}

/// What the sums say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct ViewFigures {
    /// Share of moments in which the view is still.
    pub still: f64,
    /// Bursts per minute.
    pub bursts_per_minute: f64,
    /// How far a burst turns, on average.
    pub burst_deg: f64,
}

impl Views {
    /// Adds a person's samples.
    pub fn add(&mut self, samples: &[Option<Sample>]) {
        let mut burst: Option<f64> = None;
        for pair in samples.windows(2) {
            let (Some(now), Some(next)) = (&pair[0], &pair[1]) else {
                burst = None;
                continue;
            };
            let turn = wrap_deg(f64::from(next.keys.yaw_deg) - f64::from(now.keys.yaw_deg));
            self.steps += 1;
            if turn.abs() >= STILL_DEG {
                burst = Some(burst.unwrap_or(0.0) + turn);
                continue;
            }
            self.still += 1;
            if let Some(size) = burst.take().map(f64::abs).filter(|&size| size >= LEAST_DEG) {
                self.bursts += 1;
                self.turned_deg += size;
            }
        }
    }

    /// Adds another's.
    pub fn merge(&mut self, other: &Views) {
        self.steps += other.steps;
        self.still += other.still;
        self.bursts += other.bursts;
        self.turned_deg += other.turned_deg;
    }

    /// The figures.
    pub fn figures(&self) -> ViewFigures {
        let minutes = self.steps as f64 * PERIOD_SECS / 60.0;
        ViewFigures {
            still: self.still as f64 / self.steps.max(1) as f64,
            bursts_per_minute: if minutes > 0.0 { self.bursts as f64 / minutes } else { 0.0 },
            burst_deg: self.turned_deg / self.bursts.max(1) as f64,
        }
    }
}

#[cfg(test)]
mod tests {
    use repertoire_trace::play::Keys;

    use super::*;

    #[test]
    fn a_burst_counts_from_its_beginning_to_its_end() {
        // Once a second: 0.4 s of turning, 30 degrees to the left and 6 back.
        let mut yaw = 0.0_f32;
        let samples: Vec<Option<Sample>> = (0..=1200)
            .map(|k| {
                yaw += match k % 20 {
                    1..=5 => 6.0,
                    6..=8 => -2.0,
                    _ => 0.0,
                };
                let keys = Keys { yaw_deg: yaw, ..Keys::default() };
                Some(Sample { at: [0.0; 3], velocity: None, keys, fires: false, seen: Vec::new() })
            })
            .collect();
        let mut views = Views::default();
        views.add(&samples);
        let found = views.figures();
        assert!((found.still - 0.6).abs() < 1e-3, "{found:?}");
        assert!(
            (found.bursts_per_minute - 60.0).abs() < 0.1 && (found.burst_deg - 24.0).abs() < 0.01,
            "{found:?}"
        );
    }
}
