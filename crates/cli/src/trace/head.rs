//! `repertoire trace head`.

use std::path::PathBuf;

use anyhow::{Result, bail};
use clap::Args as ClapArgs;
use repertoire_mind::{Command, Event, Fire, Percept};
use repertoire_trace::{Row, Tick};
use serde_json::{Value, json};

use super::source::Source;
use crate::output;

/// Show the first rows of a recording
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  repertoire trace head match.parquet -n 20 --character 1
  repertoire trace head match.parquet -n 1 --json          everything that is in a row")]
pub struct Args {
    /// A recording (.parquet or .csv)
    file: PathBuf,

    /// How many rows
    #[arg(short, default_value_t = 10, value_name = "ROWS")]
    n: usize,

    /// Only the rows of the character of this number
    #[arg(long, value_name = "ID")]
    character: Option<u8>,

    /// Answer as JSON, with everything that is in a row
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args) -> Result<()> {
    let mut source = Source::open(&args.file)?;
    if let Some(id) = args.character {
        let characters = &source.header().characters;
        if characters.iter().all(|character| character.id != id) {
            let ids: Vec<String> =
                characters.iter().map(|one| format!("{} ({})", one.id, one.name)).collect();
            let file = args.file.display();
            bail!("{file}: nobody has the number {id}\n  remedy: choose one of {}", ids.join(", "));
        }
    }
    source.note_cut();
    let mut rows = Vec::new();
    for tick in source.ticks() {
        let Tick { tick, state_hash, rows: all } = tick?;
        let wanted = all.into_iter().filter(|row| args.character.is_none_or(|id| row.character == id));
        rows.extend(wanted.map(|row| (tick, state_hash, row)));
        if rows.len() >= args.n {
            break;
        }
    }
    rows.truncate(args.n);
    if args.json {
        let rows: Vec<Value> = rows.iter().map(|(tick, hash, row)| to_json(*tick, *hash, row)).collect();
        return output::json(&rows);
    }
    let mut text = String::from(
        "  tick  id       x       y      z   yaw  health  weapon  sees  hears  command         task\n",
    );
    for (tick, _, row) in &rows {
        text += &line(*tick, row);
    }
    output::text(&text)
}

fn to_json(tick: u32, state_hash: u64, row: &Row) -> Value {
    json!({
        "tick": tick, "character": row.character, "alive": row.alive, "state_hash": state_hash,
        "percept": row.percept, "command": row.command, "task": row.task, "why": row.why, "events": row.events,
    })
}

/// The things that fit into a line; what happened follows below.
fn line(tick: u32, row: &Row) -> String {
    let start = format!("{tick:6}  {:2}  ", row.character);
    let task = row.task.as_deref().unwrap_or("");
    let state = match &row.percept {
        Some(percept) => body(percept),
        None if row.alive => format!("{:53}", "(perceived nothing)"),
        None => format!("{:53}", "(dead)"),
    };
    let mut text =
        start + &state + &format!("  {:14}  {task}", row.command.as_ref().map_or(String::new(), keys));
    text.truncate(text.trim_end().len());
    text.push('\n');
    for event in &row.events {
        text += &format!("            {}\n", happened(event));
    }
    text
}

fn body(percept: &Percept) -> String {
    let own = &percept.own;
    let at = own.position;
    format!(
        "{:6.2}  {:6.2} {:6.2} {:5.2}  {:6.1}  {:6}  {:4}  {:5}",
        at.x,
        at.y,
        at.z,
        own.yaw,
        own.health,
        own.weapon.name(),
        percept.characters.len(),
        percept.noises.len()
    )
}

/// A command as a hand would feel it: `+1.0 -0.5 jump fire`.
fn keys(command: &Command) -> String {
    let mut text = format!("{:+.1} {:+.1}", command.forward, command.lateral);
    if command.jump {
        text += " jump";
    }
    text += match command.fire {
        Fire::None => "",
        Fire::Primary => " fire",
        Fire::Secondary => " fire2",
    };
    text
}

fn happened(event: &Event) -> String {
    let by = |by: &Option<u8>| by.map_or(String::new(), |by| format!(" by {by}"));
    match event {
        Event::Spawned { position } => format!("came to life at {position:.1}"),
        Event::Fired { weapon, fire } => format!("fired {weapon} ({})", fire.name()),
        Event::Struck { victim, weapon, damage } => format!("hit {victim} with {weapon} for {damage:.1}"),
        Event::Hurt { by: who, damage } => format!("lost {damage:.1} health{}", by(who)),
        Event::Died { by: who, weapon } => {
            format!("died{}{}", by(who), weapon.map_or(String::new(), |weapon| format!(" with {weapon}")))
        }
        Event::Frag { victim } => format!("killed {victim}"),
        Event::PickedUp { spot, item } => format!("picked up {item} (spot {spot})"),
        Event::Teleported { position } => format!("went through a teleporter to {position:.1}"),
    }
}
