//! `repertoire believable`: ten requirements, ten numbers.

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use clap::Args as ClapArgs;
use repertoire::believable::{self, Judging};
use repertoire::recordings;
use repertoire_draw::{self as draw, terminal};

use crate::output::{self, Target};
use crate::progress;
use crate::shard::ShardArgs;
use crate::trace::source::note;

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
  repertoire believable hunter --from monday.parquet tuesday.parquet
  repertoire believable --all --html cards.html")]
pub struct Args {
    /// The character to judge, written as for --contender of `tournament`
    #[arg(required_unless_present = "all", conflicts_with = "all")]
    who: Option<String>,

    /// Judge somebody in recordings instead, by what these can tell: reaction times, predictability, change. Recordings of `record`,
    /// QuakeWorld demos, or CSV of people's play; WHO is then the recorded player's name
    #[arg(long, value_name = "RECORDING", num_args = 1.., conflicts_with_all = ["all", "without", "maps", "opponents", "only", "shard"])]
    from: Vec<PathBuf>,

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

    /// Judge it without this stage: perceive, believe, want, plan, decide, imitate or learn
    #[arg(long, value_name = "STAGE", conflicts_with = "all")]
    without: Option<String>,

    /// Measure only these rows, such as B7,B9, which takes less time; all of them unless some are named
    #[arg(long, value_name = "ROW", value_delimiter = ',', value_parser = row, conflicts_with = "from")]
    rows: Vec<u8>,

    /// Random seed; the same seed gives the same card
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// Also write the cards as a page with pictures: how long reactions take, and one moment lived twice
    #[arg(long, value_name = "OUT.html")]
    html: Option<Target>,

    /// Answer as JSON, with every reaction
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    shard: ShardArgs,
}

const TEMPLATE: &str = "{bar:30} {pos} of {len} matches, {elapsed} gone, {eta} to go";

pub(crate) fn run(args: &Args) -> Result<()> {
    let page_to_stdout = args.html.as_deref() == Some(Path::new("-"));
    if page_to_stdout && args.json {
        bail!("--json and --html - both want standard output\n  remedy: name a file with --html");
    }
    if args.all && !args.shard.is_plain() {
        bail!(
            "shards are of one character\n  remedy: name a character instead of --all, and make shards of each"
        );
    }
    let everybody = believable::everybody();
    let who: Vec<&str> = match &args.who {
        Some(who) => vec![who],
        None => everybody.iter().map(String::as_str).collect(),
    };
    let mut cards = Vec::new();
    for name in who {
        if !args.from.is_empty() {
            let judged = || recordings::judged(&args.from, name, &note);
            cards.push(progress::during("{spinner} reading, {elapsed}", judged)?);
            continue;
        }
        let judge = judging(args, name).believable()?;
        judge.check()?;
        let bar = progress::bar(judge.total(), TEMPLATE);
        let Some(card) = args.shard.carry_out(&judge, "matches", &bar, args.json)? else { return Ok(()) };
        cards.push(card);
        if args.all && !args.json && !page_to_stdout {
            // One after the other: all of them take a while.
            output::text(&(terminal::believable::card(&cards[cards.len() - 1]) + "\n"))?;
        }
    }
    if let ([card], false, false) = (&cards[..], args.json, page_to_stdout) {
        output::text(&(terminal::believable::card(card) + "\n"))?;
    }
    if let Some(path) = &args.html {
        let words: Vec<String> = std::env::args().skip(1).collect();
        output::file(path, &draw::believable::page(&cards, &format!("repertoire {}", words.join(" "))))?;
    }
    match (args.json, &cards[..]) {
        (false, _) => Ok(()),
        (true, [card]) => output::json(card),
        (true, cards) => output::json(&cards),
    }
}

/// The number of a row that is written `B1` to `B10`.
fn row(written: &str) -> Result<u8, String> {
    let number = written.strip_prefix(['B', 'b']).and_then(|number| number.parse().ok());
    number.filter(|number| (1..=10).contains(number)).ok_or_else(|| "rows are B1 to B10".to_owned())
}

fn judging(args: &Args, name: &str) -> Judging {
    let usual = Judging::of(name);
    let given = |given: &[String], usual: Vec<String>| if given.is_empty() { usual } else { given.to_vec() };
    Judging {
        without: args.without.clone(),
        against: args.against.clone(),
        opponents: given(&args.opponents, usual.opponents),
        maps: given(&args.maps, usual.maps),
        matches: args.matches,
        seconds: args.seconds,
        seed: args.seed,
        rows: args.rows.clone(),
        who: usual.who,
    }
}
