//! `repertoire experiment mind`: what each stage of a whole mind is worth.

use repertoire::minds;
use repertoire_eval::minds::MindExperiment;

use crate::prelude::*;

/// What each stage of a whole mind is worth: duels with one stage removed in turn, beside native bots and all other kinds
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Each subject plays the same duels against --opponent. The hands of the shipped fighters are those of native:3 (its aim,
speed and reaction), so what a fighter wins by against native:3 is its mind; only the hunter's hands get better with use, so of the
hunter look at the row without learn. Removed in turn are believe (where opponents out
of sight are), want (needs), plan, decide (sensors), imitate (the teacher) and learn (from its deaths).

An avoidable death: it met the opponent unarmed or below half health, and what it was short of lay within four seconds' way.

Maps that were used to tune the shipped fighters: yard, halls, keep, and FreeDM's MAP05 to MAP12 and MAP16. Others are shown
apart.

Examples:
  repertoire experiment mind
  repertoire experiment mind --fighter hunter --map yard --duels 40
  repertoire experiment mind --fighter scout.toml --map freedm.wad:MAP01 --map freedm.wad:MAP02 --json")]
pub struct Args {
    /// Fighter to take apart, by name or file; may be given several times [default: all that come with repertoire]
    #[arg(long = "fighter", value_name = "NAME|FILE")]
    fighters: Vec<String>,
    /// Other character to play the same duels; may be given several times [default: one of each kind]
    #[arg(long = "beside", value_name = "CONTENDER")]
    beside: Vec<String>,
    /// Whom all of them meet
    #[arg(long, value_name = "CONTENDER", default_value = "native:3")]
    opponent: String,
    /// Map to play on; may be given several times [default: those that come with repertoire]
    #[arg(long = "map", value_name = "NAME|FILE")]
    maps: Vec<String>,
    /// Duels on each map; more make the intervals narrower
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    duels: u32,
    /// Frags that win a duel
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(i32).range(1..=100_000))]
    frags: i32,
    /// Seconds of game time after which a duel that nobody has won ends
    #[arg(long, value_name = "SECS", default_value_t = 1200.0)]
    seconds: f64,
    /// Do not take fighters apart: only whole ones play
    #[arg(long)]
    whole: bool,
    /// Random seed; the same seed repeats the duels
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Answer as JSON, with every duel
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    shard: ShardArgs,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let experiment = MindExperiment {
        levels: or_usual(&args.maps, &maps::names())
            .iter()
            .map(|name| maps::find(name))
            .collect::<Result<_, _>>()?,
        subjects: minds::subjects(
            &or_usual(&args.fighters, &minds::fighters()),
            &or_usual(&args.beside, &minds::KINDS),
            args.whole,
        )?,
        opponent: roster::find(&args.opponent)?,
        duels: args.duels,
        frags: args.frags,
        seconds: args.seconds,
        seed: args.seed,
    };
    let template = "{bar:30} duel {pos} of {len}, {elapsed} gone, {eta} to go";
    experiment.check()?;
    let outcome = args.shard.carry_out_with_bar(&experiment, "duels", template, args.json)?;
    let Some(outcome) = outcome else { return Ok(()) };
    let groups = experiment.groups(&outcome);
    let opponent = &args.opponent;
    let report = terminal::experiments::mind_groups_as_json(opponent, &experiment, &groups, &outcome);
    output::answer(args.json, &report, || terminal::experiments::mind_groups(opponent, &experiment, &groups))
}
