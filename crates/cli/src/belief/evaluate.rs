//! `repertoire belief evaluate`: how well trackers know where the unseen are, on recorded play.

use std::path::PathBuf;

use anyhow::{Result, bail};
use clap::Args as ClapArgs;
use indicatif::{ProgressBar, ProgressStyle};
use rayon::prelude::*;
use repertoire_belief::evaluate::{Record, Sight, score_round};
use repertoire_belief::model::Settings;
use repertoire_belief::play::{Play, Situation};
use repertoire_belief::tracker::{Evidence, Quarry, Tracker};
use repertoire_belief::{Fitted, Model};
use repertoire_prob::Stream;
use serde::Serialize;

use super::data;
use super::trackers::{self, Name};
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

/// Everything measured.
#[derive(Serialize)]
struct Report {
    map: String,
    rounds: usize,
    leave_one_out: bool,
    /// Beliefs that were measured: living enemies not seen, over all seconds.
    beliefs: usize,
    /// How fast people run, in the map's units a second.
    run_speed: f64,
    trackers: Vec<Row>,
}

/// One tracker.
#[derive(Serialize)]
struct Row {
    tracker: &'static str,
    /// Whether it knows who the enemy is.
    identity: bool,
    #[serde(flatten)]
    all: Measured,
    /// By seconds since the enemy was last seen.
    by_unseen_secs: Vec<Bucket>,
    /// Time of one update.
    update_us: f64,
}

#[derive(Serialize)]
struct Bucket {
    from: u32,
    to: Option<u32>,
    #[serde(flatten)]
    measured: Measured,
}

#[derive(Clone, Copy, Default, Serialize)]
struct Measured {
    beliefs: usize,
    distance_expected: f64,
    distance_expected_low: f64,
    distance_expected_high: f64,
    seconds_expected: f64,
    distance_mode: f64,
    distance_mode_low: f64,
    distance_mode_high: f64,
    seconds_mode: f64,
    log_loss: f64,
    log_loss_low: f64,
    log_loss_high: f64,
    in_50: f64,
    in_50_low: f64,
    in_50_high: f64,
    in_90: f64,
    in_90_low: f64,
    in_90_high: f64,
}

/// Seconds since last seen: from, and up to.
const BUCKETS: [(u32, Option<u32>); 5] =
    [(0, Some(2)), (3, Some(5)), (6, Some(10)), (11, Some(20)), (21, None)];

/// How often rounds are drawn again for an interval.
const RESAMPLES: usize = 1000;

pub(super) fn run(args: &Args) -> Result<()> {
    let names: Vec<Name> =
        if args.tracker.is_empty() { trackers::ALL.to_vec() } else { args.tracker.clone() };
    let measured = if args.leave_one_out { leave_one_out(args, &names)? } else { with_model(args, &names)? };
    let (map, rounds, run_speed, records) = measured;
    let beliefs = records.first().map_or(0, |(records, _)| records.len());
    if beliefs == 0 {
        bail!(
            "no enemy is ever out of sight in this play\n  remedy: give play with a live round of two sides"
        );
    }
    let rows = names.iter().zip(&records).map(|(name, (records, update_us))| Row {
        tracker: name.text(),
        identity: name.uses_identity(),
        all: measure(records, rounds, run_speed, args.seed, |_| true),
        by_unseen_secs: BUCKETS
            .iter()
            .map(|&(from, to)| Bucket {
                from,
                to,
                measured: measure(records, rounds, run_speed, args.seed, |record| {
                    let secs = record.unseen_secs.round() as u32;
                    secs >= from && to.is_none_or(|to| secs <= to)
                }),
            })
            .collect(),
        update_us: *update_us,
    });
    let report = Report {
        map,
        rounds,
        leave_one_out: args.leave_one_out,
        beliefs,
        run_speed,
        trackers: rows.collect(),
    };
    if args.json { output::json(&report) } else { output::text(&table(&report, args.by_time)) }
}

type Measurements = (String, usize, f64, Vec<(Vec<Record>, f64)>);

fn bar(length: usize) -> Result<ProgressBar> {
    Ok(ProgressBar::new(length as u64)
        .with_style(ProgressStyle::with_template("{bar:30} {pos} of {len} rounds by trackers, {elapsed}")?))
}

fn with_model(args: &Args, names: &[Name]) -> Result<Measurements> {
    let Some(path) = &args.model else { bail!("no model was named") };
    let model = data::model(path)?;
    let sight = data::sight(&args.visibility, &model.places)?;
    let play = data::all_play(&args.play, &model.places)?;
    let (map, run_speed) = (model.map.clone(), model.settings.run_speed);
    let fitted = Fitted::new(model)?;
    let ways = trackers::ways(&fitted);
    let rounds = play.rounds.len();
    let tasks: Vec<(usize, usize)> =
        (0..names.len()).flat_map(|k| (0..rounds).map(move |r| (k, r))).collect();
    let bar = bar(tasks.len())?;
    let one = |&(k, round): &(usize, usize)| {
        let done = timed_round(&fitted, &sight, &play, round, &|| names[k].make(&fitted, &ways, args.seed));
        bar.inc(1);
        done
    };
    let done: Vec<_> = tasks.par_iter().map(one).collect();
    bar.finish_and_clear();
    Ok((map, rounds, run_speed, gather(&tasks, done, names.len())))
}

fn leave_one_out(args: &Args, names: &[Name]) -> Result<Measurements> {
    let Some(path) = &args.places else { bail!("no places were named") };
    let data::Ground { places, map, run_speed } = data::places(path)?;
    let sight = data::sight(&args.visibility, &places)?;
    let play = data::all_play(&args.play, &places)?;
    if play.rounds.len() < 2 {
        bail!("there is one round only: nothing is left to learn from\n  remedy: give more rounds");
    }
    let distances = places.distances();
    let mut settings = Settings::default();
    settings.run_speed = run_speed.unwrap_or(settings.run_speed);
    let bar = bar(play.rounds.len() * names.len())?;
    let one = |round: usize| -> Result<Vec<(Vec<Record>, u64, u64)>> {
        let mut others = play.clone();
        others.rounds.remove(round);
        let model = Model::fit_with(&map, places.clone(), &distances, &others, settings);
        let fitted = Fitted::with_distances(model, distances.clone())?;
        let ways = trackers::ways(&fitted);
        let mut done = Vec::new();
        for name in names {
            done.push(timed_round(&fitted, &sight, &play, round, &|| name.make(&fitted, &ways, args.seed)));
            bar.inc(1);
        }
        Ok(done)
    };
    let by_round: Vec<_> = (0..play.rounds.len()).into_par_iter().map(one).collect::<Result<_>>()?;
    bar.finish_and_clear();
    let tasks: Vec<(usize, usize)> =
        (0..play.rounds.len()).flat_map(|r| (0..names.len()).map(move |k| (k, r))).collect();
    let rounds = play.rounds.len();
    Ok((
        map,
        rounds,
        settings.run_speed,
        gather(&tasks, by_round.into_iter().flatten().collect(), names.len()),
    ))
}

/// Brings records into the order of trackers and rounds; with the mean time of an update.
fn gather(
    tasks: &[(usize, usize)],
    done: Vec<(Vec<Record>, u64, u64)>,
    names: usize,
) -> Vec<(Vec<Record>, f64)> {
    let mut all = vec![(Vec::new(), 0, 0); names];
    for (&(k, _), (records, ns, updates)) in tasks.iter().zip(done) {
        all[k].0.extend(records);
        all[k].1 += ns;
        all[k].2 += updates;
    }
    all.into_iter()
        .map(|(records, ns, updates)| (records, ns as f64 / updates.max(1) as f64 / 1000.0))
        .collect()
}

/// A tracker whose updates are timed.
struct Timed<'a> {
    tracker: Box<dyn Tracker + 'a>,
    spent: &'a std::sync::atomic::AtomicU64,
    updates: &'a std::sync::atomic::AtomicU64,
}

impl Tracker for Timed<'_> {
    fn begin(&mut self, quarry: Quarry, situation: Situation, place: usize) {
        self.tracker.begin(quarry, situation, place);
    }

    fn mates_seen(&mut self, situation: Situation, places: &[u32]) {
        self.tracker.mates_seen(situation, places);
    }

    fn step(&mut self, situation: Situation, evidence: Evidence<'_>) {
        let ((), taken) = clock::time(|| self.tracker.step(situation, evidence));
        self.spent.fetch_add(taken.as_nanos() as u64, std::sync::atomic::Ordering::Relaxed);
        self.updates.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
    }

    fn belief(&self, into: &mut [f64]) {
        self.tracker.belief(into);
    }
}

fn timed_round<'a>(
    fitted: &Fitted,
    sight: &Sight,
    play: &Play,
    round: usize,
    make: &dyn Fn() -> Box<dyn Tracker + 'a>,
) -> (Vec<Record>, u64, u64) {
    let (spent, updates) = (std::sync::atomic::AtomicU64::new(0), std::sync::atomic::AtomicU64::new(0));
    let records = {
        let mut timed =
            || Box::new(Timed { tracker: make(), spent: &spent, updates: &updates }) as Box<dyn Tracker + '_>;
        score_round(&fitted.model, &fitted.distances, sight, play, round, &mut timed)
    };
    (records, spent.into_inner(), updates.into_inner())
}

/// Sums over one round.
#[derive(Clone, Copy, Default)]
struct Sums {
    count: f64,
    of: [f64; 5],
}

fn measure(
    records: &[Record],
    rounds: usize,
    run_speed: f64,
    seed: u64,
    is_meant: impl Fn(&Record) -> bool,
) -> Measured {
    let mut sums = vec![Sums::default(); rounds];
    for record in records.iter().filter(|record| is_meant(record)) {
        let sum = &mut sums[record.round];
        let score = &record.score;
        sum.count += 1.0;
        let values = [
            score.expected_distance,
            score.mode_distance,
            score.log_loss,
            f64::from(u8::from(score.in_50)),
            f64::from(u8::from(score.in_90)),
        ];
        sum.of.iter_mut().zip(values).for_each(|(sum, value)| *sum += value);
    }
    let means = |drawn: &mut dyn Iterator<Item = usize>| {
        let mut all = Sums::default();
        for round in drawn {
            all.count += sums[round].count;
            all.of.iter_mut().zip(sums[round].of).for_each(|(sum, value)| *sum += value);
        }
        all.of.map(|sum| if all.count > 0.0 { sum / all.count } else { 0.0 })
    };
    let mean = means(&mut (0..rounds));
    let mut rng = Stream::new(seed, 0, "belief resampling");
    let mut drawn: [Vec<f64>; 5] = Default::default();
    for _ in 0..RESAMPLES {
        let again = means(&mut (0..rounds).map(|_| (rng.unit() * rounds as f64) as usize));
        drawn.iter_mut().zip(again).for_each(|(drawn, value)| drawn.push(value));
    }
    let ends = |k: usize| {
        let mut sorted = drawn[k].clone();
        sorted.sort_unstable_by(f64::total_cmp);
        (sorted[RESAMPLES / 40], sorted[RESAMPLES - 1 - RESAMPLES / 40])
    };
    let [expected, mode, loss, in_50, in_90] = [ends(0), ends(1), ends(2), ends(3), ends(4)];
    Measured {
        beliefs: sums.iter().map(|sum| sum.count as usize).sum(),
        distance_expected: mean[0],
        distance_expected_low: expected.0,
        distance_expected_high: expected.1,
        seconds_expected: mean[0] / run_speed,
        distance_mode: mean[1],
        distance_mode_low: mode.0,
        distance_mode_high: mode.1,
        seconds_mode: mean[1] / run_speed,
        log_loss: mean[2],
        log_loss_low: loss.0,
        log_loss_high: loss.1,
        in_50: mean[3],
        in_50_low: in_50.0,
        in_50_high: in_50.1,
        in_90: mean[4],
        in_90_low: in_90.0,
        in_90_high: in_90.1,
    }
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
