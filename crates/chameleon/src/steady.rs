//! Steadiness: for how long attention and actions are held.
//!
//! The model draws what is attended to and what is done anew at every tick; people look at one thing for a while and go on in
//! one direction. What was observed tells how much: where the decision stays, let `f` be how often the attended stimulus (or, where
//! that stays too, an action) is the same at two ticks in a row, and `s` how often it would be if drawn anew. If the random
//! number behind a draw is kept with probability `ρ`, then about `f = ρ + (1 - ρ) s`, so
//!
//! ```text
//! ρ = (f - s) / (1 - s)            held = 1 / (1 - ρ) ticks on average
//! ```
//! Keeping the random number, not the choice, leaves every single tick as probable as learned, and a choice that what is
//! perceived no longer allows is given up at once.
//!
//! Differs from the paper, whose characters move choppily unless distributions are sharpened (section 4.4.3.3).

use repertoire_prob::draw::arg_max;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::layout::{Layout, Level};
use crate::learned::Learned;
use crate::pass::{Impossible, Pass};
use crate::posterior::posteriors;
use crate::sequence::Sequence;

/// For how many ticks on average random numbers are kept; at least 1, which is: drawn anew at every tick.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Steadiness {
    /// Those behind attention.
    pub attention: f64,
    /// Those behind each external action; none for 1.
    pub external: Vec<f64>,
}

impl Default for Steadiness {
    fn default() -> Self {
        Steadiness { attention: 1.0, external: Vec::new() }
    }
}

/// The most ticks that play can teach to hold something: beyond, the play is too short to tell.
const MOST_HELD: f64 = 30.0;

impl Steadiness {
    /// What is wrong with it, if anything.
    pub fn mistake(&self) -> Option<String> {
        let mut all = std::iter::once(&self.attention).chain(&self.external);
        let bad = all.find(|held| !(1.0..=1e6).contains(*held))?;
        Some(format!("what is drawn cannot be held for {bad} ticks: use a number from 1 to 1000000"))
    }

    /// How steady somebody was who played so.
    pub fn observed(learned: &Learned, sequences: &[Sequence]) -> Result<Self, Impossible> {
        let mut attention = Repeats::default();
        let actions = learned.model.layout().shape().external.len();
        let mut external: Vec<Repeats> = (0..actions).map(|_| Repeats::default()).collect();
        let mut pass = Pass::new();
        for sequence in sequences {
            observe(learned, sequence, &mut pass, &mut attention, &mut external)?;
        }
        Ok(Steadiness { attention: attention.held(), external: external.iter().map(Repeats::held).collect() })
    }
}

/// How often something was the same twice, and how often it would be by chance.
#[derive(Default)]
struct Repeats {
    pairs: f64,
    same: f64,
    by_chance: f64,
}

impl Repeats {
    fn add(&mut self, same: bool, by_chance: f64) {
        self.pairs += 1.0;
        self.same += f64::from(u8::from(same));
        self.by_chance += by_chance;
    }

    fn held(&self) -> f64 {
        let anew = self.pairs - self.by_chance;
        if anew <= 0.0 {
            return 1.0;
        }
        let kept = ((self.same - self.by_chance) / anew).clamp(0.0, 1.0 - 1.0 / MOST_HELD);
        1.0 / (1.0 - kept)
    }
}

/// What a group did at a tick, as far as can be told.
#[derive(Clone, Default)]
struct Glimpse {
    decision: usize,
    slot: usize,
    row: usize,
    /// How probable it was to attend to each slot.
    attention: Vec<f64>,
}

fn observe(
    learned: &Learned,
    sequence: &Sequence,
    pass: &mut Pass,
    attention: &mut Repeats,
    external: &mut [Repeats],
) -> Result<(), Impossible> {
    let layout = learned.model.layout();
    let params = learned.params();
    let d = layout.decisions();
    let posteriors = posteriors(layout, params, sequence, pass)?;
    let decisions = posteriors.likeliest(d);
    for (group, &level) in layout.shape().groups.iter().enumerate() {
        if level == Level::High {
            continue;
        }
        let slots = layout.stimuli(level);
        let mut before: Option<Glimpse> = None;
        for (t, &decision) in decisions.iter().enumerate() {
            let shares = &posteriors.groups[group][(t * d + decision) * slots..][..slots];
            let slot = arg_max(shares);
            let row_of = |slot: usize| row(layout, sequence, t, slot);
            let Some(at) = row_of(slot) else {
                before = None;
                continue;
            };
            let weight =
                |slot: usize| row_of(slot).map_or(0.0, |row| params.weights[group][row * d + decision]);
            let mut glimpse =
                Glimpse { decision, slot, row: at, attention: (0..slots).map(weight).collect() };
            repertoire_prob::num::normalise(&mut glimpse.attention);
            if let Some(before) = &before
                && before.decision == decision
            {
                let by_chance = before.attention.iter().zip(&glimpse.attention).map(|(a, b)| a * b).sum();
                attention.add(before.slot == slot, by_chance);
                if before.slot == slot {
                    for &f in layout.members(group) {
                        let count = layout.shape().external[f].count;
                        let p = |row: usize, e: usize| params.external[f][(row * count + e) * d + decision];
                        let by_chance = (0..count).map(|e| p(before.row, e) * p(at, e)).sum();
                        let same = sequence.external(t - 1, f, slot) == sequence.external(t, f, slot);
                        external[f].add(same, by_chance);
                    }
                }
            }
            before = Some(glimpse);
        }
    }
    Ok(())
}

fn row(layout: &Layout, sequence: &Sequence, t: usize, slot: usize) -> Option<usize> {
    sequence.low(t, slot).map(|value| layout.low_row(layout.slots()[slot], value.into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_repeats_by_chance_alone_holds_nothing() {
        let mut repeats = Repeats::default();
        for k in 0..100 {
            repeats.add(k % 4 == 0, 0.25);
        }
        assert_eq!(repeats.held(), 1.0);
    }

    #[test]
    fn how_long_something_was_held_is_found_again() {
        use repertoire_prob::Stream;
        let mut draw = Stream::new(1, 0, "steady");
        let (mut kept, mut repeats) = (0, Repeats::default());
        for _ in 0..200_000 {
            let before = kept;
            if draw.unit() < 1.0 / 6.0 {
                kept = (draw.unit() * 4.0) as usize;
            }
            repeats.add(kept == before, 0.25);
        }
        assert!((repeats.held() - 6.0).abs() < 0.2, "{}", repeats.held());
    }
}
