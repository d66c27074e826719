//! Signatures as a picture: who is near whom, and the histograms round.

use std::collections::{BTreeMap, BTreeSet};

use repertoire_eval::signature::mds::Layout;
use repertoire_eval::signature::{BIN_DEG, NAMES, Signature, SignatureReport};
use repertoire_eval::telling::Nearness;
use repertoire_eval::telling::nearest::Nearest;

use crate::axes::range;
use crate::legend::{self, Sign};
use crate::svg::{Element, Path, Svg, circle, group_at, line, rect, text};
use crate::{label, round};

const PANEL: f64 = 420.0;
const MARGIN: f64 = 50.0;

/// The letters of labels, and the height of a line of them.
const LETTERS: f64 = 9.5;
const LINE: f64 = 11.0;

/// More histograms than this on top of each other show nothing.
const MOST_DRAWN: usize = 12;

/// A signature to draw.
#[derive(Clone, Copy, Debug)]
pub struct Player<'a> {
    /// What is said of it when the pointer rests on it: the recording, or the player.
    pub name: &'a str,
    /// Whose it is; a player has one colour.
    pub player: &'a str,
    /// What stands beside its point.
    pub label: &'a str,
    /// How they move.
    pub signature: &'a Signature,
}

/// The picture of a report.
pub fn of_report(report: &SignatureReport) -> String {
    let players: Vec<Player<'_>> = report
        .signatures
        .iter()
        .map(|one| Player {
            name: &one.name,
            player: &one.player,
            label: &one.player,
            signature: &one.signature,
        })
        .collect();
    picture(&players, &report.mds)
}

/// The picture of who is nearest to whom: people by name and map, characters called as somebody as their pupils.
pub fn of_nearness(found: &Nearness) -> String {
    let label = |one: &Nearest| {
        let whose = if one.is_person { "" } else { "'s pupil" };
        format!("{}{whose}, {}", player(one), one.map)
    };
    let labels: Vec<String> = found.all.iter().map(label).collect();
    let each = found.all.iter().zip(&found.signatures).zip(&labels);
    let players: Vec<Player<'_>> = each
        .map(|((one, signature), label)| Player { name: &one.name, player: player(one), label, signature })
        .collect();
    picture(&players, &found.layouts.iter().cloned().collect())
}

/// The player of a recording's name.
fn player(one: &Nearest) -> &str {
    one.name.split(' ').next().unwrap_or(&one.name)
}

/// Who is near whom for each of the three signatures, and the histograms where there are few. `layouts` holds the places of the
/// players, in their order, by the signature's name.
pub fn picture(players: &[Player<'_>], layouts: &BTreeMap<&'static str, Layout>) -> String {
    let colours = colours(players);
    let is_round = players.len() <= MOST_DRAWN;
    let wide = 3.0 * PANEL;
    let entries: Vec<(Sign, String)> =
        colours.iter().map(|(name, &k)| (Sign::Line(k), (*name).to_owned())).collect();
    let (legend, lines) = legend::row(14.0, 2.0 * PANEL + 66.0, wide - 28.0, &entries);
    let high = if is_round { 2.0 * PANEL + 66.0 + legend::LINE * lines as f64 } else { PANEL + 8.0 };
    let mut svg = Svg::new(wide, high).titled("Who moves like whom").described(
        "Above, for each of three signatures, players whose movement is alike stand near each other. Below, how often each \
         angle occurs: up is 0 degrees, left is left.",
    );
    for (k, name) in NAMES.iter().enumerate() {
        let Some(layout) = layouts.get(name) else { continue };
        let mut panel = group_at(k as f64 * PANEL, 0.0);
        let correlation = layout.correlation.map_or(String::new(), |r| format!(", correlation {r:.3}"));
        panel.push(text(12.0, 20.0, &format!("{}{correlation}", name.replace('_', " "))).bold().size(13.0));
        panel.extend(nearness(&layout.points, players, &colours));
        if is_round {
            panel.extend(histograms(k, players, &colours));
        }
        svg.push(panel);
    }
    if is_round {
        svg.push(legend);
    }
    svg.finish()
}

/// A colour for each player, in the order of names.
fn colours<'a>(players: &[Player<'a>]) -> BTreeMap<&'a str, usize> {
    let names: BTreeSet<&str> = players.iter().map(|one| one.player).collect();
    names.into_iter().enumerate().map(|(k, name)| (name, k)).collect()
}

fn nearness(points: &[[f64; 2]], players: &[Player<'_>], colours: &BTreeMap<&str, usize>) -> Vec<Element> {
    let ((x0, x1), (y0, y1)) = (range(points.iter().map(|at| at[0])), range(points.iter().map(|at| at[1])));
    // One scale for both axes: distances are what the picture shows.
    let scale = (PANEL - 2.0 * MARGIN) / (x1 - x0).max(y1 - y0).max(1e-9);
    let mut all = vec![rect(8.0, 32.0, PANEL - 16.0, PANEL - 40.0).class("frame").fill("none")];
    let mut placed: Vec<(f64, f64, f64)> = Vec::new();
    for (point, one) in points.iter().zip(players) {
        let x = PANEL / 2.0 + (point[0] - (x0 + x1) / 2.0) * scale;
        let y = PANEL / 2.0 + 12.0 - (point[1] - (y0 + y1) / 2.0) * scale;
        let colour = colours.get(one.player).copied().unwrap_or(0);
        let wide = label::width(one.label, LETTERS);
        let (from, base) = free_place(&placed, x, y, wide, PANEL - 10.0);
        placed.push((from, from + wide, base));
        let near = if from > x { from - 1.0 } else { from + wide + 1.0 };
        all.push(line((x, y), (near, base)).class("frame").set("stroke-width", 0.5));
        all.push(circle(x, y, 4.0).series(colour).titled(one.name));
        all.push(text(from, base + 3.0, one.label).size(LETTERS));
    }
    // Five degrees, to compare with.
    let ruler = 5.0 * scale;
    if ruler < PANEL - 2.0 * MARGIN {
        let (x, y) = (20.0, PANEL - 20.0);
        all.push(line((x, y), (x + ruler, y)).class("frame").set("stroke-width", 1.5));
        all.push(text(x, y - 5.0, "5 degrees").class("soft").size(11.0));
    }
    all
}

/// Where a label of this width has room, beside a point or above or below it: where it begins, and its line.
fn free_place(placed: &[(f64, f64, f64)], x: f64, y: f64, wide: f64, right: f64) -> (f64, f64) {
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
fn histograms(which: usize, players: &[Player<'_>], colours: &BTreeMap<&str, usize>) -> Vec<Element> {
    let (middle, radius) = ((PANEL / 2.0, 1.5 * PANEL + 14.0), PANEL / 2.0 - 44.0);
    let rings =
        [0.01, 0.1, 0.5, 1.0f64].map(|share| (radius * share.sqrt(), format!("{:.0} %", 100.0 * share)));
    let words = [
        ["ahead", "left", "backwards", "right"],
        ["no turn", "left", "about", "right"],
        ["straight on", "left", "back", "right"],
    ];
    let mut all = vec![round::dial(middle, &rings, words[which.min(2)])];
    for one in players {
        let histogram = one.signature.all()[which];
        let corner = |(bin, p): (usize, &f64)| round::point(middle, bin as f64 * BIN_DEG, radius * p.sqrt());
        let outline = Path::polygon(histogram.iter().enumerate().map(corner)).element();
        let colour = colours.get(one.player).copied().unwrap_or(0);
        all.push(outline.series_line(colour, 1.5).titled(one.name));
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_never_lie_on_each_other() {
        let mut placed: Vec<(f64, f64, f64)> = Vec::new();
        for _ in 0..12 {
            let (from, base) = free_place(&placed, 200.0, 200.0, 60.0, PANEL - 10.0);
            assert!(placed.iter().all(|other| (other.2 - base).abs() >= LINE || other.0 >= from + 60.0));
            placed.push((from, from + 60.0, base));
        }
    }
}
