//! Large tasks are answered within their budget, whatever the answer.

use repertoire_plan::{Action, Outcome, Task, solve};

/// A ring of variables, each of which can be raised only while the next one is up, and some free switches.
fn ring(vars: u32, switches: u32) -> Task {
    let mut actions = Vec::new();
    for var in 0..vars {
        actions.push(Action::unary(var, 0, 1, vec![((var + 1) % vars, 1)]));
        actions.push(Action::unary(var, 1, 0, vec![]));
    }
    for switch in vars..vars + switches {
        actions.push(Action::unary(switch, 0, 1, vec![]));
        actions.push(Action::unary(switch, 1, 0, vec![]));
    }
    Task::new(vec![2; (vars + switches) as usize], actions).expect("well formed")
}

fn wanted(task: &Task) -> Vec<Option<u16>> {
    vec![Some(1); task.sizes().len()]
}

#[test]
fn ten_thousand_actions_in_a_ring_are_answered_within_the_budget() {
    let task = ring(4_900, 100);
    assert_eq!(task.actions().len(), 10_000);
    let init = vec![0; task.sizes().len()];
    // Nobody can begin: there is no plan, but only exhausting 2^100 switches would prove it.
    match solve(&task, &init, &wanted(&task), None).unwrap() {
        Outcome::GaveUp { expanded, .. } => assert!(expanded > 0),
        Outcome::Unsolvable => {}
        Outcome::Plan { .. } => panic!("there is none"),
    }
}

#[test]
fn ten_thousand_actions_are_planned_when_someone_can_begin() {
    let task = ring(4_900, 100);
    let mut init = vec![0; task.sizes().len()];
    init[17] = 1;
    match solve(&task, &init, &wanted(&task), None).unwrap() {
        Outcome::Plan { actions, .. } => {
            assert!(task.is_plan(&actions, &init, &wanted(&task)));
            assert_eq!(actions.len(), 4_999);
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_ring_without_switches_is_proved_unsolvable() {
    let task = ring(5_000, 0);
    let init = vec![0; 5_000];
    assert_eq!(solve(&task, &init, &wanted(&task), None).unwrap(), Outcome::Unsolvable);
}
