//! An inhabitant: one record of fixed size, and how they are born.

use repertoire_prob::Stream;
use repertoire_prob::stream::counter;

use super::charter::{Charter, MOST_NEEDS, Reason};
use super::places::{NEAREST, NOWHERE};

/// No goal.
pub(super) const NONE: u8 = u8::MAX;

/// What an inhabitant is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
#[repr(u8)]
pub enum Phase {
    /// Nothing: there is nothing worth doing, or no way to do it.
    Idle,
    /// Walking to where the next step can be done.
    Walking,
    /// Doing it, after waiting in line for it.
    Acting,
    /// Being turned away.
    Refused,
}

impl Phase {
    pub(super) fn of(number: u8) -> Option<Self> {
        [Phase::Idle, Phase::Walking, Phase::Acting, Phase::Refused].get(usize::from(number)).copied()
    }
}

/// An inhabitant: two cache lines, and never a part of a third. When they are next due stands in a column of its own, which is
/// all that a tick reads of most of them.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(align(64))]
pub(super) struct Person {
    /// What they believe, and how far their errands are: packed over the variables of their class.
    pub facts: u32,
    /// The row of the plan they follow.
    pub row: u32,
    /// Where they are, or come from.
    pub at: u32,
    /// Where they go.
    pub to: u32,
    pub home: u32,
    pub work: u32,
    /// When they began what they are doing; while they are in line this is when their turn comes.
    pub began: u32,
    /// For each need, the tick at which it was nothing.
    pub zero: [i32; MOST_NEEDS],
    /// How much each need matters to them.
    pub matters: [f32; MOST_NEEDS],
    /// Until when they believe something else of places than what is usual.
    pub doubts_until: u32,
    /// The last places that turned them away, and when: as many as they know of a kind.
    pub refused: [u32; NEAREST],
    pub refused_at: u32,
    /// Goals for which there is no place at the moment, and until when.
    pub blocked_until: u32,
    pub blocked: u16,
    pub coins: u16,
    pub patience: u16,
    /// What last went wrong: when, where, with which action, why (a reason's number, or 255).
    pub wrong_action: u8,
    pub wrong: u8,
    pub wrong_at: u32,
    pub wrong_place: u32,
    pub class: u8,
    pub family: u8,
    pub goal: u8,
    pub step: u8,
    pub action: u8,
    pub phase: u8,
    pub way: u16,
}

/// How many live in each household, in their order: the last one is as small as it must be.
pub(super) fn households(charter: &Charter, inhabitants: u32, seed: u64) -> Vec<u32> {
    let (least, most) = charter.household;
    let (mut left, mut sizes) = (inhabitants, Vec::new());
    while left > 0 {
        let drawn = least
            + (counter(seed ^ 0x0068_6f75_7365, sizes.len() as u64) % u64::from(most - least + 1)) as u32;
        sizes.push(drawn.min(left));
        left -= drawn.min(left);
    }
    sizes
}

impl Person {
    /// A new inhabitant of a class, at home. The profile is drawn as [`repertoire_mind::game::Character::new`] draws it.
    pub fn born(charter: &Charter, class: u8, seed: u64, agent: u32, home: u32, plain: bool) -> Self {
        let of = &charter.classes[usize::from(class)];
        let mut nature = Stream::new(seed, u64::from(agent), "nature");
        let drawn = of.families[(nature.unit() * of.families.len() as f64) as usize];
        let family = &charter.families[usize::from(drawn)];
        let (mut zero, mut matters) = ([0; MOST_NEEDS], [0.0; MOST_NEEDS]);
        for (need, (low, high)) in family.matters.iter().enumerate() {
            matters[need] = (low + nature.unit() * (high - low)) as f32;
        }
        let mut body = Stream::new(seed, u64::from(agent), "body");
        for (need, of) in charter.needs.iter().enumerate() {
            zero[need] = -((body.unit() * 0.7 * of.ticks) as i32);
        }
        let (least, most) = family.patience;
        let mut patience = least + (body.unit() * f64::from(most - least + 1)) as u32;
        if plain {
            // Everybody the same: the family is still drawn, so that it can be guessed at, but means nothing.
            let middle = |(low, high): (f64, f64)| (low + high) / 2.0;
            charter.needs.iter().enumerate().for_each(|(need, of)| matters[need] = middle(of.matters) as f32);
            patience = 30;
        }
        Person {
            facts: of.start,
            row: 0,
            at: home,
            to: home,
            home,
            work: NOWHERE,
            began: 0,
            zero,
            matters,
            doubts_until: 0,
            refused: [NOWHERE; NEAREST],
            refused_at: 0,
            blocked_until: 0,
            blocked: 0,
            coins: charter.coins,
            patience: patience as u16,
            wrong_action: NONE,
            wrong: NONE,
            wrong_at: 0,
            wrong_place: NOWHERE,
            class,
            family: drawn,
            goal: NONE,
            step: 0,
            action: NONE,
            phase: Phase::Idle as u8,
            way: 0,
        }
    }

    /// How strongly a need is felt, from 0 to 1, before what the hour adds.
    #[inline]
    pub fn level(&self, charter: &Charter, need: usize, now: u32) -> f64 {
        let ticks = f64::from((now as i32).wrapping_sub(self.zero[need]));
        (ticks / charter.needs[need].ticks).clamp(0.0, 1.0)
    }

    /// How strongly a need is felt at this hour.
    #[inline]
    pub fn felt(&self, charter: &Charter, need: usize, now: u32) -> f64 {
        let level = self.level(charter, need, now);
        match charter.needs[need].strong {
            Some((hours, times)) if hours.contain(now) => (level * times).min(1.0),
            _ => level,
        }
    }

    /// A need is eased.
    pub fn ease(&mut self, charter: &Charter, need: usize, by: f64, now: u32) {
        let left = (self.level(charter, need, now) - by).clamp(0.0, 1.0);
        self.zero[need] = now as i32 - (left * charter.needs[need].ticks) as i32;
    }

    /// The place they are at turns them away.
    pub fn turn_away(&mut self, reason: Reason, now: u32) {
        self.phase = Phase::Refused as u8;
        (self.wrong, self.wrong_at, self.wrong_place) = (reason as u8, now, self.at);
        self.wrong_action = self.action;
    }

    /// Whether a place turned them away lately.
    #[inline]
    pub fn remembers(&self, place: u32, now: u32) -> bool {
        self.refused.contains(&place) && now < self.refused_at + REMEMBERED
    }
}

/// Ticks for which somebody keeps away from a place that turned them away.
const REMEMBERED: u32 = 90;

/// The class of an inhabitant, drawn in proportion to the shares.
pub(super) fn class_of(charter: &Charter, agent: u32, seed: u64) -> u8 {
    let all: f64 = charter.classes.iter().map(|class| class.share).sum();
    let unit = (counter(seed ^ 0x63_6c61_7373, u64::from(agent)) >> 11) as f64 / (1u64 << 53) as f64;
    let mut left = unit * all;
    for (index, class) in charter.classes.iter().enumerate() {
        left -= class.share;
        if left < 0.0 {
            return index as u8;
        }
    }
    charter.classes.iter().rposition(|class| class.share > 0.0).unwrap_or(0) as u8
}
