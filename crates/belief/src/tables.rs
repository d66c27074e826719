//! Tables from recorded ways: where one goes next, and when a stay ends, from much to little play.
//!
//! Each table is refined from a coarser one: `P = (n + w · P_coarser) / (N + w)`, Dirichlet's prior with the coarser
//! table as its mean. The coarsest knows only the map's links; then all play; that of a side; of a side in a phase of
//! the round; of a player. Chances of ending are estimated the same way from how many stays were at risk (Kaplan and
//! Meier 1958), so that a stay cut off by death or by the round's end counts as what it is: not ended. Long stays are
//! rare, so the chance is constant within bins of growing length, and beyond the last: a tail that never ends.
//!
//! Differs from the paper: it takes plain averages over many games.

use crate::play::{Life, Situation};
use crate::regions::Regions;
use crate::{Dynamics, DynamicsError};

/// The first step of each bin of stays.
const BINS: [usize; 13] = [1, 2, 3, 4, 5, 6, 8, 11, 15, 20, 28, 40, 60];

fn bin_of(elapsed: usize) -> usize {
    BINS.partition_point(|&first| first <= elapsed) - 1
}

/// Phases of a round: by the clock until the bomb is planted, then one of its own.
pub const PHASES: usize = 6;

/// The phase of a situation.
pub fn phase_of(situation: Situation) -> usize {
    match situation.planted_secs {
        Some(_) => 5,
        None if situation.secs < 8.0 => 0,
        None if situation.secs < 18.0 => 1,
        None if situation.secs < 35.0 => 2,
        None if situation.secs < 60.0 => 3,
        None => 4,
    }
}

/// What was counted: moves between regions, stays at risk and stays that ended.
#[derive(Clone, Debug)]
pub struct StepCounts {
    regions: usize,
    moves: Vec<f64>,
    at_risk: Vec<f64>,
    ended: Vec<f64>,
}

impl StepCounts {
    /// Nothing yet.
    pub fn new(regions: usize) -> Self {
        let bins = regions * BINS.len();
        StepCounts {
            regions,
            moves: vec![0.0; regions * regions],
            at_risk: vec![0.0; bins],
            ended: vec![0.0; bins],
        }
    }

    /// Counts the steps of a way that `is_meant`.
    pub fn add(&mut self, life: &Life, regions: &Regions, is_meant: impl Fn(Situation) -> bool) {
        let mut elapsed = 0;
        for (step, pair) in life.places.windows(2).enumerate() {
            elapsed += 1;
            let [here, next] = [pair[0], pair[1]].map(|place| usize::from(regions.of[place as usize]));
            if is_meant(life.situation(step)) {
                let bin = here * BINS.len() + bin_of(elapsed);
                self.at_risk[bin] += 1.0;
                if next != here {
                    self.ended[bin] += 1.0;
                    self.moves[here * self.regions + next] += 1.0;
                }
            }
            if next != here {
                elapsed = 0;
            }
        }
    }
}

/// Where one goes next and when a stay ends, for every region.
#[derive(Clone, Debug)]
pub struct Tables {
    regions: usize,
    exits: Vec<f64>,
    endings: Vec<f64>,
}

impl Tables {
    /// What the links alone say: to any neighbour, and stays that end as they do anywhere.
    pub fn of_links(neighbours: &[Vec<u32>], all: &StepCounts) -> Self {
        let regions = neighbours.len();
        let mut exits = vec![0.0; regions * regions];
        for (from, row) in neighbours.iter().enumerate() {
            for &to in row {
                exits[from * regions + to as usize] = 1.0 / row.len() as f64;
            }
        }
        let anywhere =
            |counts: &[f64], bin: usize| -> f64 { counts.iter().skip(bin).step_by(BINS.len()).sum() };
        let chance = |bin: usize| (anywhere(&all.ended, bin) + 0.5) / (anywhere(&all.at_risk, bin) + 2.0);
        let chances: Vec<f64> = (0..BINS.len()).map(chance).collect();
        Tables { regions, exits, endings: chances.repeat(regions) }
    }

    /// A table for part of the play; the less of it there is, the more it is like this one.
    pub fn refine(&self, counts: &StepCounts, weight: f64) -> Self {
        let mut exits = self.exits.clone();
        for (row, moves) in exits.chunks_exact_mut(self.regions).zip(counts.moves.chunks_exact(self.regions))
        {
            let known: f64 = row.iter().sum();
            let total: f64 = moves.iter().sum::<f64>() + weight * known;
            if total > 0.0 {
                row.iter_mut().zip(moves).for_each(|(p, n)| *p = (n + weight * *p) / total);
            }
        }
        let risk = counts.ended.iter().zip(&counts.at_risk);
        let endings = self
            .endings
            .iter()
            .zip(risk)
            .map(|(h, (ended, at_risk))| (ended + weight * h) / (at_risk + weight));
        Tables { regions: self.regions, exits, endings: endings.collect() }
    }

    /// The tables as dynamics, with stays told apart up to `slots` steps.
    pub fn dynamics(&self, initial: &[f64], slots: usize) -> Result<Dynamics, DynamicsError> {
        let row = |row: &[f64]| {
            row.iter()
                .enumerate()
                .filter(|(_, p)| **p > 0.0)
                .map(|(to, &p)| (to as u32, p))
                .collect::<Vec<_>>()
        };
        let exits: Vec<Vec<(u32, f64)>> = self.exits.chunks_exact(self.regions).map(row).collect();
        let endings: Vec<Vec<f64>> = self
            .endings
            .chunks_exact(BINS.len())
            .map(|chances| (1..=slots).map(|e| chances[bin_of(e)]).collect())
            .collect();
        Dynamics::from_endings(initial, &exits, &endings, slots)
    }
}

/// Regions whose places are linked.
pub fn region_neighbours(neighbours: &[Vec<u32>], regions: &Regions) -> Vec<Vec<u32>> {
    let mut linked = vec![Vec::new(); regions.len()];
    for (from, row) in neighbours.iter().enumerate() {
        for &to in row {
            let (a, b) = (regions.of[from], regions.of[to as usize]);
            if a != b {
                linked[usize::from(a)].push(u32::from(b));
            }
        }
    }
    for row in &mut linked {
        row.sort_unstable();
        row.dedup();
    }
    linked
}
