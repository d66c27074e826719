//! `repertoire experiment`: the papers' experiments, played again, and our own.

mod attention;
mod dujardin;
mod le_hy;
mod mind;
mod tence;
mod town;

use anyhow::Result;
use clap::{Args as ClapArgs, Subcommand};

/// Repeat the papers' experiments, and our own
#[derive(Debug, ClapArgs)]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    LeHy(le_hy::Args),
    Mind(mind::Args),
    Attention(attention::Args),
    Tence(tence::Args),
    Dujardin(dujardin::Args),
    Town(town::Args),
}

pub(crate) fn run(args: &Args) -> Result<()> {
    match &args.command {
        Command::LeHy(args) => le_hy::run(args),
        Command::Mind(args) => mind::run(args),
        Command::Attention(args) => attention::run(args),
        Command::Tence(args) => tence::run(args),
        Command::Dujardin(args) => dujardin::run(args),
        Command::Town(args) => town::run(args),
    }
}
