//! `repertoire belief`: where is the opponent who cannot be seen?

mod calibrate;
pub(crate) mod data;
mod draw;
mod evaluate;
mod fit;
mod plants;
mod rts;
mod trackers;

use anyhow::Result;
use clap::{Args as ClapArgs, Subcommand};

/// Where the opponent is who cannot be seen: learn how people move, measure trackers, draw beliefs
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  repertoire belief fit --places de_dust2.nav.json.gz --play rounds.csv.gz -o dust2.json
  repertoire belief evaluate --model dust2.json --visibility de_dust2.area_visibility.json.gz --play others.csv.gz
  repertoire belief evaluate --places de_dust2.nav.json.gz --leave-one-out --visibility vis.json.gz --play rounds.csv.gz
  repertoire belief draw --model dust2.json --visibility vis.json.gz --play others.csv.gz --html where.html
  repertoire belief calibrate --model dust2.json --visibility vis.json.gz

The guide is docs/guides/belief.md.")]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Fit(fit::Args),
    Evaluate(evaluate::Args),
    Draw(draw::Args),
    Calibrate(calibrate::Args),
    Plants(plants::Args),
    Rts(rts::Args),
    /// Print the JSON schema of models, for editors
    Schema,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    match &args.command {
        Command::Fit(args) => fit::run(args),
        Command::Evaluate(args) => evaluate::run(args),
        Command::Draw(args) => draw::run(args),
        Command::Calibrate(args) => calibrate::run(args),
        Command::Plants(args) => plants::run(args),
        Command::Rts(args) => rts::run(args),
        Command::Schema => crate::output::json(&repertoire_belief::model::schema()),
    }
}
