//! Maps of areas bounded by lines, as in Doom.
//!
//! Which lines are near a body, and which a ray passes, is looked up in a grid of cells, filled once.

use glam::{DVec2, DVec3};

use super::ray;

/// The side of a cell of the grid.
pub(super) const CELL_M: f64 = 1.0;
/// No area: the side of a wall that nobody sees.
pub(super) const SOLID: u16 = u16::MAX;
/// The cell has lines in it: ask them.
pub(super) const MIXED: u16 = u16::MAX - 1;
pub(super) const NO_LIFT: u16 = u16::MAX;
pub(super) const NO_EXIT: u16 = u16::MAX;

/// A line of the map, ready for use.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Edge {
    pub a: DVec2,
    pub b: DVec2,
    /// The area to the right of the way from `a` to `b`.
    pub right: u16,
    /// The area to the left, or [`SOLID`].
    pub left: u16,
    pub fence: bool,
    /// The exit it leads to when crossed from right to left, or [`NO_EXIT`].
    pub(super) exit: u16,
}

impl Edge {
    pub fn is_wall(&self) -> bool {
        self.left == SOLID
    }

    pub fn exit(&self) -> Option<usize> {
        (self.exit != NO_EXIT).then_some(usize::from(self.exit))
    }

    /// The point of the line that is nearest to `at`.
    pub fn nearest(&self, at: DVec2) -> DVec2 {
        let line = self.b - self.a;
        let along = line.dot(at - self.a);
        let whole = line.length_squared();
        if along <= 0.0 {
            self.a
        } else if along >= whole {
            self.b
        } else {
            self.a + line * (along / whole)
        }
    }

    /// Whether `at` lies on the right of the way from `a` to `b`.
    pub fn is_right(&self, at: DVec2) -> bool {
        (self.b - self.a).perp_dot(at - self.a) <= 0.0
    }

    /// The area on the side where `at` lies, or [`SOLID`].
    pub(super) fn area_towards(&self, at: DVec2) -> u16 {
        if self.is_right(at) { self.right } else { self.left }
    }
}

/// An area's floor and ceiling.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ground {
    pub(super) height_m: f64,
    pub(super) slope: DVec2,
    pub(super) ceiling_m: f64,
    pub(super) lift: u16,
}

/// The shape of a map of lines and areas.
#[derive(Debug)]
pub struct Sectors {
    pub(super) edges: Vec<Edge>,
    pub(super) grounds: Vec<Ground>,
    pub(super) low: DVec2,
    pub(super) width: usize,
    pub(super) height: usize,
    /// A point in each cell, away from its lines, and its area or [`SOLID`].
    pub(super) anchors: Vec<(DVec2, u16)>,
    /// The area of each cell, or [`MIXED`].
    pub(super) whole: Vec<u16>,
    /// Where each cell's lines begin in `near`; one more at the end.
    pub(super) near_from: Vec<u32>,
    pub(super) near: Vec<u32>,
    /// The same for the lines that pass through a cell.
    pub(super) in_cell_from: Vec<u32>,
    pub(super) in_cell: Vec<u32>,
}

impl Sectors {
    /// The two corners of the smallest box around it.
    pub fn bounds(&self) -> (DVec2, DVec2) {
        (self.low, self.low + DVec2::new(self.width as f64, self.height as f64) * CELL_M)
    }

    fn cell(&self, at: DVec2) -> Option<usize> {
        let cell = (at - self.low) / CELL_M;
        if !(cell.x >= 0.0 && cell.y >= 0.0) {
            return None;
        }
        let (column, row) = (cell.x as usize, cell.y as usize);
        (column < self.width && row < self.height).then_some(row * self.width + column)
    }

    pub(super) fn cell_middle(&self, cell: usize) -> DVec2 {
        let (column, row) = (cell % self.width, cell / self.width);
        self.low + DVec2::new(column as f64 + 0.5, row as f64 + 0.5) * CELL_M
    }

    /// The lines that a body at `at` may touch or cross within one move.
    pub(crate) fn near(&self, at: DVec2) -> &[u32] {
        self.cell(at)
            .map_or(&[], |cell| &self.near[self.near_from[cell] as usize..self.near_from[cell + 1] as usize])
    }

    /// The number of an area's lift, if it is one.
    pub(crate) fn lift(&self, area: usize) -> Option<u16> {
        let lift = self.grounds[area].lift;
        (lift != NO_LIFT).then_some(lift)
    }

    pub(crate) fn edge(&self, edge: u32) -> &Edge {
        &self.edges[edge as usize]
    }

    /// The area at a point, if it is inside the map.
    pub fn area_at(&self, at: DVec2) -> Option<usize> {
        let cell = self.cell(at)?;
        let mut area = self.whole[cell];
        if area == MIXED {
            // Straight to the anchor of the cell, whose area is known: the first line on the way tells, or none.
            let target;
            (target, area) = self.anchors[cell];
            let mut first = FirstLine::default();
            for &edge in self.near(at) {
                let edge = self.edge(edge);
                if let Some(t) = ray::crossing(at, target, edge) {
                    first.meet(t, edge.area_towards(at));
                }
            }
            if first.part <= 1.0 {
                area = first.area;
            }
        }
        (area != SOLID).then_some(usize::from(area))
    }
}

/// The area on this side of the first line on a way.
///
/// Two rooms may share a wall without thickness: two lines in one place, of which only the one that faces this way
/// counts.
pub(super) struct FirstLine {
    pub(super) part: f64,
    pub(super) area: u16,
}

impl Default for FirstLine {
    fn default() -> Self {
        FirstLine { part: f64::INFINITY, area: SOLID }
    }
}

impl FirstLine {
    const SAME: f64 = 1e-12;

    pub(super) fn meet(&mut self, part: f64, area: u16) {
        let is_same = (part - self.part).abs() <= Self::SAME;
        if (is_same && self.area == SOLID) || (!is_same && part < self.part) {
            *self = FirstLine { part, area };
        }
    }
}

/// Sectors at one moment.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SectorScene<'a> {
    /// The shape.
    pub space: &'a Sectors,
    /// The height of each lift's floor.
    pub lifts_m: &'a [f64],
}

impl SectorScene<'_> {
    /// The height of an area's floor at a point.
    #[inline]
    pub fn floor_m(&self, area: usize, at: DVec2) -> f64 {
        let ground = &self.space.grounds[area];
        if ground.lift == NO_LIFT {
            ground.height_m + ground.slope.dot(at)
        } else {
            self.lifts_m[usize::from(ground.lift)]
        }
    }

    /// The height of an area's ceiling.
    #[inline]
    pub fn ceiling_m(&self, area: usize) -> f64 {
        self.space.grounds[area].ceiling_m
    }

    /// The floor and the ceiling of the opening of a line at a point on it.
    #[inline]
    pub(crate) fn opening(&self, edge: &Edge, at: DVec2) -> (f64, f64) {
        let (right, left) = (usize::from(edge.right), usize::from(edge.left));
        (self.floor_m(right, at).max(self.floor_m(left, at)), self.ceiling_m(right).min(self.ceiling_m(left)))
    }

    /// A point on the floor, if it is inside the map.
    pub fn on_floor(&self, at: DVec2) -> Option<DVec3> {
        let area = self.space.area_at(at)?;
        Some(at.extend(self.floor_m(area, at)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::map::file;

    #[test]
    fn nothing_outside_of_a_wall_is_in_an_area() {
        // Corners on whole metres are the middles of cells.
        let text = "name = 'box'\n[[area]]\nname = 'hall'\nceiling = 4\nrect = [0, 0, 20, 12]\n\
                    [[area]]\nname = 'stage'\ninside = 'hall'\nrect = [14, 0, 6, 12]\nfloor = 1\n\
                    [[pillar]]\ninside = 'hall'\nrect = [6, 5, 2, 2]\n";
        let space = Sectors::new(&file::read(text).expect("read").map);
        for row in -100..1400 {
            for column in -100..2100 {
                // Odd steps, so that rounding has something to do.
                let at = DVec2::new(f64::from(column) * 0.009_97, f64::from(row) * 0.009_97);
                let is_in = |low: DVec2, high: DVec2| at.cmpgt(low).all() && at.cmplt(high).all();
                let solid = !is_in(DVec2::ZERO, DVec2::new(20.0, 12.0))
                    || is_in(DVec2::new(6.0, 5.0), DVec2::new(8.0, 7.0));
                let expected = (!solid).then_some(usize::from(at.x > 14.0));
                assert!(space.area_at(at) == expected || column == 0 || row == 0, "{at}");
            }
        }
    }
}
