//! `repertoire plan solve`.

use anyhow::{Result, bail};
use clap::{Args as ClapArgs, ValueEnum};
use repertoire_plan::partial::{Assume, Assumed};
use repertoire_plan::planner::{MOST_MEMORY_MB, USUAL_MEMORY_MB};
use repertoire_plan::problem::{Problem, Solution, Wanted};
use repertoire_plan::why_not::USUAL_BUDGET;
use repertoire_plan::{Limit, Outcome, Planner, Tier};
use serde_json::{Value, json};

use crate::{Answer, output, progress};

/// Find a plan from a start to a goal
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Where the start is not fully known, write --from gun=? (not known) or --from gun=drawn? (last known to be drawn). A plan that
works in any case is preferred; otherwise the answer says what it relies on.

If there is no plan, the answer says which part of the goal cannot be reached and what prevents it.

Exit codes: 0 a plan, or a proof that there is none; 1 the input was refused; 3 the budget or the memory ran out.")]
pub struct Args {
    /// A domain or SAS+ file, or the name of a domain that comes with repertoire
    file: String,

    /// The class of character to plan for; needed if the domain has several
    #[arg(long)]
    class: Option<String>,

    /// The goal to plan for; needed if the class has several
    #[arg(long)]
    goal: Option<String>,

    /// Start from these values instead of the domain's own; `?` for a value that is not known, `VALUE?` for one that was last
    /// known and may be outdated
    #[arg(long, value_name = "VAR=VALUE,...", value_delimiter = ',')]
    from: Vec<String>,

    /// What a plan may rely on where the start is not known. Use `nothing` for plans that work in any case
    #[arg(long, value_enum, default_value_t = MayAssume::Anything)]
    assume: MayAssume,

    /// How many states a search may visit [default: what takes a few seconds, from 200 to 400,000 by size of domain]. Raise it
    /// if a search gives up because its budget is used up
    #[arg(long, value_name = "N")]
    budget: Option<u64>,

    /// How much memory the states of a search may take, in MB. Raise it if a search gives up because they take more
    #[arg(long, value_name = "MB", default_value_t = USUAL_MEMORY_MB,
        value_parser = clap::value_parser!(u32).range(1..=i64::from(MOST_MEMORY_MB)))]
    memory_mb: u32,

    /// Explain what each step is for and which steps it must come after
    #[arg(long)]
    explain: bool,

    /// Print the plan as a graph in the DOT language
    #[arg(long, conflicts_with = "json")]
    dot: bool,

    #[command(flatten)]
    answer: Answer,
}

/// What a plan may rely on.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum MayAssume {
    /// Nothing: the plan works whatever the unknown values are
    Nothing,
    /// Values that were known once
    Outdated,
    /// Any value, but as few as possible
    Anything,
}

impl MayAssume {
    fn assume(self) -> Assume {
        match self {
            MayAssume::Nothing => Assume::Nothing,
            MayAssume::Outdated => Assume::Once,
            MayAssume::Anything => Assume::Anything,
        }
    }
}

pub(super) fn run(args: &Args) -> Result<()> {
    let from: Vec<&str> = args.from.iter().map(String::as_str).collect();
    let wanted = Wanted { class: args.class.as_deref(), goal: args.goal.as_deref(), from: &from };
    let problem = Problem::new(super::read(&args.file)?, &wanted)?;
    let mut planner = problem.planner().with_memory_mb(args.memory_mb);
    let solution = progress::during("{spinner} planning, {elapsed}", || {
        problem.solve(&mut planner, args.assume.assume(), args.budget)
    })?;
    let Outcome::Plan { actions, tier } = &solution.outcome else {
        if args.dot && solution.outcome == Outcome::Unsolvable {
            return output::text("digraph plan {\n  label=\"there is no plan (proved)\";\n}\n");
        }
        return no_plan(&problem, &solution.outcome, &mut planner, args);
    };
    let told_in = &*solution.told_in;
    let explained = told_in.explain(actions)?;
    if args.dot {
        return output::text(&explained.dot());
    }
    if args.answer.json {
        let name = |&action: &u32| problem.actions[action as usize].as_str();
        let names: Vec<&str> = actions.iter().map(name).collect();
        let mut document = json!({ "plan": names, "tier": tier.name() });
        if !problem.costs.is_empty() {
            document["cost"] = json!(planner.cost(actions));
            document["cheapest"] = json!(planner.is_cheapest(actions, *tier));
        }
        if !problem.unknown.is_empty() {
            let assumed =
                |assumed: &Assumed| json!({ "fact": problem.fact(assumed.fact), "outdated": assumed.once });
            document["assumed"] = solution.assumed.iter().map(assumed).collect::<Value>();
        }
        if args.explain {
            document["steps"] = serde_json::to_value(explained.written())?;
        }
        return output::json(&document);
    }
    let steps = match args.explain {
        true => explained.in_words(),
        false => {
            let names = told_in.step_names(actions).into_iter().enumerate();
            names.map(|(index, name)| format!("{:4}. {name}\n", index + 1)).collect()
        }
    };
    output::text(&(headline(&problem, &solution, (actions, *tier), &planner) + &steps))
}

fn headline(
    problem: &Problem,
    solution: &Solution<'_>,
    (actions, tier): (&[u32], Tier),
    planner: &Planner,
) -> String {
    let mut text = match actions.len() {
        0 => format!("{}: nothing to do, the goal holds\n", problem.title),
        1 => format!("{}: 1 step (by {})\n", problem.title, tier.name()),
        count => format!("{}: {count} steps (by {})\n", problem.title, tier.name()),
    };
    if !problem.costs.is_empty() {
        let least = match planner.is_cheapest(actions, tier) {
            true => "the least possible",
            false => "there may be a cheaper plan",
        };
        text += &format!("cost {}, {least}\n", planner.cost(actions));
    }
    if !problem.unknown.is_empty() {
        let assumed = |assumed: &Assumed| {
            let fact = problem.fact(assumed.fact);
            if assumed.once { format!("{fact} (last known)") } else { fact }
        };
        let assumed: Vec<String> = solution.assumed.iter().map(assumed).collect();
        text += &match assumed.is_empty() {
            true => "relies on no unknown value\n".to_owned(),
            false => format!("assuming {}\n", assumed.join(", ")),
        };
    }
    text
}

fn no_plan(problem: &Problem, outcome: &Outcome, planner: &mut Planner, args: &Args) -> Result<()> {
    let title = &problem.title;
    if let Outcome::GaveUp { expanded, limit } = outcome {
        if args.answer.json {
            output::json(&json!({ "gave_up": true, "expanded": expanded, "limit": limit.name() }))?;
        }
        let (why, remedy) = match (limit, args.memory_mb) {
            (Limit::States, _) => ("the budget is used up".to_owned(), "--budget with a larger number"),
            (Limit::Memory, MOST_MEMORY_MB) => {
                ("no more states can be numbered".to_owned(), "split the problem into smaller ones")
            }
            (Limit::Memory, megabytes) => (
                format!("they take {megabytes} MB, as much as they may"),
                "--memory-mb with a larger number (a larger --budget would not help)",
            ),
        };
        bail!(crate::GaveUp(format!(
            "{title}: no plan among {expanded} states, and {why}\n  remedy: {remedy}"
        )))
    }
    let why = progress::during("{spinner} finding out why there is no plan, {elapsed}", || {
        problem.why_not(planner, args.budget)
    })?;
    if args.answer.json {
        let mut document = json!({ "unsolvable": true });
        if let Some(why) = why {
            document["why"] = serde_json::to_value(why)?;
        }
        return output::json(&document);
    }
    let proved = match (problem.unknown.is_empty(), args.assume) {
        (true, _) => "there is no plan (proved)",
        (false, MayAssume::Nothing) => "there is no plan that works in any case",
        (false, MayAssume::Outdated) => "there is no plan, even if what was last known still holds",
        (false, MayAssume::Anything) => "there is no plan, whatever is assumed (proved)",
    };
    let mut text = format!("{title}: {proved}\n");
    if why.is_none() && problem.unknown.is_empty() {
        text += &format!(
            "    what prevents it was not found within {USUAL_BUDGET} states (--budget with a larger number looks further)\n"
        );
    }
    for line in why.iter().flat_map(|why| &why.text) {
        text += &format!("    {line}\n");
    }
    output::text(&text)
}
