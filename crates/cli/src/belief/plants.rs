//! `repertoire belief plants`: one side from where the other stands, at the moment the bomb is planted.

use std::path::PathBuf;

use anyhow::{Result, anyhow};
use clap::Args as ClapArgs;
use repertoire_eval::belief::plants::tell;

use super::data;
use crate::{draw, output};

/// Hide one side of recorded snapshots and tell where it is from the other
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
STATES is CSV with the columns state, site, side, nav_area: every living player at the moment of the bomb plant. The states are
parted into five; each part is told from the other four. The base rate is how often a side's players are in each place.

Example: repertoire belief plants --places de_dust2.nav.json.gz --states plant_states.csv.gz")]
pub struct Args {
    /// The places: a navigation mesh as JSON
    #[arg(long, value_name = "NAV")]
    places: PathBuf,

    /// The snapshots
    #[arg(long, value_name = "STATES")]
    states: PathBuf,

    /// Answer as JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args) -> Result<()> {
    let places = data::places(&args.places)?.places;
    let (snapshots, sides) = data::states(&args.states, &places)?;
    let told =
        tell(&places, &snapshots, &sides).map_err(|error| anyhow!("{}: {error}", args.states.display()))?;
    if args.json {
        return output::json(&told);
    }
    let mut lines = vec![
        ["hidden", "told by", "log-loss", "better than base rate", "dist", "50 %", "90 %"]
            .map(str::to_owned)
            .to_vec(),
    ];
    for (k, row) in told.rows.iter().enumerate() {
        let better = format!("{:.2} ({:.2}..{:.2})", row.better_nats, row.better_low, row.better_high);
        lines.push(vec![
            row.hidden.clone(),
            row.told_by.to_owned(),
            format!("{:.2}", row.log_loss),
            // The base rate itself is the first of a side.
            if k % 3 == 0 { String::new() } else { better },
            format!("{:.0}", row.distance_expected),
            format!("{:.0} %", 100.0 * row.in_50),
            format!("{:.0} %", 100.0 * row.in_90),
        ]);
    }
    output::text(&format!(
        "{} states, each told from four fifths that do not hold it\n{}",
        told.states,
        draw::columns(&lines)
    ))
}
