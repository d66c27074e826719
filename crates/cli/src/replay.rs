//! `repertoire replay`: plays a recording's commands again, and proves that the same world comes of them.

use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use clap::Args as ClapArgs;
use repertoire_eval::replay::Replay;
use repertoire_trace::Header;
use serde::Serialize;

use crate::trace::Source;
use crate::{Answer, output, progress};

/// Play a recording again and prove that every state hash and every percept agrees
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
The file contains the map, the settings and the seed; the recorded commands are carried out again, tick by tick. Before each
tick every character must perceive what was recorded, and after it the world must have the recorded hash.

Examples:
  repertoire record -o match.parquet
  repertoire replay match.parquet

Exit codes: 0 everything agrees, 1 something differs (the first such tick is named) or the file was refused.")]
pub struct Args {
    /// A recording (.parquet or .csv)
    file: PathBuf,
    #[command(flatten)]
    answer: Answer,
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
    let mut replay = Replay::of(&header).with_context(|| args.file.display().to_string())?;
    let cut = source.cut().is_some();
    let bar = progress::spinner("replaying, {pos} ticks");
    let mut replayed = Replayed {
        agrees: true,
        ticks: 0,
        differs_at: None,
        difference: None,
        final_hash: String::new(),
        cut,
    };
    for tick in source.ticks() {
        let tick = tick?;
        if let Err(difference) = replay.obey(&tick) {
            (replayed.agrees, replayed.differs_at) = (false, Some(tick.tick));
            replayed.difference = Some(difference.to_string());
            break;
        }
        replayed.ticks += 1;
        bar.inc(1);
    }
    bar.finish_and_clear();
    replayed.final_hash = format!("{:016x}", replay.hash());
    tell(args, &header, &replayed)
}

fn tell(args: &Args, header: &Header, replayed: &Replayed) -> Result<()> {
    if args.answer.json {
        output::json(replayed)?;
    }
    if let (Some(tick), Some(difference)) = (replayed.differs_at, &replayed.difference) {
        bail!(
            "{}: tick {tick} differs: {difference}\n  remedy: it was recorded by {}; replay it with that version, or record again",
            args.file.display(),
            header.program
        );
    }
    if args.answer.json {
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
