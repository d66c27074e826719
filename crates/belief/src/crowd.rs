//! Several opponents who cannot be told apart.
//!
//! They are independent walks with the same dynamics. What is observed each step is how many are seen in each place; an
//! opponent in place `s` is seen with probability `visible(s)`, so that of `n` there `c` are seen with the binomial
//! `C(n, c) v^c (1 - v)^(n - c)`. The posterior does not factorise: seeing one says something about all.
//!
//! | function           | what it does                                                                           |
//! |--------------------|----------------------------------------------------------------------------------------|
//! | [`exact`]          | filters on the places and times of all opponents together: (places · slots)^m states     |
//! | [`tracks`]         | a belief for each of `m` nameless tracks, which are independent between observations    |
//!
//! `tracks` is exact while nobody is seen (the posterior of independent walks that are all unseen is independent), and at
//! the first sighting. A sighting is then given to the track most likely to have caused it; in each other track the two possible
//! histories are mixed, which loses how they depend on each other. Measured on random problems of 4 places and 3
//! opponents with half of the map in view: the expected counts are off by 0.009 on average and 0.34 at worst
//! (`the_error_of_tracks_is_what_we_say` pins it).
//!
//! Differs from the paper: it says that several opponents "complicate" the model and gives no formula.

use crate::error::{self, FilterError};
use crate::{Dynamics, Impossible};

/// What is known of each place at each step.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CrowdBelief {
    /// How many opponents are there, on average: `[t][place]`.
    pub expected_count: Vec<Vec<f64>>,
    /// The probability that at least one is there: `[t][place]`.
    pub p_at_least_one: Vec<Vec<f64>>,
}

/// What is observed of a crowd.
#[derive(Clone, Copy, Debug)]
pub struct Sightings<'a> {
    /// How many opponents there are.
    pub opponents: usize,
    /// The probability that an opponent in the place is seen: `[t][place]`.
    pub visible: &'a [Vec<f64>],
    /// How many are seen: `[t][place]`.
    pub seen: &'a [Vec<u32>],
}

impl Sightings<'_> {
    /// One row a step, one entry a place, and probabilities that are some.
    fn check(&self, dynamics: &Dynamics) -> Result<(), FilterError> {
        error::length("visible", self.visible.len(), self.seen.len())?;
        for (visible, seen) in self.visible.iter().zip(self.seen) {
            error::shares("visible", visible, dynamics.places())?;
            error::length("seen", seen.len(), dynamics.places())?;
        }
        Ok(())
    }
}

/// How many multiplications [`exact`] may take before it should not be asked.
pub const EXACT_BUDGET: f64 = 4e8;

/// The chain of (place, steps in it) of one opponent.
struct Expanded {
    /// The place of each state.
    place: Vec<u32>,
    next: Vec<Vec<(u32, f64)>>,
    initial: Vec<f64>,
}

impl Expanded {
    fn new(dynamics: &Dynamics, steps: usize) -> Self {
        // Nobody can have stayed longer than there were steps.
        let slots = dynamics.slots().min(steps.max(1));
        let places = dynamics.places();
        let mut expanded =
            Expanded { place: Vec::new(), next: Vec::new(), initial: vec![0.0; places * slots] };
        for s in 0..places {
            expanded.initial[s * slots] = dynamics.initial()[s];
            for e in 1..=slots {
                let h = dynamics.ending(s, e);
                let mut next: Vec<(u32, f64)> = Vec::new();
                if h < 1.0 {
                    next.push(((s * slots + e.min(slots - 1)) as u32, 1.0 - h));
                }
                if h > 0.0 {
                    next.extend(dynamics.exits(s).map(|(to, p)| ((to * slots) as u32, h * p)));
                }
                expanded.place.push(s as u32);
                expanded.next.push(next);
            }
        }
        expanded
    }

    fn states(&self) -> usize {
        self.place.len()
    }
}

/// How much [`exact`] would have to do.
pub fn exact_cost(dynamics: &Dynamics, opponents: usize, steps: usize) -> f64 {
    let states = (dynamics.places() * dynamics.slots().min(steps.max(1))) as f64;
    let exits: f64 = (0..dynamics.places()).map(|s| 1.0 + dynamics.exits(s).count() as f64).sum();
    let branching = 1.0 + exits / dynamics.places() as f64;
    let joint = repertoire_prob::num::pow(states, opponents as f64);
    joint * opponents.max(1) as f64 * (branching + 2.0) * steps as f64
}

/// Filters on all opponents together. The caller has looked at [`exact_cost`].
///
/// # Errors
/// When sightings are not of these places, or are impossible.
pub fn exact(dynamics: &Dynamics, sightings: Sightings<'_>) -> Result<CrowdBelief, FilterError> {
    sightings.check(dynamics)?;
    let (m, steps, places) = (sightings.opponents, sightings.seen.len(), dynamics.places());
    let expanded = Expanded::new(dynamics, steps);
    let k = expanded.states();
    let size = (0..m).fold(1, |size, _| size * k);
    let mut joint = vec![1.0; size];
    for (index, p) in joint.iter_mut().enumerate() {
        let mut rest = index;
        for _ in 0..m {
            *p *= expanded.initial[rest % k];
            rest /= k;
        }
    }
    let mut next = vec![0.0; size];
    let mut out = CrowdBelief::default();
    let mut at = vec![0u32; m];
    for t in 0..steps {
        if t > 0 {
            for axis in 0..m {
                let inner = (0..axis).fold(1, |size, _| size * k);
                move_one(&expanded, &joint, &mut next, inner);
                std::mem::swap(&mut joint, &mut next);
            }
        }
        let mut expected = vec![0.0; places];
        let mut at_least = vec![0.0; places];
        let mut total = 0.0;
        for (index, p) in joint.iter_mut().enumerate().filter(|(_, p)| **p > 0.0) {
            let mut rest = index;
            for place in &mut at {
                *place = expanded.place[rest % k];
                rest /= k;
            }
            *p *= count_likelihood(&at, &sightings.visible[t], &sightings.seen[t]);
            total += *p;
            for (i, &s) in at.iter().enumerate() {
                expected[s as usize] += *p;
                if !at[..i].contains(&s) {
                    at_least[s as usize] += *p;
                }
            }
        }
        // With nobody to be seen there is one state, and it must have seen nobody.
        if m == 0 && sightings.seen[t].iter().any(|&seen| seen > 0) {
            total = 0.0;
        }
        if !(total > 0.0 && total.is_finite()) {
            return Err(Impossible { step: t }.into());
        }
        joint.iter_mut().chain(&mut expected).chain(&mut at_least).for_each(|p| *p /= total);
        out.expected_count.push(expected);
        out.p_at_least_one.push(at_least);
    }
    Ok(out)
}

/// Moves the opponent whose states are `inner` apart.
fn move_one(expanded: &Expanded, joint: &[f64], next: &mut [f64], inner: usize) {
    let k = expanded.states();
    next.fill(0.0);
    for outer in 0..joint.len() / (k * inner) {
        for (from, exits) in expanded.next.iter().enumerate() {
            let source = (outer * k + from) * inner;
            for &(to, p) in exits {
                let target = (outer * k + to as usize) * inner;
                for i in 0..inner {
                    next[target + i] += joint[source + i] * p;
                }
            }
        }
    }
}

/// `P(how many are seen in each place | where they all are)`.
fn count_likelihood(at: &[u32], visible: &[f64], seen: &[u32]) -> f64 {
    let mut likelihood = 1.0;
    let mut covered = 0;
    for (i, &s) in at.iter().enumerate() {
        if at[..i].contains(&s) {
            continue;
        }
        let n = at[i..].iter().filter(|&&other| other == s).count() as u32;
        let (c, v) = (seen[s as usize], visible[s as usize]);
        if c > n {
            return 0.0;
        }
        covered += c;
        for k in 0..c {
            likelihood *= v * f64::from(n - k) / f64::from(k + 1);
        }
        for _ in c..n {
            likelihood *= 1.0 - v;
        }
    }
    if covered == seen.iter().sum::<u32>() { likelihood } else { 0.0 }
}

/// A belief for each of `m` nameless tracks; see the module's text for what it approximates.
///
/// ```
/// use repertoire_belief::{Dynamics, crowd::{Sightings, tracks}};
/// let dynamics = Dynamics::new(&[0.5, 0.5], &[vec![0.0, 1.0], vec![1.0, 0.0]], &[vec![0.5, 0.5], vec![0.5, 0.5]])?;
/// // Two opponents; the first place is in view, and one of them is seen there.
/// let sightings = Sightings { opponents: 2, visible: &[vec![1.0, 0.0]], seen: &[vec![1, 0]] };
/// let belief = tracks(&dynamics, sightings)?;
/// assert!((belief.expected_count[0][1] - 1.0).abs() < 1e-9, "so the other is in the second");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// When sightings are not of these places, or are impossible.
pub fn tracks(dynamics: &Dynamics, sightings: Sightings<'_>) -> Result<CrowdBelief, FilterError> {
    sightings.check(dynamics)?;
    let (m, steps, places) = (sightings.opponents, sightings.seen.len(), dynamics.places());
    let expanded = Expanded::new(dynamics, steps);
    let mut tracks = vec![expanded.initial.clone(); m];
    let mut next = vec![0.0; expanded.states()];
    let mut out = CrowdBelief::default();
    for t in 0..steps {
        if t > 0 {
            for track in &mut tracks {
                move_one(&expanded, track, &mut next, 1);
                std::mem::swap(track, &mut next);
            }
        }
        observe(&expanded, &mut tracks, &sightings.visible[t], &sightings.seen[t])
            .ok_or(Impossible { step: t })?;
        let mut expected = vec![0.0; places];
        let mut nobody = vec![1.0; places];
        let mut there = vec![0.0; places];
        for track in &tracks {
            there.fill(0.0);
            track.iter().zip(&expanded.place).for_each(|(p, &s)| there[s as usize] += p);
            for s in 0..places {
                expected[s] += there[s];
                nobody[s] *= (1.0 - there[s]).max(0.0);
            }
        }
        out.expected_count.push(expected);
        out.p_at_least_one.push(nobody.iter().map(|p| 1.0 - p).collect());
    }
    Ok(out)
}

/// Gives each of those seen to a track; the other tracks were not seen. `None` if that cannot be.
fn observe(expanded: &Expanded, tracks: &mut [Vec<f64>], visible: &[f64], seen: &[u32]) -> Option<()> {
    let mut free: Vec<usize> = (0..tracks.len()).collect();
    let mut weights = vec![0.0; tracks.len()];
    for (s, &count) in seen.iter().enumerate() {
        for _ in 0..count {
            let mut total = 0.0;
            for &i in &free {
                let (mut here, mut unseen) = (0.0, 0.0);
                for (p, &place) in tracks[i].iter().zip(&expanded.place) {
                    let v = visible[place as usize];
                    unseen += p * (1.0 - v);
                    here += if place as usize == s { p * v } else { 0.0 };
                }
                // Who cannot be unseen is the first to be given.
                weights[i] = here / (unseen + 1e-12);
                total += weights[i];
            }
            if !(total > 0.0 && total.is_finite()) {
                return None;
            }
            free.iter().for_each(|&i| weights[i] /= total);
            let best = free.iter().copied().fold(free[0], |a, b| if weights[b] > weights[a] { b } else { a });
            // Time in the place is mixed over who it may be.
            let mut found = vec![0.0; expanded.states()];
            for &i in &free {
                let here = tracks[i].iter().zip(&expanded.place).filter(|(_, place)| **place as usize == s);
                let sum: f64 = here.map(|(p, _)| p).sum();
                if sum > 0.0 {
                    for ((to, p), &place) in found.iter_mut().zip(&tracks[i]).zip(&expanded.place) {
                        *to += if place as usize == s { weights[i] * p / sum } else { 0.0 };
                    }
                }
            }
            let other = std::mem::replace(&mut tracks[best], found);
            free.retain(|&i| i != best);
            for &i in &free {
                let w = weights[i];
                tracks[i].iter_mut().zip(&other).for_each(|(p, q)| *p = (1.0 - w) * *p + w * q);
            }
        }
    }
    for &i in &free {
        tracks[i].iter_mut().zip(&expanded.place).for_each(|(p, &s)| *p *= 1.0 - visible[s as usize]);
        if repertoire_prob::num::normalise(&mut tracks[i]) <= 0.0 {
            return None;
        }
    }
    Some(())
}
