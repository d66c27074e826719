//! Regions: places gathered where there is too little play to learn about each place alone.
//!
//! Medoids by distance along the map, weighted by visits: begun with the place farthest from all others so far, then
//! each region takes its nearest places and the member nearest to all of them as its centre, until nothing changes.
//! Deterministic.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::graph::Distances;

/// Places gathered into regions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Regions {
    /// The region of each place.
    pub of: Vec<u16>,
    /// The place in the middle of each region.
    pub centres: Vec<u32>,
}

impl Regions {
    /// Every place is a region of its own.
    pub fn each(places: usize) -> Self {
        Regions { of: (0..places as u16).collect(), centres: (0..places as u32).collect() }
    }

    /// At most `count` regions; `weight` says how much each place matters.
    pub fn gather(distances: &Distances, weight: &[f64], count: usize) -> Self {
        let places = distances.places();
        if count >= places {
            return Self::each(places);
        }
        let heaviest = repertoire_prob::draw::arg_max(weight);
        let mut centres = vec![heaviest as u32];
        let mut nearest: Vec<f64> = (0..places).map(|s| distances.between(heaviest, s)).collect();
        while centres.len() < count {
            // The place whose visitors are worst served.
            let mut far = 0;
            let worth = |s: usize| weight[s].sqrt() * nearest[s];
            (0..places).for_each(|s| far = if worth(s) > worth(far) { s } else { far });
            centres.push(far as u32);
            (0..places).for_each(|s| nearest[s] = nearest[s].min(distances.between(far, s)));
        }
        let mut of = vec![0u16; places];
        for _ in 0..20 {
            for (s, region) in of.iter_mut().enumerate() {
                let far = |k: usize| distances.between(centres[k] as usize, s);
                *region =
                    (1..centres.len()).fold(0, |best, k| if far(k) < far(best) { k } else { best }) as u16;
            }
            let mut members: Vec<Vec<usize>> = vec![Vec::new(); centres.len()];
            of.iter().enumerate().for_each(|(s, &region)| members[usize::from(region)].push(s));
            let mut changed = false;
            for (centre, members) in centres.iter_mut().zip(&members) {
                let cost =
                    |c: usize| members.iter().map(|&s| weight[s] * distances.between(c, s)).sum::<f64>();
                let mut best = (*centre as usize, cost(*centre as usize));
                for &c in members {
                    let cost = cost(c);
                    if cost < best.1 {
                        best = (c, cost);
                    }
                }
                changed |= best.0 != *centre as usize;
                *centre = best.0 as u32;
            }
            if !changed {
                break;
            }
        }
        Regions { of, centres }
    }

    /// How many.
    pub fn len(&self) -> usize {
        self.centres.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.centres.is_empty()
    }
}
