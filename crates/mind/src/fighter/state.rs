//! Everything that a later tick of a fighter depends on: how it begins, ends with a life, is saved and taken up again.

use glam::DVec3;
use repertoire_prob::Stream;
use serde::{Deserialize, Serialize};

use super::errand::{Errand, value};
use super::experience::Experience;
use super::hands::Body;
use super::lessons::{Lessons, Remedies};
use super::machine::Machine;
use super::practice::Practice;
use super::skill::Skill;
use super::{Fighter, FighterDesign};
use crate::chameleon::ChameleonState;
use crate::footing::Footing;
use crate::memory::{Enemy, Memory};
use crate::moments::Mimic;
use crate::notice::{Noticing, Reaction};
use crate::tasks::Observer;
use crate::unstuck::Unstuck;
use crate::{Beliefs, Percept, Place, RestoreError, SeenItem};

/// An item worth more than this is of use.
const OF_USE: f64 = 0.3;

/// Everything that a later tick depends on, but for the parts that keep their own.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct State {
    pub life: u32,
    /// What is on its way to being noticed, for those who have reaction times of their own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub noticing: Option<Noticing>,
    /// Something of use that was noticed, and when.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub found: Option<(DVec3, u32)>,
    pub memory: Memory,
    /// The enemy in view that it has noticed.
    pub enemy: Option<Enemy>,
    pub observer: Observer,
    pub beliefs: Option<Beliefs>,
    /// Where somebody is probably met, and until when it goes by that.
    pub lookout: Option<(Place, u32)>,
    pub machine: Machine,
    pub body: Body,
    pub unstuck: Unstuck,
    pub footing: Footing,
    pub errand: Errand,
    pub experience: Option<Experience>,
    /// How much its hands have practised.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub practice: Option<Practice>,
    /// What its deaths have taught it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lessons: Option<Lessons>,
    /// What hands of a person remember.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mimic: Option<Mimic>,
    /// When it last had an enemy in view, when it last beat one, and when something last hit it.
    pub met: u32,
    pub beat: Option<u32>,
    pub hit: Option<u32>,
    pub frags: i32,
}

impl State {
    pub fn new(design: &FighterDesign) -> Self {
        let tasks = design.level.as_ref().map_or(0, |level| level.tasks.len());
        State {
            memory: design.lore.memory(),
            observer: design.lore.observer(),
            beliefs: design.believes.then(|| design.lore.beliefs()),
            experience: design.learns.then(|| Experience::new(tasks)),
            practice: design.practising.map(|_| Practice::default()),
            lessons: design.lessons.map(|_| Lessons::default()),
            mimic: design.person.is_some().then(Mimic::default),
            ..State::default()
        }
    }

    /// Notices what is new, late. Something of use is looked at, and what to do is thought about again.
    pub fn notice(
        &mut self,
        percept: &Percept,
        reaction: Reaction,
        noticed: &mut Percept,
        draw: &mut Stream,
    ) {
        let noticing = self.noticing.get_or_insert_with(|| Noticing::new(draw));
        noticing.notice(percept, reaction, noticed);
        let Some(spot) = noticing.found() else { return };
        let of_use = |item: &&SeenItem| item.spot == spot && value(item.item, &percept.own) > OF_USE;
        if let Some(item) = noticed.items.iter().find(of_use) {
            self.found = Some((item.position, percept.tick));
            (self.errand.think_at, self.machine.errand.think_at) = (percept.tick, percept.tick);
        }
    }

    /// The skill of its hands, as far as they have practised.
    pub fn skill(&self, design: &FighterDesign) -> Skill {
        match (&self.practice, &design.practising) {
            (Some(practice), Some(practising)) => practice.skill(&design.skill, practising),
            _ => design.skill,
        }
    }

    /// What it does about its deaths.
    pub fn remedies(&self, design: &FighterDesign) -> Remedies {
        match (&self.lessons, &design.lessons) {
            (Some(lessons), Some(steps)) => lessons.remedies(steps),
            _ => Remedies::default(),
        }
    }

    /// What it has learned while it played, in words.
    pub fn learned(&self, design: &FighterDesign) -> Vec<String> {
        let mut told = Vec::new();
        if let (Some(practice), Some(practising)) = (&self.practice, &design.practising) {
            told.push(practice.told(practising));
        }
        if let (Some(lessons), Some(steps)) = (&self.lessons, &design.lessons) {
            told.extend(lessons.told(steps));
        }
        told
    }

    /// A death ends what it was doing; what it knows of the map, believes and has learned stays.
    pub fn begin_life(&mut self, life: u32) {
        let is_first = self.life == 0;
        self.life = life;
        self.memory.forget();
        if let Some(noticing) = &mut self.noticing {
            noticing.begin_life();
        }
        self.found = None;
        self.body.begin_life();
        (self.machine, self.errand) = (Machine::default(), Errand::default());
        (self.unstuck, self.footing) = (Unstuck::default(), Footing::default());
        (self.enemy, self.lookout, self.hit) = (None, None, None);
        if let Some(experience) = self.experience.as_mut().filter(|_| !is_first) {
            experience.die();
        }
        if let Some(lessons) = self.lessons.as_mut().filter(|_| !is_first) {
            lessons.die();
        }
    }
}

/// What is saved: the state, and that of the parts.
#[derive(Serialize, Deserialize)]
struct Saved {
    state: State,
    minds: Vec<crate::game::State>,
    teacher: Option<ChameleonState>,
    motives: Option<repertoire_character::character::Saved>,
}

pub(super) fn save(fighter: &Fighter) -> serde_json::Value {
    let saved = Saved {
        state: fighter.state.clone(),
        minds: fighter.minds.iter().map(|mind| mind.state().clone()).collect(),
        teacher: fighter.teacher.as_ref().map(|teacher| teacher.chameleon.state.clone()),
        motives: fighter.motives.as_ref().map(|motives| motives.save()),
    };
    serde_json::to_value(saved).unwrap_or_else(|error| unreachable!("a state is plain data: {error}"))
}

/// Takes up a saved state; a fighter that refuses one is as it was before.
pub(super) fn restore(fighter: &mut Fighter, saved: &serde_json::Value) -> Result<(), RestoreError> {
    let refuse = |why: &str| RestoreError(serde::de::Error::custom(why));
    let saved = Saved::deserialize(saved)?;
    let design = &fighter.design;
    let tasks = design.level.as_ref().map_or(0, |level| level.tasks.len());
    for (is, wants, what) in [
        (saved.state.beliefs.is_some(), design.believes, "beliefs"),
        (saved.state.experience.is_some(), design.learns, "experience"),
        (saved.state.practice.is_some(), design.practising.is_some(), "practised hands"),
        (saved.state.lessons.is_some(), design.lessons.is_some(), "lessons of its deaths"),
        (saved.teacher.is_some(), fighter.teacher.is_some(), "a teacher"),
        (saved.motives.is_some(), fighter.motives.is_some(), "a profile"),
    ] {
        if is != wants {
            return Err(refuse(&format!("only one of the two has {what}")));
        }
    }
    if saved.state.experience.as_ref().is_some_and(|seen| !seen.fits(tasks)) {
        return Err(refuse("it has experience of other tasks"));
    }
    let minds = match &design.level {
        Some(level) => level.restore(saved.minds).map_err(|why| refuse(&why))?,
        None if saved.minds.is_empty() => Vec::new(),
        None => return Err(refuse("only one of the two decides by tables")),
    };
    if let (Some(teacher), Some(state)) = (&mut fighter.teacher, saved.teacher) {
        teacher.chameleon.restore(state).map_err(refuse)?;
    }
    if let (Some(motives), Some(state)) = (&mut fighter.motives, saved.motives) {
        motives.restore(state);
    }
    let beliefs = saved.state.beliefs.map(|beliefs| fighter.design.lore.with_habits(beliefs));
    let lore = &fighter.design.lore;
    let (memory, observer) = (lore.preferring(saved.state.memory), lore.observing(saved.state.observer));
    (fighter.state, fighter.minds) = (State { beliefs, memory, observer, ..saved.state }, minds);
    Ok(())
}
