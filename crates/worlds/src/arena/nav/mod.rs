//! Points and links, found from the geometry of any map.
//!
//! Nothing is guessed from the drawing. A body is set down at each start and walks, by the same motion that matches
//! use, from cell to cell of a fine grid; what it reaches is where a character can be. Points are then chosen so
//! that from each cell one can walk straight to a point and back, and a link is believed when a body has walked it.
//! Lifts are tried down and up.
//!
//! Time and memory grow with the area that is walked; the tables of ways, which grow with the square of the points, are
//! bounded by [`Places::MOST_POINTS`]: where points 3 m apart would be more, they are chosen farther apart.

mod flood;
mod points;
mod walk;

use glam::{DVec2, DVec3};
use repertoire_mind::{Cells, Place, Places, Spot};

use super::map::{Map, Start};
use super::rules::Rules;
use super::space::{Scene, Space};

/// The side of a cell.
pub(crate) const CELL_M: f64 = 0.5;

/// Why characters could not find their way on a map.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Unwalkable {
    /// Not even at a start.
    #[error("there is no place on the map that can be stood on")]
    NoPoint,
    /// However far apart they are chosen.
    #[error("the map needs more than {most} points to walk to", most = Places::MOST_POINTS)]
    TooManyPoints,
}

impl Unwalkable {
    /// What the author of the map can do.
    pub fn remedy(self) -> &'static str {
        match self {
            Unwalkable::NoPoint => "give it floors wider than 1 m under ceilings of at least 1.75 m",
            Unwalkable::TooManyPoints => {
                "make it smaller, or give it fewer walls, ledges, items and starts; or make two maps of it"
            }
        }
    }
}

/// What was found.
pub(crate) struct Found {
    pub places: Places,
    /// Starts from which the main part of the map can be reached.
    pub good_starts: Vec<Start>,
}

/// A map with its lifts down, and up: what can be walked may differ.
pub(crate) struct Ground<'a> {
    pub map: &'a Map,
    pub rules: &'a Rules,
    pub scenes: Vec<Scene<'a>>,
    low: DVec2,
    width: usize,
    height: usize,
}

impl Ground<'_> {
    fn cell_of(&self, at: DVec2) -> Option<usize> {
        let cell = (at - self.low) / CELL_M;
        if !(cell.x >= 0.0 && cell.y >= 0.0) {
            return None;
        }
        let (column, row) = (cell.x as usize, cell.y as usize);
        (column < self.width && row < self.height).then_some(row * self.width + column)
    }

    fn middle_of(&self, cell: usize) -> DVec2 {
        let (column, row) = (cell % self.width, cell / self.width);
        self.low + DVec2::new(column as f64 + 0.5, row as f64 + 0.5) * CELL_M
    }

    /// The lift whose floor is at a point, if any is.
    fn lift_at(&self, at: DVec2) -> Option<u16> {
        let space = self.scenes[0].space;
        space.lift(space.area_at(at)?)
    }
}

/// Finds the points and links of a map.
pub(crate) fn find(map: &Map, space: &Space, rules: &Rules) -> Result<Found, Unwalkable> {
    let lifts = map.lifts();
    let down: Vec<f64> = lifts.iter().map(|lift| lift.low_m).collect();
    let up: Vec<f64> = lifts.iter().map(|lift| lift.high_m).collect();
    let mut scenes = vec![Scene { space, lifts_m: &down }];
    if !lifts.is_empty() {
        scenes.push(Scene { space, lifts_m: &up });
    }
    let (low, high) = space.bounds();
    let size = ((high - low) / CELL_M).ceil();
    let ground = Ground { map, rules, scenes, low, width: size.x as usize, height: size.y as usize };

    let reached = flood::flood(&ground);
    let net = points::choose(&ground, &reached)?;
    let spots = map.items.iter().zip(&net.item_points).map(|(spot, &place)| Spot {
        item: spot.item,
        position: ground.scenes[0].on_floor(spot.at).unwrap_or_else(|| DVec3::new(spot.at.x, spot.at.y, 0.0)),
        place: place.map(Place),
    });
    let good = |(start, place): (&Start, &Option<u16>)| {
        place.is_some_and(|place| net.reaches_main[usize::from(place)]).then_some(*start)
    };
    let good_starts = map.starts.iter().zip(&net.start_points).filter_map(good).collect();
    let floor_of = |cell| reached.stand(&ground, cell as u32, 0).map_or(0.0, |stand| stand.z as f32);
    let floor_m = (0..ground.width * ground.height).map(floor_of).collect();
    let cells = Cells { origin: low, size_m: CELL_M, width: ground.width, place: net.owner, floor_m };
    let places = Places::new(net.points, net.links, cells, spots.collect(), lifts)
        .map_err(|_| Unwalkable::NoPoint)?
        .with_harmful(net.harmful);
    Ok(Found { places, good_starts })
}
