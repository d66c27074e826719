//! A unary, post-unique task as chains: who makes each value, who needs it, and which values form a cycle.
//!
//! Post-uniqueness gives every value at most one maker, so walking back from a value is a single path: it ends at
//! a value nobody makes, or goes round a cycle. All lookups are flat arrays over *facts* (variable and value).
//!
//! The facts an action needs and leaves alone are its *conditions*. Actions with the same conditions share them, and
//! planning counts for them together: a variable of a thousand values whose every step needs the same twenty others has
//! twenty facts to look at, not twenty thousand.

use std::collections::BTreeMap;

use crate::task::{Fact, Task, UNKNOWN};

/// No action.
pub(crate) const NONE: u32 = u32::MAX;

/// Who makes and who needs each fact.
///
/// A record for each fact and each action rather than a column for each property: planning follows one action from fact
/// to fact, and a dozen columns of the same length evict each other from the nearest cache.
#[derive(Clone, Debug)]
pub(crate) struct Chains {
    /// The first fact of each variable.
    offset: Vec<u32>,
    facts: Vec<FactRecord>,
    actions: Vec<ActionRecord>,
    /// The actions that change each fact, in the order of facts.
    leavers: Vec<u32>,
    /// The conditions that contain each fact, in the order of facts.
    containing: Vec<u32>,
    /// The facts of each of the conditions with their variables, and the actions that share each.
    facts_of: Lists<(u32, u32)>,
    sharing: Lists<u32>,
}

#[derive(Clone, Copy, Debug)]
struct FactRecord {
    var: u32,
    /// The action that makes it, or [`NONE`].
    maker: u32,
    /// Where its leavers and the conditions that contain it begin; they end where those of the next fact begin.
    leavers: u32,
    containing: u32,
}

#[derive(Clone, Copy, Debug)]
struct ActionRecord {
    /// The fact it needs of its variable, and the fact it makes.
    pre: u32,
    post: u32,
    /// The facts it needs and leaves alone.
    conditions: u32,
    /// Whether it is part of its variable's cycle.
    in_cycle: bool,
}

/// Many short lists in one allocation.
#[derive(Clone, Debug)]
struct Lists<T> {
    start: Vec<u32>,
    items: Vec<T>,
}

impl<T: Copy + Default> Lists<T> {
    fn new(count: usize, pairs: impl Iterator<Item = (u32, T)> + Clone) -> Self {
        let mut start = vec![0u32; count + 1];
        pairs.clone().for_each(|(list, _)| start[list as usize + 1] += 1);
        for list in 0..count {
            start[list + 1] += start[list];
        }
        let mut next = start.clone();
        let mut items = vec![T::default(); start[count] as usize];
        for (list, item) in pairs {
            items[next[list as usize] as usize] = item;
            next[list as usize] += 1;
        }
        Lists { start, items }
    }

    #[inline]
    fn of(&self, list: u32) -> &[T] {
        &self.items[self.start[list as usize] as usize..self.start[list as usize + 1] as usize]
    }
}

impl<T> Lists<T> {
    fn bytes(&self) -> usize {
        bytes_of(&self.start) + bytes_of(&self.items)
    }
}

/// What a list takes in memory.
pub(crate) fn bytes_of<T>(list: &Vec<T>) -> usize {
    list.capacity() * size_of::<T>()
}

impl Chains {
    /// What they take in memory.
    pub fn bytes(&self) -> usize {
        bytes_of(&self.offset)
            + bytes_of(&self.facts)
            + bytes_of(&self.actions)
            + bytes_of(&self.leavers)
            + bytes_of(&self.containing)
            + self.facts_of.bytes()
            + self.sharing.bytes()
    }

    /// `None` unless the task is unary and post-unique.
    pub fn new(task: &Task) -> Option<Self> {
        if !task.is_unary() || !task.is_post_unique() {
            return None;
        }
        let mut offset = vec![0u32];
        for &size in task.sizes() {
            offset.push(offset[offset.len() - 1] + u32::from(size));
        }
        let count = offset[offset.len() - 1] as usize;
        let fact = |(var, value): Fact| offset[var as usize] + u32::from(value);
        let mut numbers: BTreeMap<&[Fact], u32> = BTreeMap::new();
        let mut distinct: Vec<&[Fact]> = Vec::new();
        let mut actions = Vec::with_capacity(task.actions().len());
        for action in task.actions() {
            let conditions = *numbers.entry(&action.prevail).or_insert(distinct.len() as u32);
            if conditions as usize == distinct.len() {
                distinct.push(&action.prevail);
            }
            let effect = &action.effects[0];
            let post = fact((effect.var, effect.post));
            // An action that finds a value out can never be done where all are known: it is one that changes nothing.
            let pre = effect.pre.filter(|&pre| pre != UNKNOWN);
            let pre = pre.map_or(post, |pre| fact((effect.var, pre)));
            actions.push(ActionRecord { pre, post, conditions, in_cycle: false });
        }
        let needed = (0..).zip(&distinct).flat_map(|(number, facts)| {
            let number: u32 = number;
            facts.iter().map(move |&needed| (number, (needed.0, fact(needed))))
        });
        let changing = || (0..).zip(&actions).filter(|(_, action)| action.pre != action.post);
        let leavers = Lists::new(count, changing().map(|(index, action)| (action.pre, index)));
        let containing = Lists::new(count, needed.clone().map(|(number, (_, fact))| (fact, number)));
        let mut facts: Vec<FactRecord> = Vec::with_capacity(count + 1);
        for (var, &size) in (0..).zip(task.sizes()) {
            facts.extend((0..size).map(|_| FactRecord { var, maker: NONE, leavers: 0, containing: 0 }));
        }
        // One more than there are, so that the last one's lists end too.
        facts.push(FactRecord { var: NONE, maker: NONE, leavers: 0, containing: 0 });
        for (fact, (leavers, containing)) in facts.iter_mut().zip(leavers.start.iter().zip(&containing.start))
        {
            (fact.leavers, fact.containing) = (*leavers, *containing);
        }
        changing().for_each(|(index, action)| facts[action.post as usize].maker = index);
        let shared = (0..).zip(&actions).map(|(index, action)| (action.conditions, index));
        let mut chains = Chains {
            facts_of: Lists::new(distinct.len(), needed),
            sharing: Lists::new(distinct.len(), shared),
            leavers: leavers.items,
            containing: containing.items,
            offset,
            facts,
            actions,
        };
        chains.find_cycles();
        Some(chains)
    }

    fn find_cycles(&mut self) {
        // 0 unseen, otherwise the walk that saw it first; a walk that meets itself has found a cycle.
        let mut seen = vec![0u32; self.facts()];
        for start in 0..self.facts() as u32 {
            let mut fact = start;
            while seen[fact as usize] == 0 && self.maker(fact) != NONE {
                seen[fact as usize] = start + 1;
                fact = self.pre(self.maker(fact));
            }
            if seen[fact as usize] == start + 1 {
                let first = fact;
                loop {
                    let maker = self.maker(fact);
                    self.actions[maker as usize].in_cycle = true;
                    fact = self.pre(maker);
                    if fact == first {
                        break;
                    }
                }
            }
        }
    }

    #[inline]
    pub fn fact(&self, var: u32, value: u16) -> u32 {
        self.offset[var as usize] + u32::from(value)
    }

    #[inline]
    pub fn facts(&self) -> usize {
        self.facts.len() - 1
    }

    #[inline]
    pub fn actions(&self) -> usize {
        self.actions.len()
    }

    /// The variable of a fact.
    #[inline]
    pub fn var_of(&self, fact: u32) -> u32 {
        self.facts[fact as usize].var
    }

    /// The action that makes a fact, or [`NONE`].
    #[inline]
    pub fn maker(&self, fact: u32) -> u32 {
        self.facts[fact as usize].maker
    }

    /// The fact an action needs of its variable.
    #[inline]
    pub fn pre(&self, action: u32) -> u32 {
        self.actions[action as usize].pre
    }

    /// The fact an action makes.
    #[inline]
    pub fn post(&self, action: u32) -> u32 {
        self.actions[action as usize].post
    }

    /// Whether an action is part of its variable's cycle.
    #[inline]
    pub fn in_cycle(&self, action: u32) -> bool {
        self.actions[action as usize].in_cycle
    }

    /// How many different conditions there are.
    pub fn distinct_conditions(&self) -> usize {
        self.facts_of.start.len() - 1
    }

    /// The conditions of an action, by number.
    #[inline]
    pub fn conditions(&self, action: u32) -> u32 {
        self.actions[action as usize].conditions
    }

    /// The facts of conditions, each with its variable.
    #[inline]
    pub fn facts_of(&self, conditions: u32) -> &[(u32, u32)] {
        self.facts_of.of(conditions)
    }

    /// The conditions that contain a fact.
    #[inline]
    pub fn containing(&self, fact: u32) -> &[u32] {
        let [this, next] = [self.facts[fact as usize], self.facts[fact as usize + 1]];
        &self.containing[this.containing as usize..next.containing as usize]
    }

    /// The actions that share conditions.
    #[inline]
    pub fn sharing(&self, conditions: u32) -> &[u32] {
        self.sharing.of(conditions)
    }

    /// The facts an action needs and leaves alone, each with its variable.
    #[inline]
    pub fn prevails(&self, action: u32) -> &[(u32, u32)] {
        self.facts_of(self.conditions(action))
    }

    /// The actions that need a fact and leave it alone.
    pub fn users(&self, fact: u32) -> impl Iterator<Item = u32> {
        self.containing(fact).iter().flat_map(|&conditions| self.sharing(conditions)).copied()
    }

    /// The actions that change a fact.
    #[inline]
    pub fn leavers(&self, fact: u32) -> &[u32] {
        let [this, next] = [self.facts[fact as usize], self.facts[fact as usize + 1]];
        &self.leavers[this.leavers as usize..next.leavers as usize]
    }

    /// Walks back from a fact to another, collecting the makers; false if it does not lead there.
    pub fn walk_back(&self, from: u32, to: u32, into: &mut Vec<u32>) -> bool {
        let mut fact = from;
        // A walk with more steps than the variable has values goes round a cycle without `to`.
        for _ in 0..self.size(self.var_of(from)) {
            if fact == to {
                return true;
            }
            let maker = self.maker(fact);
            if maker == NONE {
                return false;
            }
            into.push(maker);
            fact = self.pre(maker);
        }
        false
    }

    /// Whether a plan leads from a state to a goal: [`Task::is_plan`] on flat arrays. `at` is working memory.
    pub fn is_plan(&self, plan: &[u32], init: &[u16], goal: &[Option<u16>], at: &mut Vec<u32>) -> bool {
        at.clear();
        at.extend(init.iter().enumerate().map(|(var, &value)| self.fact(var as u32, value)));
        for &action in plan {
            let var = self.var_of(self.pre(action)) as usize;
            let holds = |&(var, fact): &(u32, u32)| at[var as usize] == fact;
            if at[var] != self.pre(action) || !self.prevails(action).iter().all(holds) {
                return false;
            }
            at[var] = self.post(action);
        }
        at.iter()
            .zip(goal)
            .enumerate()
            .all(|(var, (&at, goal))| goal.is_none_or(|goal| self.fact(var as u32, goal) == at))
    }

    /// How many values a variable has.
    pub fn size(&self, var: u32) -> u32 {
        self.offset[var as usize + 1] - self.offset[var as usize]
    }
}
