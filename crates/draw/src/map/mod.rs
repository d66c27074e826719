//! A map from above, as a picture.
//!
//! Floors are shaded by height, low ones dark; walls are thick, ledges and steps thin, fences dashed. The drawing is
//! in metres, north up, with a scale bar and a legend.

mod ground;
mod legend;
mod paths;
pub mod quake;
pub(crate) mod signs;
#[cfg(test)]
mod tests;

use glam::DVec2;
use repertoire_mind::Places;

use repertoire_worlds::arena::map::{Area, Line, Map};

use crate::svg::{Element, Path, Svg, rect};

/// The size at which it is first shown; the drawing scales without loss.
const PIXELS_PER_M: f64 = 12.0;
/// Space round the map, and below it for the legend.
const MARGIN_M: f64 = 2.0;
const LEGEND_M: f64 = 8.5;
/// The legend needs this much, however small the map.
const LEAST_WIDTH_M: f64 = 36.0;
/// What a character can climb in passing: higher is a ledge.
const STEP_M: f64 = 0.75;
/// What a character needs to pass under.
const BODY_M: f64 = 1.75;

/// A map as an SVG picture.
pub fn svg(map: &Map) -> String {
    draw(map, None)
}

/// The same with the points that characters know, and the links between them.
pub fn svg_with_places(map: &Map, places: &Places) -> String {
    draw(map, Some(places))
}

fn draw(map: &Map, places: Option<&Places>) -> String {
    let size = View::of(map, DVec2::ZERO).size();
    let width = size.x.max(LEAST_WIDTH_M) + 2.0 * MARGIN_M;
    let height = size.y + 2.0 * MARGIN_M + LEGEND_M + if places.is_some() { 1.4 } else { 0.0 };
    // A small map stands in the middle of what the legend needs.
    let view = View::of(map, DVec2::new((width - size.x) / 2.0, MARGIN_M));
    let mut svg = Svg::scaled(width, height, PIXELS_PER_M).titled(&map.name).described(
        "A map from above, north up: the lighter a floor the higher it is; thick lines are walls, thin ones ledges and steps.",
    );
    svg.extend(bare(map, &view));
    if let Some(places) = places {
        svg.extend(paths::paths(places, &view));
    }
    svg.extend(ground::labels(map, &view));
    svg.extend(signs::signs(map, &view));
    let below = DVec2::new(MARGIN_M, size.y + 2.0 * MARGIN_M);
    svg.extend(legend::legend(map, &ground::Shades::of(map), below, width, places.is_some()));
    svg.finish()
}

/// Floors and lines alone, and the patterns they use.
pub(crate) fn bare(map: &Map, view: &View) -> Vec<Element> {
    let (corner, size) = (view.corner, view.size());
    let mut all = vec![patterns()];
    // What is no area is rock, as pillars are.
    all.push(rect(corner.x - 1.0, corner.y - 1.0, size.x + 2.0, size.y + 2.0).set("rx", 0.6).fill("#5a544c"));
    all.extend(ground::floors(map, view, &ground::Shades::of(map)));
    all.extend(lines(map, view));
    all
}

/// Hatchings: upright for lifts, crossed for harm, dots for what nobody can stand in.
fn patterns() -> Element {
    let pattern = |id: &str, side: f64| {
        let pattern = Element::new("pattern").set("id", id).set("width", side).set("height", side);
        pattern.set("patternUnits", "userSpaceOnUse")
    };
    let upright = Path::new().to(0.3, 0.0).line(0.3, 0.6).element().stroke("#1c5fa8", 0.14);
    let cross = Path::new().to(0.0, 0.0).line(0.9, 0.9).to(0.9, 0.0).line(0.0, 0.9);
    let slant = Path::new().to(0.0, 0.3).line(0.3, 0.0).element().stroke("#4d9dbd", 0.06);
    Element::new("defs")
        .with(pattern("lift", 0.6).with(upright))
        .with(pattern("harm", 0.9).with(cross.element().stroke("#c3341b", 0.12)))
        .with(pattern("window", 0.3).with(rect(0.0, 0.0, 0.3, 0.3).fill("#d4ecf5")).with(slant))
}

/// From metres of the map to those of the picture, whose y points down.
#[derive(Clone, Copy, Debug)]
pub(crate) struct View {
    low: DVec2,
    high: DVec2,
    corner: DVec2,
}

impl View {
    /// All of a map, its north-western corner at `corner` of the picture.
    pub(crate) fn of(map: &Map, corner: DVec2) -> Self {
        let (low, high) = map.bounds();
        let (low, high) = if low.x <= high.x { (low, high) } else { (DVec2::ZERO, DVec2::ZERO) };
        View { low, high, corner }
    }

    /// The map's size.
    pub(crate) fn size(&self) -> DVec2 {
        self.high - self.low
    }

    /// A place of the map in the picture.
    pub(crate) fn at(&self, at: DVec2) -> DVec2 {
        DVec2::new(at.x - self.low.x, self.high.y - at.y) + self.corner
    }
}

/// What a line is to a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Nothing passes.
    Wall,
    /// Shots and sight pass, bodies do not.
    Fence,
    /// It leads elsewhere.
    Teleport,
    /// Too high to be walked up.
    Ledge,
    /// It is walked up and down.
    Step,
    /// The ground goes on.
    Border,
}

/// What a line is to a body.
pub fn kind(map: &Map, line: &Line) -> Kind {
    let right = map.areas.get(usize::from(line.right));
    let left = line.left.and_then(|left| map.areas.get(usize::from(left)));
    let (Some(right), Some(left)) = (right, left) else { return Kind::Wall };
    let gap = |at: DVec2| {
        let ceiling = right.ceiling_m.min(left.ceiling_m);
        ceiling - lowest(right, at).max(lowest(left, at))
    };
    let middle = (line.a + line.b) / 2.0;
    if gap(middle) <= 0.0 {
        return Kind::Wall;
    }
    if line.teleport.is_some() {
        return Kind::Teleport;
    }
    if line.fence {
        return Kind::Fence;
    }
    let rise = |at: DVec2| (right.floor.at(at) - left.floor.at(at)).abs();
    match rise(line.a).max(rise(line.b)) {
        rise if rise > STEP_M => Kind::Ledge,
        rise if rise > 0.01 => Kind::Step,
        _ => Kind::Border,
    }
}

fn lowest(area: &Area, at: DVec2) -> f64 {
    area.lift.map_or_else(|| area.floor.at(at), |lift| lift.low_m)
}

/// Thin lines first, so that walls lie over their ends.
fn lines(map: &Map, view: &View) -> Vec<Element> {
    let styles = [
        (Kind::Border, "#00000022", 0.05),
        (Kind::Step, "#4a4438", 0.06),
        (Kind::Ledge, "#2c2822", 0.14),
        (Kind::Fence, "#2c2822", 0.2),
        (Kind::Wall, "#171411", 0.34),
        (Kind::Teleport, "#8a2be2", 0.4),
    ];
    let mut all = Vec::new();
    for (wanted, colour, width) in styles {
        let mut path = Path::new();
        for line in map.lines.iter().filter(|line| kind(map, line) == wanted) {
            let (a, b) = (view.at(line.a), view.at(line.b));
            path.join(&Path::new().to(a.x, a.y).line(b.x, b.y));
        }
        if !path.is_empty() {
            let drawn = path.element().stroke(colour, width).set("stroke-linecap", "round");
            all.push(if wanted == Kind::Fence { drawn.set("stroke-dasharray", "0.4 0.25") } else { drawn });
        }
    }
    all
}
