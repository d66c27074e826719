//! Classical multidimensional scaling: points on a plane whose distances are as near as can be to given ones.
//!
//! `B = -1/2 · J · D² · J` with `J = I - 1/n`, and the two greatest eigenvalues of `B` with their vectors give the points
//! (Torgerson 1952; Gower 1966). The decomposition is Jacobi's: rotations in a fixed order until nothing is left off the
//! diagonal, so that every platform gives the same picture.
//!
//! Differs from the paper: Tencé 2011 refers to Tencé and Buche 2008 for the method.

/// A picture of distances.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct Layout {
    /// A point for each.
    pub points: Vec<[f64; 2]>,
    /// The correlation between given distances and those of the points; `None` where either has no spread.
    pub correlation: Option<f64>,
}

/// Lays out `n` things whose distances are given as an `n` by `n` table, symmetric with zeros on the diagonal.
pub fn layout(distances: &[Vec<f64>]) -> Layout {
    let n = distances.len();
    let mut b: Vec<Vec<f64>> =
        distances.iter().map(|row| row.iter().map(|d| -0.5 * d * d).collect()).collect();
    let row_mean: Vec<f64> = b.iter().map(|row| row.iter().sum::<f64>() / n.max(1) as f64).collect();
    let mean = row_mean.iter().sum::<f64>() / n.max(1) as f64;
    for (i, row) in b.iter_mut().enumerate() {
        for (j, x) in row.iter_mut().enumerate() {
            *x += mean - row_mean[i] - row_mean[j];
        }
    }
    let (values, vectors) = eigen(b);
    let mut order: Vec<usize> = (0..n).collect();
    order.sort_by(|&a, &b| values[b].total_cmp(&values[a]).then(a.cmp(&b)));
    let axis = |rank: usize| -> Vec<f64> {
        let Some(&k) = order.get(rank) else { return vec![0.0; n] };
        let scale = values[k].max(0.0).sqrt();
        let mut column: Vec<f64> = (0..n).map(|i| scale * vectors[i][k]).collect();
        // Which way an axis points is anybody's choice: the farthest point lies on its positive side.
        let farthest =
            column.iter().fold(0.0f64, |most, &x| if x.abs() > most.abs() + 1e-12 { x } else { most });
        if farthest < 0.0 {
            column.iter_mut().for_each(|x| *x = -*x);
        }
        column
    };
    let (x, y) = (axis(0), axis(1));
    let points: Vec<[f64; 2]> = x.into_iter().zip(y).map(|(x, y)| [x, y]).collect();
    let correlation = correlation(distances, &points);
    Layout { points, correlation }
}

fn correlation(distances: &[Vec<f64>], points: &[[f64; 2]]) -> Option<f64> {
    let mut pairs = Vec::new();
    for i in 0..points.len() {
        for j in i + 1..points.len() {
            let (x, y) = (points[i][0] - points[j][0], points[i][1] - points[j][1]);
            pairs.push((distances[i][j], (x * x + y * y).sqrt()));
        }
    }
    let n = pairs.len() as f64;
    let mean = |f: &dyn Fn(&(f64, f64)) -> f64| pairs.iter().map(f).sum::<f64>() / n;
    let (a, b) = (mean(&|pair| pair.0), mean(&|pair| pair.1));
    let covariance = mean(&|pair| (pair.0 - a) * (pair.1 - b));
    let spread =
        (mean(&|pair| (pair.0 - a) * (pair.0 - a)) * mean(&|pair| (pair.1 - b) * (pair.1 - b))).sqrt();
    (spread > 1e-12).then(|| covariance / spread)
}

/// Sweeps of rotations at most; ten are plenty for hundreds of rows.
const SWEEPS: usize = 60;

/// Eigenvalues of a symmetric matrix and their vectors as columns, in no particular order.
pub fn eigen(mut a: Vec<Vec<f64>>) -> (Vec<f64>, Vec<Vec<f64>>) {
    let n = a.len();
    let mut vectors: Vec<Vec<f64>> =
        (0..n).map(|i| (0..n).map(|j| f64::from(u8::from(i == j))).collect()).collect();
    let whole: f64 = a.iter().flatten().map(|x| x * x).sum();
    for _ in 0..SWEEPS {
        let off: f64 = (0..n).flat_map(|i| (0..i).map(move |j| (i, j))).map(|(i, j)| a[i][j] * a[i][j]).sum();
        if off <= 1e-26 * whole {
            break;
        }
        for p in 0..n {
            for q in p + 1..n {
                rotate(&mut a, &mut vectors, p, q);
            }
        }
    }
    ((0..n).map(|i| a[i][i]).collect(), vectors)
}

/// The rotation that makes `a[p][q]` zero.
fn rotate(a: &mut [Vec<f64>], vectors: &mut [Vec<f64>], p: usize, q: usize) {
    if a[p][q] == 0.0 {
        return;
    }
    let theta = (a[q][q] - a[p][p]) / (2.0 * a[p][q]);
    let t =
        if theta.is_finite() { theta.signum() / (theta.abs() + (theta * theta + 1.0).sqrt()) } else { 0.0 };
    let c = 1.0 / (t * t + 1.0).sqrt();
    let s = t * c;
    for row in a.iter_mut() {
        let (x, y) = (row[p], row[q]);
        (row[p], row[q]) = (c * x - s * y, s * x + c * y);
    }
    let (above, below) = a.split_at_mut(q);
    for (x, y) in above[p].iter_mut().zip(&mut below[0]) {
        (*x, *y) = (c * *x - s * *y, s * *x + c * *y);
    }
    for row in vectors.iter_mut() {
        let (x, y) = (row[p], row[q]);
        (row[p], row[q]) = (c * x - s * y, s * x + c * y);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn table(points: &[[f64; 2]]) -> Vec<Vec<f64>> {
        let far = |a: &[f64; 2], b: &[f64; 2]| {
            ((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1])).sqrt()
        };
        points.iter().map(|a| points.iter().map(|b| far(a, b)).collect()).collect()
    }

    proptest! {
        #[test]
        fn distances_of_points_on_a_plane_come_out_again(points in prop::collection::vec([-9.0..9.0f64, -9.0..9.0f64], 1..12)) {
            let given = table(&points);
            let found = table(&layout(&given).points);
            for (row, again) in given.iter().zip(&found) {
                for (d, e) in row.iter().zip(again) {
                    prop_assert!((d - e).abs() < 1e-6, "{} {}", d, e);
                }
            }
        }

        #[test]
        fn eigenvectors_solve_their_equation(cells in prop::collection::vec(-5.0..5.0f64, 36)) {
            let a: Vec<Vec<f64>> = (0..6).map(|i| (0..6).map(|j| cells[6 * i.min(j) + i.max(j)]).collect()).collect();
            let (values, vectors) = eigen(a.clone());
            for (k, value) in values.iter().enumerate() {
                for (row, vector) in a.iter().zip(&vectors) {
                    let left: f64 = row.iter().zip(&vectors).map(|(x, vector)| x * vector[k]).sum();
                    prop_assert!((left - value * vector[k]).abs() < 1e-9);
                }
            }
        }
    }

    #[test]
    fn few_or_equal_things_can_be_laid_out() {
        assert_eq!(layout(&[]), Layout { points: vec![], correlation: None });
        assert_eq!(layout(&[vec![0.0]]).points, [[0.0, 0.0]]);
        let same = layout(&vec![vec![0.0; 3]; 3]);
        assert_eq!((same.points, same.correlation), (vec![[0.0, 0.0]; 3], None));
    }

    #[test]
    fn a_picture_that_shows_the_distances_correlates_with_them() {
        let found = layout(&table(&[[0.0, 0.0], [3.0, 4.0], [6.0, 0.0], [1.0, 1.0]]));
        assert!(found.correlation.is_some_and(|r| r > 0.999_999), "{found:?}");
    }
}
