//! `repertoire arena retrace`.

use repertoire_eval::people::retrace::{RetraceSettings, retrace};

use super::bsp;
use crate::prelude::*;
use crate::trace::import;

/// Replay people's recorded inputs through our rules of movement, and see how far they end from where the people ended
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
From a recorded state, the inputs of the next second are carried out by the rules that the server announced (acceleration,
friction, gravity, steps, jumps, water), on the map's body hull with its doors and lifts where the demo shows them. Windows are left
out, and counted, in which the player died, was hurt, teleported or pushed, or was near another player or a part that moves.

Examples:
  repertoire arena retrace match.qwd.gz --map dm6.bsp
  repertoire arena retrace monday.qwd tuesday.qwd --map dm6.bsp.gz dm4.bsp.gz --json")]
pub struct Args {
    /// Clients' demos (.qwd, plain or gzip), or what `trace import` made of them
    #[arg(required = true, value_name = "DEMO")]
    demos: Vec<PathBuf>,

    /// The maps they were played on (.bsp, plain or gzip); each demo finds its own by name
    #[arg(long, required = true, num_args = 1.., value_name = "MAP.bsp")]
    map: Vec<PathBuf>,

    /// Length of a window, in seconds
    #[arg(long, default_value_t = 1.0, value_name = "SECS")]
    window: f64,

    /// From the beginning of one window to the next, in seconds
    #[arg(long, default_value_t = 0.1, value_name = "SECS")]
    every: f64,

    #[command(flatten)]
    answer: Answer,
}

pub(super) fn run(args: &Args) -> Result<()> {
    for (name, value) in [("--window", args.window), ("--every", args.every)] {
        if !(0.01..=60.0).contains(&value) {
            bail!("{name} {value}: no such window\n  remedy: seconds from 0.01 to 60");
        }
    }
    let settings =
        RetraceSettings { window_secs: args.window, every_secs: args.every, ..RetraceSettings::default() };
    let maps = bsp::load(&args.map)?;
    let mut reports = Vec::new();
    for path in &args.demos {
        for play in import::load(path)? {
            let map = maps.get(&play.map).with_context(|| {
                format!(
                    "{}: it was played on `{}`, and --map has no such map\n  remedy: give {}.bsp",
                    path.display(),
                    play.map,
                    play.map
                )
            })?;
            let report =
                progress::during("{spinner} replaying inputs, {elapsed}", || retrace(&play, map, settings));
            reports.push(report.with_context(|| path.display().to_string())?);
        }
    }
    args.answer.print(&reports, || terminal::people::retraced(&reports))
}
