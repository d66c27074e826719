//! Several trackers as one.
//!
//! ```text
//! belief(a) ∝ (Σ_k weight_k · belief_k(a))^power · visits(a)^popular · exp(near · d(a) + near² · d(a)²)
//! ```
//! over places out of sight, with `d(a)` the way from `a` to the nearest of those who look, in seconds of running up to
//! `12`. A power below 1 corrects trackers that are too sure because they share their data; opponents are
//! more often where people usually are, and nearer to the fight than far from it.
//!
//! Not in the paper. The defaults were chosen by log-loss on rounds left out (de_dust2).

use std::sync::Mutex;

use repertoire_prob::num::{exp, ln, normalise};

use crate::fitted::Fitted;
use crate::play::Situation;
use crate::tracker::{Evidence, Quarry, Tracker};

/// How members are brought together.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PoolSettings {
    /// The power of the averaged belief.
    pub power: f64,
    /// The power of how often a place is visited.
    pub popular: f64,
    /// For each second of running from the nearest of those who look, and for its square.
    pub near: [f64; 2],
}

impl Default for PoolSettings {
    fn default() -> Self {
        PoolSettings { power: 0.85, popular: 0.0, near: [0.02, -0.0065] }
    }
}

/// The way to the nearest of those who look counts up to this many seconds.
const FAR_SECS: f64 = 12.0;
/// What a place counts beside its visits.
const UNVISITED: f64 = 2.0;

/// Several trackers whose beliefs are brought together.
pub struct Pool<'a> {
    fitted: &'a Fitted,
    settings: PoolSettings,
    members: Vec<(f64, Box<dyn Tracker + 'a>)>,
    /// `visits^popular`.
    popular: Vec<f64>,
    /// What is out of sight, and how near the fight it is.
    factor: Vec<f64>,
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
        let mut visits = vec![UNVISITED; fitted.model.places.len()];
        for life in &fitted.model.lives {
            life.places.iter().for_each(|&place| visits[place as usize] += 1.0);
        }
        let popular = visits.iter().map(|visits| exp(settings.popular * ln(*visits))).collect();
        let factor = vec![1.0; visits.len()];
        Pool { fitted, settings, members, popular, factor, scratch: Mutex::default() }
    }
}

impl Tracker for Pool<'_> {
    fn begin(&mut self, quarry: Quarry, situation: Situation, place: usize) {
        self.members.iter_mut().for_each(|(_, member)| member.begin(quarry, situation, place));
        self.factor.fill(1.0);
    }

    fn mates_seen(&mut self, situation: Situation, places: &[u32]) {
        self.members.iter_mut().for_each(|(_, member)| member.mates_seen(situation, places));
    }

    fn step(&mut self, situation: Situation, evidence: Evidence<'_>) {
        self.members.iter_mut().for_each(|(_, member)| member.step(situation, evidence));
        let Evidence::Unseen { visible, watchers, .. } = evidence else {
            self.factor.fill(1.0);
            return;
        };
        let run = self.fitted.model.settings.run_speed;
        let [near, square] = self.settings.near;
        for (s, factor) in self.factor.iter_mut().enumerate() {
            *factor = if visible[s] < 1.0 { self.popular[s] } else { 0.0 };
            if *factor > 0.0 && !watchers.is_empty() {
                let way = |&at: &u32| self.fitted.distances.from(at as usize)[s];
                let far = watchers.iter().map(way).fold(f32::INFINITY, f32::min);
                let secs = (f64::from(far) / run).min(FAR_SECS);
                *factor *= exp(near * secs + square * secs * secs);
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
            *p = if *factor > 0.0 { factor * exp(self.settings.power * ln(*p + 1e-7)) } else { 0.0 };
        }
        normalise(into);
    }
}
