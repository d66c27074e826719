//! A particle filter: the belief as a crowd of guesses that move by the dynamics and are drawn anew by how well they
//! explain what is observed (sampling with importance resampling; Beaulac 2013, section 4.1.1, after Hladky and Bulitko
//! 2008).
//!
//! Resampling is systematic (one draw for the whole crowd) and happens when the effective number of guesses,
//! `1 / Σ w²`, falls below half. If no guess explains what is observed, all are drawn anew from a fallback: such a filter
//! must never be lost for good.
//!
//! Differs from the paper: it does not say when to resample nor what to do when nothing fits. Cost: O(particles), no
//! allocation once made.

use repertoire_prob::{Rng, draw, stream};
use serde::{Deserialize, Serialize};

use crate::Dynamics;
use crate::error::{self, FilterError};
use crate::filter::Leak;
use crate::simulate::Walk;

/// The belief about one opponent, as a crowd of guesses.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Particles {
    place: Vec<u32>,
    elapsed: Vec<u32>,
    weight: Vec<f64>,
    belief: Vec<f64>,
    scratch: Vec<(u32, u32)>,
}

impl Particles {
    /// A crowd of `count` guesses over `places` places.
    ///
    /// ```
    /// use repertoire_belief::{Dynamics, Leak, particles::Particles};
    /// use repertoire_prob::Stream;
    /// // From the first place everybody goes on to the second, and stays there.
    /// let dynamics = Dynamics::new(&[1.0, 0.0], &[vec![0.0, 1.0], vec![0.0, 0.0]], &[vec![1.0], vec![1.0]])?;
    /// let (mut guesses, mut rng) = (Particles::new(200, 2), Stream::new(1, 0, "guesses"));
    /// guesses.begin(dynamics.initial(), &[1.0, 1.0], &mut rng)?;
    /// guesses.step(&dynamics, &[1.0, 1.0], Leak { share: 0.0, prior: dynamics.initial() }, dynamics.initial(), &mut rng)?;
    /// assert!(guesses.belief()[1] > 0.99);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Panics
    /// If there is no guess or no place.
    pub fn new(count: usize, places: usize) -> Self {
        assert!(count > 0 && places > 0, "a crowd of guesses about places");
        Particles {
            place: vec![0; count],
            elapsed: vec![1; count],
            weight: vec![1.0 / count as f64; count],
            belief: vec![0.0; places],
            scratch: vec![(0, 0); count],
        }
    }

    /// Begins anew.
    ///
    /// # Errors
    /// When a list has not one finite, non-negative entry for each place.
    pub fn begin<R: Rng + ?Sized>(
        &mut self,
        initial: &[f64],
        likelihood: &[f64],
        rng: &mut R,
    ) -> Result<(), FilterError> {
        error::weights("initial", initial, self.belief.len())?;
        error::weights("likelihood", likelihood, self.belief.len())?;
        self.begin_unchecked(initial, likelihood, rng);
        Ok(())
    }

    /// [`Particles::begin`] without looking at what is handed in; panics or goes wrong where that would refuse.
    pub fn begin_unchecked<R: Rng + ?Sized>(&mut self, initial: &[f64], likelihood: &[f64], rng: &mut R) {
        self.draw_from(initial, rng);
        self.observe(likelihood, initial, rng);
    }

    /// All move, then this is observed. If nobody explains it, all are drawn anew from `fallback` where it can be.
    ///
    /// # Errors
    /// When the dynamics have another number of places, a list has not one finite, non-negative entry for each, or the
    /// leak's share is not between 0 and 1. The guesses are as they were.
    pub fn step<R: Rng + ?Sized>(
        &mut self,
        dynamics: &Dynamics,
        likelihood: &[f64],
        leak: Leak<'_>,
        fallback: &[f64],
        rng: &mut R,
    ) -> Result<(), FilterError> {
        let places = self.belief.len();
        error::length("dynamics", dynamics.places(), places)?;
        error::weights("likelihood", likelihood, places)?;
        error::weights("fallback", fallback, places)?;
        error::share("the leak's share", leak.share)?;
        if leak.share > 0.0 {
            error::weights("the leak's prior", leak.prior, places)?;
        }
        self.step_unchecked(dynamics, likelihood, leak, fallback, rng);
        Ok(())
    }

    /// [`Particles::step`] without looking at what is handed in; panics or goes wrong where that would refuse.
    pub fn step_unchecked<R: Rng + ?Sized>(
        &mut self,
        dynamics: &Dynamics,
        likelihood: &[f64],
        leak: Leak<'_>,
        fallback: &[f64],
        rng: &mut R,
    ) {
        for (place, elapsed) in self.place.iter_mut().zip(&mut self.elapsed) {
            let mut walk = Walk { place: *place as usize, elapsed: *elapsed as usize };
            if leak.share > 0.0 && stream::unit(rng) < leak.share {
                walk = Walk { place: draw::sample(leak.prior, rng), elapsed: 1 };
            } else {
                walk.step(dynamics, rng);
            }
            (*place, *elapsed) = (walk.place as u32, walk.elapsed as u32);
        }
        self.observe(likelihood, fallback, rng);
    }

    fn draw_from<R: Rng + ?Sized>(&mut self, distribution: &[f64], rng: &mut R) {
        let count = self.place.len() as f64;
        for k in 0..self.place.len() {
            self.place[k] = draw::sample(distribution, rng) as u32;
            self.elapsed[k] = 1;
            self.weight[k] = 1.0 / count;
        }
    }

    fn observe<R: Rng + ?Sized>(&mut self, likelihood: &[f64], fallback: &[f64], rng: &mut R) {
        let weigh = |weight: &mut [f64], place: &[u32]| -> f64 {
            weight.iter_mut().zip(place).for_each(|(w, &s)| *w *= likelihood[s as usize]);
            weight.iter().sum()
        };
        let mut total = weigh(&mut self.weight, &self.place);
        if !(total > 0.0 && total.is_finite()) {
            // The belief's own room serves as scratch: it is written anew below.
            self.belief.iter_mut().zip(fallback).zip(likelihood).for_each(|((b, f), l)| *b = f * l);
            if self.belief.iter().sum::<f64>() <= 0.0 {
                self.belief.copy_from_slice(likelihood);
            }
            if self.belief.iter().sum::<f64>() <= 0.0 {
                self.belief.fill(1.0);
            }
            let from = std::mem::take(&mut self.belief);
            self.draw_from(&from, rng);
            self.belief = from;
            total = 1.0;
        }
        self.weight.iter_mut().for_each(|w| *w /= total);
        self.belief.fill(0.0);
        self.place.iter().zip(&self.weight).for_each(|(&s, w)| self.belief[s as usize] += w);
        let squares: f64 = self.weight.iter().map(|w| w * w).sum();
        if squares * self.weight.len() as f64 > 2.0 {
            self.resample(rng);
        }
    }

    fn resample<R: Rng + ?Sized>(&mut self, rng: &mut R) {
        let count = self.weight.len();
        let start = stream::unit(rng);
        let (mut from, mut passed) = (0, self.weight[0]);
        for k in 0..count {
            let at = (k as f64 + start) / count as f64;
            while passed < at && from + 1 < count {
                from += 1;
                passed += self.weight[from];
            }
            self.scratch[k] = (self.place[from], self.elapsed[from]);
        }
        for (k, &(place, elapsed)) in self.scratch.iter().enumerate() {
            (self.place[k], self.elapsed[k]) = (place, elapsed);
        }
        self.weight.fill(1.0 / count as f64);
    }

    /// `P(place | all observations so far)`, about.
    pub fn belief(&self) -> &[f64] {
        &self.belief
    }
}
