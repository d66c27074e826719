//! `repertoire doom watch`: what one of our characters sees, as pictures, with what it does and why.

use std::io::Write;

use repertoire_doom::pictures::Pictures;
use repertoire_doom::{GameSettings, report};
use repertoire_draw::png;

use super::options::{How, Where, entries, start};
use crate::prelude::*;

/// Watch a match through the eyes of a character: in this terminal, as an animated picture, or as single pictures
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
What the character is doing and why is printed beside the pictures whenever it changes.

Examples:
  repertoire doom watch --contender aggressive                          in this terminal
  repertoire doom watch --contender aggressive --minutes 0.5 -o match.png      an animated PNG, for browsers
  repertoire doom watch --contender native:5 --frames pictures --map MAP07     a PNG for every moment")]
pub struct Args {
    /// Character to play, as in `tournament`, or a file
    #[arg(long, value_name = "NAME[:LEVEL]|[NAME=]FILE", default_value = "aggressive")]
    contender: String,
    /// The map of the WAD file
    #[arg(long, default_value = "MAP01")]
    map: String,
    #[command(flatten)]
    how: How,
    #[command(flatten)]
    place: Where,
    /// Decisions between pictures
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..=1000))]
    every: u32,
    /// Write one animated PNG to this file
    #[arg(short, long, value_name = "OUT.png")]
    output: Option<PathBuf>,
    /// Write every picture to this folder
    #[arg(long, value_name = "FOLDER")]
    frames: Option<PathBuf>,
    /// Print only what it does and why, without pictures in this terminal
    #[arg(long)]
    plain: bool,
}

/// The most pictures that one animated picture is made of: an hour of them would fill the memory.
const MOST_PICTURES: usize = 6000;

pub(crate) fn run(args: &Args) -> Result<()> {
    let entries = entries(std::slice::from_ref(&args.contender))?;
    let settings = GameSettings { pictures: true, ..args.how.settings(&args.map, 1)? };
    let period_ms = 1000.0 * f64::from(args.every) * f64::from(settings.manner.tics) / 35.0;
    let wanted = settings.seconds * 1000.0 / period_ms;
    if args.output.is_some() && wanted > MOST_PICTURES as f64 {
        bail!(
            "{wanted:.0} pictures are too many for one\n  remedy: a shorter match (--minutes 0.5), fewer pictures (--every 4), or --frames"
        );
    }
    let folder = Pictures::new(args.frames.as_deref())?;
    let game = start(&args.place, settings, &entries)?;
    let in_terminal =
        !args.plain && args.output.is_none() && args.frames.is_none() && std::io::stdout().is_terminal();
    let mut kept: Vec<Vec<u8>> = Vec::new();
    let (mut number, mut last) = (0u32, String::new());
    let result = game.play_with_pictures(clock::now_ns, args.every, &folder, &mut |game,
                                                                                    picture|
     -> Result<()> {
        let alive = game.percept(0).is_some();
        let (task, why) = game.task(0);
        let task = if alive { task.to_owned() } else { "dead".to_owned() };
        if let Some(path) = picture {
            number += 1;
            if in_terminal {
                show(path, game.played_secs(), &task, &why)?;
            }
            if args.output.is_some() {
                kept.push(std::fs::read(path).with_context(|| format!("{} is missing", path.display()))?);
            }
            if args.frames.is_none() {
                let _ = std::fs::remove_file(path);
            }
        }
        if !in_terminal && task != last {
            output::text(&format!("{:>6.1} s  {}\n", game.played_secs(), if alive { &why } else { "dead" }))?;
            last = task;
        }
        Ok(())
    })?;
    if let Some(path) = &args.output
        && !kept.is_empty()
    {
        let film = png::animate(&kept, period_ms.round() as u16)?;
        output::replace(path, |out| Ok(out.write_all(&film)?))?;
        output::text(&format!("\n{}: {} pictures, {} kB\n", path.display(), kept.len(), film.len() / 1000))?;
    }
    if let Some(path) = &args.frames {
        output::text(&format!("\n{}: {number} pictures\n", path.display()))?;
    }
    output::text(&format!("\n{}", report::of_match(&result)))?;
    match result.broken {
        None => Ok(()),
        Some(error) => bail!("the match broke off after {:.0} s: {error}", result.played_secs),
    }
}

/// Draws a picture over the one before, at the pace of the game.
#[allow(clippy::disallowed_methods, reason = "people watch in real time; nothing depends on it")]
fn show(path: &Path, secs: f64, task: &str, why: &str) -> Result<()> {
    let columns = crossterm::terminal::size()
        .map_or(80, |(columns, rows)| usize::from(columns).min(usize::from(rows.saturating_sub(4)) * 8 / 3));
    let picture = png::in_terminal(&std::fs::read(path)?, columns)?;
    let mut out = std::io::stdout().lock();
    let why: String = why.chars().take(columns).collect();
    write!(out, "\x1b[H{picture}\x1b[0m\x1b[K{secs:.1} s  {task}\n\x1b[K{why}\n\x1b[J")?;
    out.flush()?;
    std::thread::sleep(std::time::Duration::from_millis(90));
    Ok(())
}
