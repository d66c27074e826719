//! Learning while the teacher plays: life by life, as each ends.

use std::collections::VecDeque;
use std::sync::Arc;

use anyhow::{Result, anyhow, bail};
use indicatif::ProgressBar;
use repertoire_chameleon::decisions::mean_log_likelihood;
use repertoire_chameleon::online::Student;
use repertoire_chameleon::{Body, Delay, Learned, Model, Sequence, Settings};
use repertoire_mind::Places;
use repertoire_mind::chameleon::{BodySeen, Joined, Watcher};
use repertoire_mind::student::Seen;

use super::{Args, SHORTEST_LIFE, Told, settings};
use crate::learn::play::Watch;

/// Learns each life as it ends.
struct Live {
    joined: Arc<Joined>,
    delay: usize,
    life: Option<u32>,
    watcher: Watcher,
    student: Student,
    lives: usize,
    ticks: usize,
    /// Log-likelihood a tick of each life, before it was learned from.
    surprise: Vec<f64>,
    /// The body it goes on with, and what is seen of the teacher's.
    body: Option<Body>,
    seen: BodySeen,
    /// The last lives, to see how steady the teacher is.
    recent: VecDeque<Sequence>,
    failed: Option<String>,
}

/// Lives by which steadiness is observed while a teacher plays.
const RECENT: usize = 20;

impl Live {
    fn body(&self) -> Body {
        self.body.clone().unwrap_or_else(|| self.seen.body())
    }

    fn end_life(&mut self) {
        let fresh = Watcher::new(Arc::clone(&self.joined), self.delay);
        let watcher = std::mem::replace(&mut self.watcher, fresh);
        self.seen.add(watcher.body());
        for life in watcher.finish(SHORTEST_LIFE, &self.body()) {
            self.surprise.push(mean_log_likelihood(&self.student.learned(), std::slice::from_ref(&life)));
            self.lives += 1;
            self.ticks += life.len();
            if self.recent.len() == RECENT {
                self.recent.pop_front();
            }
            self.recent.push_back(life.clone());
            if let Err(error) = self.student.learn_from(life) {
                self.failed.get_or_insert(error.to_string());
            }
        }
    }
}

impl Watch for Live {
    fn begin(&mut self) {}

    fn see(&mut self, seen: Seen<'_>, places: &Places) {
        if self.life.is_some_and(|life| life != seen.percept.own.life) {
            self.end_life();
        }
        self.life = Some(seen.percept.own.life);
        self.watcher.see(seen.percept, seen.command, places);
    }
}

/// Learns while the teacher plays.
pub(super) fn live(
    args: &Args,
    model: &Model,
    start: Option<&Learned>,
    joined: &Arc<Joined>,
    delay: usize,
    bar: &ProgressBar,
) -> Result<(Learned, Told)> {
    // A few iterations for each life: those before it weigh more and more.
    let settings = Settings { iterations: (args.iterations as usize).min(10), ..settings(args) };
    let student = match start {
        Some(start) => Student::of(start, settings, 0),
        None => Student::new(model.clone(), settings, 0),
    };
    let mut live = Live {
        joined: Arc::clone(joined),
        delay,
        life: None,
        watcher: Watcher::new(Arc::clone(joined), delay),
        student,
        lives: 0,
        ticks: 0,
        surprise: Vec::new(),
        body: start.map(|start| start.body.clone()),
        seen: BodySeen::default(),
        recent: VecDeque::new(),
        failed: None,
    };
    let taught_by = args.teachers.show(&mut live, bar)?;
    live.end_life();
    if live.lives == 0 {
        bail!("there was nothing to learn: nobody lived for {SHORTEST_LIFE} ticks\n  remedy: more seconds");
    }
    if let Some(failed) = live.failed {
        bail!("what was played cannot be learned: {failed}");
    }
    let mut learned = live.student.learned();
    learned.delay = start.map_or_else(|| Delay::of(delay), |start| start.delay.clone());
    if let Some(start) = start {
        learned.sharpness = start.sharpness.clone();
    }
    learned.body = live.body();
    learned.curve = live.surprise;
    learned.steadiness = joined
        .steadiness(&learned, live.recent.make_contiguous())
        .map_err(|error| anyhow!("what was learned cannot be explained again: {error}"))?;
    let learned_from = learned.counts().log_likelihood / learned.counts().ticks.max(1.0);
    let (lives, ticks) = (live.lives, live.ticks);
    let told = Told {
        taught_by,
        lives,
        ticks,
        secs: 0.0,
        learned_from,
        kept_aside: None,
        delays: None,
        judged: Vec::new(),
    };
    Ok((learned, told))
}
