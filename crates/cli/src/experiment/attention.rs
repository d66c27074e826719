//! `repertoire experiment attention`: is the attention of teachers found whose attention is known?

use anyhow::{Result, anyhow};
use clap::Args as ClapArgs;
use indicatif::{ProgressBar, ProgressStyle};
use repertoire_chameleon::learn::{from_params, from_scratch};
use repertoire_chameleon::synthetic::{World, play, teacher};
use repertoire_chameleon::{Attention, Model, Params, Pass, Pooling, Sequence, Settings, model};
use repertoire_prob::Stream;
use repertoire_prob::num::{ln, sqrt};
use serde_json::json;

use crate::{draw, output};

/// Tencé 2011, section 3.4.3.3: attention, which the thesis could not learn, learned from teachers whose attention is known
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Random teachers (three decisions, three high-level and three low-level stimuli) act in a random world; characters learn from
some of it and are judged by the rest, in nats a tick below what the teacher's own numbers reach. The second world adds a
low-level stimulus of 24 values to which nobody attends: it can explain what was learned from by memorising it.

Examples:
  repertoire experiment attention
  repertoire experiment attention --teachers 20 --ticks 5000 --json")]
pub struct Args {
    /// Teachers to average over
    #[arg(long, default_value_t = 8, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    teachers: u32,
    /// Ticks to learn from, in sequences of 100
    #[arg(long, default_value_t = 2000, value_parser = clap::value_parser!(u32).range(100..=1_000_000))]
    ticks: u32,
    /// Random starts of each learning
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=100))]
    starts: u32,
    /// Virtual counts on each value of an action
    #[arg(long, default_value_t = 0.5)]
    virtual_counts: f64,
    /// Where chance begins
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Answer as JSON
    #[arg(long)]
    json: bool,
}

/// How attention came about.
const WAYS: [&str; 5] =
    ["uniform attention", "the teacher's attention", "learned", "learned, cross-fitted", "learned, pooled"];

fn world(distracted: bool) -> Result<Model> {
    let mut text = String::from(
        "name = \"teacher\"\ndecisions = 3\n[high.a]\nedges = [1, 2]\n[high.b]\nedges = [1, 2]\n[high.c]\nedges = [1]\n\
         [low.p]\naxes = [{ of = \"yaw\", edges = [1, 2, 3] }]\n[low.q]\naxes = [{ of = \"yaw\", edges = [1, 2, 3] }]\n\
         [low.r]\naxes = [{ of = \"yaw\", edges = [1, 2] }]\n",
    );
    if distracted {
        let edges: Vec<String> = (1..24).map(|edge| edge.to_string()).collect();
        text += &format!("[low.noise]\naxes = [{{ of = \"noise\", edges = [{}] }}]\n", edges.join(", "));
    }
    text += "[reflexive.u]\nvalues = [\"0\", \"1\", \"2\"]\n[external.e]\nvalues = [\"0\", \"1\", \"2\", \"3\"]\n\
             [external.f]\nvalues = [\"0\", \"1\", \"2\"]\n";
    model::read(&text).map_err(|mistake| anyhow!("{mistake}"))
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let bar = ProgressBar::new(u64::from(args.teachers) * 2).with_style(ProgressStyle::with_template(
        "{bar:30} teacher {pos} of {len}, {elapsed} gone, {eta} to go",
    )?);
    bar.tick();
    let mut tables = Vec::new();
    for distracted in [false, true] {
        let model = world(distracted)?;
        let mut below = vec![Vec::new(); WAYS.len()];
        let mut alike = vec![Vec::new(); WAYS.len()];
        for one in 0..args.teachers {
            let found = lesson(args, &model, distracted, one)?;
            for (way, (nats, correlation)) in found.into_iter().enumerate() {
                below[way].push(nats);
                alike[way].push(correlation);
            }
            bar.inc(1);
        }
        tables.push((distracted, below, alike));
    }
    bar.finish_and_clear();
    if args.json {
        let rows = tables.iter().flat_map(|(distracted, below, alike)| {
            WAYS.iter().zip(below).zip(alike).map(move |((way, below), alike)| {
                json!({ "distracted": distracted, "attention": way, "nats_a_tick_below_the_teacher": below,
                    "correlation_of_high_level_attention": alike })
            })
        });
        return output::json(&rows.collect::<Vec<_>>());
    }
    let bold = anstyle::Style::new().bold();
    let mut text = format!(
        "{bold}Nats a tick on unseen play, against the teacher's own numbers{bold:#} ({} teachers, {} ticks each)\n\n",
        args.teachers, args.ticks
    );
    let head =
        ["attention", "plain", "distracted", "correlation with the teacher's"].map(str::to_owned).to_vec();
    let mut lines = vec![head];
    for (way, name) in WAYS.iter().enumerate() {
        let of = |table: usize| interval(&tables[table].1[way]);
        let correlation = mean(&tables[0].2[way]);
        let correlation = if correlation.is_finite() { format!("{correlation:.2}") } else { "-".to_owned() };
        lines.push(vec![(*name).to_owned(), of(0), of(1), correlation]);
    }
    text += &draw::columns(&lines);
    text += "\nThe last column: logarithms of high-level attention in the plain world. ± is the standard error over teachers.\n";
    output::text(&text)
}

/// Nats a tick below the teacher, and how alike attention is, for each way.
fn lesson(args: &Args, model: &Model, distracted: bool, one: u32) -> Result<Vec<(f64, f64)>> {
    let layout = model.layout();
    let mut stream = Stream::new(args.seed, one.into(), "attention's teacher");
    let mut truth = teacher(layout, &mut stream);
    if distracted {
        let (first, last) = (layout.low_row(3, 0), layout.low_rows());
        truth.weights[0][first * 3..last * 3].fill(1e-6);
    }
    let lives = (args.ticks as usize).div_ceil(100);
    let mut watch = || (0..lives).map(|_| play(layout, &truth, World::default(), &mut stream)).collect();
    let (seen, unseen): (Vec<Sequence>, Vec<Sequence>) = (watch(), watch());
    let plain = Settings {
        attention: Attention::Fixed,
        virtual_counts: args.virtual_counts,
        starts: args.starts as usize,
        seed: args.seed,
        ..Settings::default()
    };
    let learned = Settings { attention: Attention::LEARNED, ..plain.clone() };
    let best = nats(model, &truth, &unseen)?;
    let mut found = Vec::new();
    for way in 0..WAYS.len() {
        let params = match way {
            0 => from_scratch(model, &seen, &plain, &|_| {})?.params,
            1 => {
                // The same starts, with the teacher's attention.
                let start = |k: u32| -> Result<_> {
                    let mut stream = Stream::new(args.seed, k.into(), "chameleon start");
                    let random = Params::random(layout, &mut stream);
                    let start =
                        Params { theta: truth.theta.clone(), weights: truth.weights.clone(), ..random };
                    Ok(from_params(layout, start, &seen, &plain, &|_| {})?)
                };
                let runs = (0..args.starts).map(start).collect::<Result<Vec<_>>>()?;
                let last =
                    |run: &repertoire_chameleon::Run| run.log_likelihood.last().copied().unwrap_or(f64::MIN);
                runs.into_iter()
                    .max_by(|a, b| last(a).total_cmp(&last(b)))
                    .map_or(truth.clone(), |run| run.params)
            }
            2 => from_scratch(model, &seen, &learned, &|_| {})?.params,
            3 => from_scratch(model, &seen, &Settings { folds: 5, ..learned.clone() }, &|_| {})?.params,
            _ => {
                let pooling = Some(Pooling::default());
                from_scratch(model, &seen, &Settings { pooling, ..learned.clone() }, &|_| {})?.params
            }
        };
        found.push((nats(model, &params, &unseen)? - best, correlation(&params.theta, &truth.theta)));
    }
    Ok(found)
}

fn nats(model: &Model, params: &Params, sequences: &[Sequence]) -> Result<f64> {
    let mut pass = Pass::new();
    let (mut total, mut ticks) = (0.0, 0);
    for sequence in sequences {
        total += pass.forward(model.layout(), params, sequence)?;
        ticks += sequence.len();
    }
    Ok(total / ticks as f64)
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

fn interval(values: &[f64]) -> String {
    let centre = mean(values);
    if values.len() < 2 {
        return format!("{centre:.3}");
    }
    let spread: f64 = values.iter().map(|value| (value - centre) * (value - centre)).sum();
    let n = values.len() as f64;
    format!("{centre:.3} ± {:.3}", sqrt(spread / (n - 1.0) / n))
}

/// Between logarithms; not a number if one of them does not vary.
fn correlation(a: &[f64], b: &[f64]) -> f64 {
    let logs = |values: &[f64]| -> Vec<f64> { values.iter().map(|&x| ln(x.max(1e-100))).collect() };
    let (a, b) = (logs(a), logs(b));
    let (ma, mb) = (mean(&a), mean(&b));
    let sum = |f: &dyn Fn(f64, f64) -> f64| a.iter().zip(&b).map(|(&x, &y)| f(x - ma, y - mb)).sum::<f64>();
    sum(&|x, y| x * y) / sqrt(sum(&|x, _| x * x) * sum(&|_, y| y * y))
}
