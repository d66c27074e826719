//! Continuous shapes over bins: a bell and an S, integrated over the stretch of each value.
//!
//! Le Hy 2007, section 3.2.3 and figure 3.4: the density of a command is integrated over the interval around each
//! value of the motor variable. Differs from the paper: the thesis draws its bell on a rotation scale without saying
//! what lies beyond the ends; here it belongs to the outermost bins, or goes round a circular scale.

use repertoire_prob::Bins;
use repertoire_prob::num::{erfc, normalise, softplus};
use thiserror::Error;

/// Turns around a circle that are summed on each side; a bell wider than this allows is flat to f64.
const MOST_TURNS: i32 = 40;

/// Why a shape has no numbers for a column.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
pub(super) enum ShapeError {
    #[error("the standard deviation is {0}, it must be above 0")]
    Deviation(f64),
    #[error("the standard deviation {0} is more than four turns: write a uniform factor")]
    Turns(f64),
    #[error("the {0} is 0 over every bin")]
    Nothing(&'static str),
}

/// The normal distribution's mass in each bin.
pub(super) fn gaussian(bins: &Bins, mean: f64, sd: f64, out: &mut [f64]) -> Result<(), ShapeError> {
    if !(sd > 0.0 && sd.is_finite()) {
        return Err(ShapeError::Deviation(sd));
    }
    let last = out.len() - 1;
    let period = bins.edges[last + 1] - bins.edges[0];
    // Bring the mean onto the circle, so that the turns summed below lie around it.
    let mean = if bins.circular { mean - ((mean - bins.edges[0]) / period).floor() * period } else { mean };
    let turns = if bins.circular { ((10.0 * sd / period).ceil() as i32).clamp(1, MOST_TURNS) } else { 0 };
    if bins.circular && 10.0 * sd / period > f64::from(MOST_TURNS) {
        return Err(ShapeError::Turns(sd));
    }
    for (value, mass) in out.iter_mut().enumerate() {
        *mass = (-turns..=turns)
            .map(|turn| {
                let open = |edge: usize| !bins.circular && (edge == 0 || edge == last + 1);
                let standard = |edge: usize| (bins.edges[edge] + f64::from(turn) * period - mean) / sd;
                let low = if open(value) { f64::NEG_INFINITY } else { standard(value) };
                let high = if open(value + 1) { f64::INFINITY } else { standard(value + 1) };
                mass_between(low, high)
            })
            .sum();
    }
    if normalise(out) > 0.0 { Ok(()) } else { Err(ShapeError::Nothing("bell")) }
}

/// The standard normal's mass between two points, from the tail that keeps its digits.
fn mass_between(low: f64, high: f64) -> f64 {
    let upper = |x: f64| 0.5 * erfc(x / std::f64::consts::SQRT_2);
    if low > 0.0 { upper(low) - upper(high) } else { upper(-high) - upper(-low) }
}

/// The sigmoid's integral over each bin, normalised.
pub(super) fn sigmoid(bins: &Bins, middle: f64, slope: f64, out: &mut [f64]) -> Result<(), ShapeError> {
    for (value, mass) in out.iter_mut().enumerate() {
        let (low, high) = (bins.edges[value] - middle, bins.edges[value + 1] - middle);
        *mass = if slope == 0.0 {
            (high - low) / 2.0
        } else {
            ((softplus(slope * high) - softplus(slope * low)) / slope).max(0.0)
        };
    }
    let total = normalise(out);
    if total > 0.0 && total.is_finite() { Ok(()) } else { Err(ShapeError::Nothing("sigmoid")) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn bins(edges: &[f64], circular: bool) -> Bins {
        Bins { edges: edges.to_vec(), circular, unit: String::new() }
    }

    /// The integral of a density over a bin, by Simpson's rule.
    fn integral(f: impl Fn(f64) -> f64, low: f64, high: f64) -> f64 {
        let n = 4_000;
        let h = (high - low) / f64::from(n);
        let weight = |i: i32| if i == 0 || i == n { 1.0 } else { 2.0 + 2.0 * f64::from(i % 2) };
        (0..=n).map(|i| weight(i) * f(low + f64::from(i) * h)).sum::<f64>() * h / 3.0
    }

    fn bell(x: f64, mean: f64, sd: f64) -> f64 {
        repertoire_prob::num::exp(-0.5 * ((x - mean) / sd) * ((x - mean) / sd))
    }

    proptest! {
        #[test]
        fn a_bell_is_its_integral(mean in -4.0..4.0f64, sd in 0.2..3.0f64) {
            let edges = [-3.5, -2.5, -1.5, -0.5, 0.5, 1.5, 2.5, 3.5];
            let mut found = [0.0; 7];
            gaussian(&bins(&edges, false), mean, sd, &mut found).unwrap();
            // The outermost bins are open; twelve deviations away there is nothing left.
            let far = [mean.min(-2.5) - 12.0 * sd, -2.5, -1.5, -0.5, 0.5, 1.5, 2.5, mean.max(2.5) + 12.0 * sd];
            let mut expected: Vec<f64> = far.windows(2).map(|e| integral(|x| bell(x, mean, sd), e[0], e[1])).collect();
            normalise(&mut expected);
            for (found, expected) in found.iter().zip(expected) {
                prop_assert!((found - expected).abs() < 1e-9, "{} {}", found, expected);
            }
        }

        #[test]
        fn a_bell_goes_round_a_circle(mean in -720.0..720.0f64, sd in 5.0..200.0f64) {
            let edges: Vec<f64> = (0..=9).map(|i| -180.0 + 40.0 * f64::from(i)).collect();
            let mut found = [0.0; 9];
            gaussian(&bins(&edges, true), mean, sd, &mut found).unwrap();
            let wrapped = |x: f64| (-20..=20).map(|k| bell(x + 360.0 * f64::from(k), mean, sd)).sum::<f64>();
            let mut expected: Vec<f64> = edges.windows(2).map(|e| integral(wrapped, e[0], e[1])).collect();
            normalise(&mut expected);
            for (found, expected) in found.iter().zip(expected) {
                prop_assert!((found - expected).abs() < 1e-8, "{} {}", found, expected);
            }
        }

        #[test]
        fn an_s_is_its_integral(middle in -4.0..4.0f64, slope in -6.0..6.0f64) {
            let edges = [-3.0, -1.0, 0.0, 0.5, 4.0];
            let mut found = [0.0; 4];
            sigmoid(&bins(&edges, false), middle, slope, &mut found).unwrap();
            let s = |x: f64| 1.0 / (1.0 + repertoire_prob::num::exp(-slope * (x - middle)));
            let mut expected: Vec<f64> = edges.windows(2).map(|e| integral(s, e[0], e[1])).collect();
            normalise(&mut expected);
            for (found, expected) in found.iter().zip(expected) {
                prop_assert!((found - expected).abs() < 1e-9);
            }
        }
    }

    #[test]
    fn a_bell_far_away_keeps_its_tail() {
        let mut found = [0.0; 3];
        gaussian(&bins(&[0.0, 1.0, 2.0, 3.0], false), -9.0, 1.0, &mut found).unwrap();
        assert!(found[1] > 0.0 && found[2] > 0.0 && found[2] < found[1], "{found:?}");
    }
}
