//! `repertoire people compare`: can two players be told apart?

use std::path::PathBuf;

use anyhow::Result;
use clap::Args as ClapArgs;
use repertoire::recordings;
use repertoire_draw::terminal;
use repertoire_eval::telling::{Half, Trail, compare};

use crate::options::one_of;
use crate::trace::source::note;
use crate::{output, progress};

/// Tell players apart: people, their pupils and native bots, by how they move
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Play is cut into windows of 4 s, each described by numbers that do not depend on the place: speeds, accelerations, turns, reversals of the
view, still views, pitch, strafing, how alike one moment is to the next; with --buttons also fire, jumps and keys. For each pair of
recordings two classifiers (boosted trees, logistic regression) learn which of the two a window is of. Blocks of 60 s of both are
held out at once; the AUC, averaged over five folds, is how often a held-out window of the one is scored above one of the other:
0.5 is guessing, 1 is certainty. Speeds are the recorded velocities; with --places, or where a recording has none, they are worked out
from places, which in demos move on by whole frames of the client. A recording is also compared with itself, even minutes against odd ones: the noise of the measure.

A character that is called as a person (--contender q04=pupil.character) is compared with that person as the same player, with one
person in the pair. The last table says who is nearest to whom by signature, over the first 5 minutes of each.

Recordings are demos, CSV of people's play, and recordings of `repertoire record`, all together.

Examples:
  repertoire people compare demo14_20hz.csv.gz demo16_20hz.csv.gz
  repertoire record --map dm6.bsp --contender q04=pupil.character --contender native:3 -o played.parquet
  repertoire people compare demo16_20hz.csv.gz played.parquet --player q04 --player native:3 --json")]
pub struct Args {
    /// Recorded play
    #[arg(required = true, value_name = "FILE")]
    recordings: Vec<PathBuf>,

    /// Only these players; may be given several times [default: everybody]
    #[arg(long = "player", value_name = "NAME")]
    players: Vec<String>,

    /// Of people's recordings use only this half: that which a pupil did not learn from
    #[arg(long, value_parser = one_of(Half::ALL, Half::name, Half::about))]
    half: Option<Half>,

    /// Also use fire, jumps and keys
    #[arg(long)]
    buttons: bool,

    /// Work out speeds from places, as for recordings without velocities: also tells clients of different frame rates apart
    #[arg(long)]
    places: bool,

    /// Show every pair, not only the means of each relation
    #[arg(long)]
    pairs: bool,

    /// Also name the numbers by which each pair is told apart best, with the mean of each over the windows of both
    #[arg(long)]
    why: bool,

    /// Answer as JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args) -> Result<()> {
    let mut trails = recordings::trails_of(&args.recordings, &args.players, args.half, &note)?;
    if args.places {
        trails = trails.iter().map(Trail::without_velocities).collect();
    }
    let bar = progress::bar(compare::count(trails.len()), "{bar:30} pair {pos} of {len}");
    let found = compare::compare(&trails, args.buttons, &|| bar.inc(1));
    bar.finish_and_clear();
    if args.json {
        return output::json(&found);
    }
    output::text(&terminal::telling::comparison(&found, args.pairs, args.why))
}
