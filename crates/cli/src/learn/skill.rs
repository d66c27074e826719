//! `repertoire learn skill`: a native bot that is as good as somebody.

use repertoire_mind::fighter::SkillWatcher;

use super::play::Teachers;
use super::sequence::name_of;
use crate::prelude::*;

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
    output::refuse_overwriting_any(&args.output, &args.teachers.from, "a recording to learn from")?;
    let mut watcher = SkillWatcher::default();
    let bar = progress::spinner("{spinner} {pos} decisions, {per_sec}");
    let players = args.teachers.show(&mut watcher, &bar)?;
    bar.finish_and_clear();
    let Some(skill) = watcher.finish() else {
        bail!(
            "there is too little play to measure\n  remedy: record a player who runs and meets others, some minutes long"
        );
    };
    let name = args.name.clone().unwrap_or_else(|| name_of(&args.output));
    let about = format!("A native bot as good as {}.", players.join(", "));
    output::file(&args.output, &skill.to_toml(&name, &about))?;
    let file = args.output.display().to_string();
    let report = json!({ "file": file, "players": players, "skill": skill });
    output::answer_beside(&args.output, args.json, &report, || {
        format!("{about}\n{}written to {file}\n", terminal::learned::skill(&skill))
    })
}
