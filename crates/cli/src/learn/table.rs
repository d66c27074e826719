//! `repertoire learn table`: a character of a game's own from a table of what its kind was seen doing.

use repertoire::load::{self, LoadError};
use repertoire_bayes::sequence::file::with_behaviour;

use crate::prelude::*;

/// Learn a character of your own game from a table (CSV) of what was sensed and done
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
The table is comma-separated. Its first line names the columns: sensors of the character, `task`, and optionally `life`,
which starts a new life wherever it changes. Each further line is one tick; an empty cell is a sensor that was not read.

The tables of the character's file are learned: counted, and then moved to where its decisions explain best what was done,
so that rare reactions stay clear. Needs, facts, plans and everything else in the file stay as they are.

Example:
  repertoire learn table diary.csv --character villager.toml -o pupil.toml")]
pub struct Args {
    /// Table to learn from
    #[arg(value_name = "TABLE.csv")]
    table: PathBuf,
    /// The character whose tables are learned: its file names the tasks and sensors
    #[arg(long, value_name = "FILE.toml")]
    character: PathBuf,
    /// Only count, as Laplace's law says, without keeping rare reactions clear
    #[arg(long)]
    count_only: bool,
    /// Where to write the character; - for standard output
    #[arg(short, long, value_name = "FILE.toml")]
    output: PathBuf,
    /// Print the summary as JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    output::refuse_overwriting(&args.output, &args.table, "the table to learn from")?;
    let design = load::character(&args.character)?;
    let lives = load::lives(&args.table, design.behaviour())?;
    let (behaviour, name) = (design.behaviour(), design.name().to_owned());
    let learned =
        if args.count_only { behaviour.counted(name, &lives)? } else { behaviour.taught(name, &lives)? };
    let text = std::fs::read_to_string(&args.character)
        .with_context(|| format!("{} could not be read", args.character.display()))?;
    let whole = with_behaviour(&text, &learned)
        .map_err(|mistake| LoadError::Mistake { path: args.character.clone(), mistake })?;
    output::file(&args.output, &whole)?;
    if args.json {
        return output::json(&json!({ "file": args.output.display().to_string(), "ticks": lives.len(),
            "lives": lives.lives() }));
    }
    super::sequence::tell_table(&args.output, &learned, &lives)
}
