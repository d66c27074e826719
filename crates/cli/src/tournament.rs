//! `repertoire tournament`: the first thing a newcomer runs.

use std::path::Path;

use anyhow::{Context, Result, bail};
use clap::Args as ClapArgs;
use indicatif::{ProgressBar, ProgressStyle};
use repertoire_eval::Interval;
use repertoire_eval::tournament::{Outcome, Standing, TIME_LIMIT_SECS, Tournament};
use repertoire_worlds::arena::rules::Rules;

use crate::arena::{maps, roster};
use crate::output::{self, Target};
use crate::{Interrupted, clock, draw, signals};

/// Let characters fight all against all, and see who is better
#[derive(Debug, ClapArgs)]
#[command(
    long_about = "Let characters fight all against all, and see who is better.

All contenders meet in one arena until one reaches --frags (others killed, minus own suicides), several times on \
each map. The score of a match is the winner's frags minus one's own, so 0 is best; shown is its mean with a 95 % \
interval. This is the protocol of Le Hy (2007, table 3.11).",
    after_help = "\
Contenders:
  native:LEVEL   the bots that a game would ship, LEVEL from 0 (a beginner) to 7 (a champion)
  native:LEVEL+belief            the same, believing where enemies are who are out of sight
  prudent, aggressive, uniform   characters of the shipped behaviours (Le Hy 2007)
  individual:PROFILE             a character with a profile of motivations, by name or file
  NAME=FILE      a character of the behaviour (TOML) or learned by imitation (JSON) in FILE, called NAME

With no options, native:1, 3, 5 and 7 meet on every map that comes with it, 10 times to 100 frags on
each as in the paper: some ten seconds on 2 free cores. The same options and seed give the same results
on any machine and any number of threads; only the time of decisions differs (their median is shown),
which is under `timing` in the JSON.

Examples:
  repertoire tournament
  repertoire tournament --html tournament.html
  repertoire tournament --contender native:3 --contender native:4 --map yard --matches 50
  repertoire tournament --matches 2 --frags 20 --json"
)]
pub struct Args {
    /// Who plays; give it at least twice [default: native:1, native:3, native:5, native:7]
    #[arg(long = "contender", value_name = "NAME[:LEVEL|=FILE]")]
    contenders: Vec<String>,

    /// Where: a map that comes with repertoire, or a map file; may be given several times [default: all that come with it]
    #[arg(long = "map", value_name = "NAME|FILE")]
    maps: Vec<String>,

    /// Matches on each map; more make the intervals narrower
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    matches: u32,

    /// Frags that win a match
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(i32).range(1..=100_000))]
    frags: i32,

    /// Random seed; the same seed gives the same matches
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    /// Matches at a time [default: one for each core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,

    /// Seconds of game time after which a match that nobody has won ends
    #[arg(long, value_name = "SECS", default_value_t = TIME_LIMIT_SECS)]
    time_limit: f64,

    /// Write a page with tables and pictures; it needs nothing else to be shown
    #[arg(long, value_name = "OUT.html")]
    html: Option<Target>,

    /// Answer as JSON, with every match
    #[arg(long)]
    json: bool,
}

const CONTENDERS: [&str; 4] = ["native:1", "native:3", "native:5", "native:7"];

pub(crate) fn run(args: &Args) -> Result<()> {
    let page_to_stdout = args.html.as_deref() == Some(Path::new("-"));
    if page_to_stdout && args.json {
        bail!("--json and --html - both want standard output\n  remedy: name a file with --html");
    }
    let tournament = tournament(args)?;
    let outcome = play(&tournament, args.threads)?;
    if outcome.matches.is_empty() {
        return Err(Interrupted("stopped before the first match was over".into()).into());
    }
    if let Some(path) = &args.html {
        let levels =
            tournament.levels.iter().filter(|(name, _)| outcome.maps.iter().any(|map| map.name == *name));
        let maps: Vec<_> = levels.map(|(_, level)| level.map()).collect();
        output::file(path, &draw::tournament::page(&outcome, &maps, &command_line(args)))?;
    }
    match (args.json, page_to_stdout) {
        (true, _) => output::json(&outcome)?,
        (false, true) => {}
        (false, false) => output::text(&report(&outcome, args.html.as_deref(), true))?,
    }
    if outcome.is_complete() {
        return Ok(());
    }
    let played = format!("stopped after {} of {} matches", outcome.matches.len(), tournament.total_matches());
    Err(Interrupted(played).into())
}

/// The tournament that the options ask for.
fn tournament(args: &Args) -> Result<Tournament> {
    let contenders =
        contenders(args).iter().map(|written| roster::find(written)).collect::<Result<_, _>>()?;
    let levels = map_names(args).iter().map(|name| maps::find(name)).collect::<Result<_>>()?;
    Ok(Tournament {
        levels,
        contenders,
        matches: args.matches,
        frags: args.frags,
        seed: args.seed,
        rules: Rules::default(),
        time_limit_secs: args.time_limit,
    })
}

fn contenders(args: &Args) -> Vec<&str> {
    match &args.contenders[..] {
        [] => CONTENDERS.to_vec(),
        given => given.iter().map(String::as_str).collect(),
    }
}

fn map_names(args: &Args) -> Vec<&str> {
    match &args.maps[..] {
        [] => maps::names(),
        given => given.iter().map(String::as_str).collect(),
    }
}

/// Plays all matches with a progress bar, on `threads` threads or one per core.
pub(crate) fn play(tournament: &Tournament, threads: Option<u16>) -> Result<Outcome> {
    let bar = ProgressBar::new(tournament.total_matches()).with_style(ProgressStyle::with_template(
        "{bar:30} match {pos} of {len}, {elapsed} gone, {eta} to go",
    )?);
    bar.tick();
    signals::install();
    // 0 is one thread for each core.
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads.map_or(0, usize::from))
        .build()
        .context("the threads could not be started\n  remedy: --threads with a smaller number")?;
    let go_on = || !signals::stop_requested();
    let outcome = pool.install(|| tournament.run_while(&go_on, &|_| bar.inc(1), Some(clock::now_ns)));
    bar.finish_and_clear();
    outcome.map_err(|refused| match refused {
        repertoire_eval::Refused::Contenders(_) => {
            anyhow::anyhow!(
                "{refused}\n  remedy: give --contender at least twice, such as --contender native:3"
            )
        }
        other => other.into(),
    })
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

/// The tables, what they mean, and where to look next.
pub(crate) fn report(outcome: &Outcome, html: Option<&Path>, with_hint: bool) -> String {
    let settings = &outcome.settings;
    let bold = anstyle::Style::new().bold();
    let mut text = format!(
        "{bold}{} to {} frags on {} (seed {}){bold:#}\n\n{}",
        count(outcome.matches.len(), "match", "matches"),
        settings.frags,
        settings.maps.join(", "),
        settings.seed,
        standings(outcome)
    );
    if outcome.maps.len() > 1 {
        text += &format!("\n{bold}Score on each map{bold:#}\n\n{}", by_map(outcome));
    }
    text += "\nThe score of a match is the winner's frags minus one's own, so 0 is best; here is its mean over all matches,\n\
             and ± how far off that may be (95 % confidence).\n";
    for pair in outcome.standings.windows(2).filter(|pair| pair[0].is_close_to_next()) {
        let apart = pair[0].lead.map_or(String::new(), |lead| score(&lead));
        text += &format!(
            "Too close to call: {} and {}, {apart} frags a match apart.\n",
            pair[0].name, pair[1].name
        );
    }
    if outcome.undecided() > 0 {
        text += &format!(
            "{} without a winner within {} s (or with two at once); the most frags then count as the winner's.\n",
            count(outcome.undecided() as usize, "match ended", "matches ended"),
            settings.time_limit_secs
        );
    }
    text + &match html {
        Some(path) => format!("Pictures: {}\n", path.display()),
        None if !with_hint => String::new(),
        None => "Pictures of where they were and how each match went: --html tournament.html\n".to_owned(),
    }
}

fn count(number: usize, one: &str, several: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { several })
}

fn standings(outcome: &Outcome) -> String {
    let head =
        ["character", "score", "wins", "frags", "deaths", "suicides", "accuracy", "stuck", "µs/decision"];
    let mut lines = vec![head.map(String::from).to_vec()];
    for standing in &outcome.standings {
        let timing = outcome.timing.as_ref().map(|timing| timing[standing.contender].median_ns / 1000.0);
        lines.push(vec![
            standing.name.clone(),
            score(&standing.score),
            standing.wins.to_string(),
            format!("{:.1}", standing.frags),
            format!("{:.1}", standing.deaths),
            format!("{:.1}", standing.suicides),
            format!("{:.0} %", 100.0 * standing.accuracy),
            format!("{:.1} %", 100.0 * standing.stuck_share),
            timing.map_or(String::new(), |us| format!("{us:.1}")),
        ]);
    }
    draw::columns(&lines)
}

fn score(score: &Interval) -> String {
    match score.half_width {
        Some(half) => format!("{:.1} ± {half:.1}", score.mean),
        None => format!("{:.1}", score.mean),
    }
}

/// A line for each character in the order of the total, a column for each map.
fn by_map(outcome: &Outcome) -> String {
    let mut head = vec!["character".to_owned()];
    head.extend(outcome.maps.iter().map(|map| map.name.clone()));
    let mut lines = vec![head];
    for total in &outcome.standings {
        let on = |standings: &[Standing]| {
            let own = standings.iter().find(|standing| standing.contender == total.contender);
            own.map_or(String::new(), |standing| score(&standing.score))
        };
        let mut line = vec![total.name.clone()];
        line.extend(outcome.maps.iter().map(|map| on(&map.standings)));
        lines.push(line);
    }
    draw::columns(&lines)
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
