//! `repertoire doom`: our characters in Doom, with ViZDoom in a process of its own.

mod options;
mod play;

use anyhow::Result;
use clap::{Args as ClapArgs, Subcommand};

/// Play Doom: the same characters against the bots of a game that others wrote
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Doom runs in ViZDoom, which is not part of repertoire: `repertoire doom setup` makes a Python environment with it and
fetches FreeDM's maps. The guide is docs/guides/doom.md.

Examples:
  repertoire doom setup
  repertoire doom match --contender aggressive --bots 4 --map MAP01 --minutes 3
  repertoire doom tournament --contender aggressive --contender native:5")]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Match(play::Args),
}

pub(crate) fn run(args: &Args) -> Result<()> {
    match &args.command {
        Command::Match(args) => play::run(args),
    }
}
