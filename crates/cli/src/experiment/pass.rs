//! `repertoire experiment pass`: do pupils of bots pass for their teachers?

use repertoire_eval::pass::{MOST_MATCHES, Pass, Way};
use repertoire_eval::tence::TEACHERS;

use crate::prelude::*;

/// Do pupils of bots pass for their teachers? Four ways to learn, told from the teacher by classifiers
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Each teacher plays on each map against three native bots (levels 3, 3, 1): a match to learn from, some to compare with, and as many as a
control. A pupil of each way to learn (`learn chameleon`, `learn sequence --method batch`, `learn moments`, `learn skill`) then takes
its place. Classifiers are judged by matches they have not seen. The table has the AUC of boosted trees and, in brackets, of logistic regression, as `people compare` has them: 0.5 is
guessing. Marked with * is who passes: both at most 0.60.

Examples:
  repertoire experiment pass
  repertoire experiment pass --teacher native:5 --map halls --seed 7 --why
  repertoire experiment pass --map dm6.bsp --json")]
pub struct Args {
    /// Teacher, as a contender of `tournament`; may be given several times [default: native:1, native:3, native:5, aggressive, prudent]
    #[arg(long = "teacher", value_name = "CONTENDER")]
    teachers: Vec<String>,
    /// Map; may be given several times [default: halls, keep, yard]
    #[arg(long = "map", value_name = "NAME|FILE")]
    maps: Vec<String>,
    /// Model of the CHAMELEON pupils (their stimuli and actions): one that comes with repertoire, or a file
    #[arg(long, default_value = "arena", value_name = "MODEL")]
    model: String,
    /// Length of the match that is learned from, in seconds of game time
    #[arg(long, default_value_t = 1200.0, value_name = "SECS")]
    lesson: f64,
    /// Length of every other match, in seconds of game time
    #[arg(long, default_value_t = 1200.0, value_name = "SECS")]
    seconds: f64,
    /// How many such matches the teacher and each pupil play: with more, what is peculiar to one of them counts less
    #[arg(long, default_value_t = 5, value_name = "MATCHES")]
    matches: u64,
    /// Way to learn; may be given several times [default: chameleon, sequence, moments, skill]
    #[arg(long = "way", value_name = "WAY")]
    ways: Vec<Way>,
    /// Random seed; the same seed repeats the run
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Also name the numbers by which pupils are told from their teachers best
    #[arg(long)]
    why: bool,
    #[command(flatten)]
    answer: Answer,
    #[command(flatten)]
    shard: ShardArgs,
}

const MAPS: [&str; 3] = ["halls", "keep", "yard"];

pub(crate) fn run(args: &Args) -> Result<()> {
    for (name, secs) in [("lesson", args.lesson), ("seconds", args.seconds)] {
        ensure!(
            (130.0..=1e5).contains(&secs),
            "--{name} {secs}: two blocks of 60 s are needed to tell players apart\n  remedy: seconds from 130 to 100000"
        );
    }
    ensure!(
        (2..=MOST_MATCHES).contains(&args.matches),
        "--matches {}: whole matches are held out, so it takes two\n  remedy: a number from 2 to {MOST_MATCHES}",
        args.matches
    );
    let named = or_usual(&args.teachers, &TEACHERS);
    let experiment = Pass {
        maps: or_usual(&args.maps, &MAPS).into_iter().map(maps::find).collect::<Result<_, _>>()?,
        teachers: named.into_iter().map(roster::find).collect::<Result<_, _>>()?,
        model: load::model(&args.model)?,
        ways: if args.ways.is_empty() { Way::ALL.to_vec() } else { args.ways.clone() },
        matches: args.matches,
        lesson_secs: args.lesson,
        match_secs: args.seconds,
        seed: args.seed,
    };
    let template = "{bar:30} {pos} of {len} teachers on maps, {eta} to go";
    let done = args.shard.carry_out_with_bar(&experiment, "teachers on maps", template, args.answer.json)?;
    let Some(rows) = done else { return Ok(()) };
    args.answer.print(&rows, || terminal::telling::passing(&rows, args.why))
}
