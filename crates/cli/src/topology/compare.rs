//! `repertoire topology compare`: places beside a designer's navigation points.

use std::collections::BTreeMap;
use std::path::PathBuf;

use anyhow::Result;
use clap::Args as ClapArgs;
use repertoire_eval::topology::Session;
use repertoire_eval::topology::compare::{ComparedMap, compare_maps};
use serde::Serialize;

use super::files;
use crate::movement::{self, Recorded};
use crate::{draw, output};

/// Compare places with navigation points, and with play if there is some
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
  sensitivity   1 / sum over navigation points of the distance to the nearest node (4.12), times 100,000 in the table
  specificity   nodes / sum over nodes of the distance to the nearest navigation point (4.13), times 1,000 in the table
  to nodes      from a navigation point to the nearest node, on average; `to points` the other way round
With --play, which should be play that the places were not learned from:
  players       from a player to the nearest node, and to the nearest navigation point, on average
  along links   how many of the changes from one nearest node to another follow a link

--json has the plain numbers, for each map and on average; with one map both are the same.

Examples:
  repertoire topology points halls -o points.json
  repertoire topology compare --places places.json --nav points.json --map halls
  repertoire topology compare --places places.json --nav points.json --play another-match.parquet --json")]
pub struct Args {
    /// Places, as `topology learn` writes them
    #[arg(long, value_name = "PLACES")]
    places: PathBuf,
    /// Navigation points: JSON, plain or gzip
    #[arg(long, value_name = "NAV")]
    nav: PathBuf,
    /// Only this map; otherwise all that both files have
    #[arg(long, value_name = "NAME")]
    map: Option<String>,
    /// Play to judge on
    #[arg(long, value_name = "FILE", num_args = 1..)]
    play: Vec<PathBuf>,
    /// Print numbers as JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Report<'a> {
    #[serde(flatten)]
    mean: serde_json::Map<String, serde_json::Value>,
    maps: &'a [ComparedMap],
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let map = args.map.as_deref();
    let places = files::levels(files::load(&args.places)?, map, "places")?;
    let points = files::levels(files::load(&args.nav)?, map, "navigation points")?;
    let play: BTreeMap<String, Vec<Session>> = match args.play.is_empty() {
        true => BTreeMap::new(),
        false => movement::by_map(movement::load(&args.play)?, map)?
            .into_iter()
            .map(|(map, recorded)| (map, recorded.iter().map(Recorded::session).collect()))
            .collect(),
    };
    let rows = compare_maps(places, points, &play)?;
    if args.json {
        return output::json(&Report { mean: mean(&rows)?, maps: &rows });
    }
    output::text(&table(&rows))
}

/// Every number on average over the maps; the map's name if there is only one.
fn mean(rows: &[ComparedMap]) -> Result<serde_json::Map<String, serde_json::Value>> {
    let mut means = serde_json::Map::new();
    if let [one] = rows {
        means.insert("map".to_owned(), one.map.clone().into());
    }
    let values = rows.iter().map(serde_json::to_value).collect::<Result<Vec<_>, _>>()?;
    for key in values.iter().filter_map(|value| value.as_object()).flat_map(|object| object.keys()) {
        if key == "map" || means.contains_key(key) {
            continue;
        }
        let numbers: Vec<f64> = values.iter().filter_map(|value| value.get(key)?.as_f64()).collect();
        let whole = values.iter().all(|value| value.get(key).is_none_or(|x| x.is_u64()));
        if let ([_], [only]) = (rows, &values[..]) {
            means.insert(key.clone(), only.get(key).cloned().unwrap_or_default());
        } else if !numbers.is_empty() {
            let mean = numbers.iter().sum::<f64>() / numbers.len() as f64;
            let mean = if whole { (mean * 10.0).round() / 10.0 } else { mean };
            means.insert(key.clone(), mean.into());
        }
    }
    Ok(means)
}

fn table(rows: &[ComparedMap]) -> String {
    let has_play = rows.iter().any(|row| row.play.is_some());
    let mut head = vec!["map", "nodes", "points", "sensitivity", "specificity", "to nodes", "to points"];
    if has_play {
        head.extend(["players", "to points", "along links"]);
    }
    let mut lines = vec![head.iter().map(|&cell| cell.to_owned()).collect::<Vec<_>>()];
    let number = |x: Option<f64>, times: f64, digits: usize| {
        x.map_or("-".to_owned(), |x| format!("{:.digits$}", times * x))
    };
    for row in rows {
        let c = &row.comparison;
        let mut line = vec![
            if row.map.is_empty() { "(no name)".to_owned() } else { row.map.clone() },
            c.nodes.to_string(),
            c.navigation_points.to_string(),
            number(c.sensitivity, 1e5, 3),
            number(c.specificity, 1e3, 3),
            number(c.mean_distance_to_nodes, 1.0, 1),
            number(c.mean_distance_to_navigation_points, 1.0, 1),
        ];
        if let Some(play) = &row.play {
            line.push(format!("{:.1}", play.mean_distance_from_players));
            line.push(format!("{:.1}", play.mean_distance_from_players_to_navigation_points));
            line.push(format!("{:.1} %", 100.0 * play.changes_along_links));
        }
        lines.push(line);
    }
    draw::columns(&lines)
}
