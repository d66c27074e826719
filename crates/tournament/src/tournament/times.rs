//! How long decisions took, as a histogram.
//!
//! The mean of wall-clock times is mostly the system's doing: one interruption lasts as long as thousands of decisions.
//! Quantiles are not moved by it, and a histogram with cells in proportion gives them without keeping every time.

use serde::{Deserialize, Serialize};

/// Cells within each doubling: a time is known to an eighth.
const PER_OCTAVE: u64 = 8;
const CELLS: usize = 64 * PER_OCTAVE as usize;

/// A histogram of nanoseconds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Filled", into = "Filled")]
pub(super) struct Times {
    counts: Vec<u64>,
    total_ns: u64,
}

/// The cells that hold something, as they are written.
#[derive(Serialize, Deserialize)]
struct Filled {
    cells: Vec<(usize, u64)>,
    total_ns: u64,
}

impl From<Times> for Filled {
    fn from(times: Times) -> Self {
        let cells = times.counts.into_iter().enumerate().filter(|(_, count)| *count > 0).collect();
        Filled { cells, total_ns: times.total_ns }
    }
}

impl From<Filled> for Times {
    fn from(filled: Filled) -> Self {
        let mut times = Times { total_ns: filled.total_ns, ..Times::default() };
        for (cell, count) in filled.cells {
            times.counts[cell.min(CELLS - 1)] += count;
        }
        times
    }
}

impl Default for Times {
    fn default() -> Self {
        Times { counts: vec![0; CELLS], total_ns: 0 }
    }
}

impl Times {
    pub fn add(&mut self, ns: u64) {
        self.counts[cell(ns)] += 1;
        self.total_ns += ns;
    }

    pub fn merge(&mut self, other: &Times) {
        for (own, other) in self.counts.iter_mut().zip(&other.counts) {
            *own += other;
        }
        self.total_ns += other.total_ns;
    }

    pub fn count(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// The mean, interruptions included; 0 of nothing.
    pub fn mean_ns(&self) -> f64 {
        self.total_ns as f64 / self.count().max(1) as f64
    }

    /// The time that this share of all took less than, to an eighth; 0 of nothing.
    pub fn quantile_ns(&self, share: f64) -> f64 {
        let rank = (share * self.count() as f64) as u64;
        let mut before = 0;
        for (cell, &count) in self.counts.iter().enumerate() {
            before += count;
            if before > rank {
                return (start(cell) + start(cell + 1)) as f64 / 2.0;
            }
        }
        0.0
    }
}

/// The cell of a time: times below 8 have one each, then each doubling has eight.
fn cell(ns: u64) -> usize {
    if ns < PER_OCTAVE {
        return ns as usize;
    }
    let octave = u64::from(ns.ilog2());
    let eighth = (ns >> (octave - 3)) % PER_OCTAVE;
    ((octave - 2) * PER_OCTAVE + eighth) as usize
}

/// The smallest time of a cell.
fn start(cell: usize) -> u64 {
    let cell = cell as u64;
    if cell < PER_OCTAVE {
        return cell;
    }
    (PER_OCTAVE + cell % PER_OCTAVE) << (cell / PER_OCTAVE - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_time_lies_in_its_cell() {
        for ns in (0..5000).chain([1 << 20, (1 << 40) + 12345, u64::MAX / 2]) {
            let cell = cell(ns);
            assert!(start(cell) <= ns && ns < start(cell + 1), "{ns} in {cell}");
        }
        assert!(cell(u64::MAX) < CELLS);
    }

    #[test]
    fn an_interruption_moves_the_mean_and_not_the_median() {
        let mut times = Times::default();
        assert_eq!((times.count(), times.mean_ns(), times.quantile_ns(0.5)), (0, 0.0, 0.0));
        (900..1100).for_each(|ns| times.add(ns));
        times.add(10_000_000);
        assert!((times.quantile_ns(0.5) - 1000.0).abs() < 100.0, "{}", times.quantile_ns(0.5));
        assert!(times.mean_ns() > 50_000.0 && times.count() == 201);
        let mut both = times.clone();
        both.merge(&times);
        assert_eq!((both.count(), both.quantile_ns(0.5)), (402, times.quantile_ns(0.5)));
        let text = serde_json::to_string(&both).expect("plain data");
        assert_eq!(serde_json::from_str::<Times>(&text).expect("it was written so"), both);
    }
}
