//! Random tasks, in the class and outside of it.

use super::*;
use crate::counterexamples::*;

pub(crate) fn below(stream: &mut Stream, bound: usize) -> usize {
    (stream.unit() * bound as f64) as usize
}

pub(crate) fn chance(stream: &mut Stream, probability: f64) -> bool {
    stream.unit() < probability
}

pub(crate) fn shuffle<T>(stream: &mut Stream, items: &mut [T]) {
    for last in (1..items.len()).rev() {
        items.swap(last, below(stream, last + 1));
    }
}

pub(crate) fn random_state(stream: &mut Stream, sizes: &[u16]) -> Vec<u16> {
    sizes.iter().map(|&size| below(stream, size as usize) as u16).collect()
}

/// Up to so many facts of a state, about variables that are not taken.
pub(crate) fn some_facts(stream: &mut Stream, state: &[u16], most: usize, taken: &[u32]) -> Vec<(u32, u16)> {
    let mut facts: Vec<(u32, u16)> =
        (0..).zip(state.iter().copied()).filter(|(var, _)| !taken.contains(var)).collect();
    shuffle(stream, &mut facts);
    facts.truncate(below(stream, most + 1));
    facts
}

/// 2-6 variables of 2-4 values; each value made by one action or none, with 0-3 prevails; some actions that change nothing.
pub(crate) fn random_unary_post_unique(stream: &mut Stream) -> Task {
    let sizes: Vec<u16> = (0..2 + below(stream, 5)).map(|_| 2 + below(stream, 3) as u16).collect();
    let mut actions = Vec::new();
    let cyclic = stream.unit();
    let most_prevails = below(stream, 4);
    for (var, &size) in sizes.iter().enumerate() {
        for post in (0..size).filter(|_| chance(stream, 0.85)).collect::<Vec<_>>() {
            let away =
                if chance(stream, cyclic) { size - 1 } else { 1 + below(stream, size as usize - 1) as u16 };
            let asked = random_state(stream, &sizes);
            let prevail = some_facts(stream, &asked, most_prevails, &[var as u32]);
            actions.push(Action::unary(var as u32, (post + away) % size, post, prevail));
        }
        if chance(stream, 0.05) {
            let value = below(stream, size as usize) as u16;
            actions.push(Action::unary(var as u32, value, value, Vec::new()));
        }
    }
    shuffle(stream, &mut actions);
    Task::new(sizes, actions).expect("a well-formed task")
}

/// Two total goals, one of them reachable, and the same with about half of the variables left open.
pub(crate) fn random_goals(stream: &mut Stream, task: &Task, truth: &Truth) -> Vec<Goal> {
    let reachable = truth.reached[below(stream, truth.reached.len())].state.clone();
    let any = random_state(stream, task.sizes());
    let mut goals = Vec::new();
    for state in [reachable, any] {
        goals.push(state.iter().copied().map(Some).collect());
        goals.push(state.iter().map(|&value| chance(stream, 0.5).then_some(value)).collect());
    }
    goals
}

#[test]
fn random_unary_post_unique_tasks_are_answered_truly() {
    let mut census = Census::default();
    for id in 0..30_000 {
        let mut stream = Stream::new(1, id, "random unary post-unique");
        let task = random_unary_post_unique(&mut stream);
        assert!(task.is_unary() && task.is_post_unique());
        let init = random_state(&mut stream, task.sizes());
        let truth = Truth::of(&task, &init);
        for goal in random_goals(&mut stream, &task, &truth) {
            census.judge(&task, &init, &goal, &truth);
        }
    }
    assert!(census.once[1] > 200 && census.twice > 300, "{census:?}");
    census.close(60_000, 30_000);
}

/// Which restriction a random task breaks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Breaks {
    /// Two actions make the same value.
    PostUnique,
    /// Actions that change from any value.
    KnownPre,
    /// Several effects, some under conditions, each value still made by one action.
    OneEffect,
    All,
}

pub(crate) fn random_outside_the_class(stream: &mut Stream, breaks: Breaks) -> Task {
    let sizes: Vec<u16> = (0..2 + below(stream, 4)).map(|_| 2 + below(stream, 3) as u16).collect();
    let mut actions = Vec::new();
    let mut made = Vec::new();
    for _ in 0..2 + below(stream, 3 * sizes.len()) {
        let mut vars: Vec<u32> = (0..sizes.len() as u32).collect();
        shuffle(stream, &mut vars);
        vars.truncate(if matches!(breaks, Breaks::OneEffect | Breaks::All) {
            1 + below(stream, 3)
        } else {
            1
        });
        let (before, after) = (random_state(stream, &sizes), random_state(stream, &sizes));
        let mut effects = Vec::new();
        for &var in &vars {
            let open = matches!(breaks, Breaks::KnownPre | Breaks::All) && chance(stream, 0.4);
            let pre = (!open).then_some(before[var as usize]);
            let conditional = matches!(breaks, Breaks::OneEffect | Breaks::All) && chance(stream, 0.3);
            let judged = random_state(stream, &sizes);
            let when = if conditional { some_facts(stream, &judged, 2, &[]) } else { Vec::new() };
            effects.push(Effect { var, pre, post: after[var as usize], when });
        }
        let makes: Vec<(u32, u16)> = effects.iter().map(|effect| (effect.var, effect.post)).collect();
        if matches!(breaks, Breaks::OneEffect | Breaks::KnownPre)
            && makes.iter().any(|fact| made.contains(fact))
        {
            continue;
        }
        made.extend(makes);
        let prevail = some_facts(stream, &before, 2, &vars);
        actions.push(Action { effects, prevail });
    }
    Task::new(sizes, actions).expect("a well-formed task")
}

#[test]
fn tasks_outside_the_class_are_answered_truly_by_search() {
    for breaks in [Breaks::PostUnique, Breaks::KnownPre, Breaks::OneEffect, Breaks::All] {
        let mut census = Census::default();
        let mut outside = 0;
        for id in 0..5_000 {
            let mut stream = Stream::new(2, id, &format!("{breaks:?}"));
            let task = random_outside_the_class(&mut stream, breaks);
            outside += usize::from(!task.is_unary() || !task.is_post_unique());
            let init = random_state(&mut stream, task.sizes());
            let truth = Truth::of(&task, &init);
            for goal in random_goals(&mut stream, &task, &truth) {
                census.judge(&task, &init, &goal, &truth);
            }
        }
        assert!(outside > 2_000, "{breaks:?}: {outside}");
        census.close(5_000, 4_000);
    }
}

#[test]
fn an_effect_under_a_condition_happens_only_then() {
    // The lever opens the gate if the bolt is drawn; pulled with the bolt shut it only wears out.
    let effect = |var, pre, post, when| Effect { var, pre, post, when };
    let pull = Action {
        effects: vec![effect(0, Some(0), 1, vec![]), effect(1, None, 1, vec![(2, 1)])],
        prevail: vec![],
    };
    let task = Task::new(vec![2, 2, 2], vec![pull, Action::unary(2, 0, 1, vec![])]).unwrap();
    let plan = plan(&task, &[0, 0, 0], &[None, Some(1), None]);
    assert_eq!(plan.0, [1, 0]);
}
