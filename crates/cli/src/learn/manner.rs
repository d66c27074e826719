//! `repertoire learn manner`: what a player's hands do within each task, as a program.

use std::path::Path;

use anyhow::{Result, bail};
use clap::Args as ClapArgs;
use indicatif::{ProgressBar, ProgressStyle};
use repertoire_bayes::file::to_toml;
use repertoire_mind::tasks::apprentice::Apprentice;
use repertoire_mind::tasks::{Elementary, MotorTables};
use serde_json::json;

use super::play::Teachers;
use super::sequence::name_of;
use crate::output::{self, Target};

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
    for from in &args.teachers.from {
        output::refuse_overwriting(&args.output, from, "a recording to learn from")?;
    }
    let mut apprentice = Apprentice::new(&args.name.clone().unwrap_or_else(|| name_of(&args.output)));
    let bar = ProgressBar::no_length()
        .with_style(ProgressStyle::with_template("{spinner} {pos} observations, {per_sec}")?);
    let players = args.teachers.show(&mut apprentice, &bar)?;
    bar.finish_and_clear();
    let (ticks, told) = apprentice.seen();
    if ticks == 0 {
        bail!("there was nothing to learn\n  remedy: name a player that lives in the recording");
    }
    output::file(&args.output, &to_toml(apprentice.program()))?;
    let manners = apprentice.manners();
    let differs = Elementary::ALL.map(|task| {
        let tables = manners.tables(task);
        (task.name(), apprentice.ticks_of(task), tables.differs_from(MotorTables::usual()))
    });
    if args.json {
        let tasks = differs.map(
            |(task, ticks, differs)| json!({ "task": task, "ticks": ticks, "largest_difference": differs }),
        );
        return output::json(&json!({ "file": args.output.display().to_string(), "players": players,
            "ticks": ticks, "told": told, "tasks": tasks }));
    }
    let mut text = format!(
        "{} ticks of {}; the task was told in {told}\n\n  task             ticks  largest difference from the usual tables\n",
        ticks,
        players.join(", ")
    );
    for (task, ticks, differs) in differs {
        text += &format!("  {task:<15} {ticks:>6.0}  {differs:.2}\n");
    }
    text += &format!("\nwritten to {}\n", args.output.display());
    if *args.output == *Path::new("-") {
        // The program itself is on standard output.
        anstream::eprint!("{text}");
        return Ok(());
    }
    output::text(&text)
}
