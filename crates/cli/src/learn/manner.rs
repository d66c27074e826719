//! `repertoire learn manner`: what a player's hands do within each task, as a program.

use repertoire_bayes::file::to_toml;
use repertoire_draw::terminal::learned::Manner;
use repertoire_mind::tasks::apprentice::Apprentice;

use super::play::Teachers;
use super::sequence::name_of;
use crate::prelude::*;

/// Learn a player's manner (how they turn, run, fire and jump within each task)
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
The result is a Bayesian program with its counts: ask it with `repertoire program`, edit it, or give it to a fighter:

  [act]
  hands = \"program\"
  manner = \"manner.toml\"

Each tick is counted for the task that the recording names (characters with a behaviour say it), or for each task as far as
it explains what was done. Directions that nobody showed keep the usual tables (`repertoire program manner`).

Example:
  repertoire record --contender aggressive --contender native:3 --map halls --seconds 350 -o play.parquet
  repertoire learn manner --from play.parquet --player aggressive -o manner.toml
  repertoire program manner.toml --ask 'P(Turn | Task=attack, Direction=left_20)'")]
pub struct Args {
    #[command(flatten)]
    teachers: Teachers,
    /// What to call the program [default: the name of the file]
    #[arg(long)]
    name: Option<String>,
    /// Where to write the program; - for standard output
    #[arg(short, long, value_name = "FILE.toml")]
    output: Target,
    /// Print the summary as JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    output::refuse_overwriting_any(&args.output, &args.teachers.from, "a recording to learn from")?;
    let mut apprentice = Apprentice::new(&args.name.clone().unwrap_or_else(|| name_of(&args.output)));
    let bar = progress::spinner("{spinner} {pos} observations, {per_sec}");
    let players = args.teachers.show(&mut apprentice, &bar)?;
    bar.finish_and_clear();
    if apprentice.seen().0 == 0 {
        bail!("there was nothing to learn\n  remedy: name a player that lives in the recording");
    }
    output::file(&args.output, &to_toml(apprentice.program()))?;
    let file = &args.output.display().to_string();
    let told = Manner { apprentice: &apprentice, players: &players, file };
    output::answer_beside(&args.output, args.json, &told.to_json(), || told.text())
}
