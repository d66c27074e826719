//! What of a teacher's play a pupil has done again already, so that it does not do the same over and over.
//!
//! People never repeat themselves exactly, so a pupil that does can be recognised by that alone: a classifier tells a teacher's own
//! minutes, played three times over, from other minutes of the same person almost as well as it tells two people apart. Trails cross most
//! often where the teacher lingered, so choosing by chance leads back there; a pupil that remembers where it has been goes elsewhere.

use serde::{Deserialize, Serialize};

use super::Moments;

/// This many moments are remembered together: a second.
const TOGETHER: usize = 10;
/// What comes in this many moments counts: three seconds.
const AHEAD: usize = 30;

/// How often each second of a teacher's play was done, in moments. It outlasts lives.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub(super) struct Done {
    times: Vec<u16>,
}

impl Done {
    /// Does a moment once more.
    pub fn add(&mut self, moments: &Moments, on: usize) {
        self.times.resize(moments.len().div_ceil(TOGETHER), 0);
        let times = &mut self.times[on / TOGETHER];
        *times = times.saturating_add(1);
    }

    /// How often what comes on the trail of a moment was done already, on average.
    pub fn times(&self, moments: &Moments, on: usize) -> f64 {
        let last = on + (moments.lived[on].left as usize).min(AHEAD);
        let Some(ahead) = self.times.get(on / TOGETHER..=last / TOGETHER) else { return 0.0 };
        let sum: f64 = ahead.iter().map(|&times| f64::from(times)).sum();
        sum / (TOGETHER * ahead.len()) as f64
    }

    /// Whether nothing was done yet.
    pub fn is_nothing(&self) -> bool {
        self.times.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::moments::MomentWatcher;
    use crate::{Command, Percept};

    fn a_run(ticks: u32) -> Moments {
        let mut watcher = MomentWatcher::default();
        for tick in 0..ticks {
            let mut percept = Percept { tick, period_secs: 0.1, ..Percept::default() };
            (percept.own.life, percept.own.position.x) = (1, f64::from(tick));
            watcher.see(&percept, &Command::default());
        }
        watcher.finish().expect("there was play")
    }

    #[test]
    fn what_was_done_counts_for_those_who_come_to_it() {
        let (moments, mut done) = (a_run(95), Done::default());
        assert!(done.is_nothing() && done.times(&moments, 94) == 0.0);
        (40..80).for_each(|on| done.add(&moments, on));
        assert_eq!(done.times(&moments, 0), 0.0);
        assert_eq!(done.times(&moments, 40), 1.0);
        assert_eq!(done.times(&moments, 25), 0.5, "two of the four seconds from there");
        assert_eq!(done.times(&moments, 94), 0.0, "it ends there");
        (40..80).for_each(|on| done.add(&moments, on));
        assert_eq!(done.times(&moments, 40), 2.0);
    }
}
