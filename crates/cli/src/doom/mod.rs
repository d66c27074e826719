//! `repertoire doom`: our characters in Doom, with ViZDoom in a process of its own.

mod import;
mod options;
mod play;
mod record;
mod setup;
mod tournament;
mod watch;

use crate::prelude::*;

subcommands! {
    /// Play Doom with the same characters, against the bots of a game that others wrote
    #[command(after_help = "\
Doom runs in ViZDoom, which is not part of repertoire: `repertoire doom setup` makes a Python environment with it and
fetches FreeDM's maps. The guide is docs/guides/doom.md.

Examples:
  repertoire doom setup
  repertoire doom match --contender aggressive --bots 4 --map MAP01 --minutes 3
  repertoire doom tournament --contender aggressive --contender native:5
  repertoire doom watch --contender aggressive -o match.png
  repertoire doom record --contender aggressive -o match.parquet")]
    pub struct Args;
    Setup => setup,
    Match => play,
    Tournament => tournament,
    Record => record,
    Watch => watch,
    Import => import,
}
