//! Which restrictions a task obeys, and so which tier will serve.

use std::collections::BTreeSet;

use crate::planner::{Outcome, Planner, Tier};
use crate::task::Task;

/// What a look at a task found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lint {
    /// Actions that change several variables, from any value, or under conditions.
    pub not_unary: Vec<usize>,
    /// Pairs of actions that make the same value.
    pub not_post_unique: Vec<(usize, usize)>,
    /// Pairs of actions that ask for different values of a variable.
    pub not_single_valued: Vec<(usize, usize, u32)>,
}

impl Lint {
    /// Looks at a task.
    pub fn of(task: &Task) -> Self {
        Lint {
            not_unary: task.not_unary().collect(),
            not_post_unique: task.not_post_unique(),
            not_single_valued: task.not_single_valued(),
        }
    }

    /// Whether the fast tiers can serve.
    pub fn is_fast(&self) -> bool {
        self.not_unary.is_empty() && self.not_post_unique.is_empty()
    }
}

/// How a goal fares over all states that can be reached.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reach {
    /// States looked at.
    pub states: usize,
    /// Whether these are all; otherwise there are more than could be looked at.
    pub complete: bool,
    /// States from which there is no plan.
    pub unsolvable: usize,
    /// States served by each tier.
    pub tiers: Vec<(Tier, usize)>,
    /// States whose plan uses an action twice: the first few.
    pub twice: Vec<Vec<u16>>,
}

impl Reach {
    /// Whether no state has a plan, so that whatever is said of all plans is true.
    pub fn is_vacuous(&self) -> bool {
        self.complete && self.tiers.is_empty()
    }

    /// Whether every plan uses each action once (T1); `None` if not all states could be looked at.
    pub fn is_t1(&self) -> Option<bool> {
        if !self.twice.is_empty() {
            return Some(false);
        }
        self.complete.then_some(true)
    }
}

/// States that search may look at for one of them.
const BUDGET: u64 = 5_000;

/// After so many states that needed search (one that was given up counts for twenty), the rest is left open: a look at a
/// domain should not take as long as playing in it.
const MOST_SEARCHED: usize = 400;

/// Plans for a goal from every state that can be reached from `start`, up to `most` states.
pub fn reach(
    planner: &mut Planner,
    start: &[u16],
    most: usize,
    goal: impl Fn(&[u16]) -> Vec<Option<u16>>,
) -> Reach {
    let mut seen: BTreeSet<Vec<u16>> = BTreeSet::from([start.to_vec()]);
    let mut open = vec![start.to_vec()];
    let mut found = Reach { complete: true, ..Reach::default() };
    let mut searched = 0;
    while let Some(state) = open.pop() {
        if searched > MOST_SEARCHED {
            found.complete = false;
            break;
        }
        found.states += 1;
        match planner.solve(&state, &goal(&state), Some(BUDGET)) {
            Outcome::Plan { actions, tier } => {
                searched += usize::from(tier >= Tier::Search);
                match found.tiers.iter_mut().find(|(known, _)| *known == tier) {
                    Some((_, count)) => *count += 1,
                    None => found.tiers.push((tier, 1)),
                }
                let once: BTreeSet<&u32> = actions.iter().collect();
                if once.len() < actions.len() && found.twice.len() < 3 {
                    found.twice.push(state.clone());
                }
            }
            Outcome::Unsolvable => {
                searched += usize::from(!planner.is_fast());
                found.unsolvable += 1;
            }
            Outcome::GaveUp { .. } => {
                searched += 20;
                found.complete = false;
            }
        }
        for action in 0..planner.task().actions().len() {
            if planner.task().is_applicable(action, &state) {
                let mut next = state.clone();
                planner.task().apply(action, &mut next);
                if !seen.contains(&next) {
                    if seen.len() >= most {
                        found.complete = false;
                    } else {
                        seen.insert(next.clone());
                        open.push(next);
                    }
                }
            }
        }
    }
    found.tiers.sort_unstable();
    found
}
