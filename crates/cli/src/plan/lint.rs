//! `repertoire plan lint`.

use anyhow::Result;
use clap::Args as ClapArgs;
use repertoire_plan::lint::{Lint, Reach, reach};
use repertoire_plan::{Planner, Task};
use serde_json::{Value, json};

use super::problem::{self, Source};
use crate::output;

/// Say which restrictions a domain obeys, what breaks them, and so which tier will serve
#[derive(Debug, ClapArgs)]
pub struct Args {
    /// A domain or SAS+ file, or the name of a domain that comes with repertoire
    file: String,

    /// How many reachable states to look at for each class and goal; fewer are looked at where many need search, or where
    /// plans are so long that it would take more than some seconds, and the answer says so
    #[arg(long, value_name = "N", default_value_t = 20_000)]
    states: usize,

    /// Answer as JSON
    #[arg(long)]
    json: bool,
}

/// A class and goal, and how it fares.
struct Row {
    class: String,
    goal: String,
    reach: Reach,
}

pub(super) fn run(args: &Args) -> Result<()> {
    let (task, actions, variables, rows) = match problem::read(&args.file)? {
        Source::Sas(problem) => {
            let mut planner = Planner::new(problem.task.clone());
            let reach = reach(&mut planner, &problem.init, args.states.min(200), |_| problem.goal.clone())?;
            let row = Row { class: String::new(), goal: "goal".into(), reach };
            (problem.task, problem.actions, problem.variables, vec![row])
        }
        Source::Domain(domain) => {
            let mut rows = Vec::new();
            for class in &domain.classes {
                let alone = domain.class_task(class);
                let own = match alone {
                    Some(_) => class.variables.clone(),
                    None => (0..domain.variables.len() as u32).collect(),
                };
                let mut planner = Planner::new(alone.unwrap_or_else(|| domain.task.clone()));
                let start: Vec<u16> = own.iter().map(|&var| domain.start[var as usize]).collect();
                for goal in &class.goals {
                    let wanted = |state: &[u16]| {
                        let mut wanted: Vec<Option<u16>> =
                            state.iter().map(|&value| domain.keep_unnamed.then_some(value)).collect();
                        for &(var, value) in &goal.facts {
                            if let Some(at) = own.iter().position(|&own| own == var) {
                                wanted[at] = Some(value);
                            }
                        }
                        wanted
                    };
                    let reach = reach(&mut planner, &start, args.states, wanted)?;
                    rows.push(Row { class: class.name.clone(), goal: goal.name.clone(), reach });
                }
            }
            (domain.task, domain.actions, domain.variables, rows)
        }
    };
    let lint = Lint::of(&task);
    if args.json {
        return output::json(&to_json(&task, &lint, &actions, &variables, &rows));
    }
    output::text(&in_words(&task, &lint, &actions, &variables, &rows))
}

fn in_words(task: &Task, lint: &Lint, actions: &[String], variables: &[String], rows: &[Row]) -> String {
    let most = task.sizes().iter().max().copied().unwrap_or(0);
    let mut text = format!(
        "{} variables, up to {most} values, {} actions\n\n",
        task.sizes().len(),
        task.actions().len()
    );
    let mut line = |what: &str, broken: Vec<String>| {
        text += &if broken.is_empty() { format!("{what:42} yes\n") } else { format!("{what:42} no\n") };
        for reason in broken.iter().take(8) {
            text += &format!("    {reason}\n");
        }
        if broken.len() > 8 {
            text += &format!("    and {} more\n", broken.len() - 8);
        }
    };
    let name = |action: &usize| &actions[*action];
    line(
        "unary (each action changes one variable)",
        lint.not_unary
            .iter()
            .map(|action| format!("{} changes several, from any value, or under conditions", name(action)))
            .collect(),
    );
    line(
        "post-unique (one maker for each value)",
        lint.not_post_unique
            .iter()
            .map(|(a, b)| format!("{} and {} make the same value", name(a), name(b)))
            .collect(),
    );
    line(
        "single-valued (one condition a variable)",
        lint.not_single_valued
            .iter()
            .map(|(a, b, var)| {
                format!("{} and {} need different values of {}", name(a), name(b), variables[*var as usize])
            })
            .collect(),
    );
    text += &format!("\nserved by {}\n", served(lint));
    for row in rows {
        let verdict = match row.reach.is_t1() {
            Some(true) if row.reach.is_vacuous() => "no state has a plan (T1 holds of nothing)",
            Some(true) => "each action once (T1)",
            Some(false) => "some plans use an action twice",
            None => "T1 not decided",
        };
        let tiers: Vec<String> =
            row.reach.tiers.iter().map(|(tier, count)| format!("{} {count}", tier.name())).collect();
        let tiers = if tiers.is_empty() { String::new() } else { tiers.join(", ") + "; " };
        let extent = if row.reach.complete { "all" } else { "the first" };
        text += &format!(
            "  {:14} {:14} {verdict}; {extent} {} reachable states: {tiers}{} without a plan\n",
            row.class, row.goal, row.reach.states, row.reach.unsolvable
        );
    }
    text
}

fn served(lint: &Lint) -> &'static str {
    if lint.is_fast() {
        "closure and simulation, in linear time; search where they do not decide"
    } else {
        "search"
    }
}

fn to_json(task: &Task, lint: &Lint, actions: &[String], variables: &[String], rows: &[Row]) -> Value {
    let pair = |(a, b): &(usize, usize)| json!([actions[*a], actions[*b]]);
    let rows = rows.iter().map(|row| {
        let tiers: serde_json::Map<String, Value> =
            row.reach.tiers.iter().map(|(tier, count)| (tier.name().to_owned(), (*count).into())).collect();
        json!({ "class": row.class, "goal": row.goal, "t1": row.reach.is_t1(), "vacuous": row.reach.is_vacuous(), "states": row.reach.states,
            "complete": row.reach.complete, "unsolvable": row.reach.unsolvable, "tiers": tiers })
    });
    json!({
        "variables": task.sizes().len(), "actions": task.actions().len(),
        "unary": lint.not_unary.is_empty(), "post_unique": lint.not_post_unique.is_empty(),
        "single_valued": lint.not_single_valued.is_empty(), "served_by": served(lint),
        "not_unary": lint.not_unary.iter().map(|action| &actions[*action]).collect::<Vec<_>>(),
        "not_post_unique": lint.not_post_unique.iter().map(pair).collect::<Vec<_>>(),
        "not_single_valued": lint.not_single_valued.iter()
            .map(|(a, b, var)| json!([actions[*a], actions[*b], variables[*var as usize]])).collect::<Vec<_>>(),
        "goals": rows.collect::<Vec<_>>(),
    })
}
