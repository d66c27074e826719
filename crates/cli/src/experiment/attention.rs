//! `repertoire experiment attention`: is the attention of teachers found whose attention is known?

use repertoire_eval::attention::AttentionExperiment;

use crate::prelude::*;

/// Tencé 2011, section 3.4.3.3: learn attention (which the thesis could not) from teachers whose attention is known
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Random teachers (three decisions, three high-level and three low-level stimuli) act in a random world; characters learn from
some of it and are judged by the rest, in nats per tick below what the teacher's own numbers reach. The second world adds a
low-level stimulus of 24 values to which nobody attends: it can explain what was learned from by memorising it.

Examples:
  repertoire experiment attention
  repertoire experiment attention --teachers 20 --ticks 5000 --json")]
pub struct Args {
    /// Teachers to average over; more make the standard errors smaller
    #[arg(long, default_value_t = 8, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    teachers: u32,
    /// Ticks of play to learn from, in sequences of 100
    #[arg(long, default_value_t = 2000, value_parser = clap::value_parser!(u32).range(100..=1_000_000))]
    ticks: u32,
    /// Random starts per learning run; the best one counts
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=100))]
    starts: u32,
    /// Virtual counts added to each value of an action; more smooth more
    #[arg(long, default_value_t = 0.5)]
    virtual_counts: f64,
    /// Random seed; the same seed repeats the run
    #[arg(long, default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    answer: Answer,
    #[command(flatten)]
    shard: ShardArgs,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let template = "{bar:30} teacher {pos} of {len}, {elapsed} gone, {eta} to go";
    let experiment = AttentionExperiment {
        teachers: args.teachers,
        ticks: args.ticks,
        starts: args.starts,
        virtual_counts: args.virtual_counts,
        seed: args.seed,
    };
    experiment.check()?;
    let tables = args.shard.carry_out_with_bar(&experiment, "teachers", template, args.answer.json)?;
    let Some(tables) = tables else { return Ok(()) };
    args.answer.print(&terminal::experiments::attention_as_json(&tables), || {
        terminal::experiments::attention(&experiment, &tables)
    })
}
