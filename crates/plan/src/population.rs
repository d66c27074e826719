//! Plans for whole populations, stored as columns.
//!
//! | way                      | what it does                                     | cost                        |
//! |--------------------------|--------------------------------------------------|-----------------------------|
//! | [`plan_each`]            | every character from scratch                     | a plan each                 |
//! | [`plan_distinct`]        | identical instances once                         | a look-up each              |
//! | [`Town::plan_all`]       | a table for each class over its own variables    | a read and a write each     |
//! | [`Town::plan_changed`]   | only those whose state changed                   | nothing for the others      |
//!
//! All four give the same plans, for any number of threads: work is cut into chunks of fixed size, gathered in order.
//! Nothing is allocated for a character; what few instances the packed tiers do not decide go to the full planner.

use rayon::prelude::*;

use crate::domain::{Class, Domain};
use crate::packed::{Packed, PackedTask};
use crate::planner::{Outcome, Planner};

/// Characters a thread takes at a time; fixed, so that results do not depend on threads.
const CHUNK: usize = 4096;

/// A plan in place: up to 15 actions by index.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PlanSlot([u8; 16]);

/// Marks in the first byte of a slot.
const UNSOLVABLE: u8 = 255;
const GAVE_UP: u8 = 254;

impl PlanSlot {
    /// The most actions a slot holds; longer plans count as given up.
    pub const MOST: usize = 15;

    fn of(actions: &[u8]) -> Self {
        let mut slot = [0; 16];
        if actions.len() > PlanSlot::MOST {
            slot[0] = GAVE_UP;
        } else {
            slot[0] = actions.len() as u8;
            slot[1..=actions.len()].copy_from_slice(actions);
        }
        PlanSlot(slot)
    }

    /// The plan; `None` if there is none.
    pub fn plan(&self) -> Option<&[u8]> {
        (self.0[0] < GAVE_UP).then(|| &self.0[1..=self.0[0] as usize])
    }

    /// Whether it was proved that there is no plan.
    pub fn is_unsolvable(&self) -> bool {
        self.0[0] == UNSOLVABLE
    }
}

/// One instance by all tiers.
fn plan_one(packed: &PackedTask, planner: &Planner, init: u64, goal: u64) -> PlanSlot {
    let mut plan = [0; 64];
    match packed.solve(init, goal, &mut plan) {
        Packed::Plan(length) => PlanSlot::of(&plan[..length]),
        Packed::Unsolvable => PlanSlot([UNSOLVABLE; 16]),
        Packed::Undecided => plan_slowly(packed, planner, init, goal),
    }
}

#[cold]
fn plan_slowly(packed: &PackedTask, planner: &Planner, init: u64, goal: u64) -> PlanSlot {
    let mut state = vec![0; packed.fields().len()];
    packed.unpack(goal, &mut state);
    let wanted: Vec<Option<u16>> = state.iter().copied().map(Some).collect();
    packed.unpack(init, &mut state);
    match planner.clone().solve(&state, &wanted, None) {
        Outcome::Plan { actions, .. } => {
            let actions: Vec<u8> = actions.iter().map(|&action| action as u8).collect();
            PlanSlot::of(&actions)
        }
        Outcome::Unsolvable => PlanSlot([UNSOLVABLE; 16]),
        Outcome::GaveUp { .. } => PlanSlot([GAVE_UP; 16]),
    }
}

/// Plans from scratch for every character: columns of packed states and goals, a column of plans.
pub fn plan_each(packed: &PackedTask, planner: &Planner, init: &[u64], goal: &[u64], out: &mut [PlanSlot]) {
    assert!(init.len() == goal.len() && init.len() == out.len(), "columns of one population");
    let columns = init.par_chunks(CHUNK).zip(goal.par_chunks(CHUNK)).zip(out.par_chunks_mut(CHUNK));
    columns.for_each(|((init, goal), out)| {
        for ((&init, &goal), out) in init.iter().zip(goal).zip(out) {
            *out = plan_one(packed, planner, init, goal);
        }
    });
}

/// Working memory to find identical instances; reused from frame to frame.
#[derive(Clone, Debug, Default)]
pub struct Distinct {
    /// Open addressing: (state, goal, plan's number + 1); 0 is empty.
    table: Vec<(u64, u64, u32)>,
    /// The plans of the distinct instances.
    pub plans: Vec<PlanSlot>,
}

/// Plans once for identical instances; `out` receives the number of each character's plan in `distinct.plans`.
pub fn plan_distinct(
    packed: &PackedTask,
    planner: &Planner,
    init: &[u64],
    goal: &[u64],
    distinct: &mut Distinct,
    out: &mut [u32],
) {
    assert!(init.len() == goal.len() && init.len() == out.len(), "columns of one population");
    distinct.plans.clear();
    distinct.table.clear();
    distinct.table.resize(1024, (0, 0, 0));
    for ((&init, &goal), out) in init.iter().zip(goal).zip(out) {
        let mut slot = distinct.slot(init, goal);
        if distinct.table[slot].2 == 0 {
            distinct.plans.push(plan_one(packed, planner, init, goal));
            distinct.table[slot] = (init, goal, distinct.plans.len() as u32);
            if distinct.plans.len() * 2 > distinct.table.len() {
                distinct.grow();
                slot = distinct.slot(init, goal);
            }
        }
        *out = distinct.table[slot].2 - 1;
    }
}

impl Distinct {
    #[inline]
    fn slot(&self, init: u64, goal: u64) -> usize {
        let hash = (init ^ goal.rotate_left(29)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mask = self.table.len() - 1;
        let mut slot = (hash >> 32) as usize & mask;
        while self.table[slot].2 != 0 && (self.table[slot].0, self.table[slot].1) != (init, goal) {
            slot = (slot + 1) & mask;
        }
        slot
    }

    fn grow(&mut self) {
        let full = std::mem::take(&mut self.table);
        self.table = vec![(0, 0, 0); full.len() * 2];
        for entry in full.into_iter().filter(|entry| entry.2 != 0) {
            let slot = self.slot(entry.0, entry.1);
            self.table[slot] = entry;
        }
    }
}

/// A town: characters of several classes, grouped by class, each with a state over its class's variables and a goal.
#[derive(Clone, Debug)]
pub struct Town {
    tables: Vec<ClassTable>,
    /// All distinct plans; a handle is an index into it. Actions are numbered as in their class.
    plans: Vec<PlanSlot>,
    groups: Vec<Group>,
}

/// What all characters of a class share.
#[derive(Clone, Debug)]
struct ClassTable {
    packed: PackedTask,
    planner: Planner,
    /// For each goal: which bits it names, and their values.
    goals: Vec<(u64, u64)>,
    bits: u32,
    /// The plan of each (goal, state). As long as a key can say, so that looking up needs no check.
    handles: Box<[u32; 1 << 16]>,
}

/// The characters of one class.
#[derive(Clone, Debug, Default)]
pub struct Group {
    class: usize,
    /// Goal and state of each character, in one word: [`Town::key`].
    keys: Vec<u16>,
    /// The plan of each character.
    handles: Vec<u32>,
    changed: Vec<u32>,
}

/// Why a class has no table.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TownError {
    /// An action of the class needs another class's variable.
    #[error("the class `{0}` needs variables that are not its own")]
    NotItsOwn(String),
    /// It is not unary and post-unique, or has more than 64 actions.
    #[error("the class `{0}` is not unary and post-unique, or has more than 64 actions")]
    NotFast(String),
    /// Its states and goals do not fit 16 bits.
    #[error("the states and goals of the class `{0}` need more than 16 bits")]
    TooLarge(String),
    /// Its goals leave variables open.
    #[error("the goals of the class `{0}` leave variables open; tables need goals that keep them")]
    OpenGoals(String),
}

impl Town {
    /// A town of a domain's classes, still empty; plans for every state and goal of every class are made now.
    pub fn new(domain: &Domain) -> Result<Self, TownError> {
        let mut town = Town { tables: Vec::new(), plans: vec![PlanSlot::default()], groups: Vec::new() };
        for (index, class) in domain.classes.iter().enumerate() {
            let mut table = ClassTable::new(domain, class)?;
            table.fill(&mut town.plans);
            town.tables.push(table);
            town.groups.push(Group { class: index, ..Group::default() });
        }
        Ok(town)
    }

    /// A character's key: its goal, and its state packed over its class's variables.
    pub fn key(&self, class: usize, goal: usize, state: &[u16]) -> u16 {
        let table = &self.tables[class];
        (goal << table.bits) as u16 | table.packed.pack(state) as u16
    }

    /// Adds a character; returns its number within its class.
    pub fn add(&mut self, class: usize, key: u16) -> u32 {
        assert!(self.is_key(class, key), "a key of this class");
        let group = &mut self.groups[class];
        group.keys.push(key);
        group.handles.push(0);
        group.changed.push(group.keys.len() as u32 - 1);
        group.keys.len() as u32 - 1
    }

    /// Adds characters of random classes, states and goals; `unit` gives numbers in `[0, 1)`.
    pub fn settle(&mut self, count: usize, unit: &mut dyn FnMut() -> f64) {
        let classes = self.tables.len() as f64;
        let mut added = 0;
        while added < count {
            let class = (unit() * classes) as usize;
            let (goals, bits) = self.shape(class);
            let key = (unit() * (goals << bits) as f64) as u16;
            if self.is_key(class, key) {
                self.add(class, key);
                added += 1;
            }
        }
    }

    /// The state or goal of a character changed: it will be planned for in the next [`Town::plan_changed`].
    #[inline]
    pub fn set(&mut self, class: usize, character: u32, key: u16) {
        let group = &mut self.groups[class];
        if group.keys[character as usize] != key {
            group.keys[character as usize] = key;
            group.changed.push(character);
        }
    }

    /// Plans for everybody.
    pub fn plan_all(&mut self) {
        let tables = &self.tables;
        self.groups.par_iter_mut().for_each(|group| {
            let handles = &tables[group.class].handles;
            let columns = group.keys.par_chunks(CHUNK * 8).zip(group.handles.par_chunks_mut(CHUNK * 8));
            columns.for_each(|(keys, out)| look_up(handles, keys, out));
            group.changed.clear();
        });
    }

    /// Plans only for those whose state or goal changed since.
    pub fn plan_changed(&mut self) {
        for group in &mut self.groups {
            let handles = &self.tables[group.class].handles;
            for character in group.changed.drain(..) {
                group.handles[character as usize] = handles[group.keys[character as usize] as usize];
            }
        }
    }

    /// The plan of a character, in its class's own numbering of actions; `None` if there is none.
    pub fn plan(&self, class: usize, character: u32) -> Option<&[u8]> {
        self.plans[self.groups[class].handles[character as usize] as usize].plan()
    }

    /// The handles of a class's characters.
    pub fn handles(&self, class: usize) -> &[u32] {
        &self.groups[class].handles
    }

    /// How many characters there are.
    pub fn len(&self) -> usize {
        self.groups.iter().map(|group| group.keys.len()).sum()
    }

    /// Whether nobody lives here.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many distinct plans there are.
    pub fn distinct_plans(&self) -> usize {
        self.plans.len()
    }

    /// How many goals and bits of state a class has.
    pub fn shape(&self, class: usize) -> (usize, u32) {
        (self.tables[class].goals.len(), self.tables[class].bits)
    }

    /// Whether a key stands for values that exist.
    pub fn is_key(&self, class: usize, key: u16) -> bool {
        let table = &self.tables[class];
        let goal = usize::from(key) >> table.bits;
        goal < table.goals.len() && table.is_state(u64::from(key) & ((1 << table.bits) - 1))
    }
}

/// Eight at a time: one by one, counting costs as much as looking up.
#[inline]
fn look_up(handles: &[u32; 1 << 16], keys: &[u16], out: &mut [u32]) {
    let (key_blocks, last_keys) = keys.as_chunks::<8>();
    let (out_blocks, last_out) = out.as_chunks_mut::<8>();
    for (keys, out) in key_blocks.iter().zip(out_blocks) {
        for at in 0..8 {
            out[at] = handles[keys[at] as usize];
        }
    }
    for (&key, out) in last_keys.iter().zip(last_out) {
        *out = handles[key as usize];
    }
}

impl ClassTable {
    fn new(domain: &Domain, class: &Class) -> Result<Self, TownError> {
        let name = || class.name.clone();
        let task = domain.class_task(class).ok_or_else(|| TownError::NotItsOwn(name()))?;
        let packed = PackedTask::new(&task).ok_or_else(|| TownError::NotFast(name()))?;
        let bits: u32 = packed.fields().iter().map(|field| field.bits).sum();
        if bits > 16 || (class.goals.len() << bits) > 1 << 16 {
            return Err(TownError::TooLarge(name()));
        }
        let mut goals = Vec::new();
        for goal in &class.goals {
            let (mut mask, mut value) = (0, 0);
            for &(var, wanted) in &goal.facts {
                let own = class
                    .variables
                    .iter()
                    .position(|&own| own == var)
                    .ok_or_else(|| TownError::NotItsOwn(name()))?;
                mask |= packed.fields()[own].mask();
                value |= u64::from(wanted) << packed.fields()[own].shift;
            }
            if !domain.keep_unnamed && mask.count_ones() < bits {
                return Err(TownError::OpenGoals(name()));
            }
            goals.push((mask, value));
        }
        let handles =
            vec![0; 1 << 16].into_boxed_slice().try_into().unwrap_or_else(|_| unreachable!("of that length"));
        Ok(ClassTable { packed, planner: Planner::new(task), goals, bits, handles })
    }

    fn is_state(&self, state: u64) -> bool {
        let sizes = self.planner.task().sizes();
        self.packed.fields().iter().zip(sizes).all(|(field, &size)| field.get(state) < size)
    }

    /// Plans for every state and goal, giving equal plans one handle.
    fn fill(&mut self, plans: &mut Vec<PlanSlot>) {
        let first = plans.len();
        for goal in 0..self.goals.len() {
            let (mask, value) = self.goals[goal];
            for state in 0..1u64 << self.bits {
                if !self.is_state(state) {
                    continue;
                }
                let slot = plan_one(&self.packed, &self.planner, state, state & !mask | value);
                let known = plans[first..].iter().position(|known| *known == slot).map(|at| first + at);
                let handle = known.unwrap_or_else(|| {
                    plans.push(slot);
                    plans.len() - 1
                });
                self.handles[goal << self.bits | state as usize] = handle as u32;
            }
        }
    }
}

#[cfg(test)]
mod tests;
