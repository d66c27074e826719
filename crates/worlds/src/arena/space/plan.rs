//! A map with rooms above rooms as it looks from above: for pictures, and for whoever asks what is at a point of the ground.

use std::collections::BTreeMap;

use glam::DVec2;

use crate::arena::map::{Area, Floor, Line};

/// Floors within this height of each other are one area.
const LEVEL_M: f64 = 0.25;
const NOTHING: u16 = u16::MAX;

/// The highest floor of each cell that can be walked to.
#[derive(Clone, Debug, Default)]
pub(crate) struct Plan {
    low: DVec2,
    cell_m: f64,
    width: usize,
    area: Vec<u16>,
    floors_m: Vec<f64>,
}

impl Plan {
    /// From the height of the highest floor in each cell, row by row, and whether it harms.
    pub fn new(low: DVec2, cell_m: f64, width: usize, floors: &[Option<(f64, bool)>]) -> (Self, Vec<Area>) {
        let mut known: BTreeMap<(i64, bool), u16> = BTreeMap::new();
        let mut areas: Vec<Area> = Vec::new();
        let area = floors.iter().map(|floor| {
            let Some((height_m, harms)) = *floor else { return NOTHING };
            let level = (height_m / LEVEL_M).round() as i64;
            *known.entry((level, harms)).or_insert_with(|| {
                let height_m = level as f64 * LEVEL_M;
                areas.push(Area {
                    name: format!("{height_m} m"),
                    floor: Floor::flat(height_m),
                    ceiling_m: height_m + 100.0,
                    lift: None,
                    harm_per_sec: if harms { 1.0 } else { 0.0 },
                });
                areas.len() as u16 - 1
            })
        });
        let area = area.collect();
        let floors_m = areas.iter().map(|area| area.floor.height_m).collect();
        (Plan { low, cell_m, width, area, floors_m }, areas)
    }

    pub fn area_at(&self, at: DVec2) -> Option<usize> {
        let cell = (at - self.low) / self.cell_m;
        if self.width == 0 || !(cell.x >= 0.0 && cell.y >= 0.0) {
            return None;
        }
        self.at(cell.x as usize, cell.y as usize).map(usize::from)
    }

    pub fn floor_m(&self, area: usize) -> f64 {
        self.floors_m[area]
    }

    fn at(&self, column: usize, row: usize) -> Option<u16> {
        let inside = column < self.width && row * self.width < self.area.len();
        inside.then(|| self.area[row * self.width + column]).filter(|&area| area != NOTHING)
    }

    /// The lines between areas, with walls where the map ends.
    pub fn lines(&self) -> Vec<Line> {
        let height = self.area.len().checked_div(self.width).unwrap_or(0);
        let point =
            |column: usize, row: usize| self.low + DVec2::new(column as f64, row as f64) * self.cell_m;
        let before = |column: usize, row: usize| {
            (column > 0 && row > 0).then(|| self.at(column - 1, row - 1)).flatten()
        };
        let mut lines = Vec::new();
        for column in 0..=self.width {
            // From south to north: the east is to the right.
            let sides = |row: usize| (before(column + 1, row + 1), before(column, row + 1));
            border(height, sides, |from, to| (point(column, from), point(column, to)), &mut lines);
        }
        for row in 0..=height {
            // From west to east: the south is to the right.
            let sides = |column: usize| (before(column + 1, row), before(column + 1, row + 1));
            border(self.width, sides, |from, to| (point(from, row), point(to, row)), &mut lines);
        }
        lines
    }
}

/// The lines along one border of cells: a line for as long as the same areas are on both sides.
fn border(
    count: usize,
    sides: impl Fn(usize) -> (Option<u16>, Option<u16>),
    ends: impl Fn(usize, usize) -> (DVec2, DVec2),
    lines: &mut Vec<Line>,
) {
    let mut from = 0;
    while from < count {
        let both = sides(from);
        let to = (from + 1..count).find(|&k| sides(k) != both).unwrap_or(count);
        let (a, b) = ends(from, to);
        let line = |a, b, right, left| Line { a, b, right, left, fence: false, teleport: None };
        match both {
            (Some(right), left) if left != Some(right) => lines.push(line(a, b, right, left)),
            (None, Some(left)) => lines.push(line(b, a, left, None)),
            _ => {}
        }
        from = to;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plan_has_walls_around_it_and_ledges_within() {
        let low = Some((0.0, false));
        let high = Some((2.0, false));
        let (plan, areas) = Plan::new(DVec2::ZERO, 1.0, 3, &[low, low, None, low, high, None]);
        assert_eq!(areas.len(), 2);
        assert_eq!(plan.area_at(DVec2::new(1.5, 1.5)), Some(1));
        assert_eq!(plan.area_at(DVec2::new(2.5, 0.5)), None);
        let lines = plan.lines();
        let walls: f64 =
            lines.iter().filter(|line| line.left.is_none()).map(|line| line.a.distance(line.b)).sum();
        let ledges: f64 =
            lines.iter().filter(|line| line.left.is_some()).map(|line| line.a.distance(line.b)).sum();
        assert_eq!((walls, ledges), (8.0, 2.0));
        // Going round an area, each corner is left as often as it is reached.
        let mut balance: BTreeMap<(u16, [i64; 2]), i32> = BTreeMap::new();
        for line in &lines {
            let corner = |at: DVec2| [at.x as i64, at.y as i64];
            *balance.entry((line.right, corner(line.a))).or_default() += 1;
            *balance.entry((line.right, corner(line.b))).or_default() -= 1;
            if let Some(left) = line.left {
                *balance.entry((left, corner(line.b))).or_default() += 1;
                *balance.entry((left, corner(line.a))).or_default() -= 1;
            }
        }
        assert!(balance.values().all(|&open| open == 0), "{balance:?}");
    }
}
