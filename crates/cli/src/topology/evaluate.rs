//! `repertoire topology evaluate`: places learned from some sessions, judged on others.

use std::collections::BTreeMap;
use std::path::PathBuf;

use anyhow::{Result, bail};
use clap::Args as ClapArgs;
use indicatif::{ProgressBar, ProgressStyle};
use rayon::prelude::*;
use repertoire_topology::compare::follow;
use repertoire_topology::evaluate::{Judged, Session, judge, of_points};
use repertoire_topology::{EdgeRule, Point, Settings};
use serde::Serialize;

use super::how::How;
use super::{figures, files};
use crate::movement::{self, Recorded};
use crate::{draw, output};

/// Measure on play that was not learned from: distances, links, k-means beside it, over time, by parameter
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Each session is left out in turn, the places are learned from the others and judged on it; of a map with one session, each half
in turn. Numbers are means over sessions, then over maps. Three learners in the same run: ours (with the options below), the
thesis's with Fritzke's rule for edges, and the thesis's as printed.

  distance      from a player to the nearest node
  k-means       the same with as many centres, placed by k-means on what was learned from; `ratio` divides by it
  along links   changes of the nearest node that follow a link

With --figures also what figures 4.11 to 4.20 of the thesis show: the measures over time, the effect of each parameter, one
against several teachers; --svg draws the curves over time.

Examples:
  repertoire topology evaluate --play ut2004_human_10hz.csv.gz --nav ut2004_navpoints.json.gz
  repertoire topology evaluate --play ut2004_human_10hz.csv.gz --nav ut2004_navpoints.json.gz --figures --svg time.svg
  repertoire topology evaluate --play play.csv --reach 300 --passes 3 --json")]
pub struct Args {
    /// Recorded play
    #[arg(long, value_name = "FILE", required = true, num_args = 1..)]
    play: Vec<PathBuf>,
    /// Only this map
    #[arg(long, value_name = "NAME")]
    map: Option<String>,
    /// The designers' navigation points, for sensitivity and specificity
    #[arg(long, value_name = "NAV")]
    nav: Option<PathBuf>,
    /// Judge after one pass and after so many
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=1000))]
    passes: u32,
    /// Starts of k-means, of which the best counts
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..=100))]
    starts: u32,
    /// Also measure over time, by parameter and by number of teachers (needs --nav)
    #[arg(long, requires = "nav")]
    figures: bool,
    /// With --figures: draw the curves over time
    #[arg(long, value_name = "FILE", requires = "figures")]
    svg: Option<PathBuf>,
    /// Print numbers as JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    how: How,
}

/// A map's sessions and points.
pub(super) struct Ground {
    pub map: String,
    pub sessions: Vec<Session>,
    /// Which sessions each fold learns from and which it judges on.
    pub folds: Vec<(Vec<Session>, Vec<Session>)>,
    pub navigation_points: Vec<Point>,
    pub units_per_metre: f64,
}

/// One learner on one map.
#[derive(Clone, Debug, Default, Serialize)]
struct Row {
    learner: &'static str,
    map: String,
    sessions: usize,
    nodes_first: f64,
    nodes_last: f64,
    distance_first: f64,
    distance_last: f64,
    kmeans_first: f64,
    kmeans_last: f64,
    ratio_first: f64,
    ratio_last: f64,
    along_links_first: f64,
    along_links_last: f64,
    along_links_either_way_first: f64,
    along_links_either_way_last: f64,
    /// From players to the designers' points; absent without them.
    #[serde(skip_serializing_if = "Option::is_none")]
    distance_to_navigation_points: Option<f64>,
}

#[derive(Serialize)]
struct Report {
    passes: u32,
    maps: Vec<Row>,
    mean: Vec<Row>,
    #[serde(skip_serializing_if = "Option::is_none")]
    figures: Option<figures::Figures>,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let grounds = load(args)?;
    let learners: [(&'static str, bool, EdgeRule); 3] = [
        ("learner", false, EdgeRule::Fritzke),
        ("thesis, fritzke", true, EdgeRule::Fritzke),
        ("thesis, figure", true, EdgeRule::Figure),
    ];
    let mut tasks = Vec::new();
    for ground in &grounds {
        for &(name, is_thesis, edges) in &learners {
            let settings = if is_thesis {
                Settings::thesis(edges).in_units(args.how.units_per_metre.unwrap_or(ground.units_per_metre))
            } else {
                args.how.settings(ground.units_per_metre)?
            };
            tasks.extend((0..ground.folds.len()).map(|fold| (name, ground, fold, settings)));
        }
    }
    let bar = ProgressBar::new(tasks.len() as u64);
    bar.set_style(ProgressStyle::with_template("judging [{bar:40}] {percent} %, {eta} left")?);
    let passes = if args.passes > 1 { vec![1, args.passes] } else { vec![1] };
    let judged: Vec<Vec<Judged>> = tasks
        .par_iter()
        .map(|(_, ground, fold, settings)| {
            let (from, on) = &ground.folds[*fold];
            let (from, on): (Vec<&Session>, Vec<&Session>) = (from.iter().collect(), on.iter().collect());
            let done = judge(*settings, &from, &on, &passes, args.starts);
            bar.inc(1);
            done
        })
        .collect();
    bar.finish_and_clear();
    let mut maps: Vec<Row> = Vec::new();
    for &(name, ..) in &learners {
        for ground in &grounds {
            let of = tasks.iter().zip(&judged).filter(|(task, _)| task.0 == name && task.1.map == ground.map);
            maps.push(row(name, ground, &of.map(|(_, judged)| judged.as_slice()).collect::<Vec<_>>()));
        }
    }
    let mean = learners.iter().map(|&(name, ..)| mean(name, &maps)).collect();
    let figures = match args.figures {
        true => Some(figures::measure(&grounds, &|units| args.how.settings(units))?),
        false => None,
    };
    if let (Some(path), Some(figures)) = (&args.svg, &figures) {
        output::file(path, &figures::picture(figures))?;
    }
    let report = Report { passes: args.passes, maps, mean, figures };
    if args.json {
        return output::json(&report);
    }
    output::text(&table(&report))
}

fn load(args: &Args) -> Result<Vec<Ground>> {
    let mut nav = match &args.nav {
        Some(path) => files::levels(files::load(path)?, args.map.as_deref(), "navigation points")?,
        None => BTreeMap::new(),
    };
    let maps = movement::by_map(movement::load(&args.play)?, args.map.as_deref())?;
    let mut grounds = Vec::new();
    for (map, recorded) in maps {
        let sessions: Vec<Session> = recorded.iter().map(Recorded::session).collect();
        let folds = match &sessions[..] {
            [one] => [false, true].map(|half| (vec![one.half(half)], vec![one.half(!half)])).to_vec(),
            _ => (0..sessions.len())
                .map(|out| {
                    let others = sessions.iter().enumerate().filter(|(k, _)| *k != out);
                    (others.map(|(_, session)| session.clone()).collect(), vec![sessions[out].clone()])
                })
                .collect(),
        };
        let navigation_points = nav.remove(&map).map(|level| level.positions()).unwrap_or_default();
        let units_per_metre = recorded.first().map_or(1.0, |one| one.units_per_metre);
        grounds.push(Ground { map, sessions, folds, navigation_points, units_per_metre });
    }
    if grounds.is_empty() {
        bail!("there is nothing to judge\n  remedy: give recorded play");
    }
    Ok(grounds)
}

fn row(learner: &'static str, ground: &Ground, folds: &[&[Judged]]) -> Row {
    let over = |pick: &dyn Fn(&[Judged]) -> f64| {
        folds.iter().map(|fold| pick(fold)).sum::<f64>() / folds.len().max(1) as f64
    };
    let first = |of: &dyn Fn(&Judged) -> f64| over(&|fold| fold.first().map_or(0.0, of));
    let last = |of: &dyn Fn(&Judged) -> f64| over(&|fold| fold.last().map_or(0.0, of));
    let distance = |judged: &Judged| judged.followed.mean_distance;
    let kmeans = |judged: &Judged| judged.kmeans_distance;
    let share = |judged: &Judged| judged.followed.share();
    let either = |judged: &Judged| judged.followed.share_either_way();
    let points = of_points(&ground.navigation_points);
    let to_points = (!ground.navigation_points.is_empty()).then(|| {
        let far =
            |on: &[Session]| follow(&points, on.iter().flat_map(|session| &session.tracks)).mean_distance;
        ground.folds.iter().map(|(_, on)| far(on)).sum::<f64>() / ground.folds.len() as f64
    });
    Row {
        learner,
        map: ground.map.clone(),
        sessions: ground.sessions.len(),
        nodes_first: first(&|judged| judged.nodes as f64),
        nodes_last: last(&|judged| judged.nodes as f64),
        distance_first: first(&distance),
        distance_last: last(&distance),
        kmeans_first: first(&kmeans),
        kmeans_last: last(&kmeans),
        ratio_first: first(&distance) / first(&kmeans),
        ratio_last: last(&distance) / last(&kmeans),
        along_links_first: first(&share),
        along_links_last: last(&share),
        along_links_either_way_first: first(&either),
        along_links_either_way_last: last(&either),
        distance_to_navigation_points: to_points,
    }
}

/// Over the maps with at least two sessions, or over all if there are none.
fn mean(learner: &'static str, rows: &[Row]) -> Row {
    let own = || rows.iter().filter(|row| row.learner == learner);
    let least = if own().any(|row| row.sessions > 1) { 2 } else { 1 };
    let of: Vec<&Row> = own().filter(|row| row.sessions >= least).collect();
    let count = of.len().max(1) as f64;
    let over = |pick: &dyn Fn(&Row) -> f64| of.iter().map(|row| pick(row)).sum::<f64>() / count;
    let (distance_first, distance_last) = (over(&|row| row.distance_first), over(&|row| row.distance_last));
    let (kmeans_first, kmeans_last) = (over(&|row| row.kmeans_first), over(&|row| row.kmeans_last));
    let to_points = of.iter().all(|row| row.distance_to_navigation_points.is_some());
    Row {
        learner,
        map: format!("mean of {}", of.len()),
        sessions: of.iter().map(|row| row.sessions).sum(),
        nodes_first: over(&|row| row.nodes_first),
        nodes_last: over(&|row| row.nodes_last),
        distance_first,
        distance_last,
        kmeans_first,
        kmeans_last,
        ratio_first: distance_first / kmeans_first,
        ratio_last: distance_last / kmeans_last,
        along_links_first: over(&|row| row.along_links_first),
        along_links_last: over(&|row| row.along_links_last),
        along_links_either_way_first: over(&|row| row.along_links_either_way_first),
        along_links_either_way_last: over(&|row| row.along_links_either_way_last),
        distance_to_navigation_points: to_points
            .then(|| over(&|row| row.distance_to_navigation_points.unwrap_or_default())),
    }
}

fn table(report: &Report) -> String {
    let mut text = String::new();
    for mean in &report.mean {
        let n = report.passes;
        text += &format!("{}, after 1 pass and after {n}\n", mean.learner);
        let head = [
            "map",
            "sessions",
            "nodes",
            "",
            "distance",
            "",
            "k-means",
            "",
            "ratio",
            "",
            "along links",
            "",
            "points",
        ];
        let mut lines = vec![head.map(str::to_owned).to_vec()];
        let rows = report.maps.iter().filter(|row| row.learner == mean.learner);
        for row in rows.chain([mean]) {
            lines.push(vec![
                row.map.clone(),
                row.sessions.to_string(),
                format!("{:.1}", row.nodes_first),
                format!("{:.1}", row.nodes_last),
                format!("{:.1}", row.distance_first),
                format!("{:.1}", row.distance_last),
                format!("{:.1}", row.kmeans_first),
                format!("{:.1}", row.kmeans_last),
                format!("{:.3}", row.ratio_first),
                format!("{:.3}", row.ratio_last),
                format!("{:.1} %", 100.0 * row.along_links_first),
                format!("{:.1} %", 100.0 * row.along_links_last),
                row.distance_to_navigation_points.map_or("-".to_owned(), |far| format!("{far:.1}")),
            ]);
        }
        text += &draw::columns(&lines);
        text += &format!(
            "{:+.1} % nodes from pass 1 to pass {n}\n\n",
            100.0 * (mean.nodes_last / mean.nodes_first - 1.0)
        );
    }
    if let Some(figures) = &report.figures {
        text += &figures::table(figures);
    }
    text
}
