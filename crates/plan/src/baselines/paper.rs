//! The linear planner of Prévost et al. 2022 as printed, procedures 1 to 3, read charitably.
//!
//! | paper         | code                             | meaning                                             |
//! |---------------|----------------------------------|-----------------------------------------------------|
//! | `a_v^p`       | `makers.get(v, p)`               | the action that makes `v = p`                       |
//! | `D`           | `used`                           | the yellow actions, in the order of their discovery |
//! | `E_D`         | `orders`                         | for each action a list of those before it           |
//! | `Next(a_v^y)` | `next[fact(v, y)]`               | the action of `v`'s chain that leaves `y`           |
//! | `NextInCycle` | `next_in_cycle[fact(v, y)]`      | the action of `v`'s cycle that leaves `y`           |
//! | line 3.28     | `before[fact]`, a set of actions | which go before a looped variable leaves its start  |
//!
//! Differs from the paper:
//! - the edge and `Next` of lines 1.17 and 1.19 are the right way round (as printed, the paper's own Horse
//!   Breeder fails);
//! - `Next` belongs to a fact and not to the action that makes it, which need not exist for an initial value;
//! - where an edge starts or ends at an action that does not exist, it is left out;
//! - line 3.28, which the text explains in words, looks for paths over the dependencies that are known
//!   beforehand (post-pre and post-prv, between all actions), as "lors du pré-traitement" demands. Counting
//!   threats among them, the other reading, loses more plans: 40 of the Western's instead of one, and a few
//!   more at random;
//! - recursion is a stack.
//!
//! The rest is as printed, the guard of line 3.23 and the choice of lines 3.27 to 3.33 included, so that a
//! plan returned may be no plan, and a solvable instance may fail. That is what there is to show: check plans
//! with [`Task::is_plan`].

use crate::Task;
use crate::chains::bytes_of;

use super::{Makers, NONE};

/// A planner for one task.
pub struct Paper {
    tables: Tables,
    work: Work,
}

struct Tables {
    makers: Makers,
    steps: Vec<Step>,
    /// The prevail conditions of each action.
    prevail: Vec<Vec<(u32, u16)>>,
    /// The same for every variable of every action: the paper's lists of `m` elements, which line 3.23 looks
    /// into.
    dense: Vec<u16>,
    vars: usize,
    next_in_cycle: Vec<u32>,
    /// For each fact, sorted, the actions that need it and lead to an action that needs another value.
    before: Vec<Vec<u32>>,
}

/// The change an action makes.
#[derive(Clone, Copy)]
struct Step {
    var: u32,
    pre: u16,
    post: u16,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Colour {
    White,
    Yellow,
    Blue,
    Green,
}

/// What a plan is made of; all white and empty between plans.
struct Work {
    colours: Vec<Colour>,
    used: Vec<u32>,
    next: Vec<u32>,
    /// Facts whose `next` is set.
    left: Vec<usize>,
    orders: Vec<Order>,
    /// For each action its first and last order; and the actions that have any.
    lists: Vec<(u32, u32)>,
    ordered: Vec<u32>,
    stack: Vec<(u32, u32)>,
}

/// A member of the list of actions before another.
struct Order {
    before: u32,
    next: u32,
}

/// No plan, by one of the paper's `fail`s.
struct Fail;

/// Plans once; [`Paper`] plans many times. `None` also for a state or goal that does not fit the task.
pub fn paper(task: &Task, init: &[u16], goal: &[u16]) -> Option<Vec<u32>> {
    let wanted: Vec<Option<u16>> = goal.iter().copied().map(Some).collect();
    task.check_instance(init, &wanted).ok()?;
    let mut plan = Vec::new();
    Paper::new(task)?.solve(init, goal, &mut plan).then_some(plan)
}

impl Paper {
    /// `None` unless the task is unary and post-unique.
    pub fn new(task: &Task) -> Option<Self> {
        let makers = Makers::new(task)?;
        let step =
            |effect: &crate::Effect| Some(Step { var: effect.var, pre: effect.pre?, post: effect.post });
        let steps =
            task.actions().iter().map(|action| step(&action.effects[0])).collect::<Option<Vec<_>>>()?;
        let prevail: Vec<_> = task.actions().iter().map(|action| action.prevail.clone()).collect();
        let next_in_cycle = next_in_cycle(&makers, &steps);
        let before = before(&makers, &steps, &prevail);
        let work = Work {
            colours: vec![Colour::White; steps.len()],
            used: Vec::new(),
            next: vec![NONE; makers.maker.len()],
            left: Vec::new(),
            orders: Vec::new(),
            lists: vec![(NONE, NONE); steps.len()],
            ordered: Vec::new(),
            stack: Vec::new(),
        };
        let vars = task.sizes().len();
        let dense = super::dense_prevail(task);
        Some(Paper { tables: Tables { makers, steps, prevail, dense, vars, next_in_cycle, before }, work })
    }

    /// What its tables and its working memory take, in bytes, as they are now.
    pub fn bytes(&self) -> usize {
        let Paper { tables, work } = self;
        tables.makers.bytes()
            + bytes_of(&tables.steps)
            + bytes_of(&tables.prevail)
            + tables.prevail.iter().map(bytes_of).sum::<usize>()
            + bytes_of(&tables.dense)
            + bytes_of(&tables.next_in_cycle)
            + bytes_of(&tables.before)
            + tables.before.iter().map(bytes_of).sum::<usize>()
            + bytes_of(&work.colours)
            + bytes_of(&work.used)
            + bytes_of(&work.next)
            + bytes_of(&work.left)
            + bytes_of(&work.orders)
            + bytes_of(&work.lists)
            + bytes_of(&work.ordered)
            + bytes_of(&work.stack)
    }

    /// Procedure 3: what the algorithm takes for a plan; false when it fails.
    ///
    /// # Panics
    /// It may, on a state or goal that does not fit the task ([`Task::check_instance`]): it is here to be measured.
    pub fn solve(&mut self, init: &[u16], goal: &[u16], plan: &mut Vec<u32>) -> bool {
        plan.clear();
        let found = self.work.plan(&self.tables, init, goal, plan).is_ok();
        self.work.clear();
        if !found {
            plan.clear();
        }
        found
    }
}

impl Work {
    /// Procedure 3.
    fn plan(&mut self, tables: &Tables, init: &[u16], goal: &[u16], plan: &mut Vec<u32>) -> Result<(), Fail> {
        for var in (0..init.len()).filter(|&var| init[var] != goal[var]) {
            self.build_chain(tables, var as u32, init[var], goal[var])?;
        }
        let mut at = 0;
        while at < self.used.len() {
            let action = self.used[at];
            for &(var, value) in &tables.prevail[action as usize] {
                let ends = (init[var as usize], goal[var as usize]);
                self.order_prevail(tables, action, (var, value), ends)?;
            }
            at += 1;
        }
        for at in 0..self.used.len() {
            if self.colours[self.used[at] as usize] == Colour::Yellow {
                self.sort(tables, self.used[at], init, plan)?;
            }
        }
        Ok(())
    }

    /// Lines 3.11 to 3.33, for an action that needs `var = value`, which starts and ends at `ends`.
    fn order_prevail(
        &mut self,
        tables: &Tables,
        action: u32,
        (var, value): (u32, u16),
        (init, goal): (u16, u16),
    ) -> Result<(), Fail> {
        let makers = &tables.makers;
        let fact = makers.fact(var, value);
        if value != init {
            let maker = makers.get(var, value).ok_or(Fail)?;
            if self.colours[maker as usize] == Colour::White {
                self.build_chain(tables, var, init, value)?;
            }
            self.order(maker, action);
        }
        if value != goal {
            if self.next[fact] == NONE {
                self.build_chain(tables, var, value, init)?;
            }
            let threat = self.next[fact];
            let Step { var: changed, post: made, .. } = tables.steps[action as usize];
            if tables.dense[threat as usize * tables.vars + changed as usize] != made {
                self.order(action, threat);
            }
        }
        if value == init && tables.next_in_cycle[fact] != NONE {
            if tables.before[fact].binary_search(&action).is_ok() {
                self.order(action, tables.next_in_cycle[fact]);
            } else {
                self.order(makers.maker[fact], action);
            }
        }
        Ok(())
    }

    /// Procedure 1: the chain of actions from one value to another.
    fn build_chain(&mut self, tables: &Tables, var: u32, from: u16, to: u16) -> Result<(), Fail> {
        let makers = &tables.makers;
        let mut action = makers.get(var, to).ok_or(Fail)?;
        loop {
            if self.colours[action as usize] == Colour::White {
                self.colours[action as usize] = Colour::Yellow;
                self.used.push(action);
            }
            let value = tables.steps[action as usize].pre;
            let fact = makers.fact(var, value);
            if self.next[fact] == NONE {
                self.next[fact] = action;
                self.left.push(fact);
            }
            let earlier = makers.get(var, value);
            if let Some(earlier) = earlier {
                self.order(earlier, action);
            }
            if value == from {
                return Ok(());
            }
            action = earlier.ok_or(Fail)?;
            if self.colours[action as usize] == Colour::Yellow {
                return Err(Fail);
            }
        }
    }

    fn order(&mut self, before: u32, after: u32) {
        let order = self.orders.len() as u32;
        self.orders.push(Order { before, next: NONE });
        let (first, last) = &mut self.lists[after as usize];
        if *first == NONE {
            *first = order;
            self.ordered.push(after);
        } else {
            self.orders[*last as usize].next = order;
        }
        *last = order;
    }

    /// Procedure 2.
    fn sort(&mut self, tables: &Tables, root: u32, init: &[u16], plan: &mut Vec<u32>) -> Result<(), Fail> {
        self.stack.clear();
        self.colours[root as usize] = Colour::Blue;
        self.stack.push((root, self.lists[root as usize].0));
        while let Some((action, order)) = self.stack.last_mut() {
            let action = *action;
            let Some(Order { before, next }) = self.orders.get(*order as usize) else {
                self.colours[action as usize] = Colour::Green;
                plan.push(action);
                self.stack.pop();
                continue;
            };
            let before = *before;
            *order = *next;
            let same_var = tables.steps[before as usize].var == tables.steps[action as usize].var;
            if same_var && self.is_first(tables, action, init) {
                continue;
            }
            match self.colours[before as usize] {
                Colour::Blue => return Err(Fail),
                Colour::Yellow => {
                    self.colours[before as usize] = Colour::Blue;
                    self.stack.push((before, self.lists[before as usize].0));
                }
                Colour::White | Colour::Green => {}
            }
        }
        Ok(())
    }

    /// Line 2.3: whether an action is the first to change its variable. If the variable goes round its cycle
    /// it is the cycle's, else it is the only one used that leaves the initial value.
    fn is_first(&self, tables: &Tables, action: u32, init: &[u16]) -> bool {
        let Step { var, pre, .. } = tables.steps[action as usize];
        let fact = tables.makers.fact(var, pre);
        let round =
            tables.makers.get(var, pre).is_some_and(|maker| self.colours[maker as usize] != Colour::White);
        pre == init[var as usize] && (!round || tables.next_in_cycle[fact] == action)
    }

    /// Undoes what this plan did, in as much time.
    fn clear(&mut self) {
        self.used.drain(..).for_each(|action| self.colours[action as usize] = Colour::White);
        self.left.drain(..).for_each(|fact| self.next[fact] = NONE);
        self.ordered.drain(..).for_each(|action| self.lists[action as usize] = (NONE, NONE));
        self.orders.clear();
    }
}

/// For each fact on a cycle, the action of the cycle that leaves it. Post-uniqueness leaves it no choice.
fn next_in_cycle(makers: &Makers, steps: &[Step]) -> Vec<u32> {
    let mut next = vec![NONE; makers.maker.len()];
    for (index, &Step { var, pre, post }) in steps.iter().enumerate() {
        // The action is on a cycle if walking back from where it starts leads to where it ends.
        let mut value = pre;
        for _ in 0..makers.size(var) {
            let Some(maker) = makers.get(var, value) else { break };
            if value == post {
                next[makers.fact(var, pre)] = index as u32;
                break;
            }
            value = steps[maker as usize].pre;
        }
    }
    next
}

/// For each fact `v = x`, the actions that need it and from which a path of dependencies, none of it through
/// actions on `v`, leads to an action that needs another value of `v`. One backward search a fact.
fn before(makers: &Makers, steps: &[Step], prevail: &[Vec<(u32, u16)>]) -> Vec<Vec<u32>> {
    let mut needing = vec![Vec::new(); makers.maker.len()];
    for (index, conditions) in prevail.iter().enumerate() {
        conditions.iter().for_each(|&(var, value)| needing[makers.fact(var, value)].push(index as u32));
    }
    let mut before = vec![Vec::new(); makers.maker.len()];
    for var in 0..makers.first.len() as u32 {
        let values = || 0..makers.size(var) as u16;
        // With one value needed, as in single-valued tasks, there is no other to lead to.
        if values().filter(|&value| !needing[makers.fact(var, value)].is_empty()).count() < 2 {
            continue;
        }
        for value in values() {
            let others = values().filter(|&other| other != value);
            let mut open: Vec<u32> =
                others.flat_map(|other| needing[makers.fact(var, other)].iter().copied()).collect();
            let mut seen = vec![false; steps.len()];
            open.iter().for_each(|&action| seen[action as usize] = true);
            while let Some(action) = open.pop() {
                let Step { var: changed, pre, .. } = steps[action as usize];
                let conditions = prevail[action as usize].iter().copied().chain([(changed, pre)]);
                for earlier in conditions.filter_map(|(var, value)| makers.get(var, value)) {
                    if steps[earlier as usize].var != var && !seen[earlier as usize] {
                        seen[earlier as usize] = true;
                        open.push(earlier);
                    }
                }
            }
            let leads =
                needing[makers.fact(var, value)].iter().copied().filter(|&action| seen[action as usize]);
            before[makers.fact(var, value)] = leads.collect();
        }
    }
    before
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::baselines::bfs::PackedBfs;
    use crate::baselines::examples::{self, Restriction};
    use repertoire_prob::Stream;

    /// What became of instances.
    #[derive(Debug, Default)]
    struct Tally {
        /// A shortest plan.
        right: u32,
        /// What was returned is no plan, or a longer one.
        wrong: u32,
        /// Nothing was returned, though there is a plan that uses each action at most once.
        missed: u32,
        /// Nothing was returned, and the shortest plan uses an action twice: not the paper's class.
        twice: u32,
        /// Nothing was returned, and there is no plan.
        unsolvable: u32,
    }

    impl Tally {
        fn count(&mut self, planner: &mut Paper, task: &Task, init: &[u16], goal: &[u16]) {
            let mut plan = vec![7];
            let found = planner.solve(init, goal, &mut plan);
            let mut bfs = PackedBfs::new(task).unwrap();
            let (mask, value) = bfs.pack_goal(&examples::total(goal));
            let mut shortest = Vec::new();
            let solvable = bfs.solve(bfs.pack(init), mask, value, &mut shortest);
            let is_plan = task.is_plan(&plan, init, &examples::total(goal));
            let length = shortest.len();
            shortest.sort_unstable();
            shortest.dedup();
            let cell = match (found, solvable) {
                (true, _) if is_plan && plan.len() == length => &mut self.right,
                (true, _) => &mut self.wrong,
                (false, true) if shortest.len() == length => &mut self.missed,
                (false, true) => &mut self.twice,
                (false, false) => &mut self.unsolvable,
            };
            *cell += 1;
        }

        fn random(restriction: Restriction) -> Tally {
            let mut rng = Stream::new(1, 0, "paper");
            let mut tally = Tally::default();
            for _ in 0..20_000 {
                let task = examples::random_task(&mut rng, restriction);
                let mut planner = Paper::new(&task).unwrap();
                for _ in 0..4 {
                    let init = examples::random_state(&mut rng, &task);
                    let goal = examples::random_state(&mut rng, &task);
                    tally.count(&mut planner, &task, &init, &goal);
                }
            }
            tally
        }
    }

    #[test]
    fn feeds_the_horses() {
        let task = examples::horse_breeder();
        let plan = paper(&task, &[0, 0, 0], &[2, 0, 2]).unwrap();
        assert!(task.is_plan(&plan, &[0, 0, 0], &examples::total(&[2, 0, 2])), "{plan:?}");
        assert_eq!(plan.len(), 6);
    }

    #[test]
    fn is_right_between_all_states_of_classes() {
        for task in [examples::horse_breeder(), examples::saloonkeeper(), examples::lumberjack()] {
            let mut planner = Paper::new(&task).unwrap();
            let mut tally = Tally::default();
            for init in examples::states(&task) {
                for goal in examples::states(&task) {
                    tally.count(&mut planner, &task, &init, &goal);
                }
            }
            assert_eq!((tally.wrong, tally.missed, tally.twice), (0, 0, 0), "{tally:?}");
        }
    }

    #[test]
    fn knows_the_next_action_where_nothing_makes_the_initial_value() {
        assert_eq!(paper(&examples::no_maker(), &[0, 0], &[1, 1]), Some(vec![0, 1]));
    }

    #[test]
    fn the_guard_of_line_23_lets_an_invalid_plan_through() {
        let task = examples::dropped_threat();
        let goal = examples::total(&[1, 0, 0]);
        assert!(task.is_plan(&[2, 0, 4, 1, 3], &[0, 0, 0], &goal));
        let plan = paper(&task, &[0, 0, 0], &[1, 0, 0]).unwrap();
        assert!(!task.is_plan(&plan, &[0, 0, 0], &goal), "{plan:?}");
    }

    #[test]
    fn the_default_of_line_31_misses_a_plan() {
        let task = examples::wrong_default();
        assert!(task.is_plan(&[0, 2, 1, 3], &[0, 0, 0], &examples::total(&[1, 1, 0])));
        assert_eq!(paper(&task, &[0, 0, 0], &[1, 1, 0]), None);
    }

    #[test]
    fn the_sheriff_arrests_nobody() {
        // The gun and the keys both go round, and each may leave its place only while the other is in its
        // own.
        let task = examples::sheriff();
        assert!(task.is_plan(&[0, 2, 1, 3, 5, 7, 4, 6, 8], &[0; 4], &examples::total(&[0, 3, 0, 0])));
        assert_eq!(paper(&task, &[0; 4], &[0, 3, 0, 0]), None);
    }

    #[test]
    fn is_not_right_on_random_tasks_but_is_on_single_valued_ones() {
        let tally = Tally::random(Restriction::PostUnique);
        assert!(tally.right > 5_000 && tally.missed > 0, "{tally:?}");
        let tally = Tally::random(Restriction::SingleValued);
        assert!(tally.right > 5_000, "{tally:?}");
        assert_eq!((tally.wrong, tally.missed), (0, 0), "{tally:?}");
    }

    #[test]
    fn goes_through_the_tunnel() {
        for (task, init, goal) in
            [examples::multi_prv_cycle(4, 2), examples::multi_prv_cycle(4, 5), examples::one_prv_5(5)]
        {
            let mut tally = Tally::default();
            tally.count(&mut Paper::new(&task).unwrap(), &task, &init, &goal);
            assert_eq!(tally.right, 1, "{tally:?}");
        }
    }
}
