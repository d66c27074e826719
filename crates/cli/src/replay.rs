//! `repertoire replay`: plays a recording's commands again, and proves that the same world comes of them.

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Result, anyhow, bail};
use clap::Args as ClapArgs;
use indicatif::{ProgressBar, ProgressStyle};
use repertoire_eval::lesson::level_of;
use repertoire_mind::{Command, Percept};
use repertoire_trace::{Header, Tick};
use repertoire_worlds::arena::rules::Rules;
use repertoire_worlds::arena::world::World;
use serde::Serialize;

use crate::output;
use crate::trace::Source;

/// Play a recording again and prove that every state hash and every percept agrees
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
The file holds the map, the settings and the seed; the recorded commands are obeyed again, tick by tick. After each, the
world must have the recorded hash, and before each, every character must perceive what was recorded.

Examples:
  repertoire record -o match.parquet
  repertoire replay match.parquet

Exit codes: 0 everything agrees, 1 something differs (the first such tick is named) or the file was refused.")]
pub struct Args {
    /// A recording (.parquet or .csv)
    file: PathBuf,
    /// Answer as JSON
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Serialize)]
struct Replayed {
    agrees: bool,
    ticks: u32,
    /// The first tick that differs.
    #[serde(skip_serializing_if = "Option::is_none")]
    differs_at: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    difference: Option<String>,
    final_hash: String,
    /// Whether the recording was cut off.
    cut: bool,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let mut source = Source::open(&args.file)?;
    let header = source.header().clone();
    let mut world = world_of(&header).map_err(|error| error.context(args.file.display().to_string()))?;
    let cut = source.cut().is_some();
    let bar = ProgressBar::new_spinner();
    bar.set_style(ProgressStyle::with_template("replaying, {pos} ticks")?);
    let mut replayed = Replayed {
        agrees: true,
        ticks: 0,
        differs_at: None,
        difference: None,
        final_hash: String::new(),
        cut,
    };
    let mut percept = Percept::default();
    for tick in source.ticks() {
        let tick = tick?;
        if let Err(difference) = obey(&mut world, &tick, &mut percept) {
            (replayed.agrees, replayed.differs_at) = (false, Some(tick.tick));
            replayed.difference = Some(difference);
            break;
        }
        replayed.ticks += 1;
        bar.inc(1);
    }
    bar.finish_and_clear();
    replayed.final_hash = format!("{:016x}", world.hash());
    tell(args, &header, &replayed)
}

/// The world at the start of the recorded match.
fn world_of(header: &Header) -> Result<World> {
    if header.world != "arena" {
        bail!(
            "it was recorded in the world `{}`\n  remedy: only recordings of the arena can be replayed",
            header.world
        );
    }
    let rules: Rules = serde_json::from_value(header.settings.clone())
        .map_err(|error| anyhow!("its settings are not the arena's: {error}\n  remedy: record again"))?;
    let level = level_of(header)?;
    let count =
        u8::try_from(header.characters.len()).map_err(|_| anyhow!("it names more than 255 characters"))?;
    Ok(World::new(Arc::new(level), rules, count, header.seed))
}

/// Obeys one tick's commands. What differs, if anything does.
fn obey(world: &mut World, tick: &Tick, percept: &mut Percept) -> Result<(), String> {
    if tick.rows.len() != world.len() {
        return Err(format!("it has {} characters, the match {}", tick.rows.len(), world.len()));
    }
    let mut commands = vec![Command::default(); world.len()];
    for (id, row) in tick.rows.iter().enumerate() {
        if row.alive != world.is_alive(id) {
            return Err(format!("character {id} should be {}", if row.alive { "alive" } else { "dead" }));
        }
        if let Some(recorded) = &row.percept {
            world.perceive(id, percept);
            if recorded != percept {
                return Err(format!("character {id} perceives something else"));
            }
        }
        commands[id] = row.command.unwrap_or_default();
    }
    world.advance(&commands);
    let hash = world.hash();
    if hash != tick.state_hash {
        return Err(format!("the hash is {hash:016x}, recorded was {:016x}", tick.state_hash));
    }
    Ok(())
}

fn tell(args: &Args, header: &Header, replayed: &Replayed) -> Result<()> {
    if args.json {
        output::json(replayed)?;
    }
    if let (Some(tick), Some(difference)) = (replayed.differs_at, &replayed.difference) {
        bail!(
            "{}: tick {tick} differs: {difference}\n  remedy: it was recorded by {}; replay it with that version, or record again",
            args.file.display(),
            header.program
        );
    }
    if args.json {
        return Ok(());
    }
    let cut = if replayed.cut { " (the recording was cut off; this is what is left of it)" } else { "" };
    output::text(&format!(
        "{}: {} ticks on {} replayed{cut}; every hash and every percept agrees\nstate hash {}\n",
        args.file.display(),
        replayed.ticks,
        header.map,
        replayed.final_hash
    ))
}
