//! `repertoire topology draw`: places, ways and navigation points from above.

use repertoire_draw::topology::picture;
use repertoire_eval::topology::compare::levels_of;
use repertoire_topology::Point;

use crate::movement::Recorded;
use crate::prelude::*;

/// Draw places and their links from above, with navigation points and walked paths if given
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Nodes are circles, darker where it is higher; links are lines, with an arrow where only one direction is believed.
Navigation points are green squares, as in figure 4.10 of the thesis; play is grey.

Examples:
  repertoire topology draw --places places.json --svg places.svg
  repertoire topology draw --places all.json --map DM-Rankin --nav nav.json.gz --play play.csv.gz --svg rankin.svg")]
pub struct Args {
    /// Places, as `topology learn` writes them
    #[arg(long, value_name = "PLACES")]
    places: PathBuf,
    /// The map to draw; needed if there are several
    #[arg(long, value_name = "NAME")]
    map: Option<String>,
    /// Navigation points to draw beside them
    #[arg(long, value_name = "NAV")]
    nav: Option<PathBuf>,
    /// Play to draw below them
    #[arg(long, value_name = "FILE", num_args = 1..)]
    play: Vec<PathBuf>,
    /// Write the picture to this file; `-` is standard output
    #[arg(long, value_name = "FILE", default_value = "-", num_args = 0..=1, default_missing_value = "-")]
    svg: PathBuf,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let drawn = args.play.iter().chain(&args.nav).chain([&args.places]);
    output::refuse_overwriting_any(&args.svg, drawn, "what is drawn")?;
    let levels = levels_of(repertoire::load::places(&args.places)?, args.map.as_deref(), "places")?;
    if levels.len() > 1 {
        let names: Vec<&str> = levels.keys().map(String::as_str).collect();
        bail!("there are several maps\n  remedy: --map with one of {}", names.join(", "));
    }
    let Some((map, level)) = levels.into_iter().next() else { bail!("there is no map to draw") };
    let nav = match &args.nav {
        Some(path) => {
            levels_of(repertoire::load::places(path)?, Some(&map), "navigation points")?.remove(&map)
        }
        None => None,
    };
    let mut tracks: Vec<Vec<Point>> = Vec::new();
    if !args.play.is_empty() {
        let play = movement::by_map(movement::load(&args.play)?, Some(&map))?;
        for session in play.values().flatten().map(Recorded::session) {
            tracks.extend(session.tracks.into_iter().map(|track| track.at));
        }
    }
    output::file(&args.svg, &picture(&map, &level, nav.as_ref(), &tracks))
}
