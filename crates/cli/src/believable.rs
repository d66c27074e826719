//! `repertoire believable`: ten requirements, ten numbers.

use anyhow::Result;
use clap::Args as ClapArgs;
use repertoire::{believable, roster};
use repertoire_draw::terminal;
use repertoire_eval::believable::Believable;

use crate::arena::{maps, or_usual};
use crate::{output, progress};

/// How believable a character is: Tencé's ten requirements, each a number with its interval, a verdict and what to change
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Matches are functions of state and seed, so the same moment is lived twice, once with an event and once without: the difference is the
reaction (B1, B2). Lived again with other random numbers it shows how much a character varies (B3), and with a change outside of its
senses whether it knows what it cannot know (B6). Predictors and observers are trained on other matches and other characters (B4, B5).
Planning and memory are held against the same character without that stage (B7, B8); B9 and B10 ask whether it changes as it plays.

Examples:
  repertoire believable hunter
  repertoire believable native:3 --against native:5 --map yard --json
  repertoire believable scout=scout.toml --map freedm.wad:MAP01 --seed 7
  repertoire believable --all")]
pub struct Args {
    /// The character to judge, written as for --contender of `tournament`
    #[arg(required_unless_present = "all", conflicts_with = "all")]
    who: Option<String>,

    /// Everybody who comes with repertoire, one card after the other
    #[arg(long)]
    all: bool,

    /// Whom variability and predictability are held against: a teacher, or a character that is known to be right
    #[arg(long, value_name = "CONTENDER", default_value = "native:5")]
    against: String,

    /// Whom it plays against; may be given several times [default: native:3, twice]
    #[arg(long = "opponent", value_name = "CONTENDER")]
    opponents: Vec<String>,

    /// Map to play on; may be given several times [default: those that come with repertoire]
    #[arg(long = "map", value_name = "NAME|FILE")]
    maps: Vec<String>,

    /// Matches on each map; more make the intervals narrower
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    matches: u32,

    /// Seconds of each match whose moments are lived again, from 5 to 3600
    #[arg(long, value_name = "SECS", default_value_t = 120.0)]
    seconds: f64,

    /// Judge it without this stage: believe, want, plan, decide, imitate or learn
    #[arg(long, value_name = "STAGE", conflicts_with = "all")]
    without: Option<String>,

    /// Random seed; the same seed gives the same card
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// Answer as JSON, with every reaction
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let mut cards = Vec::new();
    let everybody = believable::everybody();
    let who: Vec<&str> = match &args.who {
        Some(who) => vec![who],
        None => everybody.iter().map(String::as_str).collect(),
    };
    for name in who {
        let subject = believable::subject(name, args.without.as_deref())?;
        let opponents = or_usual(&args.opponents, &["native:3", "native:3"]);
        let judge = Believable {
            reference: roster::find(&args.against)?,
            others: believable::others(name)?,
            opponents: opponents.iter().map(|name| roster::find(name)).collect::<Result<_, _>>()?,
            levels: or_usual(&args.maps, &maps::names())
                .iter()
                .map(|name| maps::find(name))
                .collect::<Result<_, _>>()?,
            matches: args.matches,
            seconds: args.seconds,
            seed: args.seed,
            subject: subject.whole,
            without_plan: subject.without_plan,
            without_memory: subject.without_memory,
        };
        let bar =
            progress::bar(judge.total(), "{bar:30} {pos} of {len} matches, {elapsed} gone, {eta} to go");
        let card = judge.run(&|| bar.inc(1))?;
        bar.finish_and_clear();
        if !args.json {
            output::text(&(terminal::believable::card(&card) + "\n"))?;
        }
        cards.push(card);
    }
    match (args.json, &cards[..]) {
        (false, _) => Ok(()),
        (true, [card]) => output::json(card),
        (true, cards) => output::json(&cards),
    }
}
