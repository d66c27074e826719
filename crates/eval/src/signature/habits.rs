//! What makes somebody's movement theirs: still views and bursts of turning, strafing, stops, jumps.
//!
//! Signatures tell that people and bots differ; these numbers tell in what. All are measured at 10 Hz on the same moments.

use serde::{Deserialize, Serialize};

use super::{Moment, PERIOD_SECS, follows, heading, wrap_deg};

/// What counts as what. Lengths are in the units of the positions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measure {
    /// Slower than this is standing, in units a second, for directions.
    pub standing: f64,
    /// Slower than this is a stop.
    pub stopped: f64,
    /// How fast falling grows faster, in units a second squared; a jump is rising under it.
    pub gravity: f64,
}

impl Measure {
    /// For a world with this many units per metre: Unreal Tournament's speeds and gravity.
    pub fn in_units(per_metre: f64) -> Self {
        Measure { standing: 0.02 * per_metre, stopped: 0.4 * per_metre, gravity: 19.0 * per_metre }
    }
}

/// A turn smaller than this is none: recordings hold a tenth of a degree.
pub const STILL_DEG: f64 = 0.05;

/// Habits of movement.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Habits {
    /// Seconds that were measured.
    pub seconds: f64,
    /// The share of moments in which the view does not turn at all.
    pub view_still: f64,
    /// How long the view is still at a time, on average.
    pub still_secs: f64,
    /// Bursts of turning a minute: turning between two still moments.
    pub bursts_per_minute: f64,
    /// How long a burst lasts, on average.
    pub burst_secs: f64,
    /// How far a burst turns, adding up both ways, on average.
    pub burst_deg: f64,
    /// How fast the view turns while it turns, on average.
    pub turning_deg_per_sec: f64,
    /// The share of the movement that is sideways: 45 to 135 degrees from where one faces.
    pub strafing: f64,
    /// The share of the movement that is backwards.
    pub backwards: f64,
    /// The share of moments in which one stands.
    pub stopped: f64,
    /// Stops a minute.
    pub stops_per_minute: f64,
    /// Jumps a minute.
    pub jumps_per_minute: f64,
}

/// Sums from which habits follow; recordings can be added to each other.
///
/// ```
/// use repertoire_eval::signature::Moment;
/// use repertoire_eval::signature::habits::{Measure, Tally};
///
/// // Ten seconds of walking sideways.
/// let walk = |k: u32| Moment { secs: f64::from(k) * 0.1, at: [0.0, f64::from(k), 0.0], yaw_deg: 0.0, life: 1 };
/// let mut tally = Tally::default();
/// tally.add(&(0..101).map(walk).collect::<Vec<_>>(), Measure::in_units(1.0));
/// let habits = tally.habits();
/// assert_eq!((habits.strafing, habits.stopped, habits.view_still), (1.0, 0.0, 1.0));
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Tally {
    pairs: u64,
    still: u64,
    still_runs: u64,
    bursts: u64,
    turned_deg: f64,
    moving: u64,
    strafing: u64,
    backwards: u64,
    stopped: u64,
    stops: u64,
    jumps: u64,
}

impl Tally {
    /// Adds moments that are a period apart.
    pub fn add(&mut self, moments: &[Moment], measure: Measure) {
        let mut last: Option<(bool, bool)> = None;
        for pair in moments.windows(2) {
            let (now, next) = (&pair[0], &pair[1]);
            if !follows(now, next) {
                last = None;
                continue;
            }
            self.pairs += 1;
            let turn = wrap_deg(next.yaw_deg - now.yaw_deg).abs();
            let is_still = turn < STILL_DEG;
            let is_stopped = heading(now, next, measure.stopped).is_none();
            self.turned_deg += if is_still { 0.0 } else { turn };
            self.still += u64::from(is_still);
            self.stopped += u64::from(is_stopped);
            let (was_still, was_stopped) = last.map_or((None, None), |(a, b)| (Some(a), Some(b)));
            self.still_runs += u64::from(is_still && was_still != Some(true));
            self.bursts += u64::from(!is_still && was_still != Some(false));
            self.stops += u64::from(is_stopped && was_stopped == Some(false));
            last = Some((is_still, is_stopped));
            if let Some(direction) = heading(now, next, measure.standing) {
                let aside = wrap_deg(direction - now.yaw_deg).abs();
                self.moving += 1;
                self.strafing += u64::from((45.0..135.0).contains(&aside));
                self.backwards += u64::from(aside >= 135.0);
            }
        }
        self.jumps += jumps(moments, measure.gravity);
    }

    /// Adds another's sums.
    pub fn merge(&mut self, other: &Tally) {
        self.pairs += other.pairs;
        self.still += other.still;
        self.still_runs += other.still_runs;
        self.bursts += other.bursts;
        self.turned_deg += other.turned_deg;
        self.moving += other.moving;
        self.strafing += other.strafing;
        self.backwards += other.backwards;
        self.stopped += other.stopped;
        self.stops += other.stops;
        self.jumps += other.jumps;
    }

    /// The habits so far.
    pub fn habits(&self) -> Habits {
        let share = |part: u64, of: u64| if of == 0 { 0.0 } else { part as f64 / of as f64 };
        let seconds = self.pairs as f64 * PERIOD_SECS;
        let per_minute = |count: u64| if seconds > 0.0 { 60.0 * count as f64 / seconds } else { 0.0 };
        let turning = self.pairs - self.still;
        Habits {
            seconds,
            view_still: share(self.still, self.pairs),
            still_secs: PERIOD_SECS * share(self.still, self.still_runs),
            bursts_per_minute: per_minute(self.bursts),
            burst_secs: PERIOD_SECS * share(turning, self.bursts),
            burst_deg: if self.bursts == 0 { 0.0 } else { self.turned_deg / self.bursts as f64 },
            turning_deg_per_sec: if turning == 0 {
                0.0
            } else {
                self.turned_deg / (turning as f64 * PERIOD_SECS)
            },
            strafing: share(self.strafing, self.moving),
            backwards: share(self.backwards, self.moving),
            stopped: share(self.stopped, self.pairs),
            stops_per_minute: per_minute(self.stops),
            jumps_per_minute: per_minute(self.jumps),
        }
    }
}

/// How often somebody rises and is slowed by gravity alone: not by stairs, slopes or lifts, which do not slow anyone so.
fn jumps(moments: &[Moment], gravity: f64) -> u64 {
    let pull = gravity * PERIOD_SECS * PERIOD_SECS;
    let (mut count, mut in_air) = (0, 0);
    for three in moments.windows(3) {
        let [a, b, c] = [&three[0], &three[1], &three[2]];
        let is_free = follows(a, b) && follows(b, c) && {
            let slowed = (b.at[2] - a.at[2]) - (c.at[2] - b.at[2]);
            (slowed - pull).abs() < 0.35 * pull
        };
        let rises = b.at[2] - a.at[2] > pull;
        // Two moments in a row under gravity, the first while rising: a jump began.
        in_air = if is_free && (in_air > 0 || rises) { in_air + 1 } else { 0 };
        count += u64::from(in_air == 2);
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;

    const MEASURE: Measure = Measure { standing: 0.02, stopped: 0.4, gravity: 19.0 };

    fn walk(steps: usize, each: impl Fn(usize) -> ([f64; 3], f64)) -> Vec<Moment> {
        (0..steps)
            .map(|k| {
                let (at, yaw_deg) = each(k);
                Moment { secs: 0.1 * k as f64, at, yaw_deg, life: 1 }
            })
            .collect()
    }

    fn habits(moments: &[Moment]) -> Habits {
        let mut tally = Tally::default();
        tally.add(moments, MEASURE);
        tally.habits()
    }

    #[test]
    fn still_views_and_bursts_are_counted() {
        // Ten moments still, then five of 8 degrees each, four times over.
        let found = habits(&walk(61, |k| {
            let (rounds, rest) = (k / 15, k % 15);
            ([k as f64, 0.0, 0.0], 40.0 * rounds as f64 + 8.0 * rest.saturating_sub(10) as f64)
        }));
        assert!((found.view_still - 40.0 / 60.0).abs() < 1e-12, "{found:?}");
        assert!((found.still_secs - 1.0).abs() < 1e-9 && (found.burst_secs - 0.5).abs() < 1e-9, "{found:?}");
        assert!((found.burst_deg - 40.0).abs() < 1e-9 && (found.bursts_per_minute - 40.0).abs() < 1e-9);
        assert!((found.turning_deg_per_sec - 80.0).abs() < 1e-6);
    }

    #[test]
    fn strafing_walking_backwards_and_stops_are_told_apart() {
        let found = habits(&walk(41, |k| match k {
            0..10 => ([k as f64, 0.0, 0.0], 0.0),
            10..20 => ([10.0, k as f64 - 10.0, 0.0], 0.0),
            20..30 => ([10.0 - (k as f64 - 20.0), 10.0, 0.0], 0.0),
            _ => ([0.0, 10.0, 0.0], 0.0),
        }));
        assert!((found.strafing - 10.0 / 30.0).abs() < 1e-9, "{found:?}");
        assert!((found.backwards - 10.0 / 30.0).abs() < 1e-9, "{found:?}");
        assert!((found.stopped - 0.25).abs() < 1e-9 && (found.stops_per_minute - 15.0).abs() < 1e-9);
    }

    #[test]
    fn a_jump_is_rising_under_gravity_and_not_a_staircase_or_a_fall() {
        let flight = |t: f64| (6.8 * t - 9.5 * t * t).max(0.0);
        let jumping = walk(100, |k| ([k as f64, 0.0, flight((k % 20) as f64 * 0.1)], 0.0));
        assert!(
            (habits(&jumping).jumps_per_minute - 5.0 * 600.0 / 99.0).abs() < 1e-9,
            "{:?}",
            habits(&jumping)
        );
        let stairs = walk(100, |k| ([k as f64, 0.0, 0.5 * k as f64], 0.0));
        assert_eq!(habits(&stairs).jumps_per_minute, 0.0);
        let falling = walk(10, |k| ([k as f64, 0.0, -9.5 * (0.1 * k as f64) * (0.1 * k as f64)], 0.0));
        assert_eq!(habits(&falling).jumps_per_minute, 0.0);
    }

    #[test]
    fn of_nothing_there_are_no_habits() {
        assert_eq!(habits(&[]), Habits::default());
    }
}
