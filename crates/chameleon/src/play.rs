//! One tick of a character: attend, decide, act, and say why (Tencé 2011, figure 3.5).
//!
//! What is drawn is a function of 64 random bits a tick, so that a character plays the same alone as in a population
//! .
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

/// By which power each distribution is raised before drawing from it. 1 is as learned; large numbers approach the likeliest.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Sharpness {
    /// What is attended to.
    pub attention: f64,
    /// Decisions.
    pub decision: f64,
    /// Actions.
    pub action: f64,
}

impl Default for Sharpness {
    fn default() -> Self {
        Sharpness { attention: 1.0, decision: 1.0, action: 1.0 }
    }
}

impl Sharpness {
    /// What is wrong with it, if anything.
    pub fn mistake(&self) -> Option<String> {
        let powers = [self.attention, self.decision, self.action];
        let bad = powers.into_iter().find(|power| !(0.0..=1e6).contains(power))?;
        Some(format!("a distribution cannot be raised to {bad}: use a number from 0 to 1000000"))
    }
}

/// What a character remembers from tick to tick. Serialises; everything else follows from its numbers and the random bits.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct State {
    /// The decision before; `None` at the start of a life.
    pub decision: Option<u16>,
    /// The delay now.
    pub delay: Option<u16>,
    /// Stimuli of the last ticks, the newest first: high-level values, then low-level ones.
    past: std::collections::VecDeque<Stimuli>,
}

/// What is perceived at a tick.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Stimuli {
    high: Vec<u16>,
    low: Vec<Option<u16>>,
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
        let delay = learned.delay.next(self.delay, counter(key, 0));
        self.delay = Some(delay);
        let now = if self.past.len() > learned.delay.longest() { self.past.pop_back() } else { None };
        let mut now = now.unwrap_or_default();
        now.high.clear();
        now.high.extend_from_slice(high);
        now.low.clear();
        now.low.extend_from_slice(low);
        self.past.push_front(now);
        let age = usize::from(delay).min(self.past.len() - 1);
        let seen = &self.past[age];
        let mut tick = choose(learned, self.decision, &seen.high, &seen.low, counter(key, 1));
        tick.delay = age as u16;
        self.decision = Some(tick.decision as u16);
        tick
    }

    /// The life is over: decision, delay and what was seen are forgotten.
    pub fn end_life(&mut self) {
        *self = State::default();
    }
}

/// One tick without delay or memory: who attends, decides and acts on these stimuli.
pub fn choose(learned: &Learned, before: Option<u16>, high: &[u16], low: &[Option<u16>], key: u64) -> Tick {
    let layout = learned.model.layout();
    check(layout, high, low);
    let params = learned.params();
    let d = layout.decisions();
    let mut draws = (0u64..).map(|index| unit(counter(key, index)));
    let mut draw = || draws.next().unwrap_or_default();
    let sharp = learned.sharpness;
    let mut tick = Tick::default();

    let rows: Vec<usize> =
        high.iter().enumerate().map(|(i, &value)| layout.high_row(i, value.into())).collect();
    tick.high_attention = shares(rows.iter().map(|&row| params.theta[row]));
    tick.high = pick_sharpened(&tick.high_attention, sharp.attention, draw());
    let row = rows[tick.high];
    tick.decisions = match before.map(usize::from).filter(|&before| before < d) {
        None => params.first[row * d..(row + 1) * d].to_vec(),
        Some(before) => params.next[(row * d + before) * d..][..d].to_vec(),
    };
    tick.decision = pick_sharpened(&tick.decisions, sharp.decision, draw());

    let mut reflexive = vec![Choice::default(); layout.shape().reflexive.len()];
    for &u in layout.tied() {
        reflexive[u] = act(&params.reflexive(layout, u, row, tick.decision), sharp.action, draw());
    }
    let mut external = vec![None; layout.shape().external.len()];
    for (group, &level) in layout.shape().groups.iter().enumerate() {
        let row_of = |slot: usize| match level {
            Level::High => Some(rows[slot]),
            Level::Low => low[slot].map(|value| layout.low_row(layout.slots()[slot], value.into())),
        };
        let weight =
            |slot: usize| row_of(slot).map_or(0.0, |row| params.weights[group][row * d + tick.decision]);
        let attention = shares((0..layout.stimuli(level)).map(weight));
        let at = draw();
        let slot = (attention.iter().any(|&p| p > 0.0))
            .then(|| pick_sharpened(&attention, sharp.attention, at))
            // Known, and never attended to by this decision: any of them.
            .or_else(|| (0..attention.len()).find(|&slot| row_of(slot).is_some()));
        for &action in layout.members(group) {
            let at = draw();
            let Some(row) = slot.and_then(row_of) else { continue };
            match level {
                Level::High => {
                    reflexive[action] =
                        act(&params.reflexive(layout, action, row, tick.decision), sharp.action, at);
                }
                Level::Low => {
                    external[action] =
                        Some(act(&params.external(layout, action, row, tick.decision), sharp.action, at));
                }
            }
        }
        tick.attended.push(Attended { slot, attention });
    }
    tick.reflexive = reflexive;
    tick.external = external;
    tick
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
fn shares(weights: impl Iterator<Item = f64>) -> Vec<f64> {
    let mut weights: Vec<f64> = weights.collect();
    repertoire_prob::num::normalise(&mut weights);
    weights
}

fn act(distribution: &[f64], power: f64, at: f64) -> Choice {
    let value = pick_sharpened(distribution, power, at);
    Choice { value: value as u16, probability: distribution[value] }
}

/// Draws after raising to a power, in logs so that nothing underflows together. All zero: the first.
pub(crate) fn pick_sharpened(weights: &[f64], power: f64, at: f64) -> usize {
    if power == 1.0 {
        return pick(weights.iter().copied(), at);
    }
    let most = weights.iter().copied().fold(0.0, f64::max);
    if most <= 0.0 {
        return 0;
    }
    let most = ln(most);
    let sharp = |&weight: &f64| if weight > 0.0 { exp(power * (ln(weight) - most)) } else { 0.0 };
    pick(weights.iter().map(sharp), at)
}
