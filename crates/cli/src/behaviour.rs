//! `repertoire behaviour`: behaviours as tables, what looks odd in them, and how two of them differ.

use clap::Subcommand;
use repertoire_bayes::sequence::review::{compare, remarks};
use repertoire_bayes::sequence::summary::Summary;
use repertoire_bayes::sequence::{file, shipped};
use repertoire_draw::terminal::behaviour as told;
use repertoire_mind::fighter::FighterDesign;

use crate::prelude::*;

/// Show, check and compare behaviours: which task comes next, given the task before and the sensors
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  repertoire behaviour show prudent                     its tables
  repertoire behaviour show prudent --toml > mine.toml  a file to start from
  repertoire behaviour check mine.toml                  mistakes, and what looks odd
  repertoire behaviour diff prudent mine.toml           cell by cell, and how far their decisions are apart
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
        /// Print the TOML file of a single behaviour, to copy and edit
        #[arg(long, conflicts_with = "json")]
        toml: bool,
        /// Answer as JSON
        #[arg(long)]
        json: bool,
    },
    /// Check behaviours: mistakes, and what looks odd (a task that is almost never chosen, a sensor without effect)
    Check {
        /// Shipped behaviours or files
        #[arg(required = true, value_name = "BEHAVIOUR")]
        behaviours: Vec<String>,
        /// Answer as JSON
        #[arg(long)]
        json: bool,
    },
    /// Compare two behaviours cell by cell
    Diff {
        /// The first behaviour: a shipped one or a file
        first: String,
        /// The second behaviour: a shipped one or a file
        second: String,
        /// How many cells to print, largest difference first; 0 prints all
        #[arg(long, default_value_t = 20, value_name = "N")]
        cells: usize,
        /// Answer as JSON, with all cells
        #[arg(long)]
        json: bool,
    },
    /// Print the JSON schema of behaviour files, for editors
    Schema,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    match &args.command {
        Command::Show { behaviours, toml, json } => show(behaviours, *toml, *json),
        Command::Check { behaviours, json } => check(behaviours, *json),
        Command::Diff { first, second, cells, json } => diff(first, second, *cells, *json),
        Command::Schema => crate::schema::print("behaviour"),
    }
}

fn show(names: &[String], as_toml: bool, as_json: bool) -> Result<()> {
    let behaviours = names.iter().map(|name| load::behaviour(name)).collect::<Result<Vec<_>, _>>()?;
    if as_toml {
        let [name] = names else { bail!("--toml prints one behaviour\n  remedy: name one") };
        // A shipped one as it is written, with its comments.
        let text = shipped::text(name).filter(|_| !Path::new(name).is_file());
        return output::text(&text.map_or_else(|| file::to_toml(&behaviours[0]), str::to_owned));
    }
    output::answer(as_json, &behaviours.iter().map(Summary::of).collect::<Vec<_>>(), || {
        behaviours.iter().map(told::describe).collect()
    })
}

fn check(names: &[String], as_json: bool) -> Result<()> {
    let mut found = Vec::new();
    let mut text = String::new();
    for name in names {
        let behaviour = load::behaviour(name)?;
        let remarks = remarks(&behaviour);
        text += &told::remarks(name, &remarks, FighterDesign::sequencing(&behaviour).err().as_ref());
        found.push(json!({ "behaviour": name, "remarks": remarks }));
    }
    output::answer(as_json, &found, || text)
}

fn diff(first: &str, second: &str, most: usize, as_json: bool) -> Result<()> {
    let (mut a, mut b) = (load::behaviour(first)?, load::behaviour(second)?);
    if a.name() == b.name() {
        let (one, other) = told::told_apart(first, second);
        (a, b) = (a.with_name(one), b.with_name(other));
    }
    let comparison = compare(&a, &b);
    let most = if most == 0 { usize::MAX } else { most };
    let report = told::differences_as_json(&comparison, first, second);
    output::answer(as_json, &report, || told::differences(&comparison, a.name(), b.name(), most))
}
