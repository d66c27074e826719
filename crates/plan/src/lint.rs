//! Which restrictions a task obeys, and so which tier will serve.

pub mod report;

use std::collections::BTreeSet;

use crate::planner::{Outcome, Planner, Tier};
use crate::task::{Task, TaskError};

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
    /// Whether there is a plan from the start itself; `None` if the budget did not suffice to say.
    pub from_start: Option<bool>,
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
pub(crate) const BUDGET: u64 = 5_000;

/// After so many states that needed search (one that was given up counts for twenty), the rest is left open: a look at a
/// domain should not take as long as playing in it.
const MOST_SEARCHED: usize = 400;

/// Steps that plans may take together, so that a look at the largest domains ends within seconds too: some 30 ns each.
const MOST_STEPS: usize = 100_000_000;

/// Plans for a goal from every state that can be reached from `start`, up to `most` states.
///
/// A look at a domain should not take as long as playing in it: it ends early ([`Reach::complete`] is false) after 400
/// states that needed search, or 100 million steps of plans and variables looked at. `start` must fit the planner's task.
pub fn reach(
    planner: &mut Planner,
    start: &[u16],
    most: usize,
    goal: impl Fn(&[u16]) -> Vec<Option<u16>>,
) -> Result<Reach, TaskError> {
    planner.task().check_instance(start, &goal(start))?;
    // As many as the steps allow to be looked at anyway; more would only take memory.
    let most = most.min(MOST_STEPS / start.len().max(1));
    let mut seen: BTreeSet<Vec<u16>> = BTreeSet::from([start.to_vec()]);
    let mut open = vec![start.to_vec()];
    let mut found = Reach { complete: true, ..Reach::default() };
    let (mut searched, mut steps) = (0, 0);
    // Which plan last used each action: whether one uses an action twice is seen without sorting it.
    let mut used_by = vec![0; planner.task().actions().len()];
    while let Some(state) = open.pop() {
        if searched > MOST_SEARCHED || steps > MOST_STEPS {
            found.complete = false;
            break;
        }
        found.states += 1;
        steps += state.len();
        let outcome = planner.solve(&state, &goal(&state), Some(BUDGET))?;
        if found.states == 1 {
            found.from_start = match outcome {
                Outcome::Plan { .. } => Some(true),
                Outcome::Unsolvable => Some(false),
                Outcome::GaveUp { .. } => None,
            };
        }
        match outcome {
            Outcome::Plan { actions, tier } => {
                searched += usize::from(tier >= Tier::Search);
                match found.tiers.iter_mut().find(|(known, _)| *known == tier) {
                    Some((_, count)) => *count += 1,
                    None => found.tiers.push((tier, 1)),
                }
                steps += actions.len();
                let mut is_again = |&action: &u32| {
                    std::mem::replace(&mut used_by[action as usize], found.states) == found.states
                };
                if actions.iter().filter(|action| is_again(action)).count() > 0 && found.twice.len() < 3 {
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
        // Once there are as many states as may be looked at, and it is known that these are not all, nothing that an
        // action leads to can change the answer. (Looking it up for every action of every state took minutes.)
        if seen.len() >= most && !found.complete {
            continue;
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
    Ok(found)
}
