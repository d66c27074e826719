//! `repertoire arena seek`: how soon a character finds and fights an opponent out of sight, with and without belief.

use repertoire_draw::terminal::soundness;
use repertoire_eval::seek::{Seek, Sought};
use repertoire_worlds::arena::rules::Rules;

use super::{Known, or_usual, roster};
use crate::prelude::*;

/// Measure how soon characters find and fight an opponent they cannot see
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Each seeker fights duels against the same opponent, from the same starts. Measured are the seconds until the opponent is first
in view, until it is first hit, and from losing it to having it in view again; the share of time in view; kills per minute; and, of
seekers that keep a belief, how surprised they would be of the truth while they cannot see it (in nats, less is better).
The last seeker is compared with the first, duel by duel, with 95 % intervals; on several maps, also over all of them.

Examples:
  repertoire arena seek
  repertoire arena seek --seeker native:3 --seeker native:3+belief --opponent native:3 --map keep --trials 400")]
pub struct Args {
    /// Seeker, as a contender of `tournament`; may be given several times [default: native:3, native:3+belief]
    #[arg(long = "seeker", value_name = "NAME[:LEVEL]")]
    seekers: Vec<String>,

    /// Opponent to find, as a contender of `tournament`
    #[arg(long, value_name = "NAME[:LEVEL]", default_value = "native:3")]
    opponent: String,

    /// Map to play on; may be given several times [default: halls, keep, yard]
    #[arg(long = "map", value_name = "NAME|FILE")]
    maps: Vec<String>,

    #[command(flatten)]
    known: Known,

    /// Duels of each seeker on each map; more make the intervals narrower
    #[arg(long, default_value_t = 200)]
    trials: u32,

    /// Length of a duel, in seconds of game time
    #[arg(long, default_value_t = 60.0)]
    seconds: f64,

    /// Random seed; the same seed repeats the duels
    #[arg(long, default_value_t = 1)]
    seed: u64,

    #[command(flatten)]
    answer: Answer,
}

pub(super) fn run(args: &Args) -> Result<()> {
    if !(args.seconds >= 1.0 && args.seconds <= 3600.0) || args.trials == 0 {
        bail!(
            "{} duels of {} s cannot be played\n  remedy: at least 1, of 1 to 3600 s",
            args.trials,
            args.seconds
        );
    }
    let written = or_usual(&args.seekers, &["native:3", "native:3+belief"]);
    let seekers = written.iter().map(|written| roster::find(written)).collect::<Result<Vec<_>, _>>()?;
    let names = or_usual(&args.maps, &["halls", "keep", "yard"]);
    let length = (names.len() * seekers.len()) as u64;
    let bar = progress::bar(length, "{bar:30} {pos} of {len} rows of duels, {elapsed}");
    let mut found: Vec<Sought> = Vec::new();
    for map in &names {
        let (map, level) = args.known.find_one(map)?;
        let plan = Seek {
            level,
            rules: Rules::default(),
            opponent: roster::find(&args.opponent)?,
            trials: args.trials,
            seconds: args.seconds,
            seed: args.seed,
        };
        found.push(Sought::on(map, &plan, &seekers, &|| bar.inc(1)));
    }
    bar.finish_and_clear();
    if found.len() > 1 {
        found.push(Sought::over_all(&found));
    }
    args.answer.print(&soundness::sought_as_json(&found, &args.opponent), || {
        found.iter().map(soundness::sought).collect()
    })
}
