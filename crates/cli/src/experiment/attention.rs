//! `repertoire experiment attention`: is the attention of teachers found whose attention is known?

use anyhow::Result;
use clap::Args as ClapArgs;
use indicatif::{ProgressBar, ProgressStyle};
use repertoire_eval::attention::{AttentionExperiment, WAYS};
use repertoire_prob::num::sqrt;
use serde_json::json;

use crate::{draw, output};

/// Tencé 2011, section 3.4.3.3: attention, which the thesis could not learn, learned from teachers whose attention is known
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Random teachers (three decisions, three high-level and three low-level stimuli) act in a random world; characters learn from
some of it and are judged by the rest, in nats per tick below what the teacher's own numbers reach. The second world adds a
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
    /// Random seed; the same seed repeats the run
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Answer as JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let bar = ProgressBar::new(u64::from(args.teachers) * 2).with_style(ProgressStyle::with_template(
        "{bar:30} teacher {pos} of {len}, {elapsed} gone, {eta} to go",
    )?);
    bar.tick();
    let experiment = AttentionExperiment {
        teachers: args.teachers,
        ticks: args.ticks,
        starts: args.starts,
        virtual_counts: args.virtual_counts,
        seed: args.seed,
    };
    let tables = experiment.run(&|| bar.inc(1))?;
    bar.finish_and_clear();
    if args.json {
        let rows = tables.iter().flat_map(|table| {
            table.ways.iter().map(|way| {
                json!({ "distracted": table.distracted, "attention": way.attention,
                    "nats_a_tick_below_the_teacher": way.nats_below_teacher,
                    "correlation_of_high_level_attention": way.correlation })
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
        let of = |table: usize| interval(&tables[table].ways[way].nats_below_teacher);
        let correlation = mean(&tables[0].ways[way].correlation);
        let correlation = if correlation.is_finite() { format!("{correlation:.2}") } else { "-".to_owned() };
        lines.push(vec![(*name).to_owned(), of(0), of(1), correlation]);
    }
    text += &draw::columns(&lines);
    text += "\nThe last column: logarithms of high-level attention in the plain world. ± is the standard error over teachers.\n";
    output::text(&text)
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// The mean, with the standard error of several.
fn interval(values: &[f64]) -> String {
    let centre = mean(values);
    if values.len() < 2 {
        return format!("{centre:.3}");
    }
    let spread: f64 = values.iter().map(|value| (value - centre) * (value - centre)).sum();
    let n = values.len() as f64;
    format!("{centre:.3} ± {:.3}", sqrt(spread / (n - 1.0) / n))
}
