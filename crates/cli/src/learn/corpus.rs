//! Learning from folders of recordings: streamed, committed round by round, continued after a kill.

use repertoire::corpus::{self, Learning, Lesson, Outcome, Subject, Told};

use super::play::Teachers;
use crate::prelude::*;

/// Pieces in which recordings are answered for: small enough to lose little by a kill.
const SHARDS: u64 = 64;

/// Whether recordings are to be streamed: a folder or a pattern is among them.
pub(super) fn is_asked(teachers: &Teachers) -> bool {
    teachers.from.iter().any(|path| corpus::is_many(path))
}

/// Learns, or goes on from what a run with the same options has committed. The folder with it is removed when all is learned and
/// `written`.
pub(super) fn learn(
    teachers: &Teachers,
    subject: Subject,
    output: &Path,
    written: impl FnOnce(Outcome) -> Result<()>,
) -> Result<()> {
    if output::is_stdout(output) {
        bail!(
            "a folder is learned from in rounds that are kept beside the output\n  remedy: name a file with -o"
        );
    }
    output::check_writable(output)?;
    let work = corpus::work_beside(output);
    let lesson = Lesson::new(corpus::find(&teachers.from)?, teachers.players.clone(), subject, &work)?;
    let recordings = lesson.total();
    let learning = Learning::begin(lesson)?;
    if learning.step() > 0 {
        anstream::eprintln!("note: goes on from round {}, kept in {}", learning.step(), work.display());
    }
    let bar = progress::bar(recordings, "{bar:30} {pos} of {len} recordings, {elapsed} gone{msg}");
    signals::install();
    let told = |told: Told| match told {
        Told::Round(round, at) => {
            bar.set_position(0);
            let likely =
                at.map(|at| format!(", start {}, log-likelihood {:.1}", at.start + 1, at.log_likelihood));
            bar.set_message(format!(", round {round}{}", likely.unwrap_or_default()));
        }
        Told::Recordings(count) => bar.inc(count),
    };
    let outcome = learning.run(SHARDS, &told, &|| !signals::stop_requested());
    bar.finish_and_clear();
    let outcome = outcome.map_err(|error| match signals::stop_requested() {
        true => anyhow::Error::from(Interrupted(error.to_string())),
        false => error.into(),
    })?;
    written(outcome)?;
    Learning::forget(&work);
    Ok(())
}
