//! `repertoire belief plants`: one side from where the other stands, at the moment the bomb is planted.

use repertoire::recordings::ground;
use repertoire_eval::belief::plants::tell;

use crate::prelude::*;

/// Infer where one side stands from where the other stands, in recorded snapshots
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
STATES is CSV with the columns state, site, side, nav_area: every living player at the moment of the bomb plant. The states are
split into five parts; each part is inferred from the other four. The base rate is how often a side's players are in each place.

Example: repertoire belief plants --places de_dust2.nav.json.gz --states plant_states.csv.gz")]
pub struct Args {
    /// The places: a navigation mesh as JSON
    #[arg(long, value_name = "NAV")]
    places: PathBuf,

    /// The snapshots: CSV, plain or gzip
    #[arg(long, value_name = "STATES")]
    states: PathBuf,

    #[command(flatten)]
    answer: Answer,
}

pub(super) fn run(args: &Args) -> Result<()> {
    let places = ground::places(&args.places)?.places;
    let (snapshots, sides) = ground::states(&args.states, &places)?;
    let told = progress::during("{spinner} telling each state from the others, {elapsed}", || {
        tell(&places, &snapshots, &sides)
    });
    let told = told.map_err(|error| anyhow!("{}: {error}", args.states.display()))?;
    args.answer.print(&told, || terminal::belief::plants(&told))
}
