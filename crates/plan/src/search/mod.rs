//! Tier 3: search over states, for what the closure alone does not decide.
//!
//! Where actions have costs, A* adds those up instead of steps, and its plans are cheapest.
//!
//! First A* with a bound that never exceeds the truth, so that its plans are shortest and its failure is a proof; if
//! half the budget does not suffice, greedy best-first search with an estimate that knows which conditions hang
//! together. Both evaluate a state when it is taken, not when it is made, and both count the states they take; both
//! also stop when the states they keep take more memory than the planner may use, and say which of the two it was.

mod bound;
mod estimate;
mod states;

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::chains::Chains;
use crate::planner::Limit;
use crate::task::Task;
use bound::Bound;
use estimate::Estimate;
use states::States;

/// What a search found.
pub(crate) enum Searched {
    /// A plan; shortest, or cheapest, if found by A*.
    Plan { actions: Vec<u32>, shortest: bool },
    /// All that can be reached was seen.
    Unsolvable,
    /// A limit was reached.
    GaveUp(Limit),
}

/// An instance to search in.
pub(crate) struct Problem<'a> {
    pub task: &'a Task,
    pub chains: Option<&'a Chains>,
    pub init: &'a [u16],
    pub goal: &'a [Option<u16>],
    /// Bytes that the states of a search may take.
    pub memory: u64,
    /// What each action costs; empty if each counts as one step.
    pub costs: &'a [u32],
}

impl Problem<'_> {
    fn cost(&self, action: usize) -> u32 {
        self.costs.get(action).copied().unwrap_or(1)
    }
}

/// Searches; `budget` counts down the states taken.
pub(crate) fn search(problem: &Problem<'_>, budget: &mut u64) -> Searched {
    let mut half = budget.div_ceil(2);
    *budget -= half;
    let mut bound = Bound::new(problem);
    let first = best_first(problem, &mut half, true, |state| bound.of(problem, state));
    *budget += half;
    if !matches!(first, Searched::GaveUp(_)) {
        return first;
    }
    let mut estimate = Estimate::new(problem);
    best_first(problem, budget, false, |state| estimate.of(problem, state))
}

/// What is noted of a state beside its values: its value, and whether it is closed.
const NOTED_BYTES: usize = size_of::<Option<u32>>() + size_of::<bool>();
/// An entry of the queue.
const QUEUED_BYTES: usize = size_of::<(u32, u32, Reverse<u32>)>();
/// Numbers of states are 32 bits wide, and one expansion adds far fewer than the rest.
const MOST_STATES: usize = 0xf000_0000;

/// Best-first search with deferred evaluation: by length so far plus value (A*), or by value alone (greedy).
///
/// A value of `None` proves that no plan starts there.
fn best_first(
    problem: &Problem<'_>,
    budget: &mut u64,
    count_length: bool,
    mut value: impl FnMut(&[u16]) -> Option<u32>,
) -> Searched {
    let mut states = States::new(problem.init);
    // Least priority first, then least value, then the newest: deeper states are nearer to a goal.
    let mut open: BinaryHeap<Reverse<(u32, u32, Reverse<u32>)>> = BinaryHeap::new();
    open.push(Reverse((0, 0, Reverse(0))));
    let mut evaluated: Vec<Option<u32>> = vec![None];
    let mut closed: Vec<bool> = vec![false];
    let mut state = problem.init.to_vec();
    while let Some(Reverse((priority, _, Reverse(index)))) = open.pop() {
        if closed[index as usize] {
            continue;
        }
        state.copy_from_slice(states.state(index));
        let here = match evaluated[index as usize] {
            Some(here) => here,
            None => {
                if *budget == 0 {
                    return Searched::GaveUp(Limit::States);
                }
                *budget -= 1;
                let Some(here) = value(&state) else {
                    closed[index as usize] = true;
                    continue;
                };
                evaluated[index as usize] = Some(here);
                let now = if count_length { states.length(index).saturating_add(here) } else { here };
                if now > priority {
                    open.push(Reverse((now, here, Reverse(index))));
                    continue;
                }
                here
            }
        };
        if count_length && states.length(index).saturating_add(here) < priority {
            // A shorter way was found meanwhile; its own entry is in the queue.
            continue;
        }
        closed[index as usize] = true;
        if state.iter().zip(problem.goal).all(|(value, goal)| goal.is_none_or(|goal| goal == *value)) {
            return Searched::Plan { actions: states.plan(index), shortest: count_length };
        }
        // The states, what is noted of each beside them, and the queue.
        let noted = states.len() * NOTED_BYTES + open.len() * QUEUED_BYTES;
        if states.bytes() + noted as u64 > problem.memory || states.len() >= MOST_STATES {
            return Searched::GaveUp(Limit::Memory);
        }
        for action in 0..problem.task.actions().len() {
            if !problem.task.is_applicable(action, &state) {
                continue;
            }
            let mut next = state.clone();
            problem.task.apply(action, &mut next);
            let step = if count_length { problem.cost(action) } else { 1 };
            let (reached, is_new) = states.reach(&next, index, (action as u32, step), count_length);
            if is_new {
                evaluated.resize(states.len(), None);
                closed.resize(states.len(), false);
            }
            let Some(reached) = reached else { continue };
            // A state's bound never falls by more than the step to it.
            let length = states.length(reached);
            let least = match evaluated[reached as usize] {
                Some(known) => known,
                None => here.saturating_sub(step),
            };
            closed[reached as usize] = false;
            let next_priority = if count_length { length.saturating_add(least) } else { here };
            open.push(Reverse((next_priority, least, Reverse(reached))));
        }
    }
    Searched::Unsolvable
}
