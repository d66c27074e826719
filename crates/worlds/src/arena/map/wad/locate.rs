//! In which sector a place is.
//!
//! The file has a tree for this, but tools write it in formats of their own, and it can be wrong. The lines cannot:
//! the first one to the east of a place says what is on its western side.

use super::records::{Edge, Point};

/// Finds sectors by place.
pub struct Locator<'a> {
    edges: &'a [Edge],
}

/// Ends of lines have whole coordinates, so a ray this much further north meets none of them.
const NUDGE: f64 = 1.0 / 1024.0;

impl<'a> Locator<'a> {
    /// Among edges that bound open ground.
    pub fn new(edges: &'a [Edge]) -> Self {
        Locator { edges }
    }

    /// The sector of a thing.
    pub fn sector_of(&self, at: Point) -> Option<u16> {
        self.sector_at(at.x.into(), at.y.into())
    }

    /// The sector at a place; none in the void or in solid ground.
    pub fn sector_at(&self, x: f64, y: f64) -> Option<u16> {
        let y = y + NUDGE;
        let mut nearest = f64::INFINITY;
        let mut sector = None;
        for edge in self.edges {
            let (ax, ay) = (f64::from(edge.a.x), f64::from(edge.a.y));
            let (bx, by) = (f64::from(edge.b.x), f64::from(edge.b.y));
            if (ay > y) == (by > y) {
                continue;
            }
            let met = ax + (y - ay) * (bx - ax) / (by - ay);
            if met > x && met < nearest {
                nearest = met;
                sector = if by > ay { edge.left } else { edge.right };
            }
        }
        sector
    }
}
