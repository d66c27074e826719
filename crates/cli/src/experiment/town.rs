//! `repertoire experiment town`: what planning, planning anew and families of profiles are worth.

use repertoire_eval::town::TownExperiment;

use crate::prelude::*;

/// What planning, planning anew and families of profiles are worth in a town
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Towns of the same seed are compared pairwise; intervals are 95 %, over towns. `greedy by need` does whatever gets nearest to the goal
in one step. `never plans anew` puts a goal off for an
hour when its plan fails, and learns nothing from it. A family is guessed from one day, by what was pursued in each half hour.

Example: repertoire experiment town western --inhabitants 2000 --towns 20")]
pub struct Args {
    /// The town: a name or a file
    #[arg(default_value = "western")]
    town: String,
    /// How many live in each town
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    inhabitants: u32,
    /// How many days each town lives; events of later days do not happen
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..=365))]
    days: u32,
    /// How many towns of each sort; more make the intervals narrower
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(2..=10_000))]
    towns: u32,
    /// Random seed of the first town; the same seed repeats the experiment
    #[arg(long, default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    answer: Answer,
    #[command(flatten)]
    shard: ShardArgs,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let charter = load::town(&args.town)?;
    if let Some(mistake) = repertoire_worlds::town::check(&charter).first() {
        bail!("{}:{mistake}", args.town);
    }
    let experiment = TownExperiment {
        charter,
        inhabitants: args.inhabitants,
        days: args.days,
        towns: args.towns,
        seed: args.seed,
    };
    let template = "{bar:30} town {pos} of {len}, {elapsed} gone, {eta} to go";
    let done = args.shard.carry_out_with_bar(&experiment, "towns", template, args.answer.json)?;
    let Some((arms, told)) = done else { return Ok(()) };
    args.answer.print(&terminal::town::experiment_as_json(&args.town, &experiment, &arms, &told), || {
        terminal::town::experiment(&experiment, &arms, &told)
    })
}
