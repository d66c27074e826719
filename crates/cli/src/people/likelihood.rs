//! `repertoire people likelihood`: how well a person's play is foretold by what was learned of it, and of others.

use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use clap::Args as ClapArgs;
use indicatif::ProgressBar;
use repertoire::load;
use repertoire_draw::terminal;
use repertoire_eval::people::foretold::Foretold;
use repertoire_mind::moments::MomentWatcher;

use crate::learn::play::recorded;
use crate::output;

/// Ask how well unseen play is foretold: nats per decision under a person's moments, under others', and under all together
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
A decision is a turn of the view (11 ranges), keys (9), jump and fire, ten times a second. How probable the unseen decision was is read
from a histogram over the 24 moments most like its situation, smoothed by all moments of the same file. Fewer nats are better: the
person's own moments should foretell their play better than anybody else's. All files together (`all`) have more moments than each.

Examples:
  repertoire people likelihood tuesday.parquet --player q06 --under q06.moments q04.moments q00.moments")]
pub struct Args {
    /// Play that was not learned from, made by `trace import --percepts` or `record`
    #[arg(required = true, value_name = "PLAY")]
    unseen: Vec<PathBuf>,

    /// The player, by name or number; may be given several times [default: everybody]
    #[arg(long = "player", value_name = "NAME|ID")]
    players: Vec<String>,

    /// Moments of `learn moments`: the person's, and others'
    #[arg(long, required = true, num_args = 1.., value_name = "FILE.moments")]
    under: Vec<PathBuf>,

    /// Answer as JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args) -> Result<()> {
    let mut watcher = MomentWatcher::default();
    let players = recorded(&args.unseen, &args.players, &mut watcher, &ProgressBar::hidden())?;
    let Some(unseen) = watcher.finish() else {
        bail!("nobody of these lives in it\n  remedy: --player with somebody who does");
    };
    let named = |path: &PathBuf| -> Result<_> {
        let name = path.display().to_string();
        let moments = load::moments(path).with_context(|| name.clone())?;
        Ok((name, moments))
    };
    let learned = args.under.iter().map(named).collect::<Result<Vec<_>>>()?;
    let found = Foretold::of(players, &unseen, &learned);
    output::answer(args.json, &found, || terminal::people::foretold(&found))
}
