//! `repertoire arena seek`: how soon a character finds and fights an opponent out of sight, with and without belief.

use anyhow::{Result, bail};
use clap::Args as ClapArgs;
use indicatif::{ProgressBar, ProgressStyle};
use repertoire_eval::Interval;
use repertoire_eval::seek::{Found, Seek, seek};
use repertoire_worlds::arena::rules::Rules;
use serde_json::{Value, json};

use super::{maps, roster};
use crate::{draw, output};

/// Measure how soon characters find and fight an opponent they cannot see
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Duels of each seeker against the same opponent, from the same beginnings. Seconds until the opponent is first in view, until it is
first hit, and from losing it to having it in view again; the share of time in view; kills in a minute. The last seeker is
compared with the first, duel by duel, with 95 % intervals.

Examples:
  repertoire arena seek
  repertoire arena seek --seeker native:3 --seeker native:3+belief --opponent native:3 --map keep --trials 400")]
pub struct Args {
    /// Who seeks; may be given several times [default: native:3, native:3+belief]
    #[arg(long = "seeker", value_name = "NAME[:LEVEL]")]
    seekers: Vec<String>,

    /// Whom they seek
    #[arg(long, value_name = "NAME[:LEVEL]", default_value = "native:3")]
    opponent: String,

    /// Where; may be given several times [default: halls, keep, yard]
    #[arg(long = "map", value_name = "NAME|FILE")]
    maps: Vec<String>,

    /// Duels on each map
    #[arg(long, default_value_t = 200)]
    trials: u32,

    /// Seconds of the game in each
    #[arg(long, default_value_t = 60.0)]
    seconds: f64,

    /// Random seed; the same seed repeats the duels
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// Answer as JSON
    #[arg(long)]
    json: bool,
}

/// A measure's name, and its value in a duel, given the duel's length in seconds.
type Measure = (&'static str, fn(&Found, f64) -> Option<f64>);

/// What is measured of a duel.
const MEASURES: [Measure; 5] = [
    ("first in view (s)", |found, _| Some(found.first_seen_secs)),
    ("first hit (s)", |found, _| Some(found.first_hit_secs)),
    ("in view again (s)", |found, _| found.again_secs),
    ("time in view (%)", |found, _| Some(100.0 * found.in_view)),
    ("kills a minute", |found, secs| Some(f64::from(found.frags) * 60.0 / secs)),
];

pub(super) fn run(args: &Args) -> Result<()> {
    if !(args.seconds >= 1.0 && args.seconds <= 3600.0) || args.trials == 0 {
        bail!(
            "{} duels of {} s cannot be played\n  remedy: at least 1, of 1 to 3600 s",
            args.trials,
            args.seconds
        );
    }
    let written: Vec<&str> = match args.seekers.as_slice() {
        [] => vec!["native:3", "native:3+belief"],
        some => some.iter().map(String::as_str).collect(),
    };
    let seekers = written.iter().map(|written| roster::find(written)).collect::<Result<Vec<_>, _>>()?;
    let names: Vec<&str> = match args.maps.as_slice() {
        [] => vec!["halls", "keep", "yard"],
        some => some.iter().map(String::as_str).collect(),
    };
    let bar = ProgressBar::new((names.len() * seekers.len()) as u64)
        .with_style(ProgressStyle::with_template("{bar:30} {pos} of {len} rows of duels, {elapsed}")?);
    let (mut text, mut rows): (String, Vec<Value>) = (String::new(), Vec::new());
    for map in names {
        let (map, level) = maps::find(map)?;
        let plan = Seek {
            level,
            rules: Rules::default(),
            opponent: roster::find(&args.opponent)?,
            trials: args.trials,
            seconds: args.seconds,
            seed: args.seed,
        };
        let mut all: Vec<Vec<Found>> = Vec::new();
        for seeker in &seekers {
            all.push(seek(&plan, seeker));
            bar.inc(1);
        }
        let mut lines = vec![vec![map.clone()]];
        lines[0].extend(MEASURES.iter().map(|(label, _)| (*label).to_owned()));
        for (seeker, found) in seekers.iter().zip(&all) {
            let mut line = vec![seeker.name.clone()];
            let mut row = json!({ "map": map, "seeker": seeker.name, "opponent": args.opponent, "trials": args.trials });
            for (label, value) in MEASURES {
                let values: Vec<f64> = found.iter().filter_map(|found| value(found, args.seconds)).collect();
                let mean = Interval::of(&values);
                line.push(format!("{:.1} ± {:.1}", mean.mean, mean.half_width.unwrap_or(0.0)));
                row[label] = json!(mean);
            }
            lines.push(line);
            rows.push(row);
        }
        if let ([first, .., last], [a, .., b]) = (&all[..], &seekers[..]) {
            let mut line = vec!["difference".to_owned()];
            let mut row = json!({ "map": map, "difference": format!("{} minus {}", b.name, a.name) });
            for (label, value) in MEASURES {
                let pairs = first.iter().zip(last).filter_map(|(first, last)| {
                    Some(value(last, args.seconds)? - value(first, args.seconds)?)
                });
                let mean = Interval::of(&pairs.collect::<Vec<f64>>());
                line.push(format!("{:+.1} ± {:.1}", mean.mean, mean.half_width.unwrap_or(0.0)));
                row[label] = json!(mean);
            }
            lines.push(line);
            rows.push(row);
        }
        text += &draw::columns(&lines);
    }
    bar.finish_and_clear();
    if args.json { output::json(&rows) } else { output::text(&text) }
}
