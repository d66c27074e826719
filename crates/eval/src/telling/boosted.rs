//! Boosted trees: small trees, each of which learns what the ones before it got wrong (Friedman 2001, with Newton steps).

use repertoire_prob::num;

use super::balanced;

/// Trees.
const ROUNDS: usize = 80;
/// Questions from the root to a leaf.
const DEPTH: usize = 3;
/// The share of each tree's advice that is taken.
const RATE: f64 = 0.1;
/// Values of a feature between which questions are asked.
const CUTS: usize = 24;
/// A leaf has at least this share of all weight.
const LEAST: f64 = 0.02;
/// How strongly leaves are held near 0.
const RIDGE: f64 = 0.01;

/// Trees whose answers are added up.
#[derive(Clone, Debug)]
pub struct Boosted {
    trees: Vec<Tree>,
}

#[derive(Clone, Debug)]
enum Tree {
    Leaf(f64),
    Ask { feature: usize, below: f64, children: Box<[Tree; 2]> },
}

impl Tree {
    fn answer(&self, one: &[f64]) -> f64 {
        match self {
            Tree::Leaf(value) => *value,
            Tree::Ask { feature, below, children } => {
                children[usize::from(one[*feature] >= *below)].answer(one)
            }
        }
    }
}

/// What a tree is grown from.
struct Ground<'a> {
    examples: &'a [&'a [f64]],
    cuts: Vec<Vec<f64>>,
    /// First and second derivative of the loss, for each example.
    slopes: Vec<(f64, f64)>,
}

impl Boosted {
    /// Learns from examples, of which some are of the first class.
    pub fn fit(examples: &[&[f64]], is_first: &[bool]) -> Self {
        let shares = balanced(is_first);
        let mut ground = Ground { examples, cuts: cuts(examples), slopes: vec![(0.0, 0.0); examples.len()] };
        let mut scores = vec![0.0; examples.len()];
        let all: Vec<usize> = (0..examples.len()).collect();
        let mut trees = Vec::with_capacity(ROUNDS);
        for _ in 0..ROUNDS {
            for (k, slope) in ground.slopes.iter_mut().enumerate() {
                let p = 1.0 / (1.0 + num::exp(-scores[k]));
                *slope = (shares[k] * (f64::from(u8::from(is_first[k])) - p), shares[k] * p * (1.0 - p));
            }
            let tree = ground.grow(&all, DEPTH);
            for (score, one) in scores.iter_mut().zip(examples) {
                *score += RATE * tree.answer(one);
            }
            trees.push(tree);
        }
        Boosted { trees }
    }

    /// Higher for the first class.
    pub fn score(&self, one: &[f64]) -> f64 {
        self.trees.iter().map(|tree| tree.answer(one)).sum()
    }
}

/// The values of each feature at which it is cut: evenly spread over the examples.
fn cuts(examples: &[&[f64]]) -> Vec<Vec<f64>> {
    let width = examples.first().map_or(0, |one| one.len());
    let of = |feature: usize| {
        let mut values: Vec<f64> = examples.iter().map(|one| one[feature]).collect();
        values.sort_by(f64::total_cmp);
        let mut cuts: Vec<f64> = (1..CUTS).map(|k| values[k * values.len() / CUTS]).collect();
        cuts.dedup();
        cuts
    };
    (0..width).map(of).collect()
}

impl Ground<'_> {
    fn sums(&self, of: &[usize]) -> (f64, f64) {
        of.iter().fold((0.0, 0.0), |(g, h), &k| (g + self.slopes[k].0, h + self.slopes[k].1))
    }

    fn grow(&self, of: &[usize], depth: usize) -> Tree {
        let (g, h) = self.sums(of);
        let leaf = Tree::Leaf(g / (h + RIDGE));
        if depth == 0 {
            return leaf;
        }
        let worth = |g: f64, h: f64| g * g / (h + RIDGE);
        let least = LEAST * 0.25;
        let mut best: Option<(f64, usize, f64)> = None;
        for (feature, cuts) in self.cuts.iter().enumerate() {
            // Sums between the cuts, then from below up to each.
            let mut parts = vec![(0.0, 0.0); cuts.len() + 1];
            for &k in of {
                let part = &mut parts[cuts.partition_point(|&cut| cut <= self.examples[k][feature])];
                *part = (part.0 + self.slopes[k].0, part.1 + self.slopes[k].1);
            }
            let (mut g_low, mut h_low) = (0.0, 0.0);
            for (part, &cut) in parts.iter().zip(cuts) {
                (g_low, h_low) = (g_low + part.0, h_low + part.1);
                if h_low < least || h - h_low < least {
                    continue;
                }
                let gain = worth(g_low, h_low) + worth(g - g_low, h - h_low) - worth(g, h);
                if gain > best.map_or(1e-12, |(gain, ..)| gain) {
                    best = Some((gain, feature, cut));
                }
            }
        }
        let Some((_, feature, below)) = best else { return leaf };
        let (low, high): (Vec<usize>, Vec<usize>) =
            of.iter().partition(|&&k| self.examples[k][feature] < below);
        let children = Box::new([self.grow(&low, depth - 1), self.grow(&high, depth - 1)]);
        Tree::Ask { feature, below, children }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_no_line_divides_is_learned() {
        // First in a band in the middle.
        let examples: Vec<Vec<f64>> =
            (0..400).map(|k| vec![f64::from(k % 20), f64::from(k / 20), 1.0]).collect();
        let is_first: Vec<bool> =
            examples.iter().map(|one| one[0] > 4.0 && one[0] < 12.0 && one[1] > 3.0).collect();
        let rows: Vec<&[f64]> = examples.iter().map(Vec::as_slice).collect();
        let forest = Boosted::fit(&rows, &is_first);
        let right =
            rows.iter().zip(&is_first).filter(|(one, is_first)| (forest.score(one) > 0.0) == **is_first);
        assert!(right.count() > 390);
    }
}
