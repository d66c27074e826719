//! The baseline: as many centres as the learner made nodes, placed with all positions at hand.
//!
//! Lloyd's algorithm from starts after Arthur and Vassilvitskii (k-means++), the best of several. It sees everything at once,
//! as often as it likes, and is told how many centres to place; a learner that is nearly as good as this has little left
//! to gain.

use repertoire_prob::Stream;
use repertoire_prob::draw::sample;

use crate::Point;
use crate::error::PositionError;
use crate::nearest::{Index, distance_squared};

/// Rounds of Lloyd's algorithm at most; it stops sooner when a round gains less than a ten-thousandth.
const ROUNDS: usize = 100;

/// Centres of positions: the best of several starts, by the sum of squares.
///
/// At most as many as there are different positions; one start where `starts` is 0. Fails if a position is none.
///
/// ```
/// use repertoire_topology::kmeans::kmeans;
/// let two_heaps = [[0.0; 3], [2.0, 0.0, 0.0], [100.0, 0.0, 0.0], [102.0, 0.0, 0.0]];
/// let mut centres = kmeans(&two_heaps, 2, 4, 1)?;
/// centres.sort_by(|a, b| a[0].total_cmp(&b[0]));
/// assert_eq!(centres, [[1.0, 0.0, 0.0], [101.0, 0.0, 0.0]]);
/// # Ok::<(), repertoire_topology::error::PositionError>(())
/// ```
pub fn kmeans(points: &[Point], count: usize, starts: u32, seed: u64) -> Result<Vec<Point>, PositionError> {
    points.iter().try_for_each(PositionError::check)?;
    let from = |start| lloyd(points, spread(points, count, &mut Stream::new(seed, start, "k-means")));
    let mut best: Option<(Vec<Point>, f64)> = None;
    for start in 0..u64::from(starts.max(1)) {
        let found = from(start);
        if best.as_ref().is_none_or(|(_, least)| found.1 < *least) {
            best = Some(found);
        }
    }
    Ok(best.map(|(centres, _)| centres).unwrap_or_default())
}

/// Each next centre is a position drawn in proportion to its squared distance from the centres so far.
fn spread(points: &[Point], count: usize, rng: &mut Stream) -> Vec<Point> {
    let mut centres: Vec<Point> = Vec::new();
    let mut squared = vec![1.0; points.len()];
    while centres.len() < count.min(points.len()) && squared.iter().any(|&d| d > 0.0) {
        let centre = points[sample(&squared, rng)];
        for (squared, point) in squared.iter_mut().zip(points) {
            let from_here = distance_squared(point, &centre);
            *squared = if centres.is_empty() { from_here } else { squared.min(from_here) };
        }
        centres.push(centre);
    }
    centres
}

/// Moves centres to the mean of what is nearest to them, until that gains little; the sum of squares.
fn lloyd(points: &[Point], mut centres: Vec<Point>) -> (Vec<Point>, f64) {
    let mut before = f64::INFINITY;
    for _ in 0..ROUNDS {
        let index = Index::of(&centres);
        let mut sums = vec![([0.0; 3], 0.0); centres.len()];
        let mut total = 0.0;
        for point in points {
            let Some(near) = index.nearest(point) else { return (centres, 0.0) };
            total += near.squared;
            let (sum, count) = &mut sums[near.node as usize];
            sum.iter_mut().zip(point).for_each(|(sum, x)| *sum += x);
            *count += 1.0;
        }
        for (centre, (sum, count)) in centres.iter_mut().zip(sums) {
            if count > 0.0 {
                *centre = sum.map(|x| x / count);
            }
        }
        if before - total < 1e-4 * total {
            return (centres, total);
        }
        before = total;
    }
    (centres, before)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_centres_of_heaps() {
        let heap = |x: f64| (0..50).map(move |k| [x + f64::from(k % 5), f64::from(k / 5), 0.0]);
        let points: Vec<Point> = heap(0.0).chain(heap(100.0)).chain(heap(300.0)).collect();
        let mut centres = kmeans(&points, 3, 4, 1).unwrap();
        centres.sort_by(|a, b| a[0].total_cmp(&b[0]));
        assert_eq!(centres, [[2.0, 4.5, 0.0], [102.0, 4.5, 0.0], [302.0, 4.5, 0.0]]);
    }

    #[test]
    fn there_are_no_more_centres_than_positions() {
        assert_eq!(kmeans(&[[1.0; 3]; 9], 3, 2, 1), Ok(vec![[1.0; 3]]));
        assert_eq!(kmeans(&[], 3, 2, 1), Ok(Vec::new()));
        assert!(kmeans(&[[f64::NAN; 3]], 1, 1, 1).is_err());
    }

    #[test]
    fn more_centres_are_nearer() {
        let points: Vec<Point> =
            (0..1000).map(|k| [f64::from(k * 37 % 1000), f64::from(k * 91 % 700), 0.0]).collect();
        let far = |count| lloyd(&points, kmeans(&points, count, 2, 1).unwrap()).1;
        assert!(far(40) < 0.6 * far(20) && far(20) < 0.6 * far(10));
    }
}
