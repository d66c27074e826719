//! `--practise`: attention as sharp as makes the pupil move most like its teacher.

use anyhow::{Context, Result};
use indicatif::ProgressBar;
use repertoire_chameleon::{Learned, Sharpness};
use repertoire_eval::practice::Practice;
use repertoire_eval::signature::habits::Measure;
use repertoire_eval::signature::{Counts, Moment};
use repertoire_mind::Places;
use repertoire_mind::student::Seen;

use super::Args;
use crate::learn::play::Watch;

/// Seconds of the game that a trial match takes.
const MATCH_SECS: f64 = 600.0;

pub fn sharpness(args: &Args, learned: &Learned, bar: &ProgressBar) -> Result<Sharpness> {
    let level = args.teachers.level()?;
    let mut moves = Moves { counts: Counts::new(Measure::in_units(1.0).standing), moments: Vec::new() };
    args.teachers.show(&mut moves, &ProgressBar::hidden())?;
    moves.begin();
    let teacher = moves.counts.signature().context(
        "the teacher never moved: there is nothing to compare with\n  remedy: leave out --practise",
    )?;
    let practice = Practice { level, match_secs: MATCH_SECS, seed: args.teachers.seed };
    let told = |what: &str| {
        bar.set_message(format!(", {what}"));
        bar.tick();
    };
    Ok(practice.sharpness(learned, &teacher, &told)?)
}

/// Watches how somebody moves.
struct Moves {
    counts: Counts,
    moments: Vec<Moment>,
}

impl Watch for Moves {
    fn begin(&mut self) {
        self.counts.add(&self.moments);
        self.moments.clear();
    }

    fn see(&mut self, seen: Seen<'_>, _: &Places) {
        self.moments.push(Moment::of(seen.percept));
    }
}
