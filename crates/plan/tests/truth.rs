//! The planner against breadth-first truth: whole families of small tasks, random ones, the counterexamples that broke the
//! printed algorithm, and the paper's generators at size.
//!
//! What is asked of every answer:
//! - a plan if and only if there is one, and one that works; with an ample budget it never gives up;
//! - a plan that does nothing twice is a shortest one, unless the greedy tier made it;
//! - a total goal whose shortest plan does nothing twice, with `k <= 1`, never comes to search. `k` counts the variables
//!   that must go once round their cycle while their initial value is needed too (see [`closure`]).

use std::fmt::Write;

use repertoire_plan::{Action, Effect, Outcome, Task, Tier, solve};
use repertoire_prob::Stream;

/// More than any small instance here can use.
const AMPLE: Option<u64> = Some(1_000_000);

type Goal = Vec<Option<u16>>;

// ---------------------------------------------------------------------------------------------- breadth-first truth

/// A state that can be reached, and how.
struct Reached {
    state: Vec<u16>,
    depth: usize,
    from: usize,
    by: u32,
}

/// All that can be reached from a state, nearest first.
struct Truth {
    reached: Vec<Reached>,
}

impl Truth {
    fn of(task: &Task, init: &[u16]) -> Self {
        let code = |state: &[u16]| {
            state
                .iter()
                .zip(task.sizes())
                .fold(0, |code, (&value, &size)| code * size as usize + value as usize)
        };
        let mut seen = vec![false; task.sizes().iter().map(|&size| size as usize).product()];
        seen[code(init)] = true;
        let mut reached = vec![Reached { state: init.to_vec(), depth: 0, from: 0, by: 0 }];
        let mut at = 0;
        while at < reached.len() {
            for (by, action) in task.actions().iter().enumerate() {
                let Some(state) = after(action, &reached[at].state) else { continue };
                if !std::mem::replace(&mut seen[code(&state)], true) {
                    reached.push(Reached { state, depth: reached[at].depth + 1, from: at, by: by as u32 });
                }
            }
            at += 1;
        }
        Truth { reached }
    }

    /// The nearest state that meets a goal.
    fn nearest(&self, goal: &[Option<u16>]) -> Option<usize> {
        self.reached.iter().position(|reached| meets(&reached.state, goal))
    }

    /// A shortest plan to a reached state.
    fn plan(&self, mut at: usize) -> Vec<u32> {
        let mut plan = Vec::new();
        while at != 0 {
            plan.push(self.reached[at].by);
            at = self.reached[at].from;
        }
        plan.reverse();
        plan
    }
}

fn meets(state: &[u16], goal: &[Option<u16>]) -> bool {
    state.iter().zip(goal).all(|(value, goal)| goal.is_none_or(|goal| goal == *value))
}

/// The state after an action, if it can be done; told apart from the library's own, so that one checks the other.
fn after(action: &Action, before: &[u16]) -> Option<Vec<u16>> {
    let holds = |&(var, value): &(u32, u16)| before[var as usize] == value;
    let can = action.prevail.iter().all(holds)
        && action
            .effects
            .iter()
            .all(|effect| effect.pre.is_none_or(|pre| before[effect.var as usize] == pre));
    can.then(|| {
        let mut state = before.to_vec();
        for effect in action.effects.iter().filter(|effect| effect.when.iter().all(holds)) {
            state[effect.var as usize] = effect.post;
        }
        state
    })
}

fn repeats(plan: &[u32]) -> bool {
    let mut sorted = plan.to_vec();
    sorted.sort_unstable();
    sorted.windows(2).any(|pair| pair[0] == pair[1])
}

/// What every plan of a unary post-unique task to a total goal must contain.
#[derive(Debug, PartialEq)]
enum Closure {
    Unsolvable,
    /// Some action is needed twice.
    Twice,
    Once {
        actions: usize,
        /// Looped variables whose initial value is a prevail condition too.
        k: usize,
    },
}

fn closure(task: &Task, init: &[u16], goal: &[u16]) -> Closure {
    let change = |index: usize| {
        (task.actions()[index].effects[0].pre.expect("a known value"), task.actions()[index].effects[0].post)
    };
    let mut makers: Vec<Vec<Option<usize>>> =
        task.sizes().iter().map(|&size| vec![None; size as usize]).collect();
    for (index, action) in
        task.actions().iter().enumerate().filter(|&(index, _)| change(index).0 != change(index).1)
    {
        makers[action.effects[0].var as usize][change(index).1 as usize] = Some(index);
    }
    // The chain of makers from a value back to another, at least one step; none if it ends or goes round before.
    let back = |var: usize, from: u16, to: u16| {
        let (mut chain, mut value) = (Vec::new(), from);
        loop {
            let maker = makers[var][value as usize].filter(|_| chain.len() < makers[var].len())?;
            chain.push(maker);
            value = change(maker).0;
            if value == to {
                return Some(chain);
            }
        }
    };
    let mut needed: Vec<usize> = Vec::new();
    let mut looped = vec![false; init.len()];
    for var in (0..init.len()).filter(|&var| init[var] != goal[var]) {
        let Some(chain) = back(var, goal[var], init[var]) else { return Closure::Unsolvable };
        needed.extend(chain);
    }
    let mut at = 0;
    while at < needed.len() {
        for &(var, value) in &task.actions()[needed[at]].prevail {
            let var = var as usize;
            if value == init[var] || makers[var][value as usize].is_some_and(|maker| needed.contains(&maker))
            {
                continue;
            }
            let Some(cycle) = back(var, init[var], init[var]) else { return Closure::Unsolvable };
            if !cycle.iter().any(|&index| change(index).1 == value) {
                return Closure::Unsolvable;
            }
            if cycle.last().is_some_and(|first| needed.contains(first)) {
                return Closure::Twice;
            }
            needed.extend(cycle);
            looped[var] = true;
        }
        at += 1;
    }
    let asked = |var: usize| {
        needed.iter().any(|&index| task.actions()[index].prevail.contains(&(var as u32, init[var])))
    };
    Closure::Once {
        actions: needed.len(),
        k: (0..init.len()).filter(|&var| looped[var] && asked(var)).count(),
    }
}

// ------------------------------------------------------------------------------------------------------- the judge

/// An outcome in words, to compare and to print.
fn told(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Plan { actions, tier } => format!("{actions:?} by {tier:?}"),
        Outcome::Unsolvable => "unsolvable".into(),
        Outcome::GaveUp { expanded } => format!("gave up after {expanded}"),
    }
}

/// What was asked and answered so far.
#[derive(Debug, Default)]
struct Census {
    plans: usize,
    unsolvable: usize,
    /// Shortest plans that do something twice.
    twice: usize,
    /// Total goals of unary post-unique tasks whose shortest plan does nothing twice: with `k` 0, 1, and more.
    once: [usize; 3],
    /// Those of them that came to search or the greedy tier.
    searched: [usize; 3],
}

impl Census {
    /// Asks the planner and compares with the truth.
    fn judge(&mut self, task: &Task, init: &[u16], goal: &[Option<u16>], truth: &Truth) {
        task.check_instance(init, goal).expect("a well-formed instance");
        let outcome = solve(task, init, goal, AMPLE);
        let fail = |why: &str| -> ! {
            let mut text = format!("{why}\nsizes {:?}\n", task.sizes());
            for (index, action) in task.actions().iter().enumerate() {
                writeln!(text, "{index}: {action:?}").expect("a string takes all");
            }
            panic!("{text}from {init:?} to {goal:?}: {}", told(&outcome));
        };
        let Some(at) = truth.nearest(goal) else {
            match outcome {
                Outcome::Unsolvable => self.unsolvable += 1,
                _ => fail("there is no plan"),
            }
            return;
        };
        let Outcome::Plan { actions, tier } = &outcome else { fail("there is a plan") };
        if !task.is_plan(actions, init, goal) {
            fail("the plan does not work");
        }
        let shortest = truth.reached[at].depth;
        if *tier != Tier::Greedy && !repeats(actions) && actions.len() != shortest {
            fail(&format!("{shortest} actions are enough"));
        }
        self.plans += 1;
        if repeats(&truth.plan(at)) {
            self.twice += 1;
        } else if let Some(total) = goal.iter().copied().collect::<Option<Vec<u16>>>()
            && task.is_unary()
            && task.is_post_unique()
        {
            let Closure::Once { actions, k } = closure(task, init, &total) else {
                fail("the test's closure is wrong")
            };
            assert_eq!(actions, shortest, "a plan without repetition is exactly the closure");
            let searched = matches!(tier, Tier::Search | Tier::Greedy);
            self.once[k.min(2)] += 1;
            self.searched[k.min(2)] += usize::from(searched);
            if searched && k <= 1 {
                fail(&format!("k = {k}, and it came to search"));
            }
        }
    }

    /// Most goals without repetition are answered by the linear tiers, and the family was worth asking.
    fn close(&self, least_plans: usize, least_unsolvable: usize) {
        let (once, searched): (usize, usize) = (self.once.iter().sum(), self.searched.iter().sum());
        assert!(searched * 10 <= once, "{self:?}");
        assert!(self.plans >= least_plans && self.unsolvable >= least_unsolvable, "{self:?}");
        println!("{self:?}");
    }
}

/// All combinations of values, the last changing fastest.
fn combinations(sizes: &[u16]) -> Vec<Vec<u16>> {
    sizes.iter().fold(vec![Vec::new()], |all, &size| {
        all.iter().flat_map(|some| (0..size).map(|value| [&some[..], &[value]].concat())).collect()
    })
}

/// All goals, a variable left open counted as one more value.
fn goals(sizes: &[u16]) -> Vec<Goal> {
    let wider: Vec<u16> = sizes.iter().map(|size| size + 1).collect();
    let open = |goal: &Vec<u16>| {
        goal.iter().zip(sizes).map(|(&value, &size)| (value < size).then_some(value)).collect()
    };
    combinations(&wider).iter().map(open).collect()
}

// ----------------------------------------------------------------------------------------- 1. families of small tasks

/// All unary post-unique tasks over some variables: for each fact, the ways to make it.
struct Family {
    sizes: Vec<u16>,
    makers: Vec<Vec<Option<Action>>>,
}

impl Family {
    fn new(sizes: &[u16], most_prevails: usize) -> Self {
        let mut makers = Vec::new();
        for (var, &size) in sizes.iter().enumerate() {
            let mut others = sizes.to_vec();
            others[var] = 0;
            let prevails: Vec<Goal> = goals(&others)
                .into_iter()
                .filter(|goal| goal.iter().flatten().count() <= most_prevails)
                .collect();
            for post in 0..size {
                let mut ways = vec![None];
                for pre in (0..size).filter(|&pre| pre != post) {
                    for prevail in &prevails {
                        let facts =
                            (0..).zip(prevail).filter_map(|(var, value)| Some((var, (*value)?))).collect();
                        ways.push(Some(Action::unary(var as u32, pre, post, facts)));
                    }
                }
                makers.push(ways);
            }
        }
        Family { sizes: sizes.to_vec(), makers }
    }

    fn len(&self) -> usize {
        self.makers.iter().map(Vec::len).product()
    }

    fn task(&self, mut index: usize) -> Task {
        let mut actions = Vec::new();
        for ways in &self.makers {
            actions.extend(ways[index % ways.len()].clone());
            index /= ways.len();
        }
        Task::new(self.sizes.clone(), actions).expect("a well-formed task")
    }

    /// Judges every `stride`-th task from the given states, with every goal.
    fn judge(&self, stride: usize, starts: impl Fn(usize) -> Vec<Vec<u16>>) -> Census {
        let mut census = Census::default();
        let goals = goals(&self.sizes);
        for (turn, index) in (0..self.len()).step_by(stride).enumerate() {
            let task = self.task(index);
            assert!(task.is_unary() && task.is_post_unique());
            for init in starts(turn) {
                let truth = Truth::of(&task, &init);
                for goal in &goals {
                    census.judge(&task, &init, goal, &truth);
                }
            }
        }
        census
    }
}

#[test]
fn every_task_of_two_binary_variables_is_answered_truly() {
    let family = Family::new(&[2, 2], 1);
    assert_eq!(family.len(), 256);
    let census = family.judge(1, |_| combinations(&[2, 2]));
    assert_eq!(census.plans + census.unsolvable, 256 * 4 * 9);
    census.close(4_000, 2_000);
}

#[test]
fn every_task_of_three_binary_variables_with_at_most_one_prevail_is_answered_truly() {
    // From 000 only: swapping the names of the two values makes any other start into this one.
    let family = Family::new(&[2, 2, 2], 1);
    assert_eq!(family.len(), 46_656);
    family.judge(1, |_| vec![vec![0; 3]]).close(400_000, 200_000);
}

#[test]
fn tasks_of_three_binary_variables_with_two_prevails_are_answered_truly() {
    let family = Family::new(&[2, 2, 2], 2);
    assert_eq!(family.len(), 1_000_000);
    let all = combinations(&[2, 2, 2]);
    let census = family.judge(37, |turn| vec![all[turn % all.len()].clone()]);
    assert!(census.once[1] > 100, "{census:?}");
    census.close(200_000, 200_000);
}

#[test]
fn every_task_of_a_ternary_and_a_binary_variable_is_answered_truly() {
    let family = Family::new(&[3, 2], 1);
    assert_eq!(family.len(), 8_575);
    family.judge(1, |_| combinations(&[3, 2])).close(200_000, 200_000);
}

#[test]
fn tasks_of_two_ternary_variables_are_answered_truly() {
    let family = Family::new(&[3, 3], 1);
    assert_eq!(family.len(), 531_441);
    let all = combinations(&[3, 3]);
    family.judge(13, |turn| vec![all[turn % all.len()].clone()]).close(100_000, 100_000);
}

// ------------------------------------------------------------------------------------------------- 2. random tasks

fn below(stream: &mut Stream, bound: usize) -> usize {
    (stream.unit() * bound as f64) as usize
}

fn chance(stream: &mut Stream, probability: f64) -> bool {
    stream.unit() < probability
}

fn shuffle<T>(stream: &mut Stream, items: &mut [T]) {
    for last in (1..items.len()).rev() {
        items.swap(last, below(stream, last + 1));
    }
}

fn random_state(stream: &mut Stream, sizes: &[u16]) -> Vec<u16> {
    sizes.iter().map(|&size| below(stream, size as usize) as u16).collect()
}

/// Up to so many facts of a state, about variables that are not taken.
fn some_facts(stream: &mut Stream, state: &[u16], most: usize, taken: &[u32]) -> Vec<(u32, u16)> {
    let mut facts: Vec<(u32, u16)> =
        (0..).zip(state.iter().copied()).filter(|(var, _)| !taken.contains(var)).collect();
    shuffle(stream, &mut facts);
    facts.truncate(below(stream, most + 1));
    facts
}

/// 2-6 variables of 2-4 values; each value made by one action or none, with 0-3 prevails; some actions that change nothing.
fn random_unary_post_unique(stream: &mut Stream) -> Task {
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
fn random_goals(stream: &mut Stream, task: &Task, truth: &Truth) -> Vec<Goal> {
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
enum Breaks {
    /// Two actions make the same value.
    PostUnique,
    /// Actions that change from any value.
    KnownPre,
    /// Several effects, some under conditions, each value still made by one action.
    OneEffect,
    All,
}

fn random_outside_the_class(stream: &mut Stream, breaks: Breaks) -> Task {
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

// --------------------------------------------------------------------------------------------- 3. counterexamples

/// A plan that works, and its tier.
fn plan(task: &Task, init: &[u16], goal: &[Option<u16>]) -> (Vec<u32>, Tier) {
    match solve(task, init, goal, AMPLE) {
        Outcome::Plan { actions, tier } => {
            assert!(task.is_plan(&actions, init, goal), "{actions:?} by {tier:?} does not work");
            (actions, tier)
        }
        other => panic!("there is a plan, not: {}", told(&other)),
    }
}

fn total(state: &[u16]) -> Goal {
    state.iter().copied().map(Some).collect()
}

/// A binary action: what changes, whether up, and what prevails.
type Switch<'a> = (u32, bool, &'a [(u32, u16)]);

fn binary(vars: usize, actions: &[Switch<'_>]) -> Task {
    let action = |&(var, up, prevail): &Switch<'_>| {
        Action::unary(var, u16::from(!up), u16::from(up), prevail.to_vec())
    };
    Task::new(vec![2; vars], actions.iter().map(action).collect()).expect("a well-formed task")
}

/// A counterexample from all zeros: planned without search, as long as the truth says, and as the note says.
fn is_planned_in(task: &Task, goal: &[u16], length: usize) {
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

const UP: bool = true;
const DOWN: bool = false;

/// Table 1 of the paper: hay, bucket, water.
fn horse_breeder() -> Task {
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

// -------------------------------------------------------------------------------------------- 4. several open loops

/// A task made around a plan: `loops` variables go so many `rounds` of their cycle, `chains` climb to their last value, in a
/// random interleaving; each action asks for up to three things that hold whenever its turn comes. In one round nothing is
/// done twice.
fn planted(
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

// ------------------------------------------------------------------------------------------ 5. budget, determinism

/// A sliding puzzle: for each tile its place, and last the place of the gap.
fn sliding(width: usize, height: usize) -> (Task, Vec<u16>) {
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
        let (outcome, seconds) = timed(|| solve(&task, &solved, &total(&swapped), Some(budget)));
        match outcome {
            Outcome::GaveUp { expanded } => assert!(expanded <= 2 * budget, "{expanded} for {budget}"),
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
                match solve(&task, &init, &goal, Some(budget)) {
                    Outcome::Plan { actions, .. } => assert!(task.is_plan(&actions, &init, &goal), "{id}"),
                    Outcome::Unsolvable => assert!(truth.nearest(&goal).is_none(), "{id}: there is a plan"),
                    Outcome::GaveUp { expanded } => {
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
            match solve(&task, &init, &goal, None) {
                Outcome::Plan { actions, .. } => assert!(task.is_plan(&actions, &init, &goal), "{id}"),
                Outcome::Unsolvable => assert!(truth.nearest(&goal).is_none(), "{id}: there is a plan"),
                Outcome::GaveUp { expanded } => panic!("{id}: gave up after {expanded}"),
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
            let once = told(&solve(&task, &init, &goal, budget));
            assert_eq!(once, told(&solve(&task.clone(), &init, &goal, budget)), "{id}");
        }
    }
}

// ------------------------------------------------------------------------------------------- 6. the paper's generators

/// `MultiPrv_n_Cycle`: all variables cycle, each moves only while those after it are half-way; the first goes to its last
/// value, the others come home.
fn multi_prv_n_cycle(m: usize, n: u16) -> (Task, Vec<u16>, Vec<u16>) {
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
fn multi_prv_2_cycle(m: usize) -> (Task, Vec<u16>, Vec<u16>) {
    multi_prv_n_cycle(m, 2)
}

/// `OnePrv_5`: all variables climb from 0 to 4, each only while the next one is at 2.
fn one_prv_5(m: usize) -> (Task, Vec<u16>, Vec<u16>) {
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
fn timed<T>(call: impl FnOnce() -> T) -> (T, f64) {
    let start = std::time::Instant::now();
    let answer = call();
    (answer, start.elapsed().as_secs_f64())
}

/// Planned by simulation, with exactly so many actions.
fn is_simulated((task, init, goal): (Task, Vec<u16>, Vec<u16>), length: usize) {
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
    match solve(&task, &init, &total(&goal), Some(1)) {
        Outcome::Plan { actions, tier } => assert_eq!((actions.len(), tier), (400, Tier::Simulation)),
        other => panic!("{}", told(&other)),
    }
}

#[test]
fn twenty_thousand_variables_are_planned_within_two_seconds() {
    let (task, init, goal) = one_prv_5(20_000);
    let goal = total(&goal);
    let (outcome, seconds) = timed(|| solve(&task, &init, &goal, AMPLE));
    let Outcome::Plan { actions, tier } = outcome else { panic!("{}", told(&outcome)) };
    assert!(task.is_plan(&actions, &init, &goal));
    assert_eq!((actions.len(), tier), (80_000, Tier::Simulation));
    // A debug build gets ten times as long: linear or not is what it still shows.
    let limit = if cfg!(debug_assertions) { 20.0 } else { 2.0 };
    assert!(seconds < limit, "{seconds} s");
}
