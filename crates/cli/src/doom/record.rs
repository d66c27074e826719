//! `repertoire doom record`: a match of Doom as a trace, to learn from.

use std::io::BufWriter;

use repertoire_doom::{MatchResult, report};
use repertoire_trace::Recorder;

use super::options::{MatchOptions, play_on};
use crate::prelude::*;
use crate::record::RecordTo;

/// Record a match: what the characters perceive and command, including what they see of Doom's bots
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
A recording is written as it is played: what was played is kept if the match breaks off.

Examples:
  repertoire doom record --contender aggressive --minutes 10 -o doom.parquet
  repertoire trace info doom.parquet
  repertoire learn sequence --from doom.parquet --player aggressive --method incremental -o pupil.toml
  repertoire doom match --contender pupil=pupil.toml")]
pub struct Args {
    #[command(flatten)]
    game: MatchOptions,
    #[command(flatten)]
    to: RecordTo,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    refuse_other_than_parquet(&args.to.output)?;
    let result = args.game.on_processors(|| record(args))?;
    output::answer(args.to.json, &result, || {
        let bytes = std::fs::metadata(&args.to.output).map_or(0, |data| data.len());
        let (file, told) = (args.to.output.display(), report::of_match(&result));
        format!("{file}: {} ticks, {} kB\n{told}", result.steps, bytes / 1000)
    })?;
    let played = result.played_secs;
    match result.broken {
        None => Ok(()),
        Some(why) => bail!("the match broke off after {played:.0} s; what was played is kept: {why}"),
    }
}

fn record(args: &Args) -> Result<MatchResult> {
    let game = args.game.start()?;
    output::growing(&args.to.output, |out| {
        let mut recorder = Recorder::new(BufWriter::new(out), game.header())?;
        let result = play_on(game, &mut |game| Ok(recorder.push(game.recorded(args.to.why))?))?;
        recorder.finish()?;
        Ok(result)
    })
}
