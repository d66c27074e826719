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
mod lava;
mod points;
mod storeys;
mod walk;

use glam::{DVec2, DVec3};
use repertoire_mind::lava::Lava;
use repertoire_mind::{Cells, Place, Places, Spot};

use super::map::{Area, Map, Start};
use super::rules::Rules;
use super::space::hulls::origin_of;
use super::space::plan::Plan;
use super::space::{Scene, Space};
use flood::Phase;

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
    /// Of a map with rooms above rooms: how it looks from above.
    pub plan: Option<(Plan, Vec<Area>)>,
}

/// Where a character can be, as nodes that a body walked between: the cells of a map without rooms above rooms, or floors in them.
pub(super) trait Reach {
    /// How many nodes there are.
    fn count(&self) -> usize;
    /// Whether a node can be walked to.
    fn is_seen(&self, node: u32) -> bool;
    /// The nodes that are reached, in the order in which they were.
    fn order(&self) -> &[u32];
    /// Nodes from which a move leads through a teleporter: from, towards, exit.
    fn teleports(&self) -> &[(u32, DVec3, usize)];
    /// Where a body stands at a node in one phase of the lifts, if it can.
    fn stand(&self, ground: &Ground<'_>, node: u32, phase: Phase) -> Option<DVec3>;
    /// Where a node is; the height counts only where rooms lie above rooms.
    fn middle(&self, ground: &Ground<'_>, node: u32) -> DVec3;
    /// The node at a position.
    fn node_at(&self, ground: &Ground<'_>, at: DVec3) -> Option<u32>;
    /// The nodes around a position.
    fn around(&self, ground: &Ground<'_>, at: DVec3) -> Vec<u32>;
    /// Moves from node to node that succeeded, in the order in which they were tried.
    fn moves(&self, ground: &Ground<'_>) -> Vec<(u32, u32)>;
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

    /// One grid of all cells.
    fn cells(&self, place: Vec<u16>, floor_m: Vec<f32>) -> Cells {
        Cells { origin: self.low, size_m: CELL_M, width: self.width, place, floor_m }
    }

    fn middle_of(&self, cell: usize) -> DVec2 {
        let (column, row) = (cell % self.width, cell / self.width);
        self.low + DVec2::new(column as f64 + 0.5, row as f64 + 0.5) * CELL_M
    }

    /// The cell on one side of a cell.
    fn beside(&self, cell: usize, (dx, dy): (i64, i64)) -> Option<usize> {
        let (column, row) = ((cell % self.width) as i64 + dx, (cell / self.width) as i64 + dy);
        let is_inside = column >= 0 && row >= 0 && column < self.width as i64 && row < self.height as i64;
        is_inside.then(|| row as usize * self.width + column as usize)
    }

    /// A cell and the eight around it.
    fn around(&self, cell: usize) -> Vec<u32> {
        let (column, row) = ((cell % self.width) as i64, (cell / self.width) as i64);
        let mut found = Vec::with_capacity(9);
        for dy in -1..=1 {
            for dx in -1..=1 {
                let (column, row) = (column + dx, row + dy);
                if column >= 0 && row >= 0 && column < self.width as i64 && row < self.height as i64 {
                    found.push((row * self.width as i64 + column) as u32);
                }
            }
        }
        found
    }

    /// The lift whose floor is at a point, if any is.
    fn lift_at(&self, at: DVec3) -> Option<u16> {
        match self.scenes[0].space {
            Space::Sectors(space) => space.lift(space.area_at(at.truncate())?),
            Space::Hulls(hulls) => {
                let lift = hulls.stage().lift_below(origin_of(at))?;
                let is_on = |scene: &Scene<'_>| (scene.lifts_m[lift] - at.z).abs() < 0.3;
                self.scenes.iter().any(is_on).then_some(lift as u16)
            }
        }
    }

    /// Whether lifts may matter on a way; in Quake's maps it can be told without walking it.
    fn may_meet_lift(&self, from: DVec3, to: DVec3) -> bool {
        match self.scenes[0].space {
            Space::Sectors(_) => true,
            Space::Hulls(hulls) => hulls.stage().may_meet_lift(origin_of(from), origin_of(to)),
        }
    }

    /// Whether a body swims whose feet are at a point.
    fn swims(&self, at: DVec3) -> bool {
        match self.scenes[0].space {
            Space::Sectors(_) => false,
            Space::Hulls(hulls) => {
                hulls.scene(self.scenes[0].lifts_m, &[]).liquid_at(at + DVec3::new(0.0, 0.0, 0.7)).is_some()
            }
        }
    }

    /// Whether the floor harms, or the liquid one swims in.
    fn harms(&self, at: DVec3) -> bool {
        match self.scenes[0].space {
            Space::Sectors(space) => {
                let area = space.area_at(at.truncate());
                area.is_some_and(|area| self.map.areas[area].harm_per_sec > 0.0)
            }
            Space::Hulls(hulls) => {
                let liquid =
                    hulls.scene(self.scenes[0].lifts_m, &[]).liquid_at(at + DVec3::new(0.0, 0.0, 0.03));
                liquid.is_some_and(|liquid| self.rules.quake.harm_per_sec(liquid) > 0.0)
            }
        }
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

    match space {
        Space::Sectors(_) => {
            let reached = flood::flood(&ground);
            let net = points::choose(&ground, &reached)?;
            let floor_of = |cell| reached.stand(&ground, cell as u32, 0).map_or(0.0, |stand| stand.z as f32);
            let floor_m = (0..ground.width * ground.height).map(floor_of).collect();
            let place = net.owner.clone();
            known(&ground, net, vec![ground.cells(place, floor_m)], None, None)
        }
        Space::Hulls(hulls) => {
            let reached = storeys::flood(&ground, hulls);
            let net = points::choose(&ground, &reached)?;
            let (storeys, plan) = (reached.storeys(&ground, &net.owner), reached.plan(&ground));
            known(&ground, net, storeys, Some(plan), lava::find(&ground, hulls, &reached))
        }
    }
}

/// What characters know of a map whose points and links were found.
fn known(
    ground: &Ground<'_>,
    net: points::Net,
    mut storeys: Vec<Cells>,
    plan: Option<(Plan, Vec<Area>)>,
    lava: Option<Lava>,
) -> Result<Found, Unwalkable> {
    let map = ground.map;
    let spots = map.items.iter().zip(&net.item_points).map(|(spot, &place)| Spot {
        item: spot.item,
        position: ground.scenes[0]
            .floor_under(spot.at, spot.height_m)
            .unwrap_or_else(|| spot.at.extend(spot.height_m.unwrap_or(0.0))),
        place: place.map(Place),
    });
    let good = |(start, place): (&Start, &Option<u16>)| {
        place.is_some_and(|place| net.reaches_main[usize::from(place)]).then_some(*start)
    };
    let good_starts = map.starts.iter().zip(&net.start_points).filter_map(good).collect();
    let cells = storeys.remove(0);
    let places = Places::new(net.points, net.links, cells, spots.collect(), map.lifts())
        .map_err(|_| Unwalkable::NoPoint)?
        .with_harmful(net.harmful)
        .with_storeys(storeys);
    let places = match lava {
        Some(lava) => places.with_lava(lava),
        None => places,
    };
    Ok(Found { places, good_starts, plan })
}
