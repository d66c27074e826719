//! A unary, post-unique task as chains: who makes each value, who needs it, and which values form a cycle.
//!
//! Post-uniqueness gives every value at most one maker, so walking back from a value is a single path: it ends at
//! a value nobody makes, or goes round a cycle. All lookups are flat arrays over *facts* (variable and value).

use crate::task::{Fact, Task};

/// No action.
pub(crate) const NONE: u32 = u32::MAX;

/// Who makes and who needs each fact.
#[derive(Clone, Debug)]
pub(crate) struct Chains {
    /// The first fact of each variable.
    offset: Vec<u32>,
    /// The action that makes each fact, or [`NONE`].
    maker: Vec<u32>,
    /// The variable of each fact.
    fact_var: Vec<u32>,
    /// For each action: its variable, the fact it needs of it, and the fact it makes.
    pub var: Vec<u32>,
    pub pre: Vec<u32>,
    pub post: Vec<u32>,
    /// Whether the action is part of its variable's cycle.
    pub in_cycle: Vec<bool>,
    /// The facts each action needs and leaves alone.
    prevails: Lists,
    /// The actions that need each fact and leave it alone.
    users: Lists,
    /// The actions that change each fact.
    leavers: Lists,
}

/// Many short lists in one allocation.
#[derive(Clone, Debug)]
struct Lists {
    start: Vec<u32>,
    items: Vec<u32>,
}

impl Lists {
    fn new(count: usize, pairs: impl Iterator<Item = (u32, u32)> + Clone) -> Self {
        let mut start = vec![0u32; count + 1];
        pairs.clone().for_each(|(list, _)| start[list as usize + 1] += 1);
        for list in 0..count {
            start[list + 1] += start[list];
        }
        let mut next = start.clone();
        let mut items = vec![0; start[count] as usize];
        for (list, item) in pairs {
            items[next[list as usize] as usize] = item;
            next[list as usize] += 1;
        }
        Lists { start, items }
    }

    fn of(&self, list: u32) -> &[u32] {
        &self.items[self.start[list as usize] as usize..self.start[list as usize + 1] as usize]
    }
}

impl Chains {
    /// `None` unless the task is unary and post-unique.
    pub fn new(task: &Task) -> Option<Self> {
        if !task.is_unary() || !task.is_post_unique() {
            return None;
        }
        let mut offset = vec![0u32];
        for &size in task.sizes() {
            offset.push(offset[offset.len() - 1] + u32::from(size));
        }
        let facts = offset[offset.len() - 1] as usize;
        let fact = |(var, value): Fact| offset[var as usize] + u32::from(value);
        let actions = task.actions();
        let effect = |action: usize| &actions[action].effects[0];
        let var: Vec<u32> = (0..actions.len()).map(|action| effect(action).var).collect();
        let post: Vec<u32> =
            (0..actions.len()).map(|action| fact((var[action], effect(action).post))).collect();
        let pre: Vec<u32> = (0..actions.len())
            .map(|action| fact((var[action], effect(action).pre.unwrap_or(effect(action).post))))
            .collect();
        let mut maker = vec![NONE; facts];
        for action in (0..actions.len()).filter(|&action| pre[action] != post[action]) {
            maker[post[action] as usize] = action as u32;
        }
        let needed =
            |action: usize| actions[action].prevail.iter().map(move |&needed| (action as u32, fact(needed)));
        let all = (0..actions.len()).flat_map(needed);
        let leaving = (0..actions.len()).filter(|&action| pre[action] != post[action]);
        let sizes = task.sizes().iter().enumerate();
        let fact_var =
            sizes.flat_map(|(var, &size)| std::iter::repeat_n(var as u32, size as usize)).collect();
        let mut chains = Chains {
            fact_var,
            prevails: Lists::new(actions.len(), all.clone()),
            users: Lists::new(facts, all.map(|(action, fact)| (fact, action))),
            leavers: Lists::new(facts, leaving.map(|action| (pre[action], action as u32))),
            in_cycle: vec![false; actions.len()],
            offset,
            maker,
            var,
            pre,
            post,
        };
        chains.find_cycles();
        Some(chains)
    }

    fn find_cycles(&mut self) {
        // 0 unseen, otherwise the walk that saw it first; a walk that meets itself has found a cycle.
        let mut seen = vec![0u32; self.maker.len()];
        for start in 0..self.maker.len() as u32 {
            let mut fact = start;
            while seen[fact as usize] == 0 && self.maker(fact) != NONE {
                seen[fact as usize] = start + 1;
                fact = self.pre[self.maker(fact) as usize];
            }
            if seen[fact as usize] == start + 1 {
                let first = fact;
                loop {
                    let maker = self.maker(fact);
                    self.in_cycle[maker as usize] = true;
                    fact = self.pre[maker as usize];
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
        self.maker.len()
    }

    #[inline]
    pub fn actions(&self) -> usize {
        self.var.len()
    }

    /// The variable of a fact.
    #[inline]
    pub fn var_of(&self, fact: u32) -> u32 {
        self.fact_var[fact as usize]
    }

    /// The action that makes a fact, or [`NONE`].
    #[inline]
    pub fn maker(&self, fact: u32) -> u32 {
        self.maker[fact as usize]
    }

    /// The facts an action needs and leaves alone.
    #[inline]
    pub fn prevails(&self, action: u32) -> &[u32] {
        self.prevails.of(action)
    }

    /// The actions that need a fact and leave it alone.
    #[inline]
    pub fn users(&self, fact: u32) -> &[u32] {
        self.users.of(fact)
    }

    /// The actions that change a fact.
    #[inline]
    pub fn leavers(&self, fact: u32) -> &[u32] {
        self.leavers.of(fact)
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
            fact = self.pre[maker as usize];
        }
        false
    }

    /// Whether a plan leads from a state to a goal: [`Task::is_plan`] on flat arrays. `at` is working memory.
    pub fn is_plan(&self, plan: &[u32], init: &[u16], goal: &[Option<u16>], at: &mut Vec<u32>) -> bool {
        at.clear();
        at.extend(init.iter().enumerate().map(|(var, &value)| self.fact(var as u32, value)));
        for &action in plan {
            let var = self.var[action as usize] as usize;
            let holds = |&fact: &u32| at[self.var_of(fact) as usize] == fact;
            if at[var] != self.pre[action as usize] || !self.prevails(action).iter().all(holds) {
                return false;
            }
            at[var] = self.post[action as usize];
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
