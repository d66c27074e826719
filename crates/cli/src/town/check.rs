//! `repertoire town check`.

use repertoire_draw::terminal::town as told;
use repertoire_worlds::town;

use crate::prelude::*;

/// Check a town: places nobody can reach, actions that can be done nowhere, hours that never open, goals nobody pursues
#[derive(Debug, ClapArgs)]
#[command(
    after_help = "Exit codes: 0 it can be lived in; 1 it was refused, with a line and a remedy for each mistake."
)]
pub struct Args {
    /// The town: the name of one that comes with repertoire (see `town list`), or a file
    town: String,

    #[command(flatten)]
    answer: Answer,
}

pub(super) fn run(args: &Args) -> Result<()> {
    let charter = load::town(&args.town)?;
    let found = town::check(&charter);
    if args.answer.json {
        output::json(&json!({ "town": charter.name, "mistakes": found }))?;
    } else if found.is_empty() {
        output::text(&told::habitable(&charter))?;
    }
    let all: Vec<String> = found.iter().map(|mistake| format!("{}:{mistake}", args.town)).collect();
    match (all.len(), args.answer.json) {
        (0, _) => Ok(()),
        (count, true) => bail!("{count} mistakes in {}", args.town),
        (_, false) => bail!("{}", all.join("\n")),
    }
}
