//! `repertoire learn`: characters from recorded play.

mod chameleon;
mod manner;
pub(crate) mod play;
mod sequence;
mod table;

use anyhow::Result;
use clap::{Args as ClapArgs, Subcommand};

/// Learn characters from play: recorded in files, or while it happens
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  repertoire record --contender prudent --contender native:3 --map halls --seconds 350 -o play.parquet
  repertoire learn sequence --from play.parquet --player prudent --method incremental -o pupil.toml
  repertoire behaviour diff prudent pupil.toml
  repertoire learn chameleon --from play.parquet --player prudent --decisions 10 -o imitator.character
  repertoire tournament --contender pupil=pupil.toml --contender prudent --contender native:3")]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Sequence(sequence::Args),
    Chameleon(chameleon::Args),
    Table(table::Args),
    Manner(manner::Args),
}

pub(crate) fn run(args: &Args) -> Result<()> {
    match &args.command {
        Command::Sequence(args) => sequence::run(args),
        Command::Chameleon(args) => chameleon::run(args),
        Command::Table(args) => table::run(args),
        Command::Manner(args) => manner::run(args),
    }
}
