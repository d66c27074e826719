//! Where each variable is in a packed state.

use crate::task::TaskError;

/// Where a variable is in a packed state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    /// Its lowest bit.
    pub shift: u32,
    /// How many bits it has.
    pub bits: u32,
}

impl Field {
    /// Its bits in a state.
    #[inline]
    pub fn mask(self) -> u64 {
        ((1 << self.bits) - 1) << self.shift
    }

    /// Its value in a state.
    #[inline]
    pub fn get(self, state: u64) -> u16 {
        (state >> self.shift & ((1 << self.bits) - 1)) as u16
    }
}

/// States of a task as words: each variable in its own bits.
#[derive(Clone, Debug)]
pub struct Layout {
    fields: Vec<Field>,
    sizes: Vec<u16>,
    /// The lowest bit of each variable.
    units: Vec<u64>,
    /// To tell in a few operations whether a word is a state: what is added to each field so that a value that is not
    /// there carries into the next one, the bits that fields begin at, and those that no field has.
    beyond: u64,
    starts: u64,
    unused: u64,
}

impl Layout {
    /// For variables with these numbers of values; `None` if they need more than 64 bits.
    pub fn new(sizes: &[u16]) -> Option<Self> {
        let mut fields = Vec::new();
        let mut shift = 0;
        for &size in sizes {
            let bits = (u32::from(size) - 1).checked_ilog2().map_or(1, |log| log + 1);
            fields.push(Field { shift, bits });
            shift += bits;
        }
        if shift > 64 {
            return None;
        }
        let field_of = |field: &Field, value: u64| value << field.shift;
        let beyond = |(field, &size): (&Field, &u16)| field_of(field, (1u64 << field.bits) - u64::from(size));
        Some(Layout {
            beyond: fields.iter().zip(sizes).map(beyond).fold(0, |all, one| all | one),
            starts: fields.iter().skip(1).fold(0, |all, field| all | 1 << field.shift),
            unused: fields.iter().fold(u64::MAX, |rest, field| rest & !field.mask()),
            units: fields.iter().map(|field| 1 << field.shift).collect(),
            sizes: sizes.to_vec(),
            fields,
        })
    }

    /// Where each variable is.
    pub fn fields(&self) -> &[Field] {
        &self.fields
    }

    /// How many bits a state has.
    pub fn bits(&self) -> u32 {
        self.fields.iter().map(|field| field.bits).sum()
    }

    /// All bits that a state may have.
    #[inline]
    pub fn mask(&self) -> u64 {
        !self.unused
    }

    /// A state as one word; refused unless it has a value that exists for each variable.
    pub fn pack(&self, state: &[u16]) -> Result<u64, TaskError> {
        let needed = self.fields.len();
        if state.len() != needed {
            return Err(TaskError::Length { what: "the state", needed, found: state.len() });
        }
        let mut word = 0;
        for (var, ((&value, field), &size)) in state.iter().zip(&self.fields).zip(&self.sizes).enumerate() {
            if value >= size {
                return Err(TaskError::NoSuchFact { place: "the state".into(), var: var as u32, value });
            }
            word |= u64::from(value) << field.shift;
        }
        Ok(word)
    }

    /// A state and a goal as words, and the bits that the goal names; `None` unless both fit.
    ///
    /// Half of what [`crate::Planner`] pays to plan in words: products instead of shifts (a shift by a variable amount is three
    /// operations), a closer look only where the goal is not what holds already, and a function of its own, so that nothing
    /// else takes its registers.
    #[inline(never)]
    pub(crate) fn pack_instance(&self, init: &[u16], goal: &[Option<u16>]) -> Option<(u64, u64, u64)> {
        let count = self.units.len();
        if init.len() != count || goal.len() != count || self.sizes.len() != count {
            return None;
        }
        let (mut from, mut flip, mut named) = (0u64, 0u64, !self.unused);
        for at in 0..count {
            let (value, unit, size) = (init[at], self.units[at], self.sizes[at]);
            if value >= size {
                return None;
            }
            from += u64::from(value) * unit;
            match goal[at] {
                Some(wanted) if wanted == value => {}
                Some(wanted) if wanted >= size => return None,
                Some(wanted) => flip |= u64::from(wanted ^ value) * unit,
                None => named &= !self.fields[at].mask(),
            }
        }
        Some((from, from ^ flip, named))
    }

    /// Whether a word is a state: every variable has a value that exists, and no other bit is set.
    #[inline]
    pub fn is_state(&self, state: u64) -> bool {
        let (sum, carried_out) = state.overflowing_add(self.beyond);
        // What a field carries arrives in the next one's first bit, or in the first bit that no field has.
        let carried = (state ^ self.beyond ^ sum) & (self.starts | self.unused);
        carried == 0 && state & self.unused == 0 && !carried_out
    }

    /// A word as a state; variables beyond the end of `out` are left out.
    pub fn unpack(&self, state: u64, out: &mut [u16]) {
        out.iter_mut().zip(&self.fields).for_each(|(value, field)| *value = field.get(state));
    }
}
