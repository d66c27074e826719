//! The same planner for small tasks, in registers: a state is one word, a set of actions another.
//!
//! For unary, post-unique tasks whose states fit 64 bits and that have at most 64 actions. Goals are total (what a goal does
//! not name stays as it is: [`PackedTask::solve`]) or leave variables open ([`PackedTask::solve_open`]). Tiers 0 and 1 become
//! bit operations; it gives exactly the plans of the planner for any size of task, action by action, and hands over what
//! they do not decide. [`crate::Planner`] uses it wherever a task fits.
//!
//! | in [`crate::Planner`]       | here                                              |
//! |-----------------------------|---------------------------------------------------|
//! | conditions of an action     | `state & mask == value`                           |
//! | walking back                | a table of action sets over (variable, from, to)  |
//! | who still needs a value     | `users[action] & waiting`                         |
//! | which actions can run       | a table over the states of a part (`parts`)       |

mod layout;
mod parts;

use crate::chains::{Chains, NONE, bytes_of};
use crate::task::{Task, TaskError, UNKNOWN};
pub use layout::{Field, Layout};
use parts::{Parts, Window};

/// A task in words.
///
/// ```
/// use repertoire_plan::{Packed, PackedTask, domain};
/// let western = domain::domain("western").expect("shipped");
/// let task = western.class_task(western.class("HorseBreeder").expect("a class")).expect("its own variables");
/// let packed = PackedTask::new(&task).expect("small, unary and post-unique");
/// let (init, goal) = (packed.pack(&[0, 0, 0])?, packed.pack(&[2, 0, 2])?);
/// let mut plan = [0; 64];
/// assert!(matches!(packed.solve(init, goal, &mut plan), Packed::Plan(_)));
/// assert_eq!(packed.solve(u64::MAX, goal, &mut plan), Packed::NotAState);
/// # Ok::<(), repertoire_plan::TaskError>(())
/// ```
#[derive(Clone, Debug)]
pub struct PackedTask {
    layout: Layout,
    /// Always 64, so that a bit's number needs no check.
    actions: Box<[PackedAction; 64]>,
    /// The variable that each bit of a state belongs to, spelled out.
    var_of_bit: Box<[Var; 64]>,
    /// The actions that change the variable of each bit: only open goals ask, so they do not widen [`Var`].
    changing_bit: Box<[u64; 64]>,
    /// Actions from a value to another; [`IMPOSSIBLE`] if there is no way.
    ways: Vec<u64>,
    /// For each value: the actions of the cycle it is on (0 if none), the one that opens it there, the one that makes it.
    values: Vec<Value>,
    parts: Parts,
}

/// A variable as solving needs it: where it is, and where its values begin.
#[derive(Clone, Copy, Debug, Default)]
struct Var {
    mask: u64,
    low: u64,
    shift: u32,
    values: u32,
    /// Where its ways are: `1 << bits` for each value to go to.
    ways: u32,
    bits: u32,
}

impl Var {
    #[inline]
    fn get(&self, state: u64) -> usize {
        (state >> self.shift & self.low) as usize
    }
}

#[derive(Clone, Copy, Debug, Default)]
struct PackedAction {
    /// All its conditions.
    mask: u64,
    value: u64,
    /// Which of them are on other variables.
    prevail_mask: u64,
    /// What it changes: the bits in which the values before and after differ; in a state, and in its part's window.
    flip: u64,
    window_flip: u64,
    /// Who needs the value it destroys.
    users: u64,
    /// Who must have run before: those users, and, unless it is part of its value's cycle, who makes that value again.
    blockers: u64,
    /// Who makes the value it destroys, if it is part of that value's cycle.
    reopens: u64,
}

#[derive(Clone, Copy, Debug, Default)]
struct Value {
    cycle: u64,
    opener: u64,
    maker: u64,
}

/// Where to plan from and to; `named` are the bits that the goal is about, all of them for a total goal.
#[derive(Clone, Copy)]
struct Instance {
    init: u64,
    goal: u64,
    named: u64,
}

/// There is no way; no real set of actions, because that many bits are never all needed for one variable.
const IMPOSSIBLE: u64 = u64::MAX;

/// What the packed tiers found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Packed {
    /// The plan was found; this is the number of its actions.
    Plan(usize),
    /// There is none: proved.
    Unsolvable,
    /// The other tiers must decide.
    Undecided,
    /// One of the two words is no state of the task: some variable would have a value that it does not have.
    NotAState,
}

/// The table of ways has an entry for each pair of a variable's values; more than half a megabyte of them are no longer what
/// tens of nanoseconds are made of.
const MOST_WAYS: usize = 1 << 16;

impl PackedTask {
    /// `None` if the task does not fit: it is not unary and post-unique, has more than 64 actions or 64 bits of state, or a
    /// variable of hundreds of values.
    pub fn new(task: &Task) -> Option<Self> {
        let chains = Chains::new(task)?;
        if task.actions().len() > 64 {
            return None;
        }
        let layout = Layout::new(task.sizes())?;
        let ways: usize = layout
            .fields()
            .iter()
            .zip(task.sizes())
            .map(|(field, &size)| usize::from(size) << field.bits)
            .sum();
        if ways > MOST_WAYS {
            return None;
        }
        let mut packed = PackedTask {
            layout,
            actions: Box::new([PackedAction::default(); 64]),
            var_of_bit: Box::new([Var::default(); 64]),
            changing_bit: Box::new([0; 64]),
            ways: Vec::new(),
            values: Vec::new(),
            parts: Parts::default(),
        };
        packed.lay_out_values(task, &chains);
        packed.lay_out_actions(task, &chains);
        packed.parts = Parts::new(packed.layout.fields(), &mut packed.actions[..task.actions().len()]);
        Some(packed)
    }

    fn lay_out_values(&mut self, task: &Task, chains: &Chains) {
        let bit = |action: u32| if action == NONE { 0 } else { 1u64 << action };
        let mut walk = Vec::new();
        for (var, &size) in task.sizes().iter().enumerate() {
            let field = self.layout.fields()[var];
            let values = self.values.len() as u32;
            let ways = self.ways.len() as u32;
            for bit in field.shift..field.shift + field.bits {
                let low = (1 << field.bits) - 1;
                let Field { shift, bits } = field;
                self.var_of_bit[bit as usize] = Var { mask: field.mask(), low, shift, values, ways, bits };
            }
            for to in 0..size {
                let made = chains.fact(var as u32, to);
                for from in 0..size {
                    walk.clear();
                    let leads = chains.walk_back(made, chains.fact(var as u32, from), &mut walk);
                    self.ways.push(if leads {
                        walk.iter().fold(0, |set, &action| set | bit(action))
                    } else {
                        IMPOSSIBLE
                    });
                }
                self.ways.resize(ways as usize + (usize::from(to + 1) << field.bits), IMPOSSIBLE);
                let maker = chains.maker(made);
                let mut value = Value { maker: bit(maker), ..Value::default() };
                if maker != NONE && chains.in_cycle(maker) {
                    walk.clear();
                    walk.push(maker);
                    // From the value before back to this one: the rest of the cycle; its last is the opener.
                    chains.walk_back(chains.pre(maker), made, &mut walk);
                    value.cycle = walk.iter().fold(0, |set, &action| set | bit(action));
                    value.opener = bit(walk[walk.len() - 1]);
                }
                self.values.push(value);
            }
        }
    }

    fn lay_out_actions(&mut self, task: &Task, chains: &Chains) {
        for (index, action) in task.actions().iter().enumerate() {
            let effect = &action.effects[0];
            let field = self.layout.fields()[effect.var as usize];
            let place = |field: Field, value: u16| u64::from(value) << field.shift;
            let pre = effect.pre.filter(|&pre| pre != UNKNOWN);
            let own = place(field, pre.unwrap_or(effect.post));
            let mut packed =
                PackedAction { flip: own ^ place(field, effect.post), value: own, ..Default::default() };
            for &(var, value) in &action.prevail {
                packed.prevail_mask |= self.layout.fields()[var as usize].mask();
                packed.value |= place(self.layout.fields()[var as usize], value);
            }
            packed.mask = packed.prevail_mask | field.mask();
            for bit in field.shift..field.shift + field.bits {
                self.changing_bit[bit as usize] |= 1 << index;
            }
            let pre = chains.pre(index as u32);
            packed.users = chains.users(pre).fold(0, |set, user| set | 1 << user);
            let maker = chains.maker(pre);
            let maker = if maker == NONE { 0 } else { 1u64 << maker };
            if chains.in_cycle(index as u32) {
                packed.reopens = maker;
                packed.blockers = packed.users;
            } else {
                packed.blockers = packed.users | maker;
            }
            self.actions[index] = packed;
        }
    }

    /// What it takes in memory.
    pub(crate) fn bytes(&self) -> usize {
        let words =
            size_of_val(&*self.actions) + size_of_val(&*self.var_of_bit) + size_of_val(&*self.changing_bit);
        words + bytes_of(&self.ways) + bytes_of(&self.values) + self.parts.bytes()
    }

    /// Where each variable is in a state.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// Where each variable is.
    pub fn fields(&self) -> &[Field] {
        self.layout.fields()
    }

    /// A state as one word; refused unless it has a value that exists for each variable.
    pub fn pack(&self, state: &[u16]) -> Result<u64, TaskError> {
        self.layout.pack(state)
    }

    /// Whether a word is a state: every variable has a value that exists, and no other bit is set.
    #[inline]
    pub fn is_state(&self, state: u64) -> bool {
        self.layout.is_state(state)
    }

    /// A word as a state; variables beyond the end of `out` are left out.
    pub fn unpack(&self, state: u64, out: &mut [u16]) {
        self.layout.unpack(state, out);
    }

    /// The variable of the lowest bit set.
    #[inline]
    fn var_of(&self, set: u64) -> &Var {
        &self.var_of_bit[set.trailing_zeros() as usize & 63]
    }

    /// The lowest action of a set.
    #[inline]
    fn lowest(&self, set: u64) -> &PackedAction {
        &self.actions[set.trailing_zeros() as usize & 63]
    }

    /// Plans from a state to another, both total, into `plan`.
    #[inline]
    pub fn solve(&self, init: u64, goal: u64, plan: &mut [u8; 64]) -> Packed {
        if self.is_state(init) && self.is_state(goal) {
            self.solve_unchecked(init, goal, plan)
        } else {
            Packed::NotAState
        }
    }

    /// [`PackedTask::solve`] for words that are known to be states, such as a column that was checked: for other words the
    /// answer is meaningless, or a panic.
    #[inline]
    pub fn solve_unchecked(&self, init: u64, goal: u64, plan: &mut [u8; 64]) -> Packed {
        // A character's goal is mostly a matter of one part, whose tables then say all.
        let instance = Instance { init, goal, named: u64::MAX };
        match self.parts.one(init ^ goal) {
            Some(part) => self.solve_in::<false>(part, instance, plan),
            None => self.solve_in::<false>(&self.parts, instance, plan),
        }
    }

    /// Plans from a state to a goal that names only some variables, all of whose bits are in `named`; the others may end
    /// anywhere. In `goal` only those bits count.
    pub fn solve_open(&self, init: u64, goal: u64, named: u64, plan: &mut [u8; 64]) -> Packed {
        let goal = goal & named;
        if !self.is_state(init) || !self.is_state(init & !named | goal) {
            return Packed::NotAState;
        }
        self.solve_open_unchecked(init, goal, named, plan)
    }

    /// [`PackedTask::solve_open`] for words that are known to be of states.
    #[inline]
    pub(crate) fn solve_open_unchecked(
        &self,
        init: u64,
        goal: u64,
        named: u64,
        plan: &mut [u8; 64],
    ) -> Packed {
        // Most goals of characters are total.
        if named == self.layout.mask() {
            return self.solve_unchecked(init, goal, plan);
        }
        let instance = Instance { init, goal, named };
        match self.parts.one((init ^ goal) & named) {
            Some(part) => self.solve_in::<true>(part, instance, plan),
            None => self.solve_in::<true>(&self.parts, instance, plan),
        }
    }

    #[inline]
    fn solve_in<const OPEN: bool>(
        &self,
        window: &impl Window,
        instance: Instance,
        plan: &mut [u8; 64],
    ) -> Packed {
        let Instance { init, goal, named } = instance;
        let mut closure = 0u64;
        let mut differs = if OPEN { (init ^ goal) & named } else { init ^ goal };
        while differs != 0 {
            let var = self.var_of(differs);
            differs &= !var.mask;
            let way = self.ways[var.ways as usize + (var.get(goal) << var.bits) + var.get(init)];
            if way == IMPOSSIBLE {
                return Packed::Unsolvable;
            }
            closure |= way;
        }
        // Actions that need nothing but what holds at the start add nothing.
        let met = window.met(init);
        let (mut unseen, mut openers) = (closure & !met, 0u64);
        while unseen != 0 {
            let action = self.lowest(unseen);
            unseen &= unseen - 1;
            let mut missing = (init ^ action.value) & action.prevail_mask;
            while missing != 0 {
                let var = self.var_of(missing);
                missing &= !var.mask;
                let maker = self.values[var.values as usize + var.get(action.value)].maker;
                if maker & closure != 0 {
                    continue;
                }
                if OPEN && var.mask & named == 0 {
                    // It need not come back: its chain grows, or forks.
                    let way =
                        self.ways[var.ways as usize + (var.get(action.value) << var.bits) + var.get(init)];
                    if way == IMPOSSIBLE {
                        return Packed::Unsolvable;
                    }
                    let changing = self.changing_bit[var.shift as usize & 63];
                    if closure & changing & !way != 0 {
                        return Packed::Undecided;
                    }
                    unseen |= way & !closure & !met;
                    closure |= way;
                    continue;
                }
                let start = &self.values[var.values as usize + var.get(init)];
                if start.cycle & maker == 0 {
                    return Packed::Unsolvable;
                }
                if start.opener & closure != 0 {
                    return Packed::Undecided;
                }
                unseen |= start.cycle & !closure & !met;
                closure |= start.cycle;
                openers |= start.opener;
            }
        }
        self.simulate::<OPEN>(window, instance, (closure, openers), plan)
    }

    /// Runs the lowest action that harms nothing, again and again.
    #[inline]
    fn simulate<const OPEN: bool>(
        &self,
        window: &impl Window,
        Instance { init, goal, named }: Instance,
        (closure, openers): (u64, u64),
        plan: &mut [u8; 64],
    ) -> Packed {
        let (mut state, mut waiting) = (window.narrow(init), closure);
        let mut length = 0;
        while waiting != 0 {
            let runnable = window.runnable(&self.actions, state, waiting);
            let mut candidates = runnable;
            let action = loop {
                if candidates == 0 {
                    let state = window.widen(state, init);
                    candidates = self.open(runnable & openers, state, waiting, closure, openers);
                    if candidates == 0 {
                        return Packed::Undecided;
                    }
                    break self.lowest(candidates);
                }
                let action = self.lowest(candidates);
                if action.blockers & waiting == 0 {
                    break action;
                }
                candidates &= candidates - 1;
            };
            plan[length & 63] = candidates.trailing_zeros() as u8;
            length += 1;
            waiting ^= candidates & candidates.wrapping_neg();
            state ^= window.flip(action);
        }
        // Every action ran with its conditions holding, so only the end remains to be checked.
        let differs = state ^ window.narrow(goal);
        let differs = if OPEN { differs & window.narrow(named) } else { differs };
        if differs == 0 { Packed::Plan(length) } else { Packed::Undecided }
    }

    /// Stuck: a loop to open although its value is still needed. With several such, only one that can close.
    #[inline]
    fn open(&self, runnable: u64, state: u64, waiting: u64, closure: u64, openers: u64) -> u64 {
        let several = openers & openers.wrapping_sub(1) != 0 && self.are_several(openers, closure);
        let mut left = runnable;
        while left != 0 {
            let action = self.lowest(left);
            if action.reopens & waiting != 0 && !(several && self.would_lock(action, state, waiting)) {
                return left & left.wrapping_neg();
            }
            left &= left - 1;
        }
        0
    }

    /// Whether several loops have a value that somebody needs.
    #[cold]
    fn are_several(&self, openers: u64, closure: u64) -> bool {
        bits(openers).filter(|&opener| self.actions[opener].users & closure != 0).nth(1).is_some()
    }
}

impl PackedTask {
    /// Whether something that must happen before an opened loop closes still needs the value that opening destroys.
    fn would_lock(&self, opener: &PackedAction, state: u64, waiting: u64) -> bool {
        let (mut before, mut unseen) = (opener.reopens, opener.reopens);
        while unseen != 0 {
            let action = &self.actions[unseen.trailing_zeros() as usize];
            unseen &= unseen - 1;
            let mut missing = (state ^ action.value) & action.mask;
            while missing != 0 {
                let var = self.var_of(missing);
                missing &= !var.mask;
                let maker =
                    self.values[var.values as usize + var.get(action.value)].maker & waiting & !before;
                before |= maker;
                unseen |= maker;
            }
        }
        before & opener.users != 0
    }
}

/// The numbers of the bits set, lowest first.
fn bits(mut set: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = (set != 0).then(|| set.trailing_zeros() as usize)?;
        set &= set - 1;
        Some(bit)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::planner::{Outcome, Planner, Tier};
    use crate::task::Action;
    use repertoire_prob::Stream;

    /// A random unary, post-unique task: of one part or several, some of them too wide for tables.
    fn random_task(rng: &mut Stream) -> Task {
        let mut below = |n: usize| (rng.unit() * n as f64) as usize;
        let sizes: Vec<u16> = (0..2 + below(8)).map(|_| 2 + below(3) as u16).collect();
        let mut actions = Vec::new();
        for (var, &size) in sizes.iter().enumerate() {
            for post in 0..size {
                if below(8) == 0 {
                    continue;
                }
                let pre = (post + 1 + below(size as usize - 1) as u16) % size;
                let mut prevail = Vec::new();
                for (other, &size) in sizes.iter().enumerate() {
                    if other != var && below(4) == 0 {
                        prevail.push((other as u32, below(size as usize) as u16));
                    }
                }
                actions.push(Action::unary(var as u32, pre, post, prevail));
            }
        }
        Task::new(sizes, actions).unwrap()
    }

    #[test]
    fn open_goals_give_the_plans_of_the_planner_to_the_action() {
        let mut rng = Stream::new(2, 0, "packed");
        let (mut plans, mut unsolvable, mut undecided) = (0, 0, 0);
        for _ in 0..8_000 {
            let task = random_task(&mut rng);
            let packed = PackedTask::new(&task).unwrap();
            let mut planner = Planner::new(task.clone()).without_packing();
            let mut draw = |size: u16| (rng.unit() * f64::from(size)) as u16;
            let init: Vec<u16> = task.sizes().iter().map(|&size| draw(size)).collect();
            let goal: Vec<Option<u16>> =
                task.sizes().iter().map(|&size| (draw(3) == 0).then(|| draw(size))).collect();
            let (from, to, named) = packed.layout().pack_instance(&init, &goal).unwrap();
            let mut plan = [0; 64];
            let expected = planner.solve(&init, &goal, None).unwrap();
            match packed.solve_open(from, to, named, &mut plan) {
                Packed::Plan(length) => {
                    let found: Vec<u32> = plan[..length].iter().map(|&action| u32::from(action)).collect();
                    let Outcome::Plan { actions, tier } = expected else { panic!("{expected:?}") };
                    assert!(tier <= Tier::Simulation);
                    assert_eq!(actions, found);
                    plans += 1;
                }
                Packed::Unsolvable => {
                    assert_eq!(expected, Outcome::Unsolvable);
                    unsolvable += 1;
                }
                Packed::Undecided => {
                    assert!(
                        !matches!(expected, Outcome::Plan { tier: Tier::Closure | Tier::Simulation, .. }),
                        "what the first tiers decide is decided in words"
                    );
                    undecided += 1;
                }
                Packed::NotAState => panic!("{init:?} and {goal:?} fit"),
            }
        }
        assert!(plans > 1_000 && unsolvable > 1_000 && undecided > 10, "{plans} {unsolvable} {undecided}");
        let two = PackedTask::new(&Task::new(vec![3], vec![]).unwrap()).unwrap();
        assert_eq!(two.solve_open(0, 3, 3, &mut [0; 64]), Packed::NotAState, "there is no value 3");
    }

    #[test]
    fn gives_the_plans_of_the_planner_to_the_action() {
        let mut rng = Stream::new(1, 0, "packed");
        let (mut plans, mut unsolvable) = (0, 0);
        for _ in 0..4_000 {
            let task = random_task(&mut rng);
            let packed = PackedTask::new(&task).unwrap();
            let mut planner = Planner::new(task.clone()).without_packing();
            let mut state = || -> Vec<u16> {
                task.sizes().iter().map(|&size| (rng.unit() * f64::from(size)) as u16).collect()
            };
            let (init, goal) = (state(), state());
            let wanted: Vec<Option<u16>> = goal.iter().copied().map(Some).collect();
            let mut plan = [0; 64];
            match packed.solve(packed.pack(&init).unwrap(), packed.pack(&goal).unwrap(), &mut plan) {
                Packed::Plan(length) => {
                    let found: Vec<u32> = plan[..length].iter().map(|&action| u32::from(action)).collect();
                    assert!(task.is_plan(&found, &init, &wanted));
                    match planner.solve(&init, &wanted, None).unwrap() {
                        Outcome::Plan { actions, tier } => {
                            assert!(tier <= Tier::Simulation);
                            assert_eq!(actions, found);
                        }
                        other => panic!("{other:?}"),
                    }
                    plans += 1;
                }
                Packed::Unsolvable => {
                    assert_eq!(planner.solve(&init, &wanted, None), Ok(Outcome::Unsolvable));
                    unsolvable += 1;
                }
                Packed::Undecided => {}
                Packed::NotAState => panic!("{init:?} and {goal:?} are states"),
            }
        }
        assert!(plans > 500 && unsolvable > 500, "{plans} {unsolvable}");
    }

    #[test]
    fn states_are_packed_and_unpacked() {
        let task = Task::new(vec![3, 1, 2, 5], vec![]).unwrap();
        let packed = PackedTask::new(&task).unwrap();
        let mut out = [0; 4];
        packed.unpack(packed.pack(&[2, 0, 1, 4]).unwrap(), &mut out);
        assert_eq!(out, [2, 0, 1, 4]);
    }
}
