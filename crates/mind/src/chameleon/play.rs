//! Lives, as sequences to learn from: what somebody perceived and did, in the words of a model.

use std::sync::Arc;

use repertoire_chameleon::Sequence;

use super::{Delay, Joined};
use crate::tasks::Observer;
use crate::{Command, Percept, Places};

/// Watches somebody play, and keeps every life as a sequence.
#[derive(Clone, Debug)]
pub struct Watcher {
    joined: Arc<Joined>,
    /// The reaction time it takes the other to have, in decisions.
    reaction: usize,
    delay: Delay,
    observer: Observer,
    life: Option<u32>,
    sequences: Vec<Sequence>,
}

impl Watcher {
    /// Sees nothing yet.
    pub fn new(joined: Arc<Joined>, reaction: usize) -> Self {
        Watcher {
            joined,
            reaction,
            delay: Delay::default(),
            observer: Observer::default(),
            life: None,
            sequences: Vec::new(),
        }
    }

    /// Sees one tick of a life.
    pub fn see(&mut self, percept: &Percept, command: &Command, places: &Places) {
        let layout = self.joined.model().layout();
        if self.life != Some(percept.own.life) {
            self.life = Some(percept.own.life);
            self.sequences.push(Sequence::new(layout));
        }
        let percept = self.delay.perceive(percept, self.reaction);
        let stimuli = self.observer.observe(&percept, places);
        let sensed = self.joined.senses().read(&percept, &stimuli);
        let acts = self.joined.acts();
        let reflexive = acts.reflexive(&percept.own, command);
        let nothing = super::Sighting::default();
        let external = |action: usize, slot: usize| {
            acts.value(action, command, sensed.sightings.get(slot).unwrap_or(&nothing))
        };
        if let Some(sequence) = self.sequences.last_mut() {
            let pushed = sequence.push(layout, &sensed.high, &sensed.low, &reflexive, external);
            debug_assert_eq!(pushed, Ok(()), "senses and acts give values of the model");
        }
    }

    /// The next percept belongs to another life, perhaps of somebody else.
    pub fn end_life(&mut self) {
        self.life = None;
        self.delay = Delay::default();
        self.observer = Observer::default();
    }

    /// The lives seen, without those of less than so many ticks.
    pub fn finish(self, least: usize) -> Vec<Sequence> {
        self.sequences.into_iter().filter(|sequence| sequence.len() >= least.max(1)).collect()
    }
}
