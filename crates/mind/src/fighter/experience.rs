//! Learning while playing: what went on before a death is done less in such a moment.
//!
//! For each moment of a few kinds (is somebody in view, is it behind, is it low on health) and each task, it counts ticks,
//! and how many of them were among the last three seconds of a life. `1 - P(dies soon | moment, task)` is its opinion about
//! the task. Counts start as if each task had been survived and died of evenly for a while, so that one death says little
//! and the same death again and again says much; halving them now and then lets it unlearn.

use std::collections::VecDeque;

use repertoire_bayes::sequence::learning::NOT_READ;
use serde::{Deserialize, Serialize};

use super::situation::Situation;

/// The last seconds of a life are blamed for its end.
const BLAMED_SECS: f64 = 3.0;
/// Kinds of moments.
const MOMENTS: usize = 2 * 3 * 3;
/// As if so many ticks had been seen in each case, a share of them before a death.
const VIRTUAL: f64 = 30.0;
const VIRTUAL_DEATHS: f64 = 0.15;
/// When a case has been seen this often, everything about it is halved.
const MOST: f64 = 2000.0;

/// What it has lived through.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Experience {
    tasks: usize,
    /// `[moment][task]`: ticks, and ticks shortly before a death.
    ticks: Vec<f64>,
    deaths: Vec<f64>,
    /// The cases of the last seconds.
    recent: VecDeque<u16>,
}

impl Experience {
    pub fn new(tasks: usize) -> Self {
        let cells = MOMENTS * tasks;
        Experience { tasks, ticks: vec![0.0; cells], deaths: vec![0.0; cells], recent: VecDeque::new() }
    }

    /// Whether it is one of a character with so many tasks.
    pub fn fits(&self, tasks: usize) -> bool {
        let cells = MOMENTS * tasks;
        self.tasks == tasks
            && self.ticks.len() == cells
            && self.deaths.len() == cells
            && self.recent.iter().all(|case| usize::from(*case) < cells)
    }

    /// What it says of each task in a moment.
    pub fn says(&self, situation: &Situation, says: &mut Vec<f64>) {
        let first = moment(situation) * self.tasks;
        says.clear();
        says.extend((first..first + self.tasks).map(|case| {
            let died = self.deaths[case] + VIRTUAL * VIRTUAL_DEATHS;
            1.0 - died / (self.ticks[case] + VIRTUAL).max(died)
        }));
    }

    /// A tick went by in a task.
    pub fn live(&mut self, situation: &Situation, task: usize, period_secs: f64) {
        let case = moment(situation) * self.tasks + task;
        self.ticks[case] += 1.0;
        if self.ticks[case] > MOST {
            self.ticks[case] /= 2.0;
            self.deaths[case] /= 2.0;
        }
        self.recent.push_back(case as u16);
        let blamed = (BLAMED_SECS / period_secs.max(1e-3)).round() as usize;
        while self.recent.len() > blamed.max(1) {
            self.recent.pop_front();
        }
    }

    /// A life is over.
    pub fn die(&mut self) {
        for case in self.recent.drain(..) {
            self.deaths[usize::from(case)] += 1.0;
        }
    }
}

/// Which kind of moment: somebody in view or not, three levels of health, and behind, even or ahead.
fn moment(situation: &Situation) -> usize {
    let seen = usize::from(situation.enemy.is_some());
    let health = situation.readings[0].min(2) as usize;
    let edge = match situation.readings[9] {
        NOT_READ => 1,
        edge => edge.min(2) as usize,
    };
    (seen * 3 + health) * 3 + edge
}
