//! `repertoire experiment whole-pupil`: do belief, plans and wants bring a pupil nearer to people?

use repertoire::recordings;
use repertoire_eval::telling::Half;
use repertoire_eval::whole::{Variant, WholePupil};

use crate::prelude::*;

/// Do belief, plans and wants bring a pupil of a person nearer to that person? One table for each teacher
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Hands are learned from one half of a recording (`learn moments`), and everything is compared with the other half. Who decides for the
hands differs: a native bot's state machine alone, with belief, beside plans, beside wants (needs), with all of these, or the shipped
hunter. As controls, a native bot with its own hands, and a replay of the learned half. Each plays against native:1, native:3, native:5
and a replay of the learned half, on the recording's map, in matches of the same seeds.

Recordings are of `trace import --percepts` (people) or `record`; each player in them is a teacher. Kills are frags without what own deaths cost.

Examples:
  repertoire trace import monday.qwd.gz --percepts --map dm6.bsp.gz -o monday.parquet
  repertoire experiment whole-pupil --from monday.parquet
  repertoire experiment whole-pupil --from monday.parquet tuesday.parquet --half second --matches 10 --json")]
pub struct Args {
    /// Recordings to learn from and to compare with
    #[arg(long, value_name = "PLAY", num_args = 1.., required = true)]
    from: Vec<PathBuf>,
    /// Teacher, by name or number; may be given several times [default: everybody]
    #[arg(long = "player", value_name = "NAME|ID")]
    players: Vec<String>,
    /// Which half of each recording is learned from
    #[arg(long, value_parser = one_of(Half::ALL, Half::name, Half::about), default_value = "first")]
    half: Half,
    /// Variant to try: native, replay, moments, believe, plan, want, all or hunter; may be given several times [default: all of them]
    #[arg(long = "variant", value_name = "NAME")]
    variants: Vec<Variant>,
    /// Matches of each variant with each teacher
    #[arg(long, default_value_t = 5)]
    matches: u32,
    /// Length of a match, in seconds of game time [default: as long as the half that it is compared with]
    #[arg(long, value_name = "SECS")]
    seconds: Option<f64>,
    /// Leave the replay of the learned half out of the opponents
    #[arg(long)]
    no_replay: bool,
    /// Random seed; the same seed repeats the run
    #[arg(long, default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    answer: Answer,
    #[command(flatten)]
    shard: ShardArgs,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    if let Some(secs) = args.seconds {
        ensure!(
            (130.0..=1e5).contains(&secs),
            "--seconds {secs}: two blocks of 60 s are needed to tell players apart\n  remedy: seconds from 130 to 100000"
        );
    }
    ensure!(
        (1..=10_000).contains(&args.matches),
        "--matches {}: there is nothing to compare\n  remedy: a number from 1 to 10000",
        args.matches
    );
    let teachers = progress::during("{spinner} reading recordings, {elapsed}", || {
        let of = |path: &PathBuf| recordings::teachers(path, &args.players, args.half);
        args.from.iter().map(of).collect::<Result<Vec<_>, _>>()
    });
    let experiment = WholePupil {
        teachers: teachers?.into_iter().flatten().collect(),
        variants: if args.variants.is_empty() { Variant::ALL.to_vec() } else { args.variants.clone() },
        matches: args.matches,
        match_secs: args.seconds,
        with_replay: !args.no_replay,
        seed: args.seed,
    };
    let template = "{bar:30} {pos} of {len} matches, {eta} to go";
    let done = args.shard.carry_out_with_bar(&experiment, "matches", template, args.answer.json)?;
    let Some(rows) = done else { return Ok(()) };
    args.answer.print(&rows, || terminal::telling::whole_pupils(&rows))
}
