//! `--practise`: attention as sharp as makes the pupil move most like its teacher.

use anyhow::{Context, Result};
use indicatif::ProgressBar;
use repertoire_chameleon::{Learned, Sharpness};
use repertoire_eval::practice::{Practice, Teacher};
use repertoire_eval::signature::Moment;
use repertoire_mind::Places;
use repertoire_mind::student::Seen;

use super::Args;
use crate::learn::play::Watch;

/// Seconds of the game that a trial match takes.
const MATCH_SECS: f64 = 600.0;

pub fn sharpness(args: &Args, learned: &Learned, bar: &ProgressBar) -> Result<Sharpness> {
    let level = args.teachers.level()?;
    let mut moves = Moves(Vec::new());
    args.teachers.show(&mut moves, &ProgressBar::hidden())?;
    let teacher = Teacher::of(&moves.0, MATCH_SECS).context(
        "the teacher never moved: there is nothing to compare with\n  remedy: leave out --practise",
    )?;
    let practice = Practice { level, match_secs: MATCH_SECS, seed: args.teachers.seed };
    let told = |what: &str| {
        bar.set_message(format!(", {what}"));
        bar.tick();
    };
    Ok(practice.sharpness(learned, &teacher, &told)?)
}

/// Watches how somebody moves: a list for each recording and player.
struct Moves(Vec<Vec<Moment>>);

impl Watch for Moves {
    fn begin(&mut self) {
        self.0.push(Vec::new());
    }

    fn see(&mut self, seen: Seen<'_>, _: &Places) {
        if let Some(moments) = self.0.last_mut() {
            moments.push(Moment::of(seen.percept));
        }
    }
}
