//! Pictures as SVG: the map with the ways (figures 12, 15, 16, 17), curves (13, 18), trees (14).

use std::collections::BTreeMap;

use repertoire_character::reason::{Content, deed_label, wanted_label};
use repertoire_character::{Laws, Roster, Tree};
use repertoire_prob::num::significant;

use super::film::{Film, Role};
use crate::draw::svg::escape;

const COLOURS: [&str; 10] = [
    "#c0392b", "#2f6fde", "#2a9d5c", "#b8860b", "#7d3c98", "#d35400", "#16a085", "#444444", "#c2185b",
    "#5d6d7e",
];
/// The side of a place.
const CELL: f64 = 18.0;

fn open(width: f64, height: f64) -> String {
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" viewBox=\"0 0 {width:.0} \
         {height:.0}\" font-family=\"system-ui, sans-serif\" font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" \
         fill=\"#ffffff\"/>\n"
    )
}

/// The map with everybody's way, and below it the curves of each character.
pub fn sheet(film: &Film) -> String {
    let map_width = f64::from(film.scenario.grid.width()) * CELL;
    let map_height = f64::from(film.scenario.grid.height()) * CELL;
    let width = (map_width + 40.0).max(CHART_WIDTH + 20.0);
    let about = wrapped(&film.scenario.about, (width / 6.4) as usize);
    let top = 50.0 + 16.0 * about.len() as f64;
    let charts: Vec<String> = film.roles.iter().map(chart).collect();
    let height = top + map_height + 30.0 + charts.len() as f64 * (CHART_HEIGHT + 20.0);
    let mut svg = open(width, height);
    svg += &format!(
        "<text x=\"20\" y=\"26\" font-weight=\"600\" font-size=\"15\">{}</text>\n",
        escape(&film.scenario.name)
    );
    for (line, text) in about.iter().enumerate() {
        svg += &format!(
            "<text x=\"20\" y=\"{}\" fill=\"#555555\">{}</text>\n",
            46.0 + 16.0 * line as f64,
            escape(text)
        );
    }
    svg += &format!("<g transform=\"translate(20 {top})\">\n{}</g>\n", map(film));
    for (index, chart) in charts.iter().enumerate() {
        let y = top + map_height + 30.0 + index as f64 * (CHART_HEIGHT + 20.0);
        svg += &format!("<g transform=\"translate(10 {y})\">\n{chart}</g>\n");
    }
    svg + "</svg>\n"
}

/// A text in lines of so many letters at most.
fn wrapped(text: &str, most: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let last = lines.len() - 1;
        if !lines[last].is_empty() && lines[last].chars().count() + word.chars().count() >= most {
            lines.push(String::new());
        }
        if let Some(line) = lines.last_mut() {
            if !line.is_empty() {
                line.push(' ');
            }
            *line += word;
        }
    }
    lines
}

/// The ground, the things at the start, the ways; each character moves along its way where SVG can.
pub fn map(film: &Film) -> String {
    let grid = &film.scenario.grid;
    let (width, height) = (f64::from(grid.width()) * CELL, f64::from(grid.height()) * CELL);
    let mut svg = format!("<rect width=\"{width}\" height=\"{height}\" fill=\"#f4f1ea\"/>\n");
    // What the first character never saw is dark, as in figure 17.
    let last = film.roles.first().and_then(|role| role.shots.last());
    for place in 0..grid.len() as u32 {
        let (x, y) = grid.xy(place);
        let unseen = last.is_some_and(|shot| shot.known.as_bytes()[place as usize] == b' ');
        let fill = match (grid.is_wall(place), unseen) {
            (true, _) => "#4a4a4a",
            (false, true) => "#1c1c1c",
            (false, false) => continue,
        };
        svg += &format!(
            "<rect x=\"{}\" y=\"{}\" width=\"{CELL}\" height=\"{CELL}\" fill=\"{fill}\"/>\n",
            f64::from(x) * CELL,
            f64::from(y) * CELL
        );
    }
    let middle = |at: u32| (f64::from(at) + 0.5) * CELL;
    for (index, role) in film.roles.iter().enumerate() {
        let colour = COLOURS[index % COLOURS.len()];
        let mut points: Vec<[u32; 2]> = role.shots.iter().map(|shot| shot.from).collect();
        points.extend(role.shots.last().map(|shot| shot.at));
        // Two characters in one place are drawn beside each other.
        let aside = index as f64 * 2.0;
        let way: Vec<String> = points
            .iter()
            .map(|[x, y]| format!("{:.1},{:.1}", middle(*x) + aside, middle(*y) + aside))
            .collect();
        svg += &format!(
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\" stroke-dasharray=\"3 3\"/>\n",
            way.join(" ")
        );
        for (step, shot) in role.shots.iter().enumerate() {
            let is_done = !matches!(shot.word.as_str(), "move" | "explore" | "wait");
            if is_done {
                svg += &format!(
                    "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"7\" fill=\"#ffffff\" stroke=\"{colour}\"/><text x=\"{:.1}\" \
                     y=\"{:.1}\" font-size=\"8\" text-anchor=\"middle\" fill=\"{colour}\">{step}</text>\n",
                    middle(shot.at[0]) + aside,
                    middle(shot.at[1]) + aside,
                    middle(shot.at[0]) + aside,
                    middle(shot.at[1]) + aside + 3.0
                );
            }
        }
    }
    for (sign, [x, y], name) in &film.things[0] {
        svg += &format!(
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\" font-weight=\"600\">{}<title>{}</title></text>\n",
            middle(*x),
            middle(*y) + 4.0,
            escape(&sign.to_string()),
            escape(name)
        );
    }
    for (index, role) in film.roles.iter().enumerate() {
        let colour = COLOURS[index % COLOURS.len()];
        let along = |axis: usize| {
            let places = role.shots.iter().map(|shot| format!("{:.1}", middle(shot.at[axis])));
            places.collect::<Vec<_>>().join(";")
        };
        let secs = (role.shots.len() as f64 * 0.15).max(1.0);
        svg += &format!(
            "<circle r=\"6\" cx=\"{:.1}\" cy=\"{:.1}\" fill=\"{colour}\" fill-opacity=\"0.8\"><title>{}</title><animate attributeName=\"cx\" \
             values=\"{}\" dur=\"{secs:.1}s\" repeatCount=\"indefinite\" calcMode=\"discrete\"/><animate \
             attributeName=\"cy\" values=\"{}\" dur=\"{secs:.1}s\" repeatCount=\"indefinite\" \
             calcMode=\"discrete\"/></circle>\n",
            role.shots.last().map_or(0.0, |shot| middle(shot.at[0])),
            role.shots.last().map_or(0.0, |shot| middle(shot.at[1])),
            escape(&role.name),
            along(0),
            along(1)
        );
    }
    svg
}

/// The width of a chart.
pub const CHART_WIDTH: f64 = 820.0;
/// Its height.
pub const CHART_HEIGHT: f64 = 260.0;
/// The part of it that curves are drawn in.
pub const CHART_INNER: [f64; 4] = [46.0, 24.0, 560.0, 226.0];

/// The value of everything a character could do, over time (figures 13 and 18). A dot marks what was chosen.
pub fn chart(role: &Role) -> String {
    let mut lines: BTreeMap<String, Vec<(usize, f64)>> = BTreeMap::new();
    let mut order: Vec<String> = Vec::new();
    for (step, shot) in role.shots.iter().enumerate() {
        for worth in &shot.values {
            let key = format!("{} for {}", worth.action, worth.goal);
            let line = lines.entry(key.clone()).or_insert_with(|| {
                order.push(key);
                Vec::new()
            });
            // Of several alternatives that begin alike, the best.
            match line.last_mut() {
                Some((last, value)) if *last == step => *value = value.max(worth.value),
                _ => line.push((step, worth.value)),
            }
        }
    }
    let steps = role.shots.len().max(2);
    let most = lines.values().flatten().map(|(_, value)| *value).fold(1.0, f64::max);
    let [left, top, right, bottom] = CHART_INNER;
    let x = |step: usize| left + (right - left) * step as f64 / (steps - 1) as f64;
    let y = |value: f64| bottom - (bottom - top) * value / most;
    let mut svg = format!(
        "<text x=\"{left}\" y=\"14\" font-weight=\"600\">{}: values over time</text>\n",
        escape(&role.name)
    );
    for part in 0..=4 {
        let value = most * f64::from(part) / 4.0;
        svg += &format!(
            "<line x1=\"{left}\" y1=\"{0:.1}\" x2=\"{right}\" y2=\"{0:.1}\" stroke=\"#e4e4e4\"/><text x=\"{1:.1}\" y=\"{2:.1}\" \
             text-anchor=\"end\" font-size=\"10\" fill=\"#555555\">{3}</text>\n",
            y(value),
            left - 5.0,
            y(value) + 3.0,
            significant(value, 3)
        );
    }
    for part in 0..=5 {
        let step = (steps - 1) * part / 5;
        svg += &format!(
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\" font-size=\"10\" fill=\"#555555\">{step}</text>\n",
            x(step),
            bottom + 14.0
        );
    }
    for (index, key) in order.iter().enumerate() {
        let colour = COLOURS[index % COLOURS.len()];
        let dash = if index < COLOURS.len() { "" } else { " stroke-dasharray=\"5 3\"" };
        // A curve has a gap where the action was not possible.
        let mut piece: Vec<(usize, f64)> = Vec::new();
        let points = lines[key].iter().copied().chain([(usize::MAX, 0.0)]);
        for (step, value) in points {
            if piece.last().is_some_and(|(last, _)| step != last + 1) {
                let text: Vec<String> =
                    piece.iter().map(|(step, value)| format!("{:.1},{:.1}", x(*step), y(*value))).collect();
                svg += &match &piece[..] {
                    [(step, value)] => format!(
                        "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"1.5\" fill=\"{colour}\"/>\n",
                        x(*step),
                        y(*value)
                    ),
                    _ => format!(
                        "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.6\"{dash}/>\n",
                        text.join(" ")
                    ),
                };
                piece.clear();
            }
            piece.push((step, value));
        }
        if index < 14 {
            let at = top + 15.0 * index as f64;
            svg += &format!(
                "<rect x=\"{0}\" y=\"{1:.1}\" width=\"12\" height=\"3\" fill=\"{colour}\"/><text x=\"{2}\" y=\"{3:.1}\" \
                 font-size=\"11\">{4}</text>\n",
                right + 14.0,
                at - 3.0,
                right + 32.0,
                at + 2.0,
                escape(key)
            );
        }
    }
    for (step, shot) in role.shots.iter().enumerate() {
        let best = shot.values.iter().map(|worth| worth.value).fold(0.0, f64::max);
        if best > 0.0 && shot.word != "wait" {
            svg += &format!(
                "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"1.8\" fill=\"#000000\" fill-opacity=\"0.55\"/>\n",
                x(step),
                y(best)
            );
        }
    }
    svg
}

/// Trees from left to right, the goals at the left; what can be done now has a red frame, as in figure 14.
pub fn trees(trees: &[(&str, &Tree)], laws: &Laws, roster: &Roster) -> String {
    const ROW: f64 = 26.0;
    const COLUMN: f64 = 210.0;
    let mut body = String::new();
    let mut row = 0.0;
    let mut deepest: f64 = 0.0;
    for (goal, tree) in trees {
        // A leaf takes a row; a parent stands at its first child's.
        let mut place: Vec<(f64, f64)> = vec![(0.0, 0.0); tree.nodes.len()];
        let mut next = row;
        for at in 0..tree.nodes.len() {
            let depth = if at == 0 { 0.0 } else { place[tree.nodes[at].parent as usize].0 + 1.0 };
            let first_of_parent = at > 0 && tree.nodes[at].parent as usize == at - 1;
            if at > 0 && !first_of_parent {
                next += 1.0;
            }
            place[at] = (depth, next);
            deepest = deepest.max(depth);
        }
        row = next + 1.5;
        for (at, node) in tree.nodes.iter().enumerate() {
            let (label, style) = match &node.content {
                Content::Goal => {
                    let state = if tree.met {
                        " (it holds)"
                    } else if !tree.is_open() {
                        " (no way is known)"
                    } else {
                        ""
                    };
                    (format!("goal {goal}{state}"), "fill=\"#eef3fb\" stroke=\"#2f6fde\" rx=\"10\"")
                }
                Content::Wanted(wanted) => (
                    wanted_label(wanted, laws, roster),
                    "fill=\"#ffffff\" stroke=\"#999999\" rx=\"8\" stroke-dasharray=\"3 2\"",
                ),
                Content::Deed(deed) if deed.is_done() && tree.is_leaf(at as u32) => (
                    deed_label(*deed, laws, roster),
                    "fill=\"#fff4f2\" stroke=\"#d62828\" stroke-width=\"1.8\"",
                ),
                Content::Deed(deed) => {
                    (deed_label(*deed, laws, roster), "fill=\"#ffffff\" stroke=\"#444444\"")
                }
            };
            let (x, y) = (20.0 + place[at].0 * COLUMN, 20.0 + place[at].1 * ROW);
            if at > 0 {
                let (px, py) = place[node.parent as usize];
                let (px, py) = (20.0 + px * COLUMN + COLUMN - 26.0, 20.0 + py * ROW + 9.0);
                body += &format!(
                    "<path d=\"M{px:.0} {py:.0} H{0:.0} V{1:.0} H{x:.0}\" fill=\"none\" stroke=\"#bbbbbb\"/>\n",
                    px + 10.0,
                    y + 9.0
                );
            }
            let short: String = label.chars().take(30).collect();
            body += &format!(
                "<rect x=\"{x:.0}\" y=\"{y:.0}\" width=\"{:.0}\" height=\"19\" {style}/><text x=\"{:.0}\" y=\"{:.0}\" \
                 font-size=\"11\">{}<title>{}</title></text>\n",
                COLUMN - 26.0,
                x + 6.0,
                y + 13.5,
                escape(&short),
                escape(&label)
            );
        }
    }
    open(40.0 + (deepest + 1.0) * COLUMN, 40.0 + row * ROW) + &body + "</svg>\n"
}
