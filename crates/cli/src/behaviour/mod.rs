//! `repertoire behaviour`: behaviours as tables, what looks odd in them, and how two of them differ.

mod show;

use anyhow::Result;
use clap::{Args as ClapArgs, Subcommand};

/// Show, check and compare behaviours: which task comes next, given the task before and the sensors
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  repertoire behaviour show prudent                     its tables
  repertoire behaviour show prudent --toml > mine.toml  a file to start from
  repertoire behaviour check mine.toml                  mistakes, and what looks odd
  repertoire behaviour diff prudent mine.toml           cell by cell, and how far decisions are apart
  repertoire tournament --contender mine=mine.toml --contender native:3")]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Print the tables of behaviours
    Show {
        /// Shipped behaviours (prudent, aggressive, uniform) or files
        #[arg(required = true, value_name = "BEHAVIOUR")]
        behaviours: Vec<String>,
        /// As the TOML file it can be read from
        #[arg(long, conflicts_with = "json")]
        toml: bool,
        /// As JSON
        #[arg(long)]
        json: bool,
    },
    /// Say what is wrong in behaviours, and what looks odd: a task that is nearly never chosen, a sensor without effect
    Check {
        /// Shipped behaviours or files
        #[arg(required = true, value_name = "BEHAVIOUR")]
        behaviours: Vec<String>,
        /// As JSON
        #[arg(long)]
        json: bool,
    },
    /// Compare two behaviours cell by cell
    Diff {
        /// The first: shipped, or a file
        first: String,
        /// The second
        second: String,
        /// How many cells to print, largest difference first; 0 for all
        #[arg(long, default_value_t = 20, value_name = "N")]
        cells: usize,
        /// As JSON, with all cells
        #[arg(long)]
        json: bool,
    },
    /// Print the JSON schema of behaviour files, for editors
    Schema,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    match &args.command {
        Command::Show { behaviours, toml, json } => show::show(behaviours, *toml, *json),
        Command::Check { behaviours, json } => show::check(behaviours, *json),
        Command::Diff { first, second, cells, json } => show::diff(first, second, *cells, *json),
        Command::Schema => crate::output::json(&repertoire_bayes::sequence::file::schema()),
    }
}
