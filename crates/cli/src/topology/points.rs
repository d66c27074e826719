//! `repertoire topology points`: a map's own points, to compare learned places with.

use repertoire_eval::topology::points::navigation_points;
use repertoire_topology::PlacesFile;

use crate::prelude::*;

/// Write the navigation points of a map of the arena, for `compare` and `evaluate`
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Example:
  repertoire topology points halls -o halls-points.json")]
pub struct Args {
    /// The map: the name of one that comes with repertoire (see `arena list`), a TOML file, or FILE.wad:MAP01
    map: String,
    /// Write them to this file; `-` is standard output
    #[arg(short, long, value_name = "NAV.json")]
    output: PathBuf,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let (name, level) = maps::find(&args.map)?;
    let points = navigation_points(level.places());
    let told = terminal::topology::points(&name, &points, &args.output.display().to_string());
    let file = PlacesFile {
        units_per_metre: Some(1.0),
        levels: BTreeMap::from([(name, points)]),
        ..PlacesFile::default()
    };
    output::file(&args.output, &(serde_json::to_string(&file)? + "\n"))?;
    if output::is_stdout(&args.output) { Ok(()) } else { output::text(&told) }
}
