//! Breadth-first search over packed states: the honest strong opponent.
//!
//! A state is one word. Variables that no action ties together, directly or through others, cannot disturb
//! each other: the task falls into parts, each with its own contiguous bits, and each part is searched alone.
//! In a domain of character classes a part is a class.
//!
//! | what                | how                                                                       |
//! |---------------------|---------------------------------------------------------------------------|
//! | conditions          | at most 64 actions: the set that each byte of a state allows, intersected |
//! | effects             | from a known value to another: one exclusive or                           |
//! | visited, <= 8 bits  | a stamp for each state; the queue is appended to without a branch         |
//! | visited, <= 24 bits | a bitmap over the part's states, cleared whole or state by state          |
//! | visited, more bits  | open addressing, emptied by a new stamp                                   |
//! | memory              | kept between searches: none is taken once warm                            |
//!
//! Rejected: storing distances or plans between states, which is a table of the answers rather than a search.

use crate::Task;

/// Parts of at most this many bits use a bitmap (2 MiB).
const BITMAP_BITS: u32 = 24;

/// A searcher for one task.
pub struct PackedBfs {
    /// Where each variable lies in a packed state, and how many bits it takes.
    fields: Vec<(u32, u32)>,
    parts: Vec<Part>,
    /// Bits that no action changes.
    constant: u64,
    nodes: Vec<Node>,
    bytes: Bytes,
    bitmap: Bitmap,
    table: Table,
}

/// Variables that actions tie together.
struct Part {
    shift: u32,
    bits: u32,
    /// The first byte is apart, because most parts have no other.
    first_byte: [u64; 256],
    other_bytes: Vec<[u64; 256]>,
    /// What each action changes in a state.
    flips: [u64; 64],
    /// The task's names for the part's actions.
    actions: Vec<u32>,
}

#[derive(Clone, Copy)]
struct Node {
    state: u64,
    parent: u32,
    action: u32,
}

impl PackedBfs {
    /// `None` unless the task is unary, its states fit 64 bits, and no part has more than 64 actions.
    pub fn new(task: &Task) -> Option<Self> {
        if !task.is_unary() || task.actions().iter().any(|action| action.finds_out()) {
            return None;
        }
        let part_of = parts(task);
        let mut fields = vec![(0, 0); part_of.len()];
        let mut parts = Vec::new();
        let mut shift = 0;
        for root in 0..part_of.len() {
            let start = shift;
            for var in (0..part_of.len()).filter(|&var| part_of[var] == root) {
                let bits = u16::BITS - (task.sizes()[var] - 1).leading_zeros();
                fields[var] = (shift, bits);
                shift += bits;
            }
            if shift > u64::BITS {
                return None;
            }
            let of_part = |action: &usize| part_of[task.actions()[*action].effects[0].var as usize] == root;
            let actions: Vec<usize> = (0..task.actions().len()).filter(of_part).collect();
            if !actions.is_empty() {
                parts.push(Part::new(task, &fields, start, shift - start, &actions)?);
            }
        }
        let small = parts.iter().map(|part| part.bits).filter(|&bits| bits <= BITMAP_BITS).max().unwrap_or(0);
        let bitmap = Bitmap { words: vec![0; 1 << small.saturating_sub(6)] };
        let constant = parts.iter().fold(u64::MAX, |bits, part| bits & !(low(part.bits) << part.shift));
        Some(PackedBfs {
            fields,
            parts,
            constant,
            nodes: Vec::new(),
            bytes: Bytes::new(),
            bitmap,
            table: Table::new(),
        })
    }

    /// A state as one word, which must fit the task ([`Task::check_instance`]): it is here to be measured, and checks
    /// nothing.
    pub fn pack(&self, state: &[u16]) -> u64 {
        // A variable with one value takes no bits, and may lie past the last.
        let bits = self.fields.iter().zip(state).filter(|((_, bits), _)| *bits > 0);
        bits.fold(0, |word, (&(shift, _), &value)| word | u64::from(value) << shift)
    }

    /// A goal as a mask and a value; `None` leaves a variable open.
    pub fn pack_goal(&self, goal: &[Option<u16>]) -> (u64, u64) {
        let closed = self.fields.iter().zip(goal).filter(|((_, bits), _)| *bits > 0);
        closed.filter_map(|(&field, goal)| Some((field, (*goal)?))).fold(
            (0, 0),
            |(mask, word), ((shift, bits), value)| {
                (mask | low(bits) << shift, word | u64::from(value) << shift)
            },
        )
    }

    /// Finds a shortest plan to a state that agrees with the goal on its mask; false if there is none.
    pub fn solve(&mut self, init: u64, goal_mask: u64, goal_value: u64, plan: &mut Vec<u32>) -> bool {
        plan.clear();
        let open = (init ^ goal_value) & goal_mask;
        if open & self.constant != 0 {
            return false;
        }
        for part in &self.parts {
            let cut = |word: u64| word >> part.shift & low(part.bits);
            if cut(open) == 0 {
                continue;
            }
            let search = Search { part, goal_mask: cut(goal_mask), goal_value: cut(goal_value) };
            let found = if part.bits <= 8 {
                search.run_in_bytes(cut(init), &mut self.bytes, plan)
            } else if part.bits <= BITMAP_BITS {
                let found = search.run(cut(init), &mut self.bitmap, &mut self.nodes, plan);
                self.bitmap.empty(&self.nodes, part.bits);
                found
            } else {
                self.table.empty();
                search.run(cut(init), &mut self.table, &mut self.nodes, plan)
            };
            if !found {
                plan.clear();
                return false;
            }
        }
        true
    }
}

/// For each variable, the first variable of its part.
fn parts(task: &Task) -> Vec<usize> {
    let mut part_of: Vec<usize> = (0..task.sizes().len()).collect();
    for action in task.actions() {
        let joined: Vec<usize> = action.conditions().map(|(var, _)| part_of[var as usize]).collect();
        let least = joined.iter().copied().min().unwrap_or(0);
        part_of.iter_mut().filter(|part| joined.contains(part)).for_each(|part| *part = least);
    }
    part_of
}

/// So many low bits.
fn low(bits: u32) -> u64 {
    if bits == 0 { 0 } else { u64::MAX >> (u64::BITS - bits) }
}

impl Part {
    fn new(task: &Task, fields: &[(u32, u32)], shift: u32, bits: u32, actions: &[usize]) -> Option<Self> {
        if actions.len() > 64 {
            return None;
        }
        let bytes = bits.div_ceil(8).max(1);
        let mut tables = vec![[0; 256]; bytes as usize];
        let mut flips = [0; 64];
        for (index, &action) in actions.iter().enumerate() {
            let action = &task.actions()[action];
            let (mut mask, mut value) = (0, 0);
            for (var, wanted) in action.conditions() {
                let (at, bits) = fields[var as usize];
                if bits > 0 {
                    mask |= low(bits) << (at - shift);
                    value |= u64::from(wanted) << (at - shift);
                }
            }
            for (byte, table) in tables.iter_mut().enumerate() {
                let (mask, value) = (mask >> (8 * byte) & 255, value >> (8 * byte) & 255);
                let fits = table.iter_mut().zip(0..).filter(|(_, word)| word & mask == value);
                fits.for_each(|(set, _)| *set |= 1 << index);
            }
            let effect = &action.effects[0];
            let (at, bits) = fields[effect.var as usize];
            if bits > 0 {
                flips[index] = u64::from(effect.pre? ^ effect.post) << (at - shift);
            }
        }
        let other_bytes = tables.split_off(1);
        let actions = actions.iter().map(|&action| action as u32).collect();
        Some(Part { shift, bits, first_byte: tables[0], other_bytes, flips, actions })
    }

    /// The set of actions that can be done.
    #[inline]
    fn applicable(&self, state: u64) -> u64 {
        let first = self.first_byte[(state & 255) as usize];
        let bytes = self.other_bytes.iter().zip(1..);
        bytes.fold(first, |set, (table, byte)| set & table[(state >> (8 * byte) & 255) as usize])
    }
}

struct Search<'a> {
    part: &'a Part,
    goal_mask: u64,
    goal_value: u64,
}

impl Search<'_> {
    /// The goal does not hold at `init`. The plan is appended.
    #[inline]
    fn run<V: Visited>(&self, init: u64, seen: &mut V, nodes: &mut Vec<Node>, plan: &mut Vec<u32>) -> bool {
        nodes.clear();
        nodes.push(Node { state: init, parent: 0, action: 0 });
        seen.insert(init);
        let mut at = 0;
        while at < nodes.len() {
            let state = nodes[at].state;
            let mut actions = self.part.applicable(state);
            while actions != 0 {
                let action = actions.trailing_zeros();
                actions &= actions - 1;
                let next = state ^ self.part.flips[(action & 63) as usize];
                if seen.insert(next) {
                    nodes.push(Node { state: next, parent: at as u32, action });
                    if next & self.goal_mask == self.goal_value {
                        self.read_back(nodes, plan);
                        return true;
                    }
                }
            }
            at += 1;
        }
        false
    }

    /// The same for a part of at most eight bits. Whether a state is new is hard to predict, so that instead
    /// of a branch each successor is written behind the queue, which then grows by one or not.
    #[inline]
    fn run_in_bytes(&self, init: u64, bytes: &mut Bytes, plan: &mut Vec<u32>) -> bool {
        let Bytes { stamps, stamp, queue } = bytes;
        if *stamp == u8::MAX {
            stamps.fill(0);
            *stamp = 0;
        }
        *stamp += 1;
        queue[0] = [init as u8, 0, 0, 0];
        stamps[usize::from(init as u8)] = *stamp;
        let (mut at, mut end) = (0, 1);
        while at < end {
            let state = queue[at & 511][0];
            let mut actions = self.part.first_byte[usize::from(state)];
            while actions != 0 {
                let action = (actions.trailing_zeros() & 63) as u8;
                actions &= actions - 1;
                let next = state ^ self.part.flips[usize::from(action)] as u8;
                queue[end & 511] = [next, at as u8, action, 0];
                if u64::from(next) & self.goal_mask == self.goal_value {
                    let start = plan.len();
                    let [_, mut parent, mut action, _] = queue[end & 511];
                    plan.push(self.part.actions[usize::from(action)]);
                    while parent != 0 {
                        [_, parent, action, _] = queue[usize::from(parent)];
                        plan.push(self.part.actions[usize::from(action)]);
                    }
                    plan[start..].reverse();
                    return true;
                }
                end += usize::from(stamps[usize::from(next)] != *stamp);
                stamps[usize::from(next)] = *stamp;
            }
            at += 1;
        }
        false
    }

    /// Follows the parents of the last node.
    fn read_back(&self, nodes: &[Node], plan: &mut Vec<u32>) {
        let start = plan.len();
        let mut at = nodes.len() - 1;
        while at != 0 {
            plan.push(self.part.actions[nodes[at].action as usize]);
            at = nodes[at].parent as usize;
        }
        plan[start..].reverse();
    }
}

/// A set of states.
trait Visited {
    /// Adds a state; false if it was there.
    fn insert(&mut self, state: u64) -> bool;
}

/// The states of a part of at most eight bits, and a queue of them.
struct Bytes {
    /// The last search that saw each state.
    stamps: [u8; 256],
    stamp: u8,
    /// State, place of the parent, action; longer than can be, so that a mask does for a check of bounds.
    queue: Box<[[u8; 4]; 512]>,
}

impl Bytes {
    fn new() -> Self {
        Bytes { stamps: [0; 256], stamp: 0, queue: Box::new([[0; 4]; 512]) }
    }
}

struct Bitmap {
    words: Vec<u64>,
}

impl Bitmap {
    /// Removes the states of a search, `nodes`, in a part of so many bits.
    #[inline]
    fn empty(&mut self, nodes: &[Node], bits: u32) {
        let words = 1 << bits.saturating_sub(6);
        if words <= nodes.len() {
            self.words[..words].fill(0);
        } else {
            nodes.iter().for_each(|node| self.words[(node.state >> 6) as usize] = 0);
        }
    }
}

impl Visited for Bitmap {
    #[inline]
    fn insert(&mut self, state: u64) -> bool {
        let word = &mut self.words[(state >> 6) as usize];
        let bit = 1 << (state & 63);
        let new = *word & bit == 0;
        *word |= bit;
        new
    }
}

struct Table {
    /// A state and the stamp of the search that put it there.
    slots: Vec<(u64, u32)>,
    stamp: u32,
    used: usize,
}

impl Table {
    fn new() -> Self {
        Table { slots: vec![(0, 0); 1 << 10], stamp: 0, used: 0 }
    }

    fn empty(&mut self) {
        self.used = 0;
        self.stamp = self.stamp.wrapping_add(1);
        if self.stamp == 0 {
            self.slots.fill((0, 0));
            self.stamp = 1;
        }
    }

    /// The slot of a state, or the free one where it belongs.
    fn slot(&self, state: u64) -> usize {
        // Fibonacci hashing: the high bits of a product with 2^64 over the golden ratio.
        let hash = state.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (64 - self.slots.len().trailing_zeros());
        let mut at = hash as usize;
        while self.slots[at].1 == self.stamp && self.slots[at].0 != state {
            at = (at + 1) & (self.slots.len() - 1);
        }
        at
    }

    fn grow(&mut self) {
        let wider = vec![(0, 0); 2 * self.slots.len()];
        let old = std::mem::replace(&mut self.slots, wider);
        for (state, _) in old.into_iter().filter(|&(_, stamp)| stamp == self.stamp) {
            let at = self.slot(state);
            self.slots[at] = (state, self.stamp);
        }
    }
}

impl Visited for Table {
    fn insert(&mut self, state: u64) -> bool {
        let at = self.slot(state);
        if self.slots[at].1 == self.stamp {
            return false;
        }
        self.slots[at] = (state, self.stamp);
        self.used += 1;
        if 2 * self.used > self.slots.len() {
            self.grow();
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Action;
    use crate::baselines::examples::{self, Restriction};
    use repertoire_prob::Stream;

    /// Solves, and compares with the search over unpacked states.
    fn check(bfs: &mut PackedBfs, task: &Task, init: &[u16], goal: &[Option<u16>]) -> Option<Vec<u32>> {
        let (mask, value) = bfs.pack_goal(goal);
        let mut plan = vec![7];
        let found = bfs.solve(bfs.pack(init), mask, value, &mut plan);
        let expected = examples::shortest(task, init, goal);
        assert_eq!(found.then_some(plan.len()), expected, "{task:?} {init:?} {goal:?}");
        assert!(!found || task.is_plan(&plan, init, goal));
        assert!(found || plan.is_empty());
        found.then_some(plan)
    }

    #[test]
    fn feeds_the_horses() {
        let task = examples::horse_breeder();
        let mut bfs = PackedBfs::new(&task).unwrap();
        let plan = check(&mut bfs, &task, &[0, 0, 0], &[Some(2), Some(0), Some(2)]).unwrap();
        assert_eq!(plan, [4, 5, 6, 3, 1, 2]);
    }

    #[test]
    fn plans_between_all_states_of_classes() {
        for task in [examples::horse_breeder(), examples::saloonkeeper(), examples::lumberjack()] {
            let mut bfs = PackedBfs::new(&task).unwrap();
            for init in examples::states(&task) {
                for goal in examples::states(&task) {
                    check(&mut bfs, &task, &init, &examples::total(&goal));
                }
            }
        }
    }

    #[test]
    fn is_exact_on_random_tasks_and_partial_goals() {
        let mut rng = Stream::new(1, 0, "packed search");
        let mut solved = 0;
        for _ in 0..2_000 {
            let task = examples::random_task(&mut rng, Restriction::Unary);
            let mut bfs = PackedBfs::new(&task).unwrap();
            for _ in 0..3 {
                let init = examples::random_state(&mut rng, &task);
                let goal = examples::random_state(&mut rng, &task);
                let goal: Vec<_> =
                    goal.into_iter().map(|value| (rng.unit() < 0.6).then_some(value)).collect();
                solved += u32::from(check(&mut bfs, &task, &init, &goal).is_some());
            }
        }
        assert!((1_500..5_500).contains(&solved), "{solved} of 6000 solved");
    }

    #[test]
    fn plans_for_classes_apart() {
        // Two lumberjacks and a variable nobody touches, interleaved: three parts.
        let class = examples::lumberjack();
        let twin = |offset: u32| {
            class.actions().iter().map(move |action| {
                let effect = &action.effects[0];
                let prevail = action.prevail.iter().map(|&(var, value)| (2 * var + offset, value)).collect();
                Action::unary(2 * effect.var + offset, effect.pre.unwrap(), effect.post, prevail)
            })
        };
        let task = Task::new(vec![2, 2, 2, 2, 2, 2, 3, 1], twin(0).chain(twin(1)).collect()).unwrap();
        let mut bfs = PackedBfs::new(&task).unwrap();
        assert_eq!(bfs.parts.len(), 2);
        let goal = examples::total(&[0, 0, 0, 0, 1, 1, 2, 0]);
        let plan = check(&mut bfs, &task, &[0, 0, 0, 0, 0, 0, 2, 0], &goal).unwrap();
        assert_eq!(plan.len(), 10);
        assert_eq!(check(&mut bfs, &task, &[0, 0, 0, 0, 0, 0, 1, 0], &goal), None);
    }

    #[test]
    fn searches_parts_of_any_width() {
        for (vars, bits) in [(2, 6), (3, 9), (6, 18), (9, 27)] {
            let (task, init, goal) = examples::one_prv_5(vars);
            let mut bfs = PackedBfs::new(&task).unwrap();
            assert_eq!(bfs.parts[0].bits, bits);
            for _ in 0..2 {
                check(&mut bfs, &task, &init, &examples::total(&goal)).unwrap();
                assert_eq!(check(&mut bfs, &task, &goal, &examples::total(&init)), None);
            }
        }
    }

    #[test]
    fn repeats_itself_after_stamps_run_out() {
        let task = examples::saloonkeeper();
        let mut bfs = PackedBfs::new(&task).unwrap();
        for _ in 0..600 {
            check(&mut bfs, &task, &[0, 0, 0, 0], &examples::total(&[0, 1, 1, 1])).unwrap();
        }
    }

    #[test]
    fn refuses_what_does_not_fit() {
        assert!(PackedBfs::new(&examples::one_prv_5(22).0).is_none(), "66 bits");
        assert!(PackedBfs::new(&examples::one_prv_5(17).0).is_none(), "68 actions");
        assert!(PackedBfs::new(&examples::one_prv_5(16).0).is_some(), "64 actions");
    }
}
