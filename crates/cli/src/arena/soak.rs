//! `repertoire arena soak`: thousands of matches, to find out whether a map traps, loses or crashes anybody.

use anyhow::{Result, bail};
use clap::Args as ClapArgs;
use indicatif::{ProgressBar, ProgressStyle};
use repertoire_eval::soak::{Soak, Soaked};
use repertoire_worlds::arena::map::wad;

use super::maps;
use crate::{Interrupted, output, signals};

/// Play thousands of matches and watch every character: nobody outside, nobody stuck, no panic
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
A character is stuck while it wants to move and has stayed within 1 m for 3 s. It is outside when it is in no area, below
a floor or above a ceiling.

Examples:
  repertoire arena soak --matches 1000
  repertoire arena soak --map cellar.toml --matches 200
  repertoire arena soak --matches 10000 --wad freedm.wad --wad-maps 10

Exit codes: 0 sound, 1 somebody was outside, stuck for too long, or a match panicked.")]
pub struct Args {
    /// A map: a name, a TOML file or FILE.wad:MAP01; may be repeated [default: the maps that come with repertoire]
    #[arg(long = "map", value_name = "MAP")]
    maps: Vec<String>,
    /// Also the first maps of this Doom file
    #[arg(long, value_name = "FILE.wad")]
    wad: Option<String>,
    /// How many of them
    #[arg(long, default_value_t = 10, value_name = "N")]
    wad_maps: usize,
    /// Matches in all; they take turns on the maps
    #[arg(long, default_value_t = 1000)]
    matches: u32,
    /// Length of a match, in seconds of the game
    #[arg(long, default_value_t = 60.0, value_name = "SECS")]
    seconds: f64,
    /// Native bots in a match, of levels drawn at random
    #[arg(long, default_value_t = 4)]
    bots: u8,
    /// The same seed gives the same matches
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The most time that bots may be stuck, in percent [default: 3, and 8 on maps of Doom files]
    #[arg(long, value_name = "PERCENT")]
    most_stuck: Option<f64>,
    /// Answer as JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args) -> Result<()> {
    if args.bots == 0 || args.matches == 0 || !(args.seconds > 0.0 && args.seconds <= 1e6) {
        bail!("there is nothing to play\n  remedy: give --matches, --bots and --seconds above 0");
    }
    let mut written = args.maps.clone();
    if written.is_empty() {
        written.extend(maps::names().into_iter().map(str::to_owned));
    }
    if let Some(file) = &args.wad {
        let bytes = maps::bytes_of(file)?;
        let names = wad::list(&bytes).map_err(|error| anyhow::anyhow!("{file}: {error}"))?;
        written.extend(names.iter().take(args.wad_maps).map(|map| format!("{file}:{map}")));
    }
    let mut levels = Vec::new();
    for map in &written {
        levels.push((map.clone(), maps::find(map)?.1));
    }
    let soak =
        Soak { levels, matches: args.matches, seconds: args.seconds, bots: args.bots, seed: args.seed };
    let bar = ProgressBar::new(u64::from(args.matches));
    bar.set_style(ProgressStyle::with_template("{pos} of {len} matches [{bar:40}] {eta} left")?);
    signals::install();
    let rows = soak.run_while(&|| !signals::stop_requested(), &|| bar.inc(1));
    bar.finish_and_clear();
    if args.json {
        output::json(&rows)?;
    } else {
        output::text(&table(&rows))?;
    }
    let played: u32 = rows.iter().map(|row| row.matches).sum();
    if played < args.matches {
        return Err(Interrupted(format!("stopped after {played} of {} matches", args.matches)).into());
    }
    judge(args, &rows)
}

fn table(rows: &[Soaked]) -> String {
    let width = rows.iter().map(|row| short(&row.map).len()).max().unwrap_or(0).max(3);
    let mut told = format!("{:width$}  matches  panics  outside  stuck  frags/min  state hash\n", "map");
    for row in rows {
        let minutes = row.decisions as f64 / 600.0;
        told.push_str(&format!(
            "{:width$}  {:7}  {:6}  {:7}  {:4.2} %  {:8.1}  {:016x}\n",
            short(&row.map),
            row.matches,
            row.panics,
            row.outside,
            100.0 * row.stuck_share(),
            row.frags as f64 / minutes.max(1e-9),
            row.hash
        ));
    }
    told
}

/// A map of a Doom file without the folders of the file.
fn short(map: &str) -> &str {
    map.rsplit(['/', '\\']).next().unwrap_or(map)
}

fn judge(args: &Args, rows: &[Soaked]) -> Result<()> {
    for row in rows {
        let map = short(&row.map);
        if row.panics > 0 {
            bail!(
                "{map}: {} of {} matches panicked\n  remedy: report it with the map and the seed",
                row.panics,
                row.matches
            );
        }
        if let Some([x, y, z]) = row.outside_at {
            bail!(
                "{map}: somebody was outside the world, first at ({x:.2}, {y:.2}, {z:.2})\n  remedy: look at the lines around there"
            );
        }
        let imported = row.map.to_ascii_lowercase().contains(".wad");
        let most = args.most_stuck.unwrap_or(if imported { 8.0 } else { 3.0 });
        if 100.0 * row.stuck_share() > most {
            bail!(
                "{map}: bots were stuck {:.1} % of the time, more than {most} %\n  remedy: draw its links (`arena draw {map} --nav --svg`) and look for what catches them",
                100.0 * row.stuck_share()
            );
        }
    }
    Ok(())
}
