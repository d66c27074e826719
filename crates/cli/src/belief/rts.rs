//! `repertoire belief rts`: the way of a unit from a few sightings and its two ends, on real-time strategy maps.
//!
//! After Southey, Loh and Wilkinson 2007, as told by Beaulac 2013, section 4.2. The maps are real, the ways are not: a unit
//! runs the cheapest way over cells whose costs are drawn at random, with pauses.

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use clap::Args as ClapArgs;
use rayon::prelude::*;
use repertoire_belief::score::{Score, Scorer};
use repertoire_belief::shortest::Shortest;
use repertoire_belief::{Distances, Dynamics, Graph, best_path, filter_all, smooth, with_ends};
use repertoire_prob::Stream;
use repertoire_prob::num::{exp, ln};
use serde_json::{Value, json};

use super::data;
use crate::{draw, output};

/// Infer units' ways from partial sightings with known ends, on maps of MovingAI's format (synthetic ways)
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Places are blocks of the map's cells, parted where walls part them. Watchers stand at random and see around them; a unit is seen
when its cell is. Its start and destination are known. Trajectories are synthetic: the maps are real, the ways are not.

Example: repertoire belief rts gnollwood.map.gz losttemple.map.gz --units 40")]
pub struct Args {
    /// Maps: `.` free, anything else blocked; plain or gzip
    #[arg(required = true)]
    maps: Vec<PathBuf>,

    /// How many units a map
    #[arg(long, default_value_t = 40)]
    units: usize,

    /// How many watchers
    #[arg(long, default_value_t = 6)]
    watchers: usize,

    /// How far watchers see, in cells
    #[arg(long, default_value_t = 20.0)]
    sight: f64,

    /// The side of a block, in cells
    #[arg(long, default_value_t = 8, value_parser = clap::value_parser!(u32).range(2..=64))]
    block: u32,

    /// The seed
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// Answer as JSON
    #[arg(long)]
    json: bool,
}

/// A map's cells and the blocks they are gathered into.
struct Field {
    width: usize,
    free: Vec<bool>,
    /// The place of each cell, or none.
    place: Vec<u32>,
    /// The cells of each place.
    cells: Vec<Vec<u32>>,
    graph: Graph,
}

const NOWHERE: u32 = u32::MAX;
/// Cells a second.
const SPEED: f64 = 4.0;

const TOLD: [&str; 4] = [
    "shortest way at even speed",
    "filter, destination unknown",
    "smoothing, ends only",
    "smoothing, ends and sightings",
];

pub(super) fn run(args: &Args) -> Result<()> {
    let mut lines = vec![
        ["map", "told by", "dist (cells)", "", "log-loss", "90 %", "best way"].map(str::to_owned).to_vec(),
    ];
    let mut rows: Vec<Value> = Vec::new();
    for path in &args.maps {
        let field = Field::read(path, args.block as usize)?;
        let distances = field.graph.distances();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let units: Vec<Vec<Vec<Score>>> = (0..args.units)
            .into_par_iter()
            .map(|k| one_unit(args, &field, &distances, k as u64))
            .collect::<Vec<_>>();
        let done: Vec<&Vec<Vec<Score>>> = units.iter().filter(|unit| !unit.is_empty()).collect();
        for (k, told) in TOLD.iter().enumerate() {
            let per_unit = |value: &dyn Fn(&Score) -> f64| -> Vec<f64> {
                done.iter()
                    .filter(|unit| !unit[k].is_empty())
                    .map(|unit| unit[k].iter().map(value).sum::<f64>() / unit[k].len() as f64)
                    .collect()
            };
            let far = repertoire_eval::interval::Interval::of(&per_unit(&|s| s.expected_distance));
            let loss = repertoire_eval::interval::Interval::of(&per_unit(&|s| s.log_loss)).mean;
            let in_90 =
                repertoire_eval::interval::Interval::of(&per_unit(&|s| f64::from(u8::from(s.in_90)))).mean;
            let best = repertoire_eval::interval::Interval::of(&per_unit(&|s| s.mode_distance)).mean;
            rows.push(json!({ "map": name, "places": field.cells.len(), "units": done.len(), "told_by": told,
                "distance_cells": far.mean, "distance_half_width": far.half_width, "log_loss": loss, "in_90": in_90,
                "best_way_distance_cells": (k == 3).then_some(best), "synthetic_trajectories": true }));
            lines.push(vec![
                if k == 0 { format!("{name} ({} places)", field.cells.len()) } else { String::new() },
                (*told).to_owned(),
                format!("{:.1}", far.mean),
                format!("± {:.1}", far.half_width.unwrap_or(0.0)),
                format!("{loss:.2}"),
                format!("{:.0} %", 100.0 * in_90),
                if k == 3 { format!("{best:.1}") } else { String::new() },
            ]);
        }
    }
    if args.json {
        return output::json(&rows);
    }
    output::text(&format!(
        "synthetic ways on real maps, steps in which the unit is not seen\n{}",
        draw::columns(&lines)
    ))
}

impl Field {
    fn read(path: &Path, block: usize) -> Result<Self> {
        let bytes = data::read(path)?;
        let text = String::from_utf8_lossy(&bytes);
        let wrong = |what: &str| {
            format!(
                "{}: {what}\n  remedy: give a map of MovingAI's format: type, height, width, map, then rows",
                path.display()
            )
        };
        let mut lines = text.lines();
        let (mut height, mut width) = (0usize, 0usize);
        for line in lines.by_ref() {
            let line = line.trim();
            if let Some(rest) = line.strip_prefix("height ") {
                height = rest.trim().parse().unwrap_or(0);
            } else if let Some(rest) = line.strip_prefix("width ") {
                width = rest.trim().parse().unwrap_or(0);
            } else if line == "map" {
                break;
            }
        }
        if height == 0 || width == 0 || height > 4096 || width > 4096 {
            bail!("{}", wrong("its height and width must be between 1 and 4096"));
        }
        let mut free = Vec::with_capacity(width * height);
        for line in lines.take(height) {
            let row = line.as_bytes();
            if row.len() < width {
                bail!(
                    "{}",
                    wrong(&format!(
                        "row {} has {} cells, the width is {width}",
                        free.len() / width,
                        row.len()
                    ))
                );
            }
            free.extend(row[..width].iter().map(|&cell| cell == b'.' || cell == b'G'));
        }
        if free.len() != width * height {
            bail!("{}", wrong(&format!("there are {} rows, the height is {height}", free.len() / width)));
        }
        let field = Self::gather(width, free, block);
        if field.cells.len() < 2 || field.cells.len() > 20_000 {
            bail!(
                "{}",
                wrong(&format!("its blocks make {} places, 2 to 20000 are needed", field.cells.len()))
            );
        }
        Ok(field)
    }

    /// Cells that hang together within a block make a place.
    fn gather(width: usize, free: Vec<bool>, block: usize) -> Self {
        let mut place = vec![NOWHERE; free.len()];
        let mut cells: Vec<Vec<u32>> = Vec::new();
        for start in 0..free.len() {
            if !free[start] || place[start] != NOWHERE {
                continue;
            }
            let id = cells.len() as u32;
            let of = |cell: usize| (cell % width / block, cell / width / block);
            let (mut stack, mut members) = (vec![start], Vec::new());
            place[start] = id;
            while let Some(cell) = stack.pop() {
                members.push(cell as u32);
                for next in around(cell, width, free.len()) {
                    if free[next] && place[next] == NOWHERE && of(next) == of(start) {
                        place[next] = id;
                        stack.push(next);
                    }
                }
            }
            cells.push(members);
        }
        let centre = |members: &Vec<u32>| {
            let n = members.len() as f64;
            let sum =
                |f: &dyn Fn(usize) -> usize| members.iter().map(|&cell| f(cell as usize) as f64).sum::<f64>();
            [sum(&|cell| cell % width) / n, -sum(&|cell| cell / width) / n, 0.0]
        };
        let mut links: Vec<Vec<u32>> = vec![Vec::new(); cells.len()];
        for cell in (0..free.len()).filter(|&cell| free[cell]) {
            for next in around(cell, width, free.len()) {
                if free[next] && place[next] != place[cell] {
                    links[place[cell] as usize].push(place[next]);
                }
            }
        }
        for row in &mut links {
            row.sort_unstable();
            row.dedup();
        }
        let graph = Graph {
            ids: (0..cells.len() as u32).collect(),
            centres: cells.iter().map(centre).collect(),
            names: vec![String::new(); cells.len()],
            links,
        };
        Field { width, free, place, cells, graph }
    }

    /// The cheapest way over cells with random costs.
    fn way(&self, from: u32, to: u32, rng: &mut Stream) -> Option<Vec<u32>> {
        let cost: Vec<u32> = self.free.iter().map(|_| 10 + (-8.0 * ln(1.0 - rng.unit())) as u32).collect();
        let mut ways = Shortest::new(self.free.len());
        ways.search(from, Some(to), |cell| {
            let free = around(cell as usize, self.width, self.free.len()).filter(|&next| self.free[next]);
            free.map(|next| (next as u32, cost[next]))
        });
        ways.way(to)
    }
}

/// The four neighbours of a cell.
fn around(cell: usize, width: usize, cells: usize) -> impl Iterator<Item = usize> {
    let x = cell % width;
    let left = (x > 0).then(|| cell - 1);
    let right = (x + 1 < width).then_some(cell + 1);
    let up = cell.checked_sub(width);
    let down = Some(cell + width).filter(|&down| down < cells);
    [left, right, up, down].into_iter().flatten()
}

/// Scores of all that tell, over the steps in which the unit is not seen; empty where no way was found.
fn one_unit(args: &Args, field: &Field, distances: &Distances, number: u64) -> Vec<Vec<Score>> {
    let mut rng = Stream::new(args.seed, number, "belief rts");
    let open: Vec<u32> = (0..field.free.len() as u32).filter(|&cell| field.free[cell as usize]).collect();
    let pick = |rng: &mut Stream| open[(rng.unit() * open.len() as f64) as usize];
    let mut found = None;
    for _ in 0..20 {
        let (from, to) = (pick(&mut rng), pick(&mut rng));
        let far = distances.between(field.place[from as usize] as usize, field.place[to as usize] as usize);
        if far > 60.0
            && far < 400.0
            && let Some(way) = field.way(from, to, &mut rng)
        {
            found = Some(way);
            break;
        }
    }
    let Some(way) = found else { return Vec::new() };
    // One position a second; now and then the unit waits.
    let (mut truth, mut at) = (Vec::new(), 0.0);
    while (at as usize) < way.len() && truth.len() < 2000 {
        truth.push(way[at as usize]);
        at += if rng.unit() < 0.1 { 0.0 } else { SPEED * (0.8 + 0.4 * rng.unit()) };
    }
    truth.push(way[way.len() - 1]);
    let watchers: Vec<(f64, f64)> = (0..args.watchers)
        .map(|_| {
            let cell = pick(&mut rng) as usize;
            ((cell % field.width) as f64, (cell / field.width) as f64)
        })
        .collect();
    let in_view = |cell: u32| {
        let (x, y) = ((cell as usize % field.width) as f64, (cell as usize / field.width) as f64);
        watchers.iter().any(|&(wx, wy)| (x - wx) * (x - wx) + (y - wy) * (y - wy) <= args.sight * args.sight)
    };
    let share =
        |cells: &Vec<u32>| cells.iter().filter(|&&cell| in_view(cell)).count() as f64 / cells.len() as f64;
    let visible: Vec<f64> = field.cells.iter().map(share).collect();
    let places: Vec<usize> = truth.iter().map(|&cell| field.place[cell as usize] as usize).collect();
    let seen: Vec<bool> = truth.iter().map(|&cell| in_view(cell)).collect();
    let n = field.cells.len();
    let sightings: Vec<Vec<f64>> = places
        .iter()
        .zip(&seen)
        .map(|(&place, &seen)| {
            let row = (0..n).map(|s| if seen { f64::from(u8::from(s == place)) } else { 1.0 - visible[s] });
            row.collect()
        })
        .collect();
    let (start, end) = (places[0], places[places.len() - 1]);
    let (Some(aimed), Some(aimless)) =
        (dynamics(field, distances, Some(end)), dynamics(field, distances, None))
    else {
        return Vec::new();
    };
    let blind = vec![vec![1.0; n]; places.len()];
    let from_start = |likelihood: &[Vec<f64>]| {
        let mut known = likelihood.to_vec();
        known[0] = (0..n).map(|s| f64::from(u8::from(s == start))).collect();
        known
    };
    let even = even_speed(distances, &field.graph, start, end, places.len());
    let filtered = filter_all(&aimless, &from_start(&sightings)).map(|(posterior, _)| posterior);
    let known = with_ends(&sightings, start, end);
    let told = [Ok(even), filtered, smooth(&aimed, &with_ends(&blind, start, end)), smooth(&aimed, &known)];
    let Ok(best) = best_path(&aimed, &known) else { return Vec::new() };
    let mut scorer = Scorer::default();
    let mut scores = Vec::new();
    for (k, told) in told.iter().enumerate() {
        let Ok(told) = told else { return Vec::new() };
        let hidden = (0..places.len()).filter(|&t| !seen[t] && t > 0 && t + 1 < places.len());
        let score = |t: usize| {
            let mut score = scorer.score(&told[t], places[t], distances);
            if k == 3 {
                score.mode_distance = distances.between(best.places[t] as usize, places[t]);
            }
            score
        };
        scores.push(hidden.map(score).collect());
    }
    scores
}

/// How a unit moves: to blocks nearer to its destination if that is known, otherwise to any; a block takes as long as it is wide.
fn dynamics(field: &Field, distances: &Distances, destination: Option<usize>) -> Option<Dynamics> {
    let n = field.cells.len();
    let exits = |s: usize| {
        let weigh = |&to: &u32| {
            let to = to as usize;
            let nearer = destination.map_or(0.0, |end| {
                distances.between(to, end) + distances.between(s, to) - distances.between(s, end)
            });
            (to as u32, exp(-nearer / 2.0))
        };
        let mut row: Vec<(u32, f64)> = field.graph.links[s].iter().map(weigh).collect();
        let total: f64 = row.iter().map(|exit| exit.1).sum();
        row.iter_mut().for_each(|exit| exit.1 /= total);
        row
    };
    // The wider the block, the longer the stay; corners are cut quickly. The destination is not left.
    let endings =
        |s: usize| {
            let side = (field.cells[s].len() as f64).sqrt();
            let mean = (side / SPEED / 0.9).max(0.5);
            (1..=8)
                .map(|e| {
                    if destination == Some(s) { 0.0 } else { 1.0 / (1.0 + exp(-2.2 * (f64::from(e) - mean))) }
                })
                .collect::<Vec<f64>>()
        };
    let exits: Vec<Vec<(u32, f64)>> = (0..n).map(exits).collect();
    let endings: Vec<Vec<f64>> = (0..n).map(endings).collect();
    Dynamics::from_endings(&vec![1.0 / n as f64; n], &exits, &endings, 8).ok()
}

/// The shortest way, each step as far along it as time has passed.
fn even_speed(distances: &Distances, graph: &Graph, start: usize, end: usize, steps: usize) -> Vec<Vec<f64>> {
    let mut way = vec![start];
    let mut at = start;
    while at != end && way.len() < graph.len() {
        let through = |&&to: &&u32| graph.straight(at, to as usize) + distances.between(to as usize, end);
        let Some(&next) = graph.links[at].iter().min_by(|a, b| through(a).total_cmp(&through(b))) else {
            break;
        };
        at = next as usize;
        way.push(at);
    }
    let whole = distances.between(start, end).max(1e-9);
    let place = |t: usize| {
        let part = whole * t as f64 / (steps - 1).max(1) as f64;
        let gone = |&&s: &&usize| whole - distances.between(s, end) <= part + 1e-6;
        *way.iter().rev().find(gone).unwrap_or(&start)
    };
    (0..steps)
        .map(|t| {
            let mut row = vec![0.0; graph.len()];
            row[place(t)] = 1.0;
            row
        })
        .collect()
}
