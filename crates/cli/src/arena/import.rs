//! `repertoire arena import`.

use repertoire_worlds::arena::figures::MapFigures;
use repertoire_worlds::arena::level::Level;
use repertoire_worlds::arena::map::file;

use super::maps::{self, ReadMap};
use crate::prelude::*;

/// The most faults that are shown at once: a damaged map may have hundreds.
const MOST_FAULTS: usize = 20;

/// Convert a map of Doom (WAD) or Quake (BSP) to a map file
#[derive(Debug, ClapArgs)]
#[command(
    long_about = "Convert a map of Doom (WAD) or Quake (BSP) to a map file.

Of Quake, maps of version 29: hulls, starts, items, lifts, teleporters, liquids. Of Doom, maps in the format of Doom and Boom: walls, heights, doors (which stand open), lifts, teleporters, harmful floors, \
weapons, ammunition, health and deathmatch starts. Says what was left out, and checks that the map can be played. \
Nothing is written if it cannot.",
    after_help = "\
Free maps: Debian's package freedm has 32 for deathmatch, in /usr/share/games/doom/freedm.wad.

Examples:
  repertoire arena import freedm.wad                          list its maps
  repertoire arena import freedm.wad MAP01                    try one, without writing anything
  repertoire arena import freedm.wad MAP01 -o map01.toml --svg map01.svg
  repertoire arena import dm6.bsp.gz -o dm6.toml              one map to a file: none is named
  repertoire arena watch --map map01.toml"
)]
pub struct Args {
    /// The WAD file, or a map of Quake (.bsp, plain or gzip)
    file: String,

    /// The map to convert, such as MAP01 or E1M1 [default: list the maps of the file]
    map: Option<String>,

    /// Write the map to this file; `-` is standard output [default: only say what would become of it]
    #[arg(short, long, value_name = "OUT.toml")]
    output: Option<PathBuf>,

    /// Write an SVG picture of it to this file; `-` is standard output
    #[arg(long, value_name = "OUT.svg")]
    svg: Option<PathBuf>,

    #[command(flatten)]
    answer: Answer,
}

pub(super) fn run(args: &Args) -> Result<()> {
    refuse_confusion(args)?;
    let found = match &args.map {
        None if maps::is_bsp(&args.file) => maps::import_bsp(&args.file)?,
        None => return list(args),
        Some(map) if maps::is_bsp(&args.file) => {
            bail!("{} is one map, so `{map}` cannot be chosen in it\n  remedy: leave `{map}` out", args.file)
        }
        Some(map) => maps::import(&args.file, map)?,
    };
    let level = found.level().map_err(|faults| {
        let all = found.told(&faults, MOST_FAULTS);
        anyhow!("{} cannot be played\n{all}", found.written)
    })?;
    // Both are made before either is written, so that what can fail has failed by then.
    let outputs = [
        args.output.as_deref().map(|path| (path, file::write(&found.map))),
        args.svg.as_deref().map(|path| (path, draw::map::svg(found.drawn(&level)))),
    ];
    for (path, content) in outputs.iter().flatten() {
        output::file(path, content)?;
    }
    say(args, &found, &level)
}

fn list(args: &Args) -> Result<()> {
    if args.output.is_some() || args.svg.is_some() {
        bail!("{}: which of its maps?\n  remedy: name one before -o and --svg", args.file);
    }
    let names = maps::list_wad(&args.file)?;
    if args.answer.json {
        return output::json(&json!({ "file": args.file, "maps": names }));
    }
    if names.is_empty() {
        bail!("{} has no maps\n  remedy: name a file that has some", args.file);
    }
    output::text(&format!("{}\n", names.join("\n")))
}

/// Refuses to lose the file that is read, and to write two things to one place.
fn refuse_confusion(args: &Args) -> Result<()> {
    for path in args.output.iter().chain(&args.svg) {
        output::refuse_overwriting(path, Path::new(&args.file), "the file to import from")?;
    }
    if args.output.is_some() && args.output == args.svg {
        bail!("-o and --svg name the same file\n  remedy: name two");
    }
    if args.answer.json && to_stdout(args) {
        bail!("--json and `-` both want standard output\n  remedy: name a file");
    }
    Ok(())
}

fn to_stdout(args: &Args) -> bool {
    args.output.iter().chain(&args.svg).any(|path| output::is_stdout(path))
}

/// What became of the map. Goes to standard error if the map itself went to standard output.
fn say(args: &Args, found: &ReadMap, level: &Level) -> Result<()> {
    let figures = MapFigures::of(level);
    let lost_starts = found.map.starts.len() - level.map().starts.len().min(found.map.starts.len());
    if args.answer.json {
        return output::json(&json!({ "map": found.written, "notes": found.notes, "figures": figures,
            "starts_left_out": lost_starts, "output": args.output, "svg": args.svg }));
    }
    let game = if found.map.stage.is_some() { "Quake" } else { "Doom" };
    let mut text = draw::terminal::arena::imported(&found.written, &figures, lost_starts, game, &found.notes);
    for path in args.output.iter().chain(&args.svg).filter(|path| !output::is_stdout(path)) {
        text += &format!("wrote {}\n", path.display());
    }
    if to_stdout(args) {
        anstream::eprint!("{text}");
        return Ok(());
    }
    output::text(&text)
}
