//! Tier 1, forward simulation: run the actions of the closure, each once, whenever nothing is harmed.
//!
//! An action may run when its conditions hold and nobody still waiting needs the value it destroys. The action that
//! opens a loop may run although its value is still needed, because the loop brings it back, but only when nothing
//! else can; with several such loops (k >= 2) only if nothing that must happen before the loop closes needs that value.
//! Of several actions the one with the lowest index runs, so that every planner here gives the same plan.
//!
//! No ordering edges are stored. Cost: O(closure and the conditions on its facts).

use crate::chains::{Chains, NONE};
use crate::closure::Closure;
use crate::ready::ReadySet;

/// A simulation in progress. Cloned where the order of loops is searched.
#[derive(Clone, Debug, Default)]
pub(crate) struct Simulation {
    /// The plan so far.
    pub plan: Vec<u32>,
    /// Whether each fact holds now.
    holds: Vec<bool>,
    /// Conditions of each waiting action that do not hold.
    need: Vec<u32>,
    /// Waiting actions that need each fact and leave it alone.
    wanted: Vec<u32>,
    waiting: Vec<bool>,
    left: usize,
    ready: ReadySet,
    /// What was touched, to be cleaned before the next plan.
    touched_facts: Vec<u32>,
    touched_actions: Vec<u32>,
}

impl Simulation {
    pub fn new(chains: &Chains) -> Self {
        Simulation {
            holds: vec![false; chains.facts()],
            need: vec![0; chains.actions()],
            wanted: vec![0; chains.facts()],
            waiting: vec![false; chains.actions()],
            ready: ReadySet::new(chains.actions()),
            ..Simulation::default()
        }
    }

    /// Prepares to run the closure from a state.
    pub fn start(&mut self, chains: &Chains, closure: &Closure, init: &[u16]) {
        self.touched_facts.drain(..).for_each(|fact| {
            self.holds[fact as usize] = false;
            self.wanted[fact as usize] = 0;
        });
        self.touched_actions.drain(..).for_each(|action| self.waiting[action as usize] = false);
        self.ready.clear();
        self.plan.clear();
        self.left = closure.actions.len();
        for (var, &value) in init.iter().enumerate() {
            let fact = chains.fact(var as u32, value);
            self.holds[fact as usize] = true;
            self.touched_facts.push(fact);
        }
        for &action in &closure.actions {
            self.waiting[action as usize] = true;
            self.touched_actions.push(action);
            self.touched_facts.push(chains.post[action as usize]);
            for &fact in chains.prevails(action) {
                self.wanted[fact as usize] += 1;
                self.touched_facts.push(fact);
            }
        }
        for &action in &closure.actions {
            let own = u32::from(!self.holds[chains.pre[action as usize] as usize]);
            let others = chains.prevails(action).iter().filter(|&&fact| !self.holds[fact as usize]).count();
            self.need[action as usize] = own + others as u32;
            self.consider(chains, action);
        }
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
                let opens = self.waiting[action as usize] && chains.in_cycle[action as usize];
                if opens && self.need[action as usize] == 0 && self.is_looping(chains, at) {
                    out.push(action);
                }
            }
        }
        out.sort_unstable();
    }

    /// Whether something that must happen before an opened loop closes still needs the value that opening destroys.
    pub fn would_lock(&self, chains: &Chains, opener: u32) -> bool {
        let value = chains.pre[opener as usize];
        let mut seen = vec![false; self.waiting.len()];
        let mut before = vec![chains.maker(value)];
        while let Some(action) = before.pop() {
            if chains.prevails(action).contains(&value) {
                return true;
            }
            let own = chains.pre[action as usize];
            for &fact in chains.prevails(action).iter().chain([&own]) {
                let maker = chains.maker(fact);
                let must = !self.holds[fact as usize] && maker != NONE && self.waiting[maker as usize];
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
        let (pre, post) = (chains.pre[action as usize], chains.post[action as usize]);
        self.plan.push(action);
        self.waiting[action as usize] = false;
        self.ready.remove(action);
        self.left -= 1;
        self.holds[pre as usize] = false;
        self.holds[post as usize] = true;
        for &other in chains.users(pre).iter().chain(chains.leavers(pre)) {
            if self.waiting[other as usize] {
                self.need[other as usize] += 1;
                self.ready.remove(other);
            }
        }
        for &other in chains.users(post).iter().chain(chains.leavers(post)) {
            if self.waiting[other as usize] {
                self.need[other as usize] -= 1;
                self.consider(chains, other);
            }
        }
        for &fact in chains.prevails(action) {
            self.wanted[fact as usize] -= 1;
            if self.wanted[fact as usize] == 0 {
                for &other in chains.leavers(fact) {
                    self.consider(chains, other);
                }
            }
        }
    }

    fn consider(&mut self, chains: &Chains, action: u32) {
        let pre = chains.pre[action as usize];
        let free = self.waiting[action as usize]
            && self.need[action as usize] == 0
            && self.wanted[pre as usize] == 0;
        // Whoever leaves a looped variable's start for good waits until the loop has come back to it.
        if free && (chains.in_cycle[action as usize] || !self.is_looping(chains, pre)) {
            self.ready.insert(action);
        }
    }

    /// Whether a fact that holds will be made once more.
    fn is_looping(&self, chains: &Chains, fact: u32) -> bool {
        let maker = chains.maker(fact);
        maker != NONE && self.waiting[maker as usize]
    }
}
