//! `repertoire arena check`.

use repertoire_authored::Mistake;
use repertoire_worlds::arena::figures::MapFigures;
use repertoire_worlds::arena::map::file;
use serde_json::Value;

use crate::prelude::*;

/// Check a map: list every mistake with its line and a remedy, or say that it can be played
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Exit code 0 if the map can be played, 1 if not. Mistakes are written as FILE:LINE:COLUMN, as editors expect them.

Examples:
  repertoire arena check cellar.toml
  repertoire arena check freedm.wad:MAP07
  repertoire arena check dm6.bsp.gz
  for map in maps/*.toml; do repertoire arena check \"$map\" || break; done")]
pub struct Args {
    /// The map: the name of one that comes with repertoire (see `arena list`), a TOML file, FILE.wad:MAP01, or
    /// a map of Quake (.bsp, plain or gzip)
    map: String,

    #[command(flatten)]
    answer: Answer,
}

pub(super) fn run(args: &Args) -> Result<()> {
    if args.answer.json
        && let Some(mistake) = unreadable(&args.map)
    {
        return refuse_as_json(&args.map, vec![json!(mistake)]);
    }
    let found = maps::read(&args.map)?;
    match progress::during("{spinner} building navigation, {elapsed}", || found.level()) {
        Ok(level) => {
            let figures = MapFigures::of(&level);
            let report =
                json!({ "map": args.map, "playable": true, "figures": figures, "notes": found.notes });
            args.answer.print(&report, || draw::terminal::arena::playable(&args.map, &figures, &found.notes))
        }
        Err(faults) if args.answer.json => {
            refuse_as_json(&args.map, faults.iter().map(|fault| found.fault_as_json(fault)).collect())
        }
        Err(faults) => {
            let all = found.told(&faults, usize::MAX);
            let mistakes = if faults.len() == 1 { "a mistake" } else { "mistakes" };
            bail!("{} cannot be played, it has {mistakes}\n{all}", args.map)
        }
    }
}

/// What keeps a file that people write from being read at all.
fn unreadable(name: &str) -> Option<Mistake> {
    let text = std::fs::read_to_string(name).ok()?;
    file::read(&text).err()
}

fn refuse_as_json(name: &str, mistakes: Vec<Value>) -> Result<()> {
    output::json(&json!({ "map": name, "playable": false, "mistakes": mistakes }))?;
    Err(anyhow!("{name} cannot be played"))
}
