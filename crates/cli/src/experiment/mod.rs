//! `repertoire experiment`: the papers' experiments, played again, and our own.

mod attention;
mod attractors;
mod dujardin;
mod le_hy;
mod likelihoods;
mod mind;
mod pass;
mod senses;
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
    Senses(senses::Args),
    Mind(mind::Args),
    Attention(attention::Args),
    Attractors(attractors::Args),
    Tence(tence::Args),
    Pass(pass::Args),
    Likelihoods(likelihoods::Args),
    Dujardin(dujardin::Args),
    Town(town::Args),
}

pub(crate) fn run(args: &Args) -> Result<()> {
    match &args.command {
        Command::LeHy(args) => le_hy::run(args),
        Command::Senses(args) => senses::run(args),
        Command::Mind(args) => mind::run(args),
        Command::Attention(args) => attention::run(args),
        Command::Attractors(args) => attractors::run(args),
        Command::Tence(args) => tence::run(args),
        Command::Pass(args) => pass::run(args),
        Command::Likelihoods(args) => likelihoods::run(args),
        Command::Dujardin(args) => dujardin::run(args),
        Command::Town(args) => town::run(args),
    }
}
