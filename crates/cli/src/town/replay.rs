//! `repertoire town replay`.

use repertoire_eval::town::replay;
use repertoire_worlds::town::At;

use crate::prelude::*;

/// Run a recorded town again from its recording alone, and compare the hash of every hour
#[derive(Debug, ClapArgs)]
#[command(after_help = "A recording of a run that was killed is read up to its last whole hour.")]
pub struct Args {
    /// A file that `town run --record` wrote
    recording: PathBuf,

    #[command(flatten)]
    answer: Answer,
}

pub(super) fn run(args: &Args) -> Result<()> {
    signals::install();
    let file = std::fs::File::open(&args.recording)
        .with_context(|| format!("{} could not be read", args.recording.display()))?;
    let bar = progress::spinner("{spinner} {pos} minutes, {elapsed}");
    let replayed = replay(file, &mut |_| {
        bar.inc(1);
        !signals::stop_requested()
    })
    .map_err(|error| anyhow!("{}: {error}", args.recording.display()))?;
    bar.finish_and_clear();
    if signals::stop_requested() {
        return Err(anyhow!(Interrupted("stopped before everything was compared".into())));
    }
    if args.answer.json {
        output::json(&replayed)?;
    }
    if let Some(tick) = replayed.differs_at {
        bail!("the town was another one at {}\n  remedy: replay with the version that recorded it", At(tick));
    }
    if args.answer.json { Ok(()) } else { output::text(&terminal::town::replayed(&replayed)) }
}
