//! Every counterexample of the audit of the paper, and the Horse Breeder.

use super::*;

/// A plan that works, and its tier.
pub(crate) fn plan(task: &Task, init: &[u16], goal: &[Option<u16>]) -> (Vec<u32>, Tier) {
    match solve(task, init, goal, AMPLE).unwrap() {
        Outcome::Plan { actions, tier } => {
            assert!(task.is_plan(&actions, init, goal), "{actions:?} by {tier:?} does not work");
            (actions, tier)
        }
        other => panic!("there is a plan, not: {}", told(&other)),
    }
}

pub(crate) fn total(state: &[u16]) -> Goal {
    state.iter().copied().map(Some).collect()
}

/// A binary action: what changes, whether up, and what prevails.
pub(crate) type Switch<'a> = (u32, bool, &'a [(u32, u16)]);

pub(crate) fn binary(vars: usize, actions: &[Switch<'_>]) -> Task {
    let action = |&(var, up, prevail): &Switch<'_>| {
        Action::unary(var, u16::from(!up), u16::from(up), prevail.to_vec())
    };
    Task::new(vec![2; vars], actions.iter().map(action).collect()).expect("a well-formed task")
}

/// A counterexample from all zeros: planned without search, as long as the truth says, and as the note says.
pub(crate) fn is_planned_in(task: &Task, goal: &[u16], length: usize) {
    let init = vec![0; goal.len()];
    let truth = Truth::of(task, &init);
    assert_eq!(truth.nearest(&total(goal)).map(|at| truth.reached[at].depth), Some(length));
    let (actions, tier) = plan(task, &init, &total(goal));
    assert_eq!(actions.len(), length);
    assert!(matches!(tier, Tier::Simulation | Tier::Openers), "{tier:?}");
    let mut census = Census::default();
    for init in combinations(task.sizes()) {
        let truth = Truth::of(task, &init);
        goals(task.sizes()).iter().for_each(|goal| census.judge(task, &init, goal, &truth));
    }
}

pub(crate) const UP: bool = true;
pub(crate) const DOWN: bool = false;

/// Table 1 of the paper: hay, bucket, water.
pub(crate) fn horse_breeder() -> Task {
    let actions = vec![
        Action::unary(0, 1, 0, vec![]),
        Action::unary(0, 0, 1, vec![(1, 0)]),
        Action::unary(0, 1, 2, vec![]),
        Action::unary(1, 1, 0, vec![]),
        Action::unary(1, 0, 1, vec![(0, 0)]),
        Action::unary(2, 0, 1, vec![(1, 1)]),
        Action::unary(2, 1, 2, vec![(1, 1)]),
    ];
    Task::new(vec![3, 2, 3], actions).expect("a well-formed task")
}

#[test]
fn the_horse_breeder_feeds_the_horses() {
    is_planned_in(&horse_breeder(), &[2, 0, 2], 6);
}

#[test]
fn the_horse_breeder_puts_the_hay_back_to_take_the_bucket() {
    // Hay in hand: it goes round its cycle before it leaves it for the manger.
    let (actions, tier) = plan(&horse_breeder(), &[1, 0, 0], &total(&[2, 0, 2]));
    assert_eq!(actions.len(), 7);
    assert_eq!(actions[0], 0);
    assert!(matches!(tier, Tier::Simulation | Tier::Openers), "{tier:?}");
    let (actions, _) = plan(&horse_breeder(), &[1, 0, 0], &total(&[2, 0, 0]));
    assert_eq!(actions, [2]);
}

#[test]
fn an_initial_value_that_no_action_makes_is_used_before_it_goes() {
    let task = binary(2, &[(0, UP, &[(1, 0)]), (1, UP, &[])]);
    is_planned_in(&task, &[1, 1], 2);
    assert_eq!(plan(&task, &[0, 0], &total(&[1, 1])).0, [0, 1]);
}

#[test]
fn a_needed_threat_is_not_dropped() {
    let task = binary(
        3,
        &[(0, UP, &[(1, 1), (2, 0)]), (1, DOWN, &[(2, 1)]), (1, UP, &[]), (2, DOWN, &[(1, 0)]), (2, UP, &[])],
    );
    is_planned_in(&task, &[1, 0, 0], 5);
    assert_eq!(plan(&task, &[0, 0, 0], &total(&[1, 0, 0])).0, [2, 0, 4, 1, 3]);
}

#[test]
fn before_or_after_the_loop_is_not_left_to_a_default() {
    let task = binary(3, &[(0, UP, &[(1, 0), (2, 0)]), (1, UP, &[(2, 1)]), (2, UP, &[]), (2, DOWN, &[])]);
    is_planned_in(&task, &[1, 1, 0], 4);
    assert_eq!(plan(&task, &[0, 0, 0], &total(&[1, 1, 0])).0, [0, 2, 1, 3]);
}

#[test]
fn two_loops_take_turns_when_each_needs_the_other_at_rest() {
    let cycles: [Switch<'_>; 4] = [(0, UP, &[]), (0, DOWN, &[]), (1, UP, &[]), (1, DOWN, &[])];
    let task = binary(4, &[&cycles[..], &[(2, UP, &[(0, 1), (1, 0)]), (3, UP, &[(0, 0), (1, 1)])]].concat());
    assert_eq!(closure(&task, &[0; 4], &[0, 0, 1, 1]), Closure::Once { actions: 6, k: 2 });
    is_planned_in(&task, &[0, 0, 1, 1], 6);
    // The second user must come first: a planner that opens the loops in index order is stuck.
    let task =
        binary(4, &[&cycles[..], &[(2, UP, &[(0, 1), (1, 0)]), (3, UP, &[(0, 0), (1, 1), (2, 0)])]].concat());
    is_planned_in(&task, &[0, 0, 1, 1], 6);
    let (actions, _) = plan(&task, &[0; 4], &total(&[0, 0, 1, 1]));
    assert_eq!(actions[..2], [2, 5]);
}

#[test]
fn a_loop_needed_twice_is_gone_round_twice() {
    // v1 up needs v0 = 1, v2 up needs v0 = 0 and v1 = 1, v3 up needs v0 = 1 and v2 = 1: v0 goes up twice.
    let task = binary(
        4,
        &[
            (0, UP, &[]),
            (0, DOWN, &[]),
            (1, UP, &[(0, 1)]),
            (2, UP, &[(0, 0), (1, 1)]),
            (3, UP, &[(0, 1), (2, 1)]),
        ],
    );
    let (actions, _) = plan(&task, &[0; 4], &total(&[0, 1, 1, 1]));
    assert!(repeats(&actions));
    assert_eq!(plan(&task, &[0; 4], &[None, Some(1), Some(1), None]).0, [0, 2, 1, 3]);
}

#[test]
fn nothing_to_do_is_an_empty_plan_by_closure() {
    let empty = Task::new(vec![], vec![]).unwrap();
    assert_eq!(plan(&empty, &[], &[]), (vec![], Tier::Closure));
    let task = horse_breeder();
    for state in combinations(task.sizes()) {
        assert_eq!(plan(&task, &state, &total(&state)), (vec![], Tier::Closure));
        assert_eq!(plan(&task, &state, &[None; 3]), (vec![], Tier::Closure));
    }
}

#[test]
fn an_action_that_changes_nothing_does_not_hide_the_one_that_does() {
    for noop in [0, 1, 2] {
        let mut actions = vec![Action::unary(0, 0, 1, vec![(1, 1)]), Action::unary(1, 0, 1, vec![])];
        actions.insert(noop, Action::unary(0, 1, 1, vec![]));
        actions.insert(noop, Action::unary(1, 1, 1, vec![(0, 1)]));
        let task = Task::new(vec![2, 2], actions).expect("a well-formed task");
        assert!(task.is_unary() && task.is_post_unique());
        is_planned_in(&task, &[1, 1], 2);
    }
}
