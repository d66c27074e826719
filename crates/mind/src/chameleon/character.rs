//! Playing what was learned, stage by stage.
//!
//! Perceive, a reaction time late; attend, decide and act as learned
//! ([`repertoire_chameleon::play::choose`]); turn the actions, seen from what is attended to, into a command; and go another
//! way for a while when it does not get on.

use std::sync::Arc;

use repertoire_chameleon::play::{External, Keys, Tick, choose};
use repertoire_chameleon::{Learned, Steadiness, layout};
use repertoire_prob::{Rng, Stream};
use serde::{Deserialize, Serialize};

use super::acts::{Course, LastDone};
use super::hands::{Cell, Repertory};
use super::senses::Sighting;
use super::{Delay, Joined, Scene, Sensed};
use crate::footing::Footing;
use crate::tasks::{CannotSense, Leads, Observer, Stimuli};
use crate::unstuck::Unstuck;
use crate::{Attends, Command, Percept, Place, Places};

/// What was learned, joined to what characters sense and do; shared by all who play it.
///
/// ```
/// use repertoire_chameleon::{Learned, Params, model};
/// use repertoire_mind::chameleon::Taught;
///
/// let model = model::shipped("arena").unwrap().with_decisions(2)?;
/// let params = Params::uniform(model.layout());
/// let taught = Taught::new(Learned::from_params(model, params)?)?;
/// assert_eq!(taught.learned().model.decisions(), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Taught {
    learned: Learned,
    joined: Joined,
    /// A name for each decision: they have no other.
    decisions: Vec<String>,
    repertory: Repertory,
}

impl Taught {
    /// Joins what was learned, or says what characters do not have.
    pub fn new(learned: Learned) -> Result<Self, CannotSense> {
        let joined = Joined::of(&learned)?;
        let decisions =
            (0..learned.model.decisions()).map(|decision| format!("decision_{decision}")).collect();
        let repertory = Repertory::of(&learned, joined.acts());
        Ok(Taught { learned, joined, decisions, repertory })
    }

    /// What was learned.
    pub fn learned(&self) -> &Learned {
        &self.learned
    }

    /// How it is joined.
    pub fn joined(&self) -> &Joined {
        &self.joined
    }
}

/// A teacher's play, decision by decision: what was learned of it, and a state that serialises whole.
///
/// It is a part of a [`Fighter`](crate::fighter::Fighter), which either plays it as it is (`[decide] by = "imitation"`) or asks what it
/// would do (`[imitate]`).
#[derive(Clone, Debug)]
pub(crate) struct Chameleon {
    taught: Arc<Taught>,
    pub(crate) state: State,
    /// Where the low-level stimuli of the last decision were, for those who ask.
    sightings: Vec<Sighting>,
}

/// Everything that a later decision depends on.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct State {
    observer: Observer,
    delay: Delay,
    life: u32,
    /// The reaction time now, in decisions.
    reaction: Option<u16>,
    /// The decision before, and the last.
    before: Option<u16>,
    decision: Option<u16>,
    /// Where it last meant to run.
    #[serde(default)]
    course: Course,
    /// What hands did last; kept only by those who learned how hands move, so that others are saved as before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    last: Option<Command>,
    /// The value of each external action, where hands chose another than was drawn from the table.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    carried: Vec<Option<u16>>,
    /// What the last decision was made of.
    sensed: Option<(Vec<u16>, Vec<Option<u16>>)>,
    /// The random bits it was drawn with; some are held for a while.
    bits: Bits,
    #[serde(default)]
    unstuck: Unstuck,
    #[serde(default)]
    footing: Footing,
}

/// What gets less attention is not told.
const LEAST_SHARE: f64 = 0.01;

/// Random bits of a tick.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Bits {
    decision: u64,
    attention: u64,
    external: Vec<u64>,
}

impl Bits {
    fn keys(&self) -> Keys<'_> {
        let Bits { decision, attention, external } = self;
        Keys { decision: *decision, attention: *attention, external: External::Each(external) }
    }

    /// New bits, but for those that are still held.
    fn draw(&mut self, steady: &Steadiness, is_first: bool, draw: &mut Stream) {
        self.decision = draw.next_u64();
        let held = std::iter::once(&steady.attention).chain(&steady.external).chain(std::iter::repeat(&1.0));
        for (bits, held) in std::iter::once(&mut self.attention).chain(&mut self.external).zip(held) {
            let (chance, fresh) = (draw.unit(), draw.next_u64());
            if is_first || chance * held < 1.0 {
                *bits = fresh;
            }
        }
    }
}

/// What is perceived at a tick, a reaction time late.
#[derive(Clone, Debug)]
pub(crate) struct Perceived {
    pub percept: Percept,
    pub stimuli: Stimuli,
    leads: Leads,
    course: Option<f64>,
}

impl Chameleon {
    /// Begins to play what was learned.
    pub fn new(taught: &Arc<Taught>) -> Self {
        Chameleon { taught: Arc::clone(taught), state: State::default(), sightings: Vec::new() }
    }

    /// A death ends what it was doing; what it knows of the map stays.
    pub fn begin_life(&mut self, life: u32) {
        let observer = std::mem::take(&mut self.state.observer);
        self.state = State { life, observer, ..State::default() };
    }

    /// The last tick, with everything it was drawn from; none before the first.
    pub fn tick(&self) -> Option<Tick> {
        let (high, low) = self.state.sensed.as_ref()?;
        let learned = &self.taught.learned;
        let mut tick = choose(learned, self.state.before, high, low, self.state.bits.keys());
        tick.carry(learned, low, &self.state.carried);
        Some(tick)
    }

    /// Perceives, a reaction time late. `believed` is where somebody may be who is not seen: it is followed like a trail.
    pub fn perceive(
        &mut self,
        percept: &Percept,
        places: &Places,
        believed: Option<Place>,
        draw: &mut Stream,
    ) -> Perceived {
        let reaction = self.taught.learned.delay.next(self.state.reaction, draw.next_u64());
        self.state.reaction = Some(reaction);
        let percept = self.state.delay.perceive(percept, reaction.into());
        let stimuli = self.state.observer.observe(&percept, places);
        let course = self.state.course.seen_from(&percept.own);
        let leads = self.state.observer.leads_to(&percept, places, course, believed);
        Perceived { percept, stimuli, leads, course }
    }

    /// Attends and decides, as learned.
    pub fn decide(&mut self, of: &Perceived, draw: &mut Stream) -> (Sensed, Tick) {
        let learned = &self.taught.learned;
        let scene = Scene { percept: &of.percept, stimuli: &of.stimuli, leads: of.leads, course: of.course };
        let sensed = self.taught.joined.senses().read(&scene);
        let is_first = self.state.sensed.is_none();
        self.state.bits.external.resize(learned.model.external().len(), 0);
        self.state.bits.draw(&learned.steadiness, is_first, draw);
        let tick = choose(learned, self.state.decision, &sensed.high, &sensed.low, self.state.bits.keys());
        self.state.before = self.state.decision;
        self.state.decision = Some(tick.decision as u16);
        self.state.sensed = Some((sensed.high.clone(), sensed.low.clone()));
        self.sightings.clone_from(&sensed.sightings);
        (sensed, tick)
    }

    /// Turns the actions, seen from what is attended to, into a command, as the teacher's hands once did it; and the value that each
    /// action then has.
    pub fn act(
        &self,
        percept: &Percept,
        sensed: &Sensed,
        tick: &Tick,
        draw: &mut Stream,
    ) -> (Command, Vec<Option<u16>>) {
        let learned = &self.taught.learned;
        let layout = learned.model.layout();
        let acts = self.taught.joined.acts();
        let external = tick.external.iter().zip(&layout.shape().external);
        let mut values: Vec<_> = external
            .map(|(choice, action)| {
                let slot = action.group.and_then(|group| tick.attended[group].slot)?;
                Some((choice.as_ref()?.value, sensed.sightings[slot]))
            })
            .collect();
        let mut done = Vec::new();
        if !learned.hands.is_empty() {
            done.resize(values.len(), None);
            let last = LastDone { command: self.state.last.unwrap_or_default(), course: self.state.course };
            for (group, attended) in tick.attended.iter().enumerate() {
                let is_low = layout.shape().groups[group] == layout::Level::Low;
                let Some(slot) = attended.slot.filter(|_| is_low) else { continue };
                let Some(value) = sensed.low[slot] else { continue };
                let (kind, sighting) = (layout.slots()[slot], &sensed.sightings[slot]);
                let cell = Cell { group, decision: tick.decision, kind, value, sighting };
                self.taught.repertory.choose(learned, acts, cell, (&percept.own, &last), draw, &mut done);
            }
        }
        let carry = |action: usize| done[action].map(|did| acts.bin(action, did));
        let carried: Vec<Option<u16>> = (0..done.len()).map(carry).collect();
        for (value, carried) in values.iter_mut().zip(&carried) {
            if let (Some((value, _)), Some(carried)) = (value, *carried) {
                *value = carried;
            }
        }
        let mut command = acts.carry_out(&values, &done, draw);
        let reflexive: Vec<u16> = tick.reflexive.iter().map(|choice| choice.value).collect();
        acts.reach_for(&percept.own, &reflexive, &mut command);
        (command, carried)
    }

    /// Remembers what its hands chose.
    pub fn carry(&mut self, carried: Vec<Option<u16>>) {
        self.state.carried = carried;
    }

    /// Goes another way for a while when it does not get on, and not off a ledge.
    pub fn reflex(
        &mut self,
        of: &Perceived,
        places: &Places,
        (unstuck, footing): (bool, bool),
        command: &mut Command,
        draw: &mut Stream,
    ) {
        if unstuck && self.state.unstuck.keep_moving(&of.percept, command, draw) {
            self.state.observer.give_up(&of.percept);
        }
        if footing {
            let stimuli = &of.stimuli;
            let ways = [of.leads.trail, stimuli.weapon, stimuli.health, stimuli.unexplored];
            self.state.footing.keep(&of.percept, places, &ways, command);
        }
        // Reflexes run as fast as legs can, which alone would tell a pupil from a teacher who never did.
        if !self.taught.learned.hands.is_empty() {
            self.taught.joined.acts().slow_down(command);
            self.state.last = Some(*command);
        }
        self.state.course = Course::of(&of.percept.own, command);
    }

    /// What it would do now: `many` commands, each drawn anew from what it senses and has decided; the first is what it does.
    pub fn consider(
        &mut self,
        (percept, places, believed): (&Percept, &Places, Option<Place>),
        draw: &mut Stream,
        many: usize,
        commands: &mut Vec<Command>,
    ) {
        let seen = self.perceive(percept, places, believed, draw);
        let (sensed, tick) = self.decide(&seen, draw);
        let (mut command, carried) = self.act(&seen.percept, &sensed, &tick, draw);
        self.carry(carried);
        self.reflex(&seen, places, (true, true), &mut command, draw);
        commands.push(command);
        let learned = &self.taught.learned;
        let mut bits = self.state.bits.clone();
        for _ in 1..many {
            bits.attention = draw.next_u64();
            bits.external.iter_mut().for_each(|bits| *bits = draw.next_u64());
            let tick = choose(learned, self.state.before, &sensed.high, &sensed.low, bits.keys());
            commands.push(self.act(&seen.percept, &sensed, &tick, draw).0);
        }
    }

    /// The names of its decisions.
    pub fn decisions(&self) -> &[String] {
        &self.taught.decisions
    }

    /// What it attends to, the most first: each low-level stimulus by its share of the attention of all groups of actions. Empty before the
    /// first tick, and after a state was taken up.
    pub fn attention(&self) -> Vec<Attends> {
        let model = &self.taught.learned.model;
        let Some(tick) = self.tick().filter(|_| self.sightings.len() == model.slots().len()) else {
            return Vec::new();
        };
        let levels = model.layout().shape().groups.iter().zip(&tick.attended);
        let groups: Vec<_> =
            levels.filter(|(level, _)| **level == layout::Level::Low).map(|(_, attended)| attended).collect();
        let share = |slot: usize| {
            let sum: f64 = groups.iter().filter_map(|group| group.attention.get(slot)).sum();
            sum / groups.len().max(1) as f64
        };
        let one = |(slot, sighting): (usize, &Sighting)| Attends {
            what: model.low()[model.slots()[slot]].name.clone(),
            yaw: sighting.yaw,
            distance_m: sighting.distance_m,
            share: share(slot),
        };
        let mut all: Vec<Attends> = self.sightings.iter().enumerate().map(one).collect();
        all.retain(|one| one.share >= LEAST_SHARE);
        all.sort_by(|a, b| b.share.total_cmp(&a.share));
        all
    }

    /// What it decided last, in a word; empty before the first tick.
    pub fn task(&self) -> &str {
        let decision = self.state.decision.map(usize::from);
        decision.and_then(|decision| self.taught.decisions.get(decision)).map_or("", String::as_str)
    }

    /// Why, in words.
    pub fn why(&self) -> String {
        let (Some(tick), Some((high, low))) = (self.tick(), &self.state.sensed) else {
            return String::new();
        };
        let model = &self.taught.learned.model;
        let percent = |p: f64| format!("{:.0} %", p * 100.0);
        let stimulus = &model.high()[tick.high];
        let mut said = format!(
            "attends to {} = {} ({}), decides {} ({})",
            stimulus.name,
            stimulus.label(high[tick.high].into()),
            percent(tick.high_attention[tick.high]),
            self.taught.decisions[tick.decision],
            percent(tick.decisions[tick.decision])
        );
        for (attended, group) in tick.attended.iter().zip(model.groups()) {
            let Some(slot) = attended.slot else { continue };
            let Some(value) = low.get(slot).copied().flatten() else { continue };
            let stimulus = &model.low()[model.slots()[slot]];
            said += &format!(
                "; {group} by {} [{}] ({})",
                stimulus.name,
                stimulus.label(value.into()),
                percent(attended.attention[slot])
            );
        }
        for (choice, action) in tick.external.iter().zip(model.external()) {
            let Some(choice) = choice else { continue };
            said += &format!(
                ", {} {} ({})",
                action.name,
                action.bins.label(choice.value.into()),
                percent(choice.probability)
            );
        }
        if self.state.reaction.is_some_and(|reaction| reaction > 0) {
            said += &format!("; perceives {} decisions late", self.state.reaction.unwrap_or(0));
        }
        said
    }

    /// Takes up a state.
    ///
    /// # Errors
    /// If it is none of a character that learned this.
    pub fn restore(&mut self, state: State) -> Result<(), &'static str> {
        let decisions = self.taught.decisions.len();
        let fits = |decision: Option<u16>| decision.is_none_or(|decision| usize::from(decision) < decisions);
        let actions = self.taught.learned.model.external().len();
        let drawn = state.sensed.is_none() || state.bits.external.len() == actions;
        let external = self.taught.learned.model.external();
        let carried = state.carried.iter().enumerate().all(|(action, value)| {
            value.is_none_or(|value| {
                external.get(action).is_some_and(|action| usize::from(value) < action.count())
            })
        });
        if !(fits(state.before) && fits(state.decision) && drawn && carried) {
            return Err("it has decisions that this character does not have");
        }
        self.state = state;
        Ok(())
    }
}
