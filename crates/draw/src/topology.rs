//! Places learned from where players walk, from above; and how they come about over time.

use repertoire_eval::topology::figures::{Curve, Figures};
use repertoire_topology::{PlaceGraph, Point};

use crate::colour::CLAYS;
use crate::legend::{self, Sign};
use crate::lines::{Line, Panel, panels};
use crate::svg::{Element, Path, Svg, circle, line, polyline, rect, text};

const SIZE: f64 = 1000.0;
const MARGIN: f64 = 30.0;
/// Above the map for the title, and below it for the legend.
const HEAD: f64 = 30.0;
const FOOT: f64 = 50.0;

/// From the world to the picture: north is up.
struct View {
    low: [f64; 2],
    scale: f64,
    height: f64,
    floor: f64,
    ceiling: f64,
}

impl View {
    fn of(points: impl Iterator<Item = Point> + Clone) -> Self {
        let least = |k: usize| points.clone().map(|at| at[k]).fold(f64::INFINITY, f64::min);
        let most = |k: usize| points.clone().map(|at| at[k]).fold(f64::NEG_INFINITY, f64::max);
        let (low, high) = ([least(0), least(1)], [most(0), most(1)]);
        let wide = (high[0] - low[0]).max(high[1] - low[1]);
        let scale = if wide > 0.0 { (SIZE - 2.0 * MARGIN) / wide } else { 1.0 };
        let height = if wide.is_finite() { (high[1] - low[1]) * scale + 2.0 * MARGIN } else { SIZE };
        View {
            low: low.map(|x| if x.is_finite() { x } else { 0.0 }),
            scale,
            height,
            floor: least(2),
            ceiling: most(2),
        }
    }

    fn at(&self, point: &Point) -> (f64, f64) {
        let x = MARGIN + (point[0] - self.low[0]) * self.scale;
        let y = HEAD + self.height - MARGIN - (point[1] - self.low[1]) * self.scale;
        (x, y)
    }

    /// How high a place is, from 0 to 1.
    fn part(&self, z: f64) -> f64 {
        let span = self.ceiling - self.floor;
        if span > 0.0 { (z - self.floor) / span } else { 0.5 }
    }
}

/// Nodes and links; beside them navigation points, and below them where players walked.
pub fn picture(map: &str, level: &PlaceGraph, nav: Option<&PlaceGraph>, tracks: &[Vec<Point>]) -> String {
    let positions = level.positions();
    let nav_positions = nav.map(PlaceGraph::positions).unwrap_or_default();
    let view = View::of(positions.iter().chain(&nav_positions).chain(tracks.iter().flatten()).copied());
    let beside = nav.map_or(String::new(), |nav| format!(", {} navigation points", nav.nodes.len()));
    let title = format!("{map}: {} nodes, {} links{beside}", level.nodes.len(), level.links.len());
    let height = view.height.max(60.0);
    let mut svg = Svg::new(SIZE, HEAD + height + FOOT).titled(&title).described(
        "A map from above, north up: nodes are circles, darker where it is higher; links are lines, with an arrow where only one direction is known.",
    );
    let arrow = Element::new("marker")
        .set("id", "a")
        .set("viewBox", "0 0 8 8")
        .set("refX", 12.0)
        .set("refY", 4.0)
        .set("markerWidth", 6.0)
        .set("markerHeight", 6.0)
        .set("orient", "auto")
        .with(Path::polygon([(0.0, 0.0), (8.0, 4.0), (0.0, 8.0)]).element().series(LINKS));
    svg.push(Element::new("defs").with(arrow));
    for track in tracks {
        svg.push(polyline(track.iter().map(|at| view.at(at))).class("rule").fill("none"));
    }
    let links = level.links_by_place();
    for &(from, to) in &links {
        let back = links.binary_search(&(to, from)).is_ok();
        if back && to < from {
            continue;
        }
        let link = line(view.at(&positions[from as usize]), view.at(&positions[to as usize]));
        let link = link.series_line(LINKS, 1.5).set("stroke-opacity", 0.7);
        svg.push(if back { link } else { link.set("marker-end", "url(#a)") });
    }
    for at in &nav_positions {
        let (x, y) = view.at(at);
        svg.push(rect(x - 3.0, y - 3.0, 6.0, 6.0).series(NAV));
    }
    for node in &level.nodes {
        let ((x, y), [east, north, up]) = (view.at(&node.pos), node.pos);
        let said = format!("{} at {east:.0} {north:.0} {up:.0}", node.id);
        svg.push(circle(x, y, 5.0).class("gap").fill(CLAYS.at(view.part(up))).titled(&said));
    }
    svg.push(text(12.0, 20.0, &title).bold().size(14.0));
    let mut entries =
        vec![(Sign::Line(LINKS), "walked both ways; an arrow where only one way is known".to_owned())];
    if nav.is_some() {
        entries.push((Sign::Series(NAV), "navigation points of the designers".to_owned()));
    }
    let below = HEAD + height + 12.0;
    svg.push(legend::row(12.0, below, SIZE - 24.0, &entries).0);
    let heights = match view.floor.is_finite() && view.ceiling > view.floor {
        true => format!("nodes from {:.0} (low) to {:.0} (high)", view.floor, view.ceiling),
        false => "nodes".to_owned(),
    };
    svg.push(CLAYS.strip(12.0, below + 12.0, 11.0, &heights));
    svg.finish()
}

/// The colours of links and of navigation points, as series.
const LINKS: usize = 0;
const NAV: usize = 2;

/// The curves over time, a panel for each measure.
pub fn over_time(figures: &Figures) -> String {
    type Pick = fn(&Curve) -> &[f64];
    // Each with the factor by which its numbers are multiplied.
    let measures: [(&str, f64, Pick); 4] = [
        ("nodes", 1.0, |curve| &curve.nodes),
        ("distance to the nearest node, of other sessions", 1.0, |curve| &curve.distance),
        ("sensitivity (4.12) x 100,000", 1e5, |curve| &curve.sensitivity),
        ("specificity (4.13) x 1,000", 1e3, |curve| &curve.specificity),
    ];
    let all = measures.map(|(title, times, pick)| {
        let line = |curve: &Curve| Line {
            label: curve.learner.to_owned(),
            points: curve.minutes.iter().zip(pick(curve)).map(|(&minute, &y)| (minute, y * times)).collect(),
        };
        Panel { title: title.to_owned(), lines: figures.over_time.iter().map(line).collect() }
    });
    panels("Places over time", "minutes of play", &all)
}
