//! Runs as pictures: the map with the ways (figures 12, 15, 16, 17), curves (13, 18), trees (14).

use std::collections::BTreeMap;

use repertoire_character::reason::{Content, deed_label, wanted_label};
use repertoire_character::{Laws, Roster, Tree};

use super::film::{Film, Role};
use crate::axes::{self, Axis};
use crate::label;
use crate::legend::{self, Sign};
use crate::svg::{Element, Path, Svg, circle, group, group_at, number, polyline, rect, text};

/// The side of a place.
const CELL: f64 = 18.0;

/// The map with everybody's way, and below it the curves of each character.
pub fn sheet(film: &Film) -> String {
    let grid = &film.scenario.grid;
    let (map_width, map_height) = (f64::from(grid.width()) * CELL, f64::from(grid.height()) * CELL);
    let width = (map_width + 40.0).max(CHART_WIDTH + 20.0);
    let about = label::wrap(&film.scenario.about, width - 40.0, 12.0);
    let top = 66.0 + 16.0 * about.len() as f64;
    let chart_top = |index: usize| top + map_height + 30.0 + index as f64 * (CHART_HEIGHT + 20.0);
    let mut svg = Svg::new(width, chart_top(film.roles.len()))
        .titled(&film.scenario.name)
        .described(&film.scenario.about);
    svg.push(text(20.0, 26.0, &film.scenario.name).bold().size(15.0));
    svg.extend(
        about.iter().enumerate().map(|(k, line)| text(20.0, 46.0 + 16.0 * k as f64, line).class("soft")),
    );
    let who: Vec<(Sign, String)> = film
        .roles
        .iter()
        .enumerate()
        .map(|(k, role)| {
            (Sign::Series(k), format!("{} ({}): its way; numbers are steps", role.name, role.profile))
        })
        .collect();
    svg.push(legend::row(20.0, top - 10.0, width - 40.0, &who).0);
    svg.push(group_at(20.0, top).with(map(film)));
    for (index, role) in film.roles.iter().enumerate() {
        svg.push(group_at(10.0, chart_top(index)).with(chart(role)));
    }
    svg.finish()
}

/// The ground, the things at the start, the ways; each character moves along its way where SVG can.
pub fn map(film: &Film) -> Element {
    let grid = &film.scenario.grid;
    let (width, height) = (f64::from(grid.width()) * CELL, f64::from(grid.height()) * CELL);
    let mut map = group();
    map.push(rect(0.0, 0.0, width, height).fill(FLOOR));
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
        map.push(rect(f64::from(x) * CELL, f64::from(y) * CELL, CELL, CELL).fill(fill));
    }
    let middle = |at: u32| (f64::from(at) + 0.5) * CELL;
    for (index, role) in film.roles.iter().enumerate() {
        let mut points: Vec<[u32; 2]> = role.shots.iter().map(|shot| shot.from).collect();
        points.extend(role.shots.last().map(|shot| shot.at));
        // Two characters in one place are drawn beside each other.
        let aside = index as f64 * 2.0;
        let way = points.iter().map(|[x, y]| (middle(*x) + aside, middle(*y) + aside));
        let way = polyline(way).class(&format!("k{}", index % 8)).stroke("currentColor", 2.0);
        map.push(way.set("stroke-dasharray", "3 3"));
        for (step, shot) in role.shots.iter().enumerate() {
            if !matches!(shot.word.as_str(), "move" | "explore" | "wait") {
                let (x, y) = (middle(shot.at[0]) + aside, middle(shot.at[1]) + aside);
                map.push(circle(x, y, 7.0).series_line(index, 1.0).set("style", "fill:#ffffff"));
                map.push(text(x, y + 3.0, &step.to_string()).size(8.0).centred().fill(INK));
            }
        }
    }
    for (sign, [x, y], name) in &film.things[0] {
        let sign = text(middle(*x), middle(*y) + 4.0, &sign.to_string()).centred().bold().fill(INK);
        map.push(sign.titled(name));
    }
    for (index, role) in film.roles.iter().enumerate() {
        let secs = (role.shots.len() as f64 * 0.15).max(1.0);
        let along = |attribute: &str, axis: usize| {
            let places: Vec<String> = role.shots.iter().map(|shot| number(middle(shot.at[axis]))).collect();
            Element::new("animate")
                .set("attributeName", attribute)
                .set("values", places.join(";"))
                .set("dur", format!("{secs:.1}s"))
                .set("repeatCount", "indefinite")
                .set("calcMode", "discrete")
        };
        let last = role.shots.last().map_or([0, 0], |shot| shot.at);
        let dot = circle(middle(last[0]), middle(last[1]), 6.0).series(index).set("fill-opacity", 0.85);
        map.push(dot.titled(&role.name).with(along("cx", 0)).with(along("cy", 1)));
    }
    map
}

/// The floor keeps its colour on any paper, and so does what is written on it.
const FLOOR: &str = "#f4f1ea";
const INK: &str = "#1d1915";

/// The width of a chart.
pub const CHART_WIDTH: f64 = 860.0;
/// Its height.
pub const CHART_HEIGHT: f64 = 272.0;
/// The part of it that curves are drawn in: left, top, right, bottom.
pub const CHART_INNER: [f64; 4] = [62.0, 24.0, 570.0, 226.0];
/// So many curves are named.
const MOST_NAMED: usize = 14;

/// The value of everything a character could do, over time (figures 13 and 18). A dot marks what was chosen.
pub fn chart(role: &Role) -> Element {
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
    let x = Axis::linear((0.0, (steps - 1) as f64), (left, right));
    let y = Axis::linear((0.0, most), (bottom, top));
    let at = |&(step, value): &(usize, f64)| (x.at(step as f64), y.at(value));
    let mut chart = group();
    chart.push(text(left, 14.0, &format!("{}: what everything was worth", role.name)).bold());
    chart.push(axes::grid(&x, &y, "step", "value"));
    for (index, key) in order.iter().enumerate() {
        // A curve has a gap where the action was not possible.
        for piece in lines[key].chunk_by(|a, b| b.0 == a.0 + 1) {
            chart.push(match piece {
                [one] => circle(at(one).0, at(one).1, 1.5).series(index),
                _ => polyline(piece.iter().map(at)).series_line(index, 1.6).titled(key),
            });
        }
    }
    for (step, shot) in role.shots.iter().enumerate() {
        let best = shot.values.iter().map(|worth| worth.value).fold(0.0, f64::max);
        if best > 0.0 && shot.word != "wait" {
            let (x, y) = at(&(step, best));
            chart.push(circle(x, y, 1.8).set("fill-opacity", 0.6));
        }
    }
    let entries: Vec<(Sign, String)> =
        order.iter().take(MOST_NAMED).enumerate().map(|(k, key)| (Sign::Line(k), key.clone())).collect();
    chart.push(legend::column(right + 16.0, top + 4.0, CHART_WIDTH - right - 20.0, &entries));
    let below = top + 4.0 + legend::LINE * entries.len() as f64;
    let more = match order.len().saturating_sub(MOST_NAMED) {
        0 => "a dot: what was chosen".to_owned(),
        more => format!("and {more} more; a dot: what was chosen"),
    };
    chart.push(text(right + 16.0, below, &more).size(legend::SIZE).class("soft"));
    chart
}

/// Trees from left to right, the goals at the left; what can be done now has a red frame, as in figure 14.
pub fn trees(trees: &[(&str, &Tree)], laws: &Laws, roster: &Roster) -> String {
    const ROW: f64 = 26.0;
    const COLUMN: f64 = 220.0;
    const TOP: f64 = 50.0;
    let mut body = group().size(11.0);
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
            let (name, shape) = match &node.content {
                Content::Goal => {
                    let state = if tree.met {
                        " (it holds)"
                    } else if !tree.is_open() {
                        " (no way is known)"
                    } else {
                        ""
                    };
                    (format!("goal {goal}{state}"), Shape::Goal)
                }
                Content::Wanted(wanted) => (wanted_label(wanted, laws, roster), Shape::Wanted),
                Content::Deed(deed) if deed.is_done() && tree.is_leaf(at as u32) => {
                    (deed_label(*deed, laws, roster), Shape::Now)
                }
                Content::Deed(deed) => (deed_label(*deed, laws, roster), Shape::Deed),
            };
            let (x, y) = (20.0 + place[at].0 * COLUMN, TOP + place[at].1 * ROW);
            if at > 0 {
                let (px, py) = place[node.parent as usize];
                let (px, py) = (20.0 + px * COLUMN + COLUMN - 26.0, TOP + py * ROW + 9.0);
                let link =
                    Path::new().to(px, py).line(px + 10.0, py).line(px + 10.0, y + 9.0).line(x, y + 9.0);
                body.push(link.element().class("frame").fill("none"));
            }
            body.push(shape.draw(x, y, COLUMN - 26.0));
            body.push(text(x + 6.0, y + 13.5, &label::shorten(&name, COLUMN - 36.0, 11.0)).titled(&name));
        }
    }
    let width = (40.0 + (deepest + 1.0) * COLUMN).max(640.0);
    let mut svg = Svg::new(width, TOP + 20.0 + row * ROW)
        .titled("What a character thinks")
        .described("For each goal a tree from left to right: what is wanted, and what would bring it about.");
    let mut x = 20.0;
    for (shape, meaning) in Shape::ALL {
        svg.push(shape.draw(x, 12.0, 22.0));
        svg.push(text(x + 28.0, 25.0, meaning).size(11.0));
        x += 44.0 + label::width(meaning, 11.0);
    }
    svg.push(body);
    svg.finish()
}

/// What a node of a tree is.
#[derive(Clone, Copy, Debug)]
enum Shape {
    Goal,
    Wanted,
    Deed,
    Now,
}

impl Shape {
    const ALL: [(Shape, &'static str); 4] = [
        (Shape::Goal, "goal"),
        (Shape::Wanted, "wanted: any child brings it about"),
        (Shape::Deed, "done: every child is needed first"),
        (Shape::Now, "can be done now"),
    ];

    fn draw(self, x: f64, y: f64, width: f64) -> Element {
        let shape = rect(x, y, width, 19.0);
        match self {
            Shape::Goal => shape.series_line(0, 1.4).set("rx", 10.0),
            Shape::Wanted => shape.class("frame").fill("none").set("rx", 8.0).set("stroke-dasharray", "3 2"),
            Shape::Deed => shape.class("frame").fill("none"),
            Shape::Now => shape.stroke("#e0453a", 1.8),
        }
    }
}
