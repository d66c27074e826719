//! `repertoire plan solve`.

use repertoire_plan::partial::Assume;
use repertoire_plan::planner::{MOST_MEMORY_MB, USUAL_MEMORY_MB};
use repertoire_plan::problem::answer::{self, Found};
use repertoire_plan::problem::{Problem, Wanted};
use repertoire_plan::{Outcome, Planner};

use crate::prelude::*;

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
    #[arg(long, value_parser = one_of(Assume::ALL, Assume::name, Assume::about), default_value = Assume::default().name())]
    assume: Assume,

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

pub(super) fn run(args: &Args) -> Result<()> {
    let from: Vec<&str> = args.from.iter().map(String::as_str).collect();
    let wanted = Wanted { class: args.class.as_deref(), goal: args.goal.as_deref(), from: &from };
    let problem = Problem::new(load::domain(&args.file)?, &wanted)?;
    let mut planner = problem.planner().with_memory_mb(args.memory_mb);
    let solution = progress::during("{spinner} planning, {elapsed}", || {
        problem.solve(&mut planner, args.assume, args.budget)
    })?;
    let Outcome::Plan { actions, .. } = &solution.outcome else {
        if args.dot && solution.outcome == Outcome::Unsolvable {
            return output::text("digraph plan {\n  label=\"there is no plan (proved)\";\n}\n");
        }
        return no_plan(&problem, &solution.outcome, &mut planner, args);
    };
    if args.dot {
        return output::text(&solution.told_in.explain(actions)?.dot());
    }
    let found = Found::new(&problem, &solution, &planner, args.explain)?;
    args.answer.print(&serde_json::to_value(found.written())?, || found.text())
}

fn no_plan(problem: &Problem, outcome: &Outcome, planner: &mut Planner, args: &Args) -> Result<()> {
    if let Outcome::GaveUp { expanded, limit } = outcome {
        if args.answer.json {
            output::json(&json!({ "gave_up": true, "expanded": expanded, "limit": limit.name() }))?;
        }
        bail!(crate::GaveUp(answer::gave_up(problem, *expanded, *limit, args.memory_mb)))
    }
    let why = progress::during("{spinner} finding out why there is no plan, {elapsed}", || {
        problem.why_not(planner, args.budget)
    })?;
    let mut report = json!({ "unsolvable": true });
    if let Some(why) = &why {
        report["why"] = json!(why);
    }
    args.answer.print(&report, || answer::no_plan(problem, args.assume, why.as_ref()))
}
