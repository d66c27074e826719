//! Why each step of a plan is there, and what it must not break.

use crate::task::{Fact, Task, TaskError};

/// What a step is good for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// It makes a condition of a later step.
    For {
        /// The later step.
        step: usize,
        /// What it makes for it.
        fact: Fact,
    },
    /// It makes part of the goal.
    Goal(Fact),
}

/// A step that had to come before because it needed what this one destroys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct After {
    /// The earlier step.
    pub step: usize,
    /// What it needed.
    pub fact: Fact,
}

/// A step explained.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explained {
    /// The action.
    pub action: u32,
    /// What it is good for; empty only in a plan with needless steps.
    pub reasons: Vec<Reason>,
    /// What it must come after.
    pub after: Vec<After>,
}

/// Explains every step of a plan, or says why it is none: a state or goal that does not fit the task, an action that is
/// not there, a step whose conditions do not hold. Cost: one pass over the plan and its conditions.
///
/// ```
/// use repertoire_plan::explain::{Reason, explain};
/// use repertoire_plan::{Action, Task};
/// let task = Task::new(
///     vec![2, 2],
///     vec![Action::unary(0, 0, 1, vec![(1, 1)]), Action::unary(1, 0, 1, vec![])],
/// )?;
/// let steps = explain(&task, &[1, 0], &[0, 0], &[Some(1), None])?;
/// assert_eq!(steps[0].reasons, [Reason::For { step: 1, fact: (1, 1) }]);
/// assert_eq!(steps[1].reasons, [Reason::Goal((0, 1))]);
/// assert!(explain(&task, &[0], &[0, 0], &[Some(1), None]).is_err(), "the lamp is off");
/// # Ok::<(), repertoire_plan::TaskError>(())
/// ```
pub fn explain(
    task: &Task,
    plan: &[u32],
    init: &[u16],
    goal: &[Option<u16>],
) -> Result<Vec<Explained>, TaskError> {
    task.check_instance(init, goal)?;
    let mut state = init.to_vec();
    // For each variable: the step that gave it its value, and the steps that have needed that value since.
    let mut maker: Vec<Option<usize>> = vec![None; state.len()];
    let mut users: Vec<Vec<usize>> = vec![Vec::new(); state.len()];
    let mut steps: Vec<Explained> = Vec::with_capacity(plan.len());
    for (step, &action) in plan.iter().enumerate() {
        if action as usize >= task.actions().len() {
            return Err(TaskError::NoSuchAction { step, action });
        }
        if !task.is_applicable(action as usize, &state) {
            return Err(TaskError::NotAPlan { step });
        }
        for fact in task.actions()[action as usize].conditions() {
            if let Some(maker) = maker[fact.0 as usize] {
                steps[maker].reasons.push(Reason::For { step, fact });
            }
            users[fact.0 as usize].push(step);
        }
        let effects = &task.actions()[action as usize].effects;
        let before: Vec<Fact> =
            effects.iter().map(|effect| (effect.var, state[effect.var as usize])).collect();
        task.apply(action as usize, &mut state);
        let mut after = Vec::new();
        for fact in before.into_iter().filter(|fact| state[fact.0 as usize] != fact.1) {
            let var = fact.0 as usize;
            after.extend(users[var].drain(..).filter(|&user| user != step).map(|step| After { step, fact }));
            maker[var] = Some(step);
        }
        after.sort_unstable_by_key(|after| after.step);
        steps.push(Explained { action, reasons: Vec::new(), after });
    }
    for (var, maker) in maker.into_iter().enumerate() {
        if let (Some(maker), true) = (maker, goal[var] == Some(state[var])) {
            steps[maker].reasons.push(Reason::Goal((var as u32, state[var])));
        }
    }
    Ok(steps)
}
