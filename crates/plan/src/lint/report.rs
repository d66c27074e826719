//! A look at a whole file: which restrictions hold, what breaks them, and how each class and goal fares.

use std::collections::BTreeMap;
use std::fmt;

use serde::Serialize;

use super::{BUDGET, Lint, Reach, reach};
use crate::problem::goal_over;
use crate::problem::{Problem, Source, Wanted, WrittenWhyNot};
use crate::{Planner, Task, TaskError};

/// What a look at a file found. Printed, it is in words.
///
/// ```
/// use repertoire_plan::domain;
/// use repertoire_plan::lint::report::LintReport;
/// use repertoire_plan::problem::Source;
///
/// let western = Source::read(domain::text("western").expect("shipped"))?;
/// let report = LintReport::of(western, 1000)?;
/// assert!(report.unary && report.goals.iter().all(|goal| goal.states > 0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LintReport {
    /// How many actions there are.
    pub actions: usize,
    /// Every class and goal.
    pub goals: Vec<GoalReport>,
    /// Pairs of actions that make the same value.
    pub not_post_unique: Vec<(String, String)>,
    /// Pairs of actions that need different values of a variable.
    pub not_single_valued: Vec<(String, String, String)>,
    /// Actions that change several variables, from any value, or under conditions.
    pub not_unary: Vec<String>,
    /// Whether each value has one maker.
    pub post_unique: bool,
    /// Which tiers will plan.
    pub served_by: &'static str,
    /// Whether all actions need the same value of a variable.
    pub single_valued: bool,
    /// Whether each action changes one variable.
    pub unary: bool,
    /// How many variables there are.
    pub variables: usize,
    /// The most values a variable has.
    #[serde(skip)]
    pub most_values: u16,
}

/// How a goal of a class fares over the states that can be reached.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct GoalReport {
    /// The class; empty for a single problem.
    pub class: String,
    /// Whether all states were looked at.
    pub complete: bool,
    /// Whether there is a plan from the start itself; none if that was not decided.
    pub from_start: Option<bool>,
    /// The goal.
    pub goal: String,
    /// States looked at.
    pub states: usize,
    /// Whether every plan uses each action once; none if that was not decided.
    pub t1: Option<bool>,
    /// How many states each tier planned for.
    pub tiers: BTreeMap<&'static str, usize>,
    /// How many states have no plan.
    pub unsolvable: usize,
    /// Whether no state has a plan.
    pub vacuous: bool,
    /// Why there is no plan from the start.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<WrittenWhyNot>,
    /// The same as `tiers`, the simplest tier first.
    #[serde(skip)]
    pub tiers_in_order: Vec<(&'static str, usize)>,
}

/// States of a single problem that are looked at: it has one start, and is solved from there.
const MOST_STATES_OF_SAS: usize = 200;

impl LintReport {
    /// Looks at a file, and at up to `most_states` states for each class and goal.
    pub fn of(source: Source, most_states: usize) -> Result<Self, TaskError> {
        match source {
            Source::Sas(problem) => {
                let mut planner = Planner::new(problem.task.clone());
                let most = most_states.min(MOST_STATES_OF_SAS);
                let found = reach(&mut planner, &problem.init, most, |_| problem.goal.clone())?;
                let source = Source::Sas(problem.clone());
                let goals = vec![GoalReport::of("", "goal", found, || why_not(source, &Wanted::default()))];
                Ok(LintReport::new(&problem.task, &problem.actions, &problem.variables, goals))
            }
            Source::Domain(domain) => {
                let mut goals = Vec::new();
                for class in &domain.classes {
                    let alone = domain.class_task(class);
                    let own = match alone {
                        Some(_) => class.variables.clone(),
                        None => (0..domain.variables.len() as u32).collect(),
                    };
                    let mut planner = Planner::new(alone.unwrap_or_else(|| domain.task.clone()));
                    let start: Vec<u16> = own.iter().map(|&var| domain.start[var as usize]).collect();
                    for goal in &class.goals {
                        let wanted = |state: &[u16]| goal_over(&domain, &own, goal, state);
                        let found = reach(&mut planner, &start, most_states, wanted)?;
                        let wanted = Wanted { class: Some(&class.name), goal: Some(&goal.name), from: &[] };
                        let source = || Source::Domain(domain.clone());
                        goals.push(GoalReport::of(&class.name, &goal.name, found, || {
                            why_not(source(), &wanted)
                        }));
                    }
                }
                Ok(LintReport::new(&domain.task, &domain.actions, &domain.variables, goals))
            }
        }
    }

    fn new(task: &Task, actions: &[String], variables: &[String], goals: Vec<GoalReport>) -> Self {
        let lint = Lint::of(task);
        let name = |action: &usize| actions[*action].clone();
        let variable = |var: &u32| variables[*var as usize].clone();
        let pairs = lint.not_post_unique.iter().map(|(a, b)| (name(a), name(b)));
        let triples = lint.not_single_valued.iter().map(|(a, b, var)| (name(a), name(b), variable(var)));
        LintReport {
            actions: task.actions().len(),
            goals,
            not_post_unique: pairs.collect(),
            not_single_valued: triples.collect(),
            not_unary: lint.not_unary.iter().map(name).collect(),
            post_unique: lint.not_post_unique.is_empty(),
            served_by: match lint.is_fast() {
                true => "closure and simulation, in linear time; search where they do not decide",
                false => "search",
            },
            single_valued: lint.not_single_valued.is_empty(),
            unary: lint.not_unary.is_empty(),
            variables: task.sizes().len(),
            most_values: task.sizes().iter().max().copied().unwrap_or(0),
        }
    }
}

impl GoalReport {
    fn of(class: &str, goal: &str, reach: Reach, why: impl FnOnce() -> Option<WrittenWhyNot>) -> Self {
        let tiers_in_order: Vec<_> = reach.tiers.iter().map(|(tier, count)| (tier.name(), *count)).collect();
        GoalReport {
            class: class.to_owned(),
            complete: reach.complete,
            from_start: reach.from_start,
            why: if reach.from_start == Some(false) { why() } else { None },
            goal: goal.to_owned(),
            states: reach.states,
            t1: reach.is_t1(),
            tiers: tiers_in_order.iter().copied().collect(),
            unsolvable: reach.unsolvable,
            vacuous: reach.is_vacuous(),
            tiers_in_order,
        }
    }
}

/// Why the start has no plan, in the words of whoever asks for it.
fn why_not(source: Source, wanted: &Wanted<'_>) -> Option<WrittenWhyNot> {
    let problem = Problem::new(source, wanted).ok()?;
    problem.why_not(&mut problem.planner(), Some(BUDGET)).ok()?
}

/// Reasons that are printed for each restriction.
const MOST_REASONS: usize = 8;

impl fmt::Display for LintReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let LintReport { variables, most_values, actions, served_by, .. } = self;
        writeln!(f, "{variables} variables, up to {most_values} values, {actions} actions\n")?;
        let unary = self.not_unary.iter();
        restriction(
            f,
            "unary (each action changes one variable)",
            unary.map(|action| format!("{action} changes several, from any value, or under conditions")),
        )?;
        let post_unique = self.not_post_unique.iter();
        restriction(
            f,
            "post-unique (one maker for each value)",
            post_unique.map(|(a, b)| format!("{a} and {b} make the same value")),
        )?;
        let single_valued = self.not_single_valued.iter();
        restriction(
            f,
            "single-valued (one condition a variable)",
            single_valued.map(|(a, b, variable)| format!("{a} and {b} need different values of {variable}")),
        )?;
        writeln!(f, "\nserved by {served_by}")?;
        self.goals.iter().try_for_each(|goal| writeln!(f, "{goal}"))
    }
}

/// A line that says whether a restriction holds, and the first reasons why not.
fn restriction(
    f: &mut fmt::Formatter<'_>,
    what: &str,
    broken: impl ExactSizeIterator<Item = String>,
) -> fmt::Result {
    let count = broken.len();
    writeln!(f, "{what:42} {}", if count == 0 { "yes" } else { "no" })?;
    for reason in broken.take(MOST_REASONS) {
        writeln!(f, "    {reason}")?;
    }
    match count.saturating_sub(MOST_REASONS) {
        0 => Ok(()),
        more => writeln!(f, "    and {more} more"),
    }
}

impl fmt::Display for GoalReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let GoalReport { class, goal, states, unsolvable, .. } = self;
        let verdict = match self.t1 {
            Some(true) if self.vacuous => "no state has a plan (T1 holds of nothing)",
            Some(true) => "each action once (T1)",
            Some(false) => "some plans use an action twice",
            None => "T1 not decided",
        };
        let tiers: Vec<String> =
            self.tiers_in_order.iter().map(|(tier, count)| format!("{tier} {count}")).collect();
        let tiers = if tiers.is_empty() { String::new() } else { tiers.join(", ") + "; " };
        let extent = if self.complete { "all" } else { "the first" };
        write!(
            f,
            "  {class:14} {goal:14} {verdict}; {extent} {states} reachable states: {tiers}{unsolvable} without a plan"
        )?;
        if self.from_start == Some(false) {
            write!(f, "\n    the start itself has no plan")?;
            for line in self.why.iter().flat_map(|why| &why.text) {
                write!(f, "\n        {line}")?;
            }
        }
        Ok(())
    }
}
