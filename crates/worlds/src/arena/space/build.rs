//! Making a space from a map's lines and areas.

use glam::DVec2;
use parry2d_f64::bounding_volume::Aabb;
use parry2d_f64::partitioning::{Bvh, BvhBuildStrategy};

use super::{CELL_M, Edge, FirstLine, Ground, MIXED, NO_EXIT, NO_LIFT, SOLID, Space, ray};
use crate::arena::map::Map;

/// How far from a body's middle a line can matter in one move: its radius, the longest part of a move, and a little.
const REACH_M: f64 = 1.0;
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

impl Space {
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
        let boxes: Vec<Aabb> =
            edges.iter().map(|edge| Aabb::new(edge.a.min(edge.b), edge.a.max(edge.b))).collect();
        let (low, high) = map.bounds();
        let low = low - DVec2::splat(1.5 * CELL_M);
        let size = ((high - low) / CELL_M).ceil() + DVec2::splat(2.0);
        let mut space = Space {
            grounds: grounds.collect(),
            tree: Bvh::from_leaves(BvhBuildStrategy::Binned, &boxes),
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
        for cell in 0..self.width * self.height {
            let middle = self.cell_middle(cell);
            let half = DVec2::splat(CELL_M / 2.0);
            let wide = Aabb::new(middle - half - REACH_M, middle + half + REACH_M);
            let mut near: Vec<u32> = self.tree.intersect_aabb(&wide).collect();
            near.sort_unstable();
            // A little wider than the cell, so that no ray slips through between two cells.
            let here = Aabb::new(middle - half - SLACK_M, middle + half + SLACK_M);
            let passes = |&&index: &&u32| {
                let edge = &self.edges[index as usize];
                here.clip_segment(edge.a, edge.b).is_some()
            };
            let before = self.in_cell.len();
            self.in_cell.extend(near.iter().filter(passes));
            let is_touched = self.in_cell.len() > before;
            let anchor = self.anchor(middle, &near);
            let area = self.area_by_far_ray(anchor);
            self.anchors.push((anchor, area));
            self.whole.push(if is_touched { MIXED } else { area });
            self.near.extend(near);
            self.near_from.push(self.near.len() as u32);
            self.in_cell_from.push(self.in_cell.len() as u32);
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

    /// The area at a point, by the first line that a long ray meets. Slow; for building only.
    fn area_by_far_ray(&self, at: DVec2) -> u16 {
        // An odd direction, so that the ray does not run along lines or through corners, which lie on grids.
        let target = at + DVec2::new(1e4, 1.234_567e3);
        let mut first = FirstLine::default();
        let box_of_way = Aabb::new(at, target);
        for index in self.tree.intersect_aabb(&box_of_way) {
            let edge = &self.edges[index as usize];
            if let Some(t) = ray::crossing(at, target, edge) {
                first.meet(t, edge.area_towards(at));
            }
        }
        first.area
    }
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
