//! A coarse walker over a grid, to judge maps by: written apart from the arena's own physics on purpose.

use crate::arena::map::{Line, Map};
use glam::DVec2;

const CELL_M: f64 = 0.4;
const RADIUS_M: f64 = 0.5;
const BODY_M: f64 = 1.75;
const EYE_M: f64 = 1.6;
const STEP_M: f64 = 0.75;

pub struct Walk<'a> {
    map: &'a Map,
    low: DVec2,
    width: usize,
    height: usize,
    /// By cell: its area, if a body fits there.
    standing: Vec<Option<usize>>,
    /// By cell: where one step leads.
    steps: Vec<Vec<usize>>,
}

impl<'a> Walk<'a> {
    pub fn new(map: &'a Map) -> Self {
        let (low, high) = map.bounds();
        let size = ((high - low) / CELL_M).ceil();
        let (width, height) = (size.x as usize, size.y as usize);
        let mut walk = Walk { map, low, width, height, standing: Vec::new(), steps: Vec::new() };
        walk.standing = walk.cells().map(|at| walk.stands(at)).collect();
        walk.steps = (0..width * height).map(|node| walk.steps_from(node)).collect();
        walk
    }

    /// The middles of all cells.
    pub fn cells(&self) -> impl Iterator<Item = DVec2> + use<> {
        let (low, width) = (self.low, self.width);
        // A little off the middle, lest a cell's centre lies on a line.
        (0..self.width * self.height).map(move |node| {
            low + DVec2::new((node % width) as f64 + 0.503, (node / width) as f64 + 0.507) * CELL_M
        })
    }

    fn at(&self, node: usize) -> DVec2 {
        self.low + DVec2::new((node % self.width) as f64 + 0.503, (node / self.width) as f64 + 0.507) * CELL_M
    }

    /// The nearest cell to a point on which one stands in the same area, next to it.
    pub fn node(&self, at: DVec2) -> Option<usize> {
        let area = *self.areas_at(at).first()?;
        (0..self.standing.len())
            .filter(|&node| self.standing[node] == Some(area) && self.at(node).distance(at) < 1.5 * CELL_M)
            .min_by(|&a, &b| self.at(a).distance(at).total_cmp(&self.at(b).distance(at)))
    }

    pub fn nodes_of(&self, area: usize) -> Vec<usize> {
        (0..self.standing.len()).filter(|&node| self.standing[node] == Some(area)).collect()
    }

    /// All areas whose border goes round a point.
    pub fn areas_at(&self, at: DVec2) -> Vec<usize> {
        let mut inside = vec![false; self.map.areas.len()];
        for line in &self.map.lines {
            let (a, b) = (line.a, line.b);
            if (a.y > at.y) != (b.y > at.y) && at.x < a.x + (at.y - a.y) / (b.y - a.y) * (b.x - a.x) {
                for area in [Some(line.right), line.left].into_iter().flatten() {
                    inside[usize::from(area)] ^= true;
                }
            }
        }
        (0..inside.len()).filter(|&area| inside[area]).collect()
    }

    /// The opening's lower and upper edge for bodies, lifts being where they leave most room.
    fn gap(&self, line: &Line, at: DVec2) -> Option<(f64, f64)> {
        let (right, left) =
            (&self.map.areas[usize::from(line.right)], &self.map.areas[usize::from(line.left?)]);
        let low = |area: &crate::arena::map::Area| area.lift.map_or(area.floor.at(at), |lift| lift.low_m);
        Some((low(right).max(low(left)), right.ceiling_m.min(left.ceiling_m)))
    }

    fn is_barred(&self, line: &Line) -> bool {
        let open = |at: DVec2| self.gap(line, at).is_some_and(|(low, high)| high - low >= BODY_M);
        line.fence || !open(line.a) || !open(line.b)
    }

    fn stands(&self, at: DVec2) -> Option<usize> {
        let area = *self.areas_at(at).first()?;
        let place = &self.map.areas[area];
        let room = place.ceiling_m - place.floor.at(at);
        let clear = self.map.lines.iter().all(|line| {
            let part =
                ((at - line.a).dot(line.b - line.a) / (line.b - line.a).length_squared()).clamp(0.0, 1.0);
            at.distance(line.a + (line.b - line.a) * part) >= RADIUS_M || !self.is_barred(line)
        });
        (clear && room >= BODY_M).then_some(area)
    }

    fn steps_from(&self, node: usize) -> Vec<usize> {
        let Some(area) = self.standing[node] else { return Vec::new() };
        let (x, y) = (node % self.width, node / self.width);
        let mut steps = Vec::new();
        for (dx, dy) in [(-1i64, 0i64), (1, 0), (0, -1), (0, 1)] {
            let (x, y) = (x as i64 + dx, y as i64 + dy);
            if x < 0 || y < 0 || x >= self.width as i64 || y >= self.height as i64 {
                continue;
            }
            let other = y as usize * self.width + x as usize;
            let Some(there) = self.standing[other] else { continue };
            let (from, to) = (self.at(node), self.at(other));
            let mut crossed =
                self.map.lines.iter().filter(|line| crossing(from, to, line).is_some()).peekable();
            // From right to left: its right is where the step comes from.
            let taken = crossed.clone().find_map(|line| {
                let exit = &self.map.exits[usize::from(line.teleport?)];
                (usize::from(line.right) == area).then_some(exit.at)
            });
            if let Some(exit) = taken {
                steps.extend(self.node(exit));
                continue;
            }
            let leaving =
                self.map.areas[area].lift.map_or(self.map.areas[area].floor.at(from), |lift| lift.high_m);
            let arriving =
                self.map.areas[there].lift.map_or(self.map.areas[there].floor.at(to), |lift| lift.low_m);
            if arriving - leaving <= STEP_M && (area == there || crossed.peek().is_some()) {
                steps.push(other);
            }
        }
        steps
    }

    pub fn reachable(&self, home: usize) -> Vec<bool> {
        flood(&self.steps, home)
    }

    /// From where `home` can be reached.
    pub fn reaching(&self, home: usize) -> Vec<bool> {
        let mut against = vec![Vec::new(); self.steps.len()];
        for (from, steps) in self.steps.iter().enumerate() {
            for &to in steps {
                against[to].push(from);
            }
        }
        flood(&against, home)
    }

    /// How far the floor of a level area is above the lowest one beside it.
    pub fn height_over_neighbours(&self, area: usize) -> f64 {
        let mut most: f64 = 0.0;
        for line in &self.map.lines {
            for (own, other) in [(Some(line.right), line.left), (line.left, Some(line.right))] {
                if let (Some(own), Some(other)) = (own, other)
                    && usize::from(own) == area
                {
                    let floor = |i: u16| self.map.areas[usize::from(i)].floor.at(line.a);
                    most = most.max(floor(own) - floor(other));
                }
            }
        }
        most
    }

    /// Whether eyes at one point see a head at another.
    pub fn sees(&self, from: DVec2, to: DVec2) -> bool {
        let eye =
            |at: DVec2| self.areas_at(at).first().map_or(0.0, |&i| self.map.areas[i].floor.at(at)) + EYE_M;
        let (start, end) = (eye(from), eye(to));
        self.map.lines.iter().all(|line| {
            let Some(part) = crossing(from, to, line) else { return true };
            let z = start + (end - start) * part;
            self.gap(line, from + (to - from) * part).is_some_and(|(low, high)| low < z && z < high)
        })
    }
}

fn crossing(from: DVec2, to: DVec2, line: &Line) -> Option<f64> {
    let (way, wall) = (to - from, line.b - line.a);
    let across = way.perp_dot(wall);
    if across == 0.0 {
        return None;
    }
    let part = (line.a - from).perp_dot(wall) / across;
    let along = (line.a - from).perp_dot(way) / across;
    ((0.0..=1.0).contains(&part) && (0.0..=1.0).contains(&along)).then_some(part)
}

fn flood(steps: &[Vec<usize>], home: usize) -> Vec<bool> {
    let mut seen = vec![false; steps.len()];
    let mut open = vec![home];
    seen[home] = true;
    while let Some(node) = open.pop() {
        for &next in &steps[node] {
            if !std::mem::replace(&mut seen[next], true) {
                open.push(next);
            }
        }
    }
    seen
}
