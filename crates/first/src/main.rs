//! `repertoire tournament`, and a door to everything else.

use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use repertoire_first::{exit, hand_over, output, refuse_addresses, tournament};

#[derive(Debug, Parser)]
#[command(name = "repertoire", bin_name = "repertoire", max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Tournament(tournament::Args),
}

fn main() -> ExitCode {
    let mut words = std::env::args_os().skip(1);
    let is_tournament = words.next().is_some_and(|word| word == "tournament");
    // Its page of pictures is the whole program's.
    let is_page = |word: std::ffi::OsString| word.to_string_lossy().starts_with("--html");
    if !is_tournament || words.any(is_page) {
        return exit(hand_over::to_the_whole_program(std::env::args_os().skip(1)));
    }
    let matches = Cli::command().get_matches();
    let cli = Cli::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
    let Command::Tournament(args) = cli.command;
    let done = refuse_addresses().and_then(|()| output::check_targets(&matches));
    exit(done.and_then(|()| tournament::run(&args, None)))
}
