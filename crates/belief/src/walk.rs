//! The random walk: whoever is out of sight goes to any neighbour with the same chance. What one believes without having
//! seen anybody play.

use crate::fitted::Fitted;
use crate::play::{Situation, per_step};
use crate::tracker::{Evidence, Quarry, Tracker};
use crate::{Dynamics, Filter};

/// The chance that a second leaves a place.
const LEAVES: f64 = 0.5;

/// A random walk over places.
pub struct RandomWalk {
    dynamics: Option<Dynamics>,
    filter: Filter,
    likelihood: Vec<f64>,
}

impl RandomWalk {
    /// Over the places of a model.
    pub fn new(fitted: &Fitted) -> Self {
        let places = fitted.neighbours.len();
        let row = |row: &Vec<u32>| row.iter().map(|&to| (to, 1.0 / row.len() as f64)).collect();
        let exits: Vec<Vec<(u32, f64)>> = fitted.neighbours.iter().map(row).collect();
        let leaves = per_step(LEAVES, fitted.model.period_secs);
        let even = vec![1.0 / places as f64; places];
        let dynamics = Dynamics::from_endings(&even, &exits, &vec![vec![leaves]; places], 1).ok();
        RandomWalk { dynamics, filter: Filter::new(places, 1), likelihood: vec![0.0; places] }
    }
}

impl Tracker for RandomWalk {
    fn begin(&mut self, _: Quarry, _: Situation, place: usize) {
        self.likelihood.fill(0.0);
        self.likelihood[place] = 1.0;
        // A known place cannot be impossible.
        let _ = self.filter.begin(&self.likelihood, &self.likelihood);
    }

    fn step(&mut self, _: Situation, evidence: Evidence<'_>) {
        for (s, l) in self.likelihood.iter_mut().enumerate() {
            *l = evidence.likelihood(s);
        }
        let Some(dynamics) = &self.dynamics else { return };
        if self.filter.step(dynamics, &self.likelihood).is_err() {
            // It cannot have come there by walking so slowly: it may be anywhere out of sight.
            let _ = self.filter.begin(&vec![1.0; self.likelihood.len()], &self.likelihood);
        }
    }

    fn belief(&self, into: &mut [f64]) {
        into.copy_from_slice(self.filter.belief());
    }
}
