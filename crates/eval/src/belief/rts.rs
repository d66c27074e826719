//! The way of a unit from a few sightings and its two ends, on real-time strategy maps.
//!
//! After Southey, Loh and Wilkinson 2007, as told by Beaulac 2013, section 4.2. The maps are real, the ways are not: a unit
//! runs the cheapest way over cells whose costs are drawn at random, with pauses. Watchers stand at random and see around
//! them; a unit is seen when its cell is. Its start and destination are known.

use rayon::prelude::*;
use repertoire_belief::observe::visible_share;
use repertoire_belief::score::{Score, Scorer};
use repertoire_belief::shortest::Shortest;
use repertoire_belief::{Distances, Dynamics, Graph, best_path, filter_all, smooth, with_ends};
use repertoire_prob::Stream;
use repertoire_prob::num::{exp, ln};
use serde::Serialize;

use super::BeliefError;
use crate::Interval;

/// How units and watchers are drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RtsSettings {
    /// How many units walk on each map.
    pub units: usize,
    /// How many watchers.
    pub watchers: usize,
    /// How far they see, in cells.
    pub sight: f64,
    /// The same seed repeats the measurement.
    pub seed: u64,
}

impl Default for RtsSettings {
    fn default() -> Self {
        RtsSettings { units: 40, watchers: 6, sight: 20.0, seed: 1 }
    }
}

/// How well ways on a map were told in one way, over the steps in which units are not seen.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Row {
    /// The map's name.
    pub map: String,
    /// How many places its blocks make.
    pub places: usize,
    /// How many units had a way that could be measured.
    pub units: usize,
    /// What tells where the unit is.
    pub told_by: &'static str,
    /// Mean distance from the guess of least expected distance, in cells.
    pub distance_cells: f64,
    /// Half the width of its 95 % interval; none with fewer than two units.
    pub distance_half_width: Option<f64>,
    /// Mean log-loss, in nats.
    pub log_loss: f64,
    /// How often the truth lies in the 90 % set.
    pub in_90: f64,
    /// Mean distance of the most likely way, where it was asked for.
    pub best_way_distance_cells: Option<f64>,
    /// Always true: the maps are real, the ways are not.
    pub synthetic_trajectories: bool,
}

/// A map's cells, gathered into blocks that are places.
pub struct Field {
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

/// Tells the ways of units on a map in four ways, in a row each.
pub fn tell(map: &str, field: &Field, settings: &RtsSettings) -> Vec<Row> {
    let distances = field.graph.distances();
    let units: Vec<Vec<Vec<Score>>> = (0..settings.units)
        .into_par_iter()
        .map(|k| one_unit(settings, field, &distances, k as u64))
        .collect();
    let done: Vec<&Vec<Vec<Score>>> = units.iter().filter(|unit| !unit.is_empty()).collect();
    let row = |(k, told_by): (usize, &'static str)| {
        let per_unit = |value: &dyn Fn(&Score) -> f64| {
            let means: Vec<f64> = done
                .iter()
                .filter(|unit| !unit[k].is_empty())
                .map(|unit| unit[k].iter().map(value).sum::<f64>() / unit[k].len() as f64)
                .collect();
            Interval::of(&means)
        };
        let far = per_unit(&|s| s.expected_distance);
        Row {
            map: map.to_owned(),
            places: field.cells.len(),
            units: done.len(),
            told_by,
            distance_cells: far.mean,
            distance_half_width: far.half_width,
            log_loss: per_unit(&|s| s.log_loss).mean,
            in_90: per_unit(&|s| f64::from(u8::from(s.in_90))).mean,
            best_way_distance_cells: (k == 3).then(|| per_unit(&|s| s.mode_distance).mean),
            synthetic_trajectories: true,
        }
    };
    TOLD.into_iter().enumerate().map(row).collect()
}

impl Field {
    /// Reads a map of MovingAI's format: `.` and `G` are free, everything else is blocked. `block` is the side of a place, in
    /// cells.
    ///
    /// # Errors
    /// When it is no such map, or its blocks make fewer than 2 or more than 20000 places.
    pub fn read(text: &str, block: usize) -> Result<Self, BeliefError> {
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
            return Err(BeliefError::Grid("its height and width must be between 1 and 4096".to_owned()));
        }
        let mut free = Vec::with_capacity(width * height);
        for line in lines.take(height) {
            let row = line.as_bytes();
            if row.len() < width {
                return Err(BeliefError::Grid(format!(
                    "row {} has {} cells, the width is {width}",
                    free.len() / width,
                    row.len()
                )));
            }
            free.extend(row[..width].iter().map(|&cell| cell == b'.' || cell == b'G'));
        }
        if free.len() != width * height {
            let rows = free.len() / width;
            return Err(BeliefError::Grid(format!("there are {rows} rows, the height is {height}")));
        }
        let field = Self::gather(width, free, block.max(1));
        if field.cells.len() < 2 || field.cells.len() > 20_000 {
            let places = field.cells.len();
            return Err(BeliefError::Grid(format!("its blocks make {places} places, 2 to 20000 are needed")));
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

    /// How many places its blocks make.
    pub fn places(&self) -> usize {
        self.cells.len()
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
fn one_unit(settings: &RtsSettings, field: &Field, distances: &Distances, number: u64) -> Vec<Vec<Score>> {
    let mut rng = Stream::new(settings.seed, number, "belief rts");
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
    let watchers: Vec<(f64, f64)> = (0..settings.watchers)
        .map(|_| {
            let cell = pick(&mut rng) as usize;
            ((cell % field.width) as f64, (cell / field.width) as f64)
        })
        .collect();
    let in_view = |cell: u32| {
        let (x, y) = ((cell as usize % field.width) as f64, (cell as usize / field.width) as f64);
        watchers
            .iter()
            .any(|&(wx, wy)| (x - wx) * (x - wx) + (y - wy) * (y - wy) <= settings.sight * settings.sight)
    };
    let share =
        |cells: &Vec<u32>| visible_share(cells.iter().filter(|&&cell| in_view(cell)).count(), cells.len());
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
    let (Ok(known), Ok(ends_only)) = (with_ends(&sightings, start, end), with_ends(&blind, start, end))
    else {
        return Vec::new();
    };
    let told = [Ok(even), filtered, smooth(&aimed, &ends_only), smooth(&aimed, &known)];
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
