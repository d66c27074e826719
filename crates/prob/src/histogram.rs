//! Tables learned from counts, one observation at a time, by Laplace's law of succession.
//!
//! `P([A = i] | [B = j]) = (1 + n_ij) / (|A| + n_j)` — Le Hy 2007, eq. 4.4 and 4.5.
//!
//! | paper  | code           | meaning                                             |
//! |--------|----------------|-----------------------------------------------------|
//! | `n_ij` | `counts[j][i]` | how often (with which weight) `i` was seen with `j` |
//! | `n_j`  | a column's sum | how often `j` was seen                              |
//! | `1`    | `prior`        | the virtual observation that each case starts with  |
//!
//! Differs from the paper: the virtual weight is a setting (default 1), and an observation may have a weight,
//! which soft counts need. Cost: O(|A|) per observation.

use thiserror::Error;

/// Why counts or an observation are refused. Nothing is learned from what is refused.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
pub enum HistogramError {
    /// The virtual weight is not a positive number.
    #[error("the virtual weight is {0}: it must be a finite number above 0")]
    Prior(f64),
    /// The counts do not make whole columns.
    #[error("{counts} counts do not make columns of {height}")]
    Size {
        /// How many counts there are.
        counts: usize,
        /// How many values the left side has.
        height: usize,
    },
    /// A count or a weight that is negative, infinite or not a number.
    #[error("a count or weight is {0}: it must be a finite number from 0 up")]
    NotACount(f64),
    /// A case that the table does not have.
    #[error("the table has no case given {given}, left {left}")]
    NoSuchCase {
        /// Index of the column.
        given: usize,
        /// Index within the column.
        left: usize,
    },
}

/// A conditional table that learns. Layout `[given][left]`.
///
/// ```
/// let mut turning = repertoire_prob::Histogram::new(1, 2);
/// turning.observe(0, 1, 1.0)?;
/// assert_eq!(turning.column(0), [1.0 / 3.0, 2.0 / 3.0]);
/// # Ok::<(), repertoire_prob::histogram::HistogramError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Histogram {
    height: u32,
    prior: f64,
    counts: Vec<f64>,
    /// What the counts say now: kept, because a table is asked far more often than it learns.
    cells: Vec<f64>,
}

impl Histogram {
    /// Nothing seen yet: every column is uniform.
    ///
    /// # Panics
    /// If `height` is 0, or the table would be larger than memory can address.
    pub fn new(columns: usize, height: usize) -> Self {
        let cells = columns.checked_mul(height).filter(|_| height > 0 && height <= u32::MAX as usize);
        let Some(cells) = cells else { panic!("a histogram of {columns} columns of {height} values") };
        Histogram {
            height: height as u32,
            prior: 1.0,
            counts: vec![0.0; cells],
            cells: vec![1.0 / height as f64; cells],
        }
    }

    /// Goes on from counts `[given][left]`, with a virtual weight `prior` for every case.
    pub fn from_counts(height: usize, prior: f64, counts: Vec<f64>) -> Result<Self, HistogramError> {
        if !(prior > 0.0 && prior.is_finite()) {
            return Err(HistogramError::Prior(prior));
        }
        if height == 0 || height > u32::MAX as usize || !counts.len().is_multiple_of(height) {
            return Err(HistogramError::Size { counts: counts.len(), height });
        }
        if let Some(&count) = counts.iter().find(|&&n| !(n >= 0.0 && n.is_finite())) {
            return Err(HistogramError::NotACount(count));
        }
        let cells = vec![0.0; counts.len()];
        let mut histogram = Histogram { height: height as u32, prior, counts, cells };
        for column in 0..histogram.counts.len() / height {
            histogram.refresh(column);
        }
        Ok(histogram)
    }

    /// Learns one observation of `left` with `given`, of this weight; refused, and nothing learned, if the table has no
    /// such case or the weight is not a finite number from 0 up.
    #[inline]
    pub fn observe(&mut self, given: usize, left: usize, weight: f64) -> Result<(), HistogramError> {
        let height = self.height as usize;
        if left >= height || given >= self.counts.len() / height {
            return Err(HistogramError::NoSuchCase { given, left });
        }
        if !(weight >= 0.0 && weight.is_finite()) {
            return Err(HistogramError::NotACount(weight));
        }
        self.counts[given * height + left] += weight;
        self.refresh(given);
        Ok(())
    }

    /// The learned distribution over the left side.
    ///
    /// # Panics
    /// If there is no such column.
    #[inline]
    pub fn column(&self, given: usize) -> &[f64] {
        &self.cells[given * self.height as usize..][..self.height as usize]
    }

    /// All learned probabilities, `[given][left]`.
    #[inline]
    pub fn cells(&self) -> &[f64] {
        &self.cells
    }

    /// All counts, `[given][left]`, without the virtual ones.
    pub fn counts(&self) -> &[f64] {
        &self.counts
    }

    /// The virtual weight that each case starts with.
    pub fn prior(&self) -> f64 {
        self.prior
    }

    /// How many values the left side has.
    pub fn height(&self) -> usize {
        self.height as usize
    }

    fn refresh(&mut self, column: usize) {
        let height = self.height as usize;
        let span = column * height..(column + 1) * height;
        let counts = &self.counts[span.clone()];
        let total = self.prior * f64::from(self.height) + counts.iter().sum::<f64>();
        for (cell, count) in self.cells[span].iter_mut().zip(counts) {
            *cell = (self.prior + count) / total;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::num::significant;

    #[test]
    fn le_hy_tables_4_2_to_4_4() {
        let counts = [31.0, 4.0, 0.0, 0.0, 3.0, 10.0, 52.0];
        let frequencies: Vec<String> =
            counts.iter().map(|n| significant(n / counts.iter().sum::<f64>(), 3)).collect();
        assert_eq!(frequencies, ["0.31", "0.04", "0", "0", "0.03", "0.1", "0.52"]); // table 4.3

        let learned = Histogram::from_counts(7, 1.0, counts.to_vec()).unwrap();
        let printed: Vec<String> = learned.column(0).iter().map(|&p| significant(p, 3)).collect();
        assert_eq!(printed, ["0.299", "0.0467", "0.00935", "0.00935", "0.0374", "0.103", "0.495"]); // table 4.4
    }

    #[test]
    fn le_hy_tables_4_5_and_4_6() {
        // Rows: rotation -3..3. Columns: direction -4..4.
        let occurrences = [
            [6, 14, 11, 0, 0, 0, 0, 0, 0],
            [1, 1, 1, 4, 0, 0, 0, 0, 0],
            [0, 0, 0, 5, 1, 0, 0, 0, 0],
            [0, 0, 0, 0, 11, 0, 0, 0, 0],
            [0, 0, 0, 0, 2, 3, 0, 0, 0],
            [0, 0, 0, 0, 0, 4, 1, 1, 0],
            [0, 0, 0, 0, 0, 0, 13, 14, 7],
        ];
        let printed = "0.5 0.682 0.632 0.0625 0.0476 0.0714 0.0476 0.0455 0.0714
            0.143 0.0909 0.105 0.312 0.0476 0.0714 0.0476 0.0455 0.0714
            0.0714 0.0455 0.0526 0.375 0.0952 0.0714 0.0476 0.0455 0.0714
            0.0714 0.0455 0.0526 0.0625 0.571 0.0714 0.0476 0.0455 0.0714
            0.0714 0.0455 0.0526 0.0625 0.143 0.286 0.0476 0.0455 0.0714
            0.0714 0.0455 0.0526 0.0625 0.0476 0.357 0.0952 0.0909 0.0714
            0.0714 0.0455 0.0526 0.0625 0.0476 0.0714 0.667 0.682 0.571";
        let mut learned = Histogram::new(9, 7);
        for (rotation, row) in occurrences.iter().enumerate() {
            for (direction, &times) in row.iter().enumerate() {
                for _ in 0..times {
                    learned.observe(direction, rotation, 1.0).unwrap();
                }
            }
        }
        for (rotation, row) in printed.lines().enumerate() {
            for (direction, cell) in row.split_whitespace().enumerate() {
                assert_eq!(
                    significant(learned.column(direction)[rotation], 3),
                    cell,
                    "{rotation} {direction}"
                );
            }
        }
    }

    #[test]
    fn online_and_batch_agree_to_the_bit_and_survive_saving() {
        let mut online = Histogram::new(2, 3);
        for (given, left) in [(0, 1), (1, 2), (0, 1), (1, 0)] {
            online.observe(given, left, 1.0).unwrap();
        }
        let batch = Histogram::from_counts(3, 1.0, vec![0.0, 2.0, 0.0, 1.0, 0.0, 1.0]).unwrap();
        assert_eq!(online, batch);
        assert_eq!(
            Histogram::from_counts(online.height(), online.prior(), online.counts().to_vec()),
            Ok(online)
        );
    }
}
