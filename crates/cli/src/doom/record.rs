//! `repertoire doom record`: a match of Doom as a trace, to learn from.

use std::fs::File;
use std::io::BufWriter;
use std::path::PathBuf;

use anyhow::{Context, Result, anyhow, bail};
use clap::Args as ClapArgs;
use repertoire_doom::processor::on_one_processor;
use repertoire_doom::{DoomError, Game, MatchResult};
use repertoire_trace::Recorder;

use super::options::{How, Where, contender, entries, ground, wad_bytes};
use super::play;
use crate::{clock, output};

/// Record a match: what our characters perceive and command, with all that they see of the others
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
A recording is written as it is played: what was played is kept if the match breaks off.

Examples:
  repertoire doom record --contender aggressive --minutes 10 -o doom.parquet
  repertoire trace info doom.parquet
  repertoire learn sequence --from doom.parquet --player aggressive --method incremental -o pupil.toml
  repertoire doom match --contender pupil=pupil.toml")]
pub struct Args {
    /// Who plays, as in `tournament`; may be given several times
    #[arg(long = "contender", value_name = "NAME[:LEVEL]|[NAME=]FILE", required = true, num_args = 1..)]
    contenders: Vec<String>,
    /// The map
    #[arg(long, default_value = "MAP01")]
    map: String,
    #[command(flatten)]
    how: How,
    #[command(flatten)]
    place: Where,
    /// Write down in words why each character does what it does (large)
    #[arg(long)]
    why: bool,
    /// Where to write; .parquet
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// Print what was played as JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    // With several engines at once one processor would be too few.
    if args.contenders.len() == 1 { on_one_processor(0, || play(args)) } else { play(args) }
}

fn play(args: &Args) -> Result<()> {
    if args.output.extension().is_none_or(|extension| extension != "parquet") {
        bail!(
            "{}: recordings are Parquet files\n  remedy: give a name that ends in .parquet; `repertoire trace convert` makes CSV of it",
            args.output.display()
        );
    }
    let entries = entries(&args.contenders)?;
    let settings = args.how.settings(&args.map, entries.len())?;
    let environment = args.place.environment()?;
    let ground = ground(&environment.wad, &wad_bytes(&environment)?, &args.map)?;
    let ours = entries.iter().map(contender).collect();
    let game = Game::start(&environment, ground, settings, ours)?;
    let mut played = None;
    let mut game = Some(game);
    let mut write = |out: &mut File| -> Result<()> {
        if let Some(game) = game.take() {
            played = Some(record(args, game, out)?);
        }
        Ok(())
    };
    if args.output.exists() {
        output::replace(&args.output, write)?;
    } else {
        let out = File::create(&args.output);
        write(&mut out.with_context(|| format!("{} could not be written", args.output.display()))?)?;
    }
    let Some((result, broken)) = played else { bail!("nothing was played") };
    if args.json {
        output::json(&result)?;
    } else {
        let bytes = std::fs::metadata(&args.output).map_or(0, |data| data.len());
        let told = play::told(&result);
        output::text(&format!(
            "{}: {} ticks, {} kB\n{told}",
            args.output.display(),
            result.steps,
            bytes / 1000
        ))?;
    }
    match broken {
        None => Ok(()),
        Some(error) => Err(anyhow!(
            "the match broke off after {:.0} s; what was played is kept: {error}",
            result.played_secs
        )),
    }
}

fn record(args: &Args, mut game: Game, out: &mut File) -> Result<(MatchResult, Option<DoomError>)> {
    let mut recorder = Recorder::new(BufWriter::new(out), game.header())?;
    let bar = play::bar(args.how.minutes * 60.0)?;
    let mut broken = None;
    while !game.is_over() && broken.is_none() {
        match game.tick(Some(clock::now_ns), None) {
            Ok(()) => recorder.push(game.recorded(args.why))?,
            Err(error) => broken = Some(error),
        }
        bar.set_position(game.played_secs() as u64);
    }
    bar.finish_and_clear();
    recorder.finish()?;
    let mut result = game.end();
    result.broken = broken.as_ref().map(ToString::to_string);
    Ok((result, broken))
}
