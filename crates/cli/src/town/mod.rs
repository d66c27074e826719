//! `repertoire town`: towns that live.

mod check;
mod list;
mod options;
mod replay;
mod run;
mod watch;
mod why;

use crate::prelude::*;

subcommands! {
    /// Run a town of characters who want, plan, act, fail and plan again
    #[command(after_help = "\
A town is the name of one that comes with repertoire (`town list`), or a TOML file (the guide is docs/guides/town.md). A tick is a
minute. The same town, inhabitants, seed and events give the same state hash for any number of threads.

Examples:
  repertoire town run                                         a western of 200 for a day: what came of it
  repertoire town run western --inhabitants 1000000           the same with a million
  repertoire town run western --days 3 --event 'day 2 10:00 close store 6h'
  repertoire town watch                                       live in this terminal; f follows somebody and shows why
  repertoire town why western --who 17 --at 'day 1 10:30'     need, goal, plan, and what last went wrong
  repertoire town run station --html station.html             a page to play back
  repertoire town run western --save monday.town && repertoire town run --resume monday.town --days 1
  repertoire town check my-town.toml")]
    pub struct Args;
    Run => run,
    Watch => watch,
    Why => why,
    Check => check,
    Replay => replay,
    List => list;
    /// Print a class of a town as a character of any game, for `repertoire character`
    Character {
        /// The town: a name or a file
        town: String,
        /// The class
        class: String,
    } => character(town, class),
    /// Print the JSON schema of towns, for editors
    Schema => crate::schema::print("town"),
}

fn character(town: &str, class: &str) -> Result<()> {
    let charter = repertoire::load::town(town)?;
    let Some(index) = charter.class(class) else {
        let names: Vec<&str> = charter.classes.iter().map(|class| class.name.as_str()).collect();
        bail!("`{class}` is not a class of {town}\n  remedy: one of {}", names.join(", "));
    };
    output::text(&charter.classes[index].design_text)
}
