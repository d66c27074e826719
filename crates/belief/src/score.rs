//! How good a belief is, once the truth is known.
//!
//! | measure                        | meaning                                                                          |
//! |--------------------------------|----------------------------------------------------------------------------------|
//! | distance of the mode           | from the most probable place to the truth, along the map                          |
//! | distance of the expected guess | the same from the place with the least expected distance: the paper's prediction error (section 4.1.3) |
//! | log-loss                       | `-ln max(belief(truth), 1e-6)`                                                     |
//! | in 50 %, in 90 %               | whether the truth lies in the smallest set that holds this share of the belief       |

use repertoire_prob::num::ln;
use serde::{Deserialize, Serialize};

use crate::graph::Distances;

/// What a belief counts at least in the log-loss.
pub const FLOOR: f64 = 1e-6;

/// How good one belief was.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Score {
    /// From the most probable place to the truth.
    #[serde(with = "or_unreachable")]
    pub mode_distance: f64,
    /// From the place of least expected distance to the truth.
    #[serde(with = "or_unreachable")]
    pub expected_distance: f64,
    /// `-ln` of the belief in the truth.
    pub log_loss: f64,
    /// Whether the truth lies in the smallest set with half of the belief.
    pub in_50: bool,
    /// The same with nine tenths.
    pub in_90: bool,
}

/// A distance along the map, which is infinite where no way leads: JSON has null for that.
mod or_unreachable {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub fn serialize<S: Serializer>(distance: &f64, serializer: S) -> Result<S::Ok, S::Error> {
        distance.is_finite().then_some(distance).serialize(serializer)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
        Ok(Option::deserialize(deserializer)?.unwrap_or(f64::INFINITY))
    }
}

/// Scores beliefs; keeps its room.
///
/// ```
/// use repertoire_belief::{Graph, score::Scorer};
/// let corridor = Graph {
///     ids: vec![0, 1, 2],
///     centres: vec![[0.0; 3], [1.0, 0.0, 0.0], [2.0, 0.0, 0.0]],
///     links: vec![vec![1], vec![2], vec![]],
///     names: vec![String::new(); 3],
/// };
/// let score = Scorer::default().score(&[0.6, 0.3, 0.1], 1, &corridor.distances());
/// assert_eq!(score.mode_distance, 1.0, "the most probable place is one step off");
/// assert!(!score.in_50 && score.in_90);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Scorer {
    order: Vec<u32>,
    cost: Vec<f32>,
}

impl Scorer {
    /// The score of a belief, given where the opponent really is.
    pub fn score(&mut self, belief: &[f64], truth: usize, distances: &Distances) -> Score {
        self.order.clear();
        self.order.extend((0..belief.len() as u32).filter(|&s| belief[s as usize] > 0.0));
        // The most probable first; of equals the lower place.
        self.order
            .sort_unstable_by(|&a, &b| belief[b as usize].total_cmp(&belief[a as usize]).then(a.cmp(&b)));
        let mode = self.order.first().map_or(0, |&s| s as usize);
        let guess = self.least_expected_distance(belief, distances);
        Score {
            mode_distance: distances.between(mode, truth),
            expected_distance: distances.between(guess, truth),
            log_loss: -ln(belief[truth].max(FLOOR)),
            in_50: self.is_within(belief, truth, 0.5),
            in_90: self.is_within(belief, truth, 0.9),
        }
    }

    fn is_within(&self, belief: &[f64], truth: usize, share: f64) -> bool {
        let mut held = 0.0;
        for &s in &self.order {
            if s as usize == truth {
                return true;
            }
            held += belief[s as usize];
            if held >= share {
                return false;
            }
        }
        false
    }

    /// The place with the least expected distance to where the opponent may be.
    fn least_expected_distance(&mut self, belief: &[f64], distances: &Distances) -> usize {
        self.cost.clear();
        self.cost.resize(belief.len(), 0.0);
        for &s in &self.order {
            let p = belief[s as usize] as f32;
            // Crumbs cannot change the guess by a hair's breadth.
            if p < 1e-7 {
                break;
            }
            for (cost, &far) in self.cost.iter_mut().zip(distances.from(s as usize)) {
                *cost += p * far;
            }
        }
        let mut best = 0;
        for (s, &cost) in self.cost.iter().enumerate() {
            if cost < self.cost[best] {
                best = s;
            }
        }
        best
    }
}
