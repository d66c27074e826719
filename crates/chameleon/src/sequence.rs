//! What was observed of a life: stimuli and actions, tick by tick.

use thiserror::Error;

use crate::layout::Layout;

/// Stands for a low-level stimulus that is not known.
pub(crate) const UNKNOWN: u16 = u16::MAX;

/// Stimuli and actions of one life, as columns. Every value lies within the layout it was made for.
///
/// ```
/// use repertoire_chameleon::{Layout, Sequence};
///
/// // Two decisions; a high-level stimulus of 2 values, a low-level one of 3, an external action of 3.
/// let layout = Layout::plain(2, &[2], &[3], &[], &[3])?;
/// let mut life = Sequence::new(&layout);
/// life.push(&layout, &[1], &[Some(2)], &[], |_action, _slot| 2)?;
/// life.push(&layout, &[0], &[None], &[], |_, _| 1)?; // nobody in view
/// assert_eq!((life.len(), life.low(0, 0), life.low(1, 0)), (2, Some(2), None));
/// // A value that the stimulus does not have is refused.
/// assert!(life.push(&layout, &[2], &[None], &[], |_, _| 0).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Sequence {
    ticks: usize,
    /// `[t][i]`.
    high: Vec<u16>,
    /// `[t][slot]`.
    low: Vec<u16>,
    /// `[t][u]`.
    reflexive: Vec<u16>,
    /// For each external action `[t]`, or `[t][slot]` if it is seen from the stimulus.
    external: Vec<Vec<u16>>,
    stimuli: (usize, usize),
}

/// Why a tick was refused; the sequence is as it was.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SequenceError {
    /// A list of another length.
    #[error("{found} values for {expected} {what}")]
    Length {
        /// Of what.
        what: &'static str,
        /// How many there are.
        found: usize,
        /// How many there should be.
        expected: usize,
    },
    /// A value that is none.
    #[error("{what} {index} has the value {found}, its values go up to {most}")]
    Value {
        /// Of what.
        what: &'static str,
        /// Which one.
        index: usize,
        /// What was found.
        found: usize,
        /// The greatest value.
        most: usize,
    },
}

impl Sequence {
    /// Nothing observed yet.
    pub fn new(layout: &Layout) -> Self {
        let shape = layout.shape();
        Sequence {
            ticks: 0,
            high: Vec::new(),
            low: Vec::new(),
            reflexive: Vec::new(),
            external: vec![Vec::new(); shape.external.len()],
            stimuli: (shape.high.len(), shape.slots.len()),
        }
    }

    /// Adds a tick. `external(f, slot)` is the value of external action `f` seen from a slot; it is asked only for known slots,
    /// and with slot 0 for actions that are not seen from a stimulus.
    pub fn push(
        &mut self,
        layout: &Layout,
        high: &[u16],
        low: &[Option<u16>],
        reflexive: &[u16],
        external: impl Fn(usize, usize) -> u16,
    ) -> Result<(), SequenceError> {
        let shape = layout.shape();
        check_list("high-level stimuli", high, shape.high.iter().copied())?;
        check_list("reflexive actions", reflexive, shape.reflexive.iter().map(|action| action.count))?;
        if low.len() != shape.slots.len() {
            let (found, expected) = (low.len(), shape.slots.len());
            return Err(SequenceError::Length { what: "low-level stimuli", found, expected });
        }
        for (slot, (value, &kind)) in low.iter().zip(&shape.slots).enumerate() {
            if let Some(value) = value {
                check("low-level stimulus", slot, *value, shape.low[kind])?;
            }
        }
        let mut columns: Vec<Vec<u16>> = Vec::with_capacity(shape.external.len());
        for (f, action) in shape.external.iter().enumerate() {
            let mut values = Vec::new();
            if action.relative {
                for (slot, known) in low.iter().enumerate() {
                    values.push(if known.is_some() { external(f, slot) } else { 0 });
                }
            } else {
                values.push(external(f, 0));
            }
            for &value in &values {
                check("external action", f, value, action.count)?;
            }
            columns.push(values);
        }
        self.high.extend_from_slice(high);
        self.low.extend(low.iter().map(|value| value.unwrap_or(UNKNOWN)));
        self.reflexive.extend_from_slice(reflexive);
        for (column, values) in self.external.iter_mut().zip(columns) {
            column.extend(values);
        }
        self.ticks += 1;
        Ok(())
    }

    /// How many ticks it has.
    pub fn len(&self) -> usize {
        self.ticks
    }

    /// Whether nothing was observed.
    pub fn is_empty(&self) -> bool {
        self.ticks == 0
    }

    /// High-level stimuli of a tick.
    #[inline]
    pub fn high(&self, t: usize) -> &[u16] {
        let width = self.stimuli.0;
        &self.high[t * width..(t + 1) * width]
    }

    /// The value of a slot, if it was known.
    pub fn low(&self, t: usize, slot: usize) -> Option<u16> {
        Some(self.low[t * self.stimuli.1 + slot]).filter(|&value| value != UNKNOWN)
    }

    /// All slots of a tick; [`UNKNOWN`] for those not known.
    #[inline]
    pub(crate) fn slots(&self, t: usize) -> &[u16] {
        let width = self.stimuli.1;
        &self.low[t * width..(t + 1) * width]
    }

    /// Reflexive actions of a tick.
    #[inline]
    pub fn reflexive(&self, t: usize) -> &[u16] {
        let width = self.reflexive.len().checked_div(self.ticks).unwrap_or(0);
        &self.reflexive[t * width..(t + 1) * width]
    }

    /// An external action of a tick, seen from a slot.
    #[inline]
    pub fn external(&self, t: usize, f: usize, slot: usize) -> u16 {
        let column = &self.external[f];
        if column.len() == self.ticks { column[t] } else { column[t * self.stimuli.1 + slot] }
    }

    /// The same life with actions `delay` ticks after the stimuli they are taken to answer (figure 4.21). Actions seen
    /// from a stimulus stay as they were seen: rebuild the sequence from the world instead.
    pub fn delayed(&self, delay: usize) -> Self {
        let ticks = self.ticks.saturating_sub(delay);
        let (high, slots) = self.stimuli;
        let later = |column: &[u16]| {
            let width = column.len().checked_div(self.ticks).unwrap_or(0);
            column[(self.ticks - ticks) * width..].to_vec()
        };
        Sequence {
            ticks,
            high: self.high[..ticks * high].to_vec(),
            low: self.low[..ticks * slots].to_vec(),
            reflexive: later(&self.reflexive),
            external: self.external.iter().map(|column| later(column)).collect(),
            stimuli: self.stimuli,
        }
    }

    /// The last `ticks` ticks.
    pub fn tail(&self, ticks: usize) -> Self {
        let from = self.ticks.saturating_sub(ticks);
        let cut = |column: &[u16]| {
            let width = column.len().checked_div(self.ticks).unwrap_or(0);
            column[from * width..].to_vec()
        };
        Sequence {
            ticks: self.ticks - from,
            high: cut(&self.high),
            low: cut(&self.low),
            reflexive: cut(&self.reflexive),
            external: self.external.iter().map(|column| cut(column)).collect(),
            stimuli: self.stimuli,
        }
    }
}

/// Lives as bytes, to keep them between iterations: for each its ticks, then its columns.
pub fn to_bytes(lives: &[Sequence]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for life in lives {
        bytes.extend_from_slice(&(life.ticks as u64).to_le_bytes());
        let columns = [&life.high, &life.low, &life.reflexive].into_iter().chain(&life.external);
        for column in columns {
            bytes.extend_from_slice(&(column.len() as u64).to_le_bytes());
            column.iter().for_each(|value| bytes.extend_from_slice(&value.to_le_bytes()));
        }
    }
    bytes
}

/// The opposite. None if they are no lives of this layout.
pub fn from_bytes(layout: &Layout, mut bytes: &[u8]) -> Option<Vec<Sequence>> {
    let mut lives = Vec::new();
    while !bytes.is_empty() {
        let mut life = Sequence::new(layout);
        life.ticks = usize::try_from(number(&mut bytes)?).ok()?;
        let Sequence { high, low, reflexive, external, .. } = &mut life;
        for column in [high, low, reflexive].into_iter().chain(external) {
            let count = usize::try_from(number(&mut bytes)?).ok()?;
            let (values, rest) = bytes.split_at_checked(count.checked_mul(2)?)?;
            column.extend(values.as_chunks::<2>().0.iter().map(|two| u16::from_le_bytes(*two)));
            bytes = rest;
        }
        lives.push(life.fits(layout).then_some(life)?);
    }
    Some(lives)
}

fn number(bytes: &mut &[u8]) -> Option<u64> {
    let (eight, rest) = bytes.split_first_chunk()?;
    *bytes = rest;
    Some(u64::from_le_bytes(*eight))
}

impl Sequence {
    /// Whether every column has its length and every value lies within the layout.
    fn fits(&self, layout: &Layout) -> bool {
        let shape = layout.shape();
        let (ticks, slots) = (self.ticks, shape.slots.len());
        let long = |column: &[u16], width: usize| Some(column.len()) == ticks.checked_mul(width);
        let within = |column: &[u16], counts: &mut dyn Iterator<Item = usize>| {
            let counts: Vec<usize> = counts.collect();
            let row = |row: &[u16]| row.iter().zip(&counts).all(|(&value, &most)| usize::from(value) < most);
            column.chunks(counts.len().max(1)).all(row)
        };
        let known =
            |slot: usize, value: u16| value == UNKNOWN || usize::from(value) < shape.low[shape.slots[slot]];
        let actions = self.external.iter().zip(&shape.external);
        long(&self.high, shape.high.len())
            && long(&self.low, slots)
            && long(&self.reflexive, shape.reflexive.len())
            && within(&self.high, &mut shape.high.iter().copied())
            && self
                .low
                .chunks(slots.max(1))
                .all(|row| row.iter().enumerate().all(|(slot, &value)| known(slot, value)))
            && within(&self.reflexive, &mut shape.reflexive.iter().map(|action| action.count))
            && self.external.len() == shape.external.len()
            && actions.into_iter().all(|(column, action)| {
                let width = if action.relative { slots } else { 1 };
                long(column, width) && column.iter().all(|&value| usize::from(value) < action.count)
            })
    }
}

fn check(what: &'static str, index: usize, found: u16, count: usize) -> Result<(), SequenceError> {
    if usize::from(found) < count {
        return Ok(());
    }
    Err(SequenceError::Value { what, index, found: found.into(), most: count - 1 })
}

fn check_list(
    what: &'static str,
    values: &[u16],
    counts: impl ExactSizeIterator<Item = usize>,
) -> Result<(), SequenceError> {
    if values.len() != counts.len() {
        return Err(SequenceError::Length { what, found: values.len(), expected: counts.len() });
    }
    for (index, (&value, count)) in values.iter().zip(counts).enumerate() {
        check(what, index, value, count)?;
    }
    Ok(())
}

#[cfg(test)]
mod bytes {
    use super::*;

    #[test]
    fn lives_come_back_from_their_bytes_and_nothing_else_does() {
        let layout = Layout::plain(2, &[2], &[3], &[], &[3]).unwrap();
        let mut life = Sequence::new(&layout);
        life.push(&layout, &[1], &[Some(2)], &[], |_, _| 2).unwrap();
        life.push(&layout, &[0], &[None], &[], |_, _| 1).unwrap();
        let lives = vec![life.clone(), life];
        let bytes = to_bytes(&lives);
        assert_eq!(from_bytes(&layout, &bytes), Some(lives));
        let one = bytes.len() / 2;
        for end in (1..bytes.len()).filter(|&end| end != one) {
            assert_eq!(from_bytes(&layout, &bytes[..end]), None, "{end}");
        }
        let other = Layout::plain(2, &[2], &[2], &[], &[3]).unwrap();
        assert_eq!(from_bytes(&other, &bytes), None, "a value that it does not have");
    }
}
