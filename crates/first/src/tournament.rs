//! `repertoire tournament`: the first thing a newcomer runs.

use std::path::Path;

use anyhow::{Context, Result, bail};
use clap::Args as ClapArgs;
use repertoire_roster::{maps, roster};
use repertoire_tournament::league::{League, LeagueStanding};
use repertoire_tournament::shard::Sharded;
use repertoire_tournament::tournament::{
    Explained, MatchResult, Outcome, Pieces, TIME_LIMIT_SECS, Tournament,
};
use repertoire_tournament::{Refused, report};
use repertoire_worlds::arena::map::Map;
use repertoire_worlds::arena::rules::Rules;
use serde::Serialize;

use crate::known::{CONTENDERS, Known, or_usual};
use crate::output::{self, Target};
use crate::shard::ShardArgs;
use crate::{Interrupted, clock, progress, signals};

/// Let characters fight each other and see who is better
#[derive(Debug, ClapArgs)]
#[command(
    long_about = "Let characters fight each other and see who is better.

All contenders meet in one arena until one reaches --frags (others killed, minus own suicides), several times on \
each map. The score of a match is the winner's frags minus one's own, so 0 is best; shown is its mean with a 95 % \
interval. This is the protocol of Le Hy (2007, table 3.11).",
    after_help = "\
Contenders:
  hunter, stalker, survivor,     fighters with a whole mind: they believe, want, plan, decide, follow a teacher and learn;
  mimic, veteran                 their hands are native:3's, and a teacher's for mimic; veteran weighs goals by motivations
  imitator       a character learned by imitation, of native:5
  native:LEVEL   the bots that a game would ship, LEVEL from 0 (a beginner) to 7 (a champion)
  prudent, aggressive, uniform   characters of the shipped behaviours (Le Hy 2007)
  individual:PROFILE             a character driven by a profile of motivations, by name or file
  NAME=FILE      a character or a behaviour (TOML), or one learned by imitation, in FILE, called NAME
  any of them with +belief       the same, working out where enemies are who are out of sight: native bots and individuals go
                 there, behaviours sense probabilities and hunt or flee by them, imitators follow it as a trail

With no options, three fighters and two native bots meet on every map that comes with it, three times to 100 frags on
each: about half a minute on 2 free cores. At the end the best one explains one of its decisions: a row
for everything that had a say, a column for each task, in nats (a nat is a factor of 2.7 in the odds).

The same options and seed give the same results, to the bit, on any machine and any number of threads. With --timing the time of
decisions is shown too (their median), which differs from run to run; it is under `timing` in the JSON.

Examples:
  repertoire tournament
  repertoire tournament --html tournament.html
  repertoire tournament --contender native:3 --contender native:4 --map yard --matches 50
  repertoire tournament --matches 2 --frags 20 --json
  repertoire tournament --contender native:1 --contender native:3 --contender native:5 --contender native:7 --tables-of 2
  repertoire tournament --only 0..8 --shard a.shard        matches counted over all maps; see `repertoire merge`"
)]
pub struct Args {
    /// Character to play (see below); give at least two [default: hunter, stalker, survivor, native:3, native:5]
    #[arg(long = "contender", value_name = "NAME[:LEVEL|=FILE]")]
    contenders: Vec<String>,

    /// Map to play on: a name (see `arena list`), a TOML file, or FILE.wad:MAP01; may be given several times [default: all maps
    /// that come with repertoire]
    #[arg(long = "map", value_name = "NAME|FILE")]
    maps: Vec<String>,

    #[command(flatten)]
    known: Known,

    /// Matches on each map; more make the intervals narrower (the paper played 10)
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    matches: u32,

    /// Seat the contenders at random tables of N instead of all in one arena: each plays --matches matches in all, with others
    /// every time, on maps that take turns. For more contenders than fit into an arena
    #[arg(long, value_name = "N", conflicts_with_all = ["html", "timing"], value_parser = clap::value_parser!(u8).range(2..=255))]
    tables_of: Option<u8>,

    /// Rules of the game: `arena`, or `unreal` for those of the game that Le Hy's tables were written for (a stronger first
    /// weapon, weapons that stay away for longer, no waiting after a death). Maps of Quake have Quake's weapons in any case
    #[arg(long, value_name = "NAME", default_value = Rules::NAMES[0], value_parser = Rules::NAMES)]
    rules: String,

    /// Frags that win a match
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(i32).range(1..=100_000))]
    frags: i32,

    /// Random seed; the same seed repeats the matches
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    /// Threads: how many matches are played at the same time [default: one per core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,

    /// Seconds of game time after which a match that nobody has won ends
    #[arg(long, value_name = "SECS", default_value_t = TIME_LIMIT_SECS)]
    time_limit: f64,

    /// Write a self-contained page with tables and pictures to this file; `-` is standard output
    #[arg(long, value_name = "OUT.html")]
    html: Option<Target>,

    /// Also show how long decisions take; times differ from run to run
    #[arg(long)]
    timing: bool,

    /// Answer as JSON, with every match
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    shard: ShardArgs,
}

/// Makes a page with tables and pictures: of an outcome, the maps that were played, and the command that plays it again.
pub type Page = dyn Fn(&Outcome, &[&Map], &str) -> String;

/// Plays the tournament and prints what came of it. `page` makes the page that `--html` asks for.
///
/// # Errors
/// When the options are refused, something cannot be written, or it is stopped early.
pub fn run(args: &Args, page: Option<&Page>) -> Result<()> {
    let page_to_stdout = args.html.as_deref() == Some(Path::new("-"));
    if page_to_stdout && args.json {
        bail!("--json and --html - both want standard output\n  remedy: name a file with --html");
    }
    let tournament = tournament(args)?;
    if let Some(table) = args.tables_of {
        return play_league(args, &tournament, table.into());
    }
    let outcome = if args.shard.is_plain() {
        play(&tournament, args.threads, args.timing)?
    } else {
        let pieces = Pieces::new(&tournament, clock::lent(args.timing)).map_err(refused)?;
        let bar = progress::bar(tournament.total_matches(), TEMPLATE);
        let done =
            pool(args.threads)?.install(|| args.shard.carry_out(&pieces, "matches", &bar, args.json))?;
        let Some(outcome) = done else { return Ok(()) };
        outcome
    };
    if outcome.matches.is_empty() {
        return Err(Interrupted("stopped before the first match was over".into()).into());
    }
    if let (Some(path), Some(page)) = (&args.html, page) {
        let levels =
            tournament.levels.iter().filter(|(name, _)| outcome.maps.iter().any(|map| map.name == *name));
        let maps: Vec<_> = levels.map(|(_, level)| level.map()).collect();
        output::file(path, &page(&outcome, &maps, &command_line(args)))?;
    }
    let explained = outcome.standings.first().and_then(|best| tournament.explained(&best.name));
    match (args.json, page_to_stdout) {
        (true, _) => {
            output::json(&Answer { outcome: &outcome, explained })?;
        }
        (false, true) => {}
        (false, false) => {
            let pictures = match &args.html {
                Some(path) => format!("Pictures: {}\n", path.display()),
                None => {
                    "Pictures of where they were and how each match went: --html tournament.html\n".to_owned()
                }
            };
            let why = explained.map_or(String::new(), |one| report::explained(&one));
            output::text(&(report::report(&outcome) + &why + &pictures))?;
        }
    }
    if outcome.is_complete() {
        return Ok(());
    }
    let played = format!("stopped after {} of {} matches", outcome.matches.len(), tournament.total_matches());
    Err(Interrupted(played).into())
}

/// Plays at tables.
fn play_league(args: &Args, tournament: &Tournament, table: usize) -> Result<()> {
    let league = League::new(tournament, table).map_err(|refused| match refused {
        Refused::Contenders(_) => anyhow::anyhow!(
            "--tables-of {table}: {} contenders cannot be seated so that nobody sits alone\n  remedy: more contenders, or tables of another size",
            tournament.contenders.len()
        ),
        other => other.into(),
    })?;
    let bar = progress::bar(league.what().total, TEMPLATE);
    let done = pool(args.threads)?.install(|| args.shard.carry_out(&league, "matches", &bar, args.json))?;
    let Some(outcome) = done else { return Ok(()) };
    if args.json {
        return output::json(&outcome);
    }
    let width =
        outcome.standings.iter().take(SHOWN).map(|one| one.name.chars().count()).max().unwrap_or(0).max(9);
    let mut text = format!("{:<width$}  matches   won    frags  score\n", "character");
    for LeagueStanding { name, matches, won, frags, score } in outcome.standings.iter().take(SHOWN) {
        text += &format!("{name:<width$}  {matches:>7}  {won:>4}  {frags:>7}  {score:.1}\n");
    }
    if outcome.standings.len() > SHOWN {
        text += &format!("and {} more; --json has all\n", outcome.standings.len() - SHOWN);
    }
    text += &format!(
        "\n{} matches at tables of {table}; score: the most frags at the table minus one's own, 0 is best\n",
        outcome.matches
    );
    output::text(&text)
}

/// Standings of a league that are shown.
const SHOWN: usize = 50;

/// What came of it, and why the best did what it did.
#[derive(Serialize)]
struct Answer<'a> {
    #[serde(flatten)]
    outcome: &'a Outcome,
    explained: Option<Explained>,
}

/// The tournament that the options ask for.
fn tournament(args: &Args) -> Result<Tournament> {
    let contenders =
        contenders(args).iter().map(|written| roster::find(written)).collect::<Result<_, _>>()?;
    let levels = args.known.find(&map_names(args))?;
    Ok(Tournament {
        levels,
        contenders,
        matches: args.matches,
        frags: args.frags,
        seed: args.seed,
        rules: Rules::named(&args.rules).unwrap_or_default(),
        time_limit_secs: args.time_limit,
    })
}

fn contenders(args: &Args) -> Vec<&str> {
    or_usual(&args.contenders, &CONTENDERS)
}

fn map_names(args: &Args) -> Vec<&str> {
    or_usual(&args.maps, &maps::names())
}

/// Plays all matches with a progress bar, on `threads` threads or one per core.
pub fn play(tournament: &Tournament, threads: Option<u16>, timing: bool) -> Result<Outcome> {
    let bar = progress::bar(tournament.total_matches(), TEMPLATE);
    signals::install();
    let go_on = || !signals::stop_requested();
    let pool = pool(threads)?;
    // Above the bar, and so only where there is a terminal: the first results after seconds, not at the end.
    let tell = |result: &MatchResult| {
        bar.println(report::result(result));
        bar.inc(1);
    };
    let outcome = pool.install(|| tournament.run_while(&go_on, &tell, clock::lent(timing)));
    bar.finish_and_clear();
    outcome.map_err(refused)
}

const TEMPLATE: &str = "{bar:30} match {pos} of {len}, {elapsed} gone, {eta} to go";

fn pool(threads: Option<u16>) -> Result<rayon::ThreadPool> {
    // 0 is one thread for each core.
    rayon::ThreadPoolBuilder::new()
        .num_threads(threads.map_or(0, usize::from))
        .build()
        .context("the threads could not be started\n  remedy: --threads with a smaller number")
}

fn refused(refused: Refused) -> anyhow::Error {
    match refused {
        Refused::Contenders(_) => {
            anyhow::anyhow!(
                "{refused}\n  remedy: give --contender at least twice, such as --contender native:3"
            )
        }
        other => other.into(),
    }
}

/// The options that play the same tournament again, defaults spelled out.
fn command_line(args: &Args) -> String {
    let mut words: Vec<String> = vec!["repertoire".into(), "tournament".into()];
    let mut option = |name: &str, value: &str| words.extend([name.to_owned(), quoted(value)]);
    contenders(args).iter().for_each(|written| option("--contender", written));
    map_names(args).iter().for_each(|name| option("--map", name));
    option("--matches", &args.matches.to_string());
    option("--frags", &args.frags.to_string());
    option("--seed", &args.seed.to_string());
    if args.rules != Rules::NAMES[0] {
        option("--rules", &args.rules);
    }
    if args.time_limit != TIME_LIMIT_SECS {
        option("--time-limit", &args.time_limit.to_string());
    }
    words.join(" ")
}

/// A word as a shell reads it back.
fn quoted(word: &str) -> String {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "-_./:=,+".contains(letter);
    if !word.is_empty() && word.chars().all(is_plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_quoted_where_a_shell_would_split_them() {
        assert_eq!(quoted("native:3"), "native:3");
        assert_eq!(quoted("my map.toml"), "'my map.toml'");
        assert_eq!(quoted("it's"), "'it'\\''s'");
        assert_eq!(quoted(""), "''");
    }
}
