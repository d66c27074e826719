//! Lines of sight and shots, in three dimensions.
//!
//! From above a ray crosses lines. At each crossing its height must be between the floors and below the ceilings of
//! both sides. The first crossing where it is not is where it ends, or, if it was already below the floor that it
//! came over, it ended on that floor just before.

use glam::{DVec2, DVec3};

use super::sectors::{CELL_M, Edge, SOLID, SectorScene, Sectors};

/// What a ray met.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Surface {
    /// A wall, a step or the frame of an opening.
    Wall,
    /// A floor.
    Floor,
    /// A ceiling.
    Ceiling,
}

/// Where a ray ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Impact {
    /// How far along: 0 at the start, 1 at the end.
    pub part: f64,
    /// What it met.
    pub surface: Surface,
}

/// How far along the way from `p` to `q` a line is crossed, ends included.
///
/// Without a tolerance: two lines that meet in a corner must decide the side of that corner by the same product, or
/// rays slip through between them.
#[inline]
pub(super) fn crossing(p: DVec2, q: DVec2, edge: &Edge) -> Option<f64> {
    let way = q - p;
    let (to_a, to_b) = (edge.a - p, edge.b - p);
    let (side_a, side_b) = (way.perp_dot(to_a), way.perp_dot(to_b));
    if (side_a > 0.0) == (side_b > 0.0) && side_a != 0.0 && side_b != 0.0 {
        return None;
    }
    let line = edge.b - edge.a;
    let across = way.perp_dot(line);
    if across == 0.0 {
        return None;
    }
    let t = to_a.perp_dot(line) / across;
    (0.0..=1.0).contains(&t).then_some(t)
}

impl Sectors {
    /// Visits the lines on the way from `p` to `q`, near ones first, until the way has passed the part of it that
    /// `visit` last returned. A line may be visited twice.
    ///
    /// Steps from cell to cell of the grid. A hierarchy of boxes gives the same lines but was four times slower: in rooms
    /// most of a way is through empty cells, which cost a look each.
    #[inline]
    pub(super) fn along(&self, p: DVec2, q: DVec2, mut visit: impl FnMut(u32, &Edge) -> f64) {
        let mut limit: f64 = 1.0;
        self.cells_along(p, q, |cell| {
            let (from, to) = (self.in_cell_from[cell] as usize, self.in_cell_from[cell + 1] as usize);
            for &index in &self.in_cell[from..to] {
                limit = limit.min(visit(index, &self.edges[index as usize]));
            }
            limit
        });
    }

    /// Visits the cells on the way from `p` to `q` in order, until the way leaves the grid or has passed the part of it
    /// that `visit` returned.
    #[inline]
    fn cells_along(&self, p: DVec2, q: DVec2, mut visit: impl FnMut(usize) -> f64) {
        let way = (q - p) / CELL_M;
        let at = (p - self.low) / CELL_M;
        let (mut column, mut row) = (at.x.floor() as i64, at.y.floor() as i64);
        let step = (if way.x > 0.0 { 1 } else { -1 }, if way.y > 0.0 { 1 } else { -1 });
        // The part of the way at which the next column, and the next row, begins.
        let border = |at: f64, cell: i64, way: f64| {
            let edge = if way > 0.0 { cell + 1 } else { cell } as f64;
            if way == 0.0 { f64::INFINITY } else { (edge - at) / way }
        };
        let mut next = (border(at.x, column, way.x), border(at.y, row, way.y));
        let apart = (1.0 / way.x.abs(), 1.0 / way.y.abs());
        loop {
            if column < 0 || row < 0 || column >= self.width as i64 || row >= self.height as i64 {
                return;
            }
            let limit = visit(row as usize * self.width + column as usize);
            if next.0 < next.1 {
                if next.0 > limit {
                    return;
                }
                column += step.0;
                next.0 += apart.0;
            } else {
                if next.1 > limit {
                    return;
                }
                row += step.1;
                next.1 += apart.1;
            }
        }
    }
}

impl SectorScene<'_> {
    /// Whether a straight way leads over flat ground with no line within [`REACH_M`](super::build::REACH_M) of any cell
    /// it passes: nothing can be in the way of a body.
    pub(crate) fn is_open(&self, p: DVec2, q: DVec2) -> bool {
        let space = self.space;
        let Some(area) = space.area_at(p) else { return false };
        let mut open = space.grounds[area].slope == DVec2::ZERO;
        space.cells_along(p, q, |cell| {
            open &= space.near_from[cell] == space.near_from[cell + 1];
            if open { 1.0 } else { -1.0 }
        });
        open
    }

    /// Whether a ray at height `z` is stopped where it crosses a line at `at`.
    #[inline]
    fn stops(&self, edge: &Edge, at: DVec2, z: f64) -> bool {
        if edge.is_wall() {
            return true;
        }
        let (floor, ceiling) = self.opening(edge, at);
        z < floor || z > ceiling
    }

    /// Whether nothing is in the way between two points inside the map.
    pub fn sees(&self, from: DVec3, to: DVec3) -> bool {
        let (p, q) = (from.truncate(), to.truncate());
        let mut free = true;
        self.space.along(p, q, |_, edge| {
            if let Some(t) = crossing(p, q, edge)
                && self.stops(edge, p.lerp(q, t), from.z + (to.z - from.z) * t)
            {
                free = false;
                return -1.0;
            }
            1.0
        });
        free
    }

    /// The first thing in the way from a point inside the map to another anywhere.
    pub fn cast(&self, from: DVec3, to: DVec3) -> Option<Impact> {
        let (p, q) = (from.truncate(), to.truncate());
        let mut first: Option<(f64, u32)> = None;
        self.space.along(p, q, |index, edge| {
            let limit = first.map_or(1.0, |(t, _)| t);
            if let Some(t) = crossing(p, q, edge)
                && (t < limit || first.is_none_or(|(best, other)| t == best && index < other))
                && self.stops(edge, p.lerp(q, t), from.z + (to.z - from.z) * t)
            {
                first = Some((t, index));
                return t;
            }
            limit
        });
        let (area, wall) = match first {
            Some((t, index)) => (self.area_before(p, q, t, self.space.edge(index)), Some(t)),
            None => (self.space.area_at(q), None),
        };
        let ground = area.and_then(|area| self.ground_hit(area, from, to, wall.unwrap_or(1.0)));
        ground.or(wall.map(|part| Impact { part, surface: Surface::Wall }))
    }

    /// How far along a level way the first thing is, if anything is. Level ways meet no flat floors and ceilings.
    pub fn cast_level(&self, from: DVec3, to: DVec3) -> Option<f64> {
        let (p, q) = (from.truncate(), to.truncate());
        let mut first = f64::INFINITY;
        self.space.along(p, q, |_, edge| {
            if let Some(t) = crossing(p, q, edge)
                && t < first
                && self.stops(edge, p.lerp(q, t), from.z)
            {
                first = t;
            }
            first
        });
        (first <= 1.0).then_some(first)
    }

    /// The area from which a way comes to a line.
    fn area_before(&self, p: DVec2, q: DVec2, t: f64, edge: &Edge) -> Option<usize> {
        let comes_from_right = (q - p).perp_dot(edge.b - edge.a) < 0.0;
        let area = if comes_from_right { edge.right } else { edge.left };
        if area == SOLID { self.space.area_at(p.lerp(q, t * 0.999)) } else { Some(usize::from(area)) }
    }

    /// Where a ray over an area meets its floor or ceiling, before `limit`.
    fn ground_hit(&self, area: usize, from: DVec3, to: DVec3, limit: f64) -> Option<Impact> {
        let at = |t: f64| from.lerp(to, t);
        let above_floor = |t: f64| at(t).z - self.floor_m(area, at(t).truncate());
        let end = above_floor(limit);
        if end < 0.0 {
            let start = above_floor(0.0);
            let part = if start > 0.0 { limit * start / (start - end) } else { 0.0 };
            return Some(Impact { part, surface: Surface::Floor });
        }
        let under_ceiling = |t: f64| self.ceiling_m(area) - at(t).z;
        let end = under_ceiling(limit);
        (end < 0.0).then(|| {
            let start = under_ceiling(0.0);
            let part = if start > 0.0 { limit * start / (start - end) } else { 0.0 };
            Impact { part, surface: Surface::Ceiling }
        })
    }
}
