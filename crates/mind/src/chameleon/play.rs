//! Lives, as sequences to learn from: what somebody perceived and did, in the words of a model.

use std::sync::Arc;

use repertoire_chameleon::{Body, Sequence};

use super::acts::{Course, LastDone};
use super::{Acts, BodySeen, Delay, Joined, Scene, Sighting};
use crate::student::{Seen, Watch};
use crate::tasks::Observer;
use crate::{Command, Own, Percept, Places};

/// Watches somebody play, and keeps every life.
///
/// ```
/// use std::sync::Arc;
/// use repertoire_chameleon::model;
/// use repertoire_mind::chameleon::{Joined, Watcher};
/// use repertoire_mind::{Cells, Command, DVec3, Percept, Places};
///
/// let joined = Arc::new(Joined::new(&model::shipped("arena").unwrap())?);
/// let mut watcher = Watcher::new(joined, 0);
/// let places = Places::new(vec![DVec3::ZERO], vec![vec![]], Cells::default(), vec![], vec![])?;
/// (0..3).for_each(|_| watcher.see(&Percept::default(), &Command::default(), &places));
/// let body = watcher.body().body();
/// let lives = watcher.finish(1, &body);
/// assert_eq!(lives.iter().map(|life| life.len()).collect::<Vec<_>>(), [3]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Watcher {
    joined: Arc<Joined>,
    /// The reaction time it takes the other to have, in decisions.
    reaction: usize,
    delay: Delay,
    observer: Observer,
    life: Option<u32>,
    /// What the other did last, and where it meant to run.
    last: LastDone,
    /// Life by life. What was done is put in the words of the model at the end, when the other's body is known.
    lives: Vec<Vec<Glimpse>>,
    body: BodySeen,
}

/// One tick: of what was sensed, only what the words of the model need.
#[derive(Clone, Debug)]
struct Glimpse {
    high: Box<[u16]>,
    low: Box<[Option<u16>]>,
    reflexive: Box<[u16]>,
    doing: Doing,
}

/// What was done at a tick, what the tick before, and where the stimulus of each slot was seen.
#[derive(Clone, Debug)]
pub(super) struct Doing {
    pub command: Command,
    pub last: LastDone,
    pub own: Own,
    /// The turn and the tilt to face the stimulus of each slot.
    angles: Box<[[f64; 2]]>,
}

impl Doing {
    pub fn sighting(&self, slot: usize) -> Sighting {
        let [yaw, pitch] = self.angles.get(slot).copied().unwrap_or_default();
        Sighting::toward(yaw, pitch)
    }
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
            last: LastDone::default(),
            lives: Vec::new(),
            body: BodySeen::default(),
        }
    }

    /// Sees one tick of a life.
    pub fn see(&mut self, percept: &Percept, command: &Command, places: &Places) {
        if self.life != Some(percept.own.life) {
            self.life = Some(percept.own.life);
            self.lives.push(Vec::new());
            self.last = LastDone::default();
        }
        // What the body obeyed, as recordings have it: a task may ask for a turn without end, which turns nothing.
        let command = &command.sane();
        self.body.see(self.joined.acts(), command);
        let percept = self.delay.perceive(percept, self.reaction);
        let stimuli = self.observer.observe(&percept, places);
        let course = self.last.course.seen_from(&percept.own);
        let leads = self.observer.leads(&percept, places, course);
        let scene = Scene { percept: &percept, stimuli: &stimuli, leads, course };
        let sensed = self.joined.senses().read(&scene);
        let last = std::mem::replace(
            &mut self.last,
            LastDone { command: *command, course: Course::of(&percept.own, command) },
        );
        if let Some(life) = self.lives.last_mut() {
            life.push(Glimpse {
                high: sensed.high.into(),
                low: sensed.low.into(),
                reflexive: self.joined.acts().reflexive(&percept.own, command).into(),
                doing: Doing {
                    command: *command,
                    last,
                    own: percept.own,
                    angles: sensed.sightings.iter().map(|sighting| [sighting.yaw, sighting.pitch]).collect(),
                },
            });
        }
    }

    /// The reaction time it takes the other to have, in decisions.
    pub fn reaction(&self) -> usize {
        self.reaction
    }

    /// Another that has seen nothing yet.
    pub(crate) fn fresh(&self) -> Self {
        Watcher::new(Arc::clone(&self.joined), self.reaction)
    }

    /// The next percept belongs to another life, perhaps of somebody else.
    pub fn end_life(&mut self) {
        self.life = None;
        self.delay = Delay::default();
        self.observer = Observer::default();
    }

    /// What was seen of the other's body.
    pub fn body(&self) -> &BodySeen {
        &self.body
    }

    /// The lives seen of somebody with this body, without those of less than `least` ticks.
    pub fn finish(self, least: usize, body: &Body) -> Vec<Sequence> {
        self.finish_with_doings(least, body).0
    }

    /// The same, with what was done at each tick of each life.
    pub(super) fn finish_with_doings(self, least: usize, body: &Body) -> (Vec<Sequence>, Vec<Vec<Doing>>) {
        let acts = self.joined.acts().clone().with(body.clone());
        let long = self.lives.into_iter().filter(|life| life.len() >= least.max(1));
        let both = long.map(|life| {
            let sequence = sequence(&self.joined, &acts, &life);
            (sequence, life.into_iter().map(|glimpse| glimpse.doing).collect())
        });
        both.unzip()
    }
}

impl Watch for Watcher {
    fn begin(&mut self) {
        self.end_life();
    }

    fn see(&mut self, seen: Seen<'_>, places: &Places) {
        Watcher::see(self, seen.percept, seen.command, places);
    }
}

fn sequence(joined: &Joined, acts: &Acts, life: &[Glimpse]) -> Sequence {
    let layout = joined.model().layout();
    let mut sequence = Sequence::new(layout);
    for Glimpse { high, low, reflexive, doing } in life {
        let external = |action: usize, slot: usize| acts.value(action, &doing.command, &doing.sighting(slot));
        let pushed = sequence.push(layout, high, low, reflexive, external);
        debug_assert_eq!(pushed, Ok(()), "senses and acts give values of the model");
    }
    sequence
}

#[cfg(test)]
mod tests {
    use repertoire_chameleon::model;

    use super::*;
    use crate::{Cells, DVec3};

    #[test]
    fn a_turn_without_end_is_seen_as_the_body_obeys_it() {
        let joined = Arc::new(Joined::new(&model::shipped("arena").expect("it ships")).expect("known words"));
        let places = Places::new(vec![DVec3::ZERO], vec![vec![]], Cells::default(), vec![], vec![]);
        let places = places.expect("one point");
        let lives = |command: Command| {
            let mut watcher = Watcher::new(Arc::clone(&joined), 0);
            (0..5).for_each(|_| watcher.see(&Percept::default(), &command, &places));
            let body = watcher.body().body();
            watcher.finish(1, &body)
        };
        let endless = Command { yaw: f64::INFINITY, pitch: f64::INFINITY, ..Command::default() };
        assert_eq!(lives(endless), lives(Command::default()), "it neither turned nor tilted");
    }
}
