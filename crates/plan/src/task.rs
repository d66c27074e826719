//! A planning task: variables with finitely many values, actions that change them.
//!
//! SAS+ as in Bäckström 1992 and, with conditions on effects, as Fast Downward's translator writes it. A task is the part
//! that all characters of a kind share; where they start and what they want comes with each asking.
//!
//! | restriction       | here                                  | meaning                                          |
//! |-------------------|---------------------------------------|--------------------------------------------------|
//! | U, unary          | [`Task::is_unary`]                    | every action changes one variable                |
//! | S6                | [`Effect::pre`] is `Some`             | from a known value to another                    |
//! | P, post-unique    | [`Task::is_post_unique`]              | no two actions make the same value               |
//! | S, single-valued  | [`Task::is_single_valued`]            | all prevail conditions on a variable ask the same|

use thiserror::Error;

/// A condition: a variable has a value.
pub type Fact = (u32, u16);

/// A value before an effect that asks for the value not to be known: the action finds it out ("look", written `?` in a domain).
/// Where everything is known, such an action can never be done. No variable has so many values.
pub const UNKNOWN: u16 = u16::MAX;

/// What an action does to one variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Effect {
    /// The variable changed.
    pub var: u32,
    /// The value it must have before; `None` if any will do, also one that is not known (SAS+'s restriction S2, relaxed);
    /// [`UNKNOWN`] if it must not be known.
    pub pre: Option<u16>,
    /// The value it has after.
    pub post: u16,
    /// Only then does this effect happen; empty for always.
    pub when: Vec<Fact>,
}

/// An action.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Action {
    /// Changes, to different variables.
    pub effects: Vec<Effect>,
    /// What must hold and is left alone, sorted by variable.
    pub prevail: Vec<Fact>,
}

impl Action {
    /// An action that changes one variable from one value to another.
    pub fn unary(var: u32, pre: u16, post: u16, prevail: Vec<Fact>) -> Self {
        Action { effects: vec![Effect { var, pre: Some(pre), post, when: Vec::new() }], prevail }
    }

    /// Whether it can only be done while some value is not known ([`UNKNOWN`]).
    pub fn finds_out(&self) -> bool {
        self.effects.iter().any(|effect| effect.pre == Some(UNKNOWN))
    }

    /// Everything that must hold before: preconditions and prevail conditions.
    pub fn conditions(&self) -> impl Iterator<Item = Fact> + '_ {
        let pre = self.effects.iter().filter_map(|effect| Some((effect.var, effect.pre?)));
        pre.chain(self.prevail.iter().copied())
    }
}

/// A checked task.
///
/// ```
/// use repertoire_plan::{Action, Outcome, Task, solve};
/// // A door (0 closed, 1 open) that can be opened only while the lamp (0 off, 1 on) is on.
/// let task = Task::new(
///     vec![2, 2],
///     vec![Action::unary(0, 0, 1, vec![(1, 1)]), Action::unary(1, 0, 1, vec![])],
/// )?;
/// let Outcome::Plan { actions, .. } = solve(&task, &[0, 0], &[Some(1), None], None)? else { panic!() };
/// assert_eq!(actions, [1, 0]);
/// assert!(solve(&task, &[0], &[Some(1)], None).is_err(), "a state has a value for each variable");
/// # Ok::<(), repertoire_plan::TaskError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Task {
    sizes: Vec<u16>,
    actions: Vec<Action>,
}

/// Why a task or an instance of it is malformed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum TaskError {
    /// A variable without values.
    #[error("variable {0} has no value")]
    NoValue(usize),
    /// A fact about a variable or value that is not there.
    #[error("{place}: there is no value {value} of variable {var}")]
    NoSuchFact {
        /// Which action or state.
        place: String,
        /// The variable.
        var: u32,
        /// The value.
        value: u16,
    },
    /// An action that asks for, or makes, two values of one variable.
    #[error("action {action} speaks of variable {var} twice")]
    Twice {
        /// The action.
        action: usize,
        /// The variable.
        var: u32,
    },
    /// An action that changes nothing.
    #[error("action {0} changes nothing")]
    NoEffect(usize),
    /// A variable that has no room for one more value, which stands for "not known".
    #[error("variable {0} has 65535 values, so that it cannot be unknown\n  remedy: give it one value less")]
    NoRoom(usize),
    /// An action that the task does not have.
    #[error("step {step}: there is no action {action}")]
    NoSuchAction {
        /// Which step of the plan.
        step: usize,
        /// The action.
        action: u32,
    },
    /// A step of a plan that cannot be done where it comes.
    #[error("step {step} of the plan cannot be done: its conditions do not hold")]
    NotAPlan {
        /// Which step.
        step: usize,
    },
    /// A state of the wrong length.
    #[error("{what} has {found} values for {needed} variables")]
    Length {
        /// The initial state or the goal.
        what: &'static str,
        /// Values needed.
        needed: usize,
        /// Values found.
        found: usize,
    },
}

impl Task {
    /// A task over variables with these numbers of values.
    pub fn new(sizes: Vec<u16>, mut actions: Vec<Action>) -> Result<Self, TaskError> {
        if let Some(var) = sizes.iter().position(|&size| size == 0) {
            return Err(TaskError::NoValue(var));
        }
        for (index, action) in actions.iter_mut().enumerate() {
            action.prevail.sort_unstable();
            action.prevail.dedup();
            check_action(&sizes, index, action)?;
        }
        Ok(Task { sizes, actions })
    }

    /// How many values each variable has.
    pub fn sizes(&self) -> &[u16] {
        &self.sizes
    }

    /// The actions.
    pub fn actions(&self) -> &[Action] {
        &self.actions
    }

    /// Whether an action can be done in a state.
    ///
    /// # Panics
    /// If there is no such action, or the state has too few values.
    #[inline]
    pub fn is_applicable(&self, action: usize, state: &[u16]) -> bool {
        self.actions[action].conditions().all(|(var, value)| state[var as usize] == value)
    }

    /// Does an action, whose conditions hold.
    ///
    /// # Panics
    /// If there is no such action, or the state has too few values.
    #[inline]
    pub fn apply(&self, action: usize, state: &mut [u16]) {
        let effects = &self.actions[action].effects;
        if let [effect] = &effects[..]
            && effect.when.is_empty()
        {
            state[effect.var as usize] = effect.post;
            return;
        }
        // Effects happen at once: their conditions are judged before any of them.
        let happens: Vec<bool> = effects
            .iter()
            .map(|effect| effect.when.iter().all(|&(var, value)| state[var as usize] == value))
            .collect();
        for (effect, _) in effects.iter().zip(happens).filter(|(_, happens)| *happens) {
            state[effect.var as usize] = effect.post;
        }
    }

    /// Whether a plan leads from a state to a goal; a goal of `None` leaves a variable open. A state or goal of another
    /// length than the task's has no plan.
    pub fn is_plan(&self, plan: &[u32], init: &[u16], goal: &[Option<u16>]) -> bool {
        if init.len() != self.sizes.len() || goal.len() != self.sizes.len() {
            return false;
        }
        self.leads_to(plan, &mut init.to_vec(), goal)
    }

    /// [`Task::is_plan`], which changes the state to where the plan gets.
    pub(crate) fn leads_to(&self, plan: &[u32], state: &mut [u16], goal: &[Option<u16>]) -> bool {
        if state.len() != self.sizes.len() || goal.len() != self.sizes.len() {
            return false;
        }
        for &action in plan {
            if action as usize >= self.actions.len() || !self.is_applicable(action as usize, state) {
                return false;
            }
            self.apply(action as usize, state);
        }
        state.iter().zip(goal).all(|(value, goal)| goal.is_none_or(|goal| goal == *value))
    }

    /// Checks a state and a goal against the variables.
    pub fn check_instance(&self, init: &[u16], goal: &[Option<u16>]) -> Result<(), TaskError> {
        let needed = self.sizes.len();
        if init.len() != needed {
            return Err(TaskError::Length { what: "the initial state", needed, found: init.len() });
        }
        if goal.len() != needed {
            return Err(TaskError::Length { what: "the goal", needed, found: goal.len() });
        }
        for (var, &value) in init.iter().enumerate() {
            check_fact(&self.sizes, || "the initial state".into(), (var as u32, value))?;
        }
        for (var, value) in goal.iter().enumerate().filter_map(|(var, value)| Some((var, (*value)?))) {
            check_fact(&self.sizes, || "the goal".into(), (var as u32, value))?;
        }
        Ok(())
    }

    /// Every action changes one variable, from a known value, always.
    pub fn is_unary(&self) -> bool {
        self.not_unary().next().is_none()
    }

    /// The actions that are not unary.
    pub fn not_unary(&self) -> impl Iterator<Item = usize> + '_ {
        let simple = |action: &Action| matches!(&action.effects[..], [effect] if effect.pre.is_some() && effect.when.is_empty());
        (0..self.actions.len()).filter(move |&action| !simple(&self.actions[action]))
    }

    /// No two actions make the same value of the same variable.
    pub fn is_post_unique(&self) -> bool {
        self.not_post_unique().is_empty()
    }

    /// Pairs of actions that make the same value; actions that change nothing do not count, nor those that find a value out.
    pub fn not_post_unique(&self) -> Vec<(usize, usize)> {
        let mut makers: std::collections::BTreeMap<Fact, usize> = std::collections::BTreeMap::new();
        let mut pairs = Vec::new();
        for (index, action) in self.actions.iter().enumerate() {
            if action.finds_out() {
                continue;
            }
            for effect in action.effects.iter().filter(|effect| effect.pre != Some(effect.post)) {
                if let Some(other) = makers.insert((effect.var, effect.post), index) {
                    pairs.push((other, index));
                }
            }
        }
        pairs
    }

    /// All prevail conditions on a variable ask for the same value.
    pub fn is_single_valued(&self) -> bool {
        self.not_single_valued().is_empty()
    }

    /// Pairs of actions that ask for different values of a variable, and the variable.
    pub fn not_single_valued(&self) -> Vec<(usize, usize, u32)> {
        let mut asked: std::collections::BTreeMap<u32, (u16, usize)> = std::collections::BTreeMap::new();
        let mut pairs = Vec::new();
        for (index, action) in self.actions.iter().enumerate() {
            for &(var, value) in &action.prevail {
                match asked.get(&var) {
                    Some(&(other_value, other)) if other_value != value => pairs.push((other, index, var)),
                    Some(_) => {}
                    None => drop(asked.insert(var, (value, index))),
                }
            }
        }
        pairs
    }
}

fn check_fact(sizes: &[u16], place: impl Fn() -> String, (var, value): Fact) -> Result<(), TaskError> {
    match sizes.get(var as usize) {
        Some(&size) if value < size => Ok(()),
        _ => Err(TaskError::NoSuchFact { place: place(), var, value }),
    }
}

fn check_action(sizes: &[u16], index: usize, action: &Action) -> Result<(), TaskError> {
    if action.effects.is_empty() {
        return Err(TaskError::NoEffect(index));
    }
    let place = || format!("action {index}");
    let mut spoken: Vec<u32> = Vec::new();
    for &fact in &action.prevail {
        check_fact(sizes, place, fact)?;
        spoken.push(fact.0);
    }
    for effect in &action.effects {
        check_fact(sizes, place, (effect.var, effect.post))?;
        let pre = effect.pre.filter(|&pre| pre != UNKNOWN);
        pre.map_or(Ok(()), |pre| check_fact(sizes, place, (effect.var, pre)))?;
        effect.when.iter().try_for_each(|&fact| check_fact(sizes, place, fact))?;
        // Two effects on a variable under different conditions are one thing in SAS+; the last one wins.
        if effect.when.is_empty() {
            spoken.push(effect.var);
        }
    }
    spoken.sort_unstable();
    match spoken.windows(2).find(|pair| pair[0] == pair[1]) {
        Some(pair) => Err(TaskError::Twice { action: index, var: pair[0] }),
        None => Ok(()),
    }
}
