//! Knowledge of a map: points to go to, links between them, where things lie, and the way from anywhere to anywhere.
//!
//! A player who knows a map well does not search for the way: for each pair of points the next link is kept in a table, so that a
//! character finds its way by looking it up. Where the character stands among the points is a look-up too, in a grid
//! of small cells each of which names a point that can be walked to in a straight line.

use std::sync::OnceLock;

use glam::{DVec2, DVec3};
use repertoire_belief::shortest::Shortest;
use serde::{Deserialize, Serialize};

use crate::Item;
use crate::lava::Lava;

/// A point of a map, by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Place(pub u16);

impl Place {
    /// Its place in [`Places::points`].
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// How a link is passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum How {
    /// Straight ahead, up and down steps and off edges.
    Walk,
    /// With a jump where the way is barred.
    Jump,
    /// Straight ahead while a lift is down.
    LiftDown(u16),
    /// Straight ahead while a lift is up.
    LiftUp(u16),
    /// Straight into a teleporter.
    Teleport,
}

/// A way from one point to another, in this direction only.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Link {
    /// Where it leads.
    pub to: Place,
    /// How it is passed.
    pub how: How,
    /// How long that takes at full speed.
    pub millis: u32,
}

/// Where an item lies.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Spot {
    /// What lies there.
    pub item: Item,
    /// Where.
    pub position: DVec3,
    /// The point to walk to, if it can be reached at all.
    pub place: Option<Place>,
}

/// When a lift is where: it rests at the top, goes down, rests, goes up, for ever.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Timetable {
    /// Height of its floor when down.
    pub low_m: f64,
    /// Height of its floor when up.
    pub high_m: f64,
    /// How long it rests at either end.
    pub rest_secs: f64,
    /// How fast it moves.
    pub metres_per_sec: f64,
}

impl Timetable {
    /// The height of its floor at a time.
    pub fn height_m(&self, time_secs: f64) -> f64 {
        let travel = (self.high_m - self.low_m) / self.metres_per_sec;
        let period = 2.0 * (self.rest_secs + travel);
        let at = time_secs - (time_secs / period).floor() * period;
        let down_at = self.rest_secs + travel;
        if at < self.rest_secs {
            self.high_m
        } else if at < down_at {
            self.high_m - (at - self.rest_secs) * self.metres_per_sec
        } else if at < down_at + self.rest_secs {
            self.low_m
        } else {
            (self.low_m + (at - down_at - self.rest_secs) * self.metres_per_sec).min(self.high_m)
        }
    }
}

/// A grid of small square cells, each naming the point that can be walked to from there.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Cells {
    /// The corner of the first cell.
    pub origin: DVec2,
    /// The side of a cell.
    pub size_m: f64,
    /// Cells in a row.
    pub width: usize,
    /// Row by row from the south-west; [`Cells::NOWHERE`] where nobody can stand.
    pub place: Vec<u16>,
    /// The height of the floor in each cell, so that somebody below a ledge is not taken to stand on it.
    pub floor_m: Vec<f32>,
}

impl Cells {
    /// Nobody can stand there.
    pub const NOWHERE: u16 = u16::MAX;

    fn height(&self) -> usize {
        self.place.len().checked_div(self.width).unwrap_or(0)
    }

    /// The point of a cell, and the height of its floor.
    fn at(&self, column: i64, row: i64) -> Option<(Place, f64)> {
        if column < 0 || row < 0 || column as usize >= self.width || row as usize >= self.height() {
            return None;
        }
        let cell = row as usize * self.width + column as usize;
        let place = self.place[cell];
        let floor_m = self.floor_m.get(cell).map_or(f64::NEG_INFINITY, |&floor| f64::from(floor));
        (place != Self::NOWHERE).then_some((Place(place), floor_m))
    }

    /// The point of the cell at a position, or of the nearest cell within two whose floor is not above the feet;
    /// failing that, of the nearest.
    pub fn find(&self, feet: DVec3) -> Option<Place> {
        if self.place.is_empty() {
            return None;
        }
        let cell = (feet.truncate() - self.origin) / self.size_m;
        let (column, row) = (floor(cell.x), floor(cell.y));
        let is_below = |floor_m: f64| floor_m - feet.z < Self::STEP_M;
        if let Some((place, floor_m)) = self.at(column, row)
            && is_below(floor_m)
        {
            return Some(place);
        }
        let mut best: Option<((bool, i64), Place)> = None;
        for dy in -2i64..=2 {
            for dx in -2i64..=2 {
                if let Some((place, floor_m)) = self.at(column + dx, row + dy) {
                    let rank = (!is_below(floor_m), dx * dx + dy * dy);
                    if best.is_none_or(|(nearest, _)| rank < nearest) {
                        best = Some((rank, place));
                    }
                }
            }
        }
        best.map(|(_, place)| place)
    }

    /// A floor this much higher than the feet is another floor.
    const STEP_M: f64 = 0.9;
}

/// The whole number below, without the call that `f64::floor` is on processors that need not have it.
fn floor(x: f64) -> i64 {
    let toward_zero = x as i64;
    toward_zero.saturating_sub(i64::from((toward_zero as f64) > x))
}

/// A map that cannot be known: it has no point to stand on, or more than [`Places::MOST_POINTS`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a map needs between 1 and {most} points; this one has {0}", most = Places::MOST_POINTS)]
pub struct NoPlace(pub usize);

/// What a character knows of a map.
///
/// ```
/// use repertoire_mind::{Cells, DVec3, How, Link, Place, Places};
/// // A corridor of three points, and a ledge at its end that nobody climbs.
/// let points = (0..3).map(|k| DVec3::new(f64::from(k) * 2.0, 0.0, 0.0)).collect();
/// let walk = |to: u16| Link { to: Place(to), how: How::Walk, millis: 250 };
/// let links = vec![vec![walk(1)], vec![walk(0), walk(2)], vec![]];
/// let places = Places::new(points, links, Cells::default(), Vec::new(), Vec::new())?;
/// assert_eq!(places.travel_secs(Place(0), Place(2)), Some(0.5));
/// assert_eq!(places.next(Place(0), Place(2)).map(|link| link.to), Some(Place(1)));
/// assert_eq!(places.next(Place(2), Place(0)), None, "there is no way back up");
/// # Ok::<(), repertoire_mind::NoPlace>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Places {
    points: Vec<DVec3>,
    links: Vec<Vec<Link>>,
    cells: Cells,
    /// Floors above those of `cells`, where rooms lie above rooms; each has the same cells.
    storeys: Vec<Cells>,
    spots: Vec<Spot>,
    lifts: Vec<Timetable>,
    harmful: Vec<bool>,
    lava: Option<Lava>,
    /// How many times more height counts than ground where there is no cell.
    height_counts: f64,
    /// For each goal, for each point: the number of the link to take, or [`NO_LINK`].
    next: Vec<u8>,
    /// For each goal, for each point: how long the way is, or `u32::MAX`.
    millis: Vec<u32>,
    /// Which points see which: made when first needed, since few minds ask and there are many pairs.
    sight: OnceLock<Sight>,
}

/// Which points see which, a bit for each pair.
#[derive(Clone, Debug, PartialEq)]
struct Sight {
    words: usize,
    bits: Vec<u64>,
}

const NO_LINK: u8 = u8::MAX;

impl Places {
    /// No map has more points: the ways between all pairs of them take 84 MB.
    pub const MOST_POINTS: usize = 4096;

    /// Knowledge from points, the links that leave each of them, a grid, items and lifts. Finds all ways.
    ///
    /// Links beyond the 254th of a point are dropped.
    pub fn new(
        points: Vec<DVec3>,
        mut links: Vec<Vec<Link>>,
        cells: Cells,
        spots: Vec<Spot>,
        lifts: Vec<Timetable>,
    ) -> Result<Self, NoPlace> {
        if points.is_empty() || points.len() > Self::MOST_POINTS {
            return Err(NoPlace(points.len()));
        }
        links.resize(points.len(), Vec::new());
        for leaving in &mut links {
            leaving.truncate(usize::from(NO_LINK));
        }
        let (next, millis) = find_all_ways(&links);
        let harmful = vec![false; points.len()];
        let sight = OnceLock::new();
        let (height_counts, storeys) = (1.0, Vec::new());
        Ok(Places {
            points,
            links,
            cells,
            storeys,
            spots,
            lifts,
            harmful,
            lava: None,
            height_counts,
            next,
            millis,
            sight,
        })
    }

    /// For maps with points but no cells: in [`Places::nearest`] a metre of height counts as much as `times` metres on the
    /// ground, so that the nearest point is not the one on the floor above.
    pub fn with_height_counting(mut self, times: f64) -> Self {
        self.height_counts = times;
        self
    }

    /// For maps with rooms above rooms: the floors above those of the first grid, in grids of the same shape. A cell that has no
    /// further floor is [`Cells::NOWHERE`].
    pub fn with_storeys(mut self, storeys: Vec<Cells>) -> Self {
        self.storeys = storeys;
        self
    }

    /// Whether one room may lie above another, so that being near a point from above is not being near it.
    pub fn has_storeys(&self) -> bool {
        !self.storeys.is_empty()
    }

    /// The same, knowing where items lie and when lifts come.
    pub fn with_things(mut self, spots: Vec<Spot>, lifts: Vec<Timetable>) -> Self {
        (self.spots, self.lifts) = (spots, lifts);
        self
    }

    /// The same, knowing at which points the floor harms.
    pub fn with_harmful(mut self, mut harmful: Vec<bool>) -> Self {
        harmful.resize(self.points.len(), false);
        self.harmful = harmful;
        self
    }

    /// The same, knowing where lava is.
    pub fn with_lava(mut self, lava: Lava) -> Self {
        self.lava = Some(lava);
        self
    }

    /// Whether there is lava.
    pub fn has_lava(&self) -> bool {
        self.lava.is_some()
    }

    /// The lava that is known, if there is any.
    pub fn lava(&self) -> Option<&Lava> {
        self.lava.as_ref()
    }

    /// Whether the floor harms at a point.
    pub fn is_harmful(&self, place: Place) -> bool {
        self.harmful[place.index()]
    }

    /// The point without harm that is reached soonest, if there is one.
    pub fn refuge(&self, from: Place) -> Option<Place> {
        let safe = (0..self.points.len() as u16).map(Place).filter(|&place| !self.is_harmful(place));
        let way = |place: Place| self.millis[place.index() * self.points.len() + from.index()];
        safe.filter(|&place| way(place) != u32::MAX).min_by_key(|&place| way(place))
    }

    /// The points.
    pub fn points(&self) -> &[DVec3] {
        &self.points
    }

    /// Where a point is.
    pub fn point(&self, place: Place) -> DVec3 {
        self.points[place.index()]
    }

    /// The links that leave a point.
    pub fn links(&self, place: Place) -> &[Link] {
        &self.links[place.index()]
    }

    /// The grid of cells.
    pub fn cells(&self) -> &Cells {
        &self.cells
    }

    /// The point of the cell at a position and the height of its floor there, if somebody can stand in that cell.
    pub fn standing(&self, position: DVec3) -> Option<(Place, f64)> {
        let cell = (position.truncate() - self.cells.origin) / self.cells.size_m;
        let floor = |cells: &Cells| cells.at(floor(cell.x), floor(cell.y));
        // Of several floors the highest that is not above the feet; if all are, the lowest.
        let mut best = floor(&self.cells);
        for (place, floor_m) in self.storeys.iter().filter_map(floor) {
            if best.is_none() || floor_m - position.z < Cells::STEP_M {
                best = Some((place, floor_m));
            }
        }
        best
    }

    /// Where items lie.
    pub fn spots(&self) -> &[Spot] {
        &self.spots
    }

    /// The lifts.
    pub fn lifts(&self) -> &[Timetable] {
        &self.lifts
    }

    /// The point to walk to from a position: its cell's, or else simply the nearest.
    pub fn nearest(&self, position: DVec3) -> Place {
        if self.has_storeys()
            && let Some((place, floor_m)) = self.standing(position)
            && (floor_m - position.z).abs() < Self::SAME_FLOOR_M
        {
            return place;
        }
        let found = match self.storeys.is_empty() {
            true => self.cells.find(position),
            false => self.find_around(position),
        };
        found.unwrap_or_else(|| {
            let scale = DVec3::new(1.0, 1.0, self.height_counts);
            let far = |i: usize| ((self.points[i] - position) * scale).length_squared();
            let mut best = 0;
            for i in 1..self.points.len() {
                if far(i) < far(best) {
                    best = i;
                }
            }
            Place(best as u16)
        })
    }

    /// With floors above floors: the point of the cell around a position, at most two away, whose floor is nearest in height.
    fn find_around(&self, feet: DVec3) -> Option<Place> {
        let cell = (feet.truncate() - self.cells.origin) / self.cells.size_m;
        let (column, row) = (floor(cell.x), floor(cell.y));
        let mut best: Option<(f64, Place)> = None;
        for cells in std::iter::once(&self.cells).chain(&self.storeys) {
            for dy in -2i64..=2 {
                for dx in -2i64..=2 {
                    let Some((place, floor_m)) = cells.at(column + dx, row + dy) else { continue };
                    // Falling takes one to the floor below, nothing to the one above.
                    let height_m = feet.z - floor_m;
                    let costs = if height_m < -Cells::STEP_M { -4.0 * height_m } else { height_m.abs() };
                    let rank = costs + self.cells.size_m * ((dx * dx + dy * dy) as f64).sqrt();
                    if best.is_none_or(|(nearest, _)| rank < nearest) {
                        best = Some((rank, place));
                    }
                }
            }
        }
        best.map(|(_, place)| place)
    }

    /// A floor within this height of the feet is the one somebody stands on, or jumps from.
    const SAME_FLOOR_M: f64 = 1.6;

    /// The link to take at one point in order to reach another, if it can be reached and is another.
    pub fn next(&self, from: Place, goal: Place) -> Option<Link> {
        let link = self.next[goal.index() * self.points.len() + from.index()];
        (link != NO_LINK).then(|| self.links[from.index()][usize::from(link)])
    }

    /// Learns which points see which, unless that is known; `sees` says whether one who stands at the first sees one who
    /// stands at the second, which must hold both ways.
    pub fn learn_sight(&self, mut sees: impl FnMut(DVec3, DVec3) -> bool) {
        self.sight.get_or_init(|| {
            let count = self.points.len();
            let words = count.div_ceil(64);
            let mut bits = vec![0u64; words * count];
            let mut note = |from: usize, to: usize| bits[from * words + to / 64] |= 1 << (to % 64);
            for from in 0..count {
                note(from, from);
                for to in from + 1..count {
                    if sees(self.points[from], self.points[to]) {
                        note(from, to);
                        note(to, from);
                    }
                }
            }
            Sight { words, bits }
        });
    }

    /// Whether one point sees another; nobody knows before [`Places::learn_sight`].
    pub fn sees(&self, from: Place, to: Place) -> Option<bool> {
        let sight = self.sight.get()?;
        Some(sight.bits[from.index() * sight.words + to.index() / 64] >> (to.index() % 64) & 1 == 1)
    }

    /// How long the way takes at full speed, if there is one.
    pub fn travel_secs(&self, from: Place, goal: Place) -> Option<f64> {
        let millis = self.millis[goal.index() * self.points.len() + from.index()];
        (millis != u32::MAX).then(|| f64::from(millis) / 1000.0)
    }
}

/// Dijkstra's search from each goal against the links; then the first link on a shortest way.
fn find_all_ways(links: &[Vec<Link>]) -> (Vec<u8>, Vec<u32>) {
    let count = links.len();
    let mut entering: Vec<Vec<(u32, u32)>> = vec![Vec::new(); count];
    for (from, leaving) in links.iter().enumerate() {
        for link in leaving {
            entering[link.to.index()].push((from as u32, link.millis));
        }
    }
    let mut next = vec![NO_LINK; count * count];
    let mut millis = vec![u32::MAX; count * count];
    let mut search = Shortest::new(count);
    let ways = next.chunks_exact_mut(count).zip(millis.chunks_exact_mut(count));
    for (goal, (next, millis)) in ways.enumerate() {
        search.search(goal as u32, None, |at| entering[at as usize].iter().copied());
        for (from, millis) in millis.iter_mut().enumerate() {
            *millis = search.length(from as u32).unwrap_or(u32::MAX);
        }
        for (from, leaving) in links.iter().enumerate() {
            if from == goal || millis[from] == u32::MAX {
                continue;
            }
            let through = |link: &Link| millis[link.to.index()].saturating_add(link.millis);
            let best = (0..leaving.len()).min_by_key(|&k| through(&leaving[k]));
            next[from] = best.map_or(NO_LINK, |k| k as u8);
        }
    }
    (next, millis)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square() -> Places {
        let points =
            [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)].map(|(x, y)| DVec3::new(x, y, 0.0)).to_vec();
        let link = |to, millis| Link { to: Place(to), how: How::Walk, millis };
        let links = vec![vec![link(1, 100)], vec![link(2, 100), link(3, 500)], vec![link(3, 100)], vec![]];
        let cells = Cells {
            origin: DVec2::ZERO,
            size_m: 1.0,
            width: 2,
            place: vec![0, 1, Cells::NOWHERE, 2],
            floor_m: vec![0.0, 0.0, 0.0, 3.0],
        };
        Places::new(points, links, cells, Vec::new(), Vec::new()).expect("four points")
    }

    #[test]
    fn the_whole_number_below() {
        for x in [0.0, -0.0, 0.5, -0.5, 7.0, -7.0, -7.25, 1e18, -1e18, 1e300, -1e300, f64::NAN] {
            assert_eq!(floor(x), x.floor() as i64, "{x}");
        }
    }

    #[test]
    fn the_way_is_the_shortest_and_only_along_links() {
        let places = square();
        assert_eq!(places.next(Place(0), Place(3)).map(|link| link.to), Some(Place(1)));
        assert_eq!(places.next(Place(1), Place(3)).map(|link| link.to), Some(Place(2)));
        assert_eq!(places.travel_secs(Place(0), Place(3)), Some(0.3));
        assert_eq!(places.travel_secs(Place(3), Place(0)), None);
        assert_eq!(places.next(Place(3), Place(0)), None);
        assert_eq!(places.next(Place(2), Place(2)), None);
    }

    #[test]
    fn a_position_finds_its_point() {
        let places = square();
        assert_eq!(places.nearest(DVec3::new(0.5, 0.5, 9.0)), Place(0));
        assert_eq!(places.nearest(DVec3::new(1.5, 1.5, 3.0)), Place(2));
        assert_eq!(places.nearest(DVec3::new(1.5, 1.5, 0.0)), Place(1), "below the ledge, not on it");
        assert_eq!(places.nearest(DVec3::new(0.2, 1.2, 0.0)), Place(0), "the nearest cell that has a point");
        assert_eq!(places.nearest(DVec3::new(0.0, 50.0, 0.0)), Place(3), "far off, the nearest point");
    }

    #[test]
    fn a_lift_follows_its_timetable() {
        let lift = Timetable { low_m: 1.0, high_m: 5.0, rest_secs: 3.0, metres_per_sec: 2.0 };
        let heights = [0.0, 2.9, 4.0, 5.0, 7.9, 9.0, 10.0, 13.9].map(|at| lift.height_m(at));
        assert_eq!(heights[..4], [5.0, 5.0, 3.0, 1.0]);
        assert_eq!(heights[4], 1.0);
        assert_eq!(heights[5..7], [3.0, 5.0]);
        assert!((heights[7] - 3.2).abs() < 1e-12, "one period later, on its way down again");
    }
}
