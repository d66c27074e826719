//! Why there is no plan.
//!
//! "There is no plan" is proved by the planner; a designer wants to know what to change. So the goal is taken apart: which of its
//! values cannot be reached (the fewest that already have no plan), and what prevents that, from the goal down to the root:
//! a value that no action makes, actions that need what cannot be had, a value that must stay as it is and would have to be
//! left for good.
//!
//! Every statement is the answer of the planner to a smaller question, so it holds for all tiers. Where a smaller question used
//! up its budget, the explanation may name more goal values than necessary, never wrong ones.

use std::collections::BTreeSet;

use crate::planner::{Outcome, Planner};
use crate::task::{Fact, TaskError};

/// Why there is no plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WhyNot {
    /// Goal values that cannot all be reached: without any one of them there would be a plan.
    pub goals: Vec<Fact>,
    /// What prevents it, from the goal down to the root.
    pub obstacles: Vec<Obstacle>,
}

/// Something that prevents a plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Obstacle {
    /// No action makes the value, and it does not hold at the start.
    NoAction {
        /// The value.
        fact: Fact,
    },
    /// An action would make the value, but needs values that cannot be reached (if there are several: not together).
    Needs {
        /// The value it would make.
        fact: Fact,
        /// The action.
        action: u32,
        /// What it needs in vain.
        needs: Vec<Fact>,
    },
    /// The value is needed to reach the value itself.
    Circle {
        /// The value.
        fact: Fact,
    },
    /// The value holds at the start and must hold at the end, but the rest of the goal cannot be reached without leaving it,
    /// and then there is no way back in time.
    Leaves {
        /// The value.
        fact: Fact,
        /// The action that leaves it.
        action: u32,
        /// The action that needs another value of the variable, and the value; `None` if the first action is itself what is
        /// needed.
        for_action: Option<(u32, Fact)>,
    },
    /// Each of the values can be reached, but not all of them together.
    Together {
        /// The values.
        facts: Vec<Fact>,
    },
}

/// States that a search may look at for each of the questions that are asked, unless told otherwise: an explanation should not take
/// much longer than the proof.
pub const USUAL_BUDGET: u64 = 20_000;

/// Explanations are no longer than this.
const MOST_OBSTACLES: usize = 12;

/// Why there is no plan from a state to a goal; `None` if there is one, or the budget (for each of the questions asked;
/// [`USUAL_BUDGET`] unless given) does not suffice to prove that there is none.
///
/// `kept` are variables whose goal nobody wrote: they only stay as they were (`unnamed = "keep"` in a domain). They are blamed
/// only if the goal could be reached without them. Empty if there are none.
///
/// ```
/// use repertoire_plan::why_not::{Obstacle, why_not};
/// use repertoire_plan::{Action, Planner, Task};
/// // A door that needs a key, which nobody can make.
/// let task = Task::new(vec![2, 2], vec![Action::unary(0, 0, 1, vec![(1, 1)])])?;
/// let why = why_not(&mut Planner::new(task), &[0, 0], &[Some(1), None], &[], None)?.expect("no plan");
/// assert_eq!(why.goals, [(0, 1)]);
/// let expected = [Obstacle::Needs { fact: (0, 1), action: 0, needs: vec![(1, 1)] }, Obstacle::NoAction { fact: (1, 1) }];
/// assert_eq!(why.obstacles, expected);
/// # Ok::<(), repertoire_plan::TaskError>(())
/// ```
pub fn why_not(
    planner: &mut Planner,
    init: &[u16],
    goal: &[Option<u16>],
    kept: &[bool],
    budget: Option<u64>,
) -> Result<Option<WhyNot>, TaskError> {
    planner.task().check_instance(init, goal)?;
    let budget = Some(budget.unwrap_or(USUAL_BUDGET));
    let mut inquiry =
        Inquiry { planner, init, budget, obstacles: Vec::new(), met: BTreeSet::new(), path: Vec::new() };
    let is_kept = |fact: &Fact| kept.get(fact.0 as usize).copied().unwrap_or(false);
    let goals: Vec<Fact> =
        goal.iter().enumerate().filter_map(|(var, value)| Some((var as u32, (*value)?))).collect();
    if !inquiry.is_unsolvable(&goals) {
        return Ok(None);
    }
    // What nobody wrote is let go first: then what was written is blamed wherever it suffices.
    let (unwritten, written): (Vec<Fact>, Vec<Fact>) = goals.into_iter().partition(is_kept);
    let goals = inquiry.fewest(unwritten, written);
    inquiry.explain(&goals);
    let obstacles = inquiry.obstacles;
    Ok(Some(WhyNot { goals, obstacles }))
}

struct Inquiry<'a> {
    planner: &'a mut Planner,
    init: &'a [u16],
    budget: Option<u64>,
    obstacles: Vec<Obstacle>,
    /// Values that were explained already.
    met: BTreeSet<Fact>,
    /// Values that are being explained, each needed for the one before.
    path: Vec<Fact>,
}

impl Inquiry<'_> {
    fn solve(&mut self, facts: &[Fact]) -> Outcome {
        let mut goal = vec![None; self.init.len()];
        facts.iter().for_each(|&(var, value)| goal[var as usize] = Some(value));
        self.planner.solve_unchecked(self.init, &goal, self.budget)
    }

    fn is_unsolvable(&mut self, facts: &[Fact]) -> bool {
        self.solve(facts) == Outcome::Unsolvable
    }

    /// The fewest of these that have no plan together, dropping from the first list before the second: in large pieces first,
    /// so that one culprit among thousands is found after a few dozen questions.
    fn fewest(&mut self, first: Vec<Fact>, second: Vec<Fact>) -> Vec<Fact> {
        let kept = self.drop_needless(first, &second);
        let mut fewest = self.drop_needless(second, &kept);
        fewest.extend(kept);
        fewest.sort_unstable();
        fewest
    }

    /// Drops all that is not needed for there to be no plan, given that `others` are wanted too.
    fn drop_needless(&mut self, mut facts: Vec<Fact>, others: &[Fact]) -> Vec<Fact> {
        let mut piece = facts.len();
        while piece > 0 {
            let mut at = 0;
            while at < facts.len() {
                let end = (at + piece).min(facts.len());
                let rest: Vec<Fact> =
                    facts[..at].iter().chain(&facts[end..]).chain(others).copied().collect();
                if self.is_unsolvable(&rest) {
                    facts.drain(at..end);
                } else {
                    at = end;
                }
            }
            piece /= 2;
        }
        facts
    }

    /// Explains why a set of facts, none of which can be left out, cannot be reached.
    fn explain(&mut self, facts: &[Fact]) {
        if self.obstacles.len() >= MOST_OBSTACLES {
            return;
        }
        match facts {
            [] => {}
            &[fact] => self.explain_one(fact),
            facts => {
                self.obstacles.push(Obstacle::Together { facts: facts.to_vec() });
                // Those that hold at the start would have to be left: say for what.
                let holding = facts.iter().filter(|&&(var, value)| self.init[var as usize] == value);
                for fact in holding.copied().collect::<Vec<Fact>>() {
                    if let Some(obstacle) = self.leaving(fact, facts) {
                        self.obstacles.push(obstacle);
                        return;
                    }
                }
            }
        }
    }

    fn explain_one(&mut self, fact: Fact) {
        if self.path.contains(&fact) {
            self.obstacles.push(Obstacle::Circle { fact });
            return;
        }
        if !self.met.insert(fact) {
            return;
        }
        let makes = |action: &crate::Action| {
            !action.finds_out() && action.effects.iter().any(|effect| (effect.var, effect.post) == fact)
        };
        let actions = self.planner.task().actions();
        let makers: Vec<usize> = (0..actions.len()).filter(|&action| makes(&actions[action])).collect();
        if makers.is_empty() {
            self.obstacles.push(Obstacle::NoAction { fact });
            return;
        }
        let mut all = Vec::new();
        for action in makers {
            let made = &self.planner.task().actions()[action];
            let when = made.effects.iter().filter(|effect| (effect.var, effect.post) == fact);
            let when: Vec<Fact> = when.flat_map(|effect| effect.when.iter().copied()).collect();
            let mut needs: Vec<Fact> = made.conditions().chain(when).collect();
            needs.sort_unstable();
            needs.dedup();
            let contradicts = needs.windows(2).any(|pair| pair[0].0 == pair[1].0);
            if !contradicts && self.is_unsolvable(&needs) {
                let needs = self.fewest(Vec::new(), needs);
                all.push(needs.clone());
                self.obstacles.push(Obstacle::Needs { fact, action: action as u32, needs });
            }
        }
        self.path.push(fact);
        all.iter().for_each(|needs| self.explain(needs));
        self.path.pop();
    }

    /// Why a fact that holds must be left to reach the others.
    fn leaving(&mut self, fact: Fact, facts: &[Fact]) -> Option<Obstacle> {
        let others: Vec<Fact> = facts.iter().copied().filter(|&other| other != fact).collect();
        let Outcome::Plan { actions, .. } = self.solve(&others) else { return None };
        let task = self.planner.task();
        let changes = |&&action: &&u32| {
            task.actions()[action as usize].effects.iter().any(|effect| effect.var == fact.0)
        };
        let action = *actions.iter().find(changes)?;
        let needs = |&action: &u32| {
            let mut conditions = task.actions()[action as usize].conditions();
            let needed = conditions.find(|&(var, value)| var == fact.0 && value != fact.1)?;
            Some((action, needed))
        };
        Some(Obstacle::Leaves { fact, action, for_action: actions.iter().find_map(needs) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::task::{Action, Effect, Task};

    fn why(task: Task, init: &[u16], goal: &[Option<u16>], kept: &[bool]) -> WhyNot {
        why_not(&mut Planner::new(task), init, goal, kept, None).unwrap().expect("no plan")
    }

    #[test]
    fn a_plan_needs_no_explanation() {
        let lamp = Task::new(vec![2], vec![Action::unary(0, 0, 1, vec![])]).unwrap();
        assert_eq!(why_not(&mut Planner::new(lamp), &[0], &[Some(1)], &[], None), Ok(None));
    }

    #[test]
    fn the_goal_at_fault_is_found_among_many() {
        // A hundred lamps that can be lit, and one without a switch.
        let actions = (0..100).filter(|&var| var != 57).map(|var| Action::unary(var, 0, 1, vec![]));
        let task = Task::new(vec![2; 100], actions.collect()).unwrap();
        let told = why(task, &[0; 100], &[Some(1); 100], &[]);
        assert_eq!(told.goals, [(57, 1)]);
        assert_eq!(told.obstacles, [Obstacle::NoAction { fact: (57, 1) }]);
    }

    #[test]
    fn a_protected_value_is_blamed_with_what_would_leave_it() {
        // Planting uses up the seed (variable 0), which must stay as it was.
        let task =
            Task::new(vec![2, 2], vec![Action::unary(0, 0, 1, vec![]), Action::unary(1, 0, 1, vec![(0, 1)])])
                .unwrap();
        let told = why(task, &[0, 0], &[Some(0), Some(1)], &[true, false]);
        assert_eq!(told.goals, [(0, 0), (1, 1)]);
        let leaves = Obstacle::Leaves { fact: (0, 0), action: 0, for_action: Some((1, (0, 1))) };
        assert_eq!(told.obstacles, [Obstacle::Together { facts: vec![(0, 0), (1, 1)] }, leaves]);
    }

    #[test]
    fn what_is_kept_is_not_blamed_where_the_goal_itself_is_out_of_reach() {
        let task = Task::new(vec![2, 2], vec![Action::unary(0, 0, 1, vec![])]).unwrap();
        let told = why(task, &[0, 0], &[Some(0), Some(1)], &[true, false]);
        assert_eq!(told.goals, [(1, 1)]);
    }

    #[test]
    fn values_that_need_each_other_are_a_circle() {
        let task = Task::new(
            vec![2, 2],
            vec![Action::unary(0, 0, 1, vec![(1, 1)]), Action::unary(1, 0, 1, vec![(0, 1)])],
        )
        .unwrap();
        let told = why(task, &[0, 0], &[Some(1), None], &[]);
        assert_eq!(told.obstacles.last(), Some(&Obstacle::Circle { fact: (0, 1) }));
    }

    #[test]
    fn tasks_of_any_kind_are_explained() {
        // One key for two locks: turning one turns the other back.
        let change = |var, pre, post| Effect { var, pre: Some(pre), post, when: Vec::new() };
        let task = Task::new(
            vec![2, 2],
            vec![
                Action { effects: vec![change(0, 0, 1), change(1, 1, 0)], prevail: vec![] },
                Action { effects: vec![change(0, 1, 0), change(1, 0, 1)], prevail: vec![] },
            ],
        )
        .unwrap();
        let told = why(task, &[0, 1], &[Some(1), Some(1)], &[]);
        assert_eq!(told.goals, [(0, 1), (1, 1)]);
        let leaves = Obstacle::Leaves { fact: (1, 1), action: 0, for_action: None };
        assert_eq!(told.obstacles, [Obstacle::Together { facts: vec![(0, 1), (1, 1)] }, leaves]);
    }
}
