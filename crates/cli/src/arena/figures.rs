//! A map in figures: how large it is, and how well characters can get about in it.

use repertoire_mind::Place;
use repertoire_worlds::arena::level::Level;
use serde::Serialize;

/// What is worth knowing of a map before playing on it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Figures {
    /// From its western to its eastern end.
    pub width_m: f64,
    /// From its southern to its northern end.
    pub height_m: f64,
    /// From its lowest point to its highest: where one can stand.
    pub rise_m: f64,
    /// Areas.
    pub areas: usize,
    /// Lines that bound them.
    pub lines: usize,
    /// Floors that move.
    pub lifts: usize,
    /// Where teleporters lead.
    pub exits: usize,
    /// Points to go to.
    pub points: usize,
    /// Links between them, in one direction each.
    pub links: usize,
    /// Places of items.
    pub items: usize,
    /// Those of them that nobody can reach.
    pub unreachable_items: usize,
    /// Where characters appear.
    pub starts: usize,
}

impl Figures {
    /// Those of a map.
    pub fn of(level: &Level) -> Self {
        let (map, places) = (level.map(), level.places());
        let (low, high) = map.bounds();
        let heights = || places.points().iter().map(|point| point.z);
        let points = places.points().len();
        Figures {
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

    /// In words, a line each.
    pub fn told(&self) -> String {
        let Figures { width_m, height_m, rise_m, .. } = self;
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
        format!(
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
