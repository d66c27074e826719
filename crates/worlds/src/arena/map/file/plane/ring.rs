//! Closed outlines, cut wherever a corner of any outline lies on them.

use super::point::{Corners, Point, clash, turn};

/// A piece of an outline between two neighbouring corners.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    /// Where it starts.
    pub a: Point,
    /// Where it ends.
    pub b: Point,
    /// The number of the written corner that it comes from.
    pub corner: usize,
}

impl Piece {
    /// The same piece for either direction.
    pub fn key(&self) -> (Point, Point) {
        (self.a.min(self.b), self.a.max(self.b))
    }
}

/// What is wrong with an outline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flaw {
    /// Fewer than three different corners.
    TooFew,
    /// It crosses or touches itself, at or near the corner of this number.
    Crosses(usize),
}

/// A simple closed outline that runs clockwise: what it encloses is on the right of every piece.
#[derive(Clone, Debug)]
pub struct Ring {
    /// Its pieces, each starting where the one before ends.
    pub pieces: Vec<Piece>,
}

impl Ring {
    /// The ring of an outline in either direction, cut at `corners`, among which its own must be.
    ///
    /// A corner repeated at once, as of outlines that end where they began, counts once.
    pub fn new(outline: &[Point], corners: &Corners) -> Result<Ring, Flaw> {
        let mut written: Vec<(usize, Point)> = outline.iter().copied().enumerate().collect();
        written.dedup_by_key(|&mut (_, point)| point);
        while written.len() > 1 && written.first().map(|c| c.1) == written.last().map(|c| c.1) {
            written.pop();
        }
        if written.len() < 3 {
            return Err(Flaw::TooFew);
        }
        let mut pieces = Vec::new();
        for (i, &(corner, a)) in written.iter().enumerate() {
            let (_, b) = written[(i + 1) % written.len()];
            let way = corners.between(a, b);
            pieces.extend(way.windows(2).map(|pair| Piece { a: pair[0], b: pair[1], corner }));
        }
        let mut visits: Vec<(Point, usize)> = pieces.iter().map(|piece| (piece.a, piece.corner)).collect();
        visits.sort_unstable();
        if let Some(pair) = visits.windows(2).find(|pair| pair[0].0 == pair[1].0) {
            return Err(Flaw::Crosses(pair[1].1));
        }
        if let Some((_, second)) = first_clash(&pieces) {
            return Err(Flaw::Crosses(pieces[second].corner));
        }
        let origin = pieces[0].a;
        let area: i128 = pieces.iter().map(|piece| i128::from(turn(origin, piece.a, piece.b))).sum();
        if area > 0 {
            pieces.reverse();
            for piece in &mut pieces {
                std::mem::swap(&mut piece.a, &mut piece.b);
            }
        }
        Ok(Ring { pieces })
    }

    /// Its pieces as pairs of points.
    pub fn edges(&self) -> impl Iterator<Item = (Point, Point)> + '_ {
        self.pieces.iter().map(|piece| (piece.a, piece.b))
    }
}

/// Two pieces that cross, by their numbers in order; pieces that are the same do not.
pub fn first_clash(pieces: &[Piece]) -> Option<(usize, usize)> {
    // Sorted by their western ends, so that only those that share a column are compared.
    let mut order: Vec<usize> = (0..pieces.len()).collect();
    order.sort_by_key(|&i| pieces[i].a.x.min(pieces[i].b.x));
    for (at, &i) in order.iter().enumerate() {
        let Piece { a, b, .. } = pieces[i];
        for &j in &order[at + 1..] {
            let Piece { a: c, b: d, .. } = pieces[j];
            if c.x.min(d.x) > a.x.max(b.x) {
                break;
            }
            if clash(a, b, c, d) {
                return Some((i.min(j), i.max(j)));
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn ring(points: &[(i64, i64)]) -> Result<Ring, Flaw> {
        let mut corners = Corners::default();
        // Ten steps apart, lest neighbours merge.
        let points: Vec<Point> =
            points.iter().map(|&(x, y)| corners.settle(Point { x: 10 * x, y: 10 * y })).collect();
        Ring::new(&points, &corners)
    }

    #[test]
    fn either_direction_makes_a_clockwise_ring() {
        for outline in [[(0, 0), (4, 0), (4, 4), (0, 4)], [(0, 4), (4, 4), (4, 0), (0, 0)]] {
            let ring = ring(&outline).expect("a square");
            let area: i64 = ring.edges().map(|(a, b)| turn(Point { x: 0, y: 0 }, a, b)).sum();
            assert_eq!(area, -2 * 40 * 40);
        }
    }

    #[test]
    fn an_outline_may_end_where_it_began() {
        assert_eq!(ring(&[(0, 0), (4, 0), (4, 4), (0, 0)]).expect("a triangle").pieces.len(), 3);
    }

    #[test]
    fn flaws_are_found() {
        assert_eq!(ring(&[(0, 0), (4, 0)]).err(), Some(Flaw::TooFew));
        assert_eq!(ring(&[(0, 0), (4, 0), (0, 0), (4, 0)]).err(), Some(Flaw::Crosses(2)));
        assert!(matches!(ring(&[(0, 0), (4, 4), (4, 0), (0, 4)]).err(), Some(Flaw::Crosses(_))), "bow tie");
        assert!(matches!(ring(&[(0, 0), (8, 0), (4, 0)]).err(), Some(Flaw::Crosses(_))), "no area");
    }

    proptest! {
        #[test]
        fn a_ring_is_closed_and_has_an_area(points in prop::collection::vec((-9i64..9, -9i64..9), 0..9)) {
            if let Ok(ring) = ring(&points) {
                let mut ends: Vec<Point> = ring.pieces.iter().map(|piece| piece.b).collect();
                ends.rotate_right(1);
                prop_assert!(ring.pieces.iter().map(|piece| piece.a).eq(ends));
                let area: i64 = ring.edges().map(|(a, b)| turn(Point { x: 0, y: 0 }, a, b)).sum();
                prop_assert!(area < 0);
            }
        }
    }
}
