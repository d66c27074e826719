//! Points of a grid, and exact questions about segments between them.

use glam::DVec2;
use std::collections::BTreeSet;

/// Grid steps in a metre: a power of two, so that every point is a binary fraction and survives as `f64`.
const STEPS_PER_M: f64 = 1024.0;
/// The largest coordinate, 16 km. Products of differences then fit `i64`.
const MOST_STEPS: f64 = 16.0 * 1024.0 * STEPS_PER_M;

/// A point of the grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Point {
    /// Steps to the east.
    pub x: i64,
    /// Steps to the north.
    pub y: i64,
}

impl Point {
    /// The grid point next to a position in metres, or `None` if that is no number or farther than 16 km.
    pub fn snap([x, y]: [f64; 2]) -> Option<Self> {
        let step = |metres: f64| {
            let steps = (metres * STEPS_PER_M).round();
            (steps.abs() <= MOST_STEPS).then_some(steps as i64)
        };
        Some(Point { x: step(x)?, y: step(y)? })
    }

    /// The position in metres, without loss.
    pub fn metres(self) -> DVec2 {
        DVec2::new(self.x as f64, self.y as f64) / STEPS_PER_M
    }
}

/// Twice the area of the triangle `a b c`: above zero if `c` is left of the way from `a` to `b`.
pub fn turn(a: Point, b: Point, c: Point) -> i64 {
    (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)
}

/// Whether `p` lies within one grid step of the segment from `a` to `b`, beside it and not beyond its ends.
pub fn lies_on(p: Point, a: Point, b: Point) -> bool {
    if p == a || p == b {
        return false;
    }
    let along = (p.x - a.x) * (b.x - a.x) + (p.y - a.y) * (b.y - a.y);
    let length_squared = (b.x - a.x) * (b.x - a.x) + (b.y - a.y) * (b.y - a.y);
    let area = i128::from(turn(a, b, p));
    0 < along && along < length_squared && area * area <= i128::from(length_squared)
}

/// Whether two segments have a point in common other than an end of both.
pub fn clash(a: Point, b: Point, c: Point, d: Point) -> bool {
    let touches = |p: Point, a: Point, b: Point| {
        p != a
            && p != b
            && turn(a, b, p) == 0
            && (a.x.min(b.x)..=a.x.max(b.x)).contains(&p.x)
            && (a.y.min(b.y)..=a.y.max(b.y)).contains(&p.y)
    };
    if touches(a, c, d) || touches(b, c, d) || touches(c, a, b) || touches(d, a, b) {
        return true;
    }
    let (c_side, d_side) = (turn(a, b, c).signum(), turn(a, b, d).signum());
    let (a_side, b_side) = (turn(c, d, a).signum(), turn(c, d, b).signum());
    c_side * d_side < 0 && a_side * b_side < 0
}

/// Whether the middle of the segment `from`–`to` is inside of closed loops of edges, by counting the edges east of
/// it. Exact as long as that middle is not on an edge.
pub fn middle_is_inside(from: Point, to: Point, edges: impl IntoIterator<Item = (Point, Point)>) -> bool {
    // In half steps, so that the middle is a whole point too.
    let middle = Point { x: from.x + to.x, y: from.y + to.y };
    let mut inside = false;
    for (a, b) in edges {
        let a = Point { x: 2 * a.x, y: 2 * a.y };
        let b = Point { x: 2 * b.x, y: 2 * b.y };
        if (a.y > middle.y) != (b.y > middle.y) {
            let (low, high) = if a.y < b.y { (a, b) } else { (b, a) };
            // West of an edge that goes up is left of it.
            inside ^= turn(low, high, middle) > 0;
        }
    }
    inside
}

/// The corners of all outlines; those on neighbouring points of the grid (about a millimetre) are one.
#[derive(Debug, Default)]
pub struct Corners(BTreeSet<Point>);

impl Corners {
    /// The corner at a point: one that is there or next to it, or a new one.
    pub fn settle(&mut self, at: Point) -> Point {
        if self.0.contains(&at) {
            return at;
        }
        for x in at.x - 1..=at.x + 1 {
            let column = Point { x, y: at.y - 1 }..=Point { x, y: at.y + 1 };
            if let Some(&near) = self.0.range(column).next() {
                return near;
            }
        }
        self.0.insert(at);
        at
    }

    /// The way from `a` to `b` by all corners that lie on it, both ends included.
    pub fn between(&self, a: Point, b: Point) -> Vec<Point> {
        let low = Point { x: a.x.min(b.x) - 1, y: i64::MIN };
        let high = Point { x: a.x.max(b.x) + 1, y: i64::MAX };
        let mut way = vec![a];
        way.extend(self.0.range(low..=high).copied().filter(|&p| lies_on(p, a, b)));
        way.push(b);
        way.sort_by_key(|p| (p.x - a.x) * (b.x - a.x) + (p.y - a.y) * (b.y - a.y));
        way
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn p(x: i64, y: i64) -> Point {
        Point { x, y }
    }

    #[test]
    fn points_survive_the_way_to_metres_and_back() {
        let at = Point::snap([1.0004, -7.3]).expect("near");
        assert_eq!(Point::snap(at.metres().to_array()), Some(at));
        assert_eq!(Point::snap([f64::NAN, 0.0]), None);
        assert_eq!(Point::snap([0.0, 1e9]), None);
    }

    #[test]
    fn segments_that_share_only_ends_do_not_clash() {
        assert!(!clash(p(0, 0), p(4, 0), p(4, 0), p(4, 4)));
        assert!(!clash(p(0, 0), p(4, 0), p(4, 0), p(8, 0)), "one after the other");
        assert!(!clash(p(0, 0), p(4, 0), p(4, 0), p(0, 0)), "the same");
        assert!(!clash(p(0, 0), p(4, 0), p(0, 1), p(4, 1)));
    }

    #[test]
    fn segments_that_cross_or_touch_clash() {
        assert!(clash(p(0, 0), p(4, 4), p(0, 4), p(4, 0)));
        assert!(clash(p(0, 0), p(4, 0), p(2, 0), p(2, 4)), "a T");
        assert!(clash(p(0, 0), p(4, 0), p(2, 0), p(8, 0)), "along each other");
        assert!(clash(p(0, 0), p(4, 0), p(0, 0), p(8, 0)), "one in the other");
    }

    #[test]
    fn corners_a_millimetre_apart_are_one() {
        let mut corners = Corners::default();
        assert_eq!(corners.settle(p(100, 100)), p(100, 100));
        assert_eq!(corners.settle(p(101, 99)), p(100, 100));
        assert_eq!(corners.settle(p(102, 100)), p(102, 100));
    }

    proptest! {
        #[test]
        fn the_way_between_two_corners_only_goes_forward(
            points in prop::collection::vec((-20i64..20, -20i64..20), 2..40),
        ) {
            let mut corners = Corners::default();
            let points: Vec<Point> = points.into_iter().map(|(x, y)| corners.settle(p(x, y))).collect();
            prop_assume!(points[0] != points[1]);
            let way = corners.between(points[0], points[1]);
            prop_assert_eq!((way[0], way[way.len() - 1]), (points[0], points[1]));
            let (a, b) = (points[0], points[1]);
            let along = |p: Point| (p.x - a.x) * (b.x - a.x) + (p.y - a.y) * (b.y - a.y);
            for pair in way.windows(2) {
                prop_assert!(pair[0] != pair[1] && along(pair[0]) <= along(pair[1]));
            }
        }

        #[test]
        fn clashing_does_not_depend_on_the_order(
            c in prop::array::uniform8(-6i64..6),
        ) {
            let [a, b, d, e] = [p(c[0], c[1]), p(c[2], c[3]), p(c[4], c[5]), p(c[6], c[7])];
            prop_assume!(a != b && d != e);
            let answer = clash(a, b, d, e);
            prop_assert_eq!(answer, clash(b, a, d, e));
            prop_assert_eq!(answer, clash(d, e, a, b));
        }
    }
}
