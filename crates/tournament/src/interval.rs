//! Means with a confidence interval.
//!
//! `mean ± t(0.975, n-1) · s / √n` (Student 1908): where the mean of ever more matches would lie, in 95 of 100
//! tournaments, if scores spread like a bell. They do only roughly (no score is below 0), so that with few matches the
//! interval is a guide, not a proof.
//!
//! The distribution of `t` for whole degrees of freedom `ν` is a finite sum (Abramowitz and Stegun 1964, 26.7.3 and
//! 26.7.4), with `θ = atan(t/√ν)`:
//!
//! | `ν`   | `P(abs(T) ≤ t)`                                                                        |
//! |-------|----------------------------------------------------------------------------------------|
//! | 1     | `2θ/π`                                                                                 |
//! | odd   | `2/π · (θ + sin θ · (cos θ + 2/3 cos³ θ + ... + 2·4..(ν-3)/(3·5..(ν-2)) cos^(ν-2) θ))` |
//! | even  | `sin θ · (1 + 1/2 cos² θ + ... + 1·3..(ν-3)/(2·4..(ν-2)) cos^(ν-2) θ)`                 |
//!
//! Differs from the source: nothing. The quantile is found by halving.

use std::f64::consts::PI;
use std::fmt;

use repertoire_prob::num::{Sum, atan2};
use serde::{Deserialize, Serialize};

/// The share of tournaments whose interval holds the true mean.
pub const CONFIDENCE: f64 = 0.95;

/// Above this many degrees of freedom the quantile no longer changes in the fourth digit, and the sum grows long.
const MOST_FREEDOM: u32 = 20_000;

/// A mean and how sure it is.
///
/// ```
/// use repertoire_tournament::Interval;
///
/// let scores = Interval::of(&[12.0, 9.0, 15.0, 10.0, 14.0]);
/// assert_eq!(scores.mean, 12.0);
/// assert!(scores.low() < 9.0 && scores.high() > 15.0, "five matches say little");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Interval {
    /// The mean.
    pub mean: f64,
    /// The interval reaches so far to both sides of it; unknown from a single sample.
    pub half_width: Option<f64>,
}

impl Interval {
    /// The mean of samples with its 95 % interval. The mean of nothing is 0.
    pub fn of(samples: &[f64]) -> Self {
        let count = samples.len() as f64;
        let sum = |terms: &mut dyn Iterator<Item = f64>| {
            let mut sum = Sum::default();
            terms.for_each(|term| sum.add(term));
            sum.value()
        };
        if samples.is_empty() {
            return Interval { mean: 0.0, half_width: None };
        }
        let mean = sum(&mut samples.iter().copied()) / count;
        let squares = sum(&mut samples.iter().map(|sample| (sample - mean) * (sample - mean)));
        let half_width = (samples.len() > 1).then(|| {
            let deviation = (squares / (count - 1.0)).sqrt();
            t_quantile(samples.len() as u32 - 1, CONFIDENCE) * deviation / count.sqrt()
        });
        Interval { mean, half_width }
    }

    /// The lower end, or the mean if nothing is known of the spread.
    pub fn low(&self) -> f64 {
        self.mean - self.half_width.unwrap_or(0.0)
    }

    /// The upper end, or the mean if nothing is known of the spread.
    pub fn high(&self) -> f64 {
        self.mean + self.half_width.unwrap_or(0.0)
    }
}

impl fmt::Display for Interval {
    /// `12.3 ± 1.4` with as many digits as the format asks for (`{:.1}`), the mean alone if nothing is known of the spread;
    /// `{:+.1}` writes the sign of the mean.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = f.precision().unwrap_or(2);
        if f.sign_plus() {
            write!(f, "{:+.digits$}", self.mean)?;
        } else {
            write!(f, "{:.digits$}", self.mean)?;
        }
        match self.half_width {
            Some(half) => write!(f, " ± {half:.digits$}"),
            None => Ok(()),
        }
    }
}

/// A number made of samples, with the interval that leaving out one sample after the other gives (the jackknife): `whole` gets the sample
/// to leave out. None if the whole has no number; no interval from a single sample, or where a part has no number.
pub fn jackknife(
    samples: usize,
    whole: impl Fn(Option<usize>) -> Option<f64>,
) -> Option<(f64, Option<(f64, f64)>)> {
    let number = whole(None)?;
    let left_out: Option<Vec<f64>> = (0..samples).map(|at| whole(Some(at))).collect();
    let ends = left_out.filter(|left_out| left_out.len() > 1).and_then(|left_out| {
        // The deviation of a mean of n is that of samples over the root of n; leaving one out shows it n - 1 times smaller.
        let half = Interval::of(&left_out).half_width? * (left_out.len() as f64 - 1.0);
        Some((number - half, number + half))
    });
    Some((number, ends))
}

/// The `t` that a share of `within` of Student's distribution lies within, on both sides of 0.
///
/// `freedom` is at least 1, `within` above 0 and below 1.
pub fn t_quantile(freedom: u32, within: f64) -> f64 {
    let freedom = freedom.clamp(1, MOST_FREEDOM);
    let (mut low, mut high) = (0.0, 1.0);
    // The heaviest tail, of one degree of freedom, has its quantile of 1 - 1e-9 below 1e9.
    while t_within(high, freedom) < within && high < 1e12 {
        high *= 2.0;
    }
    // 100 halvings reach the last bit from any start.
    for _ in 0..100 {
        let middle = (low + high) / 2.0;
        if t_within(middle, freedom) < within { low = middle } else { high = middle }
    }
    (low + high) / 2.0
}

/// `P(|T| ≤ t)` for a number of degrees of freedom.
fn t_within(t: f64, freedom: u32) -> f64 {
    let root = f64::from(freedom).sqrt();
    let hypotenuse = (f64::from(freedom) + t * t).sqrt();
    let (sin, cos) = (t / hypotenuse, root / hypotenuse);
    let is_odd = freedom % 2 == 1;
    // Each term is the one before times cos² and the next factor: 2/3, 4/5.. for odd, 1/2, 3/4.. for even.
    let mut term = if is_odd { cos } else { 1.0 };
    let mut series = 0.0;
    for power in (if is_odd { 1 } else { 0 }..freedom.saturating_sub(1)).step_by(2) {
        series += term;
        term *= cos * cos * f64::from(power + 1) / f64::from(power + 2);
        if term < 1e-18 {
            break;
        }
    }
    if is_odd { 2.0 / PI * (atan2(t, root) + sin * series) } else { sin * series }
}

/// The ends of a share's interval, 95 % (Wilson 1927).
pub fn wilson(wins: f64, of: f64) -> (f64, f64) {
    const Z: f64 = 1.959_963_984_540_054;
    if of == 0.0 {
        return (0.0, 1.0);
    }
    let share = wins / of;
    let z2 = Z * Z;
    let middle = (share + z2 / (2.0 * of)) / (1.0 + z2 / of);
    let half = Z / (1.0 + z2 / of) * (share * (1.0 - share) / of + z2 / (4.0 * of * of)).sqrt();
    (middle - half, middle + half)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_written_with_as_many_digits_as_asked_for() {
        let known = Interval { mean: 12.345, half_width: Some(0.55) };
        assert_eq!(format!("{known:.1}"), "12.3 ± 0.6");
        assert_eq!(format!("{known:+.0}"), "+12 ± 1");
        assert_eq!(format!("{:.3}", Interval { mean: -1.0, half_width: None }), "-1.000");
    }

    #[test]
    fn quantiles_are_those_of_the_printed_tables() {
        // Abramowitz and Stegun, table 26.10, and any statistics book.
        for (freedom, within, printed) in [
            (1, 0.95, 12.706),
            (2, 0.95, 4.303),
            (3, 0.95, 3.182),
            (4, 0.95, 2.776),
            (9, 0.95, 2.262),
            (10, 0.95, 2.228),
            (29, 0.95, 2.045),
            (30, 0.95, 2.042),
            (120, 0.95, 1.980),
            (9, 0.99, 3.250),
            (5, 0.90, 2.015),
            (1, 0.50, 1.000),
            (u32::MAX, 0.95, 1.960),
        ] {
            let found = t_quantile(freedom, within);
            assert!((found - printed).abs() < 5.1e-4, "{freedom} {within}: {found}, printed {printed}");
        }
    }

    #[test]
    fn an_interval_is_the_one_worked_by_hand() {
        // Mean 5, squares 32, deviation √(32/7) = 2.138, over √8 = 0.7559, times t(7) = 2.3646: 1.7875.
        let interval = Interval::of(&[2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0]);
        assert_eq!(interval.mean, 5.0);
        assert!(interval.half_width.is_some_and(|half| (half - 1.7875).abs() < 1e-3), "{interval:?}");
    }

    #[test]
    fn one_sample_has_no_interval_and_none_has_no_mean() {
        assert_eq!(Interval::of(&[3.0]), Interval { mean: 3.0, half_width: None });
        assert_eq!(Interval::of(&[]), Interval { mean: 0.0, half_width: None });
        assert_eq!(Interval::of(&[2.0; 5]).half_width, Some(0.0));
    }

    #[test]
    fn about_95_of_100_intervals_hold_the_mean() {
        // 2000 tournaments of 10 matches, each score the sum of twelve even draws: nearly a bell around 6.
        let mut draw = repertoire_prob::Stream::new(5, 0, "interval test");
        let mut score = || (0..12).map(|_| draw.unit()).sum::<f64>();
        let holds = (0..2000).filter(|_| {
            let scores: Vec<f64> = (0..10).map(|_| score()).collect();
            let interval = Interval::of(&scores);
            interval.low() <= 6.0 && 6.0 <= interval.high()
        });
        let share = holds.count() as f64 / 2000.0;
        assert!((0.935..0.965).contains(&share), "{share}");
    }

    #[test]
    fn wilsons_interval_is_the_printed_one() {
        // Newcombe 1998, table I: 81 of 263 gives 0.2553 to 0.3662; 0 of 20 gives 0 to 0.1611.
        let (low, high) = wilson(81.0, 263.0);
        assert!((low - 0.2553).abs() < 5e-5 && (high - 0.3662).abs() < 5e-5, "{low} {high}");
        let (low, high) = wilson(0.0, 20.0);
        assert!(low.abs() < 1e-12 && (high - 0.1611).abs() < 5e-5, "{low} {high}");
    }
}
