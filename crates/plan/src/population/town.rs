//! A town: characters of several classes, whose plans stand in a table for each class.
//!
//! A class has few states and goals, so every plan it may ever need is made at once, one row for each goal and state. A
//! character's *key* is its goal and state in one number, and the *handle* of its plan is the row: the class's first row
//! plus the key. Planning is that addition, for eight or sixteen characters at a time; a plan is read only by whoever
//! follows it.
//!
//! A class whose keys need more than 16 bits has no such table: its rows are made when somebody first needs them, and found
//! again by key. New ones are numbered in the order of characters and planned on all cores, so that everything is the same
//! for any number of threads.
//!
//! Rejected: a table from keys to the numbers of distinct plans. It gave equal plans equal handles, at two look-ups for a
//! plan instead of one; in a town that the caches hold, the first of them alone took two to three times as long as
//! writing its result, and twice as long even when a table over pairs of characters halved the look-ups.

use rayon::prelude::*;

use super::memo::Memo;
use super::{GAVE_UP, PlanSlot, UNSOLVABLE};
use crate::domain::{Class, Domain};
use crate::packed::{Layout, Packed, PackedTask};
use crate::planner::{Outcome, Planner};
use crate::task::TaskError;

/// Characters a thread takes at a time: enough that handing out work costs nothing beside it.
const CHUNK: usize = 1 << 16;

/// A town: characters of several classes, grouped by class, each with a state over its class's variables and a goal.
///
/// ```
/// use repertoire_plan::{domain, population::Town};
/// let western = domain::domain("western").expect("shipped");
/// let mut town = Town::new(&western)?;
/// let key = town.key(0, 0, &vec![0; western.classes[0].variables.len()])?;
/// let somebody = town.add(0, key);
/// town.plan_all();
/// assert!(town.plan(0, somebody).is_some());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Town {
    pub(super) tables: Vec<ClassTable>,
    /// The rows of all tables; a handle is an index into it. Actions are numbered as in their class. Row 0 is empty: the
    /// plan of who was never planned for. After the rows of tables come those of large classes.
    rows: Vec<PlanSlot>,
    /// How many of the rows are those of tables.
    table_rows: usize,
    /// Plans that are longer than a row.
    long: Vec<Box<[u8]>>,
    groups: Vec<Group>,
}

/// What all characters of a class share.
#[derive(Clone, Debug)]
pub(super) struct ClassTable {
    pub layout: Layout,
    /// `None` where the class does not fit words: then the planner alone plans.
    pub packed: Option<PackedTask>,
    pub planner: Planner,
    /// For each goal: which bits it names, and their values.
    pub goals: Vec<(u64, u64)>,
    /// Whether variables that a goal does not name stay as they were; otherwise they may change.
    keep_unnamed: bool,
    pub bits: u32,
    /// The most rows a table may have.
    most_rows: usize,
}

/// The characters of one class, beside the little that planning for them needs.
#[derive(Clone, Debug)]
struct Group {
    /// Where the class's rows begin, if it has a table, and how many keys there are.
    first_row: u32,
    key_count: u64,
    /// Goal and state of each character, in one number: [`Town::key`].
    keys: Keys,
    /// The rows of keys that were planned for, in classes without a table.
    memo: Memo,
    /// The plan of each character.
    handles: Vec<u32>,
}

/// A column of keys, as narrow as the class allows: reading them is half of what planning costs.
#[derive(Clone, Debug)]
pub(super) enum Keys {
    Narrow(Vec<u8>),
    Wide(Vec<u16>),
    Broad(Vec<u32>),
    /// Of a class without a table.
    Large(Vec<u64>),
}

/// Why a class has no table.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TownError {
    /// An action of the class needs another class's variable.
    #[error("the class `{0}` needs variables that are not its own")]
    NotItsOwn(String),
    /// A plan is a list of bytes.
    #[error("the class `{0}` has more than 255 actions\n  remedy: split the class")]
    TooManyActions(String),
    /// Its states and goals do not fit a word.
    #[error(
        "the states and goals of the class `{0}` need more than 64 bits\n  remedy: split the class, or plan with `Planner`"
    )]
    TooLarge(String),
}

/// Why there is no key.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum KeyError {
    /// A class that the town does not have.
    #[error("the town has {classes} classes, there is no class {class}")]
    NoSuchClass {
        /// The class.
        class: usize,
        /// How many there are.
        classes: usize,
    },
    /// A goal that the class does not have.
    #[error("the class has {goals} goals, there is no goal {goal}")]
    NoSuchGoal {
        /// The goal.
        goal: usize,
        /// How many there are.
        goals: usize,
    },
    /// A state that does not fit the class.
    #[error(transparent)]
    State(#[from] TaskError),
}

impl Town {
    /// A town of a domain's classes, still empty; plans for every state and goal of every class with a table are made now.
    pub fn new(domain: &Domain) -> Result<Self, TownError> {
        Self::with_tables(domain, 1 << 16)
    }

    /// The same with tables of up to this many rows a class, 16 bytes each: for worlds in which everybody plans all the time, and
    /// classes of which only few states are ever met. Tables are for classes of at most 24 bits, whatever is asked for.
    pub fn with_tables(domain: &Domain, most_rows: usize) -> Result<Self, TownError> {
        let mut town = Town {
            tables: Vec::new(),
            rows: vec![PlanSlot::default()],
            table_rows: 1,
            long: Vec::new(),
            groups: Vec::new(),
        };
        for class in &domain.classes {
            let table = ClassTable::new(domain, class, most_rows)?;
            let keys = (table.goals.len() as u64) << table.bits;
            let first_row = town.rows.len();
            let plans = if table.is_small() { table.plans(&(0..keys).collect::<Vec<u64>>()) } else { vec![] };
            plans.into_iter().for_each(|plan| town.push(plan));
            town.groups.push(Group::new(first_row as u32, keys, table.is_small()));
            town.tables.push(table);
        }
        town.table_rows = town.rows.len();
        Ok(town)
    }

    /// Appends a row.
    fn push(&mut self, plan: Planned) {
        self.rows.push(match plan {
            Planned::Row(row) => row,
            Planned::Long(actions) => {
                self.long.push(actions);
                let number = self.long.len() as u32 - 1;
                PlanSlot::long(number, self.long[number as usize][0])
            }
        });
    }

    /// A character's key: its goal, and its state packed over its class's variables. Refused unless the class has both.
    pub fn key(&self, class: usize, goal: usize, state: &[u16]) -> Result<u64, KeyError> {
        let classes = self.tables.len();
        let table = self.tables.get(class).ok_or(KeyError::NoSuchClass { class, classes })?;
        if goal >= table.goals.len() {
            return Err(KeyError::NoSuchGoal { goal, goals: table.goals.len() });
        }
        Ok(table.layout.pack(state)? | (goal as u64).checked_shl(table.bits).unwrap_or(0))
    }

    /// Adds a character, whom the next [`Town::plan_all`] plans for; returns its number within its class.
    ///
    /// # Panics
    /// Unless the key is one of this class ([`Town::key`], [`Town::is_key`]).
    pub fn add(&mut self, class: usize, key: u64) -> u32 {
        assert!(self.is_key(class, key), "a key of this class");
        let group = &mut self.groups[class];
        let character = group.handles.len() as u32;
        match &mut group.keys {
            Keys::Narrow(keys) => keys.push(key as u8),
            Keys::Wide(keys) => keys.push(key as u16),
            Keys::Broad(keys) => keys.push(key as u32),
            Keys::Large(keys) => keys.push(key),
        }
        group.handles.push(0);
        character
    }

    /// Adds characters of random classes, states and goals; `unit` gives numbers in `[0, 1)`. Nobody settles in a town in
    /// which nobody wants anything.
    pub fn settle(&mut self, count: usize, unit: &mut dyn FnMut() -> f64) {
        if self.tables.iter().all(|table| table.goals.is_empty()) {
            return;
        }
        let classes = self.tables.len() as f64;
        let mut added = 0;
        while added < count {
            let class = ((unit() * classes) as usize).min(self.tables.len() - 1);
            let key = self.tables[class].draw(unit);
            if self.is_key(class, key) {
                self.add(class, key);
                added += 1;
            }
        }
    }

    /// The state or goal of a character changed: plans for it, and looks at nobody else.
    ///
    /// There is no list of who changed, because writing it takes longer than planning.
    ///
    /// # Panics
    /// If the class has no such character, or the key is not one of this class.
    #[inline]
    pub fn set(&mut self, class: usize, character: u32, key: u64) {
        let group = &mut self.groups[class];
        assert!(key < group.key_count, "a key of this class");
        match &mut group.keys {
            Keys::Narrow(keys) => keys[character as usize] = key as u8,
            Keys::Wide(keys) => keys[character as usize] = key as u16,
            Keys::Broad(keys) => keys[character as usize] = key as u32,
            Keys::Large(_) => return self.set_large(class, character, key),
        }
        group.handles[character as usize] = group.first_row + key as u32;
    }

    #[cold]
    fn set_large(&mut self, class: usize, character: u32, key: u64) {
        assert!(self.is_key(class, key), "a key of this class");
        let group = &mut self.groups[class];
        let Keys::Large(keys) = &mut group.keys else { return };
        keys[character as usize] = key;
        let next = self.rows.len() as u32;
        let (row, is_new) = group.memo.find_or_insert(key, next);
        group.handles[character as usize] = row;
        if is_new {
            let plan = self.tables[class].plan(key);
            self.push(plan);
        }
    }

    /// Plans for everybody. Handles of classes without a table hold until then: rows that nobody needs any more are dropped once
    /// there are several times as many of them as characters.
    pub fn plan_all(&mut self) {
        self.groups.par_iter_mut().for_each(|group| match &group.keys {
            Keys::Narrow(keys) => find_rows(keys, group.first_row, &mut group.handles),
            Keys::Wide(keys) => find_rows(keys, group.first_row, &mut group.handles),
            Keys::Broad(keys) => find_rows(keys, group.first_row, &mut group.handles),
            Keys::Large(_) => {}
        });
        let is_large = |group: &Group| matches!(group.keys, Keys::Large(_));
        if !self.groups.iter().any(is_large) {
            return;
        }
        if self.rows.len() - self.table_rows > 4 * self.len() + 4096 {
            self.forget();
        }
        for class in 0..self.groups.len() {
            self.plan_large(class);
        }
    }

    /// Drops the rows of classes without a table.
    fn forget(&mut self) {
        self.rows.truncate(self.table_rows);
        let kept = self.rows.iter().filter(|row| row.elsewhere().is_some()).count();
        self.long.truncate(kept);
        self.groups.iter_mut().for_each(|group| group.memo.clear());
    }

    fn plan_large(&mut self, class: usize) {
        let group = &mut self.groups[class];
        let Keys::Large(keys) = &group.keys else { return };
        let first = self.rows.len() as u32;
        let mut new: Vec<u64> = Vec::new();
        for (&key, handle) in keys.iter().zip(&mut group.handles) {
            let (row, is_new) = group.memo.find_or_insert(key, first + new.len() as u32);
            *handle = row;
            if is_new {
                new.push(key);
            }
        }
        self.tables[class].plans(&new).into_iter().for_each(|plan| self.push(plan));
    }

    /// The plan of a character, in its class's own numbering of actions; `None` if there is none.
    ///
    /// # Panics
    /// If the class has no such character.
    pub fn plan(&self, class: usize, character: u32) -> Option<&[u8]> {
        self.plan_of(self.groups[class].handles[character as usize])
    }

    /// The plan that a handle stands for, in its class's own numbering of actions; `None` if there is none.
    ///
    /// # Panics
    /// If the handle is not this town's.
    #[inline]
    pub fn plan_of(&self, handle: u32) -> Option<&[u8]> {
        self.plan_in(&self.rows[handle as usize])
    }

    fn plan_in<'a>(&'a self, row: &'a PlanSlot) -> Option<&'a [u8]> {
        match row.elsewhere() {
            Some(number) => Some(&self.long[number as usize]),
            None => row.plan(),
        }
    }

    /// The handle of a key's plan, for worlds that keep the keys of their characters themselves; `None` for what is no key, and
    /// for classes without a table, whose rows come and go.
    ///
    /// ```
    /// use repertoire_plan::{domain, population::Town};
    /// let western = domain::domain("western").expect("shipped");
    /// let town = Town::new(&western)?;
    /// let key = town.key(0, 0, &[0, 0, 0])?;
    /// let handle = town.handle_of(0, key).expect("a small class");
    /// assert!(town.plan_of(handle).is_some_and(|plan| !plan.is_empty()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn handle_of(&self, class: usize, key: u64) -> Option<u32> {
        let group = self.groups.get(class)?;
        let has_table = !matches!(group.keys, Keys::Large(_));
        (has_table && self.is_key(class, key)).then(|| group.first_row + key as u32)
    }

    /// Whether it was proved that a handle has no plan; otherwise, if there is none, the budget ran out.
    ///
    /// # Panics
    /// If the handle is not this town's.
    pub fn is_unsolvable(&self, handle: u32) -> bool {
        self.rows[handle as usize].is_unsolvable()
    }

    /// The first action of the plan that a handle stands for, if there is any.
    ///
    /// # Panics
    /// If the handle is not this town's.
    #[inline]
    pub fn first_action(&self, handle: u32) -> Option<u8> {
        self.rows[handle as usize].first()
    }

    /// How many goals from how many states have no plan although it was not proved that there is none: the budget ran out. In
    /// classes without a table only those count that somebody asked for.
    pub fn given_up(&self) -> usize {
        self.rows.iter().filter(|row| row.is_given_up()).count()
    }

    /// The handles of a class's characters.
    ///
    /// # Panics
    /// If there is no such class.
    pub fn handles(&self, class: usize) -> &[u32] {
        &self.groups[class].handles
    }

    #[cfg(test)]
    pub(super) fn keys(&self, class: usize) -> &Keys {
        &self.groups[class].keys
    }

    /// All characters, class by class: the class of each, and their number in it.
    pub fn everybody(&self) -> Vec<(usize, u32)> {
        let of =
            |class: usize| (0..self.handles(class).len() as u32).map(move |character| (class, character));
        (0..self.classes()).flat_map(of).collect()
    }

    /// Everybody leaves; the tables stay.
    pub fn clear(&mut self) {
        for group in &mut self.groups {
            group.handles.clear();
            match &mut group.keys {
                Keys::Narrow(keys) => keys.clear(),
                Keys::Wide(keys) => keys.clear(),
                Keys::Broad(keys) => keys.clear(),
                Keys::Large(keys) => keys.clear(),
            }
        }
    }

    /// How many classes there are.
    pub fn classes(&self) -> usize {
        self.tables.len()
    }

    /// How many characters there are.
    pub fn len(&self) -> usize {
        self.groups.iter().map(|group| group.handles.len()).sum()
    }

    /// Whether nobody lives here.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many distinct plans there are, those of different classes counting apart; in classes without a table, among those
    /// that were asked for.
    pub fn distinct_plans(&self) -> usize {
        let of_class = |group: &Group| {
            let rows: Vec<&PlanSlot> = match &group.keys {
                Keys::Large(_) => group.memo.rows().map(|row| &self.rows[row as usize]).collect(),
                _ => self.rows[group.first_row as usize..][..group.key_count as usize].iter().collect(),
            };
            let mut plans: Vec<&[u8]> = rows.into_iter().filter_map(|row| self.plan_in(row)).collect();
            plans.sort_unstable();
            plans.dedup();
            plans.len()
        };
        self.groups.iter().map(of_class).sum()
    }

    /// How many goals and bits of state a class has.
    ///
    /// # Panics
    /// If there is no such class.
    pub fn shape(&self, class: usize) -> (usize, u32) {
        (self.tables[class].goals.len(), self.tables[class].bits)
    }

    /// Whether a key stands for a class, a goal and values that exist.
    pub fn is_key(&self, class: usize, key: u64) -> bool {
        let Some(table) = self.tables.get(class) else { return false };
        let (goal, state) = table.split(key);
        goal < table.goals.len() as u64 && table.layout.is_state(state)
    }
}

/// The row of each key, on all cores.
fn find_rows<K: Copy + Into<u32> + Sync>(keys: &[K], first: u32, out: &mut [u32]) {
    keys.par_chunks(CHUNK).zip(out.par_chunks_mut(CHUNK)).for_each(|(keys, out)| {
        for (&key, out) in keys.iter().zip(out) {
            *out = first + key.into();
        }
    });
}

impl Group {
    /// Nobody yet.
    fn new(first_row: u32, key_count: u64, is_small: bool) -> Self {
        let keys = match key_count {
            _ if !is_small => Keys::Large(Vec::new()),
            0..=0x100 => Keys::Narrow(Vec::new()),
            0x101..=0x1_0000 => Keys::Wide(Vec::new()),
            _ => Keys::Broad(Vec::new()),
        };
        Group { first_row, key_count, keys, memo: Memo::default(), handles: Vec::new() }
    }
}

/// A plan that is not yet in a row.
enum Planned {
    Row(PlanSlot),
    Long(Box<[u8]>),
}

impl Planned {
    fn of(actions: &[u8]) -> Self {
        match actions.len() <= PlanSlot::MOST {
            true => Planned::Row(PlanSlot::of(actions)),
            false => Planned::Long(actions.into()),
        }
    }
}

/// Instances that a thread plans for at a time.
const PLANNED_AT_ONCE: usize = 1 << 10;

impl ClassTable {
    pub fn new(domain: &Domain, class: &Class, most_rows: usize) -> Result<Self, TownError> {
        let name = || class.name.clone();
        let task = domain.class_task(class).ok_or_else(|| TownError::NotItsOwn(name()))?;
        // The last number stands for no action.
        if task.actions().len() > 255 {
            return Err(TownError::TooManyActions(name()));
        }
        let layout = Layout::new(task.sizes()).ok_or_else(|| TownError::TooLarge(name()))?;
        let bits = layout.bits();
        let goal_bits = u64::BITS - (class.goals.len() as u64).leading_zeros();
        if bits + goal_bits > 64 {
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
                mask |= layout.fields()[own].mask();
                value |= u64::from(wanted) << layout.fields()[own].shift;
            }
            goals.push((mask, value));
        }
        let keep_unnamed = domain.keep_unnamed;
        let packed = PackedTask::new(&task);
        Ok(ClassTable { layout, packed, planner: Planner::new(task), goals, keep_unnamed, bits, most_rows })
    }

    /// Whether there is a row for every key: not if that would be many searches for plans that may never be asked for.
    fn is_small(&self) -> bool {
        let most = if self.packed.is_some() { self.most_rows } else { self.most_rows.min(1 << 12) };
        self.bits <= 24 && (self.goals.len() << self.bits) <= most
    }

    /// Goal and state of a key.
    fn split(&self, key: u64) -> (u64, u64) {
        (key.checked_shr(self.bits).unwrap_or(0), key & self.layout.mask())
    }

    /// A number that may be a key.
    fn draw(&self, unit: &mut dyn FnMut() -> f64) -> u64 {
        if self.is_small() {
            return (unit() * (self.goals.len() << self.bits) as f64) as u64;
        }
        // Variable by variable: few words of so many bits would be states.
        let goal = (unit() * self.goals.len() as f64) as u64;
        let sizes = self.planner.task().sizes();
        let values = self.layout.fields().iter().zip(sizes);
        let state = values
            .fold(0, |state, (field, &size)| state | ((unit() * f64::from(size)) as u64) << field.shift);
        state | goal.checked_shl(self.bits).unwrap_or(0)
    }

    /// The plans of many keys, on all cores, in their order.
    fn plans(&self, keys: &[u64]) -> Vec<Planned> {
        let mut plans: Vec<Planned> = Vec::with_capacity(keys.len());
        let pieces: Vec<Vec<Planned>> = keys
            .par_chunks(PLANNED_AT_ONCE)
            .map(|keys| {
                // Only what words do not decide needs a planner of its own.
                let mut planner = None;
                keys.iter().map(|&key| self.plan_with(key, &mut planner)).collect()
            })
            .collect();
        pieces.into_iter().for_each(|piece| plans.extend(piece));
        plans
    }

    fn plan(&self, key: u64) -> Planned {
        self.plan_with(key, &mut None)
    }

    fn plan_with(&self, key: u64, planner: &mut Option<Planner>) -> Planned {
        let (goal, state) = self.split(key);
        let Some(&(mask, value)) = self.goals.get(goal as usize).filter(|_| self.layout.is_state(state))
        else {
            return Planned::Row(PlanSlot::none(UNSOLVABLE));
        };
        let named = if self.keep_unnamed { self.layout.mask() } else { mask };
        let wanted = state & !mask | value;
        let mut plan = [0; 64];
        match self.packed.as_ref().map(|packed| packed.solve_open_unchecked(state, wanted, named, &mut plan))
        {
            Some(Packed::Plan(length)) => return Planned::of(&plan[..length]),
            Some(Packed::Unsolvable | Packed::NotAState) => return Planned::Row(PlanSlot::none(UNSOLVABLE)),
            Some(Packed::Undecided) | None => {}
        }
        let planner = planner.get_or_insert_with(|| self.planner.clone());
        let fields = self.layout.fields();
        let init: Vec<u16> = fields.iter().map(|field| field.get(state)).collect();
        let is_named = |field: &crate::packed::Field| field.mask() & named != 0;
        let goal: Vec<Option<u16>> =
            fields.iter().map(|field| is_named(field).then(|| field.get(wanted))).collect();
        match planner.solve_unchecked(&init, &goal, None) {
            Outcome::Plan { actions, .. } => {
                let actions: Vec<u8> = actions.iter().map(|&action| action as u8).collect();
                Planned::of(&actions)
            }
            Outcome::Unsolvable => Planned::Row(PlanSlot::none(UNSOLVABLE)),
            Outcome::GaveUp { .. } => Planned::Row(PlanSlot::none(GAVE_UP)),
        }
    }
}
