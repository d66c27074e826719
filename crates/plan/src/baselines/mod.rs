//! Planners to compare with: what one would use instead of the chain planner.
//!
//! | file      | technique                                    | guarantees                             |
//! |-----------|----------------------------------------------|----------------------------------------|
//! | [`bfs`]   | breadth-first search over packed states      | exact, shortest; exponential memory    |
//! | [`pus`]   | Bäckström's SAS+-PUS planner, `O(m² n)`      | exact, shortest; single-valued only    |
//! | [`paper`] | the algorithm printed in Prévost et al. 2022 | none: it can fail, or answer wrongly   |

pub mod bfs;
pub mod paper;
pub mod pus;

use crate::Task;
use crate::chains::bytes_of;

/// An index that stands for nothing.
const NONE: u32 = u32::MAX;

/// No value of a variable is needed.
const ANY: u16 = u16::MAX;

/// What each action needs of every variable, action after action: `ANY` where it needs nothing.
fn dense_prevail(task: &Task) -> Vec<u16> {
    let vars = task.sizes().len();
    let mut dense = vec![ANY; task.actions().len() * vars];
    for (index, action) in task.actions().iter().enumerate() {
        action.prevail.iter().for_each(|&(var, value)| dense[index * vars + var as usize] = value);
    }
    dense
}

/// For each fact, numbered variable after variable, the action that makes it.
struct Makers {
    /// Number of the first fact of each variable.
    first: Vec<u32>,
    /// The maker of each fact, or [`NONE`].
    maker: Vec<u32>,
}

impl Makers {
    /// What they take in memory.
    fn bytes(&self) -> usize {
        bytes_of(&self.first) + bytes_of(&self.maker)
    }

    /// `None` unless the task is unary and post-unique, which makes the maker of a fact unique.
    fn new(task: &Task) -> Option<Self> {
        let finds_out = task.actions().iter().any(|action| action.finds_out());
        if !task.is_unary() || !task.is_post_unique() || finds_out {
            return None;
        }
        let mut first = Vec::with_capacity(task.sizes().len());
        let mut facts = 0;
        for &size in task.sizes() {
            first.push(facts);
            facts += u32::from(size);
        }
        let mut makers = Makers { first, maker: vec![NONE; facts as usize] };
        for (index, action) in task.actions().iter().enumerate() {
            let effect = &action.effects[0];
            if effect.pre != Some(effect.post) {
                let fact = makers.fact(effect.var, effect.post);
                makers.maker[fact] = index as u32;
            }
        }
        Some(makers)
    }

    /// How many values a variable has.
    fn size(&self, var: u32) -> u32 {
        let end = self.first.get(var as usize + 1).copied().unwrap_or(self.maker.len() as u32);
        end - self.first[var as usize]
    }

    /// The number of a fact.
    fn fact(&self, var: u32, value: u16) -> usize {
        self.first[var as usize] as usize + value as usize
    }

    /// The action that makes a fact.
    fn get(&self, var: u32, value: u16) -> Option<u32> {
        Some(self.maker[self.fact(var, value)]).filter(|&action| action != NONE)
    }
}

/// Domains and a brute-force planner for the tests of this folder.
#[cfg(test)]
mod examples {
    use std::collections::{BTreeMap, VecDeque};

    use crate::{Action, Fact, Task};
    use repertoire_prob::Stream;

    fn task(sizes: &[u16], actions: &[(u32, u16, u16, &[Fact])]) -> Task {
        let actions =
            actions.iter().map(|&(var, pre, post, if_)| Action::unary(var, pre, post, if_.to_vec()));
        Task::new(sizes.to_vec(), actions.collect()).unwrap()
    }

    /// The Horse Breeder, Prévost et al. 2022, Table 1: hay, bucket, water. The goal is 2, 0, 2.
    pub fn horse_breeder() -> Task {
        task(
            &[3, 2, 3],
            &[
                (0, 1, 0, &[]),
                (0, 0, 1, &[(1, 0)]),
                (0, 1, 2, &[]),
                (1, 1, 0, &[]),
                (1, 0, 1, &[(0, 0)]),
                (2, 0, 1, &[(1, 1)]),
                (2, 1, 2, &[(1, 1)]),
            ],
        )
    }

    /// The Saloonkeeper of the single-valued Western: rag, glass, counter, door.
    pub fn saloonkeeper() -> Task {
        task(
            &[2, 2, 2, 2],
            &[
                (0, 0, 1, &[]),
                (0, 1, 0, &[]),
                (1, 0, 1, &[(0, 1)]),
                (1, 1, 0, &[(3, 1)]),
                (2, 0, 1, &[(0, 1)]),
                (2, 1, 0, &[(3, 1)]),
                (3, 0, 1, &[]),
                (3, 1, 0, &[]),
            ],
        )
    }

    /// The Lumberjack of the single-valued Western: gloves, axe, log. The goal is 0, 0, 1.
    pub fn lumberjack() -> Task {
        task(
            &[2, 2, 2],
            &[
                (0, 0, 1, &[]),
                (0, 1, 0, &[]),
                (1, 0, 1, &[(0, 1)]),
                (1, 1, 0, &[(0, 1)]),
                (2, 0, 1, &[(1, 1)]),
                (2, 1, 0, &[]),
            ],
        )
    }

    /// The Sheriff of the full Western: gun, outlaw, keys, cell. The goal is 0, 3, 0, 0.
    pub fn sheriff() -> Task {
        task(
            &[2, 4, 2, 2],
            &[
                (0, 0, 1, &[(2, 0)]),
                (0, 1, 0, &[]),
                (1, 0, 1, &[(0, 1)]),
                (1, 1, 2, &[(0, 0)]),
                (1, 2, 3, &[(3, 1)]),
                (2, 0, 1, &[(0, 0)]),
                (2, 1, 0, &[]),
                (3, 0, 1, &[(2, 1)]),
                (3, 1, 0, &[]),
            ],
        )
    }

    /// `v0 up if v1=1 v2=0; v1 down if v2=1; v1 up; v2 down if v1=0; v2 up`: from 000 to 100 in five actions.
    pub fn dropped_threat() -> Task {
        task(
            &[2, 2, 2],
            &[
                (0, 0, 1, &[(1, 1), (2, 0)]),
                (1, 1, 0, &[(2, 1)]),
                (1, 0, 1, &[]),
                (2, 1, 0, &[(1, 0)]),
                (2, 0, 1, &[]),
            ],
        )
    }

    /// `v0 up if v1=0 v2=0; v1 up if v2=1; v2 up; v2 down`: from 000 to 110, v0 must go up before v1.
    pub fn wrong_default() -> Task {
        task(
            &[2, 2, 2],
            &[(0, 0, 1, &[(1, 0), (2, 0)]), (1, 0, 1, &[(2, 1)]), (2, 0, 1, &[]), (2, 1, 0, &[])],
        )
    }

    /// `v0: 0->1 if v1=0; v1: 0->1`, where no action makes the initial value of v1.
    pub fn no_maker() -> Task {
        task(&[2, 2], &[(0, 0, 1, &[(1, 0)]), (1, 0, 1, &[])])
    }

    /// The paper's MultiPrv_n_Cycle, with its initial state and goal; MultiPrv_2_Cycle for `n = 2`.
    pub fn multi_prv_cycle(m: u32, n: u16) -> (Task, Vec<u16>, Vec<u16>) {
        let prevail = |var: u32| (var + 1..m).map(|other| (other, n / 2)).collect::<Vec<Fact>>();
        let step = |var: u32, post: u16| Action::unary(var, (post + n - 1) % n, post, prevail(var));
        let actions = (0..m).flat_map(|var| (0..n).map(move |post| step(var, post))).collect();
        let mut goal = vec![0; m as usize];
        goal[0] = n - 1;
        (Task::new(vec![n; m as usize], actions).unwrap(), vec![0; m as usize], goal)
    }

    /// The paper's OnePrv_5, with its initial state and goal (4: the printed 5 is not a value).
    pub fn one_prv_5(m: u32) -> (Task, Vec<u16>, Vec<u16>) {
        let prevail = |var: u32| if var + 1 < m { vec![(var + 1, 2)] } else { Vec::new() };
        let step = |var: u32, post: u16| Action::unary(var, post - 1, post, prevail(var));
        let actions = (0..m).flat_map(|var| (1..5).map(move |post| step(var, post))).collect();
        (Task::new(vec![5; m as usize], actions).unwrap(), vec![0; m as usize], vec![4; m as usize])
    }

    /// A number below another.
    pub fn below(rng: &mut Stream, end: usize) -> usize {
        (rng.unit() * end as f64) as usize
    }

    /// Values for each variable.
    pub fn random_state(rng: &mut Stream, task: &Task) -> Vec<u16> {
        task.sizes().iter().map(|&size| below(rng, size as usize) as u16).collect()
    }

    /// What random tasks obey besides being unary.
    #[derive(Clone, Copy, PartialEq, Eq)]
    pub enum Restriction {
        /// Nothing.
        Unary,
        /// No two actions make the same fact.
        PostUnique,
        /// And all prevail conditions on a variable ask for one value.
        SingleValued,
    }

    /// Up to five variables of up to four values.
    pub fn random_task(rng: &mut Stream, restriction: Restriction) -> Task {
        let sizes: Vec<u16> = (0..2 + below(rng, 4)).map(|_| 2 + below(rng, 3) as u16).collect();
        let asked: Vec<u16> = sizes.iter().map(|&size| below(rng, size as usize) as u16).collect();
        let mut actions = Vec::new();
        for (var, &size) in sizes.iter().enumerate() {
            for post in 0..size {
                let makers = if restriction == Restriction::Unary { below(rng, 3) } else { 1 };
                for _ in 0..makers {
                    // Mostly up and round, so that chains are long; else from anywhere.
                    let shift = if rng.unit() < 0.7 { 1 } else { 1 + below(rng, size as usize - 1) as u16 };
                    let mut prevail = Vec::new();
                    for (other, &other_size) in sizes.iter().enumerate() {
                        if other != var && rng.unit() < 0.3 {
                            let any = below(rng, other_size as usize) as u16;
                            let single = restriction == Restriction::SingleValued;
                            prevail.push((other as u32, if single { asked[other] } else { any }));
                        }
                    }
                    if rng.unit() < 0.9 {
                        actions.push(Action::unary(var as u32, (post + size - shift) % size, post, prevail));
                    }
                }
            }
        }
        Task::new(sizes, actions).unwrap()
    }

    /// The length of a shortest plan, by search over states as they come.
    pub fn shortest(task: &Task, init: &[u16], goal: &[Option<u16>]) -> Option<usize> {
        let done =
            |state: &[u16]| state.iter().zip(goal).all(|(value, goal)| goal.is_none_or(|g| g == *value));
        let mut length = BTreeMap::from([(init.to_vec(), 0)]);
        let mut queue = VecDeque::from([init.to_vec()]);
        while let Some(state) = queue.pop_front() {
            let so_far = length[&state];
            if done(&state) {
                return Some(so_far);
            }
            for action in (0..task.actions().len()).filter(|&action| task.is_applicable(action, &state)) {
                let mut next = state.clone();
                task.apply(action, &mut next);
                if !length.contains_key(&next) {
                    length.insert(next.clone(), so_far + 1);
                    queue.push_back(next);
                }
            }
        }
        None
    }

    /// All of a goal state.
    pub fn total(goal: &[u16]) -> Vec<Option<u16>> {
        goal.iter().copied().map(Some).collect()
    }

    /// Every state of a task.
    pub fn states(task: &Task) -> Vec<Vec<u16>> {
        task.sizes().iter().fold(vec![Vec::new()], |states, &size| {
            let longer = |state: Vec<u16>| (0..size).map(move |value| [&state[..], &[value]].concat());
            states.into_iter().flat_map(longer).collect()
        })
    }
}
