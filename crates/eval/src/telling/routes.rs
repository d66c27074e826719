//! How predictable routes are: nats per change of region, from the two regions before.
//!
//! A map is divided into 100 regions (k-means over where both players were). A model counts which region follows which two; what was
//! seen seldom is filled up from the region before alone, and that from all regions:
//! `p2(c | a b) = (n(a b c) + k p1(c | b)) / (n(a b) + k)`, with `k = 2`.

use std::collections::{BTreeMap, BTreeSet};

use repertoire_prob::num;
use repertoire_topology::kmeans::kmeans;

use super::trail::Trail;

/// Regions of a map.
pub const REGIONS: usize = 100;
/// How many changes' worth a longer history borrows from a shorter one.
const BORROWED: f64 = 2.0;
/// Centres are found from one position in this many.
const EVERY: usize = 10;
/// Fewer changes say nothing.
const LEAST: usize = 30;

/// The centres of the regions that two trails go through.
pub fn regions(trails: &[&Trail]) -> Vec<[f64; 3]> {
    let points: Vec<[f64; 3]> =
        trails.iter().flat_map(|trail| trail.instants.iter().step_by(EVERY).map(|one| one.at_m)).collect();
    kmeans(&points, REGIONS, 1, 1).unwrap_or_default()
}

/// The regions that somebody goes through, one after the other; a list for each life. Only blocks of a minute that are wanted count.
pub fn ways(trail: &Trail, centres: &[[f64; 3]], wanted: impl Fn(usize) -> bool) -> Vec<Vec<u16>> {
    let nearest = |at: &[f64; 3]| {
        let far = |centre: &[f64; 3]| (0..3).map(|k| (centre[k] - at[k]) * (centre[k] - at[k])).sum::<f64>();
        (0..centres.len()).min_by(|&a, &b| far(&centres[a]).total_cmp(&far(&centres[b]))).unwrap_or(0) as u16
    };
    let mut all: Vec<Vec<u16>> = Vec::new();
    let mut last = None;
    for one in trail.instants.iter().filter(|one| wanted((one.secs / 60.0) as usize)) {
        let key = (one.life, (one.secs / 60.0) as usize);
        if last != Some(key) {
            all.push(Vec::new());
            last = Some(key);
        }
        let region = nearest(&one.at_m);
        if let Some(way) = all.last_mut().filter(|way| way.last() != Some(&region)) {
            way.push(region);
        }
    }
    all
}

/// The regions from which at least three others are reached, of all changes that there are.
pub fn forks(changes: impl IntoIterator<Item = (u16, u16)>) -> BTreeSet<u16> {
    let mut next: BTreeMap<u16, BTreeSet<u16>> = BTreeMap::new();
    for (from, to) in changes.into_iter().filter(|(from, to)| from != to) {
        next.entry(from).or_default().insert(to);
    }
    next.into_iter().filter(|(_, next)| next.len() >= 3).map(|(from, _)| from).collect()
}

/// What follows what.
#[derive(Clone, Debug, Default)]
pub struct Routes {
    after_two: BTreeMap<(u16, u16), BTreeMap<u16, f64>>,
    after_one: BTreeMap<u16, BTreeMap<u16, f64>>,
}

impl Routes {
    /// Counts ways.
    pub fn of(ways: &[Vec<u16>]) -> Self {
        let mut routes = Routes::default();
        for way in ways {
            for pair in way.windows(2) {
                *routes.after_one.entry(pair[0]).or_default().entry(pair[1]).or_default() += 1.0;
            }
            for three in way.windows(3) {
                *routes.after_two.entry((three[0], three[1])).or_default().entry(three[2]).or_default() +=
                    1.0;
            }
        }
        routes
    }

    fn p(&self, before: [u16; 2], next: u16) -> f64 {
        let filled = |counts: Option<&BTreeMap<u16, f64>>, rest: f64| {
            let all: f64 = counts.map_or(0.0, |counts| counts.values().sum());
            let own = counts.and_then(|counts| counts.get(&next)).copied().unwrap_or(0.0);
            (own + BORROWED * rest) / (all + BORROWED)
        };
        let one = filled(self.after_one.get(&before[1]), 1.0 / REGIONS as f64);
        filled(self.after_two.get(&(before[0], before[1])), one)
    }

    /// Nats per change of others' ways; `None` if there are too few.
    pub fn nats(&self, ways: &[Vec<u16>]) -> Option<f64> {
        self.nats_at(ways, |_| true)
    }

    /// The same over the regions that count only: what is chosen in them, given the region before.
    pub fn nats_at(&self, ways: &[Vec<u16>], counts: impl Fn(u16) -> bool) -> Option<f64> {
        let changes = || ways.iter().flat_map(|way| way.windows(3)).filter(|three| counts(three[1]));
        let count = changes().count();
        let sum: f64 = changes().map(|three| -num::ln(self.p([three[0], three[1]], three[2]))).sum();
        (count >= LEAST).then(|| sum / count as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_round_that_is_always_the_same_is_soon_predicted_and_another_is_not() {
        let round = |step: usize| vec![(0..200).map(|k| ((k * step) % 10) as u16).collect::<Vec<u16>>()];
        let routes = Routes::of(&round(1));
        let same = routes.nats(&round(1)).expect("enough");
        let other = routes.nats(&round(3)).expect("enough");
        assert!(same < 0.2 && other > 2.0, "{same} {other}");
        assert_eq!(routes.nats(&[vec![1, 2, 3]]), None);
    }
}
