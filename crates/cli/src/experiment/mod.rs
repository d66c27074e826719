//! `repertoire experiment`: the papers' experiments, played again.

mod attention;
mod le_hy;
mod tence;

use anyhow::Result;
use clap::{Args as ClapArgs, Subcommand};

/// Repeat the papers' experiments
#[derive(Debug, ClapArgs)]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    LeHy(le_hy::Args),
    Attention(attention::Args),
    Tence(tence::Args),
}

pub(crate) fn run(args: &Args) -> Result<()> {
    match &args.command {
        Command::LeHy(args) => le_hy::run(args),
        Command::Attention(args) => attention::run(args),
        Command::Tence(args) => tence::run(args),
    }
}
