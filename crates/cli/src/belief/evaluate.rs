//! `repertoire belief evaluate`: how well trackers know where the unseen are, on recorded play.

use std::path::PathBuf;

use anyhow::{Result, bail};
use clap::Args as ClapArgs;
use indicatif::{ProgressBar, ProgressStyle};
use repertoire_eval::belief::evaluate::{Experiment, Measured, Report, leave_one_out, with_model};
use repertoire_eval::belief::{TrackerKind, trackers};

use super::data;
use super::trackers::Name;
use crate::{clock, draw, output};

/// Measure on recorded play how well trackers know where unseen enemies are
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Each second a side sees an enemy if the area of any living member sees the enemy's area. For every living enemy that is not
seen each tracker gives a distribution over areas. Enemies are told apart; their places are known until the round goes live.

  dist      from the guess of least expected distance to the truth, along the mesh, in the map's units (and seconds of running)
  mode      the same from the most probable area
  log-loss  -ln of the probability of the true area, at least 1e-6
  50 % 90 % how often the truth lies in the smallest set that holds so much of the belief

Intervals are 95 %, by resampling rounds. Trackers named `...-habits` know who the enemy is.

Examples:
  repertoire belief evaluate --model dust2.json --visibility vis.json.gz --play others.csv.gz
  repertoire belief evaluate --model dust2.json --visibility vis.json.gz --play others.csv.gz --tracker pooled --json
  repertoire belief evaluate --places nav.json.gz --leave-one-out --visibility vis.json.gz --play rounds.csv.gz")]
pub struct Args {
    /// A model, as `belief fit` writes it
    #[arg(
        long,
        value_name = "MODEL",
        required_unless_present = "leave_one_out",
        conflicts_with = "leave_one_out"
    )]
    model: Option<PathBuf>,

    /// With --leave-one-out: the places, a navigation mesh as JSON
    #[arg(long, value_name = "NAV", requires = "leave_one_out")]
    places: Option<PathBuf>,

    /// Measure each round with a model learned from all the others
    #[arg(long, requires = "places")]
    leave_one_out: bool,

    /// Which areas see which
    #[arg(long, value_name = "VIS")]
    visibility: PathBuf,

    /// Recorded play to measure on
    #[arg(long, value_name = "PLAY", required = true)]
    play: Vec<PathBuf>,

    /// Only these trackers
    #[arg(long, value_name = "NAME")]
    tracker: Vec<Name>,

    /// The seed of particles and of resampling
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// Also by seconds since the enemy was last seen
    #[arg(long)]
    by_time: bool,

    /// Answer as JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args) -> Result<()> {
    let kinds: Vec<TrackerKind> = match &args.tracker[..] {
        [] => trackers::ALL.to_vec(),
        named => named.iter().map(|name| name.0).collect(),
    };
    let report = if args.leave_one_out { from_others(args, &kinds)? } else { from_model(args, &kinds)? };
    if args.json { output::json(&report) } else { output::text(&table(&report, args.by_time)) }
}

fn from_model(args: &Args, kinds: &[TrackerKind]) -> Result<Report> {
    let Some(path) = &args.model else { bail!("no model was named") };
    let model = data::model(path)?;
    let sight = data::sight(&args.visibility, &model.places)?;
    let play = data::play_on(&args.play, &data::ground_of(&model))?;
    let experiment = Experiment {
        trackers: kinds,
        sight: &sight,
        play: &play,
        seed: args.seed,
        clock: Some(clock::now_ns),
    };
    let bar = bar(kinds.len() * play.rounds.len())?;
    let report = with_model(model, &experiment, &|| bar.inc(1));
    bar.finish_and_clear();
    Ok(report?)
}

fn from_others(args: &Args, kinds: &[TrackerKind]) -> Result<Report> {
    let Some(path) = &args.places else { bail!("no places were named") };
    let ground = data::places(path)?;
    let sight = data::sight(&args.visibility, &ground.places)?;
    let play = data::play_on(&args.play, &ground)?;
    let experiment = Experiment {
        trackers: kinds,
        sight: &sight,
        play: &play,
        seed: args.seed,
        clock: Some(clock::now_ns),
    };
    let bar = bar(kinds.len() * play.rounds.len())?;
    let report = leave_one_out(&ground, &experiment, &|| bar.inc(1));
    bar.finish_and_clear();
    Ok(report?)
}

fn bar(length: usize) -> Result<ProgressBar> {
    Ok(ProgressBar::new(length as u64)
        .with_style(ProgressStyle::with_template("{bar:30} {pos} of {len} rounds by trackers, {elapsed}")?))
}

fn table(report: &Report, by_time: bool) -> String {
    let mut text = format!(
        "{}, {} rounds{}, {} beliefs about unseen enemies\n",
        if report.map.is_empty() { "a map" } else { &report.map },
        report.rounds,
        if report.leave_one_out { " (each left out of what is learned from)" } else { "" },
        report.beliefs
    );
    let head =
        ["tracker", "dist", "", "secs", "mode", "secs", "log-loss", "", "50 %", "90 %", "", "us/update"];
    let mut lines = vec![head.map(str::to_owned).to_vec()];
    for row in &report.trackers {
        lines.push(cells(row.tracker, &row.all, format!("{:.1}", row.update_us)));
    }
    text += &draw::columns(&lines);
    if by_time {
        for row in &report.trackers {
            text += &format!("\n{}, by seconds since last seen\n", row.tracker);
            let mut lines = vec![head[..11].iter().map(|cell| (*cell).to_owned()).collect::<Vec<_>>()];
            lines[0][0] = "seconds".to_owned();
            for bucket in &row.by_unseen_secs {
                let label = bucket
                    .to
                    .map_or(format!("{} and more", bucket.from), |to| format!("{} to {to}", bucket.from));
                lines.push(cells(&label, &bucket.measured, format!("of {}", bucket.measured.beliefs)));
            }
            text += &draw::columns(&lines);
        }
    }
    text
}

fn cells(label: &str, m: &Measured, last: String) -> Vec<String> {
    vec![
        label.to_owned(),
        format!("{:.0}", m.distance_expected),
        format!("{:.0}..{:.0}", m.distance_expected_low, m.distance_expected_high),
        format!("{:.1}", m.seconds_expected),
        format!("{:.0}", m.distance_mode),
        format!("{:.1}", m.seconds_mode),
        format!("{:.2}", m.log_loss),
        format!("{:.2}..{:.2}", m.log_loss_low, m.log_loss_high),
        format!("{:.0} %", 100.0 * m.in_50),
        format!("{:.0} %", 100.0 * m.in_90),
        format!("{:.0}..{:.0}", 100.0 * m.in_90_low, 100.0 * m.in_90_high),
        last,
    ]
}
