//! Whole populations of one learned character, as columns.
//!
//! What a character does is a function of (seed, tick, agent) and its own past: a population plays the same in any pieces, on
//! any number of threads, and each of it the same as alone ([`State::step`](crate::play::State::step) with [`key`]).

use rayon::prelude::*;
use repertoire_prob::stream::counter;
use serde::{Deserialize, Serialize};

use crate::layout::Layout;
use crate::learned::Learned;
use crate::play::{Drawn, NONE, Perceived, draw};

/// The 64 random bits of an agent's tick.
pub fn key(seed: u64, tick: u64, agent: u64) -> u64 {
    counter(counter(seed, tick), agent)
}

/// Agents are handled in pieces of this many.
const PIECE: usize = 256;

/// What a population remembers, and what it did at the last tick. Serialises.
///
/// ```
/// use repertoire_chameleon::population::Population;
/// use repertoire_chameleon::{Learned, Params, model};
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
/// let params = Params::uniform(model.layout());
/// let guard = Learned::from_params(model, params)?;
///
/// let mut guards = Population::new(&guard, 1000);
/// // Everybody sees an enemy, straight ahead.
/// guards.step(&guard, &[1; 1000], &[1; 1000], 7, 0);
/// assert_eq!(guards.external().len(), 1000);
/// assert!(guards.decisions().iter().all(|&decision| decision < 2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Population {
    agents: usize,
    widths: Widths,
    /// Of each agent: the decision before, [`NONE`] at the start of a life.
    decision: Vec<u16>,
    /// The delay, [`NONE`] at the start of a life.
    delay: Vec<u16>,
    /// Ticks of this life, as far as the longest delay.
    lived: Vec<u16>,
    /// Stimuli of the last ticks, a frame each; the newest is `newest`.
    frames: Vec<Frame>,
    newest: usize,
    /// The high-level stimulus attended to.
    high: Vec<u16>,
    /// `[agent][group]`.
    slots: Vec<u16>,
    /// `[agent][action]`.
    reflexive: Vec<u16>,
    /// `[agent][action]`, [`NONE`] where nothing is known.
    external: Vec<u16>,
}

/// The stimuli of all agents at a tick.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Frame {
    high: Vec<u16>,
    low: Vec<u16>,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct Widths {
    high: usize,
    low: usize,
    groups: usize,
    reflexive: usize,
    external: usize,
}

impl Population {
    /// So many agents, each at the start of a life.
    pub fn new(learned: &Learned, agents: usize) -> Self {
        let shape = learned.model.layout().shape();
        let widths = Widths {
            high: shape.high.len(),
            low: shape.slots.len(),
            groups: shape.groups.len(),
            reflexive: shape.reflexive.len(),
            external: shape.external.len(),
        };
        let frame = Frame { high: vec![0; agents * widths.high], low: vec![NONE; agents * widths.low] };
        Population {
            agents,
            widths,
            decision: vec![NONE; agents],
            delay: vec![NONE; agents],
            lived: vec![0; agents],
            frames: vec![frame; learned.delay.longest() + 1],
            newest: 0,
            high: vec![0; agents],
            slots: vec![NONE; agents * stride(widths.groups)],
            reflexive: vec![0; agents * stride(widths.reflexive)],
            external: vec![NONE; agents * stride(widths.external)],
        }
    }

    /// One tick of everybody. `high` is `[agent][stimulus]`, `low` `[agent][slot]` with [`NONE`] for what is not known.
    ///
    /// Panics if columns have another size, or hold what is no value of the model.
    pub fn step(&mut self, learned: &Learned, high: &[u16], low: &[u16], seed: u64, tick: u64) {
        let layout = learned.model.layout();
        let widths = self.widths;
        assert!(
            high.len() == self.agents * widths.high && low.len() == self.agents * widths.low,
            "a value of every stimulus for every agent"
        );
        assert!(
            self.frames.len() > learned.delay.longest(),
            "a population remembers as long as its character's delay"
        );
        check(layout, high, low);
        self.newest = (self.newest + 1) % self.frames.len();
        self.frames[self.newest].high.copy_from_slice(high);
        self.frames[self.newest].low.copy_from_slice(low);
        let (frames, newest) = (&self.frames, self.newest);
        let columns = (self.decision.par_chunks_mut(PIECE))
            .zip(self.delay.par_chunks_mut(PIECE))
            .zip(self.lived.par_chunks_mut(PIECE))
            .zip(self.high.par_chunks_mut(PIECE))
            .zip(self.slots.par_chunks_mut(PIECE * stride(widths.groups)))
            .zip(self.reflexive.par_chunks_mut(PIECE * stride(widths.reflexive)))
            .zip(self.external.par_chunks_mut(PIECE * stride(widths.external)));
        columns.enumerate().for_each_init(
            Vec::new,
            |scratch, (piece, ((((((decision, delay), lived), high), slots), reflexive), external))| {
                for k in 0..decision.len() {
                    let agent = piece * PIECE + k;
                    let key = key(seed, tick, agent as u64);
                    let before = Some(delay[k]).filter(|&delay| delay != NONE);
                    delay[k] = learned.delay.next(before, counter(key, 0));
                    let age = usize::from(delay[k].min(lived[k]));
                    lived[k] = (lived[k] + 1).min(frames.len() as u16 - 1);
                    let frame = &frames[(newest + frames.len() - age) % frames.len()];
                    let seen = Perceived {
                        high: &frame.high[agent * widths.high..(agent + 1) * widths.high],
                        low: &frame.low[agent * widths.low..(agent + 1) * widths.low],
                    };
                    let before = Some(decision[k]).filter(|&decision| decision != NONE);
                    let drawn = Drawn {
                        high: &mut high[k],
                        decision: &mut decision[k],
                        slots: &mut slots[k * stride(widths.groups)..][..widths.groups],
                        reflexive: &mut reflexive[k * stride(widths.reflexive)..][..widths.reflexive],
                        external: &mut external[k * stride(widths.external)..][..widths.external],
                    };
                    draw(learned, before, seen, counter(key, 1).into(), scratch, drawn, None);
                }
            },
        );
    }

    /// An agent died: it begins its next life without a past.
    pub fn end_life(&mut self, agent: usize) {
        self.decision[agent] = NONE;
        self.delay[agent] = NONE;
        self.lived[agent] = 0;
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.agents
    }

    /// Whether there is nobody.
    pub fn is_empty(&self) -> bool {
        self.agents == 0
    }

    /// Everybody's decision; [`NONE`] before the first tick of a life.
    pub fn decisions(&self) -> &[u16] {
        &self.decision
    }

    /// The high-level stimulus that everybody attended to.
    pub fn high_attended(&self) -> &[u16] {
        &self.high
    }

    /// What everybody's groups attended to, `[agent][group]`.
    pub fn attended(&self) -> &[u16] {
        if self.widths.groups == 0 { &[] } else { &self.slots }
    }

    /// Everybody's reflexive actions, `[agent][action]`.
    pub fn reflexive(&self) -> &[u16] {
        if self.widths.reflexive == 0 { &[] } else { &self.reflexive }
    }

    /// Everybody's external actions, `[agent][action]`; [`NONE`] where nothing was known.
    pub fn external(&self) -> &[u16] {
        if self.widths.external == 0 { &[] } else { &self.external }
    }
}

/// A column of nothing has a cell for each agent all the same, so that pieces of all columns go together.
fn stride(width: usize) -> usize {
    width.max(1)
}

fn check(layout: &Layout, high: &[u16], low: &[u16]) {
    let shape = layout.shape();
    let high_good =
        |row: &[u16]| row.iter().zip(&shape.high).all(|(&value, &count)| usize::from(value) < count);
    assert!(
        high.chunks_exact(shape.high.len()).all(high_good),
        "every high-level stimulus has a value of the model"
    );
    if !shape.slots.is_empty() {
        let good = |(&value, &kind): (&u16, &usize)| value == NONE || usize::from(value) < shape.low[kind];
        let low_good = |row: &[u16]| row.iter().zip(&shape.slots).all(good);
        assert!(
            low.chunks_exact(shape.slots.len()).all(low_good),
            "every low-level stimulus has a value of the model"
        );
    }
}
