//! The planner against breadth-first truth: whole families of small tasks, random ones, the counterexamples that broke the
//! printed algorithm, and the paper's generators at size.
//!
//! What is asked of every answer:
//! - a plan if and only if there is one, and one that works; with an ample budget it never gives up;
//! - a plan that does nothing twice is a shortest one, unless the greedy tier made it;
//! - a total goal whose shortest plan does nothing twice, with `k <= 1`, never comes to search. `k` counts the variables
//!   that must go once round their cycle while their initial value is needed too (see [`closure`]).

#![allow(clippy::unwrap_used, reason = "a helper of tests may panic as tests do")]

use std::fmt::Write;

use repertoire_plan::{Action, Effect, Outcome, Planner, Task, Tier, solve};
use repertoire_prob::Stream;

/// More than any small instance here can use.
const AMPLE: Option<u64> = Some(1_000_000);

type Goal = Vec<Option<u16>>;

mod budget;
mod counterexamples;
mod families;
mod generators;
mod loops;
mod random;

/// A state that can be reached, and how.
struct Reached {
    state: Vec<u16>,
    depth: usize,
    from: usize,
    by: u32,
}

/// All that can be reached from a state, nearest first.
struct Truth {
    reached: Vec<Reached>,
}

impl Truth {
    fn of(task: &Task, init: &[u16]) -> Self {
        let code = |state: &[u16]| {
            state
                .iter()
                .zip(task.sizes())
                .fold(0, |code, (&value, &size)| code * size as usize + value as usize)
        };
        let mut seen = vec![false; task.sizes().iter().map(|&size| size as usize).product()];
        seen[code(init)] = true;
        let mut reached = vec![Reached { state: init.to_vec(), depth: 0, from: 0, by: 0 }];
        let mut at = 0;
        while at < reached.len() {
            for (by, action) in task.actions().iter().enumerate() {
                let Some(state) = after(action, &reached[at].state) else { continue };
                if !std::mem::replace(&mut seen[code(&state)], true) {
                    reached.push(Reached { state, depth: reached[at].depth + 1, from: at, by: by as u32 });
                }
            }
            at += 1;
        }
        Truth { reached }
    }

    /// The nearest state that meets a goal.
    fn nearest(&self, goal: &[Option<u16>]) -> Option<usize> {
        self.reached.iter().position(|reached| meets(&reached.state, goal))
    }

    /// A shortest plan to a reached state.
    fn plan(&self, mut at: usize) -> Vec<u32> {
        let mut plan = Vec::new();
        while at != 0 {
            plan.push(self.reached[at].by);
            at = self.reached[at].from;
        }
        plan.reverse();
        plan
    }
}

fn meets(state: &[u16], goal: &[Option<u16>]) -> bool {
    state.iter().zip(goal).all(|(value, goal)| goal.is_none_or(|goal| goal == *value))
}

/// The state after an action, if it can be done; told apart from the library's own, so that one checks the other.
fn after(action: &Action, before: &[u16]) -> Option<Vec<u16>> {
    let holds = |&(var, value): &(u32, u16)| before[var as usize] == value;
    let can = action.prevail.iter().all(holds)
        && action
            .effects
            .iter()
            .all(|effect| effect.pre.is_none_or(|pre| before[effect.var as usize] == pre));
    can.then(|| {
        let mut state = before.to_vec();
        for effect in action.effects.iter().filter(|effect| effect.when.iter().all(holds)) {
            state[effect.var as usize] = effect.post;
        }
        state
    })
}

fn repeats(plan: &[u32]) -> bool {
    let mut sorted = plan.to_vec();
    sorted.sort_unstable();
    sorted.windows(2).any(|pair| pair[0] == pair[1])
}

/// What every plan of a unary post-unique task to a total goal must contain.
#[derive(Debug, PartialEq)]
enum Closure {
    Unsolvable,
    /// Some action is needed twice.
    Twice,
    Once {
        actions: usize,
        /// Looped variables whose initial value is a prevail condition too.
        k: usize,
    },
}

fn closure(task: &Task, init: &[u16], goal: &[u16]) -> Closure {
    let change = |index: usize| {
        (task.actions()[index].effects[0].pre.expect("a known value"), task.actions()[index].effects[0].post)
    };
    let mut makers: Vec<Vec<Option<usize>>> =
        task.sizes().iter().map(|&size| vec![None; size as usize]).collect();
    for (index, action) in
        task.actions().iter().enumerate().filter(|&(index, _)| change(index).0 != change(index).1)
    {
        makers[action.effects[0].var as usize][change(index).1 as usize] = Some(index);
    }
    // The chain of makers from a value back to another, at least one step; none if it ends or goes round before.
    let back = |var: usize, from: u16, to: u16| {
        let (mut chain, mut value) = (Vec::new(), from);
        loop {
            let maker = makers[var][value as usize].filter(|_| chain.len() < makers[var].len())?;
            chain.push(maker);
            value = change(maker).0;
            if value == to {
                return Some(chain);
            }
        }
    };
    let mut needed: Vec<usize> = Vec::new();
    let mut looped = vec![false; init.len()];
    for var in (0..init.len()).filter(|&var| init[var] != goal[var]) {
        let Some(chain) = back(var, goal[var], init[var]) else { return Closure::Unsolvable };
        needed.extend(chain);
    }
    let mut at = 0;
    while at < needed.len() {
        for &(var, value) in &task.actions()[needed[at]].prevail {
            let var = var as usize;
            if value == init[var] || makers[var][value as usize].is_some_and(|maker| needed.contains(&maker))
            {
                continue;
            }
            let Some(cycle) = back(var, init[var], init[var]) else { return Closure::Unsolvable };
            if !cycle.iter().any(|&index| change(index).1 == value) {
                return Closure::Unsolvable;
            }
            if cycle.last().is_some_and(|first| needed.contains(first)) {
                return Closure::Twice;
            }
            needed.extend(cycle);
            looped[var] = true;
        }
        at += 1;
    }
    let asked = |var: usize| {
        needed.iter().any(|&index| task.actions()[index].prevail.contains(&(var as u32, init[var])))
    };
    Closure::Once {
        actions: needed.len(),
        k: (0..init.len()).filter(|&var| looped[var] && asked(var)).count(),
    }
}

/// An outcome in words, to compare and to print.
fn told(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Plan { actions, tier } => format!("{actions:?} by {tier:?}"),
        Outcome::Unsolvable => "unsolvable".into(),
        Outcome::GaveUp { expanded, .. } => format!("gave up after {expanded}"),
    }
}

/// What was asked and answered so far.
#[derive(Debug, Default)]
struct Census {
    plans: usize,
    unsolvable: usize,
    /// Shortest plans that do something twice.
    twice: usize,
    /// Total goals of unary post-unique tasks whose shortest plan does nothing twice: with `k` 0, 1, and more.
    once: [usize; 3],
    /// Those of them that came to search or the greedy tier.
    searched: [usize; 3],
}

impl Census {
    /// Asks the planner and compares with the truth.
    fn judge(&mut self, task: &Task, init: &[u16], goal: &[Option<u16>], truth: &Truth) {
        task.check_instance(init, goal).expect("a well-formed instance");
        let outcome = solve(task, init, goal, AMPLE).unwrap();
        // In words, where the task fits, the answer is the same.
        assert_eq!(Planner::new(task.clone()).solve(init, goal, AMPLE).unwrap(), outcome);
        let fail = |why: &str| -> ! {
            let mut text = format!("{why}\nsizes {:?}\n", task.sizes());
            for (index, action) in task.actions().iter().enumerate() {
                writeln!(text, "{index}: {action:?}").expect("a string takes all");
            }
            panic!("{text}from {init:?} to {goal:?}: {}", told(&outcome));
        };
        let Some(at) = truth.nearest(goal) else {
            match outcome {
                Outcome::Unsolvable => self.unsolvable += 1,
                _ => fail("there is no plan"),
            }
            return;
        };
        let Outcome::Plan { actions, tier } = &outcome else { fail("there is a plan") };
        if !task.is_plan(actions, init, goal) {
            fail("the plan does not work");
        }
        let shortest = truth.reached[at].depth;
        if *tier != Tier::Greedy && !repeats(actions) && actions.len() != shortest {
            fail(&format!("{shortest} actions are enough"));
        }
        self.plans += 1;
        if repeats(&truth.plan(at)) {
            self.twice += 1;
        } else if let Some(total) = goal.iter().copied().collect::<Option<Vec<u16>>>()
            && task.is_unary()
            && task.is_post_unique()
        {
            let Closure::Once { actions, k } = closure(task, init, &total) else {
                fail("the test's closure is wrong")
            };
            assert_eq!(actions, shortest, "a plan without repetition is exactly the closure");
            let searched = matches!(tier, Tier::Search | Tier::Greedy);
            self.once[k.min(2)] += 1;
            self.searched[k.min(2)] += usize::from(searched);
            if searched && k <= 1 {
                fail(&format!("k = {k}, and it came to search"));
            }
        }
    }

    /// Most goals without repetition are answered by the linear tiers, and the family was worth asking.
    fn close(&self, least_plans: usize, least_unsolvable: usize) {
        let (once, searched): (usize, usize) = (self.once.iter().sum(), self.searched.iter().sum());
        assert!(searched * 10 <= once, "{self:?}");
        assert!(self.plans >= least_plans && self.unsolvable >= least_unsolvable, "{self:?}");
        println!("{self:?}");
    }
}

/// All combinations of values, the last changing fastest.
fn combinations(sizes: &[u16]) -> Vec<Vec<u16>> {
    sizes.iter().fold(vec![Vec::new()], |all, &size| {
        all.iter().flat_map(|some| (0..size).map(|value| [&some[..], &[value]].concat())).collect()
    })
}

/// All goals, a variable left open counted as one more value.
fn goals(sizes: &[u16]) -> Vec<Goal> {
    let wider: Vec<u16> = sizes.iter().map(|size| size + 1).collect();
    let open = |goal: &Vec<u16>| {
        goal.iter().zip(sizes).map(|(&value, &size)| (value < size).then_some(value)).collect()
    };
    combinations(&wider).iter().map(open).collect()
}
