//! A town: characters of several classes, whose plans stand in a table for each class.
//!
//! A class has few states and goals, so every plan it may ever need is made at once, one row for each goal and state. A
//! character's *key* is its goal and state in one number, and the *handle* of its plan is the row: the class's first row
//! plus the key. Planning is that addition, for eight or sixteen characters at a time; a plan is read only by whoever
//! follows it.
//!
//! Rejected: a table from keys to the numbers of distinct plans. It gave equal plans equal handles, at two look-ups for a
//! plan instead of one; in a town that the caches hold, the first of them alone took two to three times as long as
//! writing its result, and twice as long even when a table over pairs of characters halved the look-ups.

use rayon::prelude::*;

use super::{PlanSlot, UNSOLVABLE, plan_fully, plan_one};
use crate::domain::{Class, Domain};
use crate::packed::PackedTask;
use crate::planner::Planner;
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
    /// plan of who was never planned for.
    rows: Vec<PlanSlot>,
    groups: Vec<Group>,
}

/// What all characters of a class share.
#[derive(Clone, Debug)]
pub(super) struct ClassTable {
    pub packed: PackedTask,
    pub planner: Planner,
    /// For each goal: which bits it names, and their values.
    pub goals: Vec<(u64, u64)>,
    /// Whether variables that a goal does not name stay as they were; otherwise they may change.
    keep_unnamed: bool,
    pub bits: u32,
}

/// The characters of one class, beside the little that planning for them needs.
#[derive(Clone, Debug)]
struct Group {
    /// Where the class's rows begin, and how many it has: one for each key.
    first_row: u32,
    rows: u32,
    /// Goal and state of each character, in one number: [`Town::key`].
    keys: Keys,
    /// The plan of each character.
    handles: Vec<u32>,
}

/// A column of keys, as narrow as the class allows: reading them is half of what planning costs.
#[derive(Clone, Debug)]
enum Keys {
    Narrow(Vec<u8>),
    Wide(Vec<u16>),
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
    /// A town of a domain's classes, still empty; plans for every state and goal of every class are made now.
    pub fn new(domain: &Domain) -> Result<Self, TownError> {
        let mut town = Town { tables: Vec::new(), rows: vec![PlanSlot::default()], groups: Vec::new() };
        for class in &domain.classes {
            let table = ClassTable::new(domain, class)?;
            let first_row = town.rows.len();
            table.fill(&mut town.rows);
            town.groups.push(Group::new(first_row as u32, (town.rows.len() - first_row) as u32));
            town.tables.push(table);
        }
        Ok(town)
    }

    /// A character's key: its goal, and its state packed over its class's variables. Refused unless the class has both.
    pub fn key(&self, class: usize, goal: usize, state: &[u16]) -> Result<u16, KeyError> {
        let classes = self.tables.len();
        let table = self.tables.get(class).ok_or(KeyError::NoSuchClass { class, classes })?;
        if goal >= table.goals.len() {
            return Err(KeyError::NoSuchGoal { goal, goals: table.goals.len() });
        }
        Ok((goal << table.bits) as u16 | table.packed.pack(state)? as u16)
    }

    /// Adds a character, whom the next [`Town::plan_all`] plans for; returns its number within its class.
    ///
    /// # Panics
    /// Unless the key is one of this class ([`Town::key`], [`Town::is_key`]).
    pub fn add(&mut self, class: usize, key: u16) -> u32 {
        assert!(self.is_key(class, key), "a key of this class");
        let group = &mut self.groups[class];
        let character = group.handles.len() as u32;
        match &mut group.keys {
            Keys::Narrow(keys) => keys.push(key as u8),
            Keys::Wide(keys) => keys.push(key),
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
            let (goals, bits) = self.shape(class);
            let key = (unit() * (goals << bits) as f64) as u16;
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
    pub fn set(&mut self, class: usize, character: u32, key: u16) {
        let group = &mut self.groups[class];
        assert!(u32::from(key) < group.rows, "a key of this class");
        match &mut group.keys {
            Keys::Narrow(keys) => keys[character as usize] = key as u8,
            Keys::Wide(keys) => keys[character as usize] = key,
        }
        group.handles[character as usize] = group.first_row + u32::from(key);
    }

    /// Plans for everybody.
    pub fn plan_all(&mut self) {
        self.groups.par_iter_mut().for_each(|group| match &group.keys {
            Keys::Narrow(keys) => find_rows(keys, group.first_row, &mut group.handles),
            Keys::Wide(keys) => find_rows(keys, group.first_row, &mut group.handles),
        });
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
        self.rows[handle as usize].plan()
    }

    /// The first action of the plan that a handle stands for, if there is any.
    ///
    /// # Panics
    /// If the handle is not this town's.
    #[inline]
    pub fn first_action(&self, handle: u32) -> Option<u8> {
        self.rows[handle as usize].first()
    }

    /// How many goals from how many states have no plan in the tables although it was not proved that there is none: the
    /// budget ran out, or the plan is longer than [`PlanSlot::MOST`] actions.
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

    /// How many distinct plans there are, those of different classes counting apart.
    pub fn distinct_plans(&self) -> usize {
        let of_class = |group: &Group| {
            let rows = &self.rows[group.first_row as usize..][..group.rows as usize];
            let mut plans: Vec<&[u8]> = rows.iter().filter_map(PlanSlot::plan).collect();
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
    pub fn is_key(&self, class: usize, key: u16) -> bool {
        let Some(table) = self.tables.get(class) else { return false };
        let goal = usize::from(key) >> table.bits;
        goal < table.goals.len() && table.packed.is_state(u64::from(key) & ((1 << table.bits) - 1))
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
    fn new(first_row: u32, rows: u32) -> Self {
        let keys = if rows <= 1 << 8 { Keys::Narrow(Vec::new()) } else { Keys::Wide(Vec::new()) };
        Group { first_row, rows, keys, handles: Vec::new() }
    }
}

impl ClassTable {
    pub fn new(domain: &Domain, class: &Class) -> Result<Self, TownError> {
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
            goals.push((mask, value));
        }
        let keep_unnamed = domain.keep_unnamed;
        Ok(ClassTable { packed, planner: Planner::new(task), goals, keep_unnamed, bits })
    }

    /// The plan from a state to a goal that may leave variables open, which the packed tiers do not know.
    fn plan_open(&self, state: u64, (mask, value): (u64, u64)) -> PlanSlot {
        let fields = self.packed.fields();
        let init: Vec<u16> = fields.iter().map(|field| field.get(state)).collect();
        let named = |field: &crate::packed::Field| field.mask() & mask != 0;
        let wanted: Vec<Option<u16>> =
            fields.iter().map(|field| named(field).then(|| field.get(value))).collect();
        plan_fully(&self.planner, &init, &wanted)
    }

    /// Appends a row for every key.
    fn fill(&self, rows: &mut Vec<PlanSlot>) {
        for &(mask, value) in &self.goals {
            let is_open = !self.keep_unnamed && mask.count_ones() < self.bits;
            rows.extend((0..1u64 << self.bits).map(|state| {
                if is_open && self.packed.is_state(state) {
                    self.plan_open(state, (mask, value))
                } else if self.packed.is_state(state) {
                    plan_one(&self.packed, &self.planner, state, state & !mask | value)
                } else {
                    PlanSlot::none(UNSOLVABLE)
                }
            }));
        }
    }
}
