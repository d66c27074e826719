//! `repertoire plan solve`.

use anyhow::{Result, bail};
use clap::Args as ClapArgs;
use repertoire_plan::explain::{Explained, Reason, explain};
use repertoire_plan::planner::{MOST_MEMORY_MB, USUAL_MEMORY_MB};
use repertoire_plan::{Limit, Outcome, Planner};
use serde_json::{Value, json};

use super::problem::{self, Problem};
use crate::output;

/// Plan from a start to a goal
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Exit codes: 0 a plan, or a proof that there is none; 1 the input was refused; 3 the budget or the memory ran out.")]
pub struct Args {
    /// A domain or SAS+ file, or the name of a domain that comes with repertoire
    file: String,

    /// Whose plan
    #[arg(long)]
    class: Option<String>,

    /// What is wanted
    #[arg(long)]
    goal: Option<String>,

    /// Starting values other than the usual ones
    #[arg(long, value_name = "VAR=VALUE,...", value_delimiter = ',')]
    from: Vec<String>,

    /// How many states search may look at; usually as many as take a few seconds (200 to 400,000, fewer in large domains).
    /// Raise it when a search gives up for want of states
    #[arg(long, value_name = "N")]
    budget: Option<u64>,

    /// How much memory the states of a search may take, in MB; a search that needs more gives up, whatever its budget.
    /// Raise it when a search gives up for want of memory
    #[arg(long, value_name = "MB", default_value_t = USUAL_MEMORY_MB,
        value_parser = clap::value_parser!(u32).range(1..=i64::from(MOST_MEMORY_MB)))]
    memory_mb: u32,

    /// Say why each step is there and what it must not break
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
    let problem =
        Problem::new(problem::read(&args.file)?, args.class.as_deref(), args.goal.as_deref(), &args.from)?;
    let mut planner = Planner::new(problem.task.clone()).with_memory_mb(args.memory_mb);
    let outcome = planner.solve(&problem.init, &problem.goal, args.budget)?;
    let Outcome::Plan { actions, tier } = &outcome else {
        if args.dot && outcome == Outcome::Unsolvable {
            return output::text("digraph plan {\n  label=\"there is no plan (proved)\";\n}\n");
        }
        return no_plan(&problem, &outcome, args);
    };
    if !args.explain && !args.dot {
        return plain(&problem, actions, tier.name(), args.json);
    }
    let steps = explain(&problem.task, actions, &problem.init, &problem.goal)?;
    if args.dot {
        return output::text(&dot(&problem, &steps));
    }
    if args.json {
        let names: Vec<&str> =
            actions.iter().map(|&action| problem.actions[action as usize].as_str()).collect();
        let reasons: Vec<Value> = steps
            .iter()
            .zip(states(&problem, actions))
            .map(|(step, at)| step_json(&problem, step, &at))
            .collect();
        return output::json(&json!({ "plan": names, "tier": tier.name(), "steps": reasons }));
    }
    let mut text = headline(&problem, actions, tier.name());
    for (index, (step, state)) in steps.iter().zip(states(&problem, actions)).enumerate() {
        text += &format!("{:4}. {}\n", index + 1, name(&problem, step.action, &state));
        text += &words(&problem, &steps, step);
    }
    output::text(&text)
}

/// The plan without its reasons.
fn plain(problem: &Problem, actions: &[u32], tier: &str, as_json: bool) -> Result<()> {
    if as_json {
        let names: Vec<&str> =
            actions.iter().map(|&action| problem.actions[action as usize].as_str()).collect();
        return output::json(&json!({ "plan": names, "tier": tier }));
    }
    let lines = actions
        .iter()
        .zip(states(problem, actions))
        .enumerate()
        .map(|(index, (&action, state))| format!("{:4}. {}\n", index + 1, name(problem, action, &state)));
    output::text(&(headline(problem, actions, tier) + &lines.collect::<String>()))
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

/// The state before each step of a plan.
fn states(problem: &Problem, actions: &[u32]) -> impl Iterator<Item = Vec<u16>> {
    actions.iter().scan(problem.init.clone(), |state, &action| {
        let before = state.clone();
        problem.task.apply(action as usize, state);
        Some(before)
    })
}

/// An action's name, with the ways to do it that are open in a state.
fn name(problem: &Problem, action: u32, state: &[u16]) -> String {
    let name = &problem.actions[action as usize];
    if problem.ways[action as usize].is_empty() {
        return name.clone();
    }
    match &problem.ways_in(action, state)[..] {
        [] => format!("{name} (no way open)"),
        ways => format!("{name} ({})", ways.join(" or ")),
    }
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

fn words(problem: &Problem, steps: &[Explained], step: &Explained) -> String {
    let mut text = String::new();
    let label = |at: usize| format!("{} {}", at + 1, problem.actions[steps[at].action as usize]);
    for reason in &step.reasons {
        text += &match reason {
            Reason::For { step, fact } => {
                format!("        so that {} holds for {}\n", problem.fact(*fact), label(*step))
            }
            Reason::Goal(fact) => format!("        because {} is wanted\n", problem.fact(*fact)),
        };
    }
    for after in &step.after {
        text += &format!("        after {}, which needs {}\n", label(after.step), problem.fact(after.fact));
    }
    text
}

fn step_json(problem: &Problem, step: &Explained, state: &[u16]) -> Value {
    let reasons = step.reasons.iter().map(|reason| match reason {
        Reason::For { step, fact } => json!({ "for_step": step, "fact": problem.fact(*fact) }),
        Reason::Goal(fact) => json!({ "goal": problem.fact(*fact) }),
    });
    let after =
        step.after.iter().map(|after| json!({ "step": after.step, "needs": problem.fact(after.fact) }));
    json!({ "action": problem.actions[step.action as usize], "ways": problem.ways_in(step.action, state),
        "reasons": reasons.collect::<Vec<_>>(), "after": after.collect::<Vec<_>>() })
}

/// Steps as boxes; an arrow for what a step makes, a dashed one for what it must not break.
fn dot(problem: &Problem, steps: &[Explained]) -> String {
    let quote = |text: &str| format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""));
    let mut text = String::from(
        "digraph plan {\n  rankdir=LR; node [shape=box, fontname=sans]; edge [fontname=sans, fontsize=10];\n",
    );
    for (index, step) in steps.iter().enumerate() {
        let label = format!("{}. {}", index + 1, problem.actions[step.action as usize]);
        text += &format!("  s{index} [label={}];\n", quote(&label));
    }
    text += "  goal [shape=ellipse];\n";
    for (index, step) in steps.iter().enumerate() {
        for reason in &step.reasons {
            let (to, fact) = match reason {
                Reason::For { step, fact } => (format!("s{step}"), fact),
                Reason::Goal(fact) => ("goal".to_owned(), fact),
            };
            text += &format!("  s{index} -> {to} [label={}];\n", quote(&problem.fact(*fact)));
        }
        for after in &step.after {
            let label = quote(&format!("needs {}", problem.fact(after.fact)));
            text += &format!("  s{} -> s{index} [style=dashed, label={label}];\n", after.step);
        }
    }
    text + "}\n"
}
