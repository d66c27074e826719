//! Budgets are kept, and the same question gets the same answer.

use super::*;
use crate::counterexamples::*;
use crate::generators::*;
use crate::loops::*;
use crate::random::*;

/// A sliding puzzle: for each tile its place, and last the place of the gap.
pub(crate) fn sliding(width: usize, height: usize) -> (Task, Vec<u16>) {
    let places = width * height;
    let mut actions = Vec::new();
    for (from, to) in (0..places).flat_map(|from| (0..places).map(move |to| (from, to))) {
        let (across, down) = ((from % width).abs_diff(to % width), (from / width).abs_diff(to / width));
        if across + down == 1 {
            for tile in 0..places - 1 {
                let moves = |var: usize, pre: usize, post: usize| Effect {
                    var: var as u32,
                    pre: Some(pre as u16),
                    post: post as u16,
                    when: vec![],
                };
                let effects = vec![moves(tile, from, to), moves(places - 1, to, from)];
                actions.push(Action { effects, prevail: vec![] });
            }
        }
    }
    let solved = (0..places as u16).collect();
    (Task::new(vec![places as u16; places], actions).expect("a well-formed task"), solved)
}

#[test]
fn a_small_sliding_puzzle_is_solved_or_proved_unsolvable() {
    let (task, solved) = sliding(3, 2);
    let truth = Truth::of(&task, &solved);
    assert_eq!(truth.reached.len(), 360);
    let mut census = Census::default();
    for id in 0..40 {
        let mut stream = Stream::new(7, id, "sliding");
        let mut places = solved.clone();
        shuffle(&mut stream, &mut places);
        census.judge(&task, &solved, &total(&places), &truth);
        let open: Goal = places.iter().map(|&place| chance(&mut stream, 0.5).then_some(place)).collect();
        census.judge(&task, &solved, &open, &truth);
    }
    census.close(30, 10);
}

#[test]
fn a_small_budget_is_kept() {
    // Two tiles swapped: half of all arrangements would have to be seen to know that it cannot be done.
    let (task, solved) = sliding(4, 4);
    let mut swapped = solved.clone();
    swapped.swap(13, 14);
    for budget in [10, 1_000] {
        let (outcome, seconds) = timed(|| solve(&task, &solved, &total(&swapped), Some(budget)).unwrap());
        match outcome {
            Outcome::GaveUp { expanded, .. } => assert!(expanded <= 2 * budget, "{expanded} for {budget}"),
            other => panic!("{}", told(&other)),
        }
        assert!(seconds < 5.0, "{seconds} s");
    }
}

#[test]
fn a_small_budget_gives_no_wrong_answer() {
    for id in 0..500 {
        let mut stream = Stream::new(8, id, "small budget");
        let task = random_outside_the_class(&mut stream, Breaks::All);
        let init = random_state(&mut stream, task.sizes());
        let truth = Truth::of(&task, &init);
        for goal in random_goals(&mut stream, &task, &truth) {
            for budget in [1, 10] {
                match solve(&task, &init, &goal, Some(budget)).unwrap() {
                    Outcome::Plan { actions, .. } => assert!(task.is_plan(&actions, &init, &goal), "{id}"),
                    Outcome::Unsolvable => assert!(truth.nearest(&goal).is_none(), "{id}: there is a plan"),
                    Outcome::GaveUp { expanded, .. } => {
                        assert!(expanded <= 2 * budget, "{id}: {expanded} for {budget}")
                    }
                }
            }
        }
    }
}

#[test]
fn without_a_budget_small_tasks_are_answered_truly() {
    for id in 0..500 {
        let mut stream = Stream::new(9, id, "no budget");
        let task = random_outside_the_class(&mut stream, Breaks::All);
        let init = random_state(&mut stream, task.sizes());
        let truth = Truth::of(&task, &init);
        for goal in random_goals(&mut stream, &task, &truth) {
            match solve(&task, &init, &goal, None).unwrap() {
                Outcome::Plan { actions, .. } => assert!(task.is_plan(&actions, &init, &goal), "{id}"),
                Outcome::Unsolvable => assert!(truth.nearest(&goal).is_none(), "{id}: there is a plan"),
                Outcome::GaveUp { expanded, .. } => panic!("{id}: gave up after {expanded}"),
            }
        }
    }
}

#[test]
fn the_same_question_gets_the_same_answer() {
    for id in 0..1_000 {
        let mut stream = Stream::new(10, id, "determinism");
        let (task, init) = match id % 3 {
            0 => {
                let (task, init, _) = planted(&mut stream, (3, 3), 1, 3);
                (task, init)
            }
            class => {
                let task = match class {
                    1 => random_unary_post_unique(&mut stream),
                    _ => random_outside_the_class(&mut stream, Breaks::All),
                };
                let init = random_state(&mut stream, task.sizes());
                (task, init)
            }
        };
        let goal = total(&random_state(&mut stream, task.sizes()));
        for budget in [Some(3), AMPLE] {
            let once = told(&solve(&task, &init, &goal, budget).unwrap());
            assert_eq!(once, told(&solve(&task.clone(), &init, &goal, budget).unwrap()), "{id}");
        }
    }
}
