//! Limits say their true name: what ran out, and that raising it helps.

use repertoire_plan::lint::reach;
use repertoire_plan::population::Town;
use repertoire_plan::{Action, Effect, Limit, Outcome, Planner, Task, domain};

/// A lock that needs two keys of which only one can be turned at a time, so that it never opens, and beside it counters of
/// ten values, so that there are many states to see before that is proved.
fn lock(counters: u32) -> (Task, Vec<u16>, Vec<Option<u16>>) {
    let change = |var, pre, post| Effect { var, pre: Some(pre), post, when: Vec::new() };
    let (one, other, lock) = (counters, counters + 1, counters + 2);
    let mut actions = vec![
        Action { effects: vec![change(one, 0, 1), change(other, 1, 0)], prevail: vec![] },
        Action { effects: vec![change(one, 1, 0), change(other, 0, 1)], prevail: vec![] },
        Action::unary(lock, 0, 1, vec![(one, 1), (other, 1)]),
    ];
    for var in 0..counters {
        actions.extend((0..9).map(|low| Action::unary(var, low, low + 1, vec![])));
    }
    let sizes = (0..counters).map(|_| 10).chain([2, 2, 2]).collect();
    let init = (0..counters).map(|_| 0).chain([0, 1, 0]).collect();
    let goal = (0..counters).map(|_| None).chain([None, None, Some(1)]).collect();
    (Task::new(sizes, actions).expect("well formed"), init, goal)
}

#[test]
fn a_search_that_stops_for_memory_says_so_and_a_larger_limit_lets_it_go_on() {
    // Two million states would have to be seen.
    let (task, init, goal) = lock(6);
    let solve = |megabytes: u32, budget: u64| {
        Planner::new(task.clone()).with_memory_mb(megabytes).solve(&init, &goal, Some(budget)).unwrap()
    };
    let Outcome::GaveUp { expanded: few, limit: Limit::Memory } = solve(1, 1_000_000_000) else {
        panic!("memory runs out long before the budget")
    };
    let Outcome::GaveUp { expanded: more, limit: Limit::Memory } = solve(4, 1_000_000_000) else {
        panic!("memory runs out long before the budget")
    };
    assert!(more > 2 * few, "four times the memory holds {more} states, one holds {few}");
    assert!(matches!(solve(64, 500), Outcome::GaveUp { expanded: 500, limit: Limit::States }));
    // With memory for all of them, a large budget is used, and the answer is a proof.
    let (small, init, goal) = lock(3);
    let outcome = Planner::new(small).solve(&init, &goal, Some(1_000_000_000)).unwrap();
    assert_eq!(outcome, Outcome::Unsolvable);
}

/// Switches in a row; every one can be turned on and off.
fn switches(count: u32) -> Task {
    let actions = (0..count)
        .flat_map(|var| [Action::unary(var, 0, 1, vec![]), Action::unary(var, 1, 0, vec![])])
        .collect();
    Task::new(vec![2; count as usize], actions).expect("well formed")
}

#[test]
#[allow(clippy::disallowed_methods, reason = "speed is what this promises; nothing planned depends on it")]
fn a_look_at_a_thousand_variables_takes_seconds() {
    // 20,000 states of a thousand variables, each with a thousand actions that can be done.
    let count = 1_000;
    let mut planner = Planner::new(switches(count));
    let start = vec![0; count as usize];
    let begun = std::time::Instant::now();
    let found = reach(&mut planner, &start, 20_000, |state| {
        let mut wanted: Vec<Option<u16>> = state.iter().copied().map(Some).collect();
        wanted[0] = Some(1);
        wanted
    })
    .unwrap();
    let seconds = begun.elapsed().as_secs_f64();
    assert_eq!((found.states, found.complete, found.unsolvable), (20_000, false, 0));
    // Five seconds optimised; without optimisation, on a busy machine, several times that. It took minutes.
    assert!(seconds < 40.0, "{seconds} s");
}

#[test]
fn a_look_at_long_plans_ends_early_and_says_so() {
    let tower = repertoire_plan::generators::one_prv_5(4_000);
    let mut planner = Planner::new(tower.task);
    let found = reach(&mut planner, &tower.init, 1_000_000, |_| tower.goal.clone()).unwrap();
    assert!(!found.complete && found.states < 30_000, "{}", found.states);
}

/// The domain printed in docs/guides/planning.md.
fn guide() -> String {
    let guide = include_str!("../../../docs/guides/planning.md");
    let start = guide.find("```toml\n").expect("a domain") + 8;
    guide[start..][..guide[start..].find("```").expect("its end")].to_owned()
}

#[test]
fn a_town_takes_what_the_guide_promises_with_goals_that_keep_and_goals_that_leave_open() {
    for text in [guide(), guide().replace("unnamed = \"keep\"\n", "")] {
        let domain = domain::read(&text).expect("the guide's domain");
        let mut town = Town::new(&domain).expect("its states and goals fit 16 bits");
        let task = domain.class_task(&domain.classes[0]).expect("its own variables");
        let mut planner = Planner::new(task.clone());
        for state in (0..12u16).map(|at| vec![at / 4, at / 2 % 2, at % 2]) {
            let character = town.add(0, town.key(0, 0, &state).expect("a state"));
            town.plan_all();
            let goal = domain.total_goal(&domain.classes[0].goals[0], &state);
            let expected = match planner.solve(&state, &goal, None).unwrap() {
                Outcome::Plan { actions, .. } => Some(actions),
                _ => None,
            };
            let found =
                town.plan(0, character).map(|plan| plan.iter().map(|&a| u32::from(a)).collect::<Vec<_>>());
            assert_eq!(found, expected, "{state:?} in\n{text}");
        }
        assert_eq!(town.given_up(), 0);
    }
}
