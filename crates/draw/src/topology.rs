//! `repertoire topology draw`: places, ways and navigation points from above.

use std::fmt::Write as _;
use std::path::PathBuf;

use anyhow::{Result, bail};
use clap::Args as ClapArgs;
use repertoire_topology::{Level, Point};

use super::files;
use crate::draw::svg::escape;
use crate::movement::{self, Recorded};
use crate::output;

/// Draw places and their links from above; with --nav the designers' points, with --play where players walked
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Nodes are circles, darker where it is higher; links are lines, with an arrow where only one direction is believed.
Navigation points are green squares, as in figure 4.10 of the thesis; play is grey.

Examples:
  repertoire topology draw --places places.json --svg places.svg
  repertoire topology draw --places all.json --map DM-Rankin --nav nav.json.gz --play play.csv.gz --svg rankin.svg")]
pub struct Args {
    /// Places, as `topology learn` writes them
    #[arg(long, value_name = "PLACES")]
    places: PathBuf,
    /// Which map, if there are several
    #[arg(long, value_name = "NAME")]
    map: Option<String>,
    /// Navigation points to draw beside them
    #[arg(long, value_name = "NAV")]
    nav: Option<PathBuf>,
    /// Play to draw below them
    #[arg(long, value_name = "FILE", num_args = 1..)]
    play: Vec<PathBuf>,
    /// Where to write the picture; - for standard output
    #[arg(long, value_name = "FILE", default_value = "-", num_args = 0..=1, default_missing_value = "-")]
    svg: PathBuf,
}

const SIZE: f64 = 1000.0;
const MARGIN: f64 = 30.0;

pub(crate) fn run(args: &Args) -> Result<()> {
    for path in args.play.iter().chain(&args.nav).chain([&args.places]) {
        output::refuse_overwriting(&args.svg, path, "what is drawn")?;
    }
    let levels = files::levels(files::load(&args.places)?, args.map.as_deref(), "places")?;
    if levels.len() > 1 {
        let names: Vec<&str> = levels.keys().map(String::as_str).collect();
        bail!("there are several maps\n  remedy: --map with one of {}", names.join(", "));
    }
    let Some((map, level)) = levels.into_iter().next() else { bail!("there is no map to draw") };
    let nav = match &args.nav {
        Some(path) => files::levels(files::load(path)?, Some(&map), "navigation points")?.remove(&map),
        None => None,
    };
    let mut tracks: Vec<Vec<Point>> = Vec::new();
    if !args.play.is_empty() {
        let play = movement::by_map(movement::load(&args.play)?, Some(&map))?;
        for session in play.values().flatten().map(Recorded::session) {
            tracks.extend(session.tracks.into_iter().map(|track| track.at));
        }
    }
    output::file(&args.svg, &picture(&map, &level, nav.as_ref(), &tracks))
}

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
        let y = self.height - MARGIN - (point[1] - self.low[1]) * self.scale;
        (x, y)
    }

    /// From light to dark with height.
    fn colour(&self, z: f64) -> String {
        let span = self.ceiling - self.floor;
        let share = if span > 0.0 { ((z - self.floor) / span).clamp(0.0, 1.0) } else { 0.5 };
        format!("hsl(12 80% {:.0}%)", 72.0 - 44.0 * share)
    }
}

fn picture(map: &str, level: &Level, nav: Option<&Level>, tracks: &[Vec<Point>]) -> String {
    let positions = level.positions();
    let nav_positions = nav.map(Level::positions).unwrap_or_default();
    let view = View::of(positions.iter().chain(&nav_positions).chain(tracks.iter().flatten()).copied());
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{SIZE}\" height=\"{:.0}\" viewBox=\"0 0 {SIZE} {0:.0}\" \
         font-family=\"system-ui, sans-serif\" font-size=\"12\">\n\
         <defs><marker id=\"a\" viewBox=\"0 0 8 8\" refX=\"12\" refY=\"4\" markerWidth=\"6\" markerHeight=\"6\" orient=\"auto\">\
         <path d=\"M0 0L8 4L0 8Z\" fill=\"#5b7a99\"/></marker></defs>\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n",
        view.height.max(60.0)
    );
    for track in tracks {
        let points: Vec<String> =
            track.iter().map(|at| view.at(at)).map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
        let _ = writeln!(
            svg,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"#d9d9d9\" stroke-width=\"1\"/>",
            points.join(" ")
        );
    }
    let links = level.links_by_place();
    for &(from, to) in &links {
        let back = links.binary_search(&(to, from)).is_ok();
        if back && to < from {
            continue;
        }
        let ((x1, y1), (x2, y2)) = (view.at(&positions[from as usize]), view.at(&positions[to as usize]));
        let arrow = if back { "" } else { " marker-end=\"url(#a)\"" };
        let _ = writeln!(
            svg,
            "<line x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\" stroke=\"#5b7a99\" stroke-width=\"1.5\"{arrow}/>"
        );
    }
    for at in &nav_positions {
        let (x, y) = view.at(at);
        let _ = writeln!(
            svg,
            "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"6\" height=\"6\" fill=\"#2a9d5c\"/>",
            x - 3.0,
            y - 3.0
        );
    }
    for node in &level.nodes {
        let (x, y) = view.at(&node.pos);
        let _ = writeln!(
            svg,
            "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"5\" fill=\"{}\" stroke=\"#ffffff\"><title>{} at {:.0} {:.0} {:.0}</title></circle>",
            view.colour(node.pos[2]),
            node.id,
            node.pos[0],
            node.pos[1],
            node.pos[2],
        );
    }
    let beside = nav.map_or(String::new(), |nav| format!(", {} navigation points", nav.nodes.len()));
    let title = format!("{map}: {} nodes, {} links{beside}", level.nodes.len(), level.links.len());
    svg + &format!("<text x=\"12\" y=\"18\" font-weight=\"600\">{}</text>\n</svg>\n", escape(&title))
}
