//! From outlines to areas and lines.

mod shape;
mod surface;

use std::collections::BTreeMap;
use std::ops::Range;

use repertoire_authored::Mistake;

use super::format::{At, MapFile};
use super::plane::point::{Corners, Point};
use super::plane::region::{Conflict, RingCorner, borders};
use super::plane::ring::{Flaw, Ring};
use super::{Spans, position};
use crate::arena::map::{Line, Map, Start};
use shape::Shape;

/// Fills in areas, lines and exits.
pub fn build(text: &str, file: &MapFile, map: &mut Map, spans: &mut Spans) -> Result<(), Mistake> {
    if let Some(exit) = file.exit.first() {
        let what = "exits have numbers only in raw maps";
        let remedy = "write [[teleport]] with `from` and `to`";
        return Err(Mistake::at(text, exit.get_ref().at.span(), what, remedy));
    }
    let shapes = shape::shapes(text, file)?;
    let parents = shape::parents(text, file, &shapes)?;
    for area in surface::areas(text, file)? {
        map.areas.push(area.surface);
        spans.areas.push(area.span);
    }
    if map.areas.len() > usize::from(u16::MAX) {
        return Err(Mistake::at(text, 0..0, "the map has more than 65,535 areas", "split it"));
    }
    let mut corners = Corners::default();
    let mut outlines = Vec::new();
    for shape in &shapes {
        let points = shape.corners.iter().map(|(at, span)| settle(text, *at, span, &mut corners));
        outlines.push(points.collect::<Result<Vec<Point>, Mistake>>()?);
    }
    let mut segments = Vec::new();
    for segment in file.fence.iter().map(|fence| &fence.along).chain(file.teleport.iter().map(|t| &t.from)) {
        let [a, b] = *segment.get_ref();
        let ends = (
            settle(text, a, &segment.span(), &mut corners)?,
            settle(text, b, &segment.span(), &mut corners)?,
        );
        segments.push((ends, segment.span()));
    }
    let rings: Vec<Ring> = shapes
        .iter()
        .zip(&outlines)
        .map(|(shape, outline)| Ring::new(outline, &corners).map_err(|flaw| flawed(text, shape, flaw)))
        .collect::<Result<_, _>>()?;
    let borders = borders(&rings, &parents).map_err(|conflict| conflicting(text, &shapes, conflict))?;
    let mut lines = Vec::new();
    let area_of = |ring: usize| shapes[ring].area;
    for border in borders {
        let (right, left) = (area_of(border.right), border.left.and_then(area_of));
        let (a, b, right, left) = match (right, left) {
            (Some(right), left) => (border.a, border.b, right, left),
            (None, Some(left)) => (border.b, border.a, left, None),
            (None, None) => continue,
        };
        lines.push(Drawn { a, b, right, left, fence: false, teleport: None });
        spans.lines.push(shapes[border.place.ring].corner_span(border.place.corner));
    }
    let openings = Openings::new(&lines, &corners);
    for ((ends, span), _) in segments.iter().zip(&file.fence) {
        for at in openings.along(text, *ends, span)? {
            lines[at].fence = true;
        }
    }
    for ((ends, span), teleport) in segments[file.fence.len()..].iter().zip(&file.teleport) {
        let exit = exit(text, &teleport.to, teleport.facing)?;
        for at in openings.along(text, *ends, span)? {
            lines[at].teleport(*ends, map.exits.len() as u16).ok_or_else(|| {
                let what = "two teleports are laid along the same opening";
                Mistake::at(text, span.clone(), what, "move or remove one of them")
            })?;
        }
        map.exits.push(exit);
        spans.exits.push(teleport.to.span());
    }
    map.lines = lines.into_iter().map(Drawn::line).collect();
    Ok(())
}

fn settle(text: &str, at: [f64; 2], span: &Range<usize>, corners: &mut Corners) -> Result<Point, Mistake> {
    let point = Point::snap(at).ok_or_else(|| {
        let what = "this point is not on the map";
        Mistake::at(text, span.clone(), what, "write metres, at most 16 km from the origin")
    })?;
    Ok(corners.settle(point))
}

fn exit(text: &str, to: &At, facing: f64) -> Result<Start, Mistake> {
    if !facing.is_finite() {
        let what = "where one looks behind the teleport is not a number";
        return Err(Mistake::at(text, to.span(), what, "write an angle in degrees"));
    }
    Ok(Start { at: position(text, to)?, yaw: facing.to_radians(), height_m: None })
}

fn flawed(text: &str, shape: &Shape, flaw: Flaw) -> Mistake {
    let label = &shape.label;
    match flaw {
        Flaw::TooFew => Mistake::at(
            text,
            shape.corner_span(0),
            format!("the outline of {label} has fewer than three different corners"),
            "write at least three, such as [[0, 0], [4, 0], [4, 4]]",
        ),
        Flaw::Crosses(corner) => Mistake::at(
            text,
            shape.corner_span(corner),
            format!("the outline of {label} crosses or touches itself near this corner"),
            "list the corners in the order of a walk around it; what is round a hole is cut with `inside`",
        ),
    }
}

fn conflicting(text: &str, shapes: &[Shape], conflict: Conflict) -> Mistake {
    let at = |place: RingCorner| shapes[place.ring].corner_span(place.corner);
    let label = |ring: usize| &shapes[ring].label;
    match conflict {
        Conflict::Cross(first, second) => Mistake::at(
            text,
            at(second),
            format!("{} and {} overlap: their outlines cross", label(first.ring), label(second.ring)),
            "let them meet at an edge, or lie one wholly inside of the other",
        ),
        Conflict::Overlap(first, place) => Mistake::at(
            text,
            at(place),
            format!("{} and {} overlap", label(first), label(place.ring)),
            match shapes[first].name() {
                Some(name) => format!("move one of them, or cut it out of the other: inside = \"{name}\""),
                None => "move one of them".into(),
            },
        ),
        Conflict::NotInside(place) => Mistake::at(
            text,
            at(place),
            format!("{} is not inside of what it is cut out of, from this corner on", label(place.ring)),
            "move the corner, or name the area that it is in; without `inside`, it may lie beside others",
        ),
        Conflict::Nothing(ring) => Mistake::at(
            text,
            shapes[ring].corner_span(0),
            format!("nothing is left of {}: all of it is cut away", label(ring)),
            "remove it, or what is inside of it",
        ),
    }
}

/// A line while its ends are still on the grid.
struct Drawn {
    a: Point,
    b: Point,
    right: u16,
    left: Option<u16>,
    fence: bool,
    teleport: Option<u16>,
}

impl Drawn {
    fn line(self) -> Line {
        Line {
            a: self.a.metres(),
            b: self.b.metres(),
            right: self.right,
            left: self.left,
            fence: self.fence,
            teleport: self.teleport,
        }
    }

    /// Makes it lead to an exit for who crosses from the right of a way; `None` if it leads elsewhere already.
    fn teleport(&mut self, (from, to): (Point, Point), exit: u16) -> Option<()> {
        if self.teleport.is_some() {
            return None;
        }
        let along = (self.b.x - self.a.x) * (to.x - from.x) + (self.b.y - self.a.y) * (to.y - from.y);
        if along < 0 {
            std::mem::swap(&mut self.a, &mut self.b);
            if let Some(left) = &mut self.left {
                std::mem::swap(left, &mut self.right);
            }
        }
        self.teleport = Some(exit);
        Some(())
    }
}

/// Where areas open into each other.
struct Openings<'a> {
    lines: BTreeMap<(Point, Point), usize>,
    corners: &'a Corners,
}

impl<'a> Openings<'a> {
    fn new(lines: &[Drawn], corners: &'a Corners) -> Self {
        let open = lines.iter().enumerate().filter(|(_, line)| line.left.is_some());
        let lines = open.map(|(at, line)| ((line.a.min(line.b), line.a.max(line.b)), at)).collect();
        Openings { lines, corners }
    }

    /// The lines on the way from one point to another, all of which must be openings.
    fn along(&self, text: &str, (a, b): (Point, Point), span: &Range<usize>) -> Result<Vec<usize>, Mistake> {
        let wrong = |what: String| {
            let remedy = "lay it along the shared edge of two areas, or add an area behind it";
            Mistake::at(text, span.clone(), what, remedy)
        };
        if a == b {
            return Err(wrong("it has no length".into()));
        }
        let way = self.corners.between(a, b);
        let find = |pair: &[Point]| {
            let key = (pair[0].min(pair[1]), pair[0].max(pair[1]));
            self.lines.get(&key).copied().ok_or_else(|| {
                let (from, to) = (pair[0].metres(), pair[1].metres());
                wrong(format!("there is no opening from {from} to {to}"))
            })
        };
        way.windows(2).map(find).collect()
    }
}
