//! `repertoire belief rts`: the way of a unit from a few sightings and its two ends, on real-time strategy maps.

use std::path::PathBuf;

use anyhow::{Result, anyhow};
use clap::Args as ClapArgs;
use repertoire_eval::belief::rts::{Field, Row, RtsSettings, tell};

use super::data;
use crate::{draw, output};

/// Infer units' ways from partial sightings with known ends, on maps of MovingAI's format (synthetic ways)
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Places are blocks of the map's cells, parted where walls part them. Watchers stand at random and see around them; a unit is seen
when its cell is. Its start and destination are known. Trajectories are synthetic: the maps are real, the ways are not.

Example: repertoire belief rts gnollwood.map.gz losttemple.map.gz --units 40")]
pub struct Args {
    /// Maps: `.` free, anything else blocked; plain or gzip
    #[arg(required = true)]
    maps: Vec<PathBuf>,

    /// How many units a map
    #[arg(long, default_value_t = 40)]
    units: usize,

    /// How many watchers
    #[arg(long, default_value_t = 6)]
    watchers: usize,

    /// How far watchers see, in cells
    #[arg(long, default_value_t = 20.0)]
    sight: f64,

    /// The side of a block, in cells
    #[arg(long, default_value_t = 8, value_parser = clap::value_parser!(u32).range(2..=64))]
    block: u32,

    /// The seed
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// Answer as JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args) -> Result<()> {
    let settings =
        RtsSettings { units: args.units, watchers: args.watchers, sight: args.sight, seed: args.seed };
    let mut rows: Vec<Row> = Vec::new();
    for path in &args.maps {
        let text = String::from_utf8_lossy(&data::read(path)?).into_owned();
        let field = Field::read(&text, args.block as usize)
            .map_err(|error| anyhow!("{}: {error}", path.display()))?;
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        rows.extend(tell(&name, &field, &settings));
    }
    if args.json {
        return output::json(&rows);
    }
    let mut lines = vec![
        ["map", "told by", "dist (cells)", "", "log-loss", "90 %", "best way"].map(str::to_owned).to_vec(),
    ];
    for (k, row) in rows.iter().enumerate() {
        let is_new = k == 0 || rows[k - 1].map != row.map || rows[k - 1].best_way_distance_cells.is_some();
        lines.push(vec![
            if is_new { format!("{} ({} places)", row.map, row.places) } else { String::new() },
            row.told_by.to_owned(),
            format!("{:.1}", row.distance_cells),
            format!("± {:.1}", row.distance_half_width.unwrap_or(0.0)),
            format!("{:.2}", row.log_loss),
            format!("{:.0} %", 100.0 * row.in_90),
            row.best_way_distance_cells.map_or(String::new(), |best| format!("{best:.1}")),
        ]);
    }
    output::text(&format!(
        "synthetic ways on real maps, steps in which the unit is not seen\n{}",
        draw::columns(&lines)
    ))
}
