//! `repertoire arena export`.

use repertoire_eval::belief::ground;
use repertoire_trace::nav;

use super::maps;
use crate::prelude::*;

/// Export a map's navigation points and lines of sight as JSON, for `belief` and other programs
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
The mesh has an area for each point that characters walk along: id, centre in metres, ids of its neighbours, and how fast
characters run. The visibility lists for each area the areas that are seen from it. docs/guides/belief.md describes both.

Example: repertoire arena export halls --nav halls.nav.json --visibility halls.vis.json")]
pub struct Args {
    /// The map: the name of one that comes with repertoire (see `arena list`), a TOML file, or FILE.wad:MAP01
    map: String,

    /// Write the points and their links to this file; `-` is standard output
    #[arg(long, value_name = "FILE", required_unless_present = "visibility")]
    nav: Option<PathBuf>,

    /// Write which points see which to this file; `-` is standard output
    #[arg(long, value_name = "FILE")]
    visibility: Option<PathBuf>,
}

pub(super) fn run(args: &Args) -> Result<()> {
    if args.nav.is_some() && args.nav == args.visibility {
        bail!("--nav and --visibility name the same file\n  remedy: name two files");
    }
    let (map, level) = maps::find(&args.map)?;
    let ground = ground::of_level(&level);
    if let Some(path) = &args.nav {
        output::file(path, &(nav::write(&ground)? + "\n"))?;
        let links: usize = ground.places.links.iter().map(Vec::len).sum();
        anstream::eprintln!("{}: {} points and {links} links of {map}", path.display(), ground.places.len());
    }
    if let Some(path) = &args.visibility {
        let sight = progress::during("{spinner} looking from every point, {elapsed}", || {
            ground::sight_of_level(&level, &ground.places)
        })?;
        output::file(path, &(nav::write_sight(&sight, &ground.places)? + "\n"))?;
        let pairs: usize = sight.sees.iter().map(Vec::len).sum();
        let share = 100.0 * pairs as f64 / (ground.places.len() * ground.places.len()) as f64;
        anstream::eprintln!("{}: {share:.1} % of all pairs of points see each other", path.display());
    }
    Ok(())
}
