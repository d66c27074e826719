//! `repertoire people`: what people do, in numbers.

mod compare;
mod likelihood;
mod nearest;

use std::path::PathBuf;

use anyhow::{Result, bail};
use clap::{Args as ClapArgs, Subcommand};
use repertoire::recordings;
use repertoire_draw::terminal;
use repertoire_eval::people::people;

use crate::arena::bsp;
use crate::trace::source::note;
use crate::{output, progress};

/// Show what people do in recorded play: habits, aim, reactions, searching
#[derive(Debug, ClapArgs)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
#[command(after_help = "\
Recordings are QuakeWorld demos, what `trace import` made of them, or CSV (X_20hz.csv takes its events from X_events.csv beside
it); all may be gzip. In a client's demo the player who recorded is measured, in a server's everybody; in recordings of `repertoire
record` every character, at 20 Hz half-way between its decisions. With the maps (--map) lines of sight tell who could see whom.

  views       at 20 Hz: still is below 0.05 degrees in 50 ms; a burst is what lies between two still moments, its size how far the
              view has turned by its end (below 0.3 degrees it does not count)
  habits      at 10 Hz: standing is below 30 Quake units per second
  aim         from the view to the nearest enemy within 45 degrees in a free line of sight, median
  reaction    nobody in sight for 1 s, then an enemy 8 to 50 degrees off the view: until the view turns towards them faster than the
              person's own 80th percentile; movements that would have begun anyway are taken out
  looks back  somebody lost from sight 10 to 120 degrees off the view: does the view come within 10 degrees of the place in 1 s, and
              (the control) of the place mirrored at the view?

Examples:
  repertoire people match.qwd.gz --map dm6.bsp.gz
  repertoire people demo*_20hz.csv.gz --map maps/*.bsp.gz
  repertoire people match.mvd played.parquet --json
  repertoire people compare monday.qwd tuesday.qwd            can the two be told apart?")]
pub struct Args {
    #[command(subcommand)]
    command: Option<Command>,

    /// Recorded play
    #[arg(required = true, value_name = "FILE")]
    recordings: Vec<PathBuf>,

    /// Maps of Quake (.bsp, plain or gzip) for lines of sight; each recording finds its own by name
    #[arg(long, num_args = 1.., value_name = "MAP.bsp")]
    map: Vec<PathBuf>,

    /// Answer as JSON
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Subcommand)]
enum Command {
    Compare(compare::Args),
    Likelihood(likelihood::Args),
    Nearest(nearest::Args),
}

pub(crate) fn run(args: &Args) -> Result<()> {
    match &args.command {
        Some(Command::Compare(args)) => return compare::run(args),
        Some(Command::Likelihood(args)) => return likelihood::run(args),
        Some(Command::Nearest(args)) => return nearest::run(args),
        None => {}
    }
    let maps = bsp::load(&args.map)?;
    let report = progress::during("{spinner} measuring, {elapsed}", || -> Result<_> {
        let mut plays = Vec::new();
        for path in &args.recordings {
            plays.extend(recordings::measured(path, &note)?);
        }
        Ok(people(&plays, &maps))
    })?;
    if report.people.is_empty() {
        bail!("nobody is alive in it\n  remedy: give recorded play");
    }
    if !report.missing_maps.is_empty() {
        anstream::eprintln!(
            "note: without the maps {} nothing is said of who saw whom there; give them with --map",
            report.missing_maps.join(", ")
        );
    }
    if args.json {
        return output::json(&report);
    }
    output::text(&terminal::people::people(&report))
}
