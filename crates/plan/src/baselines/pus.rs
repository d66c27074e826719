//! Bäckström's planner for unary, post-unique, single-valued tasks.
//!
//! As Prévost et al. 2022, section 2.3, describe it (their `P`, from Bäckström 1992, pp. 84-90; Theorem 4.11
//! gives `O(m² n)`). Single-valuedness means that a variable `i` has one value `x_i` that actions may need.
//! If one does, `i` goes from its start to `x_i`, stays while it is needed, and goes on to its goal; an
//! action may come in both halves.
//!
//! | phase | does                                                                       | cost      |
//! |-------|----------------------------------------------------------------------------|-----------|
//! | 1     | chains of actions back from each goal value to the start                   | `O(mn)`   |
//! | 2     | for each action in a chain, for each variable: is a value needed, and when | `O(m² n)` |
//! | 3     | topological sort; a cycle means that there is no plan                      | `O(m² n)` |
//!
//! | paper     | code                   | meaning                                                      |
//! |-----------|------------------------|--------------------------------------------------------------|
//! | `prv(a)`  | `prevail[a * m..][..m]`| what action `a` needs of every variable, `ANY` for nothing |
//! | `s_0, s_*`| `init, goal`           | both total                                                   |
//!
//! Differs from the paper: nothing that it describes. The prevail vectors are dense and phase 2 looks at all
//! of them, which is what makes it quadratic; memory is kept between plans, which the paper found to matter.

use crate::Task;
use crate::chains::bytes_of;

use super::{ANY, Makers, NONE, dense_prevail};

/// A planner for one task.
pub struct Pus {
    tables: Tables,
    work: Work,
}

struct Tables {
    makers: Makers,
    /// The value each action changes.
    pre: Vec<u16>,
    prevail: Vec<u16>,
    vars: usize,
}

/// What a plan is made of. An occurrence is an action, or, when a variable goes round its cycle, an action
/// plus the number of actions in the half that leads from the start to the needed value.
#[derive(Default)]
struct Work {
    /// For each variable its occurrences up to the goal, last first; then for each variable those of the
    /// extra half.
    chains: Vec<Vec<u32>>,
    /// For each variable whose `x_i` is needed, the occurrences that make it and that end it, or [`NONE`].
    stays: Vec<Option<(u32, u32)>>,
    occurrences: Vec<u32>,
    orders: Vec<(u32, u32)>,
    /// How many occurrences must still come before each.
    before: Vec<u32>,
    /// Where the successors of each occurrence start.
    start: Vec<u32>,
    successors: Vec<u32>,
}

/// Plans once; [`Pus`] plans many times. `None` also for a state or goal that does not fit the task.
pub fn pus(task: &Task, init: &[u16], goal: &[u16]) -> Option<Vec<u32>> {
    let wanted: Vec<Option<u16>> = goal.iter().copied().map(Some).collect();
    task.check_instance(init, &wanted).ok()?;
    let mut plan = Vec::new();
    Pus::new(task)?.solve(init, goal, &mut plan).then_some(plan)
}

impl Pus {
    /// `None` unless the task is unary, post-unique and single-valued.
    pub fn new(task: &Task) -> Option<Self> {
        let makers = Makers::new(task)?;
        if !task.is_single_valued() {
            return None;
        }
        let vars = task.sizes().len();
        let prevail = dense_prevail(task);
        let pre = task.actions().iter().map(|action| action.effects[0].pre).collect::<Option<_>>()?;
        Some(Pus { tables: Tables { makers, pre, prevail, vars }, work: Work::default() })
    }

    /// What its tables and its working memory take, in bytes, as they are now.
    pub fn bytes(&self) -> usize {
        let Pus { tables, work } = self;
        tables.makers.bytes()
            + bytes_of(&tables.pre)
            + bytes_of(&tables.prevail)
            + bytes_of(&work.chains)
            + work.chains.iter().map(bytes_of).sum::<usize>()
            + bytes_of(&work.stays)
            + bytes_of(&work.occurrences)
            + bytes_of(&work.orders)
            + bytes_of(&work.before)
            + bytes_of(&work.start)
            + bytes_of(&work.successors)
    }

    /// Finds a shortest plan; false if there is none.
    ///
    /// # Panics
    /// It may, on a state or goal that does not fit the task ([`Task::check_instance`]): it is here to be measured.
    pub fn solve(&mut self, init: &[u16], goal: &[u16], plan: &mut Vec<u32>) -> bool {
        let Pus { tables, work } = self;
        plan.clear();
        work.clear(tables);
        let chains = (0..tables.vars).all(|var| work.walk_back(tables, var, init[var], goal[var]));
        chains && work.order_actions(tables, init, goal) && work.sort(tables, plan)
    }
}

impl Work {
    fn clear(&mut self, tables: &Tables) {
        let occurrences = 2 * tables.pre.len();
        self.chains.resize_with(2 * tables.vars, Vec::new);
        self.chains.iter_mut().for_each(Vec::clear);
        self.stays.clear();
        self.stays.resize(tables.vars, None);
        self.occurrences.clear();
        self.orders.clear();
        self.before.clear();
        self.before.resize(occurrences, 0);
        self.start.clear();
        self.start.resize(occurrences, 0);
    }

    fn order(&mut self, first: u32, second: u32) {
        if first != NONE && second != NONE {
            self.orders.push((first, second));
        }
    }

    /// Prolongs a chain backwards, from where one value is reached to where another is left; phase 1 when it
    /// is new.
    fn walk_back(&mut self, tables: &Tables, chain: usize, from: u16, to: u16) -> bool {
        let var = (chain % tables.vars) as u32;
        let half = if chain < tables.vars { 0 } else { tables.pre.len() as u32 };
        let mut value = to;
        let mut after = self.chains[chain].last().copied().unwrap_or(NONE);
        // A chain longer than there are values turns in a cycle without `from`.
        for _ in 0..tables.makers.size(var) {
            if value == from {
                return true;
            }
            let Some(action) = tables.makers.get(var, value) else { return false };
            let occurrence = action + half;
            self.occurrences.push(occurrence);
            self.order(occurrence, after);
            self.chains[chain].push(occurrence);
            after = occurrence;
            value = tables.pre[action as usize];
        }
        false
    }

    /// Phase 2: each action in the plan meets each variable.
    fn order_actions(&mut self, tables: &Tables, init: &[u16], goal: &[u16]) -> bool {
        let mut at = 0;
        while at < self.occurrences.len() {
            let occurrence = self.occurrences[at];
            let action = occurrence as usize % tables.pre.len();
            for (var, &needed) in tables.prevail[action * tables.vars..][..tables.vars].iter().enumerate() {
                if needed == ANY {
                    continue;
                }
                if self.stays[var].is_none() {
                    self.stays[var] = self.build_stay(tables, var, needed, init[var], goal[var]);
                }
                let Some((make, end)) = self.stays[var] else { return false };
                self.order(make, occurrence);
                self.order(occurrence, end);
            }
            at += 1;
        }
        true
    }

    /// The occurrences between which a variable keeps a needed value; built if its chain does not pass there.
    fn build_stay(
        &mut self,
        tables: &Tables,
        var: usize,
        needed: u16,
        init: u16,
        goal: u16,
    ) -> Option<(u32, u32)> {
        let chain = &self.chains[var];
        if needed == goal {
            return Some((chain.first().copied().unwrap_or(NONE), NONE));
        }
        if let Some(at) = chain.iter().position(|&occurrence| tables.pre[occurrence as usize] == needed) {
            return Some((chain.get(at + 1).copied().unwrap_or(NONE), chain[at]));
        }
        // Once round the cycle: from the start to the needed value, back to the start, then the chain that
        // was there.
        let round = self.walk_back(tables, var, needed, init)
            && self.walk_back(tables, tables.vars + var, init, needed);
        let (make, end) = (*self.chains[tables.vars + var].first()?, *self.chains[var].last()?);
        self.order(make, end);
        round.then_some((make, end))
    }

    /// Phase 3.
    fn sort(&mut self, tables: &Tables, plan: &mut Vec<u32>) -> bool {
        let Work { occurrences, orders, before, start, successors, .. } = self;
        // Counting sort of the orders by what comes first.
        orders.iter().for_each(|&(first, _)| start[first as usize] += 1);
        let mut total = 0;
        for end in start.iter_mut() {
            total += *end;
            *end = total;
        }
        successors.clear();
        successors.resize(orders.len(), 0);
        for &(first, second) in orders.iter() {
            before[second as usize] += 1;
            start[first as usize] -= 1;
            successors[start[first as usize] as usize] = second;
        }
        let count = occurrences.len();
        occurrences.retain(|&occurrence| before[occurrence as usize] == 0);
        while let Some(occurrence) = occurrences.pop() {
            plan.push(occurrence % tables.pre.len() as u32);
            let from = start[occurrence as usize] as usize;
            let to = start.get(occurrence as usize + 1).map_or(orders.len(), |&to| to as usize);
            for &next in &successors[from..to] {
                before[next as usize] -= 1;
                if before[next as usize] == 0 {
                    occurrences.push(next);
                }
            }
        }
        if plan.len() < count {
            plan.clear();
            return false;
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::baselines::examples::{self, Restriction};
    use repertoire_prob::Stream;

    /// Solves, and compares with the search over states.
    fn check(planner: &mut Pus, task: &Task, init: &[u16], goal: &[u16]) -> Option<usize> {
        let mut plan = vec![7];
        let found = planner.solve(init, goal, &mut plan);
        let goal = examples::total(goal);
        let expected = examples::shortest(task, init, &goal);
        assert_eq!(found.then_some(plan.len()), expected, "{task:?} {init:?} {goal:?}");
        assert!(!found || task.is_plan(&plan, init, &goal), "{task:?} {init:?} {goal:?} {plan:?}");
        assert!(found || plan.is_empty());
        expected
    }

    #[test]
    fn refuses_the_horse_breeder() {
        // Some need the bucket on the ground, others in the hand.
        assert_eq!(pus(&examples::horse_breeder(), &[0, 0, 0], &[2, 0, 2]), None);
    }

    #[test]
    fn chops_wood() {
        let plan = pus(&examples::lumberjack(), &[0, 0, 0], &[0, 0, 1]);
        assert_eq!(plan, Some(vec![0, 2, 4, 3, 1]));
    }

    #[test]
    fn plans_between_all_states_of_single_valued_classes() {
        for task in [examples::saloonkeeper(), examples::lumberjack()] {
            let mut planner = Pus::new(&task).unwrap();
            for init in examples::states(&task) {
                for goal in examples::states(&task) {
                    check(&mut planner, &task, &init, &goal);
                }
            }
        }
    }

    #[test]
    fn is_exact_on_random_single_valued_tasks() {
        let mut rng = Stream::new(1, 0, "single-valued");
        let (mut solved, mut twice) = (0, 0);
        for _ in 0..4_000 {
            let task = examples::random_task(&mut rng, Restriction::SingleValued);
            let mut planner = Pus::new(&task).unwrap();
            for _ in 0..4 {
                let init = examples::random_state(&mut rng, &task);
                let goal = examples::random_state(&mut rng, &task);
                let length = check(&mut planner, &task, &init, &goal);
                solved += usize::from(length.is_some());
                let mut distinct = planner.work.chains.concat();
                distinct.iter_mut().for_each(|occurrence| *occurrence %= task.actions().len().max(1) as u32);
                distinct.sort_unstable();
                distinct.dedup();
                twice += usize::from(length.is_some_and(|length| length > distinct.len()));
            }
        }
        assert!(solved > 2_000 && twice > 50, "{solved} of 16000 solved, {twice} with an action twice");
    }

    #[test]
    fn goes_through_the_tunnel() {
        for n in [2, 3, 5] {
            let (task, init, goal) = examples::multi_prv_cycle(4, n);
            let length = check(&mut Pus::new(&task).unwrap(), &task, &init, &goal);
            assert_eq!(length, Some(4 * n as usize - 1));
        }
        let (task, init, goal) = examples::one_prv_5(5);
        assert_eq!(check(&mut Pus::new(&task).unwrap(), &task, &init, &goal), Some(20));
    }
}
