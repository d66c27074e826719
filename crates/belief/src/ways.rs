//! Recorded ways as hidden states: the opponent does what somebody did before, about there, about then.
//!
//! A hidden state is a moment of a recorded way. Each step it goes on along its way (now and then slower or faster),
//! or changes to a moment of another way near in place and time, or is drawn anew from where the side is at that time.
//! A moment stands not for its place alone but for the places around it, by a kernel that falls with the distance along
//! the map. So the belief remembers which way the opponent was going, which no chain over places does.
//!
//! ```text
//! w'(life, k+1) = go · w(life, k)                          goes on (also k and k+2)
//! w'(m)        += change · Σ_b A(b) K(b, m) g(m) / Z(b)    changes, A(b): what changes at place b
//! w'(m)        += leak · g(m) / Z                          is drawn anew
//! w(m)         ∝ w'(m) · P(what is observed | m),          P(unseen | m) = Σ_a K(m, a) (1 - visible(a))
//! ```
//! `g(m)` falls with the difference in time and is larger for ways that this round is like ([`crate::likeness`]), and for the
//! player's own, if they may be used.
//!
//! Not in the paper. Cost: O(moments of the side + places · kernel).

use repertoire_prob::num::{exp, normalise};

use crate::fitted::{Fitted, aligned_step};
use crate::likeness::{Likeness, LikenessSettings};
use crate::play::{Situation, per_step};
use crate::region::reach;
use crate::tracker::{Evidence, Quarry, Tracker};

/// How ways are followed. The defaults were chosen by log-loss on rounds left out (de_dust2).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WaySettings {
    /// How far a moment's kernel reaches, in seconds of running: it falls by e over this distance.
    pub reach_secs: f64,
    /// What a place counts in kernels beside its visits.
    pub unvisited: f64,
    /// The chance to stay a step behind, and to be a step ahead.
    pub slower: f64,
    /// See `slower`.
    pub faster: f64,
    /// The chance to change to another way nearby.
    pub change: f64,
    /// The chance to be drawn anew.
    pub leak: f64,
    /// How fast ways of another time count less, in seconds.
    pub time_secs: f64,
    /// The least that a way of another time counts.
    pub time_floor: f64,
    /// What a way with the bomb in another state counts.
    pub bomb: f64,
    /// How much more the player's own ways count.
    pub habit: f64,
    /// How much more recorded rounds count that this one is like.
    pub likeness: LikenessSettings,
    /// The share of the belief that is spread by where the side is at that time.
    pub spread: f64,
}

impl Default for WaySettings {
    fn default() -> Self {
        WaySettings {
            reach_secs: 0.36,
            unvisited: 2.0,
            slower: 0.1,
            faster: 0.05,
            change: 0.03,
            leak: 0.04,
            time_secs: 15.0,
            time_floor: 0.1,
            bomb: 0.1,
            habit: 40.0,
            likeness: LikenessSettings::default(),
            spread: 0.02,
        }
    }
}

/// The recorded ways of a model, ready to be followed.
pub struct Ways<'a> {
    fitted: &'a Fitted,
    settings: WaySettings,
    /// `[side]`: lives of it, each with where its moments begin.
    sides: Vec<Vec<(usize, usize)>>,
    /// `[side]`: the place of each moment.
    places: Vec<Vec<u32>>,
    /// For each place those around it, with weights that sum to 1.
    kernel: Vec<Vec<(u32, f64)>>,
}

impl<'a> Ways<'a> {
    /// Makes the ways of a model ready.
    pub fn new(fitted: &'a Fitted, settings: WaySettings) -> Self {
        let model = &fitted.model;
        let (mut sides, mut places) =
            (vec![Vec::new(); model.sides.len()], vec![Vec::new(); model.sides.len()]);
        for (k, life) in model.lives.iter().enumerate() {
            let side = usize::from(life.side);
            sides[side].push((k, places[side].len()));
            places[side].extend_from_slice(&life.places);
        }
        // Large and popular places take more of a kernel than their small neighbours.
        let mut visits = vec![settings.unvisited; model.places.len()];
        for life in &model.lives {
            life.places.iter().for_each(|&place| visits[place as usize] += 1.0);
        }
        let reach = settings.reach_secs * model.settings.run_speed;
        let around = |s: usize| {
            let mut row: Vec<(u32, f64)> = Vec::new();
            for (to, &far) in fitted.distances.from(s).iter().enumerate() {
                if f64::from(far) < 4.0 * reach || to == s {
                    row.push((to as u32, visits[to] * exp(-f64::from(far) / reach)));
                }
            }
            let total: f64 = row.iter().map(|cell| cell.1).sum();
            row.iter_mut().for_each(|cell| cell.1 /= total);
            row
        };
        let kernel = (0..model.places.len()).map(around).collect();
        // Settings are chances a second.
        let (step, written) = (model.period_secs, settings);
        let settings = WaySettings {
            slower: per_step(settings.slower, step),
            faster: per_step(settings.faster, step),
            change: per_step(settings.change, step),
            leak: per_step(settings.leak, step),
            ..settings
        };
        let settings = if step == 1.0 { written } else { settings };
        Ways { fitted, settings, sides, places, kernel }
    }
}

/// A tracker that follows recorded ways.
pub struct WayTracker<'a> {
    ways: &'a Ways<'a>,
    habits: bool,
    quarry: Quarry,
    /// How likely each moment is.
    weight: Vec<f64>,
    next: Vec<f64>,
    /// How well each moment fits the time.
    fit: Vec<f64>,
    likeness: Likeness<'a>,
    /// By place: what changes there, and scratch.
    changing: Vec<f64>,
    at_place: Vec<f64>,
    prior: Vec<f64>,
    belief: Vec<f64>,
    last_seen: (usize, f64),
}

impl<'a> WayTracker<'a> {
    /// With `habits` the player's own ways count more.
    pub fn new(ways: &'a Ways<'a>, habits: bool) -> Self {
        let places = ways.fitted.model.places.len();
        WayTracker {
            ways,
            habits,
            quarry: Quarry { side: 0, player: None },
            weight: Vec::new(),
            next: Vec::new(),
            fit: Vec::new(),
            likeness: Likeness::new(ways.fitted, ways.settings.likeness),
            changing: vec![0.0; places],
            at_place: vec![0.0; places],
            prior: vec![0.0; places],
            belief: vec![0.0; places],
            last_seen: (0, 0.0),
        }
    }

    fn side(&self) -> usize {
        usize::from(self.quarry.side)
    }

    /// How well each moment fits a time.
    fn fit_time(&mut self, situation: Situation) {
        let ways = self.ways;
        let settings = &ways.settings;
        let lives = &ways.fitted.model.lives;
        for &(k, begin) in &ways.sides[usize::from(self.quarry.side)] {
            let life = &lives[k];
            let own = self.habits && self.quarry.player == Some(life.player);
            let weight = self.likeness.of_lives()[k] * if own { settings.habit } else { 1.0 };
            let by_clock = ((situation.secs - life.start_secs) / life.step_secs).round() as i64;
            let by_bomb = aligned_step(life, situation).unwrap_or(by_clock);
            for (step, fit) in self.fit[begin..begin + life.places.len()].iter_mut().enumerate() {
                let now = life.start_secs + step as f64 * life.step_secs;
                let planted = life.planted_at_secs.is_some_and(|at| now >= at);
                let same = planted == situation.planted_secs.is_some();
                let off = step as i64 - if planted && same { by_bomb } else { by_clock };
                let off = off as f64 * life.step_secs / settings.time_secs;
                let near = match ways.fitted.model.is_timeless {
                    true => 1.0,
                    false => settings.time_floor + (1.0 - settings.time_floor) * exp(-0.5 * off * off),
                };
                *fit = weight * near * if same { 1.0 } else { settings.bomb };
            }
        }
    }

    /// `out(a) = Σ_b K(b, a) in(b)`.
    fn spread(kernel: &[Vec<(u32, f64)>], from: &[f64], into: &mut [f64]) {
        into.fill(0.0);
        for (row, &mass) in kernel.iter().zip(from) {
            if mass > 0.0 {
                row.iter().for_each(|&(to, k)| into[to as usize] += mass * k);
            }
        }
    }

    fn advance(&mut self) {
        let ways = self.ways;
        let (settings, side) = (ways.settings, self.side());
        let places = &ways.places[side];
        self.next.fill(0.0);
        self.changing.fill(0.0);
        let keep = 1.0 - settings.change - settings.leak;
        let (stay, skip) = (keep * settings.slower, keep * settings.faster);
        let go = keep - stay - skip;
        for &(k, begin) in &ways.sides[side] {
            let end = begin + ways.fitted.model.lives[k].places.len();
            for (m, &place) in (begin..end).zip(&places[begin..end]) {
                let w = self.weight[m];
                if w <= 0.0 {
                    continue;
                }
                let place = place as usize;
                self.next[m] += w * stay;
                self.changing[place] += w * settings.change;
                for (ahead, p) in [(1, go), (2, skip)] {
                    // At its end a way goes nowhere: others must be followed.
                    if m + ahead < end {
                        self.next[m + ahead] += w * p;
                    } else {
                        self.changing[place] += w * p;
                    }
                }
            }
        }
        // Who fits the time, by place, and around each place.
        self.at_place.fill(0.0);
        places.iter().zip(&self.fit).for_each(|(&s, fit)| self.at_place[s as usize] += fit);
        let mut lost = settings.leak;
        for (row, changing) in ways.kernel.iter().zip(&mut self.changing) {
            if *changing > 0.0 {
                let around: f64 = row.iter().map(|&(to, k)| k * self.at_place[to as usize]).sum();
                if around > 1e-9 {
                    *changing /= around;
                } else {
                    lost += *changing;
                    *changing = 0.0;
                }
            }
        }
        Self::spread(&ways.kernel, &self.changing, &mut self.at_place);
        let total: f64 = self.fit.iter().sum();
        let anew = lost / total;
        for ((next, fit), &s) in self.next.iter_mut().zip(&self.fit).zip(places) {
            *next += fit * (self.at_place[s as usize] + anew);
        }
        std::mem::swap(&mut self.weight, &mut self.next);
    }

    fn observe(&mut self, situation: Situation, evidence: Evidence<'_>) {
        let ways = self.ways;
        let side = self.side();
        let places = &ways.places[side];
        match evidence {
            Evidence::Seen(there) => {
                self.changing.fill(0.0);
                for &(s, k) in &ways.kernel[there] {
                    self.changing[s as usize] = k;
                }
                let mut follows = 0.0;
                for (w, &s) in self.weight.iter_mut().zip(places) {
                    *w *= self.changing[s as usize];
                    follows += *w;
                }
                let fits = |(fit, &s): (&f64, &u32)| fit * self.changing[s as usize];
                let fresh: f64 = self.fit.iter().zip(places).map(fits).sum();
                // Half goes on with the ways that led here, half begins with all that pass here about now.
                let (old, new) = match (follows > 0.0, fresh > 0.0) {
                    (true, true) => (0.7 / follows, 0.3 / fresh),
                    (true, false) => (1.0 / follows, 0.0),
                    (false, true) => (0.0, 1.0 / fresh),
                    (false, false) => (0.0, 0.0),
                };
                for ((w, fit), &s) in self.weight.iter_mut().zip(&self.fit).zip(places) {
                    *w = *w * old + fit * self.changing[s as usize] * new;
                }
                if old == 0.0 && new == 0.0 {
                    self.weight.copy_from_slice(&self.fit);
                    normalise(&mut self.weight);
                }
                self.belief.fill(0.0);
                self.belief[there] = 1.0;
                self.last_seen = (there, situation.secs);
            }
            Evidence::Unseen { .. } => {
                // What of each place's kernel is out of sight.
                for (s, row) in ways.kernel.iter().enumerate() {
                    self.changing[s] = row.iter().map(|&(to, k)| k * evidence.likelihood(to as usize)).sum();
                }
                for (w, &s) in self.weight.iter_mut().zip(places) {
                    *w *= self.changing[s as usize];
                }
                if normalise(&mut self.weight) <= 0.0 {
                    self.weight.copy_from_slice(&self.fit);
                    normalise(&mut self.weight);
                }
                self.share(situation, evidence);
            }
        }
    }

    /// The belief over places, from the moments.
    fn share(&mut self, situation: Situation, evidence: Evidence<'_>) {
        let ways = self.ways;
        let places = &ways.places[self.side()];
        self.at_place.fill(0.0);
        for (w, &s) in self.weight.iter().zip(places) {
            let hidden = self.changing[s as usize];
            if hidden > 0.0 {
                self.at_place[s as usize] += w / hidden;
            }
        }
        Self::spread(&ways.kernel, &self.at_place, &mut self.belief);
        ways.fitted.prior(self.quarry, situation, self.habits, &mut self.prior);
        Self::spread(&ways.kernel, &self.prior, &mut self.at_place);
        let spread = ways.settings.spread;
        for (s, p) in self.belief.iter_mut().enumerate() {
            *p = ((1.0 - spread) * *p + spread * self.at_place[s]) * evidence.likelihood(s);
        }
        if normalise(&mut self.belief) <= 0.0 {
            (0..self.belief.len()).for_each(|s| self.belief[s] = evidence.likelihood(s).max(1e-9));
            normalise(&mut self.belief);
        }
        reach(ways.fitted, self.last_seen, situation, &mut self.belief);
    }
}

impl Tracker for WayTracker<'_> {
    fn begin(&mut self, quarry: Quarry, situation: Situation, place: usize) {
        self.quarry = quarry;
        let moments = self.ways.places[self.side()].len();
        for room in [&mut self.weight, &mut self.next, &mut self.fit] {
            room.clear();
            room.resize(moments, 0.0);
        }
        self.likeness.begin(quarry, self.habits);
        self.fit_time(situation);
        self.observe(situation, Evidence::Seen(place));
    }

    fn mates_seen(&mut self, situation: Situation, places: &[u32]) {
        self.likeness.mates_seen(situation, places);
    }

    fn step(&mut self, situation: Situation, evidence: Evidence<'_>) {
        self.likeness.step(situation, evidence);
        self.fit_time(situation);
        self.advance();
        self.observe(situation, evidence);
    }

    fn belief(&self, into: &mut [f64]) {
        into.copy_from_slice(&self.belief);
    }
}
