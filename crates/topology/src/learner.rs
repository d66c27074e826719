//! The gas, with additions that let it learn in one pass, forget, and stay within bounds.
//!
//! Figure 3.12 alone needs ten passes over some play before its nodes are where they should be (Tencé 2011, section 4.3;
//! measured again on players of the same game: `repertoire topology evaluate`). Four additions, each off when its number is 0:
//!
//! - **reach**: a teacher who is farther than this from all nodes, in a cell where nobody was before, makes a node
//!   there at once, instead of waiting until an error has grown and nodes have crept over. *Where nobody was before* keeps
//!   the number of nodes constant when the same ground is walked again.
//! - **replay**: with every input this many remembered positions pull their nodes again. The nodes settle as in many passes,
//!   without the teacher having to come by again. Remembered positions count no error and make no node.
//! - **unused**: with N here, nodes that were nearest to none of the last N inputs, remembered ones included, are removed.
//! - **most**: a bound on the number of nodes, whatever happens.
//!
//! With all of them 0 this is [`Gas::see`] and nothing else.

use std::collections::BTreeMap;

use repertoire_prob::Stream;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use crate::error::{FARTHEST, is_position};
use crate::error::{PositionError, SettingsError};
use crate::gas::{Gas, GasSettings};
use crate::places::{PlaceGraph, PlaceNode};
use crate::walks::{self, Follower, LinkRule, Memory, Pace, Track, WalkedGround, WalkedLink};
use crate::{EdgeRule, Point};

/// How to learn. Lengths are in the units of the positions; the defaults are for Unreal units.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct LearnerSettings {
    /// The parameters of figure 3.12.
    pub gas: GasSettings,
    /// A teacher farther than this from all nodes, where nobody was before, makes one; 0: only errors make nodes.
    pub reach: f64,
    /// The width of the cells by which the learner knows where somebody was before.
    pub cell: f64,
    /// How many remembered positions pull nodes again with each input.
    pub replay: u32,
    /// How many positions are remembered.
    pub memory: usize,
    /// Nodes that were nearest to none of the last so many inputs are removed; 0: never.
    pub unused: u64,
    /// Inputs of one teacher that follow each other sooner than this are skipped; 0: none are.
    pub period_secs: f64,
    /// How far ahead a walk is looked at to see a link walked.
    pub ahead_secs: f64,
    /// After this long without a position a teacher's walk begins anew.
    pub gap_secs: f64,
    /// A teacher who moves faster, in units per second, was carried (a teleporter, a new life): their walk begins anew.
    pub fastest: f64,
    /// Somebody is on the way between two nodes if going over them is at most this many times as long as the straight way.
    pub straight: f64,
    /// A link that was walked down is believed upwards too up to this height.
    pub step_up: f64,
    /// The straight way of a link is clear where somebody was within once or twice this distance of it.
    pub arm: f64,
    /// Random seed: it chooses what is remembered and replayed. The same seed repeats the run.
    pub seed: u64,
}

impl Default for LearnerSettings {
    /// Figure 3.12 with the additions, measured on the players of Unreal Tournament 2004.
    fn default() -> Self {
        LearnerSettings {
            gas: GasSettings { a1: 0.02, most: 4096, ..GasSettings::default() },
            reach: 400.0,
            cell: 100.0,
            replay: 5,
            memory: 16384,
            unused: 36_000,
            period_secs: 0.0,
            ahead_secs: 0.5,
            gap_secs: 1.0,
            fastest: 2000.0,
            straight: 1.2,
            step_up: 64.0,
            arm: 20.0,
            seed: 1,
        }
    }
}

impl LearnerSettings {
    /// The thesis's algorithm and parameters, nothing added. What is remembered only serves to find links.
    pub fn thesis(edges: EdgeRule) -> Self {
        let gas = GasSettings { edges, ..GasSettings::default() };
        LearnerSettings { gas, reach: 0.0, replay: 0, unused: 0, ..LearnerSettings::default() }
    }

    /// The same for positions in other units, of which a metre has so many (Unreal: 50).
    pub fn in_units(mut self, per_metre: f64) -> Self {
        let by = per_metre / 50.0;
        for length in [
            &mut self.gas.decay,
            &mut self.gas.err,
            &mut self.reach,
            &mut self.cell,
            &mut self.fastest,
            &mut self.step_up,
            &mut self.arm,
        ] {
            *length *= by;
        }
        self
    }

    /// The first setting that makes no sense, and what would.
    pub fn check(&self) -> Result<(), SettingsError> {
        self.gas.check()?;
        let lengths = [
            ("reach", self.reach),
            ("period_secs", self.period_secs),
            ("ahead_secs", self.ahead_secs),
            ("gap_secs", self.gap_secs),
            ("fastest", self.fastest),
            ("step_up", self.step_up),
        ];
        for (name, value) in lengths {
            if !(value >= 0.0 && value.is_finite()) {
                return Err(SettingsError::Negative { name, value });
            }
        }
        let widths = [("cell", self.cell, "a cell has a width"), ("arm", self.arm, "an arm has a length")];
        for (name, value, thing) in widths {
            if !(value > 0.0 && value.is_finite()) {
                return Err(SettingsError::NotAbove0 { name, value, thing });
            }
        }
        if !(self.straight >= 1.0 && self.straight.is_finite()) {
            return Err(SettingsError::Straight(self.straight));
        }
        if self.memory == 0 {
            return Err(SettingsError::NoMemory);
        }
        Ok(())
    }
}

/// Learns places from where teachers are, for as long as they play.
///
/// ```
/// use repertoire_topology::{Learner, LearnerSettings};
/// let mut learner = Learner::new(LearnerSettings::default())?;
/// for k in 0..600 {
///     // Sixty seconds to and fro along a corridor of 1,000 units.
///     let along = f64::from((k * 44) % 2000);
///     learner.see(0, f64::from(k) * 0.1, [along.min(2000.0 - along), 0.0, 0.0])?;
/// }
/// let places = learner.places();
/// assert!(places.nodes.len() >= 2 && !places.links.is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Learner {
    settings: LearnerSettings,
    gas: Gas,
    inputs: u64,
    memory: Memory,
    followers: BTreeMap<u32, Follower>,
    /// When each teacher's last input was taken.
    taken: BTreeMap<u32, f64>,
    /// When each cell was last visited, in inputs. A list, since JSON has no other keys than text.
    #[serde(with = "pairs")]
    visited: BTreeMap<[i64; 3], u64>,
    /// When each node was last nearest, in inputs.
    last_won: Vec<u64>,
    rng: Stream,
}

impl Learner {
    /// Knows nothing yet. Fails if the settings make no sense.
    pub fn new(settings: LearnerSettings) -> Result<Self, SettingsError> {
        settings.check()?;
        Ok(Learner {
            settings,
            gas: Gas::new(settings.gas)?,
            inputs: 0,
            memory: Memory::new(settings.memory),
            followers: BTreeMap::new(),
            taken: BTreeMap::new(),
            visited: BTreeMap::new(),
            last_won: Vec::new(),
            rng: Stream::new(settings.seed, 0, "topology"),
        })
    }

    /// How it learns.
    pub fn settings(&self) -> &LearnerSettings {
        &self.settings
    }

    /// The gas.
    pub fn gas(&self) -> &Gas {
        &self.gas
    }

    /// How many positions it has taken.
    pub fn inputs(&self) -> u64 {
        self.inputs
    }

    /// Where a teacher is, at which time.
    ///
    /// Fails, and passes it over, if the time or a coordinate is no number.
    pub fn see(&mut self, teacher: u32, secs: f64, at: Point) -> Result<(), PositionError> {
        if !secs.is_finite() {
            return Err(PositionError::NotATime(secs));
        }
        PositionError::check(&at)?;
        if let Some(&before) = self.taken.get(&teacher)
            && (0.0..self.settings.period_secs - 1e-6).contains(&(secs - before))
        {
            return Ok(());
        }
        self.taken.insert(teacher, secs);
        self.inputs += 1;
        let (mut done, pace) = (Vec::new(), self.pace());
        self.followers.entry(teacher).or_default().see(secs, at, pace, &mut done);
        self.keep(done);
        self.learn(at);
        for _ in 0..self.settings.replay {
            if let Some(walk) = self.memory.draw(&mut self.rng) {
                let nearest = self.gas.settle(walk.at);
                self.note_won(nearest);
            }
        }
        if self.settings.unused > 0 && self.inputs.is_multiple_of(1024) {
            self.forget();
        }
        Ok(())
    }

    /// A teacher's life or recording ends: what comes next of them begins somewhere else.
    pub fn end(&mut self, teacher: u32) {
        let mut done = Vec::new();
        if let Some(mut follower) = self.followers.remove(&teacher) {
            follower.end(&mut done);
        }
        self.taken.remove(&teacher);
        self.keep(done);
    }

    /// Sees tracks one after the other, all of one teacher.
    ///
    /// Fails at the first track that is none (see [`Track::check`]); what came before it is learned.
    pub fn see_tracks<'a>(
        &mut self,
        tracks: impl IntoIterator<Item = &'a Track>,
    ) -> Result<(), PositionError> {
        for track in tracks {
            track.check()?;
            for (&secs, &at) in track.secs.iter().zip(&track.at) {
                self.see(0, secs, at)?;
            }
            self.end(0);
        }
        Ok(())
    }

    /// The links that someone was seen walking.
    pub fn links(&self) -> Vec<WalkedLink> {
        let belief = LinkRule { straight: self.settings.straight, step_up: self.settings.step_up };
        walks::links(self.gas.index(), |node| self.gas.at(node), &self.memory.walks, belief)
    }

    /// What was learned so far, to be written down or used.
    pub fn places(&self) -> PlaceGraph {
        let (nodes, links) = (self.nodes(), self.links());
        let known = WalkedGround::of(self.memory.walks.iter().map(|walk| walk.at), self.settings.arm);
        let at: BTreeMap<u32, Point> =
            nodes.iter().map(|node| (node.id, node.stood.unwrap_or(node.pos))).collect();
        let clear = |link: &WalkedLink| match (at.get(&link.from), at.get(&link.to)) {
            // To three digits: it is an estimate, and files stay readable.
            (Some(a), Some(b)) => (1000.0 * known.clear(a, b)).round() / 1000.0,
            _ => 0.0,
        };
        PlaceGraph {
            clear: links.iter().map(clear).collect(),
            nodes,
            links: links.iter().map(|link| [link.from, link.to]).collect(),
            walked: links.iter().map(|link| link.walked).collect(),
            edges: self.gas.edges().into_iter().map(|(a, b, age)| [a, b, age]).collect(),
            inputs: self.inputs,
        }
    }

    fn nodes(&self) -> Vec<PlaceNode> {
        let mut stood: BTreeMap<u32, (f64, Point)> = BTreeMap::new();
        for walk in &self.memory.walks {
            if let Some(near) = self.gas.index().nearest(&walk.at) {
                let best = stood.entry(near.node).or_insert((near.squared, walk.at));
                if near.squared < best.0 {
                    *best = (near.squared, walk.at);
                }
            }
        }
        let node = |(id, pos)| {
            let stood = stood.get(&id).map(|&(_, at)| at);
            PlaceNode { id, pos, won: self.gas.won(id), stood }
        };
        self.gas.nodes().map(node).collect()
    }

    fn pace(&self) -> Pace {
        let LearnerSettings { ahead_secs, gap_secs, fastest, .. } = self.settings;
        Pace { ahead_secs, gap_secs, fastest }
    }

    fn keep(&mut self, walks: Vec<walks::Walk>) {
        for walk in walks {
            self.memory.keep(walk, &mut self.rng);
        }
    }

    fn learn(&mut self, at: Point) {
        let cell = at.map(|x| (x / self.settings.cell).floor() as i64);
        let reach = self.settings.reach;
        let is_new = reach > 0.0 && self.visited.insert(cell, self.inputs).is_none();
        let is_far = |near: crate::nearest::Near| near.squared > reach * reach;
        if is_new
            && self.gas.len() >= 2
            && self.gas.may_grow()
            && self.gas.index().nearest(&at).is_some_and(is_far)
        {
            let made = self.gas.place(at);
            self.note_won(Some(made));
        } else if let Some(moved) = self.gas.take(at) {
            self.note_won(Some(moved.nearest));
            self.note_won(moved.made);
        }
    }

    fn note_won(&mut self, node: Option<u32>) {
        if let Some(node) = node.map(|node| node as usize) {
            if node >= self.last_won.len() {
                self.last_won.resize(node + 1, self.inputs);
            }
            self.last_won[node] = self.inputs;
        }
    }

    /// Nodes and cells that nobody came to for long go; two nodes stay.
    fn forget(&mut self) {
        let Some(since) = self.inputs.checked_sub(self.settings.unused) else { return };
        let unused: Vec<u32> =
            self.gas.nodes().map(|(node, _)| node).filter(|&node| self.won_at(node) < since).collect();
        for node in unused {
            if self.gas.len() > 2 {
                self.gas.remove(node);
            }
        }
        self.visited.retain(|_, last| *last >= since);
    }

    fn won_at(&self, node: u32) -> u64 {
        self.last_won.get(node as usize).copied().unwrap_or(0)
    }
}

/// A map whose keys are no text, as a list of pairs.
mod pairs {
    use std::collections::BTreeMap;

    use serde::{Deserialize, Deserializer, Serializer};

    pub(super) fn serialize<S: Serializer>(map: &BTreeMap<[i64; 3], u64>, to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(map)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        from: D,
    ) -> Result<BTreeMap<[i64; 3], u64>, D::Error> {
        Ok(Vec::<([i64; 3], u64)>::deserialize(from)?.into_iter().collect())
    }
}

#[cfg(test)]
#[path = "learner_tests.rs"]
mod tests;
