//! One tick of a character: attend, decide, act, and say why (Tencé 2011, figure 3.5).
//!
//! What is drawn is a function of 64 random bits a tick, so that a character plays the same alone as in a population
//! ([`population`](crate::population)).
//!
//! Differs from the paper: it plays with a delay drawn from a distribution; each draw may be sharpened by raising the distribution
//! to a power (5 to 10 for smooth movement, 4.4.3.3); where nothing is known there is no external action.

use repertoire_prob::num::{exp, ln};
use repertoire_prob::stream::counter;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::delay::{pick, unit};
use crate::layout::{Layout, Level};
use crate::learned::Learned;

/// The power to which each distribution is raised before drawing from it. 1 is as learned; large numbers approach the likeliest.
///
/// ```
/// use repertoire_chameleon::Sharpness;
///
/// // The likeliest action nearly always; attention and decisions as learned.
/// let sharp = Sharpness::of(1.0, 1.0, 50.0);
/// assert_eq!(sharp.mistake(), None);
/// assert!(Sharpness::of(-1.0, 1.0, 1.0).mistake().is_some());
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(
    description = "The power to which each distribution is raised before drawing from it. 1 is as learned; large numbers approach the likeliest."
)]
pub struct Sharpness {
    /// What is attended to.
    pub attention: f64,
    /// The same for single groups of actions, in the order of the model; a group without has that of all.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub groups: Vec<f64>,
    /// Decisions.
    pub decision: f64,
    /// Actions.
    pub action: f64,
}

impl Default for Sharpness {
    fn default() -> Self {
        Sharpness::of(1.0, 1.0, 1.0)
    }
}

impl Sharpness {
    /// The same for all groups.
    pub const fn of(attention: f64, decision: f64, action: f64) -> Self {
        Sharpness { attention, groups: Vec::new(), decision, action }
    }

    /// That of a group's attention.
    pub fn of_group(&self, group: usize) -> f64 {
        self.groups.get(group).copied().unwrap_or(self.attention)
    }

    /// What is wrong with it, if anything.
    pub fn mistake(&self) -> Option<String> {
        let powers = [self.attention, self.decision, self.action];
        let bad = powers
            .into_iter()
            .chain(self.groups.iter().copied())
            .find(|power| !(0.0..=1e6).contains(power))?;
        Some(format!("a distribution cannot be raised to {bad}: use a number from 0 to 1000000"))
    }
}

/// What a character remembers from tick to tick. Serialises; everything else follows from its numbers and the random bits.
///
/// ```
/// use repertoire_chameleon::{EmSettings, Sequence, State, learn, model};
/// use repertoire_prob::{Rng, Stream};
/// # let text = r#"
/// # name = "guard"
/// # decisions = 2
/// # [high.enemy]
/// # values = ["no", "yes"]
/// # [low.player]
/// # axes = [{ of = "yaw", edges = [-10, 10] }]
/// # [external.turn]
/// # values = ["right", "none", "left"]
/// # "#;
/// let model = model::read(text)?;
/// # let mut life = Sequence::new(model.layout());
/// # for _ in 0..30 {
/// #     life.push(model.layout(), &[1], &[Some(2)], &[], |_, _| 2)?;
/// #     life.push(model.layout(), &[0], &[None], &[], |_, _| 1)?;
/// # }
/// let mut learned = learn(&model, &[life], &EmSettings::default(), &|_| {})?;
/// learned.sharpness.action = 50.0; // the likeliest action, nearly always
///
/// let mut state = State::new();
/// let mut stream = Stream::new(1, 0, "guard");
/// let tick = state.step(&learned, &[1], &[Some(2)], stream.next_u64());
/// assert_eq!(tick.attended[0].slot, Some(0), "there is one thing to attend to");
/// let turn = tick.external[0].expect("something is known");
/// assert_eq!(turn.value, 2, "it does as it was shown: left");
/// assert!(turn.probability > 0.9);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct State {
    /// The decision before; `None` at the start of a life.
    pub decision: Option<u16>,
    /// The delay now.
    pub delay: Option<u16>,
    /// Stimuli of the last ticks, the newest first.
    past: std::collections::VecDeque<Stimuli>,
}

/// What is perceived at a tick.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Stimuli {
    high: Vec<u16>,
    /// [`NONE`] for what is not known.
    low: Vec<u16>,
}

/// One tick, with what it was drawn from.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Tick {
    /// How many ticks ago what it answers to was there.
    pub delay: u16,
    /// The high-level stimulus attended to.
    pub high: usize,
    /// How probable each high-level stimulus was.
    pub high_attention: Vec<f64>,
    /// The decision.
    pub decision: usize,
    /// How probable each was, given what was attended to.
    pub decisions: Vec<f64>,
    /// Values of the reflexive actions.
    pub reflexive: Vec<Choice>,
    /// For each group what it attends to.
    pub attended: Vec<Attended>,
    /// Values of the external actions, `None` where nothing is known.
    pub external: Vec<Option<Choice>>,
}

impl Tick {
    /// The same with other values of external actions, where there are others, as probable as they were. `low` is what it was drawn from.
    pub fn carry(&mut self, learned: &Learned, low: &[Option<u16>], carried: &[Option<u16>]) {
        let layout = learned.model.layout();
        let d = layout.decisions();
        for (f, carried) in carried.iter().enumerate().take(self.external.len()) {
            let action = &layout.shape().external[f];
            let slot = action.group.and_then(|group| self.attended[group].slot);
            let known = slot.and_then(|slot| Some((layout.slots()[slot], low[slot]?)));
            if let (Some(value), Some((kind, at)), Some(choice)) = (*carried, known, &mut self.external[f]) {
                let row = layout.low_row(kind, at.into());
                let cell = (row * action.count + usize::from(value)) * d + self.decision;
                *choice = Choice { value, probability: learned.params().external[f][cell] };
            }
        }
    }
}

/// A group's attention at a tick.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Attended {
    /// The slot (or high-level stimulus, for a group of reflexive actions); `None` if nothing is known.
    pub slot: Option<usize>,
    /// How probable each was.
    pub attention: Vec<f64>,
}

/// A value that was drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Choice {
    /// Which.
    pub value: u16,
    /// How probable it was, before sharpening.
    pub probability: f64,
}

impl State {
    /// A character at the start of a life.
    pub fn new() -> Self {
        State::default()
    }

    /// One tick with what is there now; `key` is 64 random bits. What is perceived is what was there a delay ago (at the start of
    /// a life: what was there first).
    ///
    /// Panics if there are not as many stimuli as the model has, or a value is none of its: the joint between model and world is
    /// made once, and is wrong then or never.
    pub fn step(&mut self, learned: &Learned, high: &[u16], low: &[Option<u16>], key: u64) -> Tick {
        check(learned.model.layout(), high, low);
        let delay = learned.delay.next(self.delay, counter(key, 0));
        self.delay = Some(delay);
        let now = if self.past.len() > learned.delay.longest() { self.past.pop_back() } else { None };
        let mut now = now.unwrap_or_default();
        now.high.clear();
        now.high.extend_from_slice(high);
        now.low.clear();
        now.low.extend(low.iter().map(|value| value.unwrap_or(NONE)));
        self.past.push_front(now);
        let age = usize::from(delay).min(self.past.len() - 1);
        let seen = &self.past[age];
        let mut tick = explained(learned, self.decision, &seen.high, &seen.low, counter(key, 1).into());
        tick.delay = age as u16;
        self.decision = Some(tick.decision as u16);
        tick
    }

    /// The life is over: decision, delay and what was seen are forgotten.
    pub fn end_life(&mut self) {
        *self = State::default();
    }
}

/// One tick without delay or memory: who attends, decides and acts on these stimuli. Panics as [`State::step`] does.
pub fn choose(
    learned: &Learned,
    before: Option<u16>,
    high: &[u16],
    low: &[Option<u16>],
    keys: Keys<'_>,
) -> Tick {
    check(learned.model.layout(), high, low);
    let low: Vec<u16> = low.iter().map(|value| value.unwrap_or(NONE)).collect();
    explained(learned, before, high, &low, keys)
}

/// Random bits of a tick. Whoever keeps some of them for a while attends to the same and acts the same as long as what is
/// perceived allows it; at every single tick each choice is still as probable as learned. See [`crate::steady`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Keys<'a> {
    /// For decisions, what is attended to for them, and reflexive actions.
    pub decision: u64,
    /// For what groups of actions attend to.
    pub attention: u64,
    /// For each external action.
    pub external: External<'a>,
}

/// Random bits of external actions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum External<'a> {
    /// The same for all; their draws differ all the same.
    All(u64),
    /// For each action its own.
    Each(&'a [u64]),
}

impl From<u64> for Keys<'_> {
    fn from(key: u64) -> Self {
        Keys { decision: key, attention: key, external: External::All(key) }
    }
}

impl Keys<'_> {
    fn action(&self, level: Level, action: usize) -> u64 {
        match (level, self.external) {
            (Level::High, _) => self.decision,
            (Level::Low, External::All(key)) => key,
            (Level::Low, External::Each(keys)) => keys[action],
        }
    }
}

fn explained(learned: &Learned, before: Option<u16>, high: &[u16], low: &[u16], keys: Keys<'_>) -> Tick {
    let layout = learned.model.layout();
    let shape = layout.shape();
    let mut tick = Tick::default();
    let (mut attended, mut decision) = (0, 0);
    let mut slots = vec![0; shape.groups.len()];
    let mut reflexive = vec![0; shape.reflexive.len()];
    let mut external = vec![0; shape.external.len()];
    let drawn = Drawn {
        high: &mut attended,
        decision: &mut decision,
        slots: &mut slots,
        reflexive: &mut reflexive,
        external: &mut external,
    };
    let stimuli = Perceived { high, low };
    draw(learned, before, stimuli, keys, &mut Vec::new(), drawn, Some(&mut tick));
    tick.high = attended.into();
    tick.decision = decision.into();
    let d = layout.decisions();
    let row = layout.high_row(tick.high, high[tick.high].into());
    let group_row = |group: Option<usize>| match group.map(|group| (shape.groups[group], slots[group])) {
        None => row,
        Some((Level::High, slot)) => layout.high_row(slot.into(), high[usize::from(slot)].into()),
        Some((Level::Low, slot)) => {
            layout.low_row(layout.slots()[usize::from(slot)], low[usize::from(slot)].into())
        }
    };
    let choice = |table: &[f64], count: usize, row: usize, value: u16| Choice {
        value,
        probability: table[(row * count + usize::from(value)) * d + usize::from(decision)],
    };
    tick.reflexive = (reflexive.iter().enumerate())
        .map(|(u, &value)| {
            let action = &shape.reflexive[u];
            choice(&learned.params().reflexive[u], action.count, group_row(action.group), value)
        })
        .collect();
    tick.external = (external.iter().enumerate())
        .map(|(f, &value)| {
            let action = &shape.external[f];
            (value != NONE)
                .then(|| choice(&learned.params().external[f], action.count, group_row(action.group), value))
        })
        .collect();
    tick
}

/// Stands for nothing: a stimulus that is not known, an attention to nothing, an action that is not taken.
pub const NONE: u16 = crate::sequence::UNKNOWN;

/// What is perceived, values within the model.
#[derive(Clone, Copy)]
pub(crate) struct Perceived<'a> {
    pub high: &'a [u16],
    /// [`NONE`] for what is not known.
    pub low: &'a [u16],
}

/// Where a tick's choices go.
pub(crate) struct Drawn<'a> {
    pub high: &'a mut u16,
    pub decision: &'a mut u16,
    pub slots: &'a mut [u16],
    pub reflexive: &'a mut [u16],
    pub external: &'a mut [u16],
}

/// The algorithm of figure 3.5, for one character alone and for populations. Every draw has its number, whether it is needed or
/// not.
pub(crate) fn draw(
    learned: &Learned,
    before: Option<u16>,
    seen: Perceived<'_>,
    keys: Keys<'_>,
    scratch: &mut Vec<f64>,
    drawn: Drawn<'_>,
    mut explain: Option<&mut Tick>,
) {
    let layout = learned.model.layout();
    let shape = layout.shape();
    let params = learned.params();
    let sharp = &learned.sharpness;
    let d = layout.decisions();
    let mut index = 0;
    let mut chance = |key: u64| {
        index += 1;
        unit(counter(key, index))
    };
    let high_row = |i: usize| layout.high_row(i, seen.high[i].into());

    scratch.clear();
    scratch.extend((0..shape.high.len()).map(|i| params.theta[high_row(i)]));
    let attended = pick_sharpened(scratch.iter().copied(), sharp.attention, chance(keys.decision));
    *drawn.high = attended as u16;
    let row = high_row(attended);
    let decisions = match before.map(usize::from).filter(|&before| before < d) {
        None => &params.first[row * d..(row + 1) * d],
        Some(before) => &params.next[(row * d + before) * d..][..d],
    };
    let decision = pick_sharpened(decisions.iter().copied(), sharp.decision, chance(keys.decision));
    *drawn.decision = decision as u16;
    if let Some(tick) = explain.as_deref_mut() {
        tick.high_attention = shares(scratch);
        tick.decisions = decisions.to_vec();
    }
    let act = |table: &[f64], count: usize, row: usize, at: f64| {
        let column = &table[row * count * d..(row + 1) * count * d];
        pick_sharpened(column[decision..].iter().step_by(d).copied(), sharp.action, at) as u16
    };
    for &u in layout.tied() {
        drawn.reflexive[u] = act(&params.reflexive[u], shape.reflexive[u].count, row, chance(keys.decision));
    }
    for (group, &level) in shape.groups.iter().enumerate() {
        let row_of = |slot: usize| match level {
            Level::High => Some(high_row(slot)),
            Level::Low => Some(seen.low[slot])
                .filter(|&value| value != NONE)
                .map(|value| layout.low_row(layout.slots()[slot], value.into())),
        };
        let weight = |slot: usize| row_of(slot).map_or(0.0, |row| params.weights[group][row * d + decision]);
        scratch.clear();
        scratch.extend((0..layout.stimuli(level)).map(weight));
        let at = chance(keys.attention);
        let slot = if scratch.iter().any(|&weight| weight > 0.0) {
            Some(pick_sharpened(scratch.iter().copied(), sharp.of_group(group), at))
        } else {
            // Known, and never attended to by this decision: the first of them.
            (0..scratch.len()).find(|&slot| row_of(slot).is_some())
        };
        drawn.slots[group] = slot.map_or(NONE, |slot| slot as u16);
        if let Some(tick) = explain.as_deref_mut() {
            tick.attended.push(Attended { slot, attention: shares(scratch) });
        }
        for &action in layout.members(group) {
            let at = chance(keys.action(level, action));
            let row = slot.and_then(row_of);
            match (level, row) {
                (Level::High, Some(row)) => {
                    drawn.reflexive[action] =
                        act(&params.reflexive[action], shape.reflexive[action].count, row, at);
                }
                (Level::Low, Some(row)) => {
                    drawn.external[action] =
                        act(&params.external[action], shape.external[action].count, row, at);
                }
                (Level::High, None) => drawn.reflexive[action] = NONE,
                (Level::Low, None) => drawn.external[action] = NONE,
            }
        }
    }
}

fn check(layout: &Layout, high: &[u16], low: &[Option<u16>]) {
    let shape = layout.shape();
    assert!(high.len() == shape.high.len() && low.len() == shape.slots.len(), "a value for each stimulus");
    let within = high.iter().zip(&shape.high).all(|(&value, &count)| usize::from(value) < count)
        && low
            .iter()
            .zip(&shape.slots)
            .all(|(value, &kind)| value.is_none_or(|value| usize::from(value) < shape.low[kind]));
    assert!(within, "every stimulus has a value of the model");
}

/// Weights divided by their sum; as they are if all are 0.
fn shares(weights: &[f64]) -> Vec<f64> {
    let mut weights = weights.to_vec();
    repertoire_prob::num::normalise(&mut weights);
    weights
}

/// Draws after raising to a power, in logs so that nothing underflows together. All zero: the first.
#[inline]
fn pick_sharpened(weights: impl Iterator<Item = f64> + Clone, power: f64, at: f64) -> usize {
    if power == 1.0 {
        return pick(weights, at);
    }
    let most = weights.clone().fold(0.0, f64::max);
    if most <= 0.0 {
        return 0;
    }
    let most = ln(most);
    let sharp = |weight: f64| if weight > 0.0 { exp(power * (ln(weight) - most)) } else { 0.0 };
    pick(weights.map(sharp), at)
}

#[cfg(test)]
mod tests;
