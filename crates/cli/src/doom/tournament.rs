//! `repertoire doom tournament`: our characters, each against Doom's bots, on many maps.

use std::collections::BTreeMap;
use std::fs::OpenOptions;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use anyhow::{Context, Result, anyhow, bail};
use clap::Args as ClapArgs;
use indicatif::{ProgressBar, ProgressStyle};
use repertoire_doom::MatchResult;
use repertoire_doom::tournament::{Fixture, Standing, Tournament};
use repertoire_eval::Interval;
use serde::{Deserialize, Serialize};

use super::options::{How, Where, entries, ground, wad_bytes};
use crate::{clock, draw, output};

/// Let our characters meet Doom's bots, many times on many maps
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
In each match one of ours plays against --bots of Doom's. All of ours meet the same bots from the same seeds. `frags` are
others killed minus deaths without a killer, as Doom counts; `a bot` is the mean of the bots of the same matches; `lead` is
the difference of the two, with a 95 % interval over matches.

With --results every match is written down as it ends. The same command goes on where it was interrupted.

Examples:
  repertoire doom tournament --contender aggressive --contender native:5
  repertoire doom tournament --contender aggressive --map MAP01 --map MAP07 --matches 2 --minutes 1
  repertoire doom tournament --contender mine=mine.toml --results mine.jsonl --json")]
pub struct Args {
    /// Who plays, as in `tournament`; may be given several times [default: aggressive, prudent, uniform, native:3, native:5]
    #[arg(long = "contender", value_name = "NAME[:LEVEL]|[NAME=]FILE", num_args = 1..)]
    contenders: Vec<String>,
    /// The maps; may be given several times [default: eight of FreeDM's on which its bots do not get stuck]
    #[arg(long = "map", value_name = "MAP", num_args = 1..)]
    maps: Vec<String>,
    /// Matches of each character on each map
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    matches: u32,
    /// Matches at a time
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u16).range(1..=64))]
    at_a_time: u16,
    #[command(flatten)]
    how: How,
    #[command(flatten)]
    place: Where,
    /// Write every match down as it ends, and go on from what is there
    #[arg(long, value_name = "FILE.jsonl")]
    results: Option<PathBuf>,
    /// Answer as JSON, with every match
    #[arg(long)]
    json: bool,
}

/// Maps of FreeDM on which the engine's bots get about.
const MAPS: [&str; 8] = ["MAP01", "MAP04", "MAP07", "MAP08", "MAP14", "MAP22", "MAP24", "MAP27"];
const CONTENDERS: [&str; 5] = ["aggressive", "prudent", "uniform", "native:3", "native:5"];

/// A line of the file of results.
#[derive(Debug, Serialize, Deserialize)]
struct Line {
    contender: String,
    map: String,
    number: u32,
    bots: usize,
    minutes: f64,
    result: MatchResult,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let tournament = tournament(args)?;
    let environment = args.place.environment()?;
    if !repertoire_doom::setup::has_vizdoom(&environment.python) {
        // Once, and not for every match.
        return Err(repertoire_doom::DoomError::NoVizdoom(environment.python).into());
    }
    let mut results = match &args.results {
        Some(path) => read_results(path, args, &tournament)?,
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
    let bar = ProgressBar::new(all.len() as u64).with_style(ProgressStyle::with_template(
        "{bar:30} match {pos} of {len}, {elapsed} gone, {eta} to go{msg}",
    )?);
    bar.set_position((all.len() - left.len()) as u64);
    let told = |fixture: Fixture, result: &MatchResult| {
        bar.inc(1);
        match &result.broken {
            Some(broken) => bar.suspend(|| {
                let name = &tournament.contenders[fixture.contender].name;
                anstream::eprintln!(
                    "note: {name}'s match {} on {} broke off after {:.0} s and does not count: {broken}",
                    fixture.number + 1,
                    result.map,
                    result.played_secs
                );
            }),
            None => {
                if let Some(file) = &file
                    && let Err(error) = write_result(file, args, &tournament, fixture, result)
                {
                    bar.suspend(|| anstream::eprintln!("note: a result could not be written: {error}"));
                }
            }
        }
    };
    let at_a_time = usize::from(args.at_a_time);
    let played = tournament.run(&environment, &left, at_a_time, Some(clock::now_ns), &told);
    bar.finish_and_clear();
    results.extend(played);
    let broken = results.values().filter(|result| result.broken.is_some()).count();
    let standings = standings(&tournament, &results);
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
        output::text(&report(args, &tournament, &results, &standings))?;
    }
    if standings.iter().all(|standing| standing.matches == 0) {
        let why = results.values().find_map(|result| result.broken.clone()).unwrap_or_default();
        return Err(anyhow!("no match was played to its end: {why}"));
    }
    Ok(())
}

fn tournament(args: &Args) -> Result<Tournament> {
    let usual: Vec<String> = CONTENDERS.map(str::to_owned).to_vec();
    let contenders = entries(if args.contenders.is_empty() { &usual } else { &args.contenders })?;
    for (k, entry) in contenders.iter().enumerate() {
        if contenders[..k].iter().any(|other| other.name == entry.name) {
            bail!("{} plays twice\n  remedy: give different names: NAME=FILE", entry.name);
        }
    }
    let settings = args.how.settings("", 1)?;
    let place = &args.place;
    let environment = repertoire_doom::Environment::find(
        place.dir.as_deref(),
        place.python.as_deref(),
        place.wad.as_deref(),
    );
    environment.check()?;
    let bytes = wad_bytes(&environment)?;
    let maps: Vec<&str> =
        if args.maps.is_empty() { MAPS.to_vec() } else { args.maps.iter().map(String::as_str).collect() };
    let maps = maps
        .into_iter()
        .map(|map| Ok((map.to_uppercase(), ground(&environment.wad, &bytes, map)?)))
        .collect::<Result<_>>()?;
    Ok(Tournament { maps, contenders, matches: args.matches, settings })
}

fn write_result(
    file: &Mutex<std::fs::File>,
    args: &Args,
    tournament: &Tournament,
    fixture: Fixture,
    result: &MatchResult,
) -> Result<()> {
    let line = Line {
        contender: tournament.contenders[fixture.contender].name.clone(),
        map: tournament.maps[fixture.map].0.clone(),
        number: fixture.number,
        bots: args.how.bots,
        minutes: args.how.minutes,
        result: result.clone(),
    };
    let text = serde_json::to_string(&line)? + "\n";
    let mut file = file.lock().map_err(|_| anyhow!("another match failed while writing"))?;
    Ok(file.write_all(text.as_bytes())?)
}

/// What was played before. A last line that was cut off is played again.
fn read_results(path: &Path, args: &Args, tournament: &Tournament) -> Result<BTreeMap<Fixture, MatchResult>> {
    let mut results = BTreeMap::new();
    let Ok(text) = std::fs::read_to_string(path) else { return Ok(results) };
    let whole = text.rfind('\n').map_or("", |end| &text[..=end]);
    if whole.len() < text.len() {
        output::replace(path, |out| Ok(out.write_all(whole.as_bytes())?))?;
    }
    for (number, line) in whole.lines().enumerate() {
        let line: Line = serde_json::from_str(line).map_err(|error| {
            anyhow!(
                "{}:{}: no result of a match: {error}\n  remedy: name another file, or delete the line",
                path.display(),
                number + 1
            )
        })?;
        let contender = tournament.contenders.iter().position(|entry| entry.name == line.contender);
        let map = tournament.maps.iter().position(|(name, _)| *name == line.map);
        let (Some(contender), Some(map)) = (contender, map) else { continue };
        let fixture = Fixture { contender, map, number: line.number };
        let same = line.bots == args.how.bots
            && line.minutes == args.how.minutes
            && line.result.seed == tournament.seed_of(fixture);
        if !same {
            bail!(
                "{}:{}: it was played with other options\n  remedy: give the same --bots, --minutes and --seed, or name another file",
                path.display(),
                number + 1
            );
        }
        if line.number < args.matches {
            results.insert(fixture, line.result);
        }
    }
    Ok(results)
}

fn standings(tournament: &Tournament, results: &BTreeMap<Fixture, MatchResult>) -> Vec<Standing> {
    let of = |contender: usize| {
        let own = results.iter().filter(move |(fixture, _)| fixture.contender == contender);
        Standing::of(&tournament.contenders[contender].name, own.map(|(_, result)| result))
    };
    let mut standings: Vec<Standing> = (0..tournament.contenders.len()).map(of).collect();
    standings.sort_by(|a, b| b.lead.mean.total_cmp(&a.lead.mean));
    standings
}

fn report(
    args: &Args,
    tournament: &Tournament,
    results: &BTreeMap<Fixture, MatchResult>,
    standings: &[Standing],
) -> String {
    let bold = anstyle::Style::new().bold();
    let played: usize = standings.iter().map(|standing| standing.matches).sum();
    let mut text = format!(
        "{bold}{played} matches of {} min against {} of Doom's bots on {} maps (seed {}){bold:#}\n\n",
        args.how.minutes,
        args.how.bots,
        tournament.maps.len(),
        args.how.seed
    );
    let head = ["character", "frags", "a bot", "lead", "over the best", "wins", "deaths", "a bot"];
    let mut lines = vec![head.map(String::from).to_vec()];
    for standing in standings {
        lines.push(vec![
            standing.name.clone(),
            shown(&standing.frags),
            shown(&standing.bot_frags),
            shown(&standing.lead),
            shown(&standing.lead_over_best),
            format!("{} of {}", standing.wins, standing.matches),
            format!("{:.1}", standing.deaths),
            format!("{:.1}", standing.bot_deaths),
        ]);
    }
    text += &draw::columns(&lines);
    text += &format!("\n{bold}How they moved and died{bold:#} (a match; shares of their lives)\n\n");
    let head =
        ["character", "own weapon", "a bot", "world", "a bot", "still", "bots", "stuck", "steps/s", "mind"];
    let mut lines = vec![head.map(String::from).to_vec()];
    for standing in standings {
        lines.push(vec![
            standing.name.clone(),
            format!("{:.2}", standing.own_weapon),
            format!("{:.2}", standing.bot_own_weapon),
            format!("{:.2}", standing.by_world),
            format!("{:.2}", standing.bot_by_world),
            format!("{:.1} %", 100.0 * standing.still_share),
            format!("{:.1} %", 100.0 * standing.bot_still_share),
            format!("{:.1} %", 100.0 * standing.stuck_share),
            format!("{:.0}", standing.steps_per_sec),
            format!("{:.1} %", 100.0 * standing.mind_share),
        ]);
    }
    text += &draw::columns(&lines);
    if tournament.maps.len() > 1 {
        text += &format!(
            "\n{bold}Lead over a bot on each map{bold:#}\n\n{}",
            by_map(tournament, results, standings)
        );
    }
    text += "\nThree seconds spent within a metre are `still`; `stuck` is the part of them in which it wanted to move.\n";
    let broken = results.values().filter(|result| result.broken.is_some()).count();
    if broken > 0 {
        text += &format!("{broken} matches broke off and do not count.\n");
    }
    text
}

fn by_map(
    tournament: &Tournament,
    results: &BTreeMap<Fixture, MatchResult>,
    standings: &[Standing],
) -> String {
    let mut head = vec!["character".to_owned()];
    head.extend(tournament.maps.iter().map(|(name, _)| name.clone()));
    let mut lines = vec![head];
    for total in standings {
        let contender = tournament.contenders.iter().position(|entry| entry.name == total.name);
        let mut line = vec![total.name.clone()];
        for map in 0..tournament.maps.len() {
            let own = results
                .iter()
                .filter(|(fixture, _)| Some(fixture.contender) == contender && fixture.map == map);
            line.push(shown(&Standing::of("", own.map(|(_, result)| result)).lead));
        }
        lines.push(line);
    }
    draw::columns(&lines)
}

fn shown(interval: &Interval) -> String {
    match interval.half_width {
        Some(half) => format!("{:.1} ± {half:.1}", interval.mean),
        None => format!("{:.1}", interval.mean),
    }
}
