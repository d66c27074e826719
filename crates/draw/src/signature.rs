//! Signatures as a picture: who is near whom, and the histograms round.

use std::collections::BTreeMap;
use std::f64::consts::PI;
use std::fmt::Write as _;

use repertoire_eval::signature::{BIN_DEG, NAMES};
use repertoire_prob::num::{cos, sin};

use super::{One, Report};
use crate::draw::svg::escape;

const PANEL: f64 = 420.0;
const MARGIN: f64 = 50.0;

/// A letter's width and a line's height of labels, about.
const LETTER: f64 = 4.9;
const LINE: f64 = 10.0;

/// More histograms than this on top of each other show nothing.
const MOST_DRAWN: usize = 12;

pub(super) fn picture(report: &Report) -> String {
    let colours = colours(&report.signatures);
    let rows = if report.signatures.len() <= MOST_DRAWN { 2.0 } else { 1.0 };
    let (wide, high) = (3.0 * PANEL, rows * PANEL);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{wide}\" height=\"{high}\" viewBox=\"0 0 {wide} {high}\" \
         font-family=\"system-ui, sans-serif\" font-size=\"11\">\n<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n"
    );
    for (k, name) in NAMES.iter().enumerate() {
        let left = k as f64 * PANEL;
        let Some(layout) = report.mds.get(name) else { continue };
        let correlation = layout.correlation.map_or(String::new(), |r| format!(", correlation {r:.3}"));
        let _ = writeln!(
            svg,
            "<text x=\"{}\" y=\"20\" font-weight=\"600\" font-size=\"13\">{}{correlation}</text>",
            left + 12.0,
            name.replace('_', " ")
        );
        nearness(&mut svg, left, &layout.points, &report.signatures, &colours);
        if rows > 1.0 {
            histograms(&mut svg, left, k, &report.signatures, &colours);
        }
    }
    svg + "</svg>\n"
}

/// A colour for each player, in the order of names.
fn colours(signatures: &[One]) -> BTreeMap<String, String> {
    let names: BTreeMap<&str, ()> = signatures.iter().map(|one| (one.player.as_str(), ())).collect();
    let count = names.len().max(1) as f64;
    let colour = |k: usize| format!("hsl({:.0} 65% 42%)", 360.0 * k as f64 / count);
    names.keys().enumerate().map(|(k, name)| ((*name).to_owned(), colour(k))).collect()
}

fn nearness(
    svg: &mut String,
    left: f64,
    points: &[[f64; 2]],
    signatures: &[One],
    colours: &BTreeMap<String, String>,
) {
    let span = |k: usize| {
        let least = points.iter().map(|point| point[k]).fold(f64::INFINITY, f64::min);
        let most = points.iter().map(|point| point[k]).fold(f64::NEG_INFINITY, f64::max);
        (least, most)
    };
    let ((x0, x1), (y0, y1)) = (span(0), span(1));
    // One scale for both axes: distances are what the picture shows.
    let wide = (x1 - x0).max(y1 - y0).max(1e-9);
    let scale = (PANEL - 2.0 * MARGIN) / wide;
    let _ = writeln!(
        svg,
        "<rect x=\"{}\" y=\"32\" width=\"{}\" height=\"{}\" fill=\"none\" stroke=\"#cccccc\"/>",
        left + 8.0,
        PANEL - 16.0,
        PANEL - 40.0
    );
    let mut placed: Vec<(f64, f64, f64)> = Vec::new();
    for (point, one) in points.iter().zip(signatures) {
        let x = left + PANEL / 2.0 + (point[0] - (x0 + x1) / 2.0) * scale;
        let y = PANEL / 2.0 + 12.0 - (point[1] - (y0 + y1) / 2.0) * scale;
        let colour = colours.get(&one.player).map_or("#444444", String::as_str);
        let name = escape(&one.player);
        let (from, line) = free_place(&placed, x, y, one.player.chars().count(), left + PANEL - 10.0);
        let to = from + LETTER * one.player.chars().count() as f64;
        placed.push((from, to, line));
        let _ = writeln!(
            svg,
            "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4\" fill=\"{colour}\"><title>{}</title></circle>\
             <path d=\"M{x:.1} {y:.1}L{:.1} {line:.1}\" stroke=\"{colour}\" stroke-width=\"0.5\"/>\
             <text x=\"{from:.1}\" y=\"{:.1}\" fill=\"{colour}\" font-size=\"9\">{name}</text>",
            escape(&one.name),
            if from > x { from } else { to },
            line + 3.0,
        );
    }
    // Five degrees, to compare with.
    let ruler = 5.0 * scale;
    if ruler < PANEL - 2.0 * MARGIN {
        let (x, y) = (left + 20.0, PANEL - 20.0);
        let _ = writeln!(
            svg,
            "<path d=\"M{x} {y}h{ruler:.1}\" stroke=\"#444444\"/><text x=\"{x}\" y=\"{}\">5 degrees</text>",
            y - 4.0
        );
    }
}

/// Where a label of so many letters has room, beside a point or above or below it: where it begins, and its line.
fn free_place(placed: &[(f64, f64, f64)], x: f64, y: f64, letters: usize, right: f64) -> (f64, f64) {
    let wide = LETTER * letters as f64;
    let from = if x + 6.0 + wide > right { x - 6.0 - wide } else { x + 6.0 };
    let is_free = |line: f64| {
        let over = |&(begins, ends, other): &(f64, f64, f64)| {
            begins < from + wide && from < ends && (other - line).abs() < LINE
        };
        !placed.iter().any(over)
    };
    let lines = (0..30).flat_map(|k| [f64::from(k), -f64::from(k)]).map(|k| y + k * LINE);
    let inside = |line: &f64| (40.0..PANEL - 34.0).contains(line);
    (from, lines.filter(inside).find(|&line| is_free(line)).unwrap_or(y))
}

/// Round, the player looks up, left is left; the radius is the root of the share, so that rare angles show.
fn histograms(
    svg: &mut String,
    left: f64,
    which: usize,
    signatures: &[One],
    colours: &BTreeMap<String, String>,
) {
    let (cx, cy, radius) = (left + PANEL / 2.0, 1.5 * PANEL, PANEL / 2.0 - MARGIN);
    for share in [0.01, 0.1, 1.0f64] {
        let _ = writeln!(
            svg,
            "<circle cx=\"{cx}\" cy=\"{cy}\" r=\"{:.1}\" fill=\"none\" stroke=\"#dddddd\"/>",
            radius * share.sqrt()
        );
    }
    for one in signatures {
        let histogram = one.signature.all()[which];
        let corner = |(bin, p): (usize, &f64)| {
            let angle = bin as f64 * BIN_DEG * PI / 180.0;
            let far = radius * p.sqrt();
            format!("{:.1},{:.1}", cx - far * sin(angle), cy - far * cos(angle))
        };
        let corners: Vec<String> = histogram.iter().enumerate().map(corner).collect();
        let colour = colours.get(&one.player).map_or("#444444", String::as_str);
        let _ = writeln!(
            svg,
            "<polygon points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.5\"><title>{}</title></polygon>",
            corners.join(" "),
            escape(&one.name)
        );
    }
}
