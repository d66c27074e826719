//! `repertoire learn moments`: the hands of a person.

use repertoire::recordings;
use repertoire_draw::terminal::learned::Hands;
use repertoire_eval::telling::Half;
use repertoire_mind::moments::MomentWatcher;

use super::play::Teachers;
use crate::prelude::*;

/// Learn the hands of a person: how they turn, look, run, jump and fire, moment by moment
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
The result is every moment of the play: the situation (own velocity, last turns, where the route led in 0.8 and 2 s, an opponent in view) and
what was done in it. A character with such hands decides as a native bot does, and carries it out by doing again what the person did
in one of the three moments most like the present one. Nothing is put into bins, so views rest and burst as the person's do.

Learn from one person at a time (--player), and keep whole matches aside to compare with (`repertoire people compare`).

Examples:
  repertoire trace import match.qwd.gz --percepts --map dm6.bsp.gz -o person.parquet
  repertoire learn moments --from person.parquet --player q06 -o q06.moments
  repertoire arena watch --map dm3.bsp.gz --contender q06=q06.moments --contender native:3")]
pub struct Args {
    #[command(flatten)]
    teachers: Teachers,
    /// Learn only from this half of each recording, by time, and keep the other to compare with
    #[arg(long, value_parser = one_of(Half::ALL, Half::name, Half::about), conflicts_with = "live")]
    half: Option<Half>,
    /// Where to write the moments
    #[arg(short, long, value_name = "FILE.moments")]
    output: Target,
    /// Print the summary as JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    output::refuse_overwriting_any(&args.output, &args.teachers.from, "a recording to learn from")?;
    let mut watcher = MomentWatcher::default();
    let bar = progress::spinner("{spinner} {pos} moments, {per_sec}");
    let (from, wanted) = (&args.teachers.from, &args.teachers.players);
    let players = match args.half {
        None => args.teachers.show(&mut watcher, &bar)?,
        Some(half) => recordings::show_half(from, wanted, half, &mut watcher, &|| bar.inc(1), &note)?,
    };
    bar.finish_and_clear();
    let Some(moments) = watcher.finish() else {
        bail!("there was nothing to learn\n  remedy: name a player that lives in the recording");
    };
    output::file(&args.output, &moments.write())?;
    let told = Hands { moments: &moments, players: &players, file: &args.output.display().to_string() };
    output::answer_beside(&args.output, args.json, &told.to_json(), || told.text())
}
