//! The paper's generators, at sizes that only the fast tiers can answer.

use super::*;
use crate::counterexamples::*;

/// `MultiPrv_n_Cycle`: all variables cycle, each moves only while those after it are half-way; the first goes to its last
/// value, the others come home.
pub(crate) fn multi_prv_n_cycle(m: usize, n: u16) -> (Task, Vec<u16>, Vec<u16>) {
    let mut actions = Vec::new();
    for var in 0..m as u32 {
        for post in 0..n {
            let prevail = (var + 1..m as u32).map(|other| (other, n / 2)).collect();
            actions.push(Action::unary(var, (post + n - 1) % n, post, prevail));
        }
    }
    let mut goal = vec![0; m];
    goal[0] = n - 1;
    (Task::new(vec![n; m], actions).expect("a well-formed task"), vec![0; m], goal)
}

/// `MultiPrv_2_Cycle`: the lights of a tunnel.
pub(crate) fn multi_prv_2_cycle(m: usize) -> (Task, Vec<u16>, Vec<u16>) {
    multi_prv_n_cycle(m, 2)
}

/// `OnePrv_5`: all variables climb from 0 to 4, each only while the next one is at 2.
pub(crate) fn one_prv_5(m: usize) -> (Task, Vec<u16>, Vec<u16>) {
    let mut actions = Vec::new();
    for var in 0..m as u32 {
        for post in 1..5 {
            let prevail = (var + 1..m as u32).take(1).map(|next| (next, 2)).collect();
            actions.push(Action::unary(var, post - 1, post, prevail));
        }
    }
    (Task::new(vec![5; m], actions).expect("a well-formed task"), vec![0; m], vec![4; m])
}

/// Seconds for a call.
#[allow(
    clippy::disallowed_methods,
    reason = "speed is what these tests promise; nothing planned depends on it"
)]
pub(crate) fn timed<T>(call: impl FnOnce() -> T) -> (T, f64) {
    let start = std::time::Instant::now();
    let answer = call();
    (answer, start.elapsed().as_secs_f64())
}

/// Planned by simulation, with exactly so many actions.
pub(crate) fn is_simulated((task, init, goal): (Task, Vec<u16>, Vec<u16>), length: usize) {
    let (actions, tier) = plan(&task, &init, &total(&goal));
    assert_eq!((actions.len(), tier), (length, Tier::Simulation), "{} variables", init.len());
}

#[test]
fn small_tasks_of_the_paper_are_answered_truly() {
    let mut census = Census::default();
    for (task, init, goal) in
        [multi_prv_n_cycle(2, 5), multi_prv_n_cycle(3, 4), multi_prv_2_cycle(4), one_prv_5(3)]
    {
        let truth = Truth::of(&task, &init);
        goals(task.sizes()).iter().for_each(|goal| census.judge(&task, &init, goal, &truth));
        assert!(truth.nearest(&total(&goal)).is_some());
    }
    census.close(100, 50);
}

#[test]
fn cycles_of_n_values_are_simulated() {
    for m in [1, 2, 3, 5, 10, 40] {
        for n in [2, 3, 4, 5, 8, 33] {
            is_simulated(multi_prv_n_cycle(m, n), (m - 1) * n as usize + n as usize - 1);
        }
    }
}

#[test]
fn the_lights_of_a_tunnel_are_simulated() {
    for m in [1, 2, 3, 7, 20, 100, 300] {
        is_simulated(multi_prv_2_cycle(m), 2 * m - 1);
    }
}

#[test]
fn variables_waiting_for_the_next_one_are_simulated() {
    for m in [1, 2, 3, 4, 10, 100, 1_000, 5_000] {
        is_simulated(one_prv_5(m), 4 * m);
    }
}

#[test]
fn simulation_spends_no_budget() {
    let (task, init, goal) = one_prv_5(100);
    match solve(&task, &init, &total(&goal), Some(1)).unwrap() {
        Outcome::Plan { actions, tier } => assert_eq!((actions.len(), tier), (400, Tier::Simulation)),
        other => panic!("{}", told(&other)),
    }
}

#[test]
fn twenty_thousand_variables_are_planned_within_two_seconds() {
    let (task, init, goal) = one_prv_5(20_000);
    let goal = total(&goal);
    let (outcome, seconds) = timed(|| solve(&task, &init, &goal, AMPLE).unwrap());
    let Outcome::Plan { actions, tier } = outcome else { panic!("{}", told(&outcome)) };
    assert!(task.is_plan(&actions, &init, &goal));
    assert_eq!((actions.len(), tier), (80_000, Tier::Simulation));
    // A debug build gets ten times as long: linear or not is what it still shows.
    let limit = if cfg!(debug_assertions) { 20.0 } else { 2.0 };
    assert!(seconds < limit, "{seconds} s");
}
