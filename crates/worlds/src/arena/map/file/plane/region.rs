//! What rings enclose, less what is cut out of them, and who lies beside whom.
//!
//! A region is the inside of a ring less the insides of the rings that are cut out of it. Its border is found by
//! counting: its own pieces once, those cut out once in the other direction; what is there in both directions
//! cancels. So holes may touch each other and the ring around them, and stairs inside of a hall need no care.

use std::collections::{BTreeMap, BTreeSet};

use super::point::{Point, middle_is_inside};
use super::ring::{Piece, Ring, first_clash};

/// A corner of an outline as it is written: which ring, and which of its corners.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RingCorner {
    /// The ring.
    pub ring: usize,
    /// Its corner.
    pub corner: usize,
}

/// A piece of border between two regions, or between one and the void.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Border {
    /// Where it starts.
    pub a: Point,
    /// Where it ends.
    pub b: Point,
    /// The region to the right of the way from `a` to `b`.
    pub right: usize,
    /// The region to the left, if there is one.
    pub left: Option<usize>,
    /// Which outline it comes from.
    pub place: RingCorner,
}

/// Why rings do not make a map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Conflict {
    /// Two outlines cross.
    Cross(RingCorner, RingCorner),
    /// A ring is not inside of the one that it is cut out of.
    NotInside(RingCorner),
    /// Two regions cover the same ground, at a place of the second.
    Overlap(usize, RingCorner),
    /// All of a region is cut away.
    Nothing(usize),
}

/// The borders of the regions of `rings`, each of which may be cut out of another.
pub fn borders(rings: &[Ring], cut_out_of: &[Option<usize>]) -> Result<Vec<Border>, Conflict> {
    let mut pieces: Vec<Piece> = Vec::new();
    let mut places: Vec<RingCorner> = Vec::new();
    for (ring, Ring { pieces: own }) in rings.iter().enumerate() {
        pieces.extend(own);
        places.extend(own.iter().map(|piece| RingCorner { ring, corner: piece.corner }));
    }
    if let Some((first, second)) = first_clash(&pieces) {
        return Err(Conflict::Cross(places[first], places[second]));
    }
    for (ring, parent) in cut_out_of.iter().enumerate() {
        if let Some(parent) = *parent
            && let Some(piece) = rings[ring].pieces.iter().find(|piece| !is_within(piece, &rings[parent]))
        {
            return Err(Conflict::NotInside(RingCorner { ring, corner: piece.corner }));
        }
    }
    let sides = Sides::new(&pieces, &places, cut_out_of);
    sides.check(&pieces, &places, rings.len())?;
    let mut seen = BTreeSet::new();
    let mut borders = Vec::new();
    for (piece, &place) in pieces.iter().zip(&places) {
        if !seen.insert(piece.key()) {
            continue;
        }
        let (a, b) = (piece.a, piece.b);
        match (sides.right_of(a, b), sides.right_of(b, a)) {
            (Some(right), left) => borders.push(Border { a, b, right, left, place }),
            (None, Some(right)) => borders.push(Border { a: b, b: a, right, left: None, place }),
            (None, None) => {}
        }
    }
    Ok(borders)
}

/// Whether a piece that crosses no other is within a ring or runs along it on its inner side.
fn is_within(piece: &Piece, ring: &Ring) -> bool {
    match ring.pieces.iter().find(|other| other.key() == piece.key()) {
        Some(other) => other.a == piece.a,
        None => middle_is_inside(piece.a, piece.b, ring.edges()),
    }
}

/// For each piece the regions on its sides, counted.
struct Sides {
    /// By the piece's key: a region, and how often it is on the right of the way from the lower to the upper end,
    /// less how often on the left.
    counts: BTreeMap<(Point, Point), Vec<(usize, i32)>>,
    /// By region: the pieces that remain of its border.
    edges: Vec<Vec<(Point, Point)>>,
}

impl Sides {
    fn new(pieces: &[Piece], places: &[RingCorner], cut_out_of: &[Option<usize>]) -> Self {
        let mut counts: BTreeMap<(Point, Point), Vec<(usize, i32)>> = BTreeMap::new();
        for (piece, place) in pieces.iter().zip(places) {
            let forward = if piece.a < piece.b { 1 } else { -1 };
            let list = counts.entry(piece.key()).or_default();
            let mut count = |region: usize, change: i32| match list.iter_mut().find(|(at, _)| *at == region) {
                Some((_, total)) => *total += change,
                None => list.push((region, change)),
            };
            count(place.ring, forward);
            if let Some(parent) = cut_out_of[place.ring] {
                count(parent, -forward);
            }
        }
        let mut edges = vec![Vec::new(); cut_out_of.len()];
        for (&key, list) in &mut counts {
            list.retain(|&(_, total)| total != 0);
            for &(region, _) in list.iter() {
                edges[region].push(key);
            }
        }
        Sides { counts, edges }
    }

    /// The region to the right of the way from `a` to `b`.
    fn right_of(&self, a: Point, b: Point) -> Option<usize> {
        let (key, sign) = if a < b { ((a, b), 1) } else { ((b, a), -1) };
        self.counts.get(&key)?.iter().find(|&&(_, total)| total * sign > 0).map(|&(region, _)| region)
    }

    /// Regions overlap exactly if a piece of one's border is inside of another, or has both on the same side.
    fn check(&self, pieces: &[Piece], places: &[RingCorner], count: usize) -> Result<(), Conflict> {
        if let Some(region) = (0..count).find(|&region| self.edges[region].is_empty()) {
            return Err(Conflict::Nothing(region));
        }
        let boxes: Vec<(Point, Point)> = self.edges.iter().map(|edges| bounds(edges)).collect();
        for (piece, place) in pieces.iter().zip(places) {
            let Some(list) = self.counts.get(&piece.key()) else { continue };
            for (at, &(first, total)) in list.iter().enumerate() {
                let same = list[at + 1..].iter().find(|&&(_, other)| other.signum() == total.signum());
                if let Some(&(second, _)) = same {
                    let other = if first == place.ring { second } else { first };
                    return Err(Conflict::Overlap(other, *place));
                }
            }
            // What cancelled out separates nothing; a region's border is judged where it is left.
            if !list.iter().any(|&(region, _)| region == place.ring) {
                continue;
            }
            let (low, high) = piece.key();
            for region in (0..count).filter(|&region| region != place.ring) {
                let (least, most) = boxes[region];
                let apart = high.x < least.x
                    || low.x > most.x
                    || low.y.max(high.y) < least.y
                    || low.y.min(high.y) > most.y;
                if !apart
                    && !list.iter().any(|&(at, _)| at == region)
                    && middle_is_inside(low, high, self.edges[region].iter().copied())
                {
                    return Err(Conflict::Overlap(region, *place));
                }
            }
        }
        Ok(())
    }
}

fn bounds(edges: &[(Point, Point)]) -> (Point, Point) {
    let mut low = Point { x: i64::MAX, y: i64::MAX };
    let mut high = Point { x: i64::MIN, y: i64::MIN };
    for &(a, b) in edges {
        low = Point { x: low.x.min(a.x).min(b.x), y: low.y.min(a.y).min(b.y) };
        high = Point { x: high.x.max(a.x).max(b.x), y: high.y.max(a.y).max(b.y) };
    }
    (low, high)
}

#[cfg(test)]
mod tests {
    use super::super::point::Corners;
    use super::*;
    use proptest::prelude::*;

    /// `x, y, width, height` and what it is cut out of.
    type Rect = (i64, i64, i64, i64, Option<usize>);

    fn try_rects(rects: &[Rect]) -> Result<Vec<Border>, Conflict> {
        let mut corners = Corners::default();
        let outlines: Vec<Vec<Point>> = rects
            .iter()
            .map(|&(x, y, w, h, _)| {
                [(x, y), (x + w, y), (x + w, y + h), (x, y + h)]
                    .map(|(x, y)| corners.settle(Point { x: 10 * x, y: 10 * y }))
                    .to_vec()
            })
            .collect();
        let rings: Vec<Ring> =
            outlines.iter().map(|outline| Ring::new(outline, &corners).expect("a rectangle")).collect();
        borders(&rings, &rects.iter().map(|rect| rect.4).collect::<Vec<_>>())
    }

    fn balanced(borders: &[Border], regions: usize) -> bool {
        (0..regions).all(|region| {
            let mut degree: BTreeMap<Point, i32> = BTreeMap::new();
            for border in borders {
                for (right, a, b) in
                    [(Some(border.right), border.a, border.b), (border.left, border.b, border.a)]
                {
                    if right == Some(region) {
                        *degree.entry(a).or_default() += 1;
                        *degree.entry(b).or_default() -= 1;
                    }
                }
            }
            !degree.is_empty() && degree.values().all(|&total| total == 0)
        })
    }

    #[test]
    fn a_shared_part_of_an_edge_is_an_opening() {
        let found = try_rects(&[(0, 0, 4, 4, None), (4, 1, 4, 2, None)]).expect("side by side");
        assert_eq!(found.iter().filter(|border| border.left.is_some()).count(), 1);
        assert_eq!(found.len(), 5 + 1 + 3, "the first one's long side is cut in three");
        assert!(balanced(&found, 2));
    }

    #[test]
    fn holes_may_touch_each_other_and_the_outline() {
        let found = try_rects(&[(0, 0, 9, 9, None), (0, 3, 2, 2, Some(0)), (2, 3, 2, 2, Some(0))]);
        let found = found.expect("two steps at a wall");
        assert!(balanced(&found, 3));
        assert!(found.iter().any(|border| border.right.max(border.left.unwrap_or(0)) == 2));
    }

    #[test]
    fn overlaps_of_every_kind_are_found() {
        let conflict = |rects: &[Rect]| try_rects(rects).expect_err("overlaps");
        let big = (0, 0, 9, 9, None);
        assert!(matches!(conflict(&[big, (5, 5, 9, 9, None)]), Conflict::Cross(..)));
        assert!(matches!(conflict(&[big, (3, 3, 2, 2, None)]), Conflict::Overlap(0, _)));
        assert!(matches!(conflict(&[big, (0, 0, 9, 9, None)]), Conflict::Overlap(..)));
        assert!(matches!(conflict(&[big, (0, 0, 9, 4, None)]), Conflict::Overlap(..)));
        assert!(matches!(conflict(&[big, (20, 0, 2, 2, Some(0))]), Conflict::NotInside(_)));
        assert!(matches!(conflict(&[big, (9, 0, 2, 9, Some(0))]), Conflict::NotInside(_)), "beside it");
        assert!(matches!(conflict(&[big, (0, 0, 9, 9, Some(0))]), Conflict::Nothing(0)));
        assert!(matches!(
            conflict(&[big, (1, 1, 5, 5, Some(0)), (2, 2, 2, 2, Some(0))]),
            Conflict::Overlap(..)
        ));
    }

    proptest! {
        #[test]
        fn rectangles_overlap_exactly_if_their_cells_do(
            rects in prop::collection::vec((0i64..7, 0i64..7, 1i64..5, 1i64..5), 1..5),
        ) {
            let mut cells = BTreeMap::new();
            for &(x, y, w, h) in &rects {
                for cell in (x..x + w).flat_map(|x| (y..y + h).map(move |y| (x, y))) {
                    *cells.entry(cell).or_insert(0) += 1;
                }
            }
            let apart = cells.values().all(|&count| count == 1);
            let rects: Vec<Rect> = rects.into_iter().map(|(x, y, w, h)| (x, y, w, h, None)).collect();
            let found = try_rects(&rects);
            prop_assert_eq!(found.is_ok(), apart);
            if let Ok(found) = found {
                prop_assert!(balanced(&found, rects.len()));
            }
        }

        #[test]
        fn holes_are_right_exactly_if_their_cells_are(
            rects in prop::collection::vec((0i64..7, 0i64..7, 1i64..5, 1i64..5), 1..4),
        ) {
            let mut cells = BTreeMap::new();
            for &(x, y, w, h) in &rects {
                for cell in (x..x + w).flat_map(|x| (y..y + h).map(move |y| (x, y))) {
                    *cells.entry(cell).or_insert(0) += 1;
                }
            }
            let inside = cells.keys().all(|&(x, y)| x < 8 && y < 8);
            let right = inside && cells.len() < 64 && cells.values().all(|&count| count == 1);
            let mut all: Vec<Rect> = vec![(0, 0, 8, 8, None)];
            all.extend(rects.into_iter().map(|(x, y, w, h)| (x, y, w, h, Some(0))));
            let found = try_rects(&all);
            prop_assert_eq!(found.is_ok(), right);
            if let Ok(found) = found {
                prop_assert!(balanced(&found, all.len()));
            }
        }
    }
}
