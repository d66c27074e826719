//! Why each step of a plan is there, and what it must not break.

use crate::task::{Fact, Task};

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

/// Explains every step of a valid plan.
pub fn explain(task: &Task, plan: &[u32], init: &[u16], goal: &[Option<u16>]) -> Vec<Explained> {
    let mut states = vec![init.to_vec()];
    for &action in plan {
        let mut next = states[states.len() - 1].clone();
        task.apply(action as usize, &mut next);
        states.push(next);
    }
    let needs = |step: usize, fact: Fact| {
        task.actions()[plan[step] as usize].conditions().any(|needed| needed == fact)
    };
    let explain_step = |step: usize| {
        let (mut reasons, mut after) = (Vec::new(), Vec::new());
        for (var, (&before, &now)) in states[step].iter().zip(&states[step + 1]).enumerate() {
            if before == now {
                continue;
            }
            let (made, destroyed) = ((var as u32, now), (var as u32, before));
            // As long as the value lasts, whoever needs it has it from here.
            let lasts = (step + 1..plan.len()).take_while(|&later| states[later][var] == now);
            reasons.extend(
                lasts
                    .clone()
                    .filter(|&later| needs(later, made))
                    .map(|later| Reason::For { step: later, fact: made }),
            );
            if states[step + 1..].iter().all(|state| state[var] == now) && goal[var] == Some(now) {
                reasons.push(Reason::Goal(made));
            }
            let lasted = (0..step).rev().take_while(|&earlier| states[earlier][var] == before);
            after.extend(
                lasted
                    .filter(|&earlier| needs(earlier, destroyed))
                    .map(|step| After { step, fact: destroyed }),
            );
        }
        after.sort_unstable_by_key(|after| after.step);
        Explained { action: plan[step], reasons, after }
    };
    (0..plan.len()).map(explain_step).collect()
}
