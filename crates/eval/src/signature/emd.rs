//! The earth mover's distance between two histograms: how much must be carried how far, in bins.
//!
//! On a line `Σ_i |C_i|` with `C` the cumulated differences (what must cross from bin `i` to bin `i + 1`). On a circle the
//! stream may go round either way: a constant may be added to all `C_i`, and the best one is minus their median
//! (Rabin, Delon and Gousseau 2009; Werman, Peleg and Rosenfeld 1985).
//!
//! Differs from the paper: Tencé 2011 does not say circular; angles are, and 175 degrees left is 10 degrees from 175
//! right.

/// Why two lists of numbers have no distance.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum NoDistance {
    /// They have not the same number of bins.
    #[error("`p` has {0} bins and `q` has {1}: both need as many, and at least one")]
    Lengths(usize, usize),
    /// A number below 0, or none.
    #[error("`{0}` has {2} in bin {1}: what is carried is a number from 0 up")]
    Value(&'static str, usize, f64),
    /// Nothing to carry.
    #[error("`{0}` is 0 everywhere: there must be something to carry")]
    Empty(&'static str),
}

/// The distance between two lists, each divided by its sum first.
///
/// Fails if they have not as many bins, or if one has a number below 0 or nothing but zeros.
///
/// ```
/// use repertoire_eval::signature::emd::distance;
///
/// let (left, right) = ([1.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 1.0]);
/// assert_eq!(distance(&left, &right, false), Ok(3.0));
/// assert_eq!(distance(&left, &right, true), Ok(1.0), "on a circle the last bin is next to the first");
/// assert!(distance(&left, &[1.0], true).is_err());
/// ```
pub fn distance(p: &[f64], q: &[f64], is_circular: bool) -> Result<f64, NoDistance> {
    if p.len() != q.len() || p.is_empty() {
        return Err(NoDistance::Lengths(p.len(), q.len()));
    }
    let (p, q) = (shares("p", p)?, shares("q", q)?);
    Ok(if is_circular { circular(&p, &q) } else { linear(&p, &q) })
}

fn shares(name: &'static str, list: &[f64]) -> Result<Vec<f64>, NoDistance> {
    if let Some((bin, &x)) = list.iter().enumerate().find(|(_, x)| !(**x >= 0.0 && x.is_finite())) {
        return Err(NoDistance::Value(name, bin, x));
    }
    // By the greatest first, so that no sum is too large for a number.
    let most = list.iter().copied().fold(0.0, f64::max);
    if most == 0.0 {
        return Err(NoDistance::Empty(name));
    }
    let total: f64 = list.iter().map(|x| x / most).sum();
    Ok(list.iter().map(|x| x / most / total).collect())
}

fn cumulated(p: &[f64], q: &[f64]) -> Vec<f64> {
    let mut crossing = 0.0;
    p.iter()
        .zip(q)
        .map(|(p, q)| {
            crossing += p - q;
            crossing
        })
        .collect()
}

/// The distance in bins between two histograms on a line, each of which sums to 1.
pub fn linear(p: &[f64], q: &[f64]) -> f64 {
    let crossing = cumulated(p, q);
    crossing.iter().take(crossing.len().saturating_sub(1)).map(|c| c.abs()).sum()
}

/// The distance in bins between two histograms on a circle, each of which sums to 1.
pub fn circular(p: &[f64], q: &[f64]) -> f64 {
    let crossing = cumulated(p, q);
    let mut sorted = crossing.clone();
    sorted.sort_unstable_by(f64::total_cmp);
    let median = sorted.get(sorted.len() / 2).copied().unwrap_or(0.0);
    crossing.iter().map(|c| (c - median).abs()).sum()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// All ways to carry whole grains, the cheapest: grains of `p` matched with grains of `q` in every order.
    fn by_matching(p: &[u32], q: &[u32], is_circular: bool) -> f64 {
        let grains = |h: &[u32]| -> Vec<usize> {
            h.iter().enumerate().flat_map(|(bin, &n)| std::iter::repeat_n(bin, n as usize)).collect()
        };
        let (from, to) = (grains(p), grains(q));
        assert_eq!(from.len(), to.len());
        fn best(from: &[usize], to: &mut Vec<usize>, far: &dyn Fn(usize, usize) -> usize) -> usize {
            let Some((&first, rest)) = from.split_first() else { return 0 };
            (0..to.len())
                .map(|k| {
                    let goal = to.remove(k);
                    let cost = far(first, goal) + best(rest, to, far);
                    to.insert(k, goal);
                    cost
                })
                .min()
                .unwrap_or(0)
        }
        let n = p.len();
        let far = |a: usize, b: usize| {
            let straight = a.abs_diff(b);
            if is_circular { straight.min(n - straight) } else { straight }
        };
        best(&from, &mut to.clone(), &far) as f64 / from.len() as f64
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(200))]
        #[test]
        fn the_closed_forms_are_the_cheapest_matching(
            from in prop::collection::vec(0usize..9, 5), to in prop::collection::vec(0usize..9, 5), bins in 1usize..9, is_circular: bool,
        ) {
            let count = |grains: &[usize]| {
                let mut h = vec![0u32; bins];
                grains.iter().for_each(|grain| h[grain % bins] += 1);
                h
            };
            let (p, q) = (count(&from), count(&to));
            let float = |h: &[u32]| h.iter().map(|&n| f64::from(n)).collect::<Vec<_>>();
            let found = distance(&float(&p), &float(&q), is_circular).expect("five grains each");
            prop_assert!((found - by_matching(&p, &q, is_circular)).abs() < 1e-12);
        }

        #[test]
        fn it_is_a_distance(
            lists in prop::collection::vec(prop::collection::vec(0.0..1.0f64, 12), 3),
        ) {
            prop_assume!(lists.iter().all(|list| list.iter().sum::<f64>() > 0.0));
            let d = |a: usize, b: usize| distance(&lists[a], &lists[b], true).expect("numbers");
            prop_assert!(d(0, 0) < 1e-12);
            prop_assert!((d(0, 1) - d(1, 0)).abs() < 1e-12);
            prop_assert!(d(0, 2) <= d(0, 1) + d(1, 2) + 1e-12);
            let linear = distance(&lists[0], &lists[1], false).expect("numbers");
            prop_assert!(d(0, 1) <= linear + 1e-12);
        }
    }

    #[test]
    fn the_last_bin_is_next_to_the_first_on_a_circle_only() {
        let (p, q) = ([1.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 1.0]);
        assert_eq!(distance(&p, &q, true), Ok(1.0));
        assert_eq!(distance(&p, &q, false), Ok(3.0));
    }

    #[test]
    fn totals_are_divided_out_and_nonsense_refused() {
        assert_eq!(distance(&[2.0, 0.0], &[0.0, 7.0], true), Ok(1.0));
        assert_eq!(distance(&[], &[], true), Err(NoDistance::Lengths(0, 0)));
        assert_eq!(distance(&[1.0], &[1.0, 0.0], true), Err(NoDistance::Lengths(1, 2)));
        assert_eq!(distance(&[1.0, -0.5], &[1.0, 0.0], true), Err(NoDistance::Value("p", 1, -0.5)));
        assert!(distance(&[f64::NAN], &[1.0], true).is_err());
        assert_eq!(distance(&[0.0], &[1.0], true), Err(NoDistance::Empty("p")));
        assert_eq!(distance(&[1.0, 1.0], &[1e308, 1e308], true), Ok(0.0));
    }
}
