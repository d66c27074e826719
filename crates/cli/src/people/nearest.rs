//! `repertoire people nearest`: who moves most like whom, by signature.

use std::path::PathBuf;

use anyhow::{Result, ensure};
use clap::Args as ClapArgs;
use repertoire::recordings;
use repertoire_draw::terminal;
use repertoire_eval::telling::Half;
use repertoire_eval::telling::nearest::nearest;

use crate::options::one_of;
use crate::output::{self, Target};
use crate::trace::source::note;
use crate::{draw, progress};

/// Find who moves most like whom by signature: is a pupil nearest to its own teacher?
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Signatures are three histograms of angles at 10 Hz (`repertoire signature --help`). Distances shrink with length, so exactly the first
minutes (--minutes) of everybody's play count, and who has less is left out. Each of the three distances counts by how far recordings are
apart in it on average.

A character that is called as a person (--contender q04=q04.moments) is that person's pupil. For each recording the table has the nearest
other one, then the nearest of the same person, and its place among all recordings of others and this one: 1 if nobody else is nearer.
Other matches of a person's pupils do not count, neither for that person nor for one another. So
that a pupil is not compared with what it learned from, learn from one half (`learn moments --half first`) and compare with the other
(--half second), which is cut out of people's recordings alone.

Examples:
  repertoire people nearest demo*_20hz.csv.gz played.parquet --half second --minutes 4
  repertoire people nearest demo*_20hz.csv.gz played.parquet --half second --svg nearest.svg")]
pub struct Args {
    /// Recorded play: demos, CSV of people's play, recordings of `repertoire record`, all together
    #[arg(required = true, value_name = "FILE")]
    recordings: Vec<PathBuf>,
    /// Only these players; may be given several times [default: everybody]
    #[arg(long = "player", value_name = "NAME")]
    players: Vec<String>,
    /// Of people's recordings use only this half: that which a pupil did not learn from
    #[arg(long, value_parser = one_of(Half::ALL, Half::name, Half::about))]
    half: Option<Half>,
    /// Minutes of each recording that count
    #[arg(long, default_value_t = 5.0)]
    minutes: f64,
    /// Draw who is near whom to this file
    #[arg(long, value_name = "FILE")]
    svg: Option<Target>,
    /// Answer as JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args) -> Result<()> {
    ensure!(
        args.minutes > 0.0 && args.minutes <= 1440.0,
        "--minutes {}: nothing is left to compare\n  remedy: a number above 0, at most 1440",
        args.minutes
    );
    let found = progress::during("{spinner} comparing signatures, {elapsed}", || -> Result<_> {
        let trails = recordings::trails_of(&args.recordings, &args.players, args.half, &note)?;
        Ok(nearest(&trails, args.minutes))
    })?;
    ensure!(
        found.all.len() > 1,
        "fewer than two recordings have {} minutes\n  remedy: a smaller --minutes",
        args.minutes
    );
    if let Some(svg) = &args.svg {
        output::refuse_overwriting_any(svg, &args.recordings, "play")?;
        output::file(svg, &draw::signature::of_nearness(&found))?;
    }
    if args.json {
        return output::json(&found);
    }
    output::text(&terminal::telling::nearness(&found))
}
