//! Tier 2: which loop is opened first, when several must be (k >= 2).
//!
//! Deciding that is NP-complete, so this is a search: depth first over the order of openers, running everything
//! harmless in between, never visiting the same set of executed actions twice, with a budget of nodes.

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
    /// The budget ran out.
    GaveUp,
}

/// Searches from a started simulation; `nodes` counts down.
pub(crate) fn search(
    chains: &Chains,
    closure: &Closure,
    init: &[u16],
    start: Simulation,
    nodes: &mut u64,
) -> Opened {
    let mut seen: BTreeSet<Vec<u64>> = BTreeSet::new();
    let mut stack = vec![start];
    let mut openers = Vec::new();
    while let Some(mut simulation) = stack.pop() {
        if simulation.saturate(chains) {
            return Opened::Plan(simulation.plan);
        }
        if !seen.insert(simulation.executed()) {
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
