//! `repertoire learn skill`: a native bot that is as good as somebody.

use anyhow::{Result, bail};
use clap::Args as ClapArgs;
use indicatif::{ProgressBar, ProgressStyle};
use repertoire_mind::fighter::SkillWatcher;
use serde_json::json;

use super::play::Teachers;
use crate::output::{self, Target};

/// Learn how good a player is: a native bot with their aim, reaction, lead, turns, speed and dodging
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Measures the numbers that hands of native bots go by, and writes a fighter's file with them ([act.skill]), which can be edited. A pupil
of a native bot passes for its teacher (`repertoire experiment pass`), because both are the same program. Of anybody else the result is a
native bot of their skill, which does not move as they do: for that there is `learn moments`. At which health a bot breaks off a fight is
not measured; it is that of the level with the same aim.

Examples:
  repertoire record --contender native:5 --contender native:3 --seconds 600 -o play.parquet
  repertoire learn skill --from play.parquet --player native:5 -o pupil.toml
  repertoire tournament --contender pupil=pupil.toml --contender native:5 --contender native:3")]
pub struct Args {
    #[command(flatten)]
    teachers: Teachers,
    /// What to call the bot [default: the name of the file]
    #[arg(long)]
    name: Option<String>,
    /// Where to write the fighter
    #[arg(short, long, value_name = "FILE.toml")]
    output: Target,
    /// Print the numbers as JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    for from in &args.teachers.from {
        output::refuse_overwriting(&args.output, from, "a recording to learn from")?;
    }
    let mut watcher = SkillWatcher::default();
    let bar = ProgressBar::no_length()
        .with_style(ProgressStyle::with_template("{spinner} {pos} decisions, {per_sec}")?);
    let players = args.teachers.show(&mut watcher, &bar)?;
    bar.finish_and_clear();
    let Some(skill) = watcher.finish() else {
        bail!(
            "there is too little play to measure\n  remedy: record a player who runs and meets others, some minutes long"
        );
    };
    let name = args.name.clone().unwrap_or_else(|| super::sequence::name_of(&args.output));
    let about = format!("A native bot as good as {}.", players.join(", "));
    output::file(&args.output, &skill.to_toml(&name, &about))?;
    if args.json {
        let file = args.output.display().to_string();
        return output::json(&json!({ "file": file, "players": players, "skill": skill }));
    }
    output::text(&format!(
        "{about}\naim wanders by {:.1} degrees, reacts after {:.1} s, turns {:.0} degrees a second, runs at {:.0} % of full speed\naims ahead of {:.0} % of movement, who stands in a fight runs on with {:.0} % of decisions\nwritten to {}\n",
        skill.aim_error.to_degrees(),
        skill.reaction_secs,
        skill.turn_per_sec.to_degrees(),
        100.0 * skill.speed,
        100.0 * skill.lead,
        100.0 * skill.dodging,
        args.output.display()
    ))
}
