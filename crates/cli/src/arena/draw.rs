//! `repertoire arena draw`.

use std::path::{Path, PathBuf};

use anyhow::{Result, anyhow, bail};
use clap::Args as ClapArgs;
use repertoire_worlds::arena::level::Level;
use repertoire_worlds::arena::map::{Fault, svg};
use repertoire_worlds::arena::space::Scene;

use super::maps;
use super::top::ground::{self, Ground};
use super::top::sheet::{Sheet, is_coloured};
use super::top::signs;
use super::top::view::View;
use crate::output;

/// Draw a map from above
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  repertoire arena draw halls                            in the terminal
  repertoire arena draw halls --svg halls.svg            as a picture
  repertoire arena draw cellar.toml --nav --svg -        with the points and links that characters know
  repertoire arena draw freedm.wad:MAP01 --svg map01.svg")]
pub struct Args {
    /// A map that comes with repertoire, a map file, or FILE.wad:MAP01
    map: String,

    /// Write a picture here; `-` for standard output
    #[arg(long, value_name = "OUT.svg")]
    svg: Option<PathBuf>,

    /// Show the points and links that were found for characters
    #[arg(long)]
    nav: bool,

    /// Columns of the terminal's picture
    #[arg(long, value_name = "N", default_value_t = 80, value_parser = clap::value_parser!(u16).range(10..=1000))]
    columns: u16,
}

/// So many faults are told.
const MOST_FAULTS: usize = 5;
/// The picture in the terminal is no higher, except where the columns ask for more.
const MOST_LINES: usize = 40;

pub(super) fn run(args: &Args) -> Result<()> {
    let found = maps::read(&args.map)?;
    let Some(path) = &args.svg else {
        let level = found.level().map_err(|faults| unplayable(&found, &faults))?;
        return output::text(&in_terminal(&level, usize::from(args.columns), args.nav));
    };
    if path != Path::new("-") {
        let file = args.map.rsplit_once(':').map_or(args.map.as_str(), |(file, _)| file);
        for read in [file, args.map.as_str()] {
            output::refuse_overwriting(path, Path::new(read), "the map to draw")?;
        }
    }
    // A map that cannot be played can still be looked at, to see why; but it has no points.
    let picture = match (args.nav, found.level()) {
        (true, Ok(level)) => svg::svg_with_places(&found.map, level.places()),
        (true, Err(faults)) => bail!("{}", unplayable(&found, &faults)),
        (false, _) => svg::svg(&found.map),
    };
    output::file(path, &picture)
}

fn unplayable(found: &maps::Found, faults: &[Fault]) -> anyhow::Error {
    let all = found.told(faults, MOST_FAULTS);
    anyhow!("{} cannot be played; --svg without --nav draws it all the same\n{all}", found.written)
}

fn in_terminal(level: &Level, columns: usize, nav: bool) -> String {
    let map = level.map();
    let (low, high) = map.bounds();
    let view = View::fit(low, high, columns, MOST_LINES.max(columns / 2));
    let resting: Vec<f64> = map.lifts().iter().map(|lift| lift.low_m).collect();
    let scene = Scene { space: level.space(), lifts_m: &resting };
    let coloured = is_coloured();
    let mut sheet = Sheet::new(view.width, view.lines(), coloured);
    Ground::of(level, scene, view).paint(&mut sheet);
    if nav {
        for point in level.places().points() {
            signs::put(&mut sheet, &view, point.truncate(), '·', 39);
        }
    }
    for (spot, _) in map.items.iter().enumerate() {
        let (item, position) = level.item(spot);
        let (sign, ink) = signs::item(item);
        signs::put(&mut sheet, &view, position.truncate(), sign, ink);
    }
    for start in &map.starts {
        signs::put(&mut sheet, &view, start.at, signs::arrow(start.yaw).0, 83);
    }
    let size = high - low;
    let mut text = sheet.lines().join("\n");
    text += &format!("\n{}, {:.0} x {:.0} m, {:.2} m a column\n", map.name, size.x, size.y, view.pixel_m);
    if !coloured {
        text += &format!("{}\n", ground::LEGEND);
    }
    text + &format!("arrows are starts  {}\n", signs::LEGEND)
}
