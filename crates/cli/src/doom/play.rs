//! `repertoire doom match`: one match of our characters and Doom's bots.

use anyhow::{Result, anyhow};
use clap::Args as ClapArgs;
use indicatif::{ProgressBar, ProgressStyle};
use repertoire_doom::processor::on_one_processor;
use repertoire_doom::{Game, MatchResult};

use super::options::{How, Where, contender, entries, ground, wad_bytes};
use crate::{clock, draw, output};

/// Play one match
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Several --contender play in one match, each through an engine of its own; the engines find each other on this machine.

Examples:
  repertoire doom match --contender aggressive
  repertoire doom match --contender mine=mine.toml --bots 4 --map MAP07 --minutes 5 --json
  repertoire doom match --contender native:5 --contender prudent --bots 3

Exit codes: 0 the match was played to its end, 1 it was not (what was played is told all the same).")]
pub struct Args {
    /// Who plays, as in `tournament`; may be given several times
    #[arg(long = "contender", value_name = "NAME[:LEVEL]|[NAME=]FILE", required = true, num_args = 1..)]
    contenders: Vec<String>,
    /// The map
    #[arg(long, default_value = "MAP01")]
    map: String,
    #[command(flatten)]
    how: How,
    #[command(flatten)]
    place: Where,
    /// Answer as JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    // With several engines at once one processor would be too few.
    if args.contenders.len() == 1 { on_one_processor(0, || play(args)) } else { play(args) }
}

fn play(args: &Args) -> Result<()> {
    let entries = entries(&args.contenders)?;
    let settings = args.how.settings(&args.map, entries.len())?;
    let environment = args.place.environment()?;
    let ground = ground(&environment.wad, &wad_bytes(&environment)?, &args.map)?;
    let ours = entries.iter().map(contender).collect();
    let seconds = settings.seconds;
    let mut game = Game::start(&environment, ground, settings, ours)?;
    let bar = bar(seconds)?;
    let mut broken = None;
    while !game.is_over() {
        if let Err(error) = game.tick(Some(clock::now_ns), None) {
            broken = Some(error);
            break;
        }
        bar.set_position(game.played_secs() as u64);
    }
    bar.finish_and_clear();
    let mut result = game.end();
    result.broken = broken.as_ref().map(ToString::to_string);
    if args.json {
        output::json(&result)?
    } else {
        output::text(&told(&result))?
    }
    match broken {
        Some(error) => Err(anyhow!(
            "the match broke off after {:.0} of {:.0} s: {error}",
            result.played_secs,
            result.wanted_secs
        )),
        None => Ok(()),
    }
}

/// A bar over the seconds of a match.
pub(super) fn bar(seconds: f64) -> Result<ProgressBar> {
    let style = ProgressStyle::with_template("{bar:30} {pos} of {len} s of the game, {eta} to go")?;
    Ok(ProgressBar::new(seconds.ceil() as u64).with_style(style))
}

/// A match as a table.
pub(super) fn told(result: &MatchResult) -> String {
    let bold = anstyle::Style::new().bold();
    let mut lines = vec![
        ["player", "frags", "deaths", "by own weapon", "by the world", "stuck", "still"]
            .map(String::from)
            .to_vec(),
    ];
    let percent =
        |part: u32, whole: u32| format!("{:.1} %", 100.0 * f64::from(part) / f64::from(whole.max(1)));
    for ours in &result.ours {
        lines.push(vec![
            ours.name.clone(),
            ours.frags.to_string(),
            ours.deaths.to_string(),
            ours.own_weapon.to_string(),
            ours.by_world.to_string(),
            percent(ours.stuck, ours.decisions),
            percent(ours.still, ours.decisions),
        ]);
    }
    for (k, bot) in result.bots.iter().enumerate() {
        let still =
            if k == 0 { format!("{:.1} % (all)", 100.0 * result.bots_still_share) } else { String::new() };
        lines.push(vec![
            format!("{} (Doom's)", bot.name),
            bot.frags.to_string(),
            bot.deaths.to_string(),
            bot.own_weapon.to_string(),
            bot.by_world.to_string(),
            String::new(),
            still,
        ]);
    }
    let mut text = format!(
        "{bold}{:.0} s on {} (seed {}){bold:#}\n\n{}",
        result.played_secs,
        result.map,
        result.seed,
        draw::columns(&lines)
    );
    if let Some(timing) = &result.timing {
        text += &format!(
            "\n{:.0} steps a second through the bridge; our minds took {:.1} % of the time, percepts and keys {:.1} %\n",
            result.steps as f64 / timing.total_secs,
            100.0 * timing.minds_secs / timing.total_secs,
            100.0 * timing.adapter_secs / timing.total_secs
        );
    }
    text
}
