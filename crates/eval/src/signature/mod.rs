//! Signatures: how a player moves, as three histograms of angles (Tencé 2011, section 4.4.3.2).
//!
//! At 10 Hz, with `D` where the player faces and `V` how they move, seen from above (figure 4.32):
//!
//! | signature                | angle                 |
//! |--------------------------|-----------------------|
//! | velocity to facing       | from `D^t` to `V^t`   |
//! | change of facing         | from `D^t` to `D^t+1` |
//! | change of velocity       | from `V^t` to `V^t+1` |
//!
//! Two players are as far apart as one histogram must be carried to become the other, on the circle ([`emd`]), and a picture
//! of many players lays them out so that these distances show ([`mds`]). [`habits`] tells in words what makes people's
//! movement theirs.
//!
//! Differs from the paper: the histograms are of the moments that have the angle, so that each sums to 1 (somebody who
//! stands still has no velocity; the paper divides by all moments). 36 bins, the first centred on 0, where the paper does not say.
//! `V^t` is where they are a tenth of a second later, minus where they are, since recordings of people hold positions only.

pub mod emd;
pub mod habits;
pub mod mds;
mod report;

use std::f64::consts::PI;

use repertoire_prob::num::atan2;
pub use repertoire_trace::movement::Moment;
pub use report::{
    LeftOut, NearestOther, NoSignature, Pairs, SignatureOf, SignatureReport, SignatureSettings, Signed, Three,
};
use serde::{Deserialize, Serialize};

/// Bins of a signature, each [`BIN_DEG`] wide; the first is centred on 0, angles grow to the left.
pub const BINS: usize = 36;

/// The width of a bin.
pub const BIN_DEG: f64 = 360.0 / BINS as f64;

/// Moments are this far apart.
pub const PERIOD_SECS: f64 = 0.1;

/// The three histograms.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Signature {
    /// From facing to velocity.
    pub velocity_to_facing: Vec<f64>,
    /// From facing to facing a moment later.
    pub facing_change: Vec<f64>,
    /// From velocity to velocity a moment later.
    pub velocity_change: Vec<f64>,
}

/// The names of the three, as in files.
pub const NAMES: [&str; 3] = ["velocity_to_facing", "facing_change", "velocity_change"];

impl Signature {
    /// The three in the order of [`NAMES`].
    pub fn all(&self) -> [&[f64]; 3] {
        [&self.velocity_to_facing, &self.facing_change, &self.velocity_change]
    }

    /// How far apart two players are, in degrees, in the order of [`NAMES`].
    pub fn distances_deg(&self, other: &Signature) -> [f64; 3] {
        let (own, others) = (self.all(), other.all());
        [0, 1, 2].map(|k| BIN_DEG * emd::circular(own[k], others[k]))
    }
}

/// Counts of the three angles, to which moments can be added.
///
/// ```
/// use repertoire_eval::signature::{AngleCounts, Moment};
///
/// // Somebody walks north and faces east: the velocity is 90 degrees to the left of the facing.
/// let walk = |k: u32| Moment { secs: f64::from(k) * 0.1, at: [0.0, f64::from(k), 0.0], yaw_deg: 0.0, life: 1 };
/// let mut counts = AngleCounts::new(0.02);
/// counts.add(&[0, 1, 2, 3].map(walk));
/// let signature = counts.signature().expect("they moved");
/// assert_eq!(signature.velocity_to_facing[9], 1.0); // the bin of 90 degrees
/// assert_eq!(signature.distances_deg(&signature), [0.0; 3]);
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AngleCounts {
    #[serde(with = "as_lists")]
    counts: [[u64; BINS]; 3],
    /// Slower than this is standing, in units a second.
    standing: f64,
}

/// Serde writes arrays of up to 32.
mod as_lists {
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use super::BINS;

    pub fn serialize<S: Serializer>(counts: &[[u64; BINS]; 3], serializer: S) -> Result<S::Ok, S::Error> {
        counts.each_ref().map(<[u64; BINS]>::as_slice).serialize(serializer)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<[[u64; BINS]; 3], D::Error> {
        let lists: [Vec<u64>; 3] = Deserialize::deserialize(deserializer)?;
        let mut counts = [[0; BINS]; 3];
        for (counts, list) in counts.iter_mut().zip(&lists) {
            *counts = list[..].try_into().map_err(|_| D::Error::custom(format!("not {BINS} bins")))?;
        }
        Ok(counts)
    }
}

impl AngleCounts {
    /// Nothing yet. Slower than `standing`, in units per second, is standing, which has no direction.
    pub fn new(standing: f64) -> Self {
        AngleCounts { counts: [[0; BINS]; 3], standing }
    }

    /// Adds moments that are [`PERIOD_SECS`] apart; see [`sampled`].
    pub fn add(&mut self, moments: &[Moment]) {
        let mut before: Option<f64> = None;
        for pair in moments.windows(2) {
            let (now, next) = (pair[0], pair[1]);
            if !follows(&now, &next) {
                before = None;
                continue;
            }
            self.note(1, next.yaw_deg - now.yaw_deg);
            let velocity = heading(&now, &next, self.standing);
            if let Some(velocity) = velocity {
                self.note(0, velocity - now.yaw_deg);
                if let Some(before) = before {
                    self.note(2, velocity - before);
                }
            }
            before = velocity;
        }
    }

    /// Adds another's counts.
    pub fn merge(&mut self, other: &AngleCounts) {
        for (own, others) in self.counts.iter_mut().flatten().zip(other.counts.iter().flatten()) {
            *own += others;
        }
    }

    /// The angles as words, one for each: which of the three it is, and its bin. For [`crate::identify`].
    pub fn words(&self) -> Vec<String> {
        let bins = NAMES.iter().zip(&self.counts).flat_map(|(name, counts)| {
            counts.iter().enumerate().map(move |(bin, &count)| (format!("{name} {bin}"), count))
        });
        bins.flat_map(|(word, count)| std::iter::repeat_n(word, count as usize)).collect()
    }

    fn note(&mut self, which: usize, angle_deg: f64) {
        let bin = ((wrap_deg(angle_deg) + BIN_DEG / 2.0) / BIN_DEG).floor() as i64;
        self.counts[which][bin.rem_euclid(BINS as i64) as usize] += 1;
    }

    /// The histograms; `None` while one of them is empty.
    pub fn signature(&self) -> Option<Signature> {
        let share = |counts: &[u64; BINS]| {
            let total: u64 = counts.iter().sum();
            (total > 0).then(|| counts.iter().map(|&n| n as f64 / total as f64).collect::<Vec<f64>>())
        };
        let [velocity_to_facing, facing_change, velocity_change] = &self.counts;
        Some(Signature {
            velocity_to_facing: share(velocity_to_facing)?,
            facing_change: share(facing_change)?,
            velocity_change: share(velocity_change)?,
        })
    }
}

/// Whether one moment follows another: the same life, a period later, give or take half of it.
pub fn follows(now: &Moment, next: &Moment) -> bool {
    let taken = next.secs - now.secs;
    now.life == next.life && taken > 0.5 * PERIOD_SECS && taken < 1.5 * PERIOD_SECS
}

/// Where somebody moves, seen from above, in degrees; `None` if they stand.
pub fn heading(now: &Moment, next: &Moment, standing: f64) -> Option<f64> {
    let (x, y) = (next.at[0] - now.at[0], next.at[1] - now.at[1]);
    let speed = (x * x + y * y).sqrt() / (next.secs - now.secs);
    (speed > standing).then(|| atan2(y, x) * 180.0 / PI)
}

/// An angle from -180 to 180 degrees.
pub fn wrap_deg(angle: f64) -> f64 {
    let turned = (angle + 180.0) / 360.0;
    360.0 * (turned - turned.floor()) - 180.0
}

/// One moment every [`PERIOD_SECS`]: of a faster recording the first in each period is kept. `None` if the recording is
/// slower, since changes over longer times would not compare.
pub fn sampled(moments: &[Moment]) -> Option<Vec<Moment>> {
    let mut steps: Vec<f64> =
        moments.windows(2).map(|pair| pair[1].secs - pair[0].secs).filter(|&step| step > 0.0).collect();
    steps.sort_unstable_by(f64::total_cmp);
    if steps.get(steps.len() / 2).is_some_and(|&usual| usual > 1.2 * PERIOD_SECS) {
        return None;
    }
    let mut kept: Vec<Moment> = Vec::new();
    let mut due = f64::NEG_INFINITY;
    for moment in moments {
        let is_new_life = kept.last().is_none_or(|last| last.life != moment.life || moment.secs < last.secs);
        if is_new_life || moment.secs >= due - 1e-6 {
            // The grid goes on from where it was, unless there was a pause.
            let late = is_new_life || moment.secs > due + PERIOD_SECS;
            due = if late { moment.secs } else { due } + PERIOD_SECS;
            kept.push(*moment);
        }
    }
    Some(kept)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moments(of: &[(f64, f64, f64)]) -> Vec<Moment> {
        of.iter()
            .enumerate()
            .map(|(k, &(x, y, yaw_deg))| Moment { secs: 0.1 * k as f64, at: [x, y, 0.0], yaw_deg, life: 1 })
            .collect()
    }

    fn signature(moments: &[Moment]) -> Signature {
        let mut counts = AngleCounts::new(0.0);
        counts.add(moments);
        counts.signature().expect("he moved")
    }

    #[test]
    fn the_three_angles_are_those_of_figure_4_32() {
        // Walks north while facing east, then turns 20 degrees left and walks west.
        let found =
            signature(&moments(&[(0.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 2.0, 20.0), (-1.0, 2.0, 20.0)]));
        let bins = |histogram: &[f64]| {
            let filled = histogram.iter().enumerate().filter(|(_, p)| **p > 0.0);
            filled.map(|(bin, &p)| (bin, (p * 6.0).round() as u32)).collect::<Vec<_>>()
        };
        // 90, 90 and 180 - 20 degrees.
        assert_eq!(bins(&found.velocity_to_facing), [(9, 4), (16, 2)]);
        // 0, 20 and 0.
        assert_eq!(bins(&found.facing_change), [(0, 4), (2, 2)]);
        // 0 and 90.
        assert_eq!(bins(&found.velocity_change), [(0, 3), (9, 3)]);
    }

    #[test]
    fn the_first_bin_is_centred_on_zero_and_the_circle_closes() {
        let mut counts = AngleCounts::new(0.0);
        for angle in [-4.9, 4.9, 359.0, -361.0] {
            counts.note(0, angle);
        }
        assert_eq!(counts.counts[0][0], 4);
        for angle in [180.0, -180.0, 175.1, -175.1, 540.0] {
            counts.note(1, angle);
        }
        assert_eq!(counts.counts[1][18], 5);
        counts.note(2, -5.1);
        assert_eq!(counts.counts[2][35], 1);
    }

    #[test]
    fn nothing_is_measured_across_lives_and_pauses_and_who_stands_has_no_velocity() {
        let mut of = moments(&[(0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (9.0, 9.0, 90.0), (9.0, 9.0, 90.0)]);
        of[2].life = 2;
        of[3].life = 2;
        let mut counts = AngleCounts::new(0.0);
        counts.add(&of);
        assert_eq!(counts.counts[1].iter().sum::<u64>(), 2);
        assert_eq!(counts.counts[0].iter().sum::<u64>(), 1);
        assert_eq!(counts.signature(), None, "there is no change of velocity");
        of[2].life = 1;
        of[3].life = 1;
        of[2].secs += 7.0;
        of[3].secs += 7.0;
        let mut paused = AngleCounts::new(0.0);
        paused.add(&of);
        assert_eq!(paused.counts, counts.counts);
    }

    #[test]
    fn a_faster_recording_is_thinned_and_a_slower_one_refused() {
        let at = |hz: u32| {
            (0..hz * 10)
                .map(|k| Moment { secs: f64::from(k) / f64::from(hz), at: [0.0; 3], yaw_deg: 0.0, life: 1 })
                .collect::<Vec<_>>()
        };
        assert_eq!(sampled(&at(10)).map(|kept| kept.len()), Some(100));
        assert_eq!(sampled(&at(35)).map(|kept| kept.len()), Some(100));
        assert_eq!(sampled(&at(5)), None);
        let thinned = sampled(&at(35)).expect("fast enough");
        assert!(thinned.windows(2).all(|pair| follows(&pair[0], &pair[1])));
    }
}
