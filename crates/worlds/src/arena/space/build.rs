//! Making sectors from a map's lines and areas.

use std::ops::Range;

use glam::DVec2;

use super::ray;
use super::sectors::{CELL_M, Edge, FirstLine, Ground, MIXED, NO_EXIT, NO_LIFT, SOLID, Sectors};
use crate::arena::map::Map;

/// How far from a body's middle a line can matter in one move: its radius, the longest part of a move, and a little.
pub(super) const REACH_M: f64 = 1.0;
/// How far cells reach over each other.
const SLACK_M: f64 = 1e-6;
/// Where in a cell its anchor may be. Odd numbers: lines and corners lie on round ones.
const ANCHORS: [DVec2; 5] = [
    DVec2::new(0.0137, 0.0291),
    DVec2::new(0.2371, 0.1913),
    DVec2::new(-0.2273, 0.2117),
    DVec2::new(-0.1931, -0.2389),
    DVec2::new(0.2179, -0.2011),
];

impl Sectors {
    /// The shape of a map. Lines without length are left out; areas that do not exist must not be named.
    pub(crate) fn new(map: &Map) -> Self {
        let edges: Vec<Edge> = map.lines.iter().map(edge).collect();
        let mut lifts = 0u16..;
        let grounds = map.areas.iter().map(|area| Ground {
            height_m: area.floor.height_m,
            slope: area.floor.slope,
            ceiling_m: area.ceiling_m,
            lift: if area.lift.is_some() { lifts.next().unwrap_or(NO_LIFT) } else { NO_LIFT },
        });
        let (low, high) = map.bounds();
        let low = low - DVec2::splat(1.5 * CELL_M);
        let size = ((high - low) / CELL_M).ceil() + DVec2::splat(2.0);
        let mut space = Sectors {
            grounds: grounds.collect(),
            edges,
            low,
            width: size.x as usize,
            height: size.y as usize,
            anchors: Vec::new(),
            whole: Vec::new(),
            near_from: vec![0],
            near: Vec::new(),
            in_cell_from: vec![0],
            in_cell: Vec::new(),
        };
        space.fill_cells();
        space
    }

    fn fill_cells(&mut self) {
        self.find_near();
        for cell in 0..self.width * self.height {
            let middle = self.cell_middle(cell);
            let half = DVec2::splat(CELL_M / 2.0);
            // A little wider than the cell, so that no ray slips through between two cells.
            let (low, high) = (middle - half - SLACK_M, middle + half + SLACK_M);
            let (from, to) = (self.near_from[cell] as usize, self.near_from[cell + 1] as usize);
            let passes = |&&index: &&u32| passes(&self.edges[index as usize], low, high);
            self.in_cell.extend(self.near[from..to].iter().filter(passes));
            self.in_cell_from.push(self.in_cell.len() as u32);
        }
        for cell in 0..self.width * self.height {
            let (from, to) = (self.near_from[cell] as usize, self.near_from[cell + 1] as usize);
            let anchor = self.anchor(self.cell_middle(cell), &self.near[from..to]);
            let area = self.area_by_far_ray(anchor);
            self.anchors.push((anchor, area));
            let is_touched = self.in_cell_from[cell] < self.in_cell_from[cell + 1];
            self.whole.push(if is_touched { MIXED } else { area });
        }
    }

    /// Lists for each cell, in ascending order, the lines whose boxes are within reach of it.
    fn find_near(&mut self) {
        let mut counts = vec![0u32; self.width * self.height + 1];
        self.each_near(|cell, _| counts[cell + 1] += 1);
        for cell in 0..self.width * self.height {
            counts[cell + 1] += counts[cell];
        }
        let mut ends = counts.clone();
        let mut near = vec![0; counts[self.width * self.height] as usize];
        self.each_near(|cell, index| {
            near[ends[cell] as usize] = index;
            ends[cell] += 1;
        });
        (self.near_from, self.near) = (counts, near);
    }

    /// Visits the lines in their order, each with all cells that its box is within reach of.
    fn each_near(&self, mut visit: impl FnMut(usize, u32)) {
        for (index, edge) in self.edges.iter().enumerate() {
            let (low, high) = (edge.a.min(edge.b), edge.a.max(edge.b));
            let columns = within_reach(low.x, high.x, self.low.x, self.width);
            for row in within_reach(low.y, high.y, self.low.y, self.height) {
                for column in columns.clone() {
                    visit(row * self.width + column, index as u32);
                }
            }
        }
    }

    /// The point of a cell from which others in it are judged: of a few, the one farthest from all lines.
    ///
    /// On a line, or worse in a corner, its area would mean nothing, and every line of the corner would be met at once.
    fn anchor(&self, middle: DVec2, near: &[u32]) -> DVec2 {
        let room = |at: DVec2| {
            let far = |&index: &u32| self.edge(index).nearest(at).distance_squared(at);
            near.iter().map(far).fold(f64::INFINITY, f64::min)
        };
        let mut best = (f64::NEG_INFINITY, middle);
        for at in ANCHORS.map(|offset| middle + offset) {
            let room = room(at);
            if room > best.0 {
                best = (room, at);
            }
        }
        best.1
    }

    /// The area at a point, by the first line that a long ray meets. Slow; for building only, when the lines of the cells
    /// are known.
    fn area_by_far_ray(&self, at: DVec2) -> u16 {
        // An odd direction, so that the ray does not run along lines or through corners, which lie on grids.
        let target = at + DVec2::new(1e4, 1.234_567e3);
        let mut first = FirstLine::default();
        self.along(at, target, |_, edge| {
            if let Some(t) = ray::crossing(at, target, edge) {
                first.meet(t, edge.area_towards(at));
            }
            // A little farther: another line in the same place may stand in the next cell's list.
            first.part + 1e-9
        });
        first.area
    }
}

/// The rows or columns of cells, of so many from `start` on, that a line from `low` to `high` is within reach of.
fn within_reach(low: f64, high: f64, start: f64, count: usize) -> Range<usize> {
    let cell = |at: f64| ((at - start) / CELL_M).clamp(0.0, count as f64) as usize;
    let is_near = |cell: &usize| {
        let (middle, half) = (start + (*cell as f64 + 0.5) * CELL_M, CELL_M / 2.0);
        low <= middle + half + REACH_M && high >= middle - half - REACH_M
    };
    // One more on either side than can be: rounding is left to the comparison.
    let first = cell(low - REACH_M).saturating_sub(2);
    let last = (cell(high + REACH_M) + 3).min(count);
    let mut near = (first..last).filter(is_near);
    near.next().map_or(0..0, |first| first..near.next_back().unwrap_or(first) + 1)
}

/// Whether a line, drawn on beyond `b`, passes through a box. That it is drawn on costs a look at a few lines too many,
/// since only near lines are asked.
fn passes(edge: &Edge, low: DVec2, high: DVec2) -> bool {
    let way = edge.b - edge.a;
    let (mut enters, mut leaves) = (f64::MIN, f64::MAX);
    for axis in 0..2 {
        let (at, low, high) = (edge.a[axis], low[axis], high[axis]);
        if way[axis] == 0.0 {
            if at < low || at > high {
                return false;
            }
            continue;
        }
        let per_metre = 1.0 / way[axis];
        let (one, other) = ((low - at) * per_metre, (high - at) * per_metre);
        enters = enters.max(one.min(other));
        leaves = leaves.min(one.max(other));
        if leaves < 0.0 || enters > leaves {
            return false;
        }
    }
    true
}

fn edge(line: &crate::arena::map::Line) -> Edge {
    Edge {
        a: line.a,
        b: line.b,
        right: line.right,
        left: line.left.unwrap_or(SOLID),
        fence: line.fence,
        exit: line.teleport.unwrap_or(NO_EXIT),
    }
}
