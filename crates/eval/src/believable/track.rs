//! What is kept of a life once its moments have been lived again: a few small numbers for each decision.
//!
//! Everything but living again is judged by tracks, so that a life can be lived on one machine and judged on another.

use serde::{Deserialize, Serialize};

use super::life::{Life, Shown};
use super::observe::{COURSE, gait, look};
use super::predict::{deed, view};

/// A life, decision by decision.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Track {
    pub period_secs: f64,
    /// The names of its tasks, in the order of their first appearance.
    pub tasks: Vec<String>,
    pub steps: Vec<Step>,
    /// How surprising a teacher's unseen play was at the beginning of each life, to who learns from those they watch.
    pub teacher_nats: Vec<f64>,
}

/// One decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Step {
    /// What was done, out of a few kinds of deeds.
    pub deed: u8,
    /// What was in view, out of a few kinds.
    pub view: u8,
    /// Which task went on.
    pub task: u8,
    /// Which life it was, and whether it still was one.
    pub life: u32,
    pub alive: bool,
    /// Whether it was hit.
    pub hit: bool,
    /// How it looked to an opponent, if it was in somebody's view.
    pub look: Option<u8>,
    /// How it ran, as an opponent saw it.
    pub gait: u8,
    /// The point of the map where it was, where the map is known.
    pub place: Option<u16>,
}

impl Track {
    pub fn of(life: &Life) -> Self {
        Track::after(&[], life)
    }

    /// A life that goes on from what was shown before.
    pub fn after(before: &[Option<Shown>], life: &Life) -> Self {
        let shown: Vec<Option<Shown>> = before.iter().chain(&life.shown).copied().collect();
        let period_secs = life.percepts.first().map_or(0.1, |percept| percept.period_secs);
        let teacher_nats = life.teacher_nats.clone();
        let mut track = Track { period_secs, teacher_nats, ..Track::default() };
        for (at, percept) in life.percepts.iter().enumerate() {
            let (task, alive) = &life.tasks[at];
            let task = track.task(task);
            track.steps.push(Step {
                deed: deed(&life.commands[at]) as u8,
                view: view(percept) as u8,
                task,
                life: percept.own.life,
                alive: *alive,
                hit: !percept.hits.is_empty(),
                look: life.shown[at].map(|shown| look(&shown) as u8),
                gait: gait(&shown[(before.len() + at).saturating_sub(COURSE)..=before.len() + at]) as u8,
                place: Some(life.level.places().nearest(percept.own.position).0),
            });
        }
        track
    }

    /// The number of a task; those beyond what a byte can count are the last one.
    pub fn task(&mut self, name: &str) -> u8 {
        let known = self.tasks.iter().position(|known| known == name).unwrap_or_else(|| {
            self.tasks.push(name.to_owned());
            self.tasks.len() - 1
        });
        known.min(255) as u8
    }

    /// The name of the task that went on at a step.
    pub fn name(&self, step: &Step) -> &str {
        &self.tasks[usize::from(step.task)]
    }

    /// From one decision until before another.
    pub fn cut(&self, from: usize, to: usize) -> Track {
        Track {
            period_secs: self.period_secs,
            tasks: self.tasks.clone(),
            steps: self.steps[from..to].to_vec(),
            teacher_nats: Vec::new(),
        }
    }

    /// How many decisions there are in a time.
    pub fn ticks(&self, secs: f64) -> usize {
        (secs / self.period_secs) as usize
    }
}
