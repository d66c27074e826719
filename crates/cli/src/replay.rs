//! `repertoire replay`: plays a recording's commands again, and proves that the same world comes of them.

use repertoire_draw::terminal::recording;
use repertoire_eval::replay::{Replay, Replayed};
use repertoire_trace::Header;

use crate::prelude::*;

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

pub(crate) fn run(args: &Args) -> Result<()> {
    let mut source = Source::open(&args.file)?;
    let header = source.header().clone();
    let replay = Replay::of(&header).with_context(|| args.file.display().to_string())?;
    let cut = source.cut().is_some();
    let bar = progress::spinner("replaying, {pos} ticks");
    let replayed = replay.all(source.ticks(), cut, &|| bar.inc(1))?;
    bar.finish_and_clear();
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
    output::text(&recording::replayed(&args.file.display().to_string(), &header.map, replayed))
}
