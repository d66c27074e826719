//! `repertoire topology compare`: places beside a designer's navigation points.

use repertoire_eval::topology::Session;
use repertoire_eval::topology::compare::{ComparedReport, compare_maps, levels_of};

use crate::movement::Recorded;
use crate::prelude::*;

/// Compare learned places with a designer's navigation points, and with play
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
  sensitivity   1 / sum over navigation points of the distance to the nearest node (4.12), times 100,000 in the table
  specificity   nodes / sum over nodes of the distance to the nearest navigation point (4.13), times 1,000 in the table
  to nodes      from a navigation point to the nearest node, on average; `to points` the other way round
With --play, which should be play that the places were not learned from:
  players       from a player to the nearest node, and to the nearest navigation point, on average
  along links   how many of the changes from one nearest node to another follow a link

--json has the plain numbers, for each map and on average; with one map both are the same.

Examples:
  repertoire topology points halls -o points.json
  repertoire topology compare --places places.json --nav points.json --map halls
  repertoire topology compare --places places.json --nav points.json --play another-match.parquet --json")]
pub struct Args {
    /// Places, as `topology learn` writes them
    #[arg(long, value_name = "PLACES")]
    places: PathBuf,
    /// Navigation points: JSON, plain or gzip
    #[arg(long, value_name = "NAV")]
    nav: PathBuf,
    /// Compare only this map [default: all that both files have]
    #[arg(long, value_name = "NAME")]
    map: Option<String>,
    /// Play to judge on; it should not be what the places were learned from
    #[arg(long, value_name = "FILE", num_args = 1..)]
    play: Vec<PathBuf>,
    #[command(flatten)]
    answer: Answer,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let map = args.map.as_deref();
    let places = levels_of(repertoire::load::places(&args.places)?, map, "places")?;
    let points = levels_of(repertoire::load::places(&args.nav)?, map, "navigation points")?;
    let play: BTreeMap<String, Vec<Session>> = match args.play.is_empty() {
        true => BTreeMap::new(),
        false => movement::by_map(movement::load(&args.play)?, map)?
            .into_iter()
            .map(|(map, recorded)| (map, recorded.iter().map(Recorded::session).collect()))
            .collect(),
    };
    let rows = compare_maps(places, points, &play)?;
    if args.answer.json {
        return output::json(&ComparedReport::of(rows)?);
    }
    output::text(&terminal::topology::compared(&rows))
}
