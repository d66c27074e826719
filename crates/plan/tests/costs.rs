//! Plans of tasks whose actions cost something are cheapest, against Dijkstra's algorithm over all states.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use repertoire_plan::{Action, Effect, Outcome, Planner, Task, TaskError, sas_plus};
use repertoire_prob::Stream;

fn cheapest(task: &Task, costs: &[u32], init: &[u16], goal: &[Option<u16>]) -> Option<u64> {
    let mut least: BTreeMap<Vec<u16>, u64> = BTreeMap::from([(init.to_vec(), 0)]);
    let mut queue = BinaryHeap::from([Reverse((0u64, init.to_vec()))]);
    while let Some(Reverse((cost, state))) = queue.pop() {
        if cost > least[&state] {
            continue;
        }
        if state.iter().zip(goal).all(|(value, goal)| goal.is_none_or(|goal| goal == *value)) {
            return Some(cost);
        }
        for action in (0..costs.len()).filter(|&action| task.is_applicable(action, &state)) {
            let mut next = state.clone();
            task.apply(action, &mut next);
            let cost = cost + u64::from(costs[action]);
            if least.get(&next).is_none_or(|&known| cost < known) {
                least.insert(next.clone(), cost);
                queue.push(Reverse((cost, next)));
            }
        }
    }
    None
}

fn judge(task: &Task, costs: &[u32], init: &[u16], goal: &[Option<u16>]) -> Option<u64> {
    let mut planner = Planner::new(task.clone()).with_costs(costs.to_vec()).expect("a cost for each");
    let truth = cheapest(task, costs, init, goal);
    match planner.solve(init, goal, Some(1_000_000)).expect("it fits") {
        Outcome::Plan { actions, tier } => {
            assert!(task.is_plan(&actions, init, goal));
            assert!(planner.is_cheapest(&actions, tier), "{tier:?}");
            assert_eq!(
                Some(planner.cost(&actions)),
                truth,
                "{task:?} {costs:?} {init:?} {goal:?} {actions:?}"
            );
        }
        Outcome::Unsolvable => assert_eq!(truth, None),
        other => panic!("{other:?}"),
    }
    truth
}

#[test]
fn plans_of_random_tasks_are_cheapest() {
    let mut rng = Stream::new(11, 0, "costs");
    let (mut plans, mut dear) = (0, 0);
    for _ in 0..3_000 {
        let mut below = |n: usize| (rng.unit() * n as f64) as usize;
        let sizes: Vec<u16> = (0..4).map(|_| 2 + below(3) as u16).collect();
        let mut actions = Vec::new();
        for _ in 0..6 + below(8) {
            let var = below(4);
            let size = sizes[var];
            let post = below(size as usize) as u16;
            let pre = (below(5) > 0).then(|| (post + 1 + below(size as usize - 1) as u16) % size);
            let mut effects = vec![Effect { var: var as u32, pre, post, when: vec![] }];
            if below(4) == 0 {
                let other = (var + 1) % 4;
                let post = below(sizes[other] as usize) as u16;
                effects.push(Effect { var: other as u32, pre: None, post, when: vec![] });
            }
            let asked = (var + 2 + below(2)) % 4;
            let free = effects.iter().all(|effect| effect.var as usize != asked);
            let prevail = match free && below(2) == 0 {
                true => vec![(asked as u32, below(sizes[asked] as usize) as u16)],
                false => vec![],
            };
            actions.push(Action { effects, prevail });
        }
        // Some cost nothing, some much.
        let costs: Vec<u32> = actions.iter().map(|_| [0, 1, 2, 5, 40][below(5)]).collect();
        let task = Task::new(sizes.clone(), actions).unwrap();
        let init: Vec<u16> = sizes.iter().map(|&size| below(size as usize) as u16).collect();
        let goal: Vec<Option<u16>> =
            sizes.iter().map(|&size| (below(2) == 0).then(|| below(size as usize) as u16)).collect();
        if let Some(cost) = judge(&task, &costs, &init, &goal) {
            plans += 1;
            let shortest = match Planner::new(task.clone()).solve(&init, &goal, None).unwrap() {
                Outcome::Plan { actions, .. } => actions,
                other => panic!("{other:?}"),
            };
            let its_cost: u64 = shortest.iter().map(|&action| u64::from(costs[action as usize])).sum();
            dear += usize::from(its_cost > cost);
        }
    }
    // The shortest plan is often not the cheapest, or this test shows nothing.
    assert!(plans > 500 && dear > 50, "{plans} {dear}");
}

#[test]
fn the_lift_goes_the_cheap_way() {
    let problem = sas_plus::read(include_str!("sas/problems/miconic-4.sas")).unwrap();
    assert!(problem.costs.iter().any(|&cost| cost != 1));
    assert!(judge(&problem.task, &problem.costs, &problem.init, &problem.goal).is_some());
}

#[test]
fn there_must_be_a_cost_for_each_action() {
    let task = Task::new(vec![2], vec![Action::unary(0, 0, 1, vec![])]).unwrap();
    let refused = Planner::new(task.clone()).with_costs(vec![]).err();
    assert_eq!(refused, Some(TaskError::Length { what: "the list of costs", needed: 1, found: 0 }));
    // So dear that the search cannot count it: still a plan, but nothing is claimed of it.
    let mut planner = Planner::new(task).with_costs(vec![u32::MAX]).unwrap();
    let Ok(Outcome::Plan { actions, tier }) = planner.solve(&[0], &[Some(1)], None) else { panic!() };
    assert!(!planner.is_cheapest(&actions, tier));
}
