//! `repertoire arena draw`.

use repertoire_draw::map;
use repertoire_worlds::arena::map::Fault;

use super::{bsp, maps};
use crate::prelude::*;

/// Draw a map from above
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  repertoire arena draw halls                            in the terminal
  repertoire arena draw halls --svg halls.svg            as a picture
  repertoire arena draw cellar.toml --nav --svg -        with the points and links that characters know
  repertoire arena draw freedm.wad:MAP01 --svg map01.svg
  repertoire arena draw dm6.bsp.gz --svg dm6.svg")]
pub struct Args {
    /// The map: the name of one that comes with repertoire (see `arena list`), a TOML file, FILE.wad:MAP01, or a map of Quake
    /// (.bsp, plain or gzip)
    map: String,

    /// Write an SVG picture to this file instead of drawing in the terminal; `-` is standard output
    #[arg(long, value_name = "OUT.svg")]
    svg: Option<PathBuf>,

    /// Also draw the navigation points and links that characters walk along
    #[arg(long)]
    nav: bool,

    /// Width of the drawing in the terminal, in columns
    #[arg(long, value_name = "N", default_value_t = 80, value_parser = clap::value_parser!(u16).range(10..=1000))]
    columns: u16,
}

/// The most faults of a map that are shown.
const MOST_FAULTS: usize = 5;

pub(super) fn run(args: &Args) -> Result<()> {
    if maps::is_bsp(&args.map)
        && let Some(path) = args.svg.as_deref().filter(|_| !args.nav)
    {
        output::refuse_overwriting(path, Path::new(&args.map), "the map to draw")?;
        return output::file(path, &map::quake::svg(&bsp::read_map(Path::new(&args.map))?, &args.map));
    }
    let found = maps::read(&args.map)?;
    let Some(path) = &args.svg else {
        let level = found.level().map_err(|faults| unplayable(&found, &faults))?;
        let columns = usize::from(args.columns);
        return output::text(&terminal::map::map(&level, columns, args.nav, output::is_coloured()));
    };
    if path != Path::new("-") {
        let file = args.map.rsplit_once(':').map_or(args.map.as_str(), |(file, _)| file);
        output::refuse_overwriting_any(path, [file, args.map.as_str()], "the map to draw")?;
    }
    // A map that cannot be played can still be looked at, to see why; but it has no points.
    let picture = match (args.nav, found.level()) {
        (true, Ok(level)) => map::svg_with_places(found.drawn(&level), level.places()),
        (true, Err(faults)) => bail!("{}", unplayable(&found, &faults)),
        (false, _) => map::svg(&found.map),
    };
    output::file(path, &picture)
}

fn unplayable(found: &maps::ReadMap, faults: &[Fault]) -> anyhow::Error {
    let all = found.told(faults, MOST_FAULTS);
    anyhow!("{} cannot be played; --svg without --nav draws it all the same\n{all}", found.written)
}
