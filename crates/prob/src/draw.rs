//! Choosing from a distribution: by chance, the most probable, or by chance after sharpening.
//!
//! Sampling keeps a character unpredictable in proportion to its doubt. Raising the distribution to a power
//! before sampling (Tencé 2011 uses 5 to 10 for smooth movement) leaves its order alone and makes rare choices
//! rarer; power 1 is plain sampling, a large power approaches arg-max.

use rand_core::Rng;
use thiserror::Error;

use crate::num::{exp, ln, normalise};
use crate::stream::unit;

/// Why nothing can be drawn from weights.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
pub enum DrawError {
    /// A weight that is negative, infinite or not a number.
    #[error("weight {at} is {value}: a weight is a finite number from 0 up")]
    NotAWeight {
        /// Which weight.
        at: usize,
        /// What stands there.
        value: f64,
    },
    /// There is no weight, or every one is 0.
    #[error("nothing can be drawn: no weight is above 0")]
    NothingPossible,
    /// The sum of the weights is beyond what a number can hold.
    #[error("the weights sum to infinity: divide them by the greatest first")]
    TooLarge,
    /// A power that is negative, infinite or not a number.
    #[error("{0} is not a power to sharpen by: a power is a finite number from 0 up")]
    NotAPower(f64),
}

/// Checks that something can be drawn from weights.
pub fn check(weights: &[f64]) -> Result<(), DrawError> {
    if let Some((at, &value)) = weights.iter().enumerate().find(|(_, w)| !(**w >= 0.0 && w.is_finite())) {
        return Err(DrawError::NotAWeight { at, value });
    }
    match weights.iter().sum::<f64>() {
        0.0 => Err(DrawError::NothingPossible),
        sum if sum.is_infinite() => Err(DrawError::TooLarge),
        _ => Ok(()),
    }
}

/// Draws an index in proportion to weights, or says what is wrong with them. For weights from outside; [`sample`] is for
/// weights that the caller made.
///
/// ```
/// use repertoire_prob::{Stream, draw};
/// let mut rng = Stream::new(42, 7, "aim");
/// assert_eq!(draw::try_sample(&[0.0, 2.0], &mut rng), Ok(1));
/// assert_eq!(draw::try_sample(&[0.0, 0.0], &mut rng), Err(draw::DrawError::NothingPossible));
/// ```
#[inline]
pub fn try_sample<R: Rng + ?Sized>(weights: &[f64], rng: &mut R) -> Result<usize, DrawError> {
    check(weights)?;
    Ok(sample(weights, rng))
}

/// Draws an index in proportion to non-negative weights, which need not sum to 1.
///
/// Never returns an index of weight 0. Weights that come from outside are drawn from with [`try_sample`].
///
/// # Panics
/// If the weights have no positive finite sum: the caller decides what a contradiction means. Debug builds also refuse a
/// negative weight; release builds never choose it, but it distorts the shares of the others.
#[inline]
pub fn sample<R: Rng + ?Sized>(weights: &[f64], rng: &mut R) -> usize {
    let total: f64 = weights.iter().sum();
    assert!(total > 0.0 && total.is_finite(), "weights to sample from must have a positive finite sum");
    debug_assert!(weights.iter().all(|&weight| weight >= 0.0), "weights to sample from are not negative");
    let mut left = unit(rng) * total;
    let mut last = 0;
    for (index, &weight) in weights.iter().enumerate() {
        if weight > 0.0 {
            if left < weight {
                return index;
            }
            left -= weight;
            last = index;
        }
    }
    // Rounding can leave a crumb beyond the last weight.
    last
}

/// The index of the greatest weight; the first of several equal ones. A NaN is never the greatest of several.
///
/// # Panics
/// If there is no weight: then there is no index either.
#[inline]
pub fn arg_max(weights: &[f64]) -> usize {
    assert!(!weights.is_empty(), "the greatest of no weights");
    let (mut best, mut most) = (0, f64::NEG_INFINITY);
    for (index, &weight) in weights.iter().enumerate() {
        if weight > most {
            (best, most) = (index, weight);
        }
    }
    best
}

/// Raises weights to a power and normalises them, in logs so that nothing underflows together.
///
/// What is impossible stays impossible, also for power 0. On an error the weights are left as they were.
pub fn sharpen(weights: &mut [f64], power: f64) -> Result<(), DrawError> {
    if !(power >= 0.0 && power.is_finite()) {
        return Err(DrawError::NotAPower(power));
    }
    let mut most = 0.0;
    for (at, &value) in weights.iter().enumerate() {
        if !(value >= 0.0 && value.is_finite()) {
            return Err(DrawError::NotAWeight { at, value });
        }
        most = f64::max(most, value);
    }
    if most == 0.0 {
        return Err(DrawError::NothingPossible);
    }
    for weight in weights.iter_mut().filter(|weight| **weight > 0.0) {
        *weight = exp(power * (ln(*weight) - ln(most)));
    }
    normalise(weights);
    Ok(())
}

/// Sharpens a copy in `scratch`, then samples from it.
pub fn sample_sharpened<R: Rng + ?Sized>(
    weights: &[f64],
    power: f64,
    scratch: &mut Vec<f64>,
    rng: &mut R,
) -> Result<usize, DrawError> {
    scratch.clear();
    scratch.extend_from_slice(weights);
    sharpen(scratch, power)?;
    Ok(sample(scratch, rng))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Stream;
    use proptest::prelude::*;

    #[test]
    fn draws_are_stable() {
        let mut rng = Stream::new(1, 1, "draw");
        let drawn: Vec<usize> = (0..20).map(|_| sample(&[0.1, 0.2, 0.3, 0.4], &mut rng)).collect();
        assert_eq!(drawn, [1, 2, 2, 3, 2, 3, 2, 3, 3, 2, 3, 3, 1, 2, 1, 3, 3, 2, 2, 3]);
    }

    #[test]
    fn frequencies_follow_the_weights() {
        let weights = [1.0, 0.0, 3.0, 6.0];
        let mut rng = Stream::new(2, 1, "draw");
        let mut counts = [0u32; 4];
        for _ in 0..100_000 {
            counts[sample(&weights, &mut rng)] += 1;
        }
        for (count, weight) in counts.iter().zip(weights) {
            let expected = weight * 10_000.0;
            assert!((f64::from(*count) - expected).abs() < 5.0 * expected.sqrt() + 1e-9, "{counts:?}");
        }
    }

    #[test]
    fn sharpening_is_the_power_of_each_probability() {
        let mut p = [0.5, 0.3, 0.2, 0.0];
        sharpen(&mut p, 5.0).unwrap();
        let z = 0.03125 + 0.00243 + 0.00032;
        for (p, expected) in p.iter().zip([0.03125 / z, 0.00243 / z, 0.00032 / z, 0.0]) {
            assert!((p - expected).abs() < 1e-14);
        }
        let mut tiny = [1e-200, 1e-201];
        sharpen(&mut tiny, 10.0).unwrap();
        assert!((tiny[0] - 1.0 / (1.0 + 1e-10)).abs() < 1e-12);
    }

    proptest! {
        #[test]
        fn never_draws_the_impossible(weights in prop::collection::vec(prop_oneof![Just(0.0), 1e-300..1.0f64], 1..12), seed: u64) {
            prop_assume!(weights.iter().any(|&w| w > 0.0));
            let mut rng = Stream::new(seed, 0, "draw");
            for _ in 0..20 {
                prop_assert!(weights[sample(&weights, &mut rng)] > 0.0);
            }
            prop_assert!(weights[sample_sharpened(&weights, 7.0, &mut Vec::new(), &mut rng).unwrap()] > 0.0);
        }
    }
}
