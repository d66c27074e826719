//! Logistic regression with a ridge, by Newton's method.

use repertoire_prob::num;

use super::balanced;

/// How strongly weights are held near 0, per feature of spread 1, against a whole data set of weight 1.
const RIDGE: f64 = 0.01;
const ITERATIONS: usize = 20;

/// A line between two classes.
#[derive(Clone, Debug)]
pub struct Logistic {
    middle: Vec<f64>,
    spread: Vec<f64>,
    /// A weight for each feature, then the constant.
    weights: Vec<f64>,
}

impl Logistic {
    /// Learns from examples, of which some are of the first class.
    pub fn fit(examples: &[&[f64]], is_first: &[bool]) -> Self {
        let width = examples.first().map_or(0, |one| one.len());
        let count = examples.len().max(1) as f64;
        let mean = |pick: &dyn Fn(&[f64]) -> f64| examples.iter().map(|one| pick(one)).sum::<f64>() / count;
        let middle: Vec<f64> = (0..width).map(|k| mean(&|one| one[k])).collect();
        let spread: Vec<f64> = (0..width)
            .map(|k| mean(&|one| (one[k] - middle[k]) * (one[k] - middle[k])).sqrt().max(1e-9))
            .collect();
        let mut fitted = Logistic { middle, spread, weights: vec![0.0; width + 1] };
        let rows: Vec<Vec<f64>> = examples.iter().map(|one| fitted.scaled(one)).collect();
        let shares = balanced(is_first);
        for _ in 0..ITERATIONS {
            let (mut gradient, mut curve) = (vec![0.0; width + 1], vec![vec![0.0; width + 1]; width + 1]);
            for ((row, &is_first), &share) in rows.iter().zip(is_first).zip(&shares) {
                let p = 1.0 / (1.0 + num::exp(-dot(row, &fitted.weights)));
                let off = share * (f64::from(u8::from(is_first)) - p);
                let bend = share * (p * (1.0 - p)).max(1e-9);
                for (k, &value) in row.iter().enumerate() {
                    gradient[k] += off * value;
                    for (cell, &other) in curve[k][..=k].iter_mut().zip(row) {
                        *cell += bend * value * other;
                    }
                }
            }
            for k in 0..width {
                gradient[k] -= RIDGE * fitted.weights[k];
                curve[k][k] += RIDGE;
            }
            curve[width][width] += 1e-9;
            let step = solve(curve, gradient);
            let length = step.iter().map(|part| part * part).sum::<f64>().sqrt();
            // Newton's method may overshoot where classes are nearly separated.
            let scale = if length > 5.0 { 5.0 / length } else { 1.0 };
            fitted.weights.iter_mut().zip(&step).for_each(|(weight, part)| *weight += scale * part);
            if length < 1e-6 {
                break;
            }
        }
        fitted
    }

    fn scaled(&self, one: &[f64]) -> Vec<f64> {
        let scaled = one
            .iter()
            .zip(&self.middle)
            .zip(&self.spread)
            .map(|((value, middle), spread)| ((value - middle) / spread).clamp(-5.0, 5.0));
        scaled.chain([1.0]).collect()
    }

    /// Higher for the first class.
    pub fn score(&self, one: &[f64]) -> f64 {
        dot(&self.scaled(one), &self.weights)
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// Solves a symmetric positive system of which the lower half is given, by Cholesky.
fn solve(mut matrix: Vec<Vec<f64>>, mut right: Vec<f64>) -> Vec<f64> {
    let size = right.len();
    for k in 0..size {
        for j in 0..=k {
            let sum: f64 = (0..j).map(|i| matrix[k][i] * matrix[j][i]).sum();
            matrix[k][j] = if j == k {
                (matrix[k][k] - sum).max(1e-12).sqrt()
            } else {
                (matrix[k][j] - sum) / matrix[j][j]
            };
        }
    }
    for k in 0..size {
        let sum: f64 = (0..k).map(|i| matrix[k][i] * right[i]).sum();
        right[k] = (right[k] - sum) / matrix[k][k];
    }
    for k in (0..size).rev() {
        let sum: f64 = (k + 1..size).map(|i| matrix[i][k] * right[i]).sum();
        right[k] = (right[k] - sum) / matrix[k][k];
    }
    right
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_known_system_is_solved() {
        // Only the lower half is looked at.
        let found = solve(vec![vec![4.0, 0.0], vec![2.0, 3.0]], vec![10.0, 8.0]);
        assert!((found[0] - 1.75).abs() < 1e-12 && (found[1] - 1.5).abs() < 1e-12, "{found:?}");
    }
}
