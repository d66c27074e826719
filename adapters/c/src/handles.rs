//! Numbers instead of pointers.
//!
//! A handle holds a slot, how often the slot was used before (its generation) and the kind of thing. It is looked up at
//! every call, so a freed or made-up handle is an error and never a crash. A slot whose generations are used up is not
//! used again: a freed handle never comes back to life.
//!
//! ```text
//! 63    56 55          32 31             0
//! [ kind ] [ generation ] [     slot     ]
//! ```
//!
//! Rejected: pointers with a magic number behind them (looking at it after `free` is already undefined); structs around the
//! number, as Box2D has them (a C compiler would tell kinds apart, but not every language passes structs by value).

use crate::fault::{Fault, REPERTOIRE_ERROR_FREED, REPERTOIRE_ERROR_HANDLE, REPERTOIRE_ERROR_LIMIT};

/// The kinds of handles; far from 0 and from each other, so that small numbers and other libraries' handles are none.
pub const DESIGN: u8 = 0xD5;
pub const MIND: u8 = 0x9B;

const LAST_GENERATION: u32 = (1 << 24) - 1;

/// Things of one kind, by handle.
#[derive(Debug)]
pub struct Table<T> {
    kind: u8,
    slots: Vec<Slot<T>>,
    free: Vec<u32>,
}

#[derive(Debug)]
struct Slot<T> {
    generation: u32,
    item: Option<T>,
}

impl<T> Table<T> {
    pub const fn new(kind: u8) -> Self {
        Table { kind, slots: Vec::new(), free: Vec::new() }
    }

    /// How many slots there are: every slot's number is below.
    pub fn slots(&self) -> usize {
        self.slots.len()
    }

    /// Takes something in.
    pub fn insert(&mut self, item: T) -> Result<u64, Fault> {
        let slot = match self.free.pop() {
            Some(slot) => slot,
            None => {
                let slot = u32::try_from(self.slots.len()).ok().filter(|slot| *slot < u32::MAX).ok_or_else(
                    || Fault::new(REPERTOIRE_ERROR_LIMIT, format!("too many {}s; free some", self.word())),
                )?;
                self.slots.push(Slot { generation: 1, item: None });
                slot
            }
        };
        let at = &mut self.slots[slot as usize];
        at.item = Some(item);
        Ok(u64::from(self.kind) << 56 | u64::from(at.generation) << 32 | u64::from(slot))
    }

    /// Looks something up.
    pub fn get(&self, handle: u64) -> Result<&T, Fault> {
        let slot = slot_of(handle);
        match self.slots.get(slot) {
            Some(Slot { generation, item: Some(item) }) if handle == self.handle(slot, *generation) => {
                Ok(item)
            }
            _ => Err(self.refusal(handle)),
        }
    }

    /// Takes something out; its handle is dead from now on.
    pub fn remove(&mut self, handle: u64) -> Result<T, Fault> {
        self.get(handle)?;
        self.empty(slot_of(handle)).ok_or_else(|| self.refusal(handle))
    }

    /// Takes everything out; all handles are dead from now on.
    pub fn clear(&mut self) -> Vec<T> {
        (0..self.slots.len()).filter_map(|slot| self.empty(slot)).collect()
    }

    fn empty(&mut self, slot: usize) -> Option<T> {
        let at = &mut self.slots[slot];
        let item = at.item.take()?;
        if at.generation < LAST_GENERATION {
            at.generation += 1;
            self.free.push(slot as u32);
        }
        Some(item)
    }

    fn handle(&self, slot: usize, generation: u32) -> u64 {
        u64::from(self.kind) << 56 | u64::from(generation) << 32 | slot as u64
    }

    fn word(&self) -> &'static str {
        word(self.kind).unwrap_or("thing")
    }

    /// Why a handle is none of these; off the path of calls that go well.
    #[cold]
    fn refusal(&self, handle: u64) -> Fault {
        let (kind, generation) = ((handle >> 56) as u8, (handle >> 32) as u32 & LAST_GENERATION);
        let own = self.word();
        if kind != self.kind {
            let is = word(kind)
                .map_or("no handle of this library".to_owned(), |kind| format!("the handle of a {kind}"));
            return Fault::new(
                REPERTOIRE_ERROR_HANDLE,
                format!("{handle:#x} is {is}\n  remedy: pass a {own}"),
            );
        }
        match self.slots.get(slot_of(handle)) {
            Some(slot)
                if (1..slot.generation).contains(&generation)
                    || (generation == slot.generation && slot.item.is_none()) =>
            {
                let message =
                    format!("the {own} {handle:#x} was freed\n  remedy: drop its handle when you free it");
                Fault::new(REPERTOIRE_ERROR_FREED, message)
            }
            _ => Fault::new(
                REPERTOIRE_ERROR_HANDLE,
                format!("no {own} with the handle {handle:#x} was ever made"),
            ),
        }
    }
}

/// The slot that a handle names, whether or not there is one.
pub fn slot_of(handle: u64) -> usize {
    handle as u32 as usize
}

fn word(kind: u8) -> Option<&'static str> {
    match kind {
        DESIGN => Some("design"),
        MIND => Some("mind"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_freed_handle_never_comes_back_to_life() {
        let mut table = Table::new(MIND);
        let first = table.insert('a').unwrap();
        assert_eq!(table.remove(first), Ok('a'));
        let second = table.insert('b').unwrap();
        assert_eq!((slot_of(first), table.get(second)), (slot_of(second), Ok(&'b')));
        assert_eq!(table.get(first).unwrap_err().code, REPERTOIRE_ERROR_FREED);
        assert_eq!(table.remove(first).unwrap_err().code, REPERTOIRE_ERROR_FREED);
        // A slot ends with its last generation.
        table.slots[0].generation = LAST_GENERATION;
        let last = table.handle(0, LAST_GENERATION);
        assert_eq!(table.remove(last), Ok('b'));
        assert_eq!(table.get(last).unwrap_err().code, REPERTOIRE_ERROR_FREED);
        assert_eq!(slot_of(table.insert('c').unwrap()), 1);
        assert_eq!(table.get(last).unwrap_err().code, REPERTOIRE_ERROR_FREED);
    }

    #[test]
    fn made_up_handles_and_those_of_another_kind_are_told_apart() {
        let (mut minds, mut designs) = (Table::new(MIND), Table::new(DESIGN));
        let (mind, design) = (minds.insert(()).unwrap(), designs.insert(()).unwrap());
        for wrong in [0, 1, u64::MAX, design, mind + 1, mind + (1 << 32), mind ^ (1 << 56), mind - (1 << 32)]
        {
            assert_eq!(minds.get(wrong).unwrap_err().code, REPERTOIRE_ERROR_HANDLE, "{wrong:#x}");
        }
        assert!(minds.get(design).unwrap_err().message.contains("the handle of a design"));
        assert_eq!(minds.clear().len(), 1);
        assert_eq!(minds.get(mind).unwrap_err().code, REPERTOIRE_ERROR_FREED);
    }
}
