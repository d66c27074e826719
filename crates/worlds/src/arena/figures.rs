//! A map in figures: how large it is, and how well characters can get about in it.

use std::fmt;

use repertoire_mind::Place;
use serde::Serialize;

use super::level::Level;

/// What is worth knowing of a map before playing on it. Printed, it is a line for each kind of figure.
///
/// ```
/// use repertoire_worlds::arena::figures::MapFigures;
/// use repertoire_worlds::arena::level::Level;
/// use repertoire_worlds::arena::map::{file, shipped::shipped};
///
/// let yard = file::read(shipped("yard").expect("shipped"))?.map;
/// let figures = MapFigures::of(&Level::new(yard).expect("it can be played"));
/// assert_eq!(figures.unreachable_items, 0);
/// assert!(figures.to_string().contains("starts"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MapFigures {
    /// From its western to its eastern end, in metres.
    pub width_m: f64,
    /// From its southern to its northern end, in metres.
    pub height_m: f64,
    /// From the lowest to the highest floor on which a character can stand, in metres.
    pub rise_m: f64,
    /// How many areas it has.
    pub areas: usize,
    /// Lines that bound the areas.
    pub lines: usize,
    /// Floors that move.
    pub lifts: usize,
    /// Where teleporters lead.
    pub exits: usize,
    /// Navigation points.
    pub points: usize,
    /// Links between them, in one direction each.
    pub links: usize,
    /// Places of items.
    pub items: usize,
    /// Items that nobody can reach.
    pub unreachable_items: usize,
    /// Where characters appear.
    pub starts: usize,
}

impl MapFigures {
    /// The figures of a map.
    pub fn of(level: &Level) -> Self {
        let (map, places) = (level.map(), level.places());
        let (low, high) = map.bounds();
        let heights = || places.points().iter().map(|point| point.z);
        let points = places.points().len();
        MapFigures {
            width_m: high.x - low.x,
            height_m: high.y - low.y,
            rise_m: heights().fold(f64::NEG_INFINITY, f64::max) - heights().fold(f64::INFINITY, f64::min),
            areas: map.areas.len(),
            lines: map.lines.len(),
            lifts: map.lifts().len(),
            exits: map.exits.len(),
            points,
            links: (0..points).map(|place| places.links(Place(place as u16)).len()).sum(),
            items: map.items.len(),
            unreachable_items: places.spots().iter().filter(|spot| spot.place.is_none()).count(),
            starts: map.starts.len(),
        }
    }
}

impl fmt::Display for MapFigures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let MapFigures { width_m, height_m, rise_m, .. } = self;
        let unreachable = match self.unreachable_items {
            0 => String::new(),
            some => format!(" ({some} out of reach)"),
        };
        let shape = [
            counted(self.areas, "area"),
            counted(self.lines, "line"),
            counted(self.lifts, "lift"),
            counted(self.exits, "teleport exit"),
        ];
        write!(
            f,
            "  size    {width_m:.0} x {height_m:.0} m, floors within {rise_m:.1} m of height\n  \
             shape   {}\n  \
             ways    {}, {}\n  \
             items   {}{unreachable}\n  \
             starts  {}\n",
            shape.join(", "),
            counted(self.points, "point"),
            counted(self.links, "link"),
            self.items,
            self.starts
        )
    }
}

fn counted(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}
