//! `repertoire plan solve`.

use anyhow::{Result, bail};
use clap::Args as ClapArgs;
use repertoire_plan::planner::{MOST_MEMORY_MB, USUAL_MEMORY_MB};
use repertoire_plan::problem::{Problem, Wanted};
use repertoire_plan::{Limit, Outcome, Planner};
use serde_json::json;

use crate::{output, progress};

/// Find a plan from a start to a goal
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
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

    /// Start from these values instead of the domain's own
    #[arg(long, value_name = "VAR=VALUE,...", value_delimiter = ',')]
    from: Vec<String>,

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

    /// Answer as JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args) -> Result<()> {
    let from: Vec<&str> = args.from.iter().map(String::as_str).collect();
    let wanted = Wanted { class: args.class.as_deref(), goal: args.goal.as_deref(), from: &from };
    let problem = Problem::new(super::read(&args.file)?, &wanted)?;
    let mut planner = Planner::new(problem.task.clone()).with_memory_mb(args.memory_mb);
    let outcome = progress::during("{spinner} planning, {elapsed}", || {
        planner.solve(&problem.init, &problem.goal, args.budget)
    })?;
    let Outcome::Plan { actions, tier } = &outcome else {
        if args.dot && outcome == Outcome::Unsolvable {
            return output::text("digraph plan {\n  label=\"there is no plan (proved)\";\n}\n");
        }
        return no_plan(&problem, &outcome, args);
    };
    let explained = problem.explain(actions)?;
    if args.dot {
        return output::text(&explained.dot());
    }
    if args.json {
        let name = |&action: &u32| problem.actions[action as usize].as_str();
        let names: Vec<&str> = actions.iter().map(name).collect();
        let mut document = json!({ "plan": names, "tier": tier.name() });
        if args.explain {
            document["steps"] = serde_json::to_value(explained.written())?;
        }
        return output::json(&document);
    }
    let steps = match args.explain {
        true => explained.in_words(),
        false => {
            let names = problem.step_names(actions).into_iter().enumerate();
            names.map(|(index, name)| format!("{:4}. {name}\n", index + 1)).collect()
        }
    };
    output::text(&(headline(&problem, actions, tier.name()) + &steps))
}

fn headline(problem: &Problem, actions: &[u32], tier: &str) -> String {
    let line = match actions.len() {
        0 => format!("{}: nothing to do, the goal holds\n", problem.title),
        1 => format!("{}: 1 step (by {tier})\n", problem.title),
        count => format!("{}: {count} steps (by {tier})\n", problem.title),
    };
    let costs = if problem.has_costs { "(the costs of actions are not looked at)\n" } else { "" };
    line + costs
}

fn no_plan(problem: &Problem, outcome: &Outcome, args: &Args) -> Result<()> {
    match outcome {
        Outcome::GaveUp { expanded, limit } => {
            if args.json {
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
            let title = &problem.title;
            bail!(crate::GaveUp(format!(
                "{title}: no plan among {expanded} states, and {why}\n  remedy: {remedy}"
            )))
        }
        _ if args.json => output::json(&json!({ "unsolvable": true })),
        _ => output::text(&format!("{}: there is no plan (proved)\n", problem.title)),
    }
}
