//! The planner: tiers from the cheapest to the surest.
//!
//! | tier           | what it does                                          | answers                          |
//! |----------------|-------------------------------------------------------|----------------------------------|
//! | 0 `Closure`    | the actions every plan contains                       | nothing to do; unsolvable        |
//! | 1 `Simulation` | runs them forward, once each                          | a shortest plan                  |
//! | 2 `Openers`    | searches the order of loops                           | a shortest plan                  |
//! | 2b `Pus`       | Bäckström's planner, may use an action twice          | a plan                           |
//! | 3 `Search`     | A* over states                                        | a shortest plan; unsolvable      |
//! | 3 `Greedy`     | greedy search, when A* used up its half of the budget | a plan; unsolvable               |
//!
//! A task whose states fit 64 bits and that has at most 64 actions is planned for in words ([`crate::packed`]), which gives the
//! same answers as tiers 0 and 1 several times faster; the rest goes on as the table says.
//!
//! Source: Prévost et al. 2022. Differs from the paper: its algorithm is neither sound nor complete (`docs/provenance.md`);
//! this one is linear and complete for tasks whose plans use each action once and open at most one loop whose value is
//! still needed (k <= 1), and falls back to search above that. Every plan is checked by applying it before it is
//! returned.

use std::sync::Arc;

use crate::chains::{Chains, bytes_of};
use crate::closure::{Closure, Found};
use crate::openers::{self, Opened};
use crate::packed::{Packed, PackedTask};
use crate::pus;
use crate::search::{self, Problem, Searched};
use crate::simulate::Simulation;
use crate::task::{Task, TaskError};

/// Which tier gave a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Tier {
    /// There was nothing to do.
    Closure,
    /// Forward simulation of the closure.
    Simulation,
    /// Search over the order in which loops are opened.
    Openers,
    /// Bäckström's planner for single-valued tasks.
    Pus,
    /// A* over states.
    Search,
    /// Greedy search over states: the plan need not be shortest.
    Greedy,
}

impl Tier {
    /// Its name in answers.
    pub fn name(self) -> &'static str {
        match self {
            Tier::Closure => "closure",
            Tier::Simulation => "simulation",
            Tier::Openers => "openers",
            Tier::Pus => "pus",
            Tier::Search => "search",
            Tier::Greedy => "greedy",
        }
    }
}

/// The answer of a planner.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// A plan, checked.
    Plan {
        /// The actions, by index.
        actions: Vec<u32>,
        /// Which tier gave it.
        tier: Tier,
    },
    /// There is none: proved.
    Unsolvable,
    /// A limit was reached first.
    GaveUp {
        /// How many states were taken.
        expanded: u64,
        /// Which limit: raising the other one would not help.
        limit: Limit,
    },
}

/// The answer of [`Planner::solve_into`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Solved {
    /// There is a plan, by this tier.
    Plan(Tier),
    /// There is none: proved.
    Unsolvable,
    /// A limit was reached first.
    GaveUp {
        /// How many states were taken.
        expanded: u64,
        /// Which limit: raising the other one would not help.
        limit: Limit,
    },
}

/// What a search may not exceed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// The budget of states.
    States,
    /// The memory that the states of a search may take.
    Memory,
}

impl Limit {
    /// Its name in answers.
    pub fn name(self) -> &'static str {
        match self {
            Limit::States => "states",
            Limit::Memory => "memory",
        }
    }
}

/// Memory that a search may take unless told otherwise, in MB (of 1,000,000 bytes).
pub const USUAL_MEMORY_MB: u32 = 512;

/// The most memory that a search can use, in MB: states are numbered with 32 bits.
pub const MOST_MEMORY_MB: u32 = 65_536;

/// A task prepared for planning; its memory is reused from plan to plan.
///
/// ```
/// use repertoire_plan::{Outcome, Planner, Tier, generators};
/// let lights = generators::multi_prv_2_cycle(4);
/// let mut planner = Planner::new(lights.task);
/// let outcome = planner.solve(&lights.init, &lights.goal, None)?;
/// assert!(matches!(outcome, Outcome::Plan { .. }));
/// # Ok::<(), repertoire_plan::TaskError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Planner {
    task: Task,
    parts: Option<Parts>,
    /// The same in words, where it fits; shared by clones.
    packed: Option<Arc<PackedTask>>,
    /// The task with unknown values, once it was asked for.
    pub(crate) extended: Option<Box<Planner>>,
    /// What each action costs; empty if each counts as one step.
    costs: Vec<u32>,
    usual_budget: u64,
    /// In bytes.
    memory: u64,
}

/// What a unary, post-unique task is planned with.
#[derive(Clone, Debug)]
struct Parts {
    chains: Chains,
    closure: Closure,
    simulation: Simulation,
    openers: Vec<u32>,
    /// Where each variable is while a plan is checked.
    at: Vec<u32>,
}

/// Plans once. To plan often in one task, keep a [`Planner`].
///
/// A goal of `None` leaves a variable open. An instance that does not fit the task is refused. The budget counts states;
/// `None` takes [`Planner::usual_budget`].
pub fn solve(
    task: &Task,
    init: &[u16],
    goal: &[Option<u16>],
    budget: Option<u64>,
) -> Result<Outcome, TaskError> {
    // Laying a task out in words takes longer than one plan.
    Planner::prepare(task.clone(), false).solve(init, goal, budget)
}

impl Planner {
    /// Prepares a task.
    pub fn new(task: Task) -> Self {
        Planner::prepare(task, true)
    }

    fn prepare(task: Task, packs: bool) -> Self {
        let parts = Chains::new(&task).map(|chains| Parts {
            closure: Closure::new(&chains, task.sizes().len()),
            simulation: Simulation::new(&chains),
            openers: Vec::new(),
            at: Vec::new(),
            chains,
        });
        let size: u64 = task.actions().iter().map(|action| 1 + action.prevail.len() as u64).sum();
        let usual_budget = (200_000_000 / (size + task.sizes().len() as u64 + 1)).clamp(200, 400_000);
        let memory = u64::from(USUAL_MEMORY_MB) * 1_000_000;
        let packed = packs.then(|| PackedTask::new(&task)).flatten().map(Arc::new);
        Planner { task, parts, packed, extended: None, costs: Vec::new(), usual_budget, memory }
    }

    /// The same for actions that cost something: plans are then cheapest wherever they would otherwise be shortest. (What the
    /// closure contains is in every plan, so a plan of each of it once is both.) There must be a cost for each action.
    ///
    /// ```
    /// use repertoire_plan::{Action, Effect, Outcome, Planner, Task};
    /// // From 0 to 2: at once for 5, or by way of 1 for 2 and 2.
    /// let step = |pre, post| Action::unary(0, pre, post, vec![]);
    /// let task = Task::new(vec![3], vec![step(0, 2), step(0, 1), step(1, 2)])?;
    /// let mut planner = Planner::new(task).with_costs(vec![5, 2, 2])?;
    /// let Outcome::Plan { actions, .. } = planner.solve(&[0], &[Some(2)], None)? else { panic!("there is a way") };
    /// assert_eq!((&actions[..], planner.cost(&actions)), (&[1, 2][..], 4));
    /// # Ok::<(), repertoire_plan::TaskError>(())
    /// ```
    pub fn with_costs(mut self, costs: Vec<u32>) -> Result<Self, TaskError> {
        let needed = self.task.actions().len();
        if costs.len() != needed {
            return Err(TaskError::Length { what: "the list of costs", needed, found: costs.len() });
        }
        self.costs = if costs.iter().all(|&cost| cost == 1) { Vec::new() } else { costs };
        self.extended = None;
        Ok(self)
    }

    /// What the actions of a plan cost together; without costs, how many there are.
    pub fn cost(&self, plan: &[u32]) -> u64 {
        plan.iter().map(|&action| u64::from(self.costs.get(action as usize).copied().unwrap_or(1))).sum()
    }

    /// Whether a plan that a tier gave is proved to cost the least: not if it comes from a tier that does not look for the
    /// cheapest, or costs so much that the search could not count it (2^32).
    pub fn is_cheapest(&self, plan: &[u32], tier: Tier) -> bool {
        !matches!(tier, Tier::Pus | Tier::Greedy) && self.cost(plan) < u64::from(u32::MAX)
    }

    /// The same, which does not plan in words even if the task fits: the answers are the same, later. For comparisons.
    pub fn without_packing(mut self) -> Self {
        self.packed = None;
        self
    }

    /// The same, whose searches may take this much memory, in MB, instead of [`USUAL_MEMORY_MB`]; more than
    /// [`MOST_MEMORY_MB`] counts as that. What is counted is what the states of one search need; while its lists grow, as
    /// much again may be held for a moment.
    pub fn with_memory_mb(mut self, megabytes: u32) -> Self {
        self.memory = u64::from(megabytes.min(MOST_MEMORY_MB)) * 1_000_000;
        self.extended = None;
        self
    }

    /// The same with another's costs, whose searches may take as much memory as the other's.
    pub(crate) fn like(mut self, other: &Planner) -> Self {
        (self.memory, self.costs) = (other.memory, other.costs.clone());
        self
    }

    /// The task.
    pub fn task(&self) -> &Task {
        &self.task
    }

    /// What the task and what it is planned with take in memory, in bytes, as it is now: working memory grows with the first
    /// plans and is kept. (What a search takes while it runs is not counted.) At most O(m² n) for m variables of n values:
    /// Prévost et al. 2022, theorem 3; here linear in the actions and their distinct conditions.
    pub fn bytes(&self) -> usize {
        let action = |action: &crate::Action| {
            size_of::<crate::Action>()
                + bytes_of(&action.effects)
                + bytes_of(&action.prevail)
                + action.effects.iter().map(|effect| bytes_of(&effect.when)).sum::<usize>()
        };
        let task = self.task.actions().iter().map(action).sum::<usize>() + size_of_val(self.task.sizes());
        let parts = self.parts.as_ref().map_or(0, |parts| {
            parts.chains.bytes()
                + parts.closure.bytes()
                + parts.simulation.bytes() as usize
                + bytes_of(&parts.openers)
                + bytes_of(&parts.at)
        });
        let packed = self.packed.as_ref().map_or(0, |packed| packed.bytes());
        let extended = self.extended.as_ref().map_or(0, |extended| extended.bytes());
        task + parts + packed + extended + bytes_of(&self.costs)
    }

    /// Whether the fast tiers can serve: the task is unary and post-unique.
    pub fn is_fast(&self) -> bool {
        self.parts.is_some()
    }

    /// States that search may take unless told otherwise: fewer in large tasks, where each costs more, so that an
    /// answer comes within seconds.
    pub fn usual_budget(&self) -> u64 {
        self.usual_budget
    }

    /// Plans from a state to a goal, with a budget of states for the tiers that search; `None` takes
    /// [`Planner::usual_budget`]. A state or goal that does not fit the task is refused.
    pub fn solve(
        &mut self,
        init: &[u16],
        goal: &[Option<u16>],
        budget: Option<u64>,
    ) -> Result<Outcome, TaskError> {
        if let Some(outcome) = self.solve_packed_alone(init, goal) {
            return Ok(outcome);
        }
        self.task.check_instance(init, goal)?;
        Ok(self.solve_unpacked(init, goal, budget))
    }

    /// Plans into a list that is reused from plan to plan, which spares an allocation for each; otherwise like
    /// [`Planner::solve`]. The list is the plan if there is one, and empty if not.
    ///
    /// ```
    /// use repertoire_plan::{Action, Planner, Solved, Task, Tier};
    /// let mut planner = Planner::new(Task::new(vec![2], vec![Action::unary(0, 0, 1, vec![])])?);
    /// let mut plan = Vec::new();
    /// assert_eq!(planner.solve_into(&[0], &[Some(1)], None, &mut plan)?, Solved::Plan(Tier::Simulation));
    /// assert_eq!(plan, [0]);
    /// assert_eq!(planner.solve_into(&[1], &[Some(0)], None, &mut plan)?, Solved::Unsolvable);
    /// # Ok::<(), repertoire_plan::TaskError>(())
    /// ```
    pub fn solve_into(
        &mut self,
        init: &[u16],
        goal: &[Option<u16>],
        budget: Option<u64>,
        plan: &mut Vec<u32>,
    ) -> Result<Solved, TaskError> {
        plan.clear();
        let mut words = [0; 64];
        match self.solve_packed(init, goal, &mut words) {
            Some(Packed::Plan(length)) => {
                plan.extend(words[..length].iter().map(|&action| u32::from(action)));
                return Ok(Solved::Plan(if length == 0 { Tier::Closure } else { Tier::Simulation }));
            }
            Some(_) => return Ok(Solved::Unsolvable),
            None => {}
        }
        self.task.check_instance(init, goal)?;
        Ok(match self.solve_unpacked(init, goal, budget) {
            Outcome::Plan { actions, tier } => {
                *plan = actions;
                Solved::Plan(tier)
            }
            Outcome::Unsolvable => Solved::Unsolvable,
            Outcome::GaveUp { expanded, limit } => Solved::GaveUp { expanded, limit },
        })
    }

    /// In words, a plan or a proof that there is none; `None` where other tiers must decide, or the instance does not fit the
    /// task.
    #[inline]
    fn solve_packed(&self, init: &[u16], goal: &[Option<u16>], plan: &mut [u8; 64]) -> Option<Packed> {
        let packed = self.packed.as_ref()?;
        let (from, to, named) = packed.layout().pack_instance(init, goal)?;
        let found = packed.solve_open_unchecked(from, to, named, plan);
        matches!(found, Packed::Plan(_) | Packed::Unsolvable).then_some(found)
    }

    fn solve_packed_alone(&self, init: &[u16], goal: &[Option<u16>]) -> Option<Outcome> {
        let mut plan = [0; 64];
        Some(match self.solve_packed(init, goal, &mut plan)? {
            Packed::Plan(0) => Outcome::Plan { actions: Vec::new(), tier: Tier::Closure },
            Packed::Plan(length) => {
                let actions = plan[..length].iter().map(|&action| u32::from(action)).collect();
                Outcome::Plan { actions, tier: Tier::Simulation }
            }
            _ => Outcome::Unsolvable,
        })
    }

    /// Plans for a state and goal that are known to fit the task.
    pub(crate) fn solve_unchecked(
        &mut self,
        init: &[u16],
        goal: &[Option<u16>],
        budget: Option<u64>,
    ) -> Outcome {
        self.solve_packed_alone(init, goal).unwrap_or_else(|| self.solve_unpacked(init, goal, budget))
    }

    fn solve_unpacked(&mut self, init: &[u16], goal: &[Option<u16>], budget: Option<u64>) -> Outcome {
        let all = budget.unwrap_or(self.usual_budget);
        let mut left = all;
        if let Some(outcome) = self.fast(init, goal, &mut left) {
            return outcome;
        }
        let chains = self.parts.as_ref().map(|parts| &parts.chains);
        let costs = &self.costs;
        let problem = Problem { task: &self.task, chains, init, goal, memory: self.memory, costs };
        let (actions, tier) = match search::search(&problem, &mut left) {
            Searched::Plan { actions, shortest: true } => (actions, Tier::Search),
            Searched::Plan { actions, .. } => {
                (without_detours(&self.task, actions, init, goal), Tier::Greedy)
            }
            Searched::Unsolvable => return Outcome::Unsolvable,
            Searched::GaveUp(limit) => {
                // With costs this tier was left out before, because it does not look at them.
                let late =
                    chains.filter(|_| !costs.is_empty()).and_then(|chains| pus::plan(chains, init, goal));
                match late.filter(|actions| self.task.is_plan(actions, init, goal)) {
                    Some(actions) => (actions, Tier::Pus),
                    None => return Outcome::GaveUp { expanded: all - left, limit },
                }
            }
        };
        assert!(self.task.is_plan(&actions, init, goal), "a search gives plans");
        Outcome::Plan { actions, tier }
    }

    /// Tiers 0 to 2b; `None` where search must decide.
    fn fast(&mut self, init: &[u16], goal: &[Option<u16>], left: &mut u64) -> Option<Outcome> {
        let memory = self.memory;
        let Parts { chains, closure, simulation, openers, at } = self.parts.as_mut()?;
        let mut checked = |actions: &[u32], tier: Tier| {
            chains.is_plan(actions, init, goal, at).then(|| Outcome::Plan { actions: actions.to_vec(), tier })
        };
        let found = closure.find(chains, init, goal);
        if found == Found::Unsolvable {
            return Some(Outcome::Unsolvable);
        }
        if found == Found::Once {
            if closure.actions.is_empty() {
                return checked(&[], Tier::Closure);
            }
            simulation.start(chains, closure, init);
            let needed_loops = count_needed_loops(chains, closure, init);
            loop {
                if simulation.saturate(chains) {
                    if let Some(outcome) = checked(&simulation.plan, Tier::Simulation) {
                        return Some(outcome);
                    }
                    break;
                }
                simulation.openers(chains, closure, init, openers);
                let opens = openers
                    .iter()
                    .copied()
                    .find(|&opener| needed_loops < 2 || !simulation.would_lock(chains, opener));
                match opens {
                    Some(opener) => simulation.run(chains, opener),
                    None => break,
                }
            }
            if needed_loops >= 2 {
                simulation.start(chains, closure, init);
                let mut half = left.div_ceil(2);
                *left -= half;
                let opened = openers::search(chains, closure, init, simulation.clone(), &mut half, memory);
                *left += half;
                if let Opened::Plan(actions) = opened
                    && let Some(outcome) = checked(&actions, Tier::Openers)
                {
                    return Some(outcome);
                }
            }
        }
        if !self.costs.is_empty() {
            return None;
        }
        pus::plan(chains, init, goal).and_then(|actions| checked(&actions, Tier::Pus))
    }
}

/// Takes out steps that serve nothing, each together with the later steps that depend on it. (A greedy search wanders;
/// this is not a search for a shortest plan.)
fn without_detours(task: &Task, mut plan: Vec<u32>, init: &[u16], goal: &[Option<u16>]) -> Vec<u32> {
    let mut at = 0;
    while at < plan.len() {
        let mut state = init.to_vec();
        let mut kept = Vec::with_capacity(plan.len());
        for (step, &action) in plan.iter().enumerate() {
            if step != at && task.is_applicable(action as usize, &state) {
                task.apply(action as usize, &mut state);
                kept.push(action);
            }
        }
        if task.is_plan(&kept, init, goal) {
            plan = kept;
        } else {
            at += 1;
        }
    }
    plan
}

/// k: loops whose value at the start is also needed by someone.
fn count_needed_loops(chains: &Chains, closure: &Closure, init: &[u16]) -> usize {
    let needed = |&&var: &&u32| {
        let at = chains.fact(var, init[var as usize]);
        chains.users(at).any(|user| closure.contains(user))
    };
    closure.looped.iter().filter(needed).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::task::Action;

    #[test]
    fn detours_are_taken_out_together_with_what_depends_on_them() {
        // 0: the door; 1: a hat, put on and taken off for nothing.
        let task = Task::new(
            vec![2, 2],
            vec![
                Action::unary(0, 0, 1, vec![]),
                Action::unary(1, 0, 1, vec![]),
                Action::unary(1, 1, 0, vec![]),
            ],
        )
        .unwrap();
        let goal = [Some(1), Some(0)];
        assert_eq!(without_detours(&task, vec![1, 0, 2], &[0, 0], &goal), [0]);
        assert_eq!(without_detours(&task, vec![0], &[0, 0], &goal), [0]);
    }
}
