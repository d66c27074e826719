//! Validated distributions.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::num::{fabs, ln, significant};

/// How far from 1 a sum may be: what is lost when a table is typed or printed with six decimals.
pub const TOLERANCE: f64 = 1e-6;

/// Numbers that are a distribution: finite, not negative, summing to 1.
///
/// ```
/// use repertoire_prob::Distribution;
/// let weather = Distribution::new(vec![0.7, 0.2, 0.1])?;
/// assert_eq!(weather[0], 0.7);
/// assert!(Distribution::new(vec![0.7, 0.7]).is_err());
/// # Ok::<(), repertoire_prob::distribution::DistributionError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Vec<f64>", into = "Vec<f64>")]
pub struct Distribution(Box<[f64]>);

/// Why numbers are not a distribution.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
pub enum DistributionError {
    /// There is no number.
    #[error("a distribution needs at least one value")]
    Empty,
    /// A number below 0, or not a number.
    #[error("cell {at} is {value}: a probability is a number from 0 to 1")]
    NotAProbability {
        /// Which cell.
        at: usize,
        /// What stands there.
        value: f64,
    },
    /// The numbers do not sum to 1.
    #[error("the cells sum to {}, not to 1", significant(*sum, 9))]
    Sum {
        /// What they sum to.
        sum: f64,
    },
}

/// Checks that numbers are a distribution.
pub fn check(cells: &[f64]) -> Result<(), DistributionError> {
    if cells.is_empty() {
        return Err(DistributionError::Empty);
    }
    if let Some((at, &value)) = cells.iter().enumerate().find(|(_, p)| !(**p >= 0.0 && p.is_finite())) {
        return Err(DistributionError::NotAProbability { at, value });
    }
    let sum: f64 = cells.iter().sum();
    if fabs(sum - 1.0) > TOLERANCE { Err(DistributionError::Sum { sum }) } else { Ok(()) }
}

impl Distribution {
    /// These numbers, if they are a distribution.
    pub fn new(cells: Vec<f64>) -> Result<Self, DistributionError> {
        check(&cells).map(|()| Distribution(cells.into()))
    }

    /// All values equally probable.
    ///
    /// # Panics
    /// If `card` is 0, which no variable has.
    pub fn uniform(card: usize) -> Self {
        assert!(card > 0, "a distribution needs at least one value");
        Distribution(vec![1.0 / card as f64; card].into())
    }

    /// The probabilities.
    #[inline]
    pub fn as_slice(&self) -> &[f64] {
        &self.0
    }

    /// Shannon's entropy in nats: 0 when certain, `ln(card)` when uniform.
    pub fn entropy(&self) -> f64 {
        entropy(&self.0)
    }
}

impl std::ops::Deref for Distribution {
    type Target = [f64];
    #[inline]
    fn deref(&self) -> &[f64] {
        &self.0
    }
}

impl TryFrom<Vec<f64>> for Distribution {
    type Error = DistributionError;
    fn try_from(cells: Vec<f64>) -> Result<Self, DistributionError> {
        Distribution::new(cells)
    }
}

impl From<Distribution> for Vec<f64> {
    fn from(distribution: Distribution) -> Self {
        distribution.0.into()
    }
}

/// Shannon's entropy of a distribution, in nats; NaN if a cell is negative or NaN.
#[inline]
pub fn entropy(cells: &[f64]) -> f64 {
    -cells.iter().filter(|&&p| p != 0.0).map(|&p| p * ln(p)).sum::<f64>()
}

/// Half the summed absolute difference: 0 for equal distributions, 1 for disjoint ones.
///
/// # Panics
/// If the two have different lengths: then they are about different variables.
#[inline]
pub fn total_variation(p: &[f64], q: &[f64]) -> f64 {
    assert_eq!(p.len(), q.len(), "distributions over different variables");
    p.iter().zip(q).map(|(p, q)| fabs(p - q)).sum::<f64>() / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refuses_what_is_not_a_distribution() {
        assert_eq!(Distribution::new(vec![]), Err(DistributionError::Empty));
        assert_eq!(Distribution::new(vec![0.5, 0.6]), Err(DistributionError::Sum { sum: 1.1 }));
        assert_eq!(
            Distribution::new(vec![1.5, -0.5]),
            Err(DistributionError::NotAProbability { at: 1, value: -0.5 })
        );
        assert!(matches!(
            Distribution::new(vec![0.5, f64::NAN]),
            Err(DistributionError::NotAProbability { at: 1, .. })
        ));
    }

    #[test]
    fn entropy_and_distance_have_their_extremes() {
        assert!((Distribution::uniform(8).entropy() - ln(8.0)).abs() < 1e-15);
        assert_eq!(entropy(&[1.0, 0.0]), 0.0);
        assert_eq!(total_variation(&[1.0, 0.0], &[0.0, 1.0]), 1.0);
        assert_eq!(total_variation(&[0.5, 0.5], &[0.5, 0.5]), 0.0);
    }
}
