//! How fast a belief is updated: against `hmmlearn` on the same chain, against only reading and writing that much memory,
//! and how it grows.

use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};
use rayon::prelude::*;
use repertoire_belief::{Dynamics, Filter};
use repertoire_prob::Stream;
use repertoire_prob::num::ln;
use serde_json::{Value, json};

use crate::Line;
use crate::peers::Scratch;
use crate::timing::{median, ns_per};

/// Places in a ring with chords: `exits` exits each, and stays of up to `slots` steps that may end at any of them.
fn dynamics(places: usize, slots: usize, exits: usize, seed: u64) -> Result<Dynamics> {
    let mut rng = Stream::new(seed, 0, "belief bench");
    let row = |s: usize, rng: &mut Stream| {
        let mut row: Vec<(u32, f64)> = (1..=exits)
            .map(|k| (((s + k * k * 7 + 1) % places) as u32, rng.unit() + 0.1))
            .filter(|exit| exit.0 as usize != s)
            .collect();
        row.sort_by_key(|exit| exit.0);
        row.dedup_by_key(|exit| exit.0);
        let total: f64 = row.iter().map(|exit| exit.1).sum();
        row.iter_mut().for_each(|exit| exit.1 /= total);
        row
    };
    let rows: Vec<Vec<(u32, f64)>> = (0..places).map(|s| row(s, &mut rng)).collect();
    let mut chances = |_| -> Vec<f64> {
        (1..=slots).map(|e| if e == slots { 1.0 } else { 0.02 + 0.1 * rng.unit() }).collect()
    };
    let endings: Vec<Vec<f64>> = (0..places).map(&mut chances).collect();
    Ok(Dynamics::from_endings(&vec![1.0 / places as f64; places], &rows, &endings, slots)?)
}

/// A tenth of the places are in view, others each step.
fn likelihoods(places: usize, steps: usize) -> Vec<Vec<f64>> {
    let mut rng = Stream::new(7, 0, "belief bench views");
    let mut row = |_| (0..places).map(|_| if rng.unit() < 0.1 { 0.1 } else { 1.0 }).collect::<Vec<f64>>();
    (0..steps).map(&mut row).collect()
}

/// A filter whose belief is everywhere, for as long as stays can last.
fn spread(dynamics: &Dynamics) -> Result<Filter> {
    let ones = vec![1.0; dynamics.places()];
    let mut filter = Filter::of(dynamics);
    filter.begin(dynamics.initial(), &ones)?;
    for _ in 0..2 * dynamics.slots() {
        filter.step(dynamics, &ones)?;
    }
    Ok(filter)
}

/// Nanoseconds of an update of a belief that is everywhere; the least of several rounds, since others' work only adds.
fn update_ns(dynamics: &Dynamics, rounds: usize) -> Result<f64> {
    let mut filter = spread(dynamics)?;
    let views = likelihoods(dynamics.places(), 8);
    let updates = (2_000_000 / (dynamics.places() * dynamics.slots())).clamp(8, 4000);
    let mut least = f64::INFINITY;
    for _ in 0..rounds {
        let ns = ns_per(updates, 1, || {
            for t in 0..updates {
                if filter.step(dynamics, &views[t % 8]).is_err() {
                    return f64::NAN;
                }
            }
            filter.belief()[0]
        });
        least = least.min(ns);
    }
    Ok(least)
}

/// One update. What is measured cannot be impossible: nothing is ever ruled out.
fn go(filter: &mut Filter, dynamics: &Dynamics, likelihood: &[f64]) {
    let done = filter.step(dynamics, likelihood);
    debug_assert!(done.is_ok());
}

/// The slope on logarithmic axes.
fn exponent(points: &[(f64, f64)]) -> f64 {
    let logs: Vec<(f64, f64)> = points.iter().map(|&(x, y)| (ln(x), ln(y))).collect();
    let n = logs.len() as f64;
    let (mx, my) = (logs.iter().map(|p| p.0).sum::<f64>() / n, logs.iter().map(|p| p.1).sum::<f64>() / n);
    let up: f64 = logs.iter().map(|(x, y)| (x - mx) * (y - my)).sum();
    up / logs.iter().map(|(x, _)| (x - mx) * (x - mx)).sum::<f64>()
}

/// What was measured beside ratios.
pub struct Growth {
    what: &'static str,
    exponent: Option<f64>,
    points: Vec<(f64, f64)>,
}

impl Growth {
    /// Sizes and nanoseconds, with their slope on logarithmic axes.
    pub fn new(what: &'static str, points: Vec<(f64, f64)>) -> Self {
        Growth { what, exponent: Some(exponent(&points)), points }
    }

    /// As JSON.
    pub fn json(&self) -> Value {
        json!({ "what": self.what, "exponent": self.exponent, "points_size_ns": self.points })
    }
}

/// An update against a pass over as much memory, in turns.
pub fn against_memory(quick: bool) -> Result<Vec<Line>> {
    let (places, slots) = if quick { (100, 20) } else { (1118, 60) };
    let dynamics = dynamics(places, slots, 6, 1)?;
    let mut filter = spread(&dynamics)?;
    let views = likelihoods(places, 8);
    // What an update goes through: the belief, read and written, and the chances that stays end, read.
    let (mut memory, chances) = (vec![1.0f64; places * slots], vec![1e-9f64; places * slots]);
    let (mut ours, mut pass, mut alone) = (Vec::new(), Vec::new(), Vec::new());
    for round in 0..if quick { 3 } else { 60 } {
        let times = 20;
        ours.push(ns_per(times, 1, || {
            for t in 0..times {
                if filter.step(&dynamics, &views[(round + t) % 8]).is_err() {
                    return f64::NAN;
                }
            }
            filter.belief()[0]
        }));
        pass.push(ns_per(times, 1, || {
            for _ in 0..times {
                let both = std::hint::black_box(&mut memory).iter_mut().zip(std::hint::black_box(&chances));
                both.for_each(|(cell, chance)| *cell += chance);
            }
            memory[0]
        }));
        alone.push(ns_per(times, 1, || {
            for t in 0..times {
                let factor = if t % 2 == 0 { 0.5 } else { 2.0 };
                std::hint::black_box(&mut memory).iter_mut().for_each(|cell| *cell *= factor);
            }
            memory[0]
        }));
    }
    let allocations = allocation_counter::measure(|| go(&mut filter, &dynamics, &views[0])).count_total;
    let line = |other: &str, ours_ns: f64, other_ns: f64| Line {
        scenario: format!("belief {places} places x {slots}"),
        ours: "update",
        ours_ns,
        other: other.to_owned(),
        other_ns,
        allocations: Some(allocations),
    };
    let least = |times: &[f64]| times.iter().copied().fold(f64::INFINITY, f64::min);
    Ok(vec![
        line("pass over belief and chances (least)", least(&ours), least(&pass)),
        line("pass over the belief alone (least)", least(&ours), least(&alone)),
        line("pass over belief and chances (median)", median(ours), median(pass)),
    ])
}

/// How an update grows with places, with durations, and with how far the belief has spread; many trackers at once.
pub fn growth(quick: bool) -> Result<Vec<Growth>> {
    let rounds = if quick { 1 } else { 7 };
    let sizes: &[usize] = if quick { &[50, 100] } else { &[250, 500, 1000, 2000, 4000] };
    let mut places = Vec::new();
    for &n in sizes {
        places.push((n as f64, update_ns(&dynamics(n, 30, 6, 1)?, rounds)?));
    }
    let sizes: &[usize] = if quick { &[5, 10] } else { &[15, 30, 60, 120, 240] };
    let mut durations = Vec::new();
    for &d in sizes {
        durations.push((d as f64, update_ns(&dynamics(1000, d, 6, 1)?, rounds)?));
    }
    Ok(vec![
        Growth {
            what: "update, by places (30 durations)",
            exponent: Some(exponent(&places)),
            points: places,
        },
        Growth {
            what: "update, by durations (1000 places)",
            exponent: Some(exponent(&durations)),
            points: durations,
        },
        sparse(quick)?,
        many(quick)?,
    ])
}

/// The same belief on ever wider maps: seen five steps ago.
fn sparse(quick: bool) -> Result<Growth> {
    let sizes: &[usize] = if quick { &[1000, 2000] } else { &[1000, 10_000, 100_000] };
    let mut points = Vec::new();
    for &n in sizes {
        let dynamics = dynamics(n, 30, 3, 1)?;
        let (mut there, ones) = (vec![0.0; n], vec![1.0; n]);
        there[5] = 1.0;
        let mut filter = Filter::of(&dynamics);
        filter.begin(&there, &there)?;
        (0..4).for_each(|_| go(&mut filter, &dynamics, &ones));
        let mut least = f64::INFINITY;
        for _ in 0..if quick { 2 } else { 200 } {
            let mut again = filter.clone();
            least = least.min(ns_per_once(|| go(&mut again, &dynamics, &ones)));
        }
        points.push((n as f64, least));
    }
    Ok(Growth {
        what: "update 5 steps after a sighting, by places of the map",
        exponent: Some(exponent(&points)),
        points,
    })
}

fn ns_per_once(mut work: impl FnMut()) -> f64 {
    // `ns_per` warms up with one call more, which would move the belief on.
    crate::timing::secs(&mut work) * 1e9
}

/// Thousands of trackers at once, on all cores: nanoseconds a tracker.
fn many(quick: bool) -> Result<Growth> {
    let dynamics = dynamics(150, 20, 6, 1)?;
    let ones = vec![1.0; 150];
    let mut points = Vec::new();
    for count in if quick { vec![10, 20] } else { vec![1000, 5000] } {
        let mut trackers = vec![spread(&dynamics)?; count];
        let mut least = f64::INFINITY;
        for _ in 0..if quick { 1 } else { 9 } {
            let secs = crate::timing::secs(|| {
                trackers.par_chunks_mut(64).for_each(|chunk| {
                    chunk.iter_mut().for_each(|filter| go(filter, &dynamics, &ones));
                });
            });
            least = least.min(secs * 1e9 / count as f64);
        }
        points.push((count as f64, least));
    }
    Ok(Growth { what: "update of one of many trackers (150 places x 20), all cores", exponent: None, points })
}

/// `hmmlearn`'s forward pass on the chain of (place, steps in it), its posteriors compared with ours.
pub fn hmmlearn(quick: bool) -> Result<Vec<Line>> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR")).join("peers");
    let python = here.join(".venv/bin/python");
    if !python.exists() {
        bail!("the peers have no environment yet\n  remedy: cargo xtask setup");
    }
    let (places, slots, steps) = if quick { (10, 4, 12) } else { (100, 20, 40) };
    let dynamics = dynamics(places, slots, places - 1, 3)?;
    let views = likelihoods(places, steps);
    let exits: Vec<Vec<(usize, f64)>> = (0..places).map(|s| dynamics.exits(s).collect()).collect();
    let endings: Vec<Vec<f64>> =
        (0..places).map(|s| (1..=slots).map(|e| dynamics.ending(s, e)).collect()).collect();
    let asked = json!({ "initial": dynamics.initial(), "exits": exits, "endings": endings, "likelihood": views,
        "repeat": if quick { 1 } else { 5 } });
    let file = Scratch::new(&asked.to_string())?;
    let output = Command::new(&python)
        .arg(here.join("hmmlearn_peer.py"))
        .arg(&file.0)
        .stderr(Stdio::inherit())
        .output()
        .with_context(|| format!("{} could not be run", python.display()))?;
    if !output.status.success() {
        bail!("the hmmlearn peer failed: its message is above");
    }
    let answered: Value =
        serde_json::from_slice(&output.stdout).context("the hmmlearn peer did not answer in JSON")?;
    let (posterior, _) = repertoire_belief::filter_all(&dynamics, &views)?;
    for (t, row) in posterior.iter().enumerate() {
        for (s, p) in row.iter().enumerate() {
            let theirs = answered["posterior"][t][s].as_f64().context("posterior")?;
            if (p - theirs).abs() > 1e-9 {
                bail!("step {t}, place {s}: we believe {p}, hmmlearn {theirs}");
            }
        }
    }
    let ours_ns = update_ns(&dynamics, if quick { 1 } else { 15 })?;
    let line = |what: &str, key: &str| -> Result<Line> {
        Ok(Line {
            scenario: format!("belief {places} places x {slots}"),
            ours: "update",
            ours_ns,
            other: format!("hmmlearn {} {what}", answered["version"].as_str().unwrap_or_default()),
            other_ns: answered[key].as_f64().context("ns")?,
            allocations: Some(0),
        })
    };
    Ok(vec![
        line("forward pass", "forward_ns_per_step")?,
        line("score_samples", "score_samples_ns_per_step")?,
    ])
}

/// Prints how it grows.
pub fn print(title: &str, growth: &[Growth]) {
    println!("\n{title}");
    for one in growth {
        let points: Vec<String> =
            one.points.iter().map(|(x, ns)| format!("{x}: {:.2} us", ns / 1000.0)).collect();
        let exponent = one.exponent.map_or(String::new(), |exponent| format!("exponent {exponent:.2}; "));
        println!("  {}: {exponent}{}", one.what, points.join(", "));
    }
}
