//! Moments of the teacher's hands: how the values of an external action were carried out.
//!
//! A table holds how often each value was taken, in expectation: `n(e,l,d) = Σ_t γ_t(d, j) [l_t = l] [e_t = e]`. Here the moments `t`
//! themselves are kept, each once, with one decision and one stimulus drawn from their posterior `γ_t(d, j)`, so that moments
//! stand for the table's counts without bias. Of each action three numbers are known: what it *did*, what it did *before*, and where
//! the stimulus was *seen*. To carry out a decision that attends to a stimulus is to do one of its moments again, those likelier that
//! came after a like movement: whoever joins model and world says how alike they are.
//!
//! Differs from the paper, which draws a value of the table and carries it out at its middle, whatever was done a moment ago. With no regard
//! to what was done before, the values come out as the table has them.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::layout::{Layout, Level};

/// The most moments that are kept of a group of actions, so that a file stays small.
pub const MOST_MOMENTS: usize = 20_000;
/// Numbers of an action at a moment.
pub const NUMBERS: usize = 3;
/// Numbers are kept to a ten-thousandth.
const PARTS: f64 = 1e4;
/// The greatest number that can be kept, in either direction.
const GREATEST: f64 = 1e5;

/// What hands did, for each group of actions; without groups for a character that has no such moments.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Hands {
    /// For each group of the model its moments; none for groups of reflexive actions.
    pub groups: Vec<Moments>,
}

/// Moments of a group of actions.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Moments {
    /// Which kind of low-level stimulus was attended to.
    pub kind: Vec<u16>,
    /// Its value.
    pub value: Vec<u16>,
    /// The decision.
    pub decision: Vec<u16>,
    /// `[moment][action][3]`: where the stimulus was seen, what was done before, what was done.
    pub numbers: Vec<f64>,
}

impl Moments {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.kind.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.kind.is_empty()
    }

    /// One more, its numbers as a file holds them.
    pub fn push(&mut self, (kind, value, decision): (u16, u16, u16), numbers: impl IntoIterator<Item = f64>) {
        self.kind.push(kind);
        self.value.push(value);
        self.decision.push(decision);
        self.numbers.extend(numbers.into_iter().map(|number| parts(number) as f64 / PARTS));
    }

    /// Keeps at most `most` moments, evenly spread over the play.
    pub fn thin(&mut self, most: usize) {
        let all = self.len();
        if all <= most {
            return;
        }
        let width = self.numbers.len() / all;
        let is_kept = |moment: usize| (moment + 1) * most / all > moment * most / all;
        let mut thinned = Moments::default();
        for moment in (0..all).filter(|&moment| is_kept(moment)) {
            let who = (self.kind[moment], self.value[moment], self.decision[moment]);
            thinned.push(who, self.numbers[moment * width..][..width].iter().copied());
        }
        *self = thinned;
    }
}

fn parts(number: f64) -> i64 {
    (number.clamp(-GREATEST, GREATEST) * PARTS).round() as i64
}

/// As many numbers as each moment of a group has.
fn widths(layout: &Layout) -> Vec<usize> {
    let shape = layout.shape();
    let width =
        |group: usize| shape.external.iter().filter(|action| action.group == Some(group)).count() * NUMBERS;
    (0..shape.groups.len()).map(width).collect()
}

impl Hands {
    /// Hands that have not moved.
    pub fn of(layout: &Layout) -> Self {
        Hands { groups: vec![Moments::default(); layout.shape().groups.len()] }
    }

    /// Whether there are no moments.
    pub fn is_empty(&self) -> bool {
        self.groups.iter().all(Moments::is_empty)
    }

    /// Moments of others after these; of too many an even part is kept.
    pub fn add(&mut self, more: Hands) {
        if self.groups.len() != more.groups.len() {
            *self = more;
        } else {
            for (own, more) in self.groups.iter_mut().zip(more.groups) {
                own.kind.extend(more.kind);
                own.value.extend(more.value);
                own.decision.extend(more.decision);
                own.numbers.extend(more.numbers);
            }
        }
        self.groups.iter_mut().for_each(|group| group.thin(MOST_MOMENTS));
    }

    /// What is wrong with them, if anything.
    pub(crate) fn mistake(&self, layout: &Layout) -> Option<String> {
        let shape = layout.shape();
        if self.groups.is_empty() {
            return None;
        }
        if self.groups.len() != shape.groups.len() {
            return Some(format!(
                "its hands know {} groups of actions of {}",
                self.groups.len(),
                shape.groups.len()
            ));
        }
        let fits = |((group, width), level): ((&Moments, usize), &Level)| {
            let count = group.len();
            let within = |(&kind, &value): (&u16, &u16)| {
                shape.low.get(usize::from(kind)).is_some_and(|&values| usize::from(value) < values)
            };
            (*level == Level::Low || count == 0)
                && group.value.len() == count
                && group.decision.len() == count
                && group.numbers.len() == count * width
                && group.kind.iter().zip(&group.value).all(within)
                && group.decision.iter().all(|&decision| usize::from(decision) < layout.decisions())
                && group.numbers.iter().all(|number| number.is_finite())
        };
        let all = self.groups.iter().zip(widths(layout)).zip(&shape.groups).all(fits);
        (!all).then(|| "moments of its hands do not fit its model".to_owned())
    }

    /// Whole numbers, column by column, for a file: neighbours are alike.
    pub(crate) fn columns(&self) -> Vec<u64> {
        let mut out = Vec::new();
        for group in &self.groups {
            for column in [&group.kind, &group.value, &group.decision] {
                out.extend(column.iter().map(|&number| u64::from(number)));
            }
            let width = group.numbers.len().checked_div(group.len()).unwrap_or(0);
            for k in 0..width {
                let column = group.numbers[k..].iter().step_by(width);
                out.extend(column.map(|&number| {
                    let parts = parts(number);
                    ((parts << 1) ^ (parts >> 63)) as u64
                }));
            }
        }
        out
    }

    /// The opposite, from as many moments of each group, given by a file's `next` number.
    pub(crate) fn from_columns<E>(
        layout: &Layout,
        counts: &[usize],
        mut next: impl FnMut() -> Result<u64, E>,
    ) -> Result<Self, E> {
        let mut groups = Vec::new();
        for (&count, width) in counts.iter().zip(widths(layout)) {
            let mut small = || -> Result<Vec<u16>, E> {
                (0..count).map(|_| next().map(|number| number.min(u16::MAX.into()) as u16)).collect()
            };
            let (kind, value, decision) = (small()?, small()?, small()?);
            let mut numbers = vec![0.0; count * width];
            for k in 0..width {
                for moment in 0..count {
                    let number = next()?;
                    let parts = (number >> 1) as i64 ^ -((number & 1) as i64);
                    numbers[moment * width + k] = parts as f64 / PARTS;
                }
            }
            groups.push(Moments { kind, value, decision, numbers });
        }
        Ok(Hands { groups })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hands_come_back_from_their_columns() {
        let layout = Layout::plain(2, &[2], &[3], &[], &[4, 5]).unwrap();
        let mut hands = Hands::of(&layout);
        let group = hands.groups.len() - 1;
        let width = widths(&layout)[group];
        for moment in 0..7 {
            let numbers = (0..width).map(|k| f64::from(moment) * 1.25 - k as f64);
            hands.groups[group].push((0, moment as u16 % 3, moment as u16 % 2), numbers);
        }
        assert_eq!(hands.mistake(&layout), None);
        let counts: Vec<usize> = hands.groups.iter().map(Moments::len).collect();
        let columns = hands.columns();
        let mut at = columns.iter();
        let again = Hands::from_columns(&layout, &counts, || at.next().copied().ok_or(()));
        assert_eq!(again, Ok(hands.clone()));
        hands.groups[group].value[0] = 3;
        assert!(hands.mistake(&layout).is_some(), "a value that the stimulus does not have");
    }

    #[test]
    fn too_many_moments_are_thinned_evenly() {
        let mut moments = Moments::default();
        (0..1000).for_each(|k| moments.push((0, 0, 0), [0.0, 0.0, f64::from(k)]));
        moments.thin(10);
        let did: Vec<f64> = moments.numbers.chunks(3).map(|one| one[2]).collect();
        assert_eq!(did, (0..10).map(|k| f64::from(k) * 100.0 + 99.0).collect::<Vec<_>>());
    }
}
