//! `repertoire arena soak`: thousands of matches, to find out whether a map traps, loses or crashes anybody.

use repertoire_draw::terminal::soundness;
use repertoire_eval::soak::Soak;

use super::maps;
use crate::prelude::*;

/// Play thousands of matches and check that no character leaves the map or gets stuck, and that nothing panics
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
A character is stuck while it wants to move and has stayed within 1 m for 3 s. It is outside when it is in no area, below
a floor or above a ceiling.

Examples:
  repertoire arena soak --matches 1000
  repertoire arena soak --map cellar.toml --matches 200
  repertoire arena soak --matches 10000 --wad freedm.wad --wad-maps 10
  repertoire arena soak --matches 10000 --only 0..5000 --shard half.shard

Exit codes: 0 all maps are sound; 1 a character left the map or was stuck for too long, or a match panicked.")]
pub struct Args {
    /// Map to play on: a name, a TOML file or FILE.wad:MAP01; may be given several times [default: all maps that come with
    /// repertoire]
    #[arg(long = "map", value_name = "MAP")]
    maps: Vec<String>,
    /// Also play on the first maps of this Doom file
    #[arg(long, value_name = "FILE.wad")]
    wad: Option<String>,
    /// How many maps of the Doom file to take
    #[arg(long, default_value_t = 10, value_name = "N")]
    wad_maps: usize,
    /// Matches in total; the maps take turns
    #[arg(long, default_value_t = 1000)]
    matches: u32,
    /// Length of a match, in seconds of game time
    #[arg(long, default_value_t = 60.0, value_name = "SECS")]
    seconds: f64,
    /// Native bots in a match; their levels are drawn at random
    #[arg(long, default_value_t = 4)]
    bots: u8,
    /// Random seed; the same seed repeats the matches
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// How much of their time bots may be stuck, in percent, before the map is refused [default: 3, and 8 on maps of Doom files]
    #[arg(long, value_name = "PERCENT")]
    most_stuck: Option<f64>,
    #[command(flatten)]
    answer: Answer,
    #[command(flatten)]
    shard: ShardArgs,
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
        written.extend(maps::list_wad(file)?.iter().take(args.wad_maps).map(|map| format!("{file}:{map}")));
    }
    let mut levels = Vec::new();
    for map in &written {
        levels.push((map.clone(), maps::find(map)?.1));
    }
    let soak =
        Soak { levels, matches: args.matches, seconds: args.seconds, bots: args.bots, seed: args.seed };
    let bar = progress::bar(u64::from(args.matches), "{pos} of {len} matches [{bar:40}] {eta} left");
    let rows = if args.shard.is_plain() {
        signals::install();
        let rows = soak.run_while(&|| !signals::stop_requested(), &|| bar.inc(1));
        bar.finish_and_clear();
        rows
    } else {
        let Some(rows) = args.shard.carry_out(&soak, "matches", &bar, args.answer.json)? else {
            return Ok(());
        };
        rows
    };
    args.answer.print(&rows, || soundness::soaked(&rows))?;
    let played: u32 = rows.iter().map(|row| row.matches).sum();
    if played < args.matches {
        return Err(Interrupted(format!("stopped after {played} of {} matches", args.matches)).into());
    }
    Ok(rows.iter().try_for_each(|row| row.check(args.most_stuck.unwrap_or(row.usual_percent()) / 100.0))?)
}
