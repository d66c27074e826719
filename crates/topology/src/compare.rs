//! How good nodes are: against navigation points, and against where others walk.
//!
//! Sensitivity `1 / Σ_i mindist(NP_i, Nodes)` and specificity `|Nodes| / Σ_i mindist(Node_i, NPs)`: Tencé 2011, eq. 4.12 and
//! 4.13, where `NP` are the designers' navigation points. Differs from the paper: nothing; it gives them up to a factor,
//! which is 1 here, and where every distance is 0 there is no number.
//!
//! Neither knows whether anybody ever goes to a navigation point. So we also measure on play that was not learned from: how
//! far players are from the nearest node, and how many of the changes from one nearest node to another follow a link.

use serde::{Deserialize, Serialize};

use crate::Point;
use crate::nearest::Index;
use crate::places::PlaceGraph;
use crate::walks::Track;

/// Nodes beside navigation points.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Comparison {
    /// How many nodes there are.
    pub nodes: usize,
    /// How many navigation points there are.
    pub navigation_points: usize,
    /// Eq. 4.12; `None` where every distance is 0 or there are no nodes.
    pub sensitivity: Option<f64>,
    /// Eq. 4.13; `None` where every distance is 0 or there are no navigation points.
    pub specificity: Option<f64>,
    /// From a navigation point to the nearest node, on average.
    pub mean_distance_to_nodes: Option<f64>,
    /// From a node to the nearest navigation point, on average.
    pub mean_distance_to_navigation_points: Option<f64>,
}

/// Compares nodes with navigation points.
pub fn compare(nodes: &[Point], navigation_points: &[Point]) -> Comparison {
    let to_nodes = sum_of_distances(navigation_points, nodes);
    let to_points = sum_of_distances(nodes, navigation_points);
    let mean = |sum: Option<f64>, count: usize| sum.filter(|_| count > 0).map(|sum| sum / count as f64);
    let inverse = |sum: Option<f64>, over: usize| {
        sum.filter(|&sum| sum > 0.0).map(|sum| over as f64 / sum).filter(|x| x.is_finite())
    };
    Comparison {
        nodes: nodes.len(),
        navigation_points: navigation_points.len(),
        sensitivity: inverse(to_nodes, 1),
        specificity: inverse(to_points, nodes.len()),
        mean_distance_to_nodes: mean(to_nodes, navigation_points.len()),
        mean_distance_to_navigation_points: mean(to_points, nodes.len()),
    }
}

/// The distances from each of some positions to the nearest of others, added up; `None` without others.
fn sum_of_distances(from: &[Point], to: &[Point]) -> Option<f64> {
    let index = Index::of(to);
    from.iter().map(|point| index.nearest(point).map(|near| near.squared.sqrt())).sum()
}

/// Places beside play.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Followed {
    /// How many positions there are.
    pub positions: usize,
    /// From a player to the nearest node, on average; 0 without positions or nodes.
    pub mean_distance: f64,
    /// How often the nearest node changed from one position to the next.
    pub changes: usize,
    /// How many of the changes follow a link, in its direction.
    pub along_links: usize,
    /// How many follow a link in either direction.
    pub along_links_either_way: usize,
}

impl Followed {
    /// The share of changes that follow a link in its direction; 1 without changes.
    pub fn share(&self) -> f64 {
        if self.changes == 0 { 1.0 } else { self.along_links as f64 / self.changes as f64 }
    }

    /// The share of changes that follow a link in either direction; 1 without changes.
    pub fn share_either_way(&self) -> f64 {
        if self.changes == 0 { 1.0 } else { self.along_links_either_way as f64 / self.changes as f64 }
    }
}

/// Follows tracks over places.
pub fn follow<'a>(level: &PlaceGraph, tracks: impl IntoIterator<Item = &'a Track>) -> Followed {
    let (index, links) = (level.index(), level.links_by_place());
    let is_link = |from: u32, to: u32| links.binary_search(&(from, to)).is_ok();
    let (mut followed, mut total) = (Followed::default(), repertoire_prob::num::Sum::default());
    for track in tracks {
        let mut before = None;
        for at in &track.at {
            let Some(near) = index.nearest(at) else { return followed };
            followed.positions += 1;
            total.add(near.squared.sqrt());
            if let Some(from) = before.replace(near.node)
                && from != near.node
            {
                let (there, back) = (is_link(from, near.node), is_link(near.node, from));
                followed.changes += 1;
                followed.along_links += usize::from(there);
                followed.along_links_either_way += usize::from(there || back);
            }
        }
    }
    if followed.positions > 0 {
        followed.mean_distance = total.value() / followed.positions as f64;
    }
    followed
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::places::PlaceNode;

    #[test]
    fn sensitivity_and_specificity_are_4_12_and_4_13() {
        let nodes = [[0.0; 3], [10.0, 0.0, 0.0]];
        let points = [[1.0, 0.0, 0.0], [7.0, 0.0, 0.0], [10.0, 0.0, 4.0], [0.0, 2.0, 0.0]];
        let comparison = compare(&nodes, &points);
        // From points: 1, 3, 4, 2. From nodes: 1 and 3.
        assert_eq!(comparison.sensitivity, Some(1.0 / 10.0));
        assert_eq!(comparison.specificity, Some(2.0 / 4.0));
        assert_eq!(comparison.mean_distance_to_nodes, Some(2.5));
        assert_eq!(comparison.mean_distance_to_navigation_points, Some(2.0));
    }

    #[test]
    fn nothing_is_divided_by_zero() {
        let same = compare(&[[1.0; 3]], &[[1.0; 3]]);
        assert_eq!((same.sensitivity, same.specificity), (None, None));
        let none = compare(&[], &[[1.0; 3]]);
        assert_eq!((none.sensitivity, none.mean_distance_to_nodes), (None, None));
        assert_eq!(compare(&[[1.0; 3]], &[]).mean_distance_to_nodes, None);
    }

    #[test]
    fn changes_along_links_are_counted_within_a_life() {
        let nodes = (0..3).map(|k| PlaceNode::at(k, [10.0 * f64::from(k), 0.0, 0.0])).collect();
        let level = PlaceGraph { nodes, links: vec![[0, 1]], ..PlaceGraph::default() };
        let track =
            |xs: &[f64]| Track { secs: vec![0.0; xs.len()], at: xs.iter().map(|&x| [x, 0.0, 0.0]).collect() };
        let followed = follow(&level, &[track(&[0.0, 9.0, 12.0, 1.0, 21.0]), track(&[0.0])]);
        assert_eq!((followed.changes, followed.along_links, followed.along_links_either_way), (3, 1, 2));
        assert_eq!(followed.mean_distance, (0.0 + 1.0 + 2.0 + 1.0 + 1.0 + 0.0) / 6.0);
    }
}
