//! Hands: what was decided is carried out as the teacher once did it.
//!
//! ```text
//! P(moment s | d, j, l, c) ∝ [j_s = j] · κ(d, d_s) · κ(l, l_s) · exp(-½ |c - c_s|²)
//! ```
//!
//! | symbol    | meaning                                                                                     |
//! |-----------|---------------------------------------------------------------------------------------------|
//! | `d, j, l` | the decision, what a group of actions attends to, and its value                              |
//! | `s`       | a moment of the teacher's; `d_s, j_s` are drawn from their posterior ([`repertoire_chameleon::hands`]) |
//! | `c`       | where the stimulus is seen, in degrees, and what hands did a moment ago                      |
//! | `κ`       | 1 for the same; less for another decision, and the less the farther another value is          |
//!
//! All actions of the group are done as at that moment, seen from the stimulus: so the trigger goes with the aim, and a turn goes on from the
//! one before it. Without `c`, moments come out as often as the table of the cell says.
//!
//! Tried and left out: letting `c` speak for what is attended to as well (views then rest on what is easily held: pitch still in 72 % of
//! decisions where native:3 has 53 %), and making small turns again as they were instead of seen from the stimulus (no difference).
//!
//! Differs from the paper: see [`repertoire_chameleon::hands`].

use repertoire_chameleon::hands::NUMBERS;
use repertoire_chameleon::posterior::posteriors;
use repertoire_chameleon::{Hands, Impossible, Learned, Pass, Sequence};
use repertoire_prob::Stream;

use super::acts::LastDone;
use super::play::Doing;
use super::{Acts, Joined, Sighting};
use crate::Own;

/// A moment of another decision counts this much less, in nats: a twentieth.
const OTHER_DECISION_NATS: f64 = 3.0;
/// A moment of a value at a distance of 1 counts this much less, in nats.
const VALUE_NATS: f64 = 1.5;
/// Moments this many nats below the likeliest are left out.
const FEW_NATS: f64 = 12.0;

/// Moments by group and kind, ready to choose from.
#[derive(Clone, Debug, Default)]
pub(super) struct Repertory {
    /// `[group][kind]`.
    kinds: Vec<Vec<Kind>>,
    /// `[group]`: its actions.
    members: Vec<Vec<usize>>,
}

/// Moments of a group that attended to things of one kind, those of one value together.
#[derive(Clone, Debug, Default)]
struct Kind {
    moments: Vec<u32>,
    value: Vec<u16>,
    decision: Vec<u16>,
    /// `[moment][width]`: where the stimulus was seen and what was done before.
    coordinates: Vec<f64>,
    width: usize,
}

/// What a group of actions is to do, and to what it attends.
#[derive(Clone, Copy)]
pub(super) struct Cell<'a> {
    pub group: usize,
    pub decision: usize,
    pub kind: usize,
    pub value: u16,
    pub sighting: &'a Sighting,
}

impl Repertory {
    pub fn of(learned: &Learned, acts: &Acts) -> Self {
        let layout = learned.model.layout();
        let shape = layout.shape();
        let members = members(learned);
        let kinds = learned.hands.groups.iter().zip(&members).map(|(moments, members)| {
            let mut kinds = vec![Kind::default(); shape.low.len()];
            (0..moments.len()).for_each(|s| kinds[usize::from(moments.kind[s])].moments.push(s as u32));
            for kind in &mut kinds {
                kind.moments.sort_by_key(|&s| moments.value[s as usize]);
                for &s in &kind.moments {
                    let s = s as usize;
                    kind.value.push(moments.value[s]);
                    kind.decision.push(moments.decision[s]);
                    for (k, &f) in members.iter().enumerate() {
                        let numbers = &moments.numbers[(s * members.len() + k) * NUMBERS..][..NUMBERS];
                        acts.coordinates(f, [numbers[0], numbers[1]], &mut kind.coordinates);
                    }
                }
                kind.width = kind.coordinates.len().checked_div(kind.moments.len()).unwrap_or(0);
            }
            kinds
        });
        Repertory { kinds: kinds.collect(), members }
    }

    /// Does one of the moments of a cell again: the number of each action of the group. Nothing if no moment attended to such a thing.
    pub fn choose(
        &self,
        learned: &Learned,
        acts: &Acts,
        cell: Cell<'_>,
        (own, last): (&Own, &LastDone),
        draw: &mut Stream,
        done: &mut [Option<f64>],
    ) {
        let chance = draw.unit();
        let Some(kind) = self.kinds.get(cell.group).map(|kinds| &kinds[cell.kind]) else { return };
        let members = &self.members[cell.group];
        let mut here = Vec::with_capacity(kind.width);
        for &f in members {
            let now = [acts.seen(f, cell.sighting), acts.before(f, last, own, cell.sighting)];
            acts.coordinates(f, now, &mut here);
        }
        let stimulus = &learned.model.low()[cell.kind];
        let far = |value: u16| stimulus.distance(cell.value.into(), value.into());
        let likely = kind.likely(cell.decision, far, &here);
        let Some(moment) = draw_one(&likely, chance) else { return };
        let numbers = &learned.hands.groups[cell.group].numbers[moment as usize * members.len() * NUMBERS..];
        for (&f, was) in members.iter().zip(numbers.chunks_exact(NUMBERS)) {
            done[f] = Some(was[NUMBERS - 1]);
        }
    }
}

impl Kind {
    /// The likeliest moments, with their nats.
    fn likely(&self, decision: usize, far: impl Fn(u16) -> f64, here: &[f64]) -> Vec<(u32, f64)> {
        let mut value = None;
        let mut moments: Vec<(u32, f64)> = Vec::new();
        let mut best = f64::NEG_INFINITY;
        let rows = self.coordinates.chunks_exact(self.width.max(1));
        for (((&moment, &of), &decided), row) in
            self.moments.iter().zip(&self.value).zip(&self.decision).zip(rows)
        {
            let mut nats = match value {
                Some((known, nats)) if known == of => nats,
                _ => -VALUE_NATS * far(of),
            };
            value = Some((of, nats));
            if usize::from(decided) != decision {
                nats -= OTHER_DECISION_NATS;
            }
            nats -= 0.5 * row.iter().zip(here).map(|(was, is)| (was - is) * (was - is)).sum::<f64>();
            if nats > best - FEW_NATS {
                best = best.max(nats);
                moments.push((moment, nats));
            }
        }
        moments.retain(|one| one.1 > best - FEW_NATS);
        moments
    }
}

/// Draws a moment in proportion to the exponentials of nats.
fn draw_one(likely: &[(u32, f64)], chance: f64) -> Option<u32> {
    let best = likely.iter().map(|one| one.1).fold(f64::NEG_INFINITY, f64::max);
    let shares = likely.iter().map(|one| libm::exp(one.1 - best));
    let mut left = chance * shares.clone().sum::<f64>();
    for (one, share) in likely.iter().zip(shares) {
        left -= share;
        if left < 0.0 {
            return Some(one.0);
        }
    }
    likely.last().map(|one| one.0)
}

/// The external actions of each group.
fn members(learned: &Learned) -> Vec<Vec<usize>> {
    let shape = learned.model.layout().shape();
    let of_group =
        |group| (0..shape.external.len()).filter(|&f| shape.external[f].group == Some(group)).collect();
    (0..shape.groups.len()).map(of_group).collect()
}

/// The moments of lives that were learned from.
pub(super) fn observed(
    joined: &Joined,
    learned: &Learned,
    lives: &[Sequence],
    doings: &[Vec<Doing>],
) -> Result<Hands, Impossible> {
    let layout = learned.model.layout();
    let shape = layout.shape();
    let acts = joined.acts().clone().with(learned.body.clone());
    let members = members(learned);
    let mut hands = Hands::of(layout);
    let mut pass = Pass::new();
    let d = layout.decisions();
    for (number, (life, doings)) in lives.iter().zip(doings).enumerate() {
        let found = posteriors(layout, learned.params(), life, &mut pass)?;
        let mut draw = Stream::new(learned.lives, number as u64, "hands");
        for (group, members) in members.iter().enumerate().filter(|(_, members)| !members.is_empty()) {
            let slots = shape.slots.len();
            for (t, doing) in doings.iter().enumerate() {
                let cells = &found.groups[group][t * d * slots..(t + 1) * d * slots];
                let all: f64 = cells.iter().sum();
                let mut left = draw.unit() * all;
                let cell = cells.iter().position(|&cell| {
                    left -= cell;
                    left < 0.0
                });
                let Some(cell) = cell else { continue };
                let (decision, slot) = (cell / slots, cell % slots);
                let Some(value) = life.low(t, slot) else { continue };
                let sighting = doing.sighting(slot);
                let numbers = members.iter().flat_map(|&f| {
                    [
                        acts.seen(f, &sighting),
                        acts.before(f, &doing.last, &doing.own, &sighting),
                        acts.did(f, &doing.command, &sighting),
                    ]
                });
                hands.groups[group].push((shape.slots[slot] as u16, value, decision as u16), numbers);
            }
        }
    }
    hands.groups.iter_mut().for_each(|group| group.thin(repertoire_chameleon::hands::MOST_MOMENTS));
    Ok(hands)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Four moments: two of value 0 after movements 0 and 3, one of value 2, and one of another decision.
    fn kind() -> Kind {
        Kind {
            moments: vec![10, 11, 12, 13],
            value: vec![0, 0, 2, 0],
            decision: vec![1, 1, 1, 4],
            coordinates: vec![0.0, 3.0, 0.0, 0.0],
            width: 1,
        }
    }

    fn nats_of(likely: &[(u32, f64)], moment: u32) -> f64 {
        likely.iter().find(|one| one.0 == moment).map_or(f64::NEG_INFINITY, |one| one.1)
    }

    #[test]
    fn moments_after_a_like_movement_of_the_same_decision_and_value_are_likelier() {
        let likely = kind().likely(1, f64::from, &[0.0]);
        assert_eq!(nats_of(&likely, 10), 0.0);
        assert_eq!(nats_of(&likely, 11), -4.5, "three spreads away");
        assert_eq!(nats_of(&likely, 12), -2.0 * VALUE_NATS);
        assert_eq!(nats_of(&likely, 13), -OTHER_DECISION_NATS);
    }

    #[test]
    fn what_is_far_too_unlikely_is_left_out_and_something_is_always_done() {
        let likely = kind().likely(1, f64::from, &[9.0]);
        assert_eq!(likely.len(), 1, "{likely:?}");
        assert_eq!(draw_one(&likely, 0.999_999), Some(11));
        assert_eq!(draw_one(&[], 0.5), None);
    }

    #[test]
    fn moments_are_drawn_in_proportion_to_their_odds() {
        let likely = [(1, 0.0), (2, repertoire_prob::num::ln(3.0))];
        let drawn = |chance: f64| draw_one(&likely, chance);
        assert_eq!([0.0, 0.24, 0.26, 0.99].map(drawn), [Some(1), Some(1), Some(2), Some(2)]);
    }
}
