//! Several trackers as one.
//!
//! ```text
//! belief(a) ∝ (Σ_k weight_k · belief_k(a))^power · exp(near · d(a))
//! power = settings.power + power_unseen · ln(1 + secs) + power_alive · share + power_play · ln(play / enough)
//! near  = settings.near + near_alive · share
//! ```
//! over places out of sight, with `secs` since the opponent was last seen, the `share` of those who looked that still look, and
//! `d(a)` the way from `a` to the nearest of them, in seconds of running up to `12`. `play` are the seconds of players' lives that the
//! model was learned from, up to `enough`, 16,000: about 20 rounds of ten players.
//!
//! A power below 1 corrects trackers that are too sure because they share their data: the more so, the less there is, the longer
//! nobody saw the opponent, and the fewer are left to see them. Opponents are nearer to those who are left.
//!
//! In a duel, or in a recording of one player, only one person ever looks, and `share` is always 1. There the formula above was worse by 0.04
//! nats (13 client demos of Quake), so it is replaced by `power = 0.85` and `exp(0.02 · d(a) - 0.0065 · d(a)²)`.
//!
//! Not in the paper. The defaults were fitted by log-loss on rounds left out (de_dust2), and rounded.

use std::sync::Mutex;

use repertoire_prob::num::{exp, ln, normalise};

use crate::fitted::Fitted;
use crate::play::Situation;
use crate::tracker::{Evidence, Quarry, Tracker};

/// How members are brought together.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PoolSettings {
    /// The power of the averaged belief when the opponent was seen a moment ago and nobody is left to look for them.
    pub power: f64,
    /// What is added to it when `1 s + the time since they were last seen` grows by e.
    pub power_unseen: f64,
    /// What is added to it when all who ever looked still do.
    pub power_alive: f64,
    /// What is added to it when the play that is learned from grows by e, up to enough.
    pub power_play: f64,
    /// For each second of running from the nearest of those who look, when hardly any of them is left.
    pub near: f64,
    /// What is added to it when all who ever looked still do.
    pub near_alive: f64,
    /// Where only one ever looked: the power, whatever is known.
    pub alone_power: f64,
    /// Where only one ever looked: for each second of running from them, and for its square.
    pub alone_near: [f64; 2],
}

impl Default for PoolSettings {
    fn default() -> Self {
        PoolSettings {
            power: 0.73,
            power_unseen: -0.085,
            power_alive: 0.43,
            power_play: 0.1,
            near: -0.20,
            near_alive: 0.18,
            alone_power: 0.85,
            alone_near: [0.02, -0.0065],
        }
    }
}

/// The way to the nearest of those who look counts up to this many seconds.
const FAR_SECS: f64 = 12.0;
/// Seconds of players' lives beyond which nothing more was measured.
const ENOUGH_SECS: f64 = 16_000.0;
/// The least power: however long ago the opponent was seen, the belief says something.
const LEAST_POWER: f64 = 0.3;

/// Several trackers whose beliefs are brought together.
pub struct Pool<'a> {
    fitted: &'a Fitted,
    settings: PoolSettings,
    members: Vec<(f64, Box<dyn Tracker + 'a>)>,
    /// What is out of sight, and how near the fight it is.
    factor: Vec<f64>,
    power: f64,
    last_seen_secs: f64,
    /// The most that ever looked.
    most: usize,
    scratch: Mutex<Vec<f64>>,
}

impl<'a> Pool<'a> {
    /// Members with weights that sum to 1.
    pub fn new(fitted: &'a Fitted, members: Vec<(f64, Box<dyn Tracker + 'a>)>) -> Self {
        Self::with(fitted, members, PoolSettings::default())
    }

    /// The same with other settings.
    pub fn with(
        fitted: &'a Fitted,
        members: Vec<(f64, Box<dyn Tracker + 'a>)>,
        settings: PoolSettings,
    ) -> Self {
        let factor = vec![1.0; fitted.model.places.len()];
        let moments: usize = fitted.model.lives.iter().map(|life| life.places.len()).sum();
        let play = (moments as f64 * fitted.model.period_secs / ENOUGH_SECS).clamp(1e-3, 1.0);
        let settings = PoolSettings { power: settings.power + settings.power_play * ln(play), ..settings };
        let (power, last_seen_secs, most) = (settings.power, 0.0, 0);
        Pool { fitted, settings, members, factor, power, last_seen_secs, most, scratch: Mutex::default() }
    }
}

impl Tracker for Pool<'_> {
    fn begin(&mut self, quarry: Quarry, situation: Situation, place: usize) {
        self.members.iter_mut().for_each(|(_, member)| member.begin(quarry, situation, place));
        self.factor.fill(1.0);
        self.last_seen_secs = situation.secs;
    }

    fn mates_seen(&mut self, situation: Situation, places: &[u32]) {
        self.members.iter_mut().for_each(|(_, member)| member.mates_seen(situation, places));
    }

    fn step(&mut self, situation: Situation, evidence: Evidence<'_>) {
        self.members.iter_mut().for_each(|(_, member)| member.step(situation, evidence));
        let Evidence::Unseen { visible, watchers, .. } = evidence else {
            self.factor.fill(1.0);
            self.last_seen_secs = situation.secs;
            return;
        };
        let (run, settings) = (self.fitted.model.settings.run_speed, self.settings);
        self.most = self.most.max(watchers.len());
        let [near, square];
        if self.most <= 1 {
            self.power = settings.alone_power;
            [near, square] = settings.alone_near;
        } else {
            let share = watchers.len() as f64 / self.most as f64;
            let since = (situation.secs - self.last_seen_secs).max(0.0);
            let unseen = settings.power_unseen * ln(1.0 + since);
            self.power = (settings.power + unseen + settings.power_alive * share).max(LEAST_POWER);
            [near, square] = [settings.near + settings.near_alive * share, 0.0];
        }
        for (s, factor) in self.factor.iter_mut().enumerate() {
            *factor = if visible[s] < 1.0 { 1.0 } else { 0.0 };
            if *factor > 0.0 && !watchers.is_empty() {
                let way = |&at: &u32| self.fitted.distances.from(at as usize)[s];
                let far = watchers.iter().map(way).fold(f32::INFINITY, f32::min);
                let secs = (f64::from(far) / run).min(FAR_SECS);
                *factor = exp(near * secs + square * secs * secs);
            }
        }
    }

    fn belief(&self, into: &mut [f64]) {
        into.fill(0.0);
        // Only this tracker uses it: it is never waited for.
        let Ok(mut scratch) = self.scratch.lock() else { return };
        scratch.resize(into.len(), 0.0);
        for (weight, member) in &self.members {
            member.belief(&mut scratch);
            into.iter_mut().zip(scratch.iter()).for_each(|(p, q)| *p += weight * q);
        }
        if into.iter().any(|&p| p >= 1.0) {
            return;
        }
        for (p, factor) in into.iter_mut().zip(&self.factor) {
            // The small number keeps what is out of sight possible.
            *p = if *factor > 0.0 { factor * exp(self.power * ln(*p + 1e-7)) } else { 0.0 };
        }
        normalise(into);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::FitSettings;
    use crate::play::Play;
    use crate::{Graph, Model};

    /// Always the same belief: nine tenths in the first place.
    struct Same;

    impl Tracker for Same {
        fn begin(&mut self, _: Quarry, _: Situation, _: usize) {}

        fn step(&mut self, _: Situation, _: Evidence<'_>) {}

        fn belief(&self, into: &mut [f64]) {
            into.copy_from_slice(&[0.9, 0.1, 0.0]);
        }
    }

    fn fitted() -> Fitted {
        let places = Graph {
            ids: (0..3).collect(),
            centres: (0..3).map(|s| [f64::from(s) * 10.0, 0.0, 0.0]).collect(),
            links: vec![vec![1], vec![2], vec![]],
            names: vec![String::new(); 3],
        };
        let play = Play { players: vec!["a".into()], sides: vec!["one".into()], ..Play::default() };
        let settings = FitSettings { run_speed: 10.0, ..FitSettings::default() };
        Fitted::new(Model::fit("row", places, &play, settings).expect("a row")).expect("a model")
    }

    #[test]
    fn the_belief_is_the_formula() {
        let fitted = fitted();
        let settings = PoolSettings { power_play: 0.0, ..PoolSettings::default() };
        let mut pool = Pool::with(&fitted, vec![(1.0, Box::new(Same))], settings);
        let at = |secs: f64| Situation { secs, planted_secs: None };
        pool.begin(Quarry { side: 0, player: None }, at(0.0), 0);
        let mut belief = [0.0; 3];
        // Two look from the last place; later one of them; later nobody.
        let mut before = f64::INFINITY;
        for (secs, watchers, share) in [(1.0, &[2, 2][..], 1.0), (9.0, &[2][..], 0.5), (30.0, &[][..], 0.0)] {
            pool.step(at(secs), Evidence::Unseen { visible: &[0.0, 0.0, 1.0], heard: None, watchers });
            pool.belief(&mut belief);
            let power =
                (settings.power + settings.power_unseen * ln(1.0 + secs) + settings.power_alive * share)
                    .max(LEAST_POWER);
            let near = if watchers.is_empty() { 0.0 } else { settings.near + settings.near_alive * share };
            // The first place is two seconds away, the second one.
            let odds = exp(power * (ln(0.9 + 1e-7) - ln(0.1 + 1e-7)) + near);
            assert!((belief[0] / belief[1] / odds - 1.0).abs() < 1e-9, "{belief:?} {odds}");
            assert_eq!(belief[2], 0.0, "it is in view");
            assert!(odds < before, "less sure with time, and with fewer who look");
            before = odds;
        }
    }

    #[test]
    fn who_learned_from_little_play_is_less_sure() {
        let fitted = fitted();
        let odds = |settings: PoolSettings| {
            let mut pool = Pool::with(&fitted, vec![(1.0, Box::new(Same))], settings);
            pool.begin(Quarry { side: 0, player: None }, Situation::default(), 0);
            pool.step(
                Situation::default(),
                Evidence::Unseen { visible: &[0.0; 3], heard: None, watchers: &[2, 2] },
            );
            let mut belief = [0.0; 3];
            pool.belief(&mut belief);
            belief[0] / belief[1]
        };
        let settings = PoolSettings { near: 0.0, near_alive: 0.0, ..PoolSettings::default() };
        let power = settings.power + settings.power_alive;
        // Nothing was learned from, which counts as a thousandth of enough.
        let lowered = power + settings.power_play * ln(1e-3);
        assert!((ln(odds(settings)) - lowered * ln(9.0)).abs() < 1e-5);
        let regardless = PoolSettings { power_play: 0.0, ..settings };
        assert!((ln(odds(regardless)) - power * ln(9.0)).abs() < 1e-5);
    }

    #[test]
    fn one_who_looks_alone_has_a_formula_of_their_own() {
        let fitted = fitted();
        let mut pool = Pool::new(&fitted, vec![(1.0, Box::new(Same))]);
        pool.begin(Quarry { side: 0, player: None }, Situation::default(), 0);
        let late = Situation { secs: 40.0, planted_secs: None };
        pool.step(late, Evidence::Unseen { visible: &[0.0; 3], heard: None, watchers: &[2] });
        let mut belief = [0.0; 3];
        pool.belief(&mut belief);
        // Two seconds away against one.
        let odds = exp(0.85 * (ln(0.9 + 1e-7) - ln(0.1 + 1e-7)) + 0.02 - 0.0065 * 3.0);
        assert!((belief[0] / belief[1] / odds - 1.0).abs() < 1e-9);
    }
}
