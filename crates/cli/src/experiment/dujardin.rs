//! `repertoire experiment dujardin`: does the story of experiment 6.2 come out on maps that it was not made for?

use repertoire_eval::dujardin::StoryExperiment;

use crate::prelude::*;

/// Dujardin and Routier, section 6.2: the told story, on maps drawn at random under the paper's description
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
The paper tells one run on one map: explore, eat the apple when hungry, find the glass door locked, look for an axe rather than
fetch the key, eat again, break the door, take the object. Here maps are drawn under its description, and nothing is fitted to
them. What the paper leaves open (sight, energy, the importance of the object, thresholds) is once as in the scenario `6.2`, and
once drawn for each map.

Examples:
  repertoire experiment dujardin
  repertoire experiment dujardin --maps 1000 --json")]
pub struct Args {
    /// Maps to draw; more make the shares more certain
    #[arg(long, default_value_t = 200, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    maps: u32,
    /// Random seed; the same seed repeats the run
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Answer as JSON, with what was done on each map
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    shard: ShardArgs,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let experiment = StoryExperiment { maps: args.maps, seed: args.seed };
    let template = "{bar:30} story {pos} of {len}, {elapsed} gone, {eta} to go";
    let all = args.shard.carry_out_with_bar(&experiment, "stories", template, args.json)?;
    let Some(all) = all else { return Ok(()) };
    output::answer(args.json, &terminal::experiments::dujardin_as_json(&all), || {
        terminal::experiments::dujardin(&all)
    })
}
