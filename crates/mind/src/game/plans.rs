//! Plans that were made already. Characters of one design meet the same few situations again and again, and a plan depends on
//! nothing but the goal and the facts.

use std::collections::BTreeMap;
use std::sync::Arc;

use repertoire_plan::{Outcome, Planner};

use super::design::{Design, Planning};

/// As many plans are kept; beyond that all are forgotten and made again when they are needed.
const MOST: usize = 4_096;

/// The planner of one design, and what it found.
#[derive(Clone, Debug)]
pub(super) struct Plans {
    design: Arc<Design>,
    planner: Planner,
    /// By goal and facts; `None` where there is no plan.
    made: BTreeMap<(usize, u64), Option<Arc<[u32]>>>,
}

impl Plans {
    pub fn new(design: &Arc<Design>, planning: &Planning) -> Self {
        Plans {
            design: Arc::clone(design),
            planner: Planner::new(planning.domain.task.clone()),
            made: BTreeMap::new(),
        }
    }

    pub fn are_of(&self, design: &Arc<Design>) -> bool {
        Arc::ptr_eq(&self.design, design)
    }

    /// A plan for a goal, if there is one.
    pub fn plan(&mut self, planning: &Planning, goal: usize, facts: &[u16]) -> Option<Arc<[u32]>> {
        let key = number(planning.domain.task.sizes(), facts).map(|number| (goal, number));
        if let Some(made) = key.and_then(|key| self.made.get(&key)) {
            return made.clone();
        }
        let total = planning.domain.total_goal(&planning.goals()[goal], facts);
        let plan = match self.planner.solve(facts, &total, None) {
            Ok(Outcome::Plan { actions, .. }) => Some(Arc::from(actions)),
            _ => None,
        };
        if let Some(key) = key {
            if self.made.len() == MOST {
                self.made.clear();
            }
            self.made.insert(key, plan.clone());
        }
        plan
    }
}

/// Facts as one number; none if there are too many of them.
fn number(sizes: &[u16], facts: &[u16]) -> Option<u64> {
    let digit = |number: u64, (size, fact): (&u16, &u16)| {
        number.checked_mul(u64::from(*size))?.checked_add(u64::from(*fact))
    };
    sizes.iter().zip(facts).try_fold(0, digit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn different_facts_have_different_numbers() {
        let (sizes, mut seen) = ([3, 2, 4], std::collections::BTreeSet::new());
        for first in 0..3 {
            for second in 0..2 {
                seen.extend((0..4).map(|third| number(&sizes, &[first, second, third])));
            }
        }
        assert_eq!(seen.len(), 24);
        assert_eq!(
            number(&[u16::MAX; 5], &[u16::MAX - 1; 5]),
            None,
            "more facts than a number can tell apart"
        );
    }
}
