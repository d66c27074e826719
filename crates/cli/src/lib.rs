//! The `repertoire` command: every capability of the library from a terminal or a pipe.
//!
//! | module         | command                 | what it does                                      |
//! |----------------|-------------------------|---------------------------------------------------|
//! | [`plan`]       | `repertoire plan`       | plan for characters, explain plans, lint domains  |
//! | [`belief`]     | `repertoire belief`     | where the unseen opponent is: learn, measure, draw |
//! | [`chameleon`]  | `repertoire chameleon`  | characters learned by imitation, looked into      |
//! | [`program`]    | `repertoire program`    | describe a program, ask it, teach it, draw it     |
//! | [`behaviour`]  | `repertoire behaviour`  | show, check and compare behaviours                |
//! | [`learn`]      | `repertoire learn`      | characters from play                              |
//! | [`experiment`] | `repertoire experiment` | the papers' experiments, played again             |
//! | [`ask`]        | `repertoire ask`        | the JSON-lines doors for other languages          |
//! | [`merge`]      | `repertoire merge`      | one result from shards of a long command          |
//! | `tournament`   | `repertoire tournament` | the first thing a newcomer runs                   |
//! | `believable`   | `repertoire believable` | ten requirements, ten numbers                     |
//! | [`judge`]      | `repertoire judge`      | clips for people to judge, and what they said     |
//! | [`record`]     | `repertoire record`     | write a match down, tick by tick                  |
//! | [`replay`]     | `repertoire replay`     | play a recording again and prove that it agrees   |
//! | [`people`]     | `repertoire people`     | what people do, in numbers |
//! | [`trace`]      | `repertoire trace`      | look into recorded play, turn it into CSV and back |
//! | [`arena`]      | `repertoire arena`      | watch matches; draw, check and import maps        |
//! | [`rooms`]      | `repertoire rooms`      | characters in rooms: run, explain, draw           |
//! | [`town`]       | `repertoire town`       | towns of up to millions who plan and live         |
//! | [`topology`]   | `repertoire topology`   | places learned from where players walk            |
//! | [`signature`]  | `repertoire signature`  | how players move, and how far they are apart      |
//! | [`doom`]       | `repertoire doom`       | play Doom against its bots                        |
//! | `output`       |                         | writing, JSON, and what a closed pipe means       |
//! | `signals`      |                         | stopping early on Ctrl-C and `kill`               |
//!
//! Only this crate writes files; characters are read by `repertoire::load`.

pub mod arena;
pub mod ask;
pub mod behaviour;
pub mod belief;
mod believable;
pub mod chameleon;
mod character;
pub mod doom;
pub mod experiment;
pub mod judge;
pub mod learn;
pub mod merge;
mod movement;
mod options;
pub mod people;
pub mod plan;
mod prelude;
pub mod program;
pub mod record;
pub mod replay;
pub mod rooms;
mod schema;
mod screen;
pub mod signature;
pub mod studio;
mod subcommands;
pub mod topology;
pub mod town;
pub mod trace;

use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches, Parser};
pub(crate) use repertoire_draw as draw;
pub(crate) use repertoire_first::{
    GaveUp, Interrupted, clock, output, progress, refuse_addresses, shard, signals,
};
pub(crate) use subcommands::subcommands;

/// Minds for game characters: written as data, taught by playing, asked at any time.
#[derive(Debug, Parser)]
#[command(
    name = "repertoire",
    version,
    about = "Minds for game characters: written as data, taught by playing, asked at any time",
    max_term_width = 100,
    after_help = "\
Examples:
  repertoire tournament                              bots fight; see who is better, in a minute
  repertoire arena watch                             bots fight in this terminal, live
  repertoire program --list                          the programs that come with it
  repertoire program target-following                what is in one of them
  repertoire program target-following --ask 'P(Rotation | Direction=left)'
  repertoire plan solve western --class Sheriff --explain
  repertoire rooms run 6.2                           a character explores, eats, breaks down a door, and says why
  repertoire town run --inhabitants 100000           a town lives for a day, and says what came of it
  repertoire ask --list                              the doors for other languages
  echo '{\"counts\":[31,4,0]}' | repertoire ask laplace

Exit codes: 0 done, 1 the input was refused (the message says what would be right), 2 the command was
not understood, 3 a budget ran out, 130 interrupted by Ctrl-C or kill (what was done until then is printed)."
)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

type Args = Cli;

/// The tournament of the first program, with pictures.
mod tournament {
    pub(crate) use repertoire_first::tournament::Args;

    pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
        repertoire_first::tournament::run(args, Some(&crate::draw::tournament::page))
    }
}

subcommands! {
    Program => program,
    Behaviour => behaviour,
    Character => character,
    Learn => learn,
    Experiment => experiment,
    Plan => plan,
    Belief => belief,
    Chameleon => chameleon,
    Ask => ask,
    Tournament => tournament,
    Believable => believable,
    Judge => judge,
    Merge => merge,
    Record => record,
    Replay => replay,
    Trace => trace,
    Arena => arena,
    Rooms => rooms,
    Town => town,
    Topology => topology,
    Signature => signature,
    Studio => studio,
    People => people,
    Doom => doom;
    /// Print completions for a shell
    #[command(
        after_help = "Example: repertoire completions bash > ~/.local/share/bash-completion/completions/repertoire"
    )]
    Completions {
        /// The shell to complete in
        shell: clap_complete::Shell,
    } => {
        let mut script = Vec::new();
        clap_complete::generate(*shell, &mut Cli::command(), "repertoire", &mut script);
        output::bytes(&script)
    },
}

/// Runs the command of this process's arguments.
pub fn main() -> ExitCode {
    let matches = Cli::command().get_matches();
    let cli = Cli::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
    let done = refuse_addresses().and_then(|()| output::check_targets(&matches)).and_then(|()| run(&cli));
    repertoire_first::exit(done)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }
}
