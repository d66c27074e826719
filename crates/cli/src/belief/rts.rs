//! `repertoire belief rts`: the way of a unit from a few sightings and its two ends, on real-time strategy maps.

use repertoire_eval::belief::rts::{Field, Row, RtsSettings, tell};

use crate::prelude::*;
use crate::trace::source::read;

/// Infer the paths of units from a few sightings and their two ends, on maps of strategy games (synthetic paths)
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Places are blocks of the map's cells, split where walls divide them. Watchers stand at random cells and see around them; a unit
is seen when its cell is. Its start and destination are known. The maps (MovingAI's format) are real, the paths are synthetic.

Example: repertoire belief rts gnollwood.map.gz losttemple.map.gz --units 40")]
pub struct Args {
    /// Maps: `.` free, anything else blocked; plain or gzip
    #[arg(required = true)]
    maps: Vec<PathBuf>,

    /// Units per map
    #[arg(long, default_value_t = 40)]
    units: usize,

    /// Watchers per map
    #[arg(long, default_value_t = 6)]
    watchers: usize,

    /// How far watchers see, in cells
    #[arg(long, default_value_t = 20.0)]
    sight: f64,

    /// Side length of a block, in cells; smaller blocks are more precise and slower
    #[arg(long, default_value_t = 8, value_parser = clap::value_parser!(u32).range(2..=64))]
    block: u32,

    /// Random seed; the same seed repeats the run
    #[arg(long, default_value_t = 1)]
    seed: u64,

    #[command(flatten)]
    answer: Answer,
}

pub(super) fn run(args: &Args) -> Result<()> {
    let settings =
        RtsSettings { units: args.units, watchers: args.watchers, sight: args.sight, seed: args.seed };
    let bar = progress::bar(args.maps.len() as u64, "{bar:30} {pos} of {len} maps, {elapsed}");
    let mut rows: Vec<Row> = Vec::new();
    for path in &args.maps {
        let text = String::from_utf8_lossy(&read(path)?).into_owned();
        let field = Field::read(&text, args.block as usize)
            .map_err(|error| anyhow!("{}: {error}", path.display()))?;
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        rows.extend(tell(&name, &field, &settings));
        bar.inc(1);
    }
    bar.finish_and_clear();
    args.answer.print(&rows, || terminal::belief::rts(&rows))
}
