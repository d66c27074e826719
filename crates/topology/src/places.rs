//! What was learned, as a file: nodes, and links that someone was seen walking.
//!
//! The format is that of a game's navigation points: levels by name, nodes with `id` and `pos`, directed links `[from,
//! to]`. So learned places can stand wherever a designer's points can, and the other way round.

use std::collections::BTreeMap;

use schemars::{JsonSchema, Schema, schema_for};
use serde::{Deserialize, Serialize};

use crate::Point;
use crate::error::{PlacesError, is_position};
use crate::nearest::Index;

/// The format's name and version.
pub const FORMAT: &str = "repertoire places 1";

/// The places of one or several maps.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(title = "Places")]
pub struct PlacesFile {
    /// `repertoire places 1`; absent in files of navigation points.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub format: Option<String>,
    /// How many units of length make a metre, where that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub units_per_metre: Option<f64>,
    /// How the places were learned.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub settings: Option<crate::LearnerSettings>,
    /// How often the play was gone through.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub passes: Option<u32>,
    /// The maps by name.
    pub levels: BTreeMap<String, PlaceGraph>,
}

/// The places of a map.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PlaceGraph {
    /// The places.
    pub nodes: Vec<PlaceNode>,
    /// Which can be walked from which: `[from, to]`, by id, in this direction.
    #[serde(default)]
    pub links: Vec<[u32; 2]>,
    /// For each link how often it was seen walked; 0 for a way back that is believed. Empty where nobody counted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub walked: Vec<u32>,
    /// For each link the share of the straight way (between `stood`) on which somebody was; empty where nobody knows.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub clear: Vec<f64>,
    /// The edges of the gas: `[node, node, age]`. They tell nearness, not a way.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub edges: Vec<[u32; 3]>,
    /// How many positions were learned from.
    #[serde(default)]
    pub inputs: u64,
}

/// A place.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PlaceNode {
    /// What links call it.
    pub id: u32,
    /// Where it is.
    pub pos: Point,
    /// How many positions, remembered ones included, it was nearest to.
    #[serde(default)]
    pub won: u64,
    /// The remembered position nearest to it: there somebody stood, while `pos` is a mean and may lie in a pillar that
    /// people walk around.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stood: Option<Point>,
}

impl PlaceNode {
    /// A node of which nothing but its place is known.
    pub fn at(id: u32, pos: Point) -> Self {
        PlaceNode { id, pos, won: 0, stood: None }
    }
}

impl PlaceGraph {
    /// Whether it can be used: ids once each, positions that are numbers, links between nodes that are there.
    pub fn check(&self) -> Result<(), PlacesError> {
        let mut ids = BTreeMap::new();
        for (k, node) in self.nodes.iter().enumerate() {
            if ids.insert(node.id, k).is_some() {
                return Err(PlacesError::TwoNodes(node.id));
            }
            if ![Some(node.pos), node.stood].iter().flatten().all(is_position) {
                return Err(PlacesError::NotAPosition(node.id));
            }
        }
        let counts = [("walked", self.walked.len()), ("clear", self.clear.len())];
        for (name, count) in counts {
            if count != 0 && count != self.links.len() {
                return Err(PlacesError::Lengths { name, count, links: self.links.len() });
            }
        }
        let stray = self.links.iter().flatten().chain(self.edges.iter().flat_map(|edge| &edge[..2]));
        for &id in stray {
            if !ids.contains_key(&id) {
                return Err(PlacesError::NoNode(id));
            }
        }
        Ok(())
    }

    /// Positions in the order of the nodes.
    pub fn positions(&self) -> Vec<Point> {
        self.nodes.iter().map(|node| node.pos).collect()
    }

    /// An index whose numbers are places in [`PlaceGraph::nodes`].
    pub fn index(&self) -> Index {
        Index::of(&self.positions())
    }

    /// The links by place in [`PlaceGraph::nodes`], in order.
    pub fn links_by_place(&self) -> Vec<(u32, u32)> {
        let place: BTreeMap<u32, u32> = self.nodes.iter().zip(0..).map(|(node, k)| (node.id, k)).collect();
        let mut links: Vec<(u32, u32)> =
            self.links.iter().filter_map(|[from, to]| Some((*place.get(from)?, *place.get(to)?))).collect();
        links.sort_unstable();
        links.dedup();
        links
    }

    /// How clear the straight way of each of [`PlaceGraph::links_by_place`] is; 1 where nobody knows.
    pub fn clear_by_place(&self) -> BTreeMap<(u32, u32), f64> {
        let place: BTreeMap<u32, u32> = self.nodes.iter().zip(0..).map(|(node, k)| (node.id, k)).collect();
        let links = self.links.iter().enumerate();
        links
            .filter_map(|(k, [from, to])| {
                Some(((*place.get(from)?, *place.get(to)?), self.clear.get(k).copied().unwrap_or(1.0)))
            })
            .collect()
    }

    /// The nodes from which every other can be reached and back, as many as there are together: places in
    /// [`PlaceGraph::nodes`], rising. Nobody should be sent anywhere else, for want of a way back.
    pub fn connected(&self) -> Vec<u32> {
        let links = self.links_by_place();
        let reach = |start: u32, forward: bool| {
            let mut seen = vec![false; self.nodes.len()];
            let mut open = vec![start];
            seen[start as usize] = true;
            while let Some(at) = open.pop() {
                for &(from, to) in &links {
                    let (from, to) = if forward { (from, to) } else { (to, from) };
                    if from == at && !std::mem::replace(&mut seen[to as usize], true) {
                        open.push(to);
                    }
                }
            }
            seen
        };
        let mut left: Vec<bool> = vec![true; self.nodes.len()];
        let mut best: Vec<u32> = Vec::new();
        for start in 0..self.nodes.len() as u32 {
            if left[start as usize] {
                let (there, back) = (reach(start, true), reach(start, false));
                let together: Vec<u32> =
                    (0..self.nodes.len() as u32).filter(|&k| there[k as usize] && back[k as usize]).collect();
                together.iter().for_each(|&k| left[k as usize] = false);
                if together.len() > best.len() {
                    best = together;
                }
            }
        }
        best
    }
}

/// The schema of the file, for editors.
pub fn schema() -> Schema {
    schema_for!(PlacesFile)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn level(links: &[[u32; 2]]) -> PlaceGraph {
        let nodes = (0..4).map(|k| PlaceNode::at(10 * k, [f64::from(k), 0.0, 0.0])).collect();
        PlaceGraph { nodes, links: links.to_vec(), ..PlaceGraph::default() }
    }

    #[test]
    fn the_connected_part_has_a_way_back_from_everywhere() {
        let level = level(&[[0, 10], [10, 20], [20, 0], [20, 30]]);
        assert_eq!(level.connected(), [0, 1, 2], "from 30 nobody was seen to come back");
        assert_eq!(level.links_by_place(), [(0, 1), (1, 2), (2, 0), (2, 3)]);
    }

    #[test]
    fn refuses_nodes_twice_and_links_to_nowhere() {
        assert_eq!(level(&[[0, 10]]).check(), Ok(()));
        assert!(
            level(&[[0, 11]])
                .check()
                .is_err_and(|what| what == PlacesError::NoNode(11) && what.to_string().contains("11"))
        );
        let mut twice = level(&[]);
        twice.nodes[1].id = 0;
        assert!(twice.check().is_err_and(|what| what.to_string().contains("two nodes")));
        let mut nowhere = level(&[]);
        nowhere.nodes[1].pos[2] = f64::NAN;
        assert!(nowhere.check().is_err());
    }

    #[test]
    fn navigation_points_of_a_game_can_be_read() {
        let text = r#"{"game":"one","levels":{"DM":{"nodes":[{"id":7,"name":"PathNode","type":"PathNode","pos":[1,2,3]}],"links":[]}}}"#;
        let file: PlacesFile = serde_json::from_str(text).unwrap();
        assert_eq!(file.levels["DM"].nodes[0].pos, [1.0, 2.0, 3.0]);
    }
}
