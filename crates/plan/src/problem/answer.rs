//! The answer to a problem as people and other programs read it: the plan, why there is none, or what ran out.

use serde::Serialize;

use super::{ExplainedPlan, Problem, Solution, WrittenStep, WrittenWhyNot};
use crate::partial::{Assume, Assumed};
use crate::planner::MOST_MEMORY_MB;
use crate::why_not::USUAL_BUDGET;
use crate::{Limit, Outcome, Planner, TaskError, Tier};

/// A plan that was found, to be told.
///
/// ```
/// use repertoire_plan::domain;
/// use repertoire_plan::partial::Assume;
/// use repertoire_plan::problem::answer::Found;
/// use repertoire_plan::problem::{Problem, Source, Wanted};
///
/// let western = Source::read(domain::text("western").expect("shipped"))?;
/// let wanted = Wanted { class: Some("Sheriff"), goal: Some("ArrestOutlaw"), from: &[] };
/// let problem = Problem::new(western, &wanted)?;
/// let mut planner = problem.planner();
/// let solution = problem.solve(&mut planner, Assume::Anything, None)?;
/// let found = Found::new(&problem, &solution, &planner, false)?;
/// assert!(found.text().starts_with("Sheriff ArrestOutlaw: "));
/// assert_eq!(found.text().lines().count(), 1 + found.written().plan.len());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Found<'a> {
    problem: &'a Problem,
    solution: &'a Solution<'a>,
    planner: &'a Planner,
    actions: &'a [u32],
    tier: Tier,
    explained: Option<ExplainedPlan<'a>>,
}

/// A plan as other programs read it.
#[derive(Clone, Debug, Serialize)]
pub struct WrittenPlan<'a> {
    /// What it relies on although it is not known; none if the start is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub assumed: Option<Vec<WrittenAssumed>>,
    /// Whether no plan costs less; none if actions have no costs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cheapest: Option<bool>,
    /// What it costs; none if actions have no costs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost: Option<u64>,
    /// The actions, in order.
    pub plan: Vec<&'a str>,
    /// What each step is for; none unless it was to be explained.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub steps: Option<Vec<WrittenStep<'a>>>,
    /// The way it was found.
    pub tier: &'static str,
}

/// A value that a plan relies on.
#[derive(Clone, Debug, Serialize)]
pub struct WrittenAssumed {
    /// The value.
    pub fact: String,
    /// Whether it was known once.
    pub outdated: bool,
}

impl<'a> Found<'a> {
    /// The plan of a solution, with the reason of each step if it is to be explained.
    ///
    /// # Errors
    /// If the solution is no plan of this problem.
    pub fn new(
        problem: &'a Problem,
        solution: &'a Solution<'a>,
        planner: &'a Planner,
        explain: bool,
    ) -> Result<Self, TaskError> {
        let (actions, tier): (&[u32], Tier) = match &solution.outcome {
            Outcome::Plan { actions, tier } => (actions, *tier),
            _ => (&[], Tier::Closure),
        };
        let explained = solution.told_in.explain(actions)?;
        Ok(Found { problem, solution, planner, actions, tier, explained: explain.then_some(explained) })
    }

    /// The plan for other programs.
    pub fn written(&self) -> WrittenPlan<'_> {
        let assumed = |assumed: &Assumed| WrittenAssumed {
            fact: self.problem.fact(assumed.fact),
            outdated: assumed.once,
        };
        let has_costs = !self.problem.costs.is_empty();
        WrittenPlan {
            assumed: (!self.problem.unknown.is_empty())
                .then(|| self.solution.assumed.iter().map(assumed).collect()),
            cheapest: has_costs.then(|| self.planner.is_cheapest(self.actions, self.tier)),
            cost: has_costs.then(|| self.planner.cost(self.actions)),
            plan: self.actions.iter().map(|&action| self.problem.actions[action as usize].as_str()).collect(),
            steps: self.explained.as_ref().map(ExplainedPlan::written),
            tier: self.tier.name(),
        }
    }

    /// The plan in words: how long it is, what it costs and relies on, and its steps.
    pub fn text(&self) -> String {
        self.headline()
            + &match &self.explained {
                Some(explained) => explained.in_words(),
                None => {
                    let names = self.solution.told_in.step_names(self.actions).into_iter().enumerate();
                    names.map(|(index, name)| format!("{:4}. {name}\n", index + 1)).collect()
                }
            }
    }

    fn headline(&self) -> String {
        let (problem, tier) = (self.problem, self.tier);
        let mut text = match self.actions.len() {
            0 => format!("{}: nothing to do, the goal holds\n", problem.title),
            1 => format!("{}: 1 step (by {})\n", problem.title, tier.name()),
            count => format!("{}: {count} steps (by {})\n", problem.title, tier.name()),
        };
        if !problem.costs.is_empty() {
            let least = match self.planner.is_cheapest(self.actions, tier) {
                true => "the least possible",
                false => "there may be a cheaper plan",
            };
            text += &format!("cost {}, {least}\n", self.planner.cost(self.actions));
        }
        if !problem.unknown.is_empty() {
            let assumed = |assumed: &Assumed| {
                let fact = problem.fact(assumed.fact);
                if assumed.once { format!("{fact} (last known)") } else { fact }
            };
            let assumed: Vec<String> = self.solution.assumed.iter().map(assumed).collect();
            text += &match assumed.is_empty() {
                true => "relies on no unknown value\n".to_owned(),
                false => format!("assuming {}\n", assumed.join(", ")),
            };
        }
        text
    }
}

/// That a search gave up: what ran out, and which option of the command line gives it more.
pub fn gave_up(problem: &Problem, expanded: u64, limit: Limit, memory_mb: u32) -> String {
    let (why, remedy) = match (limit, memory_mb) {
        (Limit::States, _) => ("the budget is used up".to_owned(), "--budget with a larger number"),
        (Limit::Memory, MOST_MEMORY_MB) => {
            ("no more states can be numbered".to_owned(), "split the problem into smaller ones")
        }
        (Limit::Memory, megabytes) => (
            format!("they take {megabytes} MB, as much as they may"),
            "--memory-mb with a larger number (a larger --budget would not help)",
        ),
    };
    format!("{}: no plan among {expanded} states, and {why}\n  remedy: {remedy}", problem.title)
}

/// That there is no plan, under what may be assumed, and why.
pub fn no_plan(problem: &Problem, assume: Assume, why: Option<&WrittenWhyNot>) -> String {
    let proved = match (problem.unknown.is_empty(), assume) {
        (true, _) => "there is no plan (proved)",
        (false, Assume::Nothing) => "there is no plan that works in any case",
        (false, Assume::Once) => "there is no plan, even if what was last known still holds",
        (false, Assume::Anything) => "there is no plan, whatever is assumed (proved)",
    };
    let mut text = format!("{}: {proved}\n", problem.title);
    if why.is_none() && problem.unknown.is_empty() {
        text += &format!(
            "    what prevents it was not found within {USUAL_BUDGET} states (--budget with a larger number looks further)\n"
        );
    }
    for line in why.iter().flat_map(|why| &why.text) {
        text += &format!("    {line}\n");
    }
    text
}
