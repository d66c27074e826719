//! `repertoire experiment`: the papers' experiments, played again.

mod le_hy;

use anyhow::Result;
use clap::{Args as ClapArgs, Subcommand};

/// Play the papers' experiments again
#[derive(Debug, ClapArgs)]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    LeHy(le_hy::Args),
}

pub(crate) fn run(args: &Args) -> Result<()> {
    match &args.command {
        Command::LeHy(args) => le_hy::run(args),
    }
}
