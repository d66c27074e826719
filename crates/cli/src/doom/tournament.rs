//! `repertoire doom tournament`: our characters, each against Doom's bots, on many maps.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use anyhow::{Context, Result, anyhow, bail};
use clap::Args as ClapArgs;
use repertoire_doom::tournament::{Fixture, Tournament};
use repertoire_doom::{Ground, MatchResult, report};

use super::options::{How, Where, entries, wad_bytes};
use crate::arena::or_usual;
use crate::{clock, output, progress};

/// Let characters play against Doom's bots, many times on many maps
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
In each match one of our characters plays against --bots of Doom's. All of ours meet the same bots from the same seeds. `frags` are
others killed minus deaths without a killer, as Doom counts; `a bot` is the mean of the bots of the same matches; `lead` is
the difference of the two, with a 95 % interval over matches.

With --results every match is written to a file as it ends, and the same command continues where it was interrupted.

Examples:
  repertoire doom tournament --contender aggressive --contender native:5
  repertoire doom tournament --contender aggressive --map MAP01 --map MAP07 --matches 2 --minutes 1
  repertoire doom tournament --contender mine=mine.toml --results mine.jsonl --json")]
pub struct Args {
    /// Character to play, as in `tournament`, or a file; may be given several times [default: aggressive, prudent, uniform, native:3, native:5]
    #[arg(long = "contender", value_name = "NAME[:LEVEL]|[NAME=]FILE", num_args = 1..)]
    contenders: Vec<String>,
    /// Map of the WAD file; may be given several times [default: eight of FreeDM's on which its bots do not get stuck]
    #[arg(long = "map", value_name = "MAP", num_args = 1..)]
    maps: Vec<String>,
    /// Matches of each character on each map; more make the intervals narrower
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    matches: u32,
    /// Matches to play at the same time, each on a processor of its own
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u16).range(1..=64))]
    at_a_time: u16,
    #[command(flatten)]
    how: How,
    #[command(flatten)]
    place: Where,
    /// Append every match to this file as it ends; the same command continues from what is there
    #[arg(long, value_name = "FILE.jsonl")]
    results: Option<PathBuf>,
    /// Answer as JSON, with every match
    #[arg(long)]
    json: bool,
}

/// Maps of FreeDM on which the engine's bots get about.
const MAPS: [&str; 8] = ["MAP01", "MAP04", "MAP07", "MAP08", "MAP14", "MAP22", "MAP24", "MAP27"];
const CONTENDERS: [&str; 5] = ["aggressive", "prudent", "uniform", "native:3", "native:5"];

pub(crate) fn run(args: &Args) -> Result<()> {
    let tournament = tournament(args)?;
    let environment = args.place.environment()?;
    if !repertoire_doom::setup::has_vizdoom(&environment.python) {
        // Once, and not for every match.
        return Err(repertoire_doom::DoomError::NoVizdoom(environment.python).into());
    }
    let mut results = match &args.results {
        Some(path) => read_results(path, &tournament)?,
        None => BTreeMap::new(),
    };
    let all = tournament.fixtures();
    let left: Vec<Fixture> = all.iter().filter(|fixture| !results.contains_key(fixture)).copied().collect();
    let file = match &args.results {
        Some(path) => Some(Mutex::new(
            OpenOptions::new()
                .create(true)
                .append(true)
                .open(path)
                .with_context(|| format!("{} could not be written", path.display()))?,
        )),
        None => None,
    };
    let template = "{bar:30} match {pos} of {len}, {elapsed} gone, {eta} to go{msg}";
    let bar = progress::bar(all.len() as u64, template);
    bar.set_position((all.len() - left.len()) as u64);
    let told = |fixture: Fixture, result: &MatchResult| {
        bar.inc(1);
        let note = match (&result.broken, &file) {
            (Some(broken), _) => format!(
                "{}'s match {} on {} broke off after {:.0} s and does not count: {broken}",
                tournament.contenders[fixture.contender].name,
                fixture.number + 1,
                result.map,
                result.played_secs
            ),
            (None, Some(file)) => match write_result(file, &tournament, fixture, result) {
                Err(error) => format!("a result could not be written: {error}"),
                Ok(()) => return,
            },
            (None, None) => return,
        };
        bar.suspend(|| anstream::eprintln!("note: {note}"));
    };
    let at_a_time = usize::from(args.at_a_time);
    let played = tournament.run(&environment, &left, at_a_time, Some(clock::now_ns), &told);
    bar.finish_and_clear();
    results.extend(played);
    let broken = results.values().filter(|result| result.broken.is_some()).count();
    let standings = tournament.standings(&results);
    if args.json {
        output::json(&serde_json::json!({
            "maps": tournament.maps.iter().map(|(name, _)| name).collect::<Vec<_>>(),
            "matches_on_each_map": args.matches,
            "minutes": args.how.minutes,
            "bots": args.how.bots,
            "seed": args.how.seed,
            "broken": broken,
            "standings": standings,
            "matches": results.values().collect::<Vec<_>>(),
        }))?;
    } else {
        output::text(&report::of_tournament(&tournament, &results))?;
    }
    if standings.iter().all(|standing| standing.matches == 0) {
        let why = results.values().find_map(|result| result.broken.clone()).unwrap_or_default();
        return Err(anyhow!("no match was played to its end: {why}"));
    }
    Ok(())
}

fn tournament(args: &Args) -> Result<Tournament> {
    let contenders = entries(&or_usual(&args.contenders, &CONTENDERS))?;
    for (k, entry) in contenders.iter().enumerate() {
        if contenders[..k].iter().any(|other| other.name == entry.name) {
            bail!("{} plays twice\n  remedy: give different names: NAME=FILE", entry.name);
        }
    }
    let settings = args.how.settings("", 1)?;
    let environment = args.place.find();
    environment.check()?;
    let bytes = wad_bytes(&environment)?;
    let ground = |map: &str| Ok((map.to_uppercase(), Ground::import(&environment.wad, &bytes, map)?));
    let maps = or_usual(&args.maps, &MAPS).into_iter().map(ground).collect::<Result<_>>()?;
    Ok(Tournament { maps, contenders, matches: args.matches, settings })
}

/// What was played before. A last line that was cut off is played again.
fn read_results(path: &Path, tournament: &Tournament) -> Result<BTreeMap<Fixture, MatchResult>> {
    let Ok(text) = std::fs::read_to_string(path) else { return Ok(BTreeMap::new()) };
    let whole = text.rfind('\n').map_or("", |end| &text[..=end]);
    if whole.len() < text.len() {
        output::replace(path, |out| Ok(out.write_all(whole.as_bytes())?))?;
    }
    tournament.read_results(whole).map_err(|error| anyhow!("{}:{error}", path.display()))
}

fn write_result(
    file: &Mutex<File>,
    tournament: &Tournament,
    fixture: Fixture,
    result: &MatchResult,
) -> Result<()> {
    let line = tournament.result_line(fixture, result)?;
    let mut file = file.lock().map_err(|_| anyhow!("another match failed while writing"))?;
    Ok(file.write_all(line.as_bytes())?)
}
