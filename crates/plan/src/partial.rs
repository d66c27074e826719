//! Planning from a start that is known only in part.
//!
//! Prévost et al. 2022 (section 4) name this as what must come next: a game updates some variables late, so that a value may
//! be outdated or not known at all. In SAS+ such a variable is *undefined*: a condition on it does not hold, and an action may
//! give it a value all the same if it asks for none (restriction S2, relaxed).
//!
//! | start of a variable     | [`Start::known`] | [`Start::once`] | planning                                            |
//! |-------------------------|------------------|-----------------|-----------------------------------------------------|
//! | known                   | `Some(value)`    |                 | as ever                                             |
//! | outdated                | `None`           | `Some(value)`   | without it; else as if the value still held         |
//! | not known               | `None`           | `None`          | without it; else with the fewest assumptions        |
//!
//! A plan is looked for in this order, and the first one found is the answer:
//! 1. a *sure* plan, which works whatever the unknown values are. It may contain actions that find a value out (`?` in a
//!    domain), and actions that take any value (`*`);
//! 2. a plan that relies on outdated values ([`Assume::Once`]);
//! 3. a plan that assumes the fewest values besides, also against outdated ones; of those one that does not take for granted
//!    what is wanted, if there is any, and then the shortest ([`Assume::Anything`]).
//!
//! What a plan relies on is in the answer, so that a character can watch it and plan anew when it turns out otherwise.
//!
//! How: every variable gets one more value, which stands for "not known" and which only actions that take any value or find
//! one out can leave; so each of the three is an ordinary instance of an ordinary task, planned by [`Planner`]. Where an effect
//! happens under a condition that is not known, its variable is not known afterwards.
//!
//! Differs from the paper: nothing; it leaves this to future work.

use crate::planner::{Limit, Outcome, Planner, Tier};
use crate::task::{Action, Effect, Fact, Task, TaskError, UNKNOWN};

/// What is known of a start.
#[derive(Clone, Copy, Debug, Default)]
pub struct Start<'a> {
    /// The value of each variable, `None` where it is not known.
    pub known: &'a [Option<u16>],
    /// The last value known of each variable that is not known now; empty if there are none.
    pub once: &'a [Option<u16>],
    /// Variables that must end as they began, whatever that is (where the start is known, that is a matter of the goal);
    /// empty if there are none.
    pub kept: &'a [bool],
}

/// What a plan may rely on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Assume {
    /// On nothing: only sure plans are given.
    Nothing,
    /// On outdated values.
    Once,
    /// On any value, but as few as possible.
    #[default]
    Anything,
}

impl Assume {
    /// All of them, from the strictest.
    pub const ALL: [Assume; 3] = [Assume::Nothing, Assume::Once, Assume::Anything];

    /// Its name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Assume::Nothing => "nothing",
            Assume::Once => "outdated",
            Assume::Anything => "anything",
        }
    }

    /// What a plan may then rely on, in words.
    pub const fn about(self) -> &'static str {
        match self {
            Assume::Nothing => "Nothing: the plan works whatever the unknown values are",
            Assume::Once => "Values that were known once",
            Assume::Anything => "Any value, but as few as possible",
        }
    }
}

/// A value that a plan relies on although it is not known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Assumed {
    /// The variable and the value.
    pub fact: Fact,
    /// Whether that is the last value known; otherwise nothing speaks for it.
    pub once: bool,
}

/// An answer for a start that is known only in part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The plan, or why there is none. [`Outcome::Unsolvable`] means: whatever may be assumed.
    pub outcome: Outcome,
    /// What the plan relies on, by variable.
    pub assumed: Vec<Assumed>,
    /// Where the plan starts: what is known and what was assumed; `None` where the plan does not care.
    pub start: Vec<Option<u16>>,
}

/// Assignments of values to unknown variables that are tried before giving up.
const MOST_TRIES: u64 = 100_000;

impl Planner {
    /// Plans from a start that is known only in part; see [`crate::partial`]. The budget is for each instance that is tried.
    ///
    /// ```
    /// use repertoire_plan::partial::{Assume, Assumed, Start};
    /// use repertoire_plan::{Action, Outcome, Planner, Task};
    /// // A door (0 shut, 1 open) that needs a key (0 lost, 1 held).
    /// let task = Task::new(vec![2, 2], vec![Action::unary(0, 0, 1, vec![(1, 1)])])?;
    /// let mut planner = Planner::new(task);
    /// let start = Start { known: &[Some(0), None], ..Start::default() };
    /// let answer = planner.solve_partial(&start, &[Some(1), None], Assume::Anything, None)?;
    /// assert!(matches!(answer.outcome, Outcome::Plan { .. }));
    /// assert_eq!(answer.assumed, [Assumed { fact: (1, 1), once: false }], "that the key is held");
    /// let sure = planner.solve_partial(&start, &[Some(1), None], Assume::Nothing, None)?;
    /// assert_eq!(sure.outcome, Outcome::Unsolvable);
    /// # Ok::<(), repertoire_plan::TaskError>(())
    /// ```
    pub fn solve_partial(
        &mut self,
        start: &Start<'_>,
        goal: &[Option<u16>],
        assume: Assume,
        budget: Option<u64>,
    ) -> Result<Answer, TaskError> {
        check(self.task(), start, goal)?;
        let mut extended = match self.extended.take() {
            Some(extended) => extended,
            None => Box::new(Planner::new(with_unknown(self.task())?).like(self)),
        };
        let mut attempt = Attempt { task: self.task(), start, goal, planner: &mut extended, budget };
        let answer = attempt.answer(assume);
        self.extended = Some(extended);
        Ok(answer)
    }
}

fn check(task: &Task, start: &Start<'_>, goal: &[Option<u16>]) -> Result<(), TaskError> {
    let needed = task.sizes().len();
    for (what, found) in
        [("what was once known", start.once.len()), ("the list of what is kept", start.kept.len())]
    {
        if found != 0 && found != needed {
            return Err(TaskError::Length { what, needed, found });
        }
    }
    if start.known.len() != needed {
        return Err(TaskError::Length { what: "the initial state", needed, found: start.known.len() });
    }
    let filled = |values: &[Option<u16>]| -> Vec<u16> { values.iter().map(|v| v.unwrap_or(0)).collect() };
    task.check_instance(&filled(start.known), goal)?;
    if !start.once.is_empty() {
        task.check_instance(&filled(start.once), goal)?;
    }
    Ok(())
}

/// The task in which every variable has one more value: not known.
pub(crate) fn with_unknown(task: &Task) -> Result<Task, TaskError> {
    if let Some(var) = task.sizes().iter().position(|&size| size == u16::MAX) {
        return Err(TaskError::NoRoom(var));
    }
    let unknown = |var: u32| task.sizes()[var as usize];
    let effect = |effect: &Effect| {
        let pre = if effect.pre == Some(UNKNOWN) { Some(unknown(effect.var)) } else { effect.pre };
        let itself = Effect { pre, ..effect.clone() };
        // If one of its conditions is not known, neither is what comes of it.
        let spread = effect.when.iter().map(|&(var, _)| Effect {
            var: effect.var,
            pre: None,
            post: unknown(effect.var),
            when: vec![(var, unknown(var))],
        });
        std::iter::once(itself).chain(spread).collect::<Vec<Effect>>()
    };
    let actions = task.actions().iter().map(|action| Action {
        effects: action.effects.iter().flat_map(effect).collect(),
        prevail: action.prevail.clone(),
    });
    Task::new(task.sizes().iter().map(|&size| size + 1).collect(), actions.collect())
}

struct Attempt<'a> {
    task: &'a Task,
    start: &'a Start<'a>,
    goal: &'a [Option<u16>],
    /// For the task with unknown values.
    planner: &'a mut Planner,
    budget: Option<u64>,
}

impl Attempt<'_> {
    fn answer(&mut self, assume: Assume) -> Answer {
        let sure = self.start.known.to_vec();
        let mut gave_up = None;
        if let Some(answer) = self.attempt(&sure, &[], &mut gave_up) {
            return answer;
        }
        let believed: Vec<Option<u16>> = match self.start.once {
            [] => sure.clone(),
            once => sure.iter().zip(once).map(|(known, once)| known.or(*once)).collect(),
        };
        if assume >= Assume::Once
            && believed != sure
            && let Some(answer) = self.attempt(&believed, &[], &mut gave_up)
        {
            return answer;
        }
        if assume == Assume::Anything
            && let Some(answer) = self.assume_fewest(&believed, &mut gave_up)
        {
            return answer;
        }
        Answer { outcome: gave_up.unwrap_or(Outcome::Unsolvable), assumed: Vec::new(), start: sure }
    }

    /// One instance. `bold` are the variables whose values nothing speaks for.
    fn attempt(
        &mut self,
        start: &[Option<u16>],
        bold: &[usize],
        gave_up: &mut Option<Outcome>,
    ) -> Option<Answer> {
        let unknown = |var: usize| self.task.sizes()[var];
        let init: Vec<u16> =
            start.iter().enumerate().map(|(var, value)| value.unwrap_or_else(|| unknown(var))).collect();
        let goal: Vec<Option<u16>> = (0..init.len())
            .map(|var| if self.is_kept(var) { Some(init[var]) } else { self.goal[var] })
            .collect();
        match self.planner.solve_unchecked(&init, &goal, self.budget) {
            Outcome::Plan { actions, tier } => Some(self.told(start, bold, actions, tier)),
            Outcome::Unsolvable => None,
            other => {
                *gave_up = Some(other);
                None
            }
        }
    }

    /// Whether an unknown variable must end as it began.
    fn is_kept(&self, var: usize) -> bool {
        self.start.known[var].is_none() && self.start.kept.get(var).copied().unwrap_or(false)
    }

    /// The answer for a plan: what it relies on is assumed, what it does not touch is not.
    fn told(&self, start: &[Option<u16>], bold: &[usize], actions: Vec<u32>, tier: Tier) -> Answer {
        let count = start.len();
        let (mut needed, mut changed) = (vec![false; count], vec![false; count]);
        for &action in &actions {
            let action = &self.task.actions()[action as usize];
            let when = action.effects.iter().flat_map(|effect| effect.when.iter().copied());
            for (var, _) in action.conditions().chain(when) {
                needed[var as usize] |= !changed[var as usize];
            }
            action.effects.iter().for_each(|effect| changed[effect.var as usize] = true);
        }
        let mut told = start.to_vec();
        let mut assumed = Vec::new();
        for var in (0..count).filter(|&var| self.start.known[var].is_none()) {
            let relies = match self.is_kept(var) {
                true => needed[var] || changed[var],
                false => needed[var] || (self.goal[var].is_some() && !changed[var]),
            };
            match start[var].filter(|_| relies) {
                Some(value) => {
                    assumed.push(Assumed { fact: (var as u32, value), once: !bold.contains(&var) });
                }
                None => told[var] = None,
            }
        }
        Answer { outcome: Outcome::Plan { actions, tier }, assumed, start: told }
    }

    /// Tries one assumption after the other, then two at a time, and so on; of the plans with the fewest the shortest.
    fn assume_fewest(&mut self, believed: &[Option<u16>], gave_up: &mut Option<Outcome>) -> Option<Answer> {
        let relevant = relevant(self.task, self.goal);
        let open: Vec<usize> =
            (0..believed.len()).filter(|&var| self.start.known[var].is_none() && relevant[var]).collect();
        let mut tries = MOST_TRIES;
        for count in 1..=open.len() {
            let mut chosen: Vec<usize> = (0..count).collect();
            let mut best: Option<Answer> = None;
            loop {
                let vars: Vec<usize> = chosen.iter().map(|&at| open[at]).collect();
                if !self.try_values(believed, &vars, &mut tries, gave_up, &mut best) {
                    // What was found may not be the shortest, but it is a plan.
                    let expanded = MOST_TRIES;
                    return best.or_else(|| {
                        *gave_up = Some(Outcome::GaveUp { expanded, limit: Limit::States });
                        None
                    });
                }
                if !next_subset(&mut chosen, open.len()) {
                    break;
                }
            }
            if best.is_some() {
                return best;
            }
        }
        None
    }

    /// How much an answer takes for granted of what is wanted, and how long its plan is.
    fn rank(&self, answer: &Answer) -> (usize, usize) {
        let granted =
            answer.assumed.iter().filter(|a| self.goal[a.fact.0 as usize] == Some(a.fact.1)).count();
        match &answer.outcome {
            Outcome::Plan { actions, .. } => (granted, actions.len()),
            _ => (usize::MAX, usize::MAX),
        }
    }

    /// Every combination of values of some variables, other than what is believed; false when the tries are used up.
    fn try_values(
        &mut self,
        believed: &[Option<u16>],
        vars: &[usize],
        tries: &mut u64,
        gave_up: &mut Option<Outcome>,
        best: &mut Option<Answer>,
    ) -> bool {
        let mut values = vec![0u16; vars.len()];
        loop {
            let differs = vars.iter().zip(&values).all(|(&var, &value)| believed[var] != Some(value));
            if differs {
                if *tries == 0 {
                    return false;
                }
                *tries -= 1;
                let mut start = believed.to_vec();
                vars.iter().zip(&values).for_each(|(&var, &value)| start[var] = Some(value));
                if let Some(answer) = self.attempt(&start, vars, gave_up)
                    && best.as_ref().is_none_or(|best| self.rank(&answer) < self.rank(best))
                {
                    *best = Some(answer);
                }
            }
            // The last variable counts fastest.
            let Some(at) = (0..vars.len()).rev().find(|&at| values[at] + 1 < self.task.sizes()[vars[at]])
            else {
                return true;
            };
            values[at] += 1;
            values[at + 1..].fill(0);
        }
    }
}

/// The next choice of as many numbers below a bound, in order; false after the last.
fn next_subset(chosen: &mut [usize], bound: usize) -> bool {
    let count = chosen.len();
    let Some(at) = (0..count).rev().find(|&at| chosen[at] < bound - (count - at)) else { return false };
    chosen[at] += 1;
    for later in at + 1..count {
        chosen[later] = chosen[later - 1] + 1;
    }
    true
}

/// Variables that a goal is about, directly or through the conditions of actions that may serve it.
fn relevant(task: &Task, goal: &[Option<u16>]) -> Vec<bool> {
    let mut relevant: Vec<bool> = goal.iter().map(Option::is_some).collect();
    let mut changing: Vec<Vec<usize>> = vec![Vec::new(); goal.len()];
    for (index, action) in task.actions().iter().enumerate() {
        action.effects.iter().for_each(|effect| changing[effect.var as usize].push(index));
    }
    let mut waiting: Vec<usize> = (0..goal.len()).filter(|&var| relevant[var]).collect();
    while let Some(var) = waiting.pop() {
        for action in std::mem::take(&mut changing[var]).into_iter().map(|index| &task.actions()[index]) {
            let when = action.effects.iter().flat_map(|effect| effect.when.iter().copied());
            for (var, _) in action.conditions().chain(when) {
                if !std::mem::replace(&mut relevant[var as usize], true) {
                    waiting.push(var as usize);
                }
            }
        }
    }
    relevant
}

#[cfg(test)]
mod tests {
    use super::*;
    use repertoire_prob::Stream;

    fn task(sizes: &[u16], actions: Vec<Action>) -> Task {
        Task::new(sizes.to_vec(), actions).unwrap()
    }

    fn any(var: u32, post: u16) -> Action {
        Action { effects: vec![Effect { var, pre: None, post, when: vec![] }], prevail: vec![] }
    }

    fn look(var: u32, post: u16) -> Action {
        Action { effects: vec![Effect { var, pre: Some(UNKNOWN), post, when: vec![] }], prevail: vec![] }
    }

    fn solve(planner: &mut Planner, known: &[Option<u16>], goal: &[Option<u16>]) -> Answer {
        planner.solve_partial(&Start { known, ..Start::default() }, goal, Assume::Anything, None).unwrap()
    }

    fn plan(answer: &Answer) -> &[u32] {
        match &answer.outcome {
            Outcome::Plan { actions, .. } => actions,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn what_the_plan_does_not_touch_need_not_be_known() {
        let lamp = task(&[2, 2], vec![Action::unary(0, 0, 1, vec![])]);
        let answer = solve(&mut Planner::new(lamp), &[Some(0), None], &[Some(1), None]);
        assert_eq!((plan(&answer), &answer.assumed[..]), (&[0][..], &[][..]));
        assert_eq!(answer.start, [Some(0), None]);
    }

    #[test]
    fn an_action_that_takes_any_value_makes_a_sure_plan() {
        // Closing works whatever the door was; going through needs it open, opening needs it shut.
        let door = task(
            &[2, 2],
            vec![any(0, 0), Action::unary(0, 0, 1, vec![]), Action::unary(1, 0, 1, vec![(0, 1)])],
        );
        let answer = solve(&mut Planner::new(door), &[None, Some(0)], &[None, Some(1)]);
        assert_eq!((plan(&answer), &answer.assumed[..]), (&[0, 1, 2][..], &[][..]));
    }

    #[test]
    fn looking_comes_before_assuming_and_only_where_nothing_is_known() {
        let door = task(&[2, 2], vec![look(0, 1), Action::unary(1, 0, 1, vec![(0, 1)])]);
        let mut planner = Planner::new(door);
        let answer = solve(&mut planner, &[None, Some(0)], &[None, Some(1)]);
        assert_eq!((plan(&answer), &answer.assumed[..]), (&[0, 1][..], &[][..]));
        // It is known to be shut: looking does not open it.
        assert_eq!(solve(&mut planner, &[Some(0), Some(0)], &[None, Some(1)]).outcome, Outcome::Unsolvable);
        assert_eq!(planner.solve(&[0, 0], &[None, Some(1)], None), Ok(Outcome::Unsolvable));
    }

    #[test]
    fn outdated_values_are_relied_on_before_others_and_doubted_last() {
        // Through the front (variable 0) in one step, or through the back (variable 1).
        let house = task(
            &[2, 2, 3],
            vec![
                Action::unary(2, 0, 1, vec![(0, 1)]),
                Action::unary(2, 1, 2, vec![]),
                Action { effects: vec![change(2, 0, 2)], prevail: vec![(1, 1)] },
            ],
        );
        let mut planner = Planner::new(house);
        let goal = [None, None, Some(2)];
        let mut ask = |once: &[Option<u16>], assume| {
            let known = [None, None, Some(0)];
            planner.solve_partial(&Start { known: &known, once, ..Start::default() }, &goal, assume, None)
        };
        let answer = ask(&[Some(1), Some(0), None], Assume::Once).unwrap();
        assert_eq!(plan(&answer), [0, 1]);
        assert_eq!(answer.assumed, [Assumed { fact: (0, 1), once: true }]);
        assert_eq!(answer.start, [Some(1), None, Some(0)], "the back door does not matter");
        // Both were shut: sure plans and old news have none, so something is assumed, and the shorter way.
        assert_eq!(ask(&[Some(0), Some(0), None], Assume::Once).unwrap().outcome, Outcome::Unsolvable);
        let answer = ask(&[Some(0), Some(0), None], Assume::Anything).unwrap();
        assert_eq!(plan(&answer), [2]);
        assert_eq!(answer.assumed, [Assumed { fact: (1, 1), once: false }]);
        assert_eq!(ask(&[], Assume::Nothing).unwrap().outcome, Outcome::Unsolvable);
    }

    fn change(var: u32, pre: u16, post: u16) -> Effect {
        Effect { var, pre: Some(pre), post, when: vec![] }
    }

    #[test]
    fn what_is_wanted_is_taken_for_granted_only_if_nothing_else_helps() {
        let door = task(&[2, 2], vec![Action::unary(0, 0, 1, vec![])]);
        let mut planner = Planner::new(door);
        let answer = solve(&mut planner, &[None, Some(0)], &[Some(1), None]);
        assert_eq!((plan(&answer), answer.assumed[0].fact), (&[0][..], (0, 0)), "it may be shut: open it");
        let answer = solve(&mut planner, &[Some(0), None], &[None, Some(1)]);
        assert_eq!(
            (plan(&answer), answer.assumed[0].fact),
            (&[][..], (1, 1)),
            "nothing could be done about it"
        );
    }

    #[test]
    fn what_is_kept_comes_back_to_what_was_assumed() {
        // A gun that must be drawn (1) to threaten; nobody knows how it is, and it must end as it was.
        let gun = task(
            &[2, 2],
            vec![
                Action::unary(0, 0, 1, vec![]),
                Action::unary(0, 1, 0, vec![]),
                Action::unary(1, 0, 1, vec![(0, 1)]),
            ],
        );
        let mut planner = Planner::new(gun);
        let mut ask = |once: Option<u16>| {
            let start = Start { known: &[None, Some(0)], once: &[once, None], kept: &[true, false] };
            planner.solve_partial(&start, &[None, Some(1)], Assume::Anything, None).unwrap()
        };
        assert_eq!(plan(&ask(Some(0))), [0, 2, 1], "drawn and put back");
        assert_eq!(plan(&ask(Some(1))), [2]);
        let answer = ask(None);
        assert_eq!((plan(&answer), answer.assumed[0].fact), (&[2][..], (0, 1)));
    }

    #[test]
    fn an_effect_under_an_unknown_condition_leaves_its_variable_unknown() {
        // Pushing opens the door (variable 0) if it is unlocked (variable 1).
        let push = Action {
            effects: vec![Effect { var: 0, pre: None, post: 1, when: vec![(1, 1)] }],
            prevail: vec![],
        };
        let mut planner = Planner::new(task(&[2, 2], vec![push]));
        let start = Start { known: &[Some(0), None], ..Start::default() };
        let sure = planner.solve_partial(&start, &[Some(1), None], Assume::Nothing, None).unwrap();
        assert_eq!(sure.outcome, Outcome::Unsolvable, "it may be locked");
        let answer = planner.solve_partial(&start, &[Some(1), None], Assume::Anything, None).unwrap();
        assert_eq!(answer.assumed, [Assumed { fact: (1, 1), once: false }]);
    }

    #[test]
    fn starts_that_do_not_fit_are_refused() {
        let mut planner = Planner::new(task(&[2], vec![]));
        let mut ask = |known: &[Option<u16>], once: &[Option<u16>]| {
            let start = Start { known, once, ..Start::default() };
            planner.solve_partial(&start, &[None], Assume::Anything, None)
        };
        assert!(ask(&[], &[]).is_err());
        assert!(ask(&[Some(2)], &[]).is_err());
        assert!(ask(&[None], &[Some(2)]).is_err());
        assert!(ask(&[None], &[None, None]).is_err());
        assert!(ask(&[None], &[]).is_ok());
        let widest = Task::new(vec![u16::MAX], vec![]).unwrap();
        let start = Start { known: &[None], ..Start::default() };
        let refused = Planner::new(widest).solve_partial(&start, &[None], Assume::Anything, None);
        assert_eq!(refused, Err(TaskError::NoRoom(0)));
    }

    /// On random tasks: a sure plan works from every completion; an assumed plan from every completion that agrees with what
    /// was assumed; the assumptions are the fewest; without a plan no completion has one.
    #[test]
    fn agrees_with_all_completions_of_random_starts() {
        let mut rng = Stream::new(5, 0, "partial");
        let (mut sure, mut assumed, mut none) = (0, 0, 0);
        for _ in 0..600 {
            let mut below = |n: usize| (rng.unit() * n as f64) as usize;
            let sizes: Vec<u16> = (0..4).map(|_| 2 + below(2) as u16).collect();
            let mut actions = Vec::new();
            for _ in 0..3 + below(4) {
                let var = below(4) as u32;
                let size = sizes[var as usize];
                let post = below(size as usize) as u16;
                let pre = (below(4) > 0).then(|| (post + 1) % size);
                let other = (var + 1 + below(3) as u32) % 4;
                let prevail = match below(2) {
                    0 => vec![],
                    _ => vec![(other, below(sizes[other as usize] as usize) as u16)],
                };
                actions.push(Action { effects: vec![Effect { var, pre, post, when: vec![] }], prevail });
            }
            let task = Task::new(sizes.clone(), actions).unwrap();
            let known: Vec<Option<u16>> =
                sizes.iter().map(|&size| (below(2) == 0).then(|| below(size as usize) as u16)).collect();
            let goal: Vec<Option<u16>> =
                sizes.iter().map(|&size| (below(2) == 0).then(|| below(size as usize) as u16)).collect();
            let mut planner = Planner::new(task.clone());
            let answer = solve(&mut planner, &known, &goal);
            let completions: Vec<Vec<u16>> = (0..81usize)
                .map(|code| (0..4).map(|var| (code / 3usize.pow(var) % 3) as u16).collect::<Vec<u16>>())
                .filter(|state| state.iter().zip(&sizes).all(|(value, size)| value < size))
                .filter(|state| {
                    state.iter().zip(&known).all(|(value, known)| known.is_none_or(|k| k == *value))
                })
                .collect();
            match &answer.outcome {
                Outcome::Plan { actions, .. } => {
                    let agrees = |state: &&Vec<u16>| {
                        answer.assumed.iter().all(|a| state[a.fact.0 as usize] == a.fact.1)
                    };
                    for state in completions.iter().filter(agrees) {
                        assert!(
                            task.is_plan(actions, state, &goal),
                            "{task:?} {known:?} {goal:?} {answer:?}"
                        );
                    }
                    if answer.assumed.is_empty() { sure += 1 } else { assumed += 1 }
                }
                Outcome::Unsolvable => {
                    none += 1;
                    for state in &completions {
                        assert_eq!(planner.solve(state, &goal, None), Ok(Outcome::Unsolvable));
                    }
                }
                other => panic!("{other:?}"),
            }
        }
        assert!(sure > 50 && assumed > 50 && none > 50, "{sure} {assumed} {none}");
    }
}
