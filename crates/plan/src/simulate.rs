//! Tier 1, forward simulation: run the actions of the closure, each once, whenever nothing is harmed.
//!
//! An action may run when its conditions hold and nobody still waiting needs the value it destroys. The action that
//! opens a loop may run although its value is still needed, because the loop brings it back, but only when nothing
//! else can; with several such loops (k >= 2) only if nothing that must happen before the loop closes needs that value.
//! Of several actions the one with the lowest index runs, so that every planner here gives the same plan.
//!
//! No ordering edges are stored. What does not hold, and what is still needed, is counted for actions with the same
//! conditions together. Cost: at most O(closure and its conditions); where conditions are shared, less.

use crate::chains::{Chains, NONE};
use crate::closure::Closure;
use crate::ready::ReadySet;

/// A simulation in progress. Cloned where the order of loops is searched.
#[derive(Clone, Debug, Default)]
pub(crate) struct Simulation {
    /// The plan so far.
    pub plan: Vec<u32>,
    /// The fact of each variable that holds now.
    at: Vec<u32>,
    /// Facts of each of the conditions that do not hold; kept while an action with them waits.
    missing: Vec<u32>,
    /// Waiting actions that share each of the conditions.
    sharers: Vec<u32>,
    /// Conditions of waiting actions that contain each fact.
    wanted: Vec<u32>,
    waiting: Vec<bool>,
    left: usize,
    ready: ReadySet,
}

impl Simulation {
    pub fn new(chains: &Chains) -> Self {
        Simulation {
            missing: vec![0; chains.distinct_conditions()],
            sharers: vec![0; chains.distinct_conditions()],
            wanted: vec![0; chains.facts()],
            waiting: vec![false; chains.actions()],
            ready: ReadySet::new(chains.actions()),
            ..Simulation::default()
        }
    }

    /// Roughly what a copy takes in memory.
    pub fn bytes(&self) -> u64 {
        let words = self.missing.len() + self.sharers.len() + self.wanted.len() + self.at.len() + self.left;
        (4 * words + 2 * self.waiting.len() + std::mem::size_of::<Simulation>()) as u64
    }

    /// Prepares to run the closure from a state.
    pub fn start(&mut self, chains: &Chains, closure: &Closure, init: &[u16]) {
        // When all has run, nothing waits and nothing is wanted: only what got stuck leaves something to clean.
        if self.left > 0 {
            self.waiting.fill(false);
            self.sharers.fill(0);
            self.wanted.fill(0);
            self.ready.clear();
        }
        self.plan.clear();
        self.left = closure.actions.len();
        self.at.clear();
        self.at.extend((0..).zip(init).map(|(var, &value)| chains.fact(var, value)));
        for &action in &closure.actions {
            self.waiting[action as usize] = true;
            let conditions = chains.conditions(action);
            self.sharers[conditions as usize] += 1;
            if self.sharers[conditions as usize] == 1 {
                self.want(chains, conditions);
            }
        }
        for var in 0..self.at.len() {
            chains.leavers(self.at[var]).iter().for_each(|&action| self.consider(chains, action));
        }
    }

    fn want(&mut self, chains: &Chains, conditions: u32) {
        let mut missing = 0;
        for &(var, fact) in chains.facts_of(conditions) {
            missing += u32::from(self.at[var as usize] != fact);
            self.wanted[fact as usize] += 1;
        }
        self.missing[conditions as usize] = missing;
    }

    fn holds(&self, chains: &Chains, fact: u32) -> bool {
        self.at[chains.var_of(fact) as usize] == fact
    }

    /// Runs all that harms nothing; true when all has run.
    pub fn saturate(&mut self, chains: &Chains) -> bool {
        while let Some(action) = self.ready.first() {
            self.run(chains, action);
        }
        self.left == 0
    }

    /// The actions that would open a loop now although their value is still needed, lowest first.
    pub fn openers(&self, chains: &Chains, closure: &Closure, init: &[u16], out: &mut Vec<u32>) {
        out.clear();
        for &var in &closure.looped {
            let at = chains.fact(var, init[var as usize]);
            for &action in chains.leavers(at) {
                let opens = self.waiting[action as usize] && chains.in_cycle(action);
                if opens && self.is_applicable(chains, action) && self.is_looping(chains, at) {
                    out.push(action);
                }
            }
        }
        out.sort_unstable();
    }

    /// Whether something that must happen before an opened loop closes still needs the value that opening destroys.
    pub fn would_lock(&self, chains: &Chains, opener: u32) -> bool {
        let value = chains.pre(opener);
        let mut seen = vec![false; self.waiting.len()];
        let mut before = vec![chains.maker(value)];
        while let Some(action) = before.pop() {
            let needed = chains.prevails(action).iter().map(|&(_, fact)| fact);
            if needed.clone().any(|fact| fact == value) {
                return true;
            }
            for fact in needed.chain([chains.pre(action)]) {
                let maker = chains.maker(fact);
                let must = !self.holds(chains, fact) && maker != NONE && self.waiting[maker as usize];
                if must && !std::mem::replace(&mut seen[maker as usize], true) {
                    before.push(maker);
                }
            }
        }
        false
    }

    /// Which actions have run, as bits: what is left to do depends on nothing else.
    pub fn executed(&self) -> Vec<u64> {
        let mut bits = vec![0u64; self.waiting.len().div_ceil(64)];
        self.plan.iter().for_each(|&action| bits[action as usize / 64] |= 1 << (action % 64));
        bits
    }

    /// Runs an action whose conditions hold.
    pub fn run(&mut self, chains: &Chains, action: u32) {
        let (pre, post) = (chains.pre(action), chains.post(action));
        self.plan.push(action);
        self.waiting[action as usize] = false;
        self.ready.remove(action);
        self.left -= 1;
        self.at[chains.var_of(pre) as usize] = post;
        for &conditions in chains.containing(pre) {
            if self.sharers[conditions as usize] > 0 {
                self.missing[conditions as usize] += 1;
                if self.missing[conditions as usize] == 1 {
                    chains.sharing(conditions).iter().for_each(|&other| self.ready.remove(other));
                }
            }
        }
        chains.leavers(pre).iter().for_each(|&other| self.ready.remove(other));
        for &conditions in chains.containing(post) {
            if self.sharers[conditions as usize] > 0 {
                self.missing[conditions as usize] -= 1;
                if self.missing[conditions as usize] == 0 {
                    chains.sharing(conditions).iter().for_each(|&other| self.consider(chains, other));
                }
            }
        }
        chains.leavers(post).iter().for_each(|&other| self.consider(chains, other));
        let conditions = chains.conditions(action);
        self.sharers[conditions as usize] -= 1;
        if self.sharers[conditions as usize] == 0 {
            for &(_, fact) in chains.facts_of(conditions) {
                self.wanted[fact as usize] -= 1;
                if self.wanted[fact as usize] == 0 {
                    chains.leavers(fact).iter().for_each(|&other| self.consider(chains, other));
                }
            }
        }
    }

    fn consider(&mut self, chains: &Chains, action: u32) {
        let pre = chains.pre(action);
        let free = self.waiting[action as usize]
            && self.is_applicable(chains, action)
            && self.wanted[pre as usize] == 0;
        // Whoever leaves a looped variable's start for good waits until the loop has come back to it.
        if free && (chains.in_cycle(action) || !self.is_looping(chains, pre)) {
            self.ready.insert(action);
        }
    }

    /// Whether all that a waiting action needs holds.
    fn is_applicable(&self, chains: &Chains, action: u32) -> bool {
        self.holds(chains, chains.pre(action)) && self.missing[chains.conditions(action) as usize] == 0
    }

    /// Whether a fact that holds will be made once more.
    fn is_looping(&self, chains: &Chains, fact: u32) -> bool {
        let maker = chains.maker(fact);
        maker != NONE && self.waiting[maker as usize]
    }
}
