//! Several variables that must go round while their initial value is still needed (k >= 2).

use super::*;
use crate::counterexamples::*;
use crate::random::*;

/// A task made around a plan: `loops` variables go so many `rounds` of their cycle, `chains` climb to their last value, in a
/// random interleaving; each action asks for up to three things that hold whenever its turn comes. In one round nothing is
/// done twice.
pub(crate) fn planted(
    stream: &mut Stream,
    (loops, chains): (usize, usize),
    rounds: usize,
    widest: usize,
) -> (Task, Vec<u16>, Vec<u16>) {
    let vars = loops + chains;
    let sizes: Vec<u16> = (0..vars).map(|_| 2 + below(stream, widest - 1) as u16).collect();
    let mut init = random_state(stream, &sizes);
    init[loops..].fill(0);
    let steps = |var: usize| if var < loops { rounds * sizes[var] as usize } else { sizes[var] as usize - 1 };
    let mut turns: Vec<usize> = (0..vars).flat_map(|var| vec![var; steps(var)]).collect();
    shuffle(stream, &mut turns);
    let mut state = init.clone();
    let mut before = Vec::new();
    for &var in &turns {
        before.push(state.clone());
        state[var] = (state[var] + 1) % sizes[var];
    }
    let mut actions: Vec<Action> = Vec::new();
    for (var, now) in turns.iter().copied().zip(&before) {
        let pre = now[var];
        if actions
            .iter()
            .any(|action| action.effects[0].var == var as u32 && action.effects[0].pre == Some(pre))
        {
            continue;
        }
        // Mostly about the loops: that is where initial values are left and come back.
        let most = if chance(stream, 0.7) { loops } else { vars };
        let mut prevail = some_facts(stream, &now[..most], 3, &[var as u32]);
        let again = || turns.iter().zip(&before).filter(|&(&other, then)| other == var && then[var] == pre);
        prevail.retain(|&(asked, value)| again().all(|(_, then)| then[asked as usize] == value));
        actions.push(Action::unary(var as u32, pre, (pre + 1) % sizes[var], prevail));
    }
    // Now and then a way back down, so that longer ways round exist.
    for var in (loops..vars).filter(|_| chance(stream, 0.3)).collect::<Vec<_>>() {
        let prevail = some_facts(stream, &init, 2, &[var as u32]);
        actions.push(Action::unary(var as u32, sizes[var] - 1, 0, prevail));
    }
    shuffle(stream, &mut actions);
    (Task::new(sizes, actions).expect("a well-formed task"), init, state)
}

#[test]
fn loops_whose_initial_value_is_still_needed_are_answered_truly() {
    let mut census = Census::default();
    let mut several = 0;
    for id in 0..6_000 {
        let mut stream = Stream::new(4, id, "planted");
        let (loops, chains) = (2 + below(&mut stream, 3), 1 + below(&mut stream, 3));
        let (task, init, goal) = planted(&mut stream, (loops, chains), 1, 3);
        assert!(task.is_unary() && task.is_post_unique());
        let Closure::Once { k, .. } = closure(&task, &init, &goal) else { panic!("a plan was planted") };
        several += usize::from(k >= 2);
        let truth = Truth::of(&task, &init);
        census.judge(&task, &init, &total(&goal), &truth);
        let open: Goal = goal.iter().map(|&value| chance(&mut stream, 0.6).then_some(value)).collect();
        census.judge(&task, &init, &open, &truth);
    }
    assert!(several > 2_000 && census.once[2] >= several, "{several} {census:?}");
    census.close(12_000, 0);
}

#[test]
fn loops_with_one_condition_altered_are_answered_truly() {
    // Near misses: many have no plan any more, or none that does everything once.
    let mut census = Census::default();
    for id in 0..6_000 {
        let mut stream = Stream::new(5, id, "altered");
        let (loops, chains) = (2 + below(&mut stream, 3), 1 + below(&mut stream, 3));
        let (task, init, goal) = planted(&mut stream, (loops, chains), 1, 3);
        let mut actions = task.actions().to_vec();
        for _ in 0..1 + below(&mut stream, 2) {
            let action = below(&mut stream, actions.len());
            if let Some((var, value)) = actions[action].prevail.first_mut() {
                *value = (*value + 1) % task.sizes()[*var as usize];
            }
        }
        let task = Task::new(task.sizes().to_vec(), actions).expect("a well-formed task");
        census.judge(&task, &init, &total(&goal), &Truth::of(&task, &init));
    }
    assert!(census.once[2] > 500 && census.twice > 100, "{census:?}");
    census.close(2_000, 500);
}

#[test]
fn loops_gone_round_twice_are_answered_truly() {
    let mut census = Census::default();
    for id in 0..6_000 {
        let mut stream = Stream::new(11, id, "two rounds");
        let (loops, chains) = (1 + below(&mut stream, 3), 2 + below(&mut stream, 3));
        let (task, init, goal) = planted(&mut stream, (loops, chains), 2, 3);
        assert!(task.is_unary() && task.is_post_unique());
        let truth = Truth::of(&task, &init);
        census.judge(&task, &init, &total(&goal), &truth);
        let open: Goal = goal.iter().map(|&value| chance(&mut stream, 0.6).then_some(value)).collect();
        census.judge(&task, &init, &open, &truth);
    }
    assert!(census.twice > 300, "{census:?}");
    census.close(12_000, 0);
}

#[test]
fn planted_plans_too_large_to_enumerate_are_found_again() {
    // Everything is done once in the planted plan, so that the closure is the length of a shortest one.
    let mut linear = 0;
    for id in 0..600 {
        let mut stream = Stream::new(6, id, "planted and large");
        let loops = [1, 2, 4, 6][id as usize % 4];
        let chains = 10 + below(&mut stream, 30);
        let (task, init, goal) = planted(&mut stream, (loops, chains), 1, 4);
        let Closure::Once { actions: length, k } = closure(&task, &init, &goal) else {
            panic!("a plan was planted")
        };
        let (actions, tier) = plan(&task, &init, &total(&goal));
        assert_eq!(actions.len(), length, "{id}: k = {k}, by {tier:?}");
        assert!(!matches!(tier, Tier::Search | Tier::Greedy), "{id}: k = {k}, by {tier:?}");
        linear += usize::from(k <= 1);
    }
    assert!((150..=450).contains(&linear), "{linear}");
}
