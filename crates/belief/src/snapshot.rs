//! Snapshots without a past: where one side is, from where the other stands.
//!
//! Recorded snapshots vote for the places of their hidden players, the more the better their visible players match
//! those of the question: `weight = exp(-d / width)`, with `d` the mean way from each visible player to the nearest of the
//! snapshot's and back. The votes are mixed with the base rate of the side (at that site), and each reaches to places around.
//!
//! Not in the paper: the recorded plant states have no trajectories to filter.

use repertoire_prob::num::{exp, normalise};

use crate::graph::Distances;

/// Everybody at one moment.
#[derive(Clone, Debug, PartialEq)]
pub struct Snapshot {
    /// What everybody knows: the site of the bomb, say.
    pub key: String,
    /// `[side]`: the places of its living players.
    pub sides: Vec<Vec<u32>>,
}

/// How snapshots vote. The defaults were chosen by log-loss on the plant states of de_dust2.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VoteSettings {
    /// How fast votes fall with the difference, in the map's units.
    pub width: f64,
    /// How far a vote reaches around its place.
    pub reach: f64,
    /// What all snapshots with the same key count together beside the votes, in votes.
    pub all_votes: f64,
    /// What the base rate counts beside the votes, in votes.
    pub base: f64,
    /// What a snapshot with another key counts.
    pub other_key: f64,
}

impl Default for VoteSettings {
    fn default() -> Self {
        VoteSettings { width: 250.0, reach: 60.0, all_votes: 20.0, base: 0.5, other_key: 0.0 }
    }
}

/// Recorded snapshots that vote.
pub struct Voters<'a> {
    distances: &'a Distances,
    settings: VoteSettings,
    kernel: Vec<Vec<(u32, f64)>>,
    /// `[side]`: how often each place is taken.
    base: Vec<Vec<f64>>,
}

impl<'a> Voters<'a> {
    /// Learns from those snapshots that `is_known` lets through.
    pub fn new(
        distances: &'a Distances,
        snapshots: &[Snapshot],
        is_known: impl Fn(usize) -> bool,
        settings: VoteSettings,
    ) -> Self {
        let places = distances.places();
        let sides = snapshots.iter().map(|snapshot| snapshot.sides.len()).max().unwrap_or(0);
        let mut visits = vec![1.0; places];
        let mut base = vec![vec![0.0; places]; sides];
        for (_, snapshot) in snapshots.iter().enumerate().filter(|(k, _)| is_known(*k)) {
            for (side, players) in snapshot.sides.iter().enumerate() {
                for &place in players {
                    visits[place as usize] += 1.0;
                    base[side][place as usize] += 1.0;
                }
            }
        }
        let around = |s: usize| {
            let row = distances.from(s).iter().enumerate();
            let near = row.filter(|(to, far)| f64::from(**far) < 4.0 * settings.reach || *to == s);
            let mut row: Vec<(u32, f64)> = near
                .map(|(to, &far)| (to as u32, visits[to] * exp(-f64::from(far) / settings.reach)))
                .collect();
            let total: f64 = row.iter().map(|cell| cell.1).sum();
            row.iter_mut().for_each(|cell| cell.1 /= total);
            row
        };
        // One more of everything, so that nothing is impossible.
        base.iter_mut().for_each(|row| {
            row.iter_mut().for_each(|n| *n += 0.1);
            normalise(row);
        });
        Voters { distances, settings, kernel: (0..places).map(around).collect(), base }
    }

    /// How often each place is taken by a side, whatever the rest.
    pub fn base_rate(&self, side: usize) -> &[f64] {
        &self.base[side]
    }

    /// Where a player of the hidden side is, given the others' places; `voters` are the snapshots that may vote.
    pub fn belief<'s>(
        &self,
        key: &str,
        hidden: usize,
        visible: &[(usize, &[u32])],
        voters: impl Iterator<Item = &'s Snapshot>,
        into: &mut [f64],
    ) {
        let mut votes = vec![0.0; into.len()];
        let mut site = vec![0.0; into.len()];
        for snapshot in voters {
            let mut weight = if snapshot.key == key { 1.0 } else { self.settings.other_key };
            if weight == 0.0 {
                continue;
            }
            for &(side, players) in visible {
                weight *= exp(-self.difference(players, &snapshot.sides[side]) / self.settings.width);
            }
            for &place in &snapshot.sides[hidden] {
                site[place as usize] += 1.0;
                votes[place as usize] += weight;
            }
        }
        let known: f64 = site.iter().sum();
        if known > 0.0 {
            // The votes are few where the others stand unusually: those of the key fill up.
            let all = self.settings.all_votes / known;
            votes.iter_mut().zip(&site).for_each(|(vote, n)| *vote += all * n);
        }
        into.copy_from_slice(&self.base[hidden]);
        into.iter_mut().for_each(|p| *p *= self.settings.base);
        for (row, &vote) in self.kernel.iter().zip(&votes) {
            if vote > 0.0 {
                row.iter().for_each(|&(to, k)| into[to as usize] += vote * k);
            }
        }
        normalise(into);
    }

    /// The mean way from each player to the nearest of the others, both ways round.
    fn difference(&self, a: &[u32], b: &[u32]) -> f64 {
        if a.is_empty() || b.is_empty() {
            return if a.len() == b.len() { 0.0 } else { 2000.0 };
        }
        let nearest = |from: &[u32], to: &[u32]| {
            let way = |&s: &u32| {
                let row = self.distances.from(s as usize);
                f64::from(to.iter().map(|&t| row[t as usize]).fold(f32::INFINITY, f32::min))
            };
            from.iter().map(way).sum::<f64>() / from.len() as f64
        };
        nearest(a, b) + nearest(b, a)
    }
}
