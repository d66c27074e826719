//! `repertoire learn moments`: the hands of a person.

use repertoire_eval::telling::Half;
use repertoire_mind::Places;
use repertoire_mind::moments::MomentWatcher;
use repertoire_mind::student::{Seen, Watch};

use super::play::{Teachers, recorded};
use crate::people::HalfArg;
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
    #[arg(long, value_enum, conflicts_with = "live")]
    half: Option<HalfArg>,
    /// Where to write the moments
    #[arg(short, long, value_name = "FILE.moments")]
    output: Target,
    /// Print the summary as JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    output::refuse_overwriting_any(&args.output, &args.teachers.from, "a recording to learn from")?;
    let mut watcher =
        Halved { watcher: MomentWatcher::default(), half: args.half.map(Into::into), end_secs: 0.0 };
    let bar = progress::spinner("{spinner} {pos} moments, {per_sec}");
    let players = match args.half {
        None => args.teachers.show(&mut watcher, &bar)?,
        Some(_) => {
            let mut seen: Vec<String> = Vec::new();
            for path in &args.teachers.from {
                watcher.end_secs = length_secs(path)?;
                let players =
                    recorded(std::slice::from_ref(path), &args.teachers.players, &mut watcher, &bar)?;
                seen.extend(players.into_iter().filter(|name| !seen.contains(name)).collect::<Vec<_>>());
            }
            seen
        }
    };
    bar.finish_and_clear();
    let Some(moments) = watcher.watcher.finish() else {
        bail!("there was nothing to learn\n  remedy: name a player that lives in the recording");
    };
    output::file(&args.output, &moments.write())?;
    let (file, count) = (args.output.display().to_string(), moments.len());
    let report = json!({ "file": file, "players": players, "moments": count });
    output::answer_beside(&args.output, args.json, &report, || {
        format!("{count} moments of {}\nwritten to {file}\n", players.join(", "))
    })
}

/// Sees a half of each recording.
struct Halved {
    watcher: MomentWatcher,
    half: Option<Half>,
    /// How long the recording is.
    end_secs: f64,
}

impl Watch for Halved {
    fn begin(&mut self) {
        self.watcher.begin();
    }

    fn see(&mut self, seen: Seen<'_>, places: &Places) {
        if self.half.is_none_or(|half| half.has(seen.percept.time_secs(), self.end_secs)) {
            Watch::see(&mut self.watcher, seen, places);
        }
    }
}

/// How long a recording is.
fn length_secs(path: &Path) -> Result<f64> {
    let mut source = Source::open(path)?;
    let period_secs = source.header().period_secs;
    let mut last = 0;
    for tick in source.ticks() {
        last = tick?.tick;
    }
    Ok(f64::from(last) * period_secs)
}
