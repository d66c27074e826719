//! Calls with states, lengths and indices that mean nothing: each is refused with its reason.
//! What may panic says so under `# Panics`, and is listed at the end.

#![allow(clippy::unwrap_used, reason = "a helper of tests may panic as tests do")]

use repertoire_plan::baselines::{paper::paper, pus::pus};
use repertoire_plan::explain::explain;
use repertoire_plan::lint::reach;
use repertoire_plan::population::{
    ColumnsError, Distinct, KeyError, PlanSlot, Town, plan_distinct, plan_each,
};
use repertoire_plan::run::{Next, PlanQueue, Running};
use repertoire_plan::{
    Action, Effect, Packed, PackedTask, Planner, Task, TaskError, domain, generators, solve,
};

/// A lamp, and a door that opens only while it is on; the door has three values, so that not all bits are used.
fn task() -> Task {
    let actions = vec![
        Action::unary(0, 0, 1, vec![(1, 1)]),
        Action::unary(0, 1, 2, vec![]),
        Action::unary(1, 0, 1, vec![]),
        Action::unary(1, 1, 0, vec![]),
    ];
    Task::new(vec![3, 2], actions).unwrap()
}

fn panics<R>(call: impl FnOnce() -> R) -> bool {
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(call)).is_err()
}

#[test]
fn states_and_goals_that_do_not_fit_have_no_plan() {
    let mut planner = Planner::new(task());
    let mut refused = |init: &[u16], goal: &[Option<u16>]| {
        let error = planner.solve(init, goal, None).unwrap_err();
        assert_eq!(solve(&task(), init, goal, None), Err(error.clone()));
        assert_eq!(explain(&task(), &[], init, goal), Err(error.clone()));
        assert!(!task().is_plan(&[], init, goal) || init.iter().any(|&value| value > 2));
        error
    };
    // Used to be answered with an empty plan.
    assert!(matches!(refused(&[], &[]), TaskError::Length { needed: 2, found: 0, .. }));
    assert!(matches!(refused(&[0], &[None, None]), TaskError::Length { found: 1, .. }));
    assert!(matches!(refused(&[0; 3], &[None, None]), TaskError::Length { found: 3, .. }));
    assert!(matches!(refused(&[0, 0], &[None]), TaskError::Length { found: 1, .. }));
    assert!(matches!(refused(&[3, 0], &[None, None]), TaskError::NoSuchFact { var: 0, value: 3, .. }));
    assert!(matches!(refused(&[0, 0], &[None, Some(2)]), TaskError::NoSuchFact { var: 1, value: 2, .. }));
    let looked = reach(&mut Planner::new(task()), &[0], 10, |state| vec![None; state.len()]);
    assert!(matches!(looked, Err(TaskError::Length { .. })));
    assert!(reach(&mut Planner::new(task()), &[0, 0], 10, |_| vec![None]).is_err());
    let cases: [(&[u16], &[u16]); 3] = [(&[0][..], &[0, 0][..]), (&[0, 0], &[0]), (&[9, 0], &[0, 0])];
    for (init, goal) in cases {
        assert_eq!((paper(&task(), init, goal), pus(&task(), init, goal)), (None, None));
    }
}

#[test]
fn plans_that_are_none_are_not_explained_or_carried_out() {
    let (task, goal) = (task(), [Some(1), None]);
    assert_eq!(explain(&task, &[9], &[0, 0], &goal), Err(TaskError::NoSuchAction { step: 0, action: 9 }));
    assert_eq!(explain(&task, &[2, 2], &[0, 0], &goal), Err(TaskError::NotAPlan { step: 1 }));
    assert!(!task.is_plan(&[9], &[0, 0], &goal));
    let next = |plan: &[u32], state: &[u16], goal: &[Option<u16>]| {
        Running::new(plan.to_vec()).next(&task, state, goal)
    };
    assert_eq!(next(&[9], &[0, 0], &goal), Next::Replan);
    assert_eq!(next(&[2], &[0], &goal), Next::Replan);
    // Used to be done.
    assert_eq!(next(&[], &[], &goal), Next::Replan);
    assert_eq!(next(&[], &[0, 0], &[]), Next::Replan);
}

#[test]
fn tasks_of_nonsense_are_refused() {
    let effect = |var, pre, post| Effect { var, pre, post, when: vec![] };
    assert_eq!(Task::new(vec![2, 0], vec![]), Err(TaskError::NoValue(1)));
    for action in [
        Action { effects: vec![], prevail: vec![] },
        Action::unary(9, 0, 1, vec![]),
        Action::unary(0, 7, 1, vec![]),
        Action::unary(0, 0, 7, vec![]),
        Action::unary(0, 0, 1, vec![(1, 9)]),
        Action::unary(0, 0, 1, vec![(u32::MAX, 0)]),
        Action { effects: vec![effect(0, None, 1), effect(0, None, 0)], prevail: vec![] },
        Action { effects: vec![Effect { when: vec![(5, 0)], ..effect(0, None, 1) }], prevail: vec![] },
    ] {
        assert!(Task::new(vec![2, 2], vec![action]).is_err());
    }
}

#[test]
fn words_that_are_no_states_are_not_planned_for() {
    let task = task();
    let packed = PackedTask::new(&task).unwrap();
    let planner = Planner::new(task.clone());
    assert!(matches!(packed.pack(&[0]), Err(TaskError::Length { .. })));
    assert!(matches!(packed.pack(&[0, 0, 0]), Err(TaskError::Length { .. })));
    assert!(matches!(packed.pack(&[3, 0]), Err(TaskError::NoSuchFact { .. })));
    let states: Vec<u64> = (0..6u16).map(|at| packed.pack(&[at / 2, at % 2]).unwrap()).collect();
    let mut plan = [0; 64];
    for word in (0..64).chain([u64::MAX, 1 << 63]) {
        assert_eq!(packed.is_state(word), states.contains(&word), "{word:b}");
        let is_refused = packed.solve(word, states[0], &mut plan) == Packed::NotAState;
        assert_eq!(is_refused, !states.contains(&word), "{word:b}");
        assert_eq!(packed.solve(states[0], word, &mut plan) == Packed::NotAState, is_refused, "{word:b}");
    }
    let (mut slots, mut numbers) = (vec![PlanSlot::default(); 2], vec![0; 2]);
    let mut refused = |init: &[u64], goal: &[u64]| {
        let error = plan_each(&packed, &planner, init, goal, &mut slots).unwrap_err();
        let mut distinct = Distinct::default();
        assert_eq!(plan_distinct(&packed, &planner, init, goal, &mut distinct, &mut numbers), Err(error));
        assert!(distinct.plans.is_empty());
        error
    };
    assert_eq!(refused(&[0], &[0, 0]), ColumnsError::Lengths { states: 1, goals: 2, plans: 2 });
    assert_eq!(refused(&[0; 3], &[0; 3]), ColumnsError::Lengths { states: 3, goals: 3, plans: 2 });
    assert_eq!(refused(&[0, 3], &[0, 0]), ColumnsError::NotAState { character: 1 });
    assert_eq!(refused(&[0, 0], &[u64::MAX, 0]), ColumnsError::NotAState { character: 0 });
}

#[test]
fn every_bit_of_a_full_word_is_checked() {
    // 64 bits in fields of four, whose values go from 0 to 8: the last carries out of the word.
    let task = Task::new(vec![9; 16], vec![Action::unary(0, 0, 1, vec![])]).unwrap();
    let packed = PackedTask::new(&task).unwrap();
    for var in 0..16 {
        for value in 0..16u64 {
            assert_eq!(packed.is_state(value << (4 * var)), value < 9, "{var} {value}");
            assert!(!packed.is_state(9 << 32 | value << (4 * var)), "variable 8 has no value 9");
        }
    }
}

#[test]
fn a_town_has_keys_only_for_what_is_there() {
    let western = domain::domain("western").unwrap();
    let town = Town::new(&western).unwrap();
    let classes = western.classes.len();
    assert_eq!(town.key(classes, 0, &[]), Err(KeyError::NoSuchClass { class: classes, classes }));
    let state = vec![0; western.classes[0].variables.len()];
    assert!(matches!(town.key(0, 99, &state), Err(KeyError::NoSuchGoal { goal: 99, .. })));
    assert!(matches!(town.key(0, 0, &[]), Err(KeyError::State(TaskError::Length { .. }))));
    assert!(matches!(
        town.key(0, 0, &vec![9; state.len()]),
        Err(KeyError::State(TaskError::NoSuchFact { .. }))
    ));
    assert!(!town.is_key(99, 0) && !town.is_key(0, u64::from(u16::MAX)) && !town.is_key(0, u64::MAX));
    // Numbers that are no numbers between 0 and 1 settle somewhere, and do not hang.
    let mut town = town;
    let (mut at, odd) = (0, [1.0, -3.0, f64::NAN, 0.5, 2.0, 0.0]);
    let unit = &mut || {
        at += 1;
        odd[at % odd.len()]
    };
    town.settle(3, unit);
    assert_eq!(town.len(), 3);
}

#[test]
fn the_greatest_numbers_wait_their_turn() {
    let mut queue = PlanQueue::new();
    queue.request(1 << 20);
    queue.request(0);
    assert_eq!((queue.take(), queue.take(), queue.take()), (Some(0), Some(1 << 20), None));
}

#[test]
fn broken_invariants_of_the_caller_panic_as_documented() {
    let task = task();
    assert!(panics(|| task.is_applicable(9, &[0, 0])));
    assert!(panics(|| task.is_applicable(0, &[])));
    assert!(panics(|| task.apply(9, &mut [0, 0])));
    assert!(panics(|| generators::multi_prv_n_cycle(3, 0)));
    let western = domain::domain("western").unwrap();
    assert!(panics(|| western.total_goal(&western.classes[0].goals[0], &[])));
    assert!(panics(|| western.fact((999, 0))));
    assert!(panics(|| western.ways_now(999, &[]).count()));
    let mut town = Town::new(&western).unwrap();
    assert!(panics(|| town.add(0, u64::from(u16::MAX))));
    assert!(panics(|| town.set(0, 0, 0)), "nobody is there");
    assert!(panics(|| town.plan(0, 0).map(<[u8]>::len)));
    assert!(panics(|| town.plan_of(u32::MAX).map(<[u8]>::len)));
}
