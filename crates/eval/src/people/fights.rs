//! How people see, aim and react: from samples with lines of sight.
//!
//! Reaction: nobody in a free line of sight for 1 s; then an enemy within 50 degrees of the view and more than 8 off it. The onset is the
//! first time that the speed of turning towards them crosses the person's own 80th percentile of it (at least 15 degrees per
//! second) in a movement of more than 5 degrees. Such movements begin all the time; their rate in the half second before the sighting is a
//! competing hazard `h`. What is reported is the share that begins by the hazard that is left, `max(0, d(t) / n(t) - h)` with `d`
//! onsets among `n` who have not begun (Kaplan and Meier): hazards are not negative, so a moment with fewer onsets than usual takes
//! nothing back.
//!
//! Looking back: an enemy who was in view for 0.2 s is lost from sight, more than 10 degrees off the view. Counted is whether the view
//! comes within 10 degrees of the direction of the place within 1 s; the control is the place mirrored at the view.

use serde::Serialize;

use super::series::{PERIOD_SECS, Sample, Series, direction_deg};
use crate::signature::wrap_deg;

const NOBODY: usize = 20;
const LONGEST: usize = 30;

/// What one person's series add up to.
#[derive(Clone, Debug, Default)]
pub struct Fights {
    aim_deg: Vec<f64>,
    aim_firing_deg: Vec<f64>,
    /// Samples until the onset, or until nothing more is known.
    onsets: Vec<(usize, bool)>,
    turning_already: usize,
    onsets_before: usize,
    before_secs: f64,
    fire_secs: Vec<f64>,
    losses: usize,
    regained: usize,
    lost_aside: usize,
    looked_back: usize,
    looked_mirrored: usize,
}

/// What people do in fights. `None` where too little was seen.
#[derive(Clone, Debug, Default, Serialize)]
pub struct FightFigures {
    /// Samples with an enemy in view.
    pub samples_in_view: usize,
    /// From the view to the nearest enemy in view, in degrees, median.
    pub aim_deg: Option<f64>,
    /// The same while firing.
    pub aim_firing_deg: Option<f64>,
    /// Enemies who came into view.
    pub sightings: usize,
    /// Share of those at whom the view was turning already.
    pub turning_already: Option<f64>,
    /// Seconds until the view starts to turn towards them: quartiles and median.
    pub reaction_secs: Option<[f64; 3]>,
    /// Share that has begun to turn by each 50 ms after the sighting, without the movements that would have begun anyway.
    pub reaction_curve: Vec<f64>,
    /// Movements towards somebody that begin per second just before they are seen.
    pub false_alarms_per_sec: Option<f64>,
    /// Seconds until fire: quartiles and median.
    pub fire_secs: Option<[f64; 3]>,
    /// Enemies lost from sight.
    pub losses: usize,
    /// Share who are in sight again within 2 s.
    pub regained: Option<f64>,
    /// Share of those lost aside at whom the view looks back within 1 s.
    pub looked_back: Option<f64>,
    /// The same for the mirrored place.
    pub looked_mirrored: Option<f64>,
}

fn quantile(sorted: &[f64], share: f64) -> Option<f64> {
    sorted.get(((sorted.len() as f64 * share) as usize).min(sorted.len().checked_sub(1)?)).copied()
}

fn sorted(values: &[f64]) -> Vec<f64> {
    let mut values = values.to_vec();
    values.sort_by(f64::total_cmp);
    values
}

/// The yaw's speed, in degrees per second.
fn turn(samples: &[Option<Sample>], k: usize) -> Option<f64> {
    let (now, next) = (samples.get(k)?.as_ref()?, samples.get(k + 1)?.as_ref()?);
    Some(wrap_deg(f64::from(next.keys.yaw_deg) - f64::from(now.keys.yaw_deg)) / PERIOD_SECS)
}

/// Whether a movement of more than 5 degrees in a direction begins at a sample by crossing a speed.
fn begins(samples: &[Option<Sample>], k: usize, sign: f64, speed: f64) -> Option<bool> {
    let before = sign * turn(samples, k.checked_sub(1)?)?;
    if before >= speed || sign * turn(samples, k)? < speed {
        return Some(false);
    }
    let mut turned = 0.0;
    for step in k..k + 20 {
        match turn(samples, step).map(|turn| sign * turn) {
            Some(turn) if turn > 0.0 => turned += turn * PERIOD_SECS,
            _ => break,
        }
    }
    Some(turned > 5.0)
}

impl Fights {
    /// Adds a match.
    pub fn add(&mut self, series: &Series) {
        if !series.has_sight {
            return;
        }
        let samples = &series.samples;
        self.aim(samples);
        let speed = self.own_speed(samples);
        for k in NOBODY..samples.len() {
            self.sighting(samples, k, speed);
        }
        self.losses(samples);
    }

    fn aim(&mut self, samples: &[Option<Sample>]) {
        for sample in samples.iter().flatten() {
            let off = sample.seen.iter().map(|seen| seen.off_deg).min_by(f64::total_cmp);
            if let Some(off) = off.filter(|&off| off <= 45.0) {
                self.aim_deg.push(off);
                if sample.fires {
                    self.aim_firing_deg.push(off);
                }
            }
        }
    }

    /// The 80th percentile of turning towards enemies who are in sight and off the view.
    fn own_speed(&self, samples: &[Option<Sample>]) -> f64 {
        let mut speeds = Vec::new();
        for (k, sample) in samples.iter().enumerate() {
            let Some(seen) = sample.as_ref().and_then(|sample| sample.seen.first()) else { continue };
            if let Some(turn) = turn(samples, k).filter(|_| (8.0..50.0).contains(&seen.bearing_deg.abs())) {
                speeds.push(turn * seen.bearing_deg.signum());
            }
        }
        quantile(&sorted(&speeds), 0.8).unwrap_or(0.0).max(15.0)
    }

    fn sighting(&mut self, samples: &[Option<Sample>], k: usize, speed: f64) {
        let Some(now) = &samples[k] else { return };
        let is_nobody =
            |sample: &Option<Sample>| sample.as_ref().is_some_and(|sample| sample.seen.is_empty());
        let Some(seen) = now.seen.first() else { return };
        if !samples[k - NOBODY..k].iter().all(is_nobody) || !(8.0..50.0).contains(&seen.bearing_deg.abs()) {
            return;
        }
        let sign = seen.bearing_deg.signum();
        for before in k - NOBODY / 2..k {
            self.onsets_before += usize::from(begins(samples, before, sign, speed) == Some(true));
            self.before_secs += PERIOD_SECS;
        }
        let was_firing = samples[k - NOBODY / 2..=k].iter().flatten().any(|sample| sample.fires);
        if !was_firing
            && let Some(fire) = (k..k + 40)
                .find(|&at| samples.get(at).is_some_and(|one| one.as_ref().is_some_and(|one| one.fires)))
        {
            self.fire_secs.push((fire - k) as f64 * PERIOD_SECS);
        }
        if turn(samples, k - 1).is_some_and(|turn| sign * turn >= speed) {
            self.turning_already += 1;
            return;
        }
        let end = (0..LONGEST).find_map(|late| match begins(samples, k + late, sign, speed) {
            Some(true) => Some((late, true)),
            Some(false) => None,
            None => Some((late, false)),
        });
        self.onsets.push(end.unwrap_or((LONGEST, false)));
    }

    fn losses(&mut self, samples: &[Option<Sample>]) {
        for k in 4..samples.len().saturating_sub(1) {
            let (Some(before), Some(now)) = (&samples[k - 1], &samples[k]) else { continue };
            for lost in &before.seen {
                let sees = |at: usize| {
                    let sample = samples.get(at).and_then(Option::as_ref);
                    sample.is_some_and(|sample| sample.seen.iter().any(|seen| seen.player == lost.player))
                };
                if sees(k) || sees(k + 1) || !(k - 4..k).all(sees) {
                    continue;
                }
                self.losses += 1;
                self.regained += usize::from((k + 2..k + 40).any(sees));
                let aside = wrap_deg(direction_deg(now.at, lost.at) - f64::from(now.keys.yaw_deg));
                if !(10.0..120.0).contains(&aside.abs()) {
                    continue;
                }
                self.lost_aside += 1;
                let place = f64::from(now.keys.yaw_deg) + aside;
                let mirrored = f64::from(now.keys.yaw_deg) - aside;
                let looks = |target: f64| {
                    (k..k + 20).any(|at| {
                        let sample = samples.get(at).and_then(Option::as_ref);
                        sample.is_some_and(|one| wrap_deg(target - f64::from(one.keys.yaw_deg)).abs() < 10.0)
                    })
                };
                self.looked_back += usize::from(looks(place));
                self.looked_mirrored += usize::from(looks(mirrored));
            }
        }
    }

    /// Adds another's.
    pub fn merge(&mut self, other: &Fights) {
        self.aim_deg.extend(&other.aim_deg);
        self.aim_firing_deg.extend(&other.aim_firing_deg);
        self.onsets.extend(&other.onsets);
        self.fire_secs.extend(&other.fire_secs);
        self.turning_already += other.turning_already;
        self.onsets_before += other.onsets_before;
        self.before_secs += other.before_secs;
        self.losses += other.losses;
        self.regained += other.regained;
        self.lost_aside += other.lost_aside;
        self.looked_back += other.looked_back;
        self.looked_mirrored += other.looked_mirrored;
    }

    /// Share of movements that have begun by each sample, without those that would have begun anyway.
    fn begun(&self) -> Vec<f64> {
        if self.onsets.len() < 20 {
            return Vec::new();
        }
        let hazard = self.onsets_before as f64 / self.before_secs.max(PERIOD_SECS);
        let mut at_risk = self.onsets.len() as f64;
        let (mut share, mut begun) = (1.0, vec![0.0]);
        for late in 0..LONGEST {
            let here =
                |is_onset: bool| self.onsets.iter().filter(|&&one| one == (late, is_onset)).count() as f64;
            if at_risk > 0.0 {
                // What begins anyway competes; fewer than that do not count as less than none.
                share *= 1.0 - (here(true) / at_risk - hazard * PERIOD_SECS).clamp(0.0, 1.0);
            }
            at_risk -= here(true) + here(false);
            begun.push(1.0 - share);
        }
        begun
    }

    /// Seconds until the view turns: quartiles and median of those who turn.
    fn reaction(&self) -> Option<[f64; 3]> {
        let begun = self.begun();
        let all = begun.last().copied().filter(|&all| all > 0.05)?;
        Some([0.25, 0.5, 0.75].map(|wanted| {
            let k = begun.partition_point(|&share| share < wanted * all).clamp(1, LONGEST);
            let within = (wanted * all - begun[k - 1]) / (begun[k] - begun[k - 1]).max(1e-12);
            (k as f64 - 1.0 + within.clamp(0.0, 1.0)) * PERIOD_SECS
        }))
    }

    /// The figures.
    pub fn figures(&self) -> FightFigures {
        let share = |part: usize, of: usize| (of >= 10).then(|| part as f64 / of as f64);
        let fire = sorted(&self.fire_secs);
        let sightings = self.onsets.len() + self.turning_already;
        let quartile = |share: f64| quantile(&fire, share).filter(|_| fire.len() >= 10);
        FightFigures {
            samples_in_view: self.aim_deg.len(),
            aim_deg: quantile(&sorted(&self.aim_deg), 0.5),
            aim_firing_deg: quantile(&sorted(&self.aim_firing_deg), 0.5),
            sightings,
            turning_already: share(self.turning_already, sightings),
            reaction_secs: self.reaction(),
            reaction_curve: self.begun(),
            false_alarms_per_sec: (self.before_secs > 1.0)
                .then(|| self.onsets_before as f64 / self.before_secs),
            fire_secs: quartile(0.25).zip(quartile(0.5)).zip(quartile(0.75)).map(|((a, b), c)| [a, b, c]),
            losses: self.losses,
            regained: share(self.regained, self.losses),
            looked_back: share(self.looked_back, self.lost_aside),
            looked_mirrored: share(self.looked_mirrored, self.lost_aside),
        }
    }
}

#[cfg(test)]
mod tests {
    use repertoire_prob::num;
    use repertoire_trace::play::Keys;

    use super::super::series::Seen;
    use super::*;

    /// Somebody who sees an enemy 30 degrees to the left every 5 seconds for 1.5, turns to them after `late` samples, and fires.
    fn series(late: usize, encounters: usize) -> Series {
        let mut samples = Vec::new();
        let mut yaw = 0.0_f32;
        for encounter in 0..encounters {
            for k in 0..100 {
                let since = (60..90).contains(&k).then(|| k - 60);
                if since.is_some_and(|since| since >= late && since < late + 4) {
                    yaw += 7.5;
                }
                let place = 30.0 + 30.0 * encounter as f64;
                let seen = since.map(|_| {
                    let bearing_deg = wrap_deg(place - f64::from(yaw));
                    let at = [
                        (1000.0 * num::cos(place.to_radians())) as f32,
                        (1000.0 * num::sin(place.to_radians())) as f32,
                        0.0,
                    ];
                    Seen { player: 1, at, bearing_deg, off_deg: bearing_deg.abs() }
                });
                samples.push(Some(Sample {
                    at: [0.0; 3],
                    velocity: None,
                    keys: Keys { yaw_deg: yaw, ..Keys::default() },
                    fires: since.is_some_and(|since| since == late + 5),
                    seen: seen.into_iter().collect(),
                }));
            }
        }
        Series { samples, has_keys: true, has_sight: true }
    }

    #[test]
    fn a_known_reaction_is_found() {
        for late in [4, 8, 12] {
            let mut fights = Fights::default();
            fights.add(&series(late, 40));
            let figures = fights.figures();
            assert_eq!((figures.sightings, figures.turning_already), (40, Some(0.0)));
            assert_eq!(figures.false_alarms_per_sec, Some(0.0));
            let [_, median, _] = figures.reaction_secs.expect("reactions");
            let known = late as f64 * PERIOD_SECS;
            assert!((median - known).abs() <= PERIOD_SECS, "{median} for {known}");
            assert_eq!(figures.fire_secs.map(|[_, median, _]| median), Some((late + 5) as f64 * PERIOD_SECS));
        }
    }

    #[test]
    fn who_looks_at_nobody_reacts_to_nobody() {
        let mut fights = Fights::default();
        fights.add(&series(1000, 40));
        let figures = fights.figures();
        assert!(figures.reaction_secs.is_none() && figures.fire_secs.is_none());
        assert_eq!((figures.losses, figures.looked_back), (40, Some(0.0)));
    }
}
