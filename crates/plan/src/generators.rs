//! The paper's families of tasks, to measure growth with. — Prévost et al. 2022, section 3.
//!
//! Differs from the paper: indices count from 0 throughout, and the goal of OnePrv_5 is 4 (5 is not a value).

use crate::sas_plus::SasProblem;
use crate::task::{Action, Task};

/// A task with where it starts and what is wanted.
#[derive(Clone, Debug)]
pub struct Generated {
    /// The task.
    pub task: Task,
    /// Where it starts.
    pub init: Vec<u16>,
    /// What is wanted.
    pub goal: Vec<Option<u16>>,
}

impl Generated {
    /// The same with names: `v0`, `v1`.. for variables, numbers for values, `v0-to-1` for actions, all of cost 1.
    pub fn named(self) -> SasProblem {
        let Generated { task, init, goal } = self;
        let names =
            |prefix: &str, count: usize| (0..count).map(|at| format!("{prefix}{at}")).collect::<Vec<_>>();
        let action = |action: &Action| format!("v{}-to-{}", action.effects[0].var, action.effects[0].post);
        SasProblem {
            variables: names("v", task.sizes().len()),
            values: task.sizes().iter().map(|&size| names("", size as usize)).collect(),
            actions: task.actions().iter().map(action).collect(),
            costs: vec![1; task.actions().len()],
            task,
            init,
            goal,
        }
    }
}

fn generated(sizes: Vec<u16>, actions: Vec<Action>, goal: impl Fn(usize) -> u16) -> Generated {
    let goal = (0..sizes.len()).map(|var| Some(goal(var))).collect();
    let init = vec![0; sizes.len()];
    let task = Task::new(sizes, actions).unwrap_or_else(|error| unreachable!("{error}"));
    Generated { task, init, goal }
}

/// The families by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// See [`multi_prv_n_cycle`].
    MultiPrvNCycle,
    /// See [`multi_prv_2_cycle`].
    MultiPrv2Cycle,
    /// See [`one_prv_5`].
    OnePrv5,
}

impl Family {
    /// All of them.
    pub const ALL: [Family; 3] = [Family::MultiPrvNCycle, Family::MultiPrv2Cycle, Family::OnePrv5];

    /// Its name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Family::MultiPrvNCycle => "multi-prv-n-cycle",
            Family::MultiPrv2Cycle => "multi-prv-2-cycle",
            Family::OnePrv5 => "one-prv-5",
        }
    }

    /// What its tasks are like, in words.
    pub const fn about(self) -> &'static str {
        match self {
            Family::MultiPrvNCycle => {
                "Variables that go round n values, each step needing all later variables half-way"
            }
            Family::MultiPrv2Cycle => "The same with two values: the lights of a tunnel",
            Family::OnePrv5 => {
                "Variables that climb five values, each step needing the next variable half-way"
            }
        }
    }

    /// The task with `m` variables, of `n` values each where the family does not say how many.
    ///
    /// # Panics
    /// If `n` is 0: a variable has at least one value.
    pub fn task(self, m: usize, n: u16) -> Generated {
        match self {
            Family::MultiPrvNCycle => multi_prv_n_cycle(m, n),
            Family::MultiPrv2Cycle => multi_prv_2_cycle(m),
            Family::OnePrv5 => one_prv_5(m),
        }
    }
}

/// MultiPrv_n_Cycle: `m` variables that go round `n` values, each step needing all later variables half-way; the first
/// is wanted at its last value. O(m²) conditions a value.
///
/// # Panics
/// If `n` is 0: a variable has at least one value.
pub fn multi_prv_n_cycle(m: usize, n: u16) -> Generated {
    assert!(n > 0, "a variable has at least one value");
    let mut actions = Vec::new();
    for var in 0..m {
        for post in 0..n {
            let prevail = (var + 1..m).map(|later| (later as u32, n / 2)).collect();
            actions.push(Action::unary(var as u32, (post + n - 1) % n, post, prevail));
        }
    }
    generated(vec![n; m], actions, |var| if var == 0 { n - 1 } else { 0 })
}

/// MultiPrv_2_Cycle: the lights of a tunnel, each of which can be switched only while all later ones are on.
pub fn multi_prv_2_cycle(m: usize) -> Generated {
    multi_prv_n_cycle(m, 2)
}

/// OnePrv_5: `m` variables that climb five values, each step needing the next variable half-way. O(m) conditions.
pub fn one_prv_5(m: usize) -> Generated {
    let mut actions = Vec::new();
    for var in 0..m {
        for post in 1..5 {
            let prevail = if var + 1 < m { vec![(var as u32 + 1, 2)] } else { Vec::new() };
            actions.push(Action::unary(var as u32, post - 1, post, prevail));
        }
    }
    generated(vec![5; m], actions, |_| 4)
}
