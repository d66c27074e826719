//! Learned places as knowledge of a map: what `topology` learned from where players walk becomes [`Places`] to find ways by
//! and a graph to believe on.
//!
//! A learned node is where people go, and a link was seen walked; so following links is doing what someone did. What nobody
//! showed is not there: places nobody went to, lifts, where items lie.

use glam::DVec3;
use repertoire_belief::Graph;
use repertoire_topology::PlaceGraph;

use crate::{Cells, How, Link, NoPlace, Place, Places};

/// What must be known of a game to use places in it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ground {
    /// Units of length of the places in a metre.
    pub units_per_metre: f64,
    /// How fast characters run.
    pub run_m_per_sec: f64,
    /// The highest step that is walked up; what rises more is jumped.
    pub step_m: f64,
}

impl Default for Ground {
    /// Places in metres, bodies of the arena.
    fn default() -> Self {
        Ground { units_per_metre: 1.0, run_m_per_sec: 8.8, step_m: 0.45 }
    }
}

/// Without cells the nearest place may be on the floor above; height counts this much more.
const HEIGHT_COUNTS: f64 = 4.0;

/// How many times longer a way seems of which nothing is known to be clear.
const UNKNOWN: f64 = 9.0;

/// Knowledge of a map from learned places, in the order of the level's nodes; its points are where somebody stood.
pub fn places(level: &PlaceGraph, ground: Ground) -> Result<Places, NoPlace> {
    let metres = |pos: [f64; 3]| DVec3::from_array(pos) / ground.units_per_metre;
    let points: Vec<DVec3> = level.nodes.iter().map(|node| metres(node.stood.unwrap_or(node.pos))).collect();
    let mut links: Vec<Vec<Link>> = vec![Vec::new(); points.len()];
    for ((from, to), clear) in level.clear_by_place() {
        let (a, b) = (points[from as usize], points[to as usize]);
        let how = if b.z - a.z > ground.step_m { How::Jump } else { How::Walk };
        // Links are followed straight: where nobody was on the straight way there may be a corner.
        let longer = 1.0 + UNKNOWN * (1.0 - clear);
        let millis = (1000.0 * longer * a.distance(b) / ground.run_m_per_sec).ceil().max(1.0) as u32;
        links[from as usize].push(Link { to: Place(to as u16), how, millis });
    }
    let places = Places::new(points, links, Cells::default(), Vec::new(), Vec::new())?;
    Ok(places.with_height_counting(HEIGHT_COUNTS))
}

/// The same as a graph for trackers of unseen opponents, in the units of the level.
pub fn graph(level: &PlaceGraph) -> Graph {
    let mut links = vec![Vec::new(); level.nodes.len()];
    for (from, to) in level.links_by_place() {
        links[from as usize].push(to);
    }
    Graph {
        ids: level.nodes.iter().map(|node| node.id).collect(),
        centres: level.positions(),
        links,
        names: vec![String::new(); level.nodes.len()],
    }
}

#[cfg(test)]
mod tests {
    use repertoire_topology::PlaceNode;

    use super::*;

    fn level() -> PlaceGraph {
        let node = |id, x: f64, z: f64| PlaceNode::at(id, [x, 0.0, z]);
        let nodes = vec![node(5, 0.0, 0.0), node(9, 440.0, 0.0), node(2, 440.0, 50.0)];
        PlaceGraph { nodes, links: vec![[5, 9], [9, 2], [2, 9]], ..PlaceGraph::default() }
    }

    #[test]
    fn ways_follow_links_in_their_direction_and_take_their_time() {
        let ground = Ground { units_per_metre: 50.0, ..Ground::default() };
        let places = places(&level(), ground).expect("three nodes");
        assert_eq!(places.travel_secs(Place(0), Place(1)), Some(1.0));
        assert_eq!(places.next(Place(0), Place(2)).map(|link| link.to), Some(Place(1)));
        assert_eq!(places.next(Place(1), Place(2)).map(|link| link.how), Some(How::Jump));
        assert_eq!(places.next(Place(2), Place(1)).map(|link| link.how), Some(How::Walk));
        assert_eq!(places.next(Place(1), Place(0)), None, "nobody was seen to walk back");
        assert_eq!(places.nearest(DVec3::new(8.0, 0.0, 0.9)), Place(2));
    }

    #[test]
    fn a_graph_keeps_ids_and_links() {
        let graph = graph(&level());
        assert_eq!((graph.ids.as_slice(), graph.find(2)), (&[5, 9, 2][..], Some(2)));
        assert_eq!(graph.links, [vec![1], vec![2], vec![1]]);
        assert_eq!(graph.neighbours(), [vec![1], vec![0, 2], vec![1]]);
    }

    #[test]
    fn no_node_is_no_map() {
        assert!(places(&PlaceGraph::default(), Ground::default()).is_err());
    }
}
