//! How much of its time an opponent spends in each place in the long run.
//!
//! `p_i = π_i μ_i / Σ_j π_j μ_j` — Beaulac 2013, eq. 3, after Ross 2010: `π` is the stationary distribution of the exits
//! alone, `μ_i` the mean stay.
//!
//! Differs from the paper: nothing. `π` is found by Grassmann, Taksar and Heyman's elimination, which only adds and
//! multiplies what is positive, so that small probabilities keep their digits. Cost: O(places³) in the worst case.

use crate::Dynamics;

/// Why there is no one answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoShare {
    /// Where one ends up depends on where one begins.
    #[error("there are {0} sets of places that are never left: the share of time depends on the beginning")]
    SeveralEnds(usize),
}

/// The share of time spent in each place in the long run.
///
/// ```
/// use repertoire_belief::{Dynamics, share::long_run_share};
/// // To and fro between two places, one step in the first and three in the second.
/// let dynamics = Dynamics::new(
///     &[1.0, 0.0],
///     &[vec![0.0, 1.0], vec![1.0, 0.0]],
///     &[vec![1.0], vec![0.0, 0.0, 1.0]],
/// )?;
/// let share = long_run_share(&dynamics).expect("both places are always come back to");
/// assert!((share[1] - 0.75).abs() < 1e-12);
/// # Ok::<(), repertoire_belief::DynamicsError>(())
/// ```
pub fn long_run_share(dynamics: &Dynamics) -> Result<Vec<f64>, NoShare> {
    let places = dynamics.places();
    let ends = closed_classes(dynamics);
    let [end] = &ends[..] else { return Err(NoShare::SeveralEnds(ends.len())) };
    let mut share = vec![0.0; places];
    if let [only] = end[..] {
        share[only] = 1.0;
        return Ok(share);
    }
    let n = end.len();
    let mut index = vec![usize::MAX; places];
    end.iter().enumerate().for_each(|(k, &s)| index[s] = k);
    let mut a = vec![0.0; n * n];
    for (k, &s) in end.iter().enumerate() {
        dynamics.exits(s).for_each(|(to, p)| a[k * n + index[to]] += p);
    }
    for last in (1..n).rev() {
        let out: f64 = a[last * n..][..last].iter().sum();
        for i in 0..last {
            a[i * n + last] /= out;
            let factor = a[i * n + last];
            if factor > 0.0 {
                for j in 0..last {
                    a[i * n + j] += factor * a[last * n + j];
                }
            }
        }
    }
    let mut pi = vec![1.0; n];
    for k in 1..n {
        pi[k] = (0..k).map(|i| pi[i] * a[i * n + k]).sum();
    }
    for (k, &s) in end.iter().enumerate() {
        share[s] = pi[k] * dynamics.mean_stay(s);
    }
    let total: f64 = share.iter().sum();
    share.iter_mut().for_each(|p| *p /= total);
    Ok(share)
}

/// Sets of places that reach each other and nothing else, found by reachability; in the order of their first place.
fn closed_classes(dynamics: &Dynamics) -> Vec<Vec<usize>> {
    let places = dynamics.places();
    let reach = |from: usize| {
        let (mut seen, mut stack) = (vec![false; places], vec![from]);
        seen[from] = true;
        while let Some(s) = stack.pop() {
            for (to, _) in dynamics.exits(s) {
                if !seen[to] {
                    seen[to] = true;
                    stack.push(to);
                }
            }
        }
        seen
    };
    let mut ends: Vec<Vec<usize>> = Vec::new();
    let mut done = vec![false; places];
    for s in 0..places {
        if done[s] {
            continue;
        }
        let seen = reach(s);
        let members: Vec<usize> = (0..places).filter(|&to| seen[to]).collect();
        // Closed: everything that it reaches reaches it back.
        if members.iter().all(|&to| to == s || reach(to)[s]) {
            members.iter().for_each(|&to| done[to] = true);
            ends.push(members);
        } else {
            done[s] = true;
        }
    }
    ends
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn visits_in_turn_share_time_by_their_length() {
        // Eq. 1: three places visited in a loop.
        let turn = [vec![0.0, 1.0, 0.0], vec![0.0, 0.0, 1.0], vec![1.0, 0.0, 0.0]];
        let stays = [vec![1.0], vec![0.0, 0.0, 1.0], vec![0.5, 0.0, 0.5]];
        let dynamics = Dynamics::new(&[1.0, 0.0, 0.0], &turn, &stays).expect("three places");
        let share = long_run_share(&dynamics).expect("one end");
        for (found, mean) in share.iter().zip([1.0, 3.0, 2.0]) {
            assert!((found - mean / 6.0).abs() < 1e-15);
        }
    }

    #[test]
    fn simulated_time_agrees_with_equation_3() {
        let a = [vec![0.0, 0.7, 0.3], vec![0.2, 0.0, 0.8], vec![0.9, 0.1, 0.0]];
        let stays = [vec![0.2, 0.8], vec![0.0, 0.3, 0.0, 0.7], vec![1.0]];
        let dynamics = Dynamics::new(&[1.0, 0.0, 0.0], &a, &stays).expect("three places");
        let share = long_run_share(&dynamics).expect("one end");
        let mut rng = repertoire_prob::Stream::new(1, 0, "share");
        let mut counts = [0.0; 3];
        let mut walk = crate::simulate::Walk::begin(&dynamics, &mut rng);
        for _ in 0..200_000 {
            counts[walk.place] += 1.0 / 200_000.0;
            walk.step(&dynamics, &mut rng);
        }
        for (found, counted) in share.iter().zip(counts) {
            assert!((found - counted).abs() < 0.005, "{share:?} {counts:?}");
        }
    }

    #[test]
    fn places_that_are_only_passed_get_no_share_and_two_ends_are_refused() {
        let a = [vec![0.0, 0.5, 0.5], vec![0.0, 0.0, 1.0], vec![0.0, 1.0, 0.0]];
        let one = vec![vec![1.0]; 3];
        let share =
            long_run_share(&Dynamics::new(&[1.0, 0.0, 0.0], &a, &one).expect("places")).expect("one end");
        assert_eq!(share, [0.0, 0.5, 0.5]);
        let apart = [vec![0.0, 0.5, 0.5], vec![0.0; 3], vec![0.0; 3]];
        let apart = Dynamics::new(&[1.0, 0.0, 0.0], &apart, &one).expect("places");
        assert_eq!(long_run_share(&apart), Err(NoShare::SeveralEnds(2)));
    }
}
