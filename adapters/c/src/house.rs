//! The designs and minds that there are.
//!
//! Locks are taken in one order: designs, minds, threads, one mind, names and memory for deciding. A mind is looked up
//! under the lock of the table and used under its own, so that games may tick different minds on different threads.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use repertoire_mind::game::{Character, Deed, Design, Scratch, Senses};

use crate::fault::{Fault, REPERTOIRE_ERROR_BROKEN};
use crate::handles::{self, Table};
use crate::words::Words;

static DESIGNS: RwLock<Table<Arc<Kind>>> = RwLock::new(Table::new(handles::DESIGN));
static MINDS: RwLock<Table<Entry>> = RwLock::new(Table::new(handles::MIND));

/// A design, and what all minds of it share.
#[derive(Debug)]
pub struct Kind {
    /// Different for each design that was ever loaded.
    number: u64,
    pub design: Arc<Design>,
    pub words: Words,
    /// Memory for deciding, one for each thread that decides at a time. Boxed, because it holds a planner, which is much to
    /// move at every tick.
    #[allow(clippy::vec_box, reason = "it is taken out and put back at every tick")]
    spare: Mutex<Vec<Box<Scratch>>>,
}

impl Kind {
    pub fn new(design: Arc<Design>) -> Result<Arc<Self>, Fault> {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let words = Words::of(&design)?;
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        Ok(Arc::new(Kind { number, design, words, spare: Mutex::default() }))
    }

    /// Lends memory for deciding. After a panic it is not given back, since it may be half written.
    pub fn with_scratch<R>(&self, work: impl FnOnce(&mut Scratch) -> R) -> R {
        let spare = || self.spare.lock().unwrap_or_else(PoisonError::into_inner);
        let mut scratch = spare().pop().unwrap_or_default();
        let result = work(&mut scratch);
        spare().push(scratch);
        result
    }

    #[cfg(test)]
    pub fn spare_count(&self) -> usize {
        self.spare.lock().unwrap_or_else(PoisonError::into_inner).len()
    }
}

/// A place in the table of minds. The number of its design is here, so that a population can be checked without
/// touching each mind.
#[derive(Debug)]
pub struct Entry {
    pub kind: u64,
    pub resident: Arc<Resident>,
}

/// A mind, and what is shared with others of its design.
#[derive(Debug)]
pub struct Resident {
    pub kind: Arc<Kind>,
    mind: Mutex<Mind>,
}

/// One character and what it senses.
#[derive(Debug)]
pub struct Mind {
    pub character: Character,
    pub senses: Senses,
    pub deed: Option<Deed>,
}

impl Mind {
    pub fn tick(&mut self, scratch: &mut Scratch) -> Deed {
        let deed = self.character.tick(&self.senses, scratch);
        self.deed = Some(deed);
        deed
    }
}

impl Resident {
    /// The mind, unless a defect left it half changed.
    pub fn lock(&self) -> Result<MutexGuard<'_, Mind>, Fault> {
        let broken =
            "a defect ended an earlier call while it changed this mind\n  remedy: restore it or free it";
        self.mind.lock().map_err(|_| Fault::new(REPERTOIRE_ERROR_BROKEN, broken))
    }

    /// Puts another mind in its place, which mends a broken one.
    pub fn replace(&self, mind: Mind) {
        let mut place = self.mind.lock().unwrap_or_else(PoisonError::into_inner);
        self.mind.clear_poison();
        *place = mind;
    }
}

pub fn designs() -> RwLockReadGuard<'static, Table<Arc<Kind>>> {
    DESIGNS.read().unwrap_or_else(PoisonError::into_inner)
}

pub fn designs_mut() -> RwLockWriteGuard<'static, Table<Arc<Kind>>> {
    DESIGNS.write().unwrap_or_else(PoisonError::into_inner)
}

pub fn minds() -> RwLockReadGuard<'static, Table<Entry>> {
    MINDS.read().unwrap_or_else(PoisonError::into_inner)
}

pub fn minds_mut() -> RwLockWriteGuard<'static, Table<Entry>> {
    MINDS.write().unwrap_or_else(PoisonError::into_inner)
}

/// Looks a design up.
pub fn kind(design: u64) -> Result<Arc<Kind>, Fault> {
    designs().get(design).cloned()
}

/// Looks a mind up.
pub fn resident(mind: u64) -> Result<Arc<Resident>, Fault> {
    minds().get(mind).map(|entry| Arc::clone(&entry.resident))
}

/// Does something with a mind.
pub fn with_mind<R>(mind: u64, work: impl FnOnce(&Kind, &mut Mind) -> Result<R, Fault>) -> Result<R, Fault> {
    let resident = resident(mind)?;
    let mut mind = resident.lock()?;
    work(&resident.kind, &mut mind)
}

/// A new mind, not in the table yet.
pub fn born(kind: &Arc<Kind>, character: Character) -> Entry {
    let mind = Mutex::new(Mind { senses: kind.design.senses(), character, deed: None });
    Entry { kind: kind.number, resident: Arc::new(Resident { kind: Arc::clone(kind), mind }) }
}
