//! The points that a map of the arena has of its own, in the format of learned places.

use repertoire_mind::{Place, Places};
use repertoire_topology::{PlaceGraph, PlaceNode};

/// What characters know of a map without learning, as navigation points to compare learned places with. Lengths are metres.
///
/// ```
/// use repertoire_eval::topology::points::navigation_points;
/// use repertoire_worlds::arena::level::Level;
/// use repertoire_worlds::arena::map::{file, shipped::shipped};
///
/// let yard = file::read(shipped("yard").expect("shipped")).expect("a map");
/// let level = Level::new(yard.map).expect("a map that can be played");
/// let points = navigation_points(level.places());
/// assert_eq!(points.nodes.len(), level.places().points().len());
/// assert_eq!(points.check(), Ok(()));
/// ```
pub fn navigation_points(places: &Places) -> PlaceGraph {
    let nodes = (0..).zip(places.points()).map(|(id, at)| PlaceNode::at(id, at.to_array())).collect();
    let links = (0..places.points().len() as u16).flat_map(|from| {
        places.links(Place(from)).iter().map(move |link| [u32::from(from), u32::from(link.to.0)])
    });
    PlaceGraph { nodes, links: links.collect(), ..PlaceGraph::default() }
}
