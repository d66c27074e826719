//! Which actions can run, by tables.
//!
//! Variables that no action ties together, directly or through others, cannot disturb each other: a task falls into
//! parts. In a domain of character classes a part is a class, and has so few states that a table says for each of them
//! which actions can run. (It is a table of conditions, not of plans.)

use super::{Field, PackedAction, bits};
use crate::chains::bytes_of;

/// Parts that fit this many bits have tables, of 16 KiB at most.
const TABLE_BITS: u32 = 10;

/// What can be said about many actions at once.
pub(super) trait Window {
    /// Actions all of whose conditions on other variables hold, as far as that is known without looking at each.
    fn met(&self, state: u64) -> u64;
    /// What is seen of a state: all that planning changes.
    fn narrow(&self, state: u64) -> u64;
    /// The state of which that is seen, everything else being as in another.
    fn widen(&self, seen: u64, rest: u64) -> u64;
    /// What an action changes in what is seen.
    fn flip(&self, action: &PackedAction) -> u64;
    /// The waiting actions all of whose conditions hold in what is seen.
    fn runnable(&self, actions: &[PackedAction; 64], seen: u64, waiting: u64) -> u64;
}

/// All parts of a task.
#[derive(Clone, Debug, Default)]
pub(super) struct Parts {
    parts: Vec<Part>,
    /// The part of each bit of a state.
    of_bit: Vec<u8>,
    /// The part of each action.
    of_action: Vec<u8>,
}

#[derive(Clone, Debug)]
pub(super) struct Part {
    /// Its bits in a state.
    mask: u64,
    actions: u64,
    /// From its first bit to its last, others' bits in between included.
    shift: u32,
    low: u64,
    /// For each state within the window; empty if that is too wide.
    table: Vec<Entry>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Entry {
    met: u64,
    runnable: u64,
}

impl Parts {
    pub fn new(fields: &[Field], actions: &mut [PackedAction]) -> Self {
        let mut masks: Vec<u64> = fields.iter().map(|field| field.mask()).collect();
        for action in actions.iter() {
            let (tied, others): (Vec<u64>, Vec<u64>) =
                masks.iter().partition(|&&mask| mask & action.mask != 0);
            masks = others;
            masks.push(tied.iter().fold(0, |all, mask| all | mask));
        }
        let parts: Vec<Part> = masks.iter().map(|&mask| Part::new(mask, actions)).collect();
        let part_of = |set: u64| masks.iter().position(|mask| mask & set != 0).unwrap_or(0) as u8;
        let of_action: Vec<u8> = actions.iter().map(|action| part_of(action.mask)).collect();
        for (action, &part) in actions.iter_mut().zip(&of_action) {
            action.window_flip = action.flip >> parts[usize::from(part)].shift;
        }
        Parts { of_bit: (0..64).map(|bit| part_of(1 << bit)).collect(), of_action, parts }
    }

    /// What they take in memory.
    pub fn bytes(&self) -> usize {
        let tables = self.parts.iter().map(|part| bytes_of(&part.table)).sum::<usize>();
        tables + bytes_of(&self.parts) + bytes_of(&self.of_bit) + bytes_of(&self.of_action)
    }

    /// The part of all these bits; `None` if there are several, or it has no table.
    #[inline]
    pub fn one(&self, set: u64) -> Option<&Part> {
        let part = self.of_bit.get(set.trailing_zeros() as usize & 63)?;
        let part = self.parts.get(usize::from(*part))?;
        (set & !part.mask == 0 && !part.table.is_empty()).then_some(part)
    }
}

impl Part {
    fn new(mask: u64, actions: &[PackedAction]) -> Self {
        let shift = mask.trailing_zeros();
        let width = 64 - mask.leading_zeros() - shift;
        let own = (0..actions.len()).filter(|&index| actions[index].mask & mask != 0);
        let own = own.fold(0, |set, index| set | 1 << index);
        let mut part = Part { mask, actions: own, shift, low: u64::MAX >> (64 - width), table: Vec::new() };
        if width <= TABLE_BITS {
            part.table = (0..1u64 << width).map(|state| part.entry(actions, state << shift)).collect();
        }
        part
    }

    fn entry(&self, actions: &[PackedAction], state: u64) -> Entry {
        let mut entry = Entry::default();
        for index in bits(self.actions) {
            let wrong = (state ^ actions[index].value) & actions[index].mask;
            entry.runnable |= u64::from(wrong == 0) << index;
            entry.met |= u64::from(wrong & actions[index].prevail_mask == 0) << index;
        }
        entry
    }

    #[inline]
    fn look_up(&self, seen: u64) -> Entry {
        self.table[seen as usize]
    }
}

/// For instances and actions of this part alone.
impl Window for Part {
    #[inline]
    fn met(&self, state: u64) -> u64 {
        self.look_up(self.narrow(state)).met
    }

    #[inline]
    fn narrow(&self, state: u64) -> u64 {
        state >> self.shift & self.low
    }

    #[inline]
    fn widen(&self, seen: u64, rest: u64) -> u64 {
        rest & !(self.low << self.shift) | seen << self.shift
    }

    #[inline]
    fn flip(&self, action: &PackedAction) -> u64 {
        action.window_flip
    }

    #[inline]
    fn runnable(&self, _: &[PackedAction; 64], seen: u64, waiting: u64) -> u64 {
        self.look_up(seen).runnable & waiting
    }
}

/// For everything: a state is seen whole.
impl Window for Parts {
    fn met(&self, _: u64) -> u64 {
        0
    }

    fn narrow(&self, state: u64) -> u64 {
        state
    }

    fn widen(&self, seen: u64, _: u64) -> u64 {
        seen
    }

    fn flip(&self, action: &PackedAction) -> u64 {
        action.flip
    }

    fn runnable(&self, actions: &[PackedAction; 64], state: u64, mut waiting: u64) -> u64 {
        let mut runnable = 0;
        while waiting != 0 {
            let part = &self.parts[usize::from(self.of_action[waiting.trailing_zeros() as usize])];
            let own = waiting & part.actions;
            waiting &= !part.actions;
            if part.table.is_empty() {
                let can_run = |&index: &usize| (state ^ actions[index].value) & actions[index].mask == 0;
                runnable |= bits(own).filter(can_run).fold(0, |set, index| set | 1 << index);
            } else {
                runnable |= part.look_up(part.narrow(state)).runnable & own;
            }
        }
        runnable
    }
}
