//! Tier 0, the closure: the actions that every plan contains.
//!
//! For each variable that must change, walk back from its goal to where it is. For each action found and each fact it
//! needs elsewhere: nothing to do if the fact holds at the start or its maker is already found; otherwise the
//! variable must go there and back, once round its cycle. — after Prévost et al. 2022, phases 1 and 2, with the
//! corrections of `docs/provenance.md`.
//!
//! What follows is sound: a dead end proves that there is no plan, and a plan that uses exactly these actions once is
//! shortest. Variables whose goal is open need not come back; where their chain would fork, search decides.
//!
//! Cost: O(variables + found actions + their distinct conditions).

use crate::chains::{Chains, NONE, bytes_of};

/// What the closure found out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Found {
    /// Every plan contains these actions; one that has each of them once may exist.
    Once,
    /// Some action is needed twice.
    Twice,
    /// A variable with an open goal is needed on two branches of its values.
    Forked,
    /// There is no plan.
    Unsolvable,
}

/// Working memory; reused from plan to plan.
#[derive(Clone, Debug, Default)]
pub(crate) struct Closure {
    /// The actions found, in the order they were found.
    pub actions: Vec<u32>,
    /// Variables that go round their cycle.
    pub looped: Vec<u32>,
    found: Vec<bool>,
    /// Conditions that were seen to: whoever shares them needs nothing more.
    seen: Vec<bool>,
    /// For variables with an open goal that had to move: the last fact of their chain.
    tip: Vec<u32>,
    moved: Vec<u32>,
    walk: Vec<u32>,
}

impl Closure {
    pub fn new(chains: &Chains, variables: usize) -> Self {
        Closure {
            found: vec![false; chains.actions()],
            seen: vec![false; chains.distinct_conditions()],
            tip: vec![NONE; variables],
            ..Closure::default()
        }
    }

    /// What it takes in memory.
    pub fn bytes(&self) -> usize {
        let lists = [&self.actions, &self.looped, &self.tip, &self.moved, &self.walk];
        lists.into_iter().map(bytes_of).sum::<usize>() + bytes_of(&self.found) + bytes_of(&self.seen)
    }

    /// Whether an action is in the closure.
    #[inline]
    pub fn contains(&self, action: u32) -> bool {
        self.found[action as usize]
    }

    /// Finds the closure of an instance.
    pub fn find(&mut self, chains: &Chains, init: &[u16], goal: &[Option<u16>]) -> Found {
        for action in self.actions.drain(..) {
            self.found[action as usize] = false;
            self.seen[chains.conditions(action) as usize] = false;
        }
        self.moved.drain(..).for_each(|var| self.tip[var as usize] = NONE);
        self.looped.clear();
        for (var, (&init, &goal)) in init.iter().zip(goal).enumerate() {
            if let Some(goal) = goal.filter(|&goal| goal != init) {
                let (from, to) = (chains.fact(var as u32, goal), chains.fact(var as u32, init));
                self.walk.clear();
                if !chains.walk_back(from, to, &mut self.walk) {
                    return Found::Unsolvable;
                }
                self.add_walk();
            }
        }
        let mut found = Found::Once;
        let mut next = 0;
        while next < self.actions.len() {
            let action = self.actions[next];
            next += 1;
            let conditions = chains.conditions(action);
            if std::mem::replace(&mut self.seen[conditions as usize], true) {
                continue;
            }
            for &(var, needed) in chains.facts_of(conditions) {
                let at = chains.fact(var, init[var as usize]);
                let maker = chains.maker(needed);
                if needed == at || (maker != NONE && self.found[maker as usize]) {
                    continue;
                }
                let step = match goal[var as usize] {
                    Some(_) => self.go_round(chains, var, at, needed),
                    None => self.go_on(chains, var, at, needed),
                };
                match step {
                    Found::Once => {}
                    Found::Unsolvable => return Found::Unsolvable,
                    // Keep looking: what comes may still prove that there is no plan.
                    other => found = other,
                }
            }
        }
        found
    }

    fn add_walk(&mut self) {
        for &action in self.walk.iter().rev() {
            if !std::mem::replace(&mut self.found[action as usize], true) {
                self.actions.push(action);
            }
        }
    }

    /// The variable must pass `needed` and come back: once round the cycle that both are on.
    fn go_round(&mut self, chains: &Chains, var: u32, at: u32, needed: u32) -> Found {
        self.walk.clear();
        let (mut fact, mut passes) = (at, false);
        loop {
            let maker = chains.maker(fact);
            if maker == NONE || !chains.in_cycle(maker) {
                return Found::Unsolvable;
            }
            self.walk.push(maker);
            fact = chains.pre(maker);
            passes |= fact == needed;
            if fact == at {
                break;
            }
        }
        if !passes {
            return Found::Unsolvable;
        }
        // The last one walked over is the first step of the cycle.
        let opener = self.walk[self.walk.len() - 1];
        if self.found[opener as usize] {
            return Found::Twice;
        }
        self.add_walk();
        self.looped.push(var);
        Found::Once
    }

    /// The variable must get to `needed` and may stay: its chain grows, or forks.
    fn go_on(&mut self, chains: &Chains, var: u32, at: u32, needed: u32) -> Found {
        self.walk.clear();
        let mut fact = needed;
        let mut steps = chains.size(var);
        loop {
            let maker = chains.maker(fact);
            if maker == NONE {
                return Found::Unsolvable;
            }
            self.walk.push(maker);
            fact = chains.pre(maker);
            let made = chains.maker(fact);
            if fact == at || (made != NONE && self.found[made as usize]) {
                break;
            }
            // More steps than values: round a cycle that the variable is not on.
            steps -= 1;
            if steps == 0 {
                return Found::Unsolvable;
            }
        }
        let tip = self.tip[var as usize];
        let grows = if tip == NONE { fact == at } else { fact == tip };
        self.add_walk();
        if tip == NONE {
            self.moved.push(var);
        }
        self.tip[var as usize] = needed;
        if grows { Found::Once } else { Found::Forked }
    }
}
