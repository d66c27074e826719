//! A lower bound on the length of a plan, or on its cost: the closure where the task has chains, otherwise the goals not yet reached.

use super::Problem;
use crate::closure::{Closure, Found};

pub(super) enum Bound {
    /// Every plan contains the closure.
    Closure(Box<Closure>),
    /// The most goals that one action reaches.
    Goals(u32),
}

impl Bound {
    pub fn new(problem: &Problem<'_>) -> Self {
        match problem.chains {
            Some(chains) => Bound::Closure(Box::new(Closure::new(chains, problem.init.len()))),
            None => {
                let most = problem.task.actions().iter().map(|action| action.effects.len()).max();
                Bound::Goals(most.unwrap_or(1).max(1) as u32)
            }
        }
    }

    /// `None` proves that there is no plan.
    pub fn of(&mut self, problem: &Problem<'_>, state: &[u16]) -> Option<u32> {
        match (self, problem.chains) {
            (Bound::Closure(closure), Some(chains)) => match closure.find(chains, state, problem.goal) {
                Found::Unsolvable => None,
                _ if problem.costs.is_empty() => Some(closure.actions.len() as u32),
                _ => {
                    let costs = closure.actions.iter().map(|&action| problem.cost(action as usize));
                    Some(costs.fold(0, u32::saturating_add))
                }
            },
            (Bound::Goals(at_once), _) => {
                let open = state
                    .iter()
                    .zip(problem.goal)
                    .filter(|(value, goal)| goal.is_some_and(|goal| goal != **value));
                let least = problem.costs.iter().min().copied().unwrap_or(1);
                Some((open.count() as u32).div_ceil(*at_once).saturating_mul(least))
            }
            (Bound::Closure(_), None) => Some(0),
        }
    }
}
