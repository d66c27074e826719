//! Distributions of actions as polar pictures (Tencé 2011, figures 4.29 to 4.31).
//!
//! Turning in red and running in blue are seen from above, the character looking up; tilting in green is seen from the side, the
//! character looking right. Where an action is seen from the stimulus, up (or right) is towards it. Length is probability, so
//! that the outer circle is 1.

use repertoire_chameleon::Model;
use repertoire_chameleon::model::{Action, Bins};
use repertoire_prob::num::{cos, significant, sin};

use crate::draw::svg::escape;

const SIDE: f64 = 330.0;
const HEAD: f64 = 52.0;
const FOOT: f64 = 64.0;
const RADIUS: f64 = 112.0;
const INNER: f64 = 14.0;

/// One picture: a title, and the distribution of each external action.
pub(super) struct Picture {
    pub title: Vec<String>,
    pub actions: Vec<Vec<f64>>,
}

/// How an action is drawn.
enum Drawn {
    /// Wedges of these angles in degrees, counter-clockwise from up, with a colour; the label of each.
    Round(Vec<(usize, f64, f64)>, &'static str),
    /// A line of text.
    Words,
}

fn drawn(action: &Action) -> Drawn {
    let words = |directions: &[(&str, f64)], half: f64| {
        let find = |&(word, angle): &(&str, f64)| Some((action.bins.word(word)?, angle - half, angle + half));
        Drawn::Round(directions.iter().filter_map(find).collect(), "#2f6fde")
    };
    let bins = |range: (f64, f64), turn: f64, sign: f64, colour| {
        let wedge = |value: usize| {
            let (from, to) = action.bins.bounds(value, action.range.unwrap_or(range));
            (value, turn + sign * from.max(range.0), turn + sign * to.min(range.1))
        };
        Drawn::Round((0..action.count()).map(wedge).collect(), colour)
    };
    match (action.from.as_str(), &action.bins) {
        ("yaw", Bins::Edges(_)) => bins((-180.0, 180.0), 0.0, 1.0, "#c0392b"),
        // From the side: ahead is right, up is up.
        ("pitch", Bins::Edges(_)) => bins((-90.0, 90.0), -90.0, 1.0, "#2a9d5c"),
        ("walk", Bins::Values(_)) => words(&[("ahead", 0.0), ("back", 180.0)], 14.0),
        ("lateral", Bins::Values(_)) => words(&[("left", 90.0), ("right", -90.0)], 14.0),
        ("run", Bins::Values(_)) => words(
            &[
                ("ahead", 0.0),
                ("ahead_left", 45.0),
                ("left", 90.0),
                ("back_left", 135.0),
                ("back", 180.0),
                ("back_right", -135.0),
                ("right", -90.0),
                ("ahead_right", -45.0),
            ],
            10.0,
        ),
        _ => Drawn::Words,
    }
}

/// All pictures on one page.
pub(super) fn page(model: &Model, pictures: &[Picture]) -> String {
    let columns = pictures.len().clamp(1, 3);
    let rows = pictures.len().div_ceil(columns).max(1);
    let height = HEAD + 2.0 * (RADIUS + 22.0) + FOOT;
    let (width, total) = (SIDE * columns as f64, height * rows as f64);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{total}\" viewBox=\"0 0 {width} {total}\" \
         font-family=\"system-ui, sans-serif\" font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n"
    );
    for (index, picture) in pictures.iter().enumerate() {
        let (x, y) = ((index % columns) as f64 * SIDE, (index / columns) as f64 * height);
        svg += &format!("<g transform=\"translate({x} {y})\">\n{}</g>\n", one(model, picture));
    }
    svg + "</svg>\n"
}

fn one(model: &Model, picture: &Picture) -> String {
    let (cx, cy) = (SIDE / 2.0, HEAD + RADIUS + 22.0);
    let mut svg = String::new();
    for (line, text) in picture.title.iter().enumerate() {
        let weight = if line == 0 { " font-weight=\"600\"" } else { " fill=\"#444444\"" };
        let y = 16 + 15 * line;
        svg += &format!("<text x=\"10\" y=\"{y}\" font-size=\"11\"{weight}>{}</text>\n", escape(text));
    }
    for radius in [INNER, INNER + (RADIUS - INNER) / 2.0, RADIUS] {
        svg += &format!(
            "<circle cx=\"{cx}\" cy=\"{cy}\" r=\"{radius:.1}\" fill=\"none\" stroke=\"#dddddd\"/>\n"
        );
    }
    for (degrees, text, x, y, anchor) in [
        (0, "0°", cx, cy - RADIUS - 6.0, "middle"),
        (90, "90°", cx - RADIUS - 5.0, cy + 4.0, "end"),
        (180, "180°", cx, cy + RADIUS + 15.0, "middle"),
        (-90, "-90°", cx + RADIUS + 5.0, cy + 4.0, "start"),
    ] {
        svg += &format!(
            "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\" font-size=\"9\" fill=\"#888888\" data-degrees=\"{degrees}\">{text}</text>\n"
        );
    }
    let mut words = Vec::new();
    for (action, probabilities) in model.external().iter().zip(&picture.actions) {
        match drawn(action) {
            Drawn::Round(wedges, colour) => {
                for (value, from, to) in wedges {
                    let label = format!(
                        "{} {} {}",
                        action.name,
                        action.bins.label(value),
                        significant(probabilities[value], 3)
                    );
                    svg += &wedge(cx, cy, from, to, probabilities[value], colour, &label);
                }
                if let Some(standing) = action.bins.word("standing").or(action.bins.word("none")) {
                    words.push(format!(
                        "{} {} {}",
                        action.name,
                        action.bins.label(standing),
                        significant(probabilities[standing], 2)
                    ));
                }
            }
            Drawn::Words => {
                let mut order: Vec<usize> = (0..action.count()).collect();
                order.sort_by(|&a, &b| probabilities[b].total_cmp(&probabilities[a]));
                let best: Vec<String> = order
                    .iter()
                    .take(2)
                    .map(|&value| {
                        format!("{} {}", action.bins.label(value), significant(probabilities[value], 2))
                    })
                    .collect();
                words.push(format!("{}: {}", action.name, best.join(", ")));
            }
        }
    }
    for (line, text) in words.chunks(2).enumerate() {
        let y = HEAD + 2.0 * (RADIUS + 22.0) + 14.0 + 14.0 * line as f64;
        svg += &format!(
            "<text x=\"10\" y=\"{y:.1}\" font-size=\"10\" fill=\"#444444\">{}</text>\n",
            escape(&text.join("   "))
        );
    }
    // The character, looking up.
    let (tip, base) = (cy - 9.0, cy + 6.0);
    svg + &format!("<path d=\"M{cx} {tip}L{} {base}L{} {base}Z\" fill=\"#222222\"/>\n", cx - 6.0, cx + 6.0)
}

/// A wedge between two angles in degrees, counter-clockwise from up.
fn wedge(cx: f64, cy: f64, from: f64, to: f64, p: f64, colour: &str, label: &str) -> String {
    if p < 0.001 {
        return String::new();
    }
    let radius = INNER + (RADIUS - INNER) * p;
    let point = |degrees: f64, radius: f64| {
        let angle = degrees * std::f64::consts::PI / 180.0;
        (cx - radius * sin(angle), cy - radius * cos(angle))
    };
    let ((x0, y0), (x1, y1)) = (point(from, INNER), point(from, radius));
    let ((x2, y2), (x3, y3)) = (point(to, radius), point(to, INNER));
    let large = i32::from(to - from > 180.0);
    format!(
        "<path d=\"M{x0:.2} {y0:.2}L{x1:.2} {y1:.2}A{radius:.2} {radius:.2} 0 {large} 0 {x2:.2} {y2:.2}L{x3:.2} {y3:.2}\
         A{INNER:.2} {INNER:.2} 0 {large} 1 {x0:.2} {y0:.2}Z\" fill=\"{colour}\" fill-opacity=\"0.55\" stroke=\"#ffffff\" \
         stroke-width=\"0.5\"><title>{}</title></path>\n",
        escape(label)
    )
}
