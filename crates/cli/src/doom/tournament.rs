//! `repertoire doom tournament`: our characters, each against Doom's bots, on many maps.

use repertoire_doom::results::ResultsFile;
use repertoire_doom::tournament::Tournament;
use repertoire_doom::{Ground, report};

use super::options::{How, Where, entries};
use crate::prelude::*;

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
    let (file, mut results) = match &args.results {
        Some(path) => ResultsFile::open(path, &tournament).map(|(file, results)| (Some(file), results))?,
        None => (None, BTreeMap::new()),
    };
    let all = tournament.fixtures();
    let template = "{bar:30} match {pos} of {len}, {elapsed} gone, {eta} to go{msg}";
    let bar = progress::bar(all.len() as u64, template);
    bar.set_position(all.iter().filter(|fixture| results.contains_key(fixture)).count() as u64);
    let told = |note: Option<String>| {
        bar.inc(1);
        note.iter().for_each(|note| bar.suspend(|| anstream::eprintln!("note: {note}")));
    };
    let pace = (usize::from(args.at_a_time), Some(clock::now_ns as _));
    tournament.go_on(&environment, &mut results, file.as_ref(), pace, &told);
    bar.finish_and_clear();
    let standings = tournament.standings(&results);
    output::answer(args.json, &report::tournament_as_json(&tournament, &results, args.how.minutes), || {
        report::of_tournament(&tournament, &results)
    })?;
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
    let bytes = environment.maps()?;
    let ground = |map: &str| Ok((map.to_uppercase(), Ground::import(&environment.wad, &bytes, map)?));
    let maps = or_usual(&args.maps, &MAPS).into_iter().map(ground).collect::<Result<_>>()?;
    Ok(Tournament { maps, contenders, matches: args.matches, settings })
}
