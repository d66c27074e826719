//! Tier 2: which loop is opened first, when several must be (k >= 2).
//!
//! Deciding that is NP-complete, so this is a search: depth first over the order of openers, running everything
//! harmless in between, never visiting the same set of executed actions twice, with a budget of nodes and of memory.

use std::collections::BTreeSet;

use crate::chains::Chains;
use crate::closure::Closure;
use crate::simulate::Simulation;

/// What the search over openers found.
pub(crate) enum Opened {
    /// The plan is in the simulation returned.
    Plan(Vec<u32>),
    /// No order of openers runs all actions exactly once.
    None,
    /// The budget ran out, or the memory.
    GaveUp,
}

/// Searches from a started simulation; `nodes` counts down.
pub(crate) fn search(
    chains: &Chains,
    closure: &Closure,
    init: &[u16],
    start: Simulation,
    nodes: &mut u64,
    memory: u64,
) -> Opened {
    let bytes_each = start.bytes();
    let mut seen: BTreeSet<Vec<u64>> = BTreeSet::new();
    let mut stack = vec![start];
    let mut openers = Vec::new();
    while let Some(mut simulation) = stack.pop() {
        if simulation.saturate(chains) {
            return Opened::Plan(simulation.plan);
        }
        let executed = simulation.executed();
        // A set of words in an ordered tree costs about its words and as much as six more.
        let kept = seen.len() as u64 * (8 * executed.len() as u64 + 48);
        if kept + stack.len() as u64 * bytes_each > memory {
            return Opened::GaveUp;
        }
        if !seen.insert(executed) {
            continue;
        }
        simulation.openers(chains, closure, init, &mut openers);
        // Pushed in reverse, so that the lowest is tried first.
        for &opener in openers.iter().rev() {
            if *nodes == 0 {
                return Opened::GaveUp;
            }
            *nodes -= 1;
            let mut next = simulation.clone();
            next.run(chains, opener);
            stack.push(next);
        }
    }
    Opened::None
}
