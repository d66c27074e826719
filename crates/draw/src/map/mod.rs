//! A map from above, as a drawing.
//!
//! Floors are shaded by height, low ones dark; walls are thick, ledges and steps thin, fences dashed. The drawing is
//! in metres, north up, with a scale bar and a legend.

mod ground;
mod legend;
mod paths;
mod signs;

use std::fmt::{self, Write};

use glam::DVec2;
use repertoire_mind::Places;

use super::{Area, Line, Map};

/// The size at which it is first shown; the drawing scales without loss.
const PIXELS_PER_M: f64 = 12.0;
/// Space round the map, and below it for the legend.
const MARGIN_M: f64 = 2.0;
const LEGEND_M: f64 = 7.0;
/// The legend needs this much, however small the map.
const LEAST_WIDTH_M: f64 = 36.0;
/// What a character can climb in passing: higher is a ledge.
const STEP_M: f64 = 0.75;
/// What a character needs to pass under.
const BODY_M: f64 = 1.75;

/// A map as an SVG picture.
pub fn svg(map: &Map) -> String {
    let mut out = String::new();
    // Writing to a `String` cannot fail.
    let _ = draw(map, None, &mut out);
    out
}

/// The same with the points that characters know, and the links between them.
pub fn svg_with_places(map: &Map, places: &Places) -> String {
    let mut out = String::new();
    // Writing to a `String` cannot fail.
    let _ = draw(map, Some(places), &mut out);
    out
}

fn draw(map: &Map, places: Option<&Places>, out: &mut String) -> fmt::Result {
    let (low, high) = map.bounds();
    let (low, high) = if low.x <= high.x { (low, high) } else { (DVec2::ZERO, DVec2::ZERO) };
    let size = high - low;
    let width = size.x.max(LEAST_WIDTH_M) + 2.0 * MARGIN_M;
    let height = size.y + 2.0 * MARGIN_M + LEGEND_M;
    writeln!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.2} {height:.2}\" \
         width=\"{:.0}\" height=\"{:.0}\" font-family=\"sans-serif\">",
        width * PIXELS_PER_M,
        height * PIXELS_PER_M
    )?;
    writeln!(out, "<title>{}</title>", escaped(&map.name))?;
    writeln!(out, "<rect width=\"100%\" height=\"100%\" fill=\"#f7f5f0\"/>")?;
    // A small map stands in the middle of what the legend needs.
    let left = (width - size.x) / 2.0;
    let view = View { low, high, left };
    let shades = ground::Shades::of(map);
    writeln!(out, "<defs>{PATTERNS}</defs>")?;
    // What is no area is rock, as pillars are.
    writeln!(
        out,
        "<rect x=\"{:.2}\" y=\"{:.2}\" width=\"{:.2}\" height=\"{:.2}\" rx=\"0.6\" fill=\"#5a544c\"/>",
        left - 1.0,
        MARGIN_M - 1.0,
        size.x + 2.0,
        size.y + 2.0
    )?;
    ground::floors(map, &view, &shades, out)?;
    lines(map, &view, out)?;
    if let Some(places) = places {
        paths::paths(places, &view, out)?;
    }
    ground::labels(map, &view, out)?;
    signs::signs(map, &view, out)?;
    legend::legend(map, &shades, DVec2::new(MARGIN_M, size.y + 2.0 * MARGIN_M), width, out)?;
    writeln!(out, "</svg>")
}

/// Hatchings: upright for lifts, crossed for harm, dots for what nobody can stand in.
const PATTERNS: &str = "\
<pattern id=\"lift\" width=\"0.6\" height=\"0.6\" patternUnits=\"userSpaceOnUse\">\
<path d=\"M0.3 0V0.6\" stroke=\"#1c5fa8\" stroke-width=\"0.14\"/></pattern>\
<pattern id=\"harm\" width=\"0.9\" height=\"0.9\" patternUnits=\"userSpaceOnUse\">\
<path d=\"M0 0L0.9 0.9M0.9 0L0 0.9\" stroke=\"#c3341b\" stroke-width=\"0.12\"/></pattern>\
<pattern id=\"window\" width=\"0.3\" height=\"0.3\" patternUnits=\"userSpaceOnUse\">\
<rect width=\"0.3\" height=\"0.3\" fill=\"#d4ecf5\"/><path d=\"M0 0.3L0.3 0\" stroke=\"#4d9dbd\" stroke-width=\"0.06\"/>\
</pattern>";

/// From metres of the map to those of the picture, whose y points down.
struct View {
    low: DVec2,
    high: DVec2,
    left: f64,
}

impl View {
    fn at(&self, at: DVec2) -> DVec2 {
        DVec2::new(at.x - self.low.x + self.left, self.high.y - at.y + MARGIN_M)
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
fn lines(map: &Map, view: &View, out: &mut String) -> fmt::Result {
    let styles = [
        (Kind::Border, "stroke=\"#00000022\" stroke-width=\"0.05\""),
        (Kind::Step, "stroke=\"#4a4438\" stroke-width=\"0.06\""),
        (Kind::Ledge, "stroke=\"#2c2822\" stroke-width=\"0.14\""),
        (Kind::Fence, "stroke=\"#2c2822\" stroke-width=\"0.2\" stroke-dasharray=\"0.4 0.25\""),
        (Kind::Wall, "stroke=\"#171411\" stroke-width=\"0.34\""),
        (Kind::Teleport, "stroke=\"#8a2be2\" stroke-width=\"0.4\""),
    ];
    for (wanted, style) in styles {
        let mut path = String::new();
        for line in map.lines.iter().filter(|line| kind(map, line) == wanted) {
            let (a, b) = (view.at(line.a), view.at(line.b));
            write!(path, "M{:.3} {:.3}L{:.3} {:.3}", a.x, a.y, b.x, b.y)?;
        }
        if !path.is_empty() {
            writeln!(out, "<path d=\"{path}\" fill=\"none\" stroke-linecap=\"round\" {style}/>")?;
        }
    }
    Ok(())
}

fn escaped(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '&' => out += "&amp;",
            '<' => out += "&lt;",
            '>' => out += "&gt;",
            '"' => out += "&quot;",
            // XML has no way to write most control characters.
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests;
