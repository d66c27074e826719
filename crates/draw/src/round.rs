//! Round pictures of directions: 0 degrees is up, left is positive, as the character sees it that stands in the middle.

use std::f64::consts::PI;

use repertoire_prob::num::{cos, sin};

use crate::svg::{Element, Path, circle, group, line, text};

/// A place at an angle and a distance from a middle.
pub fn point((x, y): (f64, f64), degrees: f64, radius: f64) -> (f64, f64) {
    let angle = degrees * PI / 180.0;
    (x - radius * sin(angle), y - radius * cos(angle))
}

/// A piece of a ring between two angles and two radii.
pub fn wedge(middle: (f64, f64), (from, to): (f64, f64), (inner, outer): (f64, f64)) -> Path {
    let is_large = to - from > 180.0;
    let ((x0, y0), (x1, y1)) = (point(middle, from, inner), point(middle, from, outer));
    let ((x2, y2), (x3, y3)) = (point(middle, to, outer), point(middle, to, inner));
    let path = Path::new().to(x0, y0).line(x1, y1).arc(outer, is_large, false, x2, y2);
    path.line(x3, y3).arc(inner, is_large, true, x0, y0).close()
}

/// Rings with what each means, and spokes with their angles.
pub fn dial(middle: (f64, f64), rings: &[(f64, String)], words: [&str; 4]) -> Element {
    let mut dial = group().size(9.5);
    let outer = rings.iter().map(|ring| ring.0).fold(0.0, f64::max);
    let inner = rings.iter().map(|ring| ring.0).fold(outer, f64::min);
    for (radius, _) in rings {
        dial.push(circle(middle.0, middle.1, *radius).class("rule").fill("none"));
    }
    for (k, degrees) in [0.0, 45.0, 90.0, 135.0, 180.0, -135.0, -90.0, -45.0].into_iter().enumerate() {
        let (from, to) = (point(middle, degrees, inner), point(middle, degrees, outer + 3.0));
        dial.push(line(from, to).class("rule"));
        let (x, y) = point(middle, degrees, outer + 8.0);
        let drop = 3.5 - 3.5 * cos(degrees * PI / 180.0);
        let label = text(x, y + drop, &format!("{degrees:.0}°")).class("soft");
        let label = match k {
            0 | 4 => label.centred(),
            1..=3 => label.ends(),
            _ => label,
        };
        dial.push(label);
    }
    // Outside the angles, what the four directions are.
    for (word, degrees) in
        words.into_iter().zip([0.0, 90.0, 180.0, -90.0]).filter(|(word, _)| !word.is_empty())
    {
        let (x, y) = point(middle, degrees, outer + 21.0);
        let label = match degrees {
            0.0 => text(x, y, word).centred(),
            180.0 => text(x, y + 8.0, word).centred(),
            90.0 => text(x + 13.0, y + 15.0, word).ends(),
            _ => text(x - 13.0, y + 15.0, word),
        };
        dial.push(label.class("soft"));
    }
    // What the rings mean, along a free spoke.
    for (radius, meaning) in rings.iter().filter(|(_, meaning)| !meaning.is_empty()) {
        let (x, y) = point(middle, -67.5, *radius);
        dial.push(text(x + 2.0, y - 1.0, meaning).class("soft").size(8.5));
    }
    dial
}

/// The character in the middle, looking up.
pub fn body((x, y): (f64, f64), size: f64) -> Element {
    Path::polygon([(x, y - size), (x - 0.7 * size, y + 0.7 * size), (x + 0.7 * size, y + 0.7 * size)])
        .element()
}
