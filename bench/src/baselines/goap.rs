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
    use crate::baselines::examples::{self, Restriction};
    use repertoire_prob::Stream;

    fn whole(task: &Task) -> Goap {
        let vars: Vec<u32> = (0..task.sizes().len() as u32).collect();
        let actions: Vec<u32> = (0..task.actions().len() as u32).collect();
        Goap::new(task, &vars, &actions)
    }

    #[test]
    fn feeds_the_horses() {
        let goap = whole(&examples::horse_breeder());
        assert_eq!(goap.solve(&[0, 0, 0], &[Some(2), Some(0), Some(2)]), Some(6));
        assert_eq!(goap.solve(&[2, 0, 0], &[Some(0), None, None]), None);
    }

    #[test]
    fn is_restricted_to_its_class() {
        let task = examples::horse_breeder();
        let goap = Goap::new(&task, &[0, 1], &[0, 1, 2, 3, 4]);
        assert_eq!(goap.solve(&[0, 0, 0], &[Some(2), Some(1), Some(2)]), None);
        assert_eq!(goap.solve(&[0, 1, 0], &[Some(2), None, Some(2)]), Some(3));
    }

    #[test]
    fn finds_shortest_plans() {
        let mut rng = Stream::new(1, 0, "goap");
        let mut tasks = vec![examples::saloonkeeper(), examples::lumberjack()];
        tasks.extend((0..200).map(|_| examples::random_task(&mut rng, Restriction::Unary)));
        for task in tasks {
            let goap = whole(&task);
            for _ in 0..3 {
                let init = examples::random_state(&mut rng, &task);
                let goal = examples::total(&examples::random_state(&mut rng, &task));
                assert_eq!(goap.solve(&init, &goal), examples::shortest(&task, &init, &goal), "{task:?}");
            }
        }
    }
}
