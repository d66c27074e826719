//! Trackers over regions: HMM, HSMM, particles; with one table for all play, by context, or with a player's habits.
//!
//! A region is hidden as far as its places are: `P(unseen | region) = Σ_places within(place) (1 - visible(place))`, and
//! its belief is shared among those of its places that are out of sight.

use repertoire_prob::Stream;
use repertoire_prob::num::{exp, normalise};

use crate::Filter;
use crate::filter::Leak;
use crate::fitted::Fitted;
use crate::likeness::{Likeness, LikenessSettings};
use crate::particles::Particles;
use crate::play::{Situation, per_step};
use crate::tracker::{Evidence, Quarry, Tracker};

/// Which tables a tracker uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tables {
    /// All play together, without durations.
    Markov,
    /// All play together.
    Plain,
    /// By side and phase of the round.
    Context,
    /// By side, phase and player.
    Habits,
}

/// How the belief is kept.
enum Belief {
    Exact(Box<Filter>),
    Particles(Box<Particles>, Stream),
}

/// A tracker over regions.
pub struct RegionTracker<'a> {
    fitted: &'a Fitted,
    tables: Tables,
    leak: f64,
    belief: Belief,
    quarry: Quarry,
    /// Of those with context: where the side is now is learned more from rounds like this one.
    likeness: Option<Likeness<'a>>,
    prior: Vec<f64>,
    prior_regions: Vec<f64>,
    likelihood: Vec<f64>,
    /// `[place]`: the belief, as last updated.
    places: Vec<f64>,
    last_seen: (usize, f64),
    seed: u64,
}

impl<'a> RegionTracker<'a> {
    /// The exact filter with some tables.
    pub fn new(fitted: &'a Fitted, tables: Tables) -> Self {
        let slots = if tables == Tables::Markov { 1 } else { fitted.model.settings.slots };
        let filter = Filter::new(fitted.model.regions.len(), slots);
        Self::with(fitted, tables, Belief::Exact(Box::new(filter)), 0)
    }

    /// The same, with other settings for which recorded rounds this one is like; trackers without context use none.
    pub fn with_likeness(self, settings: LikenessSettings) -> Self {
        let likeness = self.likeness.map(|_| Likeness::new(self.fitted, settings));
        RegionTracker { likeness, ..self }
    }

    /// So many particles that move by the tables of all play.
    pub fn particles(fitted: &'a Fitted, count: usize, seed: u64) -> Self {
        let particles = Particles::new(count, fitted.model.regions.len());
        let stream = Stream::new(seed, 0, "belief particles");
        Self::with(fitted, Tables::Plain, Belief::Particles(Box::new(particles), stream), seed)
    }

    fn with(fitted: &'a Fitted, tables: Tables, belief: Belief, seed: u64) -> Self {
        let (places, regions) = (fitted.model.places.len(), fitted.model.regions.len());
        let leak = match tables {
            Tables::Context | Tables::Habits => {
                per_step(fitted.model.settings.leak, fitted.model.period_secs)
            }
            _ => 0.0,
        };
        RegionTracker {
            fitted,
            tables,
            leak,
            belief,
            quarry: Quarry { side: 0, player: None },
            likeness: matches!(tables, Tables::Context | Tables::Habits)
                .then(|| Likeness::new(fitted, LikenessSettings::default())),
            prior: vec![0.0; places],
            prior_regions: vec![0.0; regions],
            likelihood: vec![0.0; regions],
            places: vec![0.0; places],
            last_seen: (0, 0.0),
            seed,
        }
    }

    fn has_context(&self) -> bool {
        matches!(self.tables, Tables::Context | Tables::Habits)
    }

    fn within(&self) -> &'a [f64] {
        self.fitted.within(self.has_context().then_some(self.quarry.side))
    }

    /// `P(what is observed | region)` for all regions.
    fn observe(&mut self, evidence: Evidence<'_>) {
        let regions = &self.fitted.model.regions.of;
        match evidence {
            Evidence::Seen(place) => {
                self.likelihood.fill(0.0);
                self.likelihood[usize::from(regions[place])] = 1.0;
            }
            Evidence::Unseen { .. } => {
                self.likelihood.fill(0.0);
                let within = self.within();
                for (s, &region) in regions.iter().enumerate() {
                    self.likelihood[usize::from(region)] += within[s] * evidence.likelihood(s);
                }
            }
        }
    }

    fn update_prior(&mut self, situation: Situation) {
        let habits = self.tables == Tables::Habits;
        match &self.likeness {
            Some(likeness) => {
                let like = |life: usize| likeness.of_lives()[life];
                self.fitted.prior_by(like, self.quarry, situation, habits, &mut self.prior);
            }
            None => self.fitted.prior(self.quarry, situation, habits, &mut self.prior),
        }
        self.prior_regions.fill(0.0);
        for (p, &region) in self.prior.iter().zip(&self.fitted.model.regions.of) {
            self.prior_regions[usize::from(region)] += p;
        }
    }

    /// Shares the regions' belief among places.
    fn share(&mut self, situation: Situation, evidence: Evidence<'_>) {
        if let Evidence::Seen(place) = evidence {
            self.places.fill(0.0);
            self.places[place] = 1.0;
            self.last_seen = (place, situation.secs);
            return;
        }
        let belief = match &self.belief {
            Belief::Exact(filter) => filter.belief(),
            Belief::Particles(particles, _) => particles.belief(),
        };
        let within = self.fitted.within(self.has_context().then_some(self.quarry.side));
        for (s, &region) in self.fitted.model.regions.of.iter().enumerate() {
            let region = usize::from(region);
            let hidden = self.likelihood[region];
            self.places[s] =
                if hidden > 0.0 { belief[region] * within[s] * evidence.likelihood(s) / hidden } else { 0.0 };
        }
        if self.has_context() {
            reach(self.fitted, self.last_seen, situation, &mut self.places);
        }
    }
}

/// Nobody gets farther than they can run: belief beyond that distance fades within two seconds of running.
pub(crate) fn reach(fitted: &Fitted, last_seen: (usize, f64), situation: Situation, places: &mut [f64]) {
    let run = fitted.model.settings.run_speed;
    let since = (situation.secs - last_seen.1).max(0.0);
    let farthest = run * (since + 0.5);
    for (p, &far) in places.iter_mut().zip(fitted.distances.from(last_seen.0)) {
        let over = f64::from(far) - farthest;
        if over > 0.0 && *p > 0.0 {
            *p *= exp(-over / (0.5 * run));
        }
    }
    normalise(places);
}

impl Tracker for RegionTracker<'_> {
    fn begin(&mut self, quarry: Quarry, situation: Situation, place: usize) {
        self.quarry = quarry;
        if let Some(likeness) = &mut self.likeness {
            likeness.begin(quarry, self.tables == Tables::Habits);
        }
        self.observe(Evidence::Seen(place));
        let initial = self.likelihood.clone();
        match &mut self.belief {
            // A place that is known cannot be impossible.
            Belief::Exact(filter) => {
                let _ = filter.begin_unchecked(&initial, &initial);
            }
            Belief::Particles(particles, stream) => {
                let player = u64::from(quarry.player.unwrap_or(u16::MAX)) << 8 | u64::from(quarry.side);
                *stream = Stream::new(self.seed, player, "belief particles");
                particles.begin_unchecked(&initial, &initial, stream);
            }
        }
        self.share(situation, Evidence::Seen(place));
    }

    fn mates_seen(&mut self, situation: Situation, places: &[u32]) {
        if let Some(likeness) = &mut self.likeness {
            likeness.mates_seen(situation, places);
        }
    }

    fn step(&mut self, situation: Situation, evidence: Evidence<'_>) {
        if let Some(likeness) = &mut self.likeness {
            likeness.step(situation, evidence);
        }
        self.observe(evidence);
        self.update_prior(situation);
        let dynamics = match self.tables {
            Tables::Markov => &self.fitted.markov,
            Tables::Plain => &self.fitted.plain,
            _ => self.fitted.dynamics(self.quarry, situation, self.tables == Tables::Habits),
        };
        let leak = Leak { share: self.leak, prior: if self.leak > 0.0 { &self.prior_regions } else { &[] } };
        match &mut self.belief {
            Belief::Exact(filter) => {
                if filter.step_unchecked(dynamics, &self.likelihood, leak).is_err() {
                    // The model is wrong here: begin anew from where the side is at this time, or from anywhere.
                    let n = self.prior_regions.len() as f64;
                    self.prior_regions.iter_mut().for_each(|p| *p = 0.9 * *p + 0.1 / n);
                    if filter.begin_unchecked(&self.prior_regions, &self.likelihood).is_err() {
                        let _ =
                            filter.begin_unchecked(&self.prior_regions, &vec![1.0; self.likelihood.len()]);
                    }
                }
            }
            Belief::Particles(particles, stream) => {
                particles.step_unchecked(dynamics, &self.likelihood, leak, &self.prior_regions, stream);
            }
        }
        self.share(situation, evidence);
    }

    fn belief(&self, into: &mut [f64]) {
        into.copy_from_slice(&self.places);
    }
}
