//! Where characters were: decisions counted on a coarse grid over the map.

use repertoire_mind::{DVec2, DVec3};
use repertoire_worlds::arena::map::Map;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Cells along the longer side of a map: fine enough to tell rooms apart, coarse enough to fill within a match.
const CELLS: f64 = 64.0;

/// How often each character decided in each cell of a map.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Heat {
    /// The south-western corner of the first cell.
    pub low: DVec2,
    /// Cells are squares.
    pub cell_m: f64,
    /// Cells from west to east.
    pub columns: usize,
    /// Cells from south to north.
    pub rows: usize,
    /// For each contender, row by row from the south.
    #[serde(serialize_with = "rows_of_counts", deserialize_with = "counts_of_rows")]
    counts: Vec<CellCounts>,
}

/// One character's counts, with the width of a row so that they can be written row by row.
#[derive(Clone, Debug, PartialEq)]
struct CellCounts {
    columns: usize,
    cells: Vec<u32>,
}

impl Heat {
    /// Nobody has been anywhere yet.
    pub fn new(map: &Map, contenders: usize) -> Self {
        let (low, high) = map.bounds();
        let size = (high - low).max(DVec2::splat(1e-3));
        let cell_m = size.max_element() / CELLS;
        let cells = |length: f64| ((length / cell_m).ceil() as usize).max(1);
        let (columns, rows) = (cells(size.x), cells(size.y));
        let empty = CellCounts { columns, cells: vec![0; columns * rows] };
        Heat { low, cell_m, columns, rows, counts: vec![empty; contenders] }
    }

    /// A contender decides here.
    pub(super) fn visit(&mut self, contender: usize, position: DVec3) {
        let at = (position.truncate() - self.low) / self.cell_m;
        // A float below 0 becomes 0: who leans over the rim counts in the outermost cell.
        let column = (at.x as usize).min(self.columns - 1);
        let row = (at.y as usize).min(self.rows - 1);
        self.counts[contender].cells[row * self.columns + column] += 1;
    }

    /// Adds the counts of another match on the same map.
    pub(super) fn add(&mut self, other: &Heat) {
        for (own, other) in self.counts.iter_mut().zip(&other.counts) {
            for (own, other) in own.cells.iter_mut().zip(&other.cells) {
                *own += other;
            }
        }
    }

    /// Whether it is of this map and as many contenders, so that it can be added.
    pub(super) fn is_like(&self, other: &Heat) -> bool {
        let shape = |heat: &Heat| (heat.columns, heat.rows, heat.counts.len());
        shape(self) == shape(other)
            && self.counts.iter().all(|counts| counts.cells.len() == self.columns * self.rows)
    }

    /// A contender's counts, row by row from the south.
    pub fn of(&self, contender: usize) -> &[u32] {
        &self.counts[contender].cells
    }
}

/// Each row as one text of numbers, so that a picture's thousands of numbers take its rows' number of lines.
fn rows_of_counts<S: Serializer>(counts: &[CellCounts], serializer: S) -> Result<S::Ok, S::Error> {
    let row = |cells: &[u32]| cells.iter().map(u32::to_string).collect::<Vec<_>>().join(" ");
    let rows = |counts: &CellCounts| counts.cells.chunks(counts.columns).map(row).collect::<Vec<_>>();
    serializer.collect_seq(counts.iter().map(rows))
}

/// The opposite.
fn counts_of_rows<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<CellCounts>, D::Error> {
    let all: Vec<Vec<String>> = Vec::deserialize(deserializer)?;
    let contender = |rows: Vec<String>| {
        let mut counts = CellCounts { columns: 1, cells: Vec::new() };
        for row in &rows {
            let before = counts.cells.len();
            for word in row.split(' ') {
                counts
                    .cells
                    .push(word.parse().map_err(|_| D::Error::custom("a row of counts has no number"))?);
            }
            counts.columns = counts.cells.len() - before;
        }
        Ok(counts)
    };
    all.into_iter().map(contender).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tournament::tests::room;

    #[test]
    fn every_visit_is_counted_in_its_cell_and_none_is_lost() {
        let level = room();
        let mut heat = Heat::new(level.map(), 2);
        assert_eq!((heat.columns, heat.rows), (64, 64));
        for at in [DVec3::ZERO, DVec3::new(-5.0, 1e9, 0.0), DVec3::new(23.99, 0.0, 0.0)] {
            heat.visit(1, at);
        }
        assert_eq!(heat.of(0).iter().sum::<u32>(), 0);
        assert_eq!(heat.of(1)[0], 1);
        assert_eq!(heat.of(1)[63], 1);
        assert_eq!(heat.of(1)[63 * 64], 1);
        let twice = {
            let mut sum = heat.clone();
            sum.add(&heat);
            sum
        };
        assert_eq!(twice.of(1).iter().sum::<u32>(), 6);
    }

    #[test]
    fn rows_are_written_as_texts_of_numbers() {
        let level = room();
        let mut heat = Heat::new(level.map(), 1);
        heat.visit(0, DVec3::ZERO);
        let json = serde_json::to_value(&heat).expect("heat is plain data");
        let first = json["counts"][0][0].as_str().expect("a row is text");
        assert!(first.starts_with("1 0 0") && first.split(' ').count() == 64, "{first}");
        assert_eq!(serde_json::from_value::<Heat>(json).expect("it was written so"), heat);
    }
}
