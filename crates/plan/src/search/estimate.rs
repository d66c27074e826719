//! An estimate that adds up what each condition costs alone, as if nothing were ever destroyed (h-add).
//!
//! It may exceed the truth, so plans found with it need not be shortest. Infinite means that some goal cannot be
//! reached even if nothing were destroyed: then there is no plan.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::Problem;

/// One effect of one action, with all its conditions.
struct Rule {
    conditions: Vec<u32>,
    makes: u32,
}

pub(super) struct Estimate {
    offset: Vec<u32>,
    rules: Vec<Rule>,
    /// The rules that each fact is a condition of.
    uses: Vec<Vec<u32>>,
    cost: Vec<u32>,
    open: Vec<u32>,
    sum: Vec<u32>,
    queue: BinaryHeap<Reverse<(u32, u32)>>,
}

impl Estimate {
    pub fn new(problem: &Problem<'_>) -> Self {
        let mut offset = vec![0u32];
        for &size in problem.task.sizes() {
            offset.push(offset[offset.len() - 1] + u32::from(size));
        }
        let fact = |(var, value): (u32, u16)| offset[var as usize] + u32::from(value);
        let mut rules = Vec::new();
        for action in problem.task.actions().iter().filter(|action| !action.finds_out()) {
            let needed: Vec<u32> = action.conditions().map(fact).collect();
            for effect in &action.effects {
                let mut conditions: Vec<u32> =
                    needed.iter().copied().chain(effect.when.iter().copied().map(fact)).collect();
                conditions.sort_unstable();
                conditions.dedup();
                rules.push(Rule { conditions, makes: fact((effect.var, effect.post)) });
            }
        }
        let facts = offset[offset.len() - 1] as usize;
        let mut uses = vec![Vec::new(); facts];
        for (index, rule) in rules.iter().enumerate() {
            rule.conditions.iter().for_each(|&fact| uses[fact as usize].push(index as u32));
        }
        let count = rules.len();
        Estimate {
            offset,
            rules,
            uses,
            cost: vec![u32::MAX; facts],
            open: vec![0; count],
            sum: vec![0; count],
            queue: BinaryHeap::new(),
        }
    }

    /// `None` proves that there is no plan.
    pub fn of(&mut self, problem: &Problem<'_>, state: &[u16]) -> Option<u32> {
        self.cost.fill(u32::MAX);
        self.sum.fill(1);
        for (open, rule) in self.open.iter_mut().zip(&self.rules) {
            *open = rule.conditions.len() as u32;
        }
        self.queue.clear();
        for (var, &value) in state.iter().enumerate() {
            self.lower(self.offset[var] + u32::from(value), 0);
        }
        for index in 0..self.rules.len() {
            if self.rules[index].conditions.is_empty() {
                self.lower(self.rules[index].makes, 1);
            }
        }
        while let Some(Reverse((cost, fact))) = self.queue.pop() {
            if cost > self.cost[fact as usize] {
                continue;
            }
            for at in 0..self.uses[fact as usize].len() {
                let rule = self.uses[fact as usize][at] as usize;
                self.sum[rule] = self.sum[rule].saturating_add(cost);
                self.open[rule] -= 1;
                if self.open[rule] == 0 {
                    self.lower(self.rules[rule].makes, self.sum[rule]);
                }
            }
        }
        let mut total = 0u32;
        for (var, goal) in problem.goal.iter().enumerate().filter_map(|(var, goal)| Some((var, (*goal)?))) {
            let cost = self.cost[(self.offset[var] + u32::from(goal)) as usize];
            if cost == u32::MAX {
                return None;
            }
            total = total.saturating_add(cost);
        }
        Some(total)
    }

    fn lower(&mut self, fact: u32, cost: u32) {
        if cost < self.cost[fact as usize] {
            self.cost[fact as usize] = cost;
            self.queue.push(Reverse((cost, fact)));
        }
    }
}
