//! The planner a Rust game programmer would pick: the crate `dogoap`.
//!
//! Goal-oriented action planning: A* from the start over maps from names to values. Its heuristic counts the
//! goals not yet met, which never overestimates when actions change one variable, so that plans are shortest.
//!
//! Differs from the crate's examples: nothing. Values are `Datum::Enum`, which the heuristic counts as one
//! when they differ; as numbers their distance would overestimate.
//!
//! Worth knowing when reading its times: a search node is the state *and* the action that led there, so that
//! a state is expanded once for each way of reaching it, and names are hashed, compared and copied in every
//! node.

use dogoap::prelude::{self, Compare, Datum, LocalState, Mutator, make_plan};
use repertoire_plan::Task;

/// A class of characters for the crate to plan for.
pub struct Goap {
    /// The class's variables and their names.
    vars: Vec<(u32, String)>,
    actions: Vec<prelude::Action>,
}

impl Goap {
    /// A task restricted to some variables and to actions that speak of no other.
    pub fn new(task: &Task, vars: &[u32], actions: &[u32]) -> Self {
        let name = |var: u32| {
            assert!(vars.contains(&var), "an action speaks of variable {var}, which is not in the class");
            format!("v{var}")
        };
        let actions = actions.iter().map(|&index| {
            let action = &task.actions()[index as usize];
            let mut translated = prelude::Action::new(&format!("a{index}"));
            for (var, value) in action.conditions() {
                translated = translated.with_precondition(&name(var), Compare::Equals(datum(value)));
            }
            for effect in &action.effects {
                assert!(effect.when.is_empty(), "action {index} has a conditional effect");
                translated = translated.add_mutator(Mutator::Set(name(effect.var), datum(effect.post)));
            }
            translated
        });
        let actions = actions.collect();
        Goap { vars: vars.iter().map(|&var| (var, format!("v{var}"))).collect(), actions }
    }

    /// The length of a plan, if there is one. States and goals are the whole task's; the rest of them is not
    /// looked at.
    pub fn solve(&self, init: &[u16], goal: &[Option<u16>]) -> Option<usize> {
        let mut start = LocalState::new();
        let mut wanted = prelude::Goal::new();
        for (var, name) in &self.vars {
            start = start.with_datum(name, datum(init[*var as usize]));
            if let Some(value) = goal[*var as usize] {
                wanted = wanted.with_req(name, Compare::Equals(datum(value)));
            }
        }
        // The first node is the start.
        make_plan(&start, &self.actions, &wanted).map(|(nodes, _)| nodes.len() - 1)
    }
}

fn datum(value: u16) -> Datum {
    Datum::Enum(value as usize)
}

#[cfg(test)]
mod tests {
    use super::*;
    use repertoire_plan::{Outcome, Planner, domain};

    #[test]
    fn finds_plans_as_short_as_ours() {
        let western = domain::domain("western").unwrap();
        for class in ["HorseBreeder", "Sheriff", "Hunter"] {
            let class = western.class(class).unwrap();
            let goap = Goap::new(&western.task, &class.variables, &class.actions);
            let mut planner = Planner::new(western.task.clone());
            let goal = western.total_goal(&class.goals[0], &western.start);
            match planner.solve(&western.start, &goal, None).unwrap() {
                Outcome::Plan { actions, .. } => {
                    assert_eq!(goap.solve(&western.start, &goal), Some(actions.len()))
                }
                other => panic!("{other:?}"),
            }
        }
    }
}
