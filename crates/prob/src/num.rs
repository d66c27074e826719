//! Portable maths: the same bits on every platform.
//!
//! The standard library's transcendental functions call the platform's, which differ in the last bit. All
//! of Repertoire goes through these (libm, compiled from source); `clippy.toml` bans the others.

pub use libm::{atan2, cos, erf, erfc, exp, fabs, log as ln, log1p, pow, sin, sqrt, tan, tanh};

/// A sum that keeps what rounding drops (Neumaier), so that a hundred thousand terms do not drift.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sum {
    total: f64,
    lost: f64,
}

impl Sum {
    /// Adds a term.
    #[inline]
    pub fn add(&mut self, term: f64) {
        let next = self.total + term;
        self.lost += if fabs(self.total) >= fabs(term) {
            (self.total - next) + term
        } else {
            (term - next) + self.total
        };
        self.total = next;
    }

    /// The sum so far.
    #[inline]
    pub fn value(&self) -> f64 {
        if self.total.is_finite() { self.total + self.lost } else { self.total }
    }
}

/// `ln Σ exp(x)`, safe for very small and very large `x`; minus infinity if nothing is possible.
///
/// One NaN among the logs makes the answer NaN, also where nothing else is possible.
#[inline]
pub fn log_sum_exp(logs: &[f64]) -> f64 {
    let most = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if most.is_infinite() {
        // Nothing possible, or something infinite: either way the greatest is the answer, unless a NaN hides behind it.
        return if logs.iter().any(|log| log.is_nan()) { f64::NAN } else { most };
    }
    most + ln(logs.iter().map(|&x| exp(x - most)).sum())
}

/// `ln(1 + exp(x))` without overflow: the integral of the sigmoid.
#[inline]
pub fn softplus(x: f64) -> f64 {
    if x > 0.0 { x + log1p(exp(-x)) } else { log1p(exp(x)) }
}

/// Divides by the sum and returns it. Weights whose sum is not a positive finite number (all zero, a NaN, an infinity)
/// are left alone, and the answer is 0.
#[inline]
pub fn normalise(weights: &mut [f64]) -> f64 {
    let total: f64 = weights.iter().sum();
    if !(total > 0.0 && total < f64::INFINITY) {
        return 0.0;
    }
    for weight in weights.iter_mut() {
        *weight /= total;
    }
    total
}

/// A number with at most `digits` significant digits, without trailing zeros: how the papers print tables.
pub fn significant(x: f64, digits: usize) -> String {
    if x == 0.0 || !x.is_finite() {
        return if x == 0.0 { "0".into() } else { x.to_string() };
    }
    // `{:e}` rounds to even on exact ties, as the printed tables do (0.3125 is printed 0.312).
    let scientific = format!("{x:.*e}", digits.saturating_sub(1));
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    if !(-5..15).contains(&exponent) {
        let mantissa = if mantissa.contains('.') {
            mantissa.trim_end_matches('0').trim_end_matches('.')
        } else {
            mantissa
        };
        return format!("{mantissa}e{exponent}");
    }
    let rounded: f64 = scientific.parse().unwrap_or(x);
    let decimals = (digits as i32 - 1 - exponent).max(0) as usize;
    let plain = format!("{rounded:.decimals$}");
    if plain.contains('.') { plain.trim_end_matches('0').trim_end_matches('.').into() } else { plain }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn portable_functions_keep_their_bits() {
        // Pinned: a change here changes every golden hash above.
        let bits: Vec<u64> =
            [exp(1.0), ln(10.0), sin(1.0), cos(2.0), atan2(1.0, -3.0), pow(0.3, 7.0), erfc(1.5)]
                .iter()
                .map(|x| x.to_bits())
                .collect();
        assert_eq!(
            bits,
            [
                0x4005bf0a8b14576a,
                0x40026bb1bbb55516,
                0x3feaed548f090cee,
                0xbfdaa22657537205,
                0x40068f095fdf593c,
                0x3f2caa5ab1fd3dac,
                0x3fa15aaa8ec85205,
            ]
        );
    }

    #[test]
    fn a_compensated_sum_does_not_drift() {
        let mut sum = Sum::default();
        for _ in 0..1_000_000 {
            sum.add(0.1);
        }
        assert_eq!(sum.value(), 100_000.0);
    }

    #[test]
    fn significant_digits_are_printed_as_in_the_papers() {
        for (x, printed) in [
            (32.0 / 107.0, "0.299"),
            (1.0 / 107.0, "0.00935"),
            (5.0 / 16.0, "0.312"),
            (0.5, "0.5"),
            (0.0, "0"),
            (1.0, "1"),
            (123456.0, "123000"),
            (4e-32, "4e-32"),
        ] {
            assert_eq!(significant(x, 3), printed);
        }
    }

    #[test]
    fn log_sum_exp_survives_extremes() {
        assert_eq!(log_sum_exp(&[f64::NEG_INFINITY; 2]), f64::NEG_INFINITY);
        assert!((log_sum_exp(&[-1e4, -1e4]) - (-1e4 + ln(2.0))).abs() < 1e-9);
        assert!((softplus(800.0) - 800.0).abs() < 1e-9);
    }
}
