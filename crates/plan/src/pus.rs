//! Tier 2b: Bäckström's planner for single-valued tasks, which may use an action twice.
//!
//! If all actions that are needed ask for one and the same value `x_v` of each variable `v`, then a shortest plan takes
//! `v` from its start to `x_v`, keeps it there while it is needed, and takes it on to its goal. Order the actions so
//! and sort. — Bäckström 1992, as Prévost et al. 2022 (section 2.3) describe it.
//!
//! Differs from the paper: prevail conditions are lists, not vectors over all variables, and goals may be open.

use crate::chains::Chains;
use crate::ready::ReadySet;

/// The way of one variable: to the value that is needed of it, then on to its goal.
#[derive(Clone, Debug, Default)]
struct Way {
    needed: Option<u32>,
    before: Vec<u32>,
    after: Vec<u32>,
}

/// A plan, or `None` where the actions needed are not single-valued or cannot be ordered.
pub(crate) fn plan(chains: &Chains, init: &[u16], goal: &[Option<u16>]) -> Option<Vec<u32>> {
    let mut ways: Vec<Way> = vec![Way::default(); init.len()];
    let start = |var: usize| chains.fact(var as u32, init[var]);
    let mut waiting: Vec<u32> = Vec::new();
    for (var, way) in ways.iter_mut().enumerate() {
        if let Some(goal) = goal[var].filter(|&goal| goal != init[var]) {
            way.before = forward(chains, start(var), chains.fact(var as u32, goal))?;
            waiting.extend(&way.before);
        }
    }
    let mut known = vec![false; chains.actions()];
    while let Some(action) = waiting.pop() {
        if std::mem::replace(&mut known[action as usize], true) {
            continue;
        }
        for &(var, fact) in chains.prevails(action) {
            let var = var as usize;
            let way = &mut ways[var];
            match way.needed {
                Some(needed) if needed != fact => return None,
                Some(_) => {}
                None => {
                    way.needed = Some(fact);
                    way.before = forward(chains, start(var), fact)?;
                    way.after = match goal[var] {
                        Some(goal) => forward(chains, fact, chains.fact(var as u32, goal))?,
                        None => Vec::new(),
                    };
                    waiting.extend(way.before.iter().chain(&way.after));
                }
            }
        }
    }
    sort(chains, &ways)
}

/// The actions that lead from a fact to another of the same variable.
fn forward(chains: &Chains, from: u32, to: u32) -> Option<Vec<u32>> {
    let mut walk = Vec::new();
    chains.walk_back(to, from, &mut walk).then(|| {
        walk.reverse();
        walk
    })
}

/// All occurrences in an order that keeps every way in sequence and every needed value while it is needed.
fn sort(chains: &Chains, ways: &[Way]) -> Option<Vec<u32>> {
    let mut occurrences: Vec<u32> = Vec::new();
    // The occurrence that establishes a variable's needed value, and the one that ends it.
    let mut established = vec![None; ways.len()];
    let mut ended = vec![None; ways.len()];
    let mut edges: Vec<(usize, usize)> = Vec::new();
    for (var, way) in ways.iter().enumerate() {
        for (step, &action) in way.before.iter().chain(&way.after).enumerate() {
            let at = occurrences.len();
            if step > 0 {
                edges.push((at - 1, at));
            }
            if step + 1 == way.before.len() {
                established[var] = Some(at);
            }
            if step == way.before.len() {
                ended[var] = Some(at);
            }
            occurrences.push(action);
        }
    }
    for (at, &action) in occurrences.iter().enumerate() {
        for &(var, _) in chains.prevails(action) {
            edges.extend(established[var as usize].map(|before| (before, at)));
            edges.extend(ended[var as usize].map(|after| (at, after)));
        }
    }
    let mut waits = vec![0u32; occurrences.len()];
    let mut follows: Vec<Vec<usize>> = vec![Vec::new(); occurrences.len()];
    for (before, after) in edges {
        waits[after] += 1;
        follows[before].push(after);
    }
    let mut ready = ReadySet::new(occurrences.len());
    (0..waits.len()).filter(|&at| waits[at] == 0).for_each(|at| ready.insert(at as u32));
    let mut plan = Vec::with_capacity(occurrences.len());
    while let Some(at) = ready.first() {
        ready.remove(at);
        plan.push(occurrences[at as usize]);
        for &after in &follows[at as usize] {
            waits[after] -= 1;
            if waits[after] == 0 {
                ready.insert(after as u32);
            }
        }
    }
    (plan.len() == occurrences.len()).then_some(plan)
}
