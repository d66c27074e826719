//! `repertoire character`: whole characters as files: which there are, what is in them, and what is wrong in one.

use clap::Subcommand;
use repertoire_draw::terminal::character as told;
use repertoire_mind::fighter::shipped;

use crate::prelude::*;

/// List, show and check characters: one file for each mind, in the arena or in a game of your own
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  repertoire character list
  repertoire character show hunter > mine.toml          a file to start from
  repertoire character show native:5+belief             the file of a native bot, with its level and belief filled in
  repertoire character check mine.toml                  mistakes, with line and remedy
  repertoire character check --game villager.toml       the same, for a game's own sensors, tasks and facts
  repertoire tournament --contender mine=mine.toml --contender hunter")]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// List the characters that come with repertoire, with who decides and the other stages of their minds
    List {
        /// Answer as JSON
        #[arg(long)]
        json: bool,
    },
    /// Print the file of a character that comes with repertoire, to read, copy and edit
    Show {
        /// Which one: see `character list`; native:LEVEL, individual:PROFILE and +belief fill in what they stand for
        name: String,
    },
    /// Check the file of a character
    Check {
        /// The file
        #[arg(value_name = "FILE.toml")]
        file: String,
        /// It is a character of a game's own: any names of sensors, tasks and facts are right
        #[arg(long)]
        game: bool,
        /// Answer as JSON
        #[arg(long)]
        json: bool,
    },
    /// Print the JSON schema of character files, for editors
    Schema {
        /// Of characters that fight in the arena, or of those of a game's own
        #[arg(value_parser = ["fighter", "game"], default_value = "fighter")]
        of: String,
    },
}

pub(crate) fn run(args: &Args) -> Result<()> {
    match &args.command {
        Command::List { json } => list(*json),
        Command::Show { name } => output::text(&roster::text_of(name)?),
        Command::Check { file, game: true, json } => check_game(file, *json),
        Command::Check { file, game: false, json } => check_fighter(file, *json),
        Command::Schema { of } if of == "game" => crate::schema::print("character"),
        Command::Schema { .. } => crate::schema::print("fighter"),
    }
}

fn list(as_json: bool) -> Result<()> {
    let designs = shipped::names().map(load::fighter).collect::<Result<Vec<_>, _>>()?;
    let all: Vec<_> = shipped::names().zip(&designs).collect();
    output::answer(as_json, &told::list_as_json(&all), || told::list(&all))
}

fn check_fighter(file: &str, as_json: bool) -> Result<()> {
    let design = load::fighter(file).map_err(|error| match load::character(Path::new(file)) {
        Ok(_) => anyhow!("{error}\n  or, if it is a character of a game's own: `character check --game`, by which it is right"),
        Err(_) => error.into(),
    })?;
    let report = json!({ "file": file, "name": design.name(), "decides_by": design.by().name(),
        "stages": told::stages(&design) });
    output::answer(as_json, &report, || {
        format!("{file}: {} can play; {}\n", design.name(), told::in_words(&design))
    })
}

fn check_game(file: &str, as_json: bool) -> Result<()> {
    let design = load::character(Path::new(file)).with_context(|| format!("{file} cannot be played"))?;
    output::answer(as_json, &told::of_game_as_json(file, &design), || told::of_game(file, &design))
}
