//! `repertoire plan population`: plans for a whole population of a domain.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail};
use clap::Args as ClapArgs;
use repertoire_plan::Domain;
use repertoire_plan::population::{Named, Town};
use repertoire_plan::problem::Source;
use repertoire_prob::Stream;
use serde_json::{Value, json};

use crate::{Answer, output, progress};

/// Plan for a whole population of a domain: random characters, or those of a CSV file
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Characters in a file have a line each, with the columns `class` and `goal` (each may be left out where there is only one) and a
column for each variable; an empty cell is the usual start. The answer of --plans has the same lines, each with its plan.

Examples:
  repertoire plan population western --characters 1000000
  repertoire plan population village.toml --characters-csv villagers.csv --plans plans.csv")]
pub struct Args {
    /// A domain file, or the name of a domain that comes with repertoire
    file: String,

    /// How many characters to draw at random: class, goal and state
    #[arg(long, value_name = "N", default_value_t = 100_000, conflicts_with = "characters_csv")]
    characters: usize,

    /// Random seed; the same seed repeats the run
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// Plan for the characters in this CSV file instead of random ones
    #[arg(long, value_name = "FILE")]
    characters_csv: Option<PathBuf>,

    /// Write the plan of each character to this CSV file, in the order of characters
    #[arg(long, value_name = "FILE")]
    plans: Option<PathBuf>,

    /// Number of threads [default: one per core]. The plans are the same for any number
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,

    #[command(flatten)]
    answer: Answer,
}

pub(super) fn run(args: &Args) -> Result<()> {
    let Source::Domain(domain) = super::read(&args.file)? else {
        bail!(
            "{}: a SAS+ file has one problem and no characters\n  remedy: give a domain as TOML",
            args.file
        );
    };
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(args.threads.map_or(0, usize::from))
        .build()
        .context("the threads could not be started\n  remedy: --threads with a smaller number")?;
    let (town, characters) = progress::during("{spinner} planning, {elapsed}", || {
        pool.install(|| -> Result<(Town, Vec<(usize, u32)>)> {
            let mut town = Town::new(&domain).map_err(|error| anyhow!("{}: {error}", args.file))?;
            let characters = match &args.characters_csv {
                Some(path) => read_characters(path, &domain, &mut town)?,
                None => {
                    let mut rng = Stream::new(args.seed, 0, "population");
                    town.settle(args.characters, &mut || rng.unit());
                    let all = |class: usize| (0..town.handles(class).len() as u32).map(move |at| (class, at));
                    (0..town.classes()).flat_map(all).collect()
                }
            };
            town.plan_all();
            Ok((town, characters))
        })
    })?;
    if let Some(path) = &args.plans {
        write_plans(path, &domain, &town, &characters)?;
    }
    let rows = rows(&domain, &town);
    if args.answer.json {
        let row = |row: &Row| -> Value {
            json!({ "class": row.class, "characters": row.characters, "with_plan": row.with_plan,
                "unsolvable": row.unsolvable, "gave_up": row.gave_up, "distinct_plans": row.distinct,
                "mean_steps": row.mean_steps })
        };
        return output::json(&json!({ "characters": town.len(),
            "classes": rows.iter().map(row).collect::<Vec<Value>>() }));
    }
    let mut text = format!(
        "{:16} {:>10} {:>10} {:>10} {:>8} {:>9} {:>10}\n",
        "class", "characters", "with plan", "no plan", "gave up", "distinct", "mean steps"
    );
    for Row { class, characters, with_plan, unsolvable, gave_up, distinct, mean_steps } in &rows {
        text += &format!(
            "{class:16} {characters:>10} {with_plan:>10} {unsolvable:>10} {gave_up:>8} {distinct:>9} {mean_steps:>10.2}\n"
        );
    }
    text += &format!("{} characters\n", town.len());
    output::text(&text)
}

/// What is told of a class.
struct Row {
    class: String,
    characters: usize,
    with_plan: usize,
    unsolvable: usize,
    gave_up: usize,
    distinct: usize,
    mean_steps: f64,
}

fn rows(domain: &Domain, town: &Town) -> Vec<Row> {
    let row = |(class, named): (usize, &repertoire_plan::domain::Class)| {
        let handles = town.handles(class);
        let plans: Vec<&[u8]> = handles.iter().filter_map(|&handle| town.plan_of(handle)).collect();
        let none = handles.iter().filter(|&&handle| town.plan_of(handle).is_none());
        let unsolvable = none.filter(|&&handle| town.is_unsolvable(handle)).count();
        let steps: usize = plans.iter().map(|plan| plan.len()).sum();
        let distinct: BTreeSet<&[u8]> = plans.iter().copied().collect();
        Row {
            class: if named.name.is_empty() { "-".into() } else { named.name.clone() },
            characters: handles.len(),
            with_plan: plans.len(),
            unsolvable,
            gave_up: handles.len() - plans.len() - unsolvable,
            distinct: distinct.len(),
            mean_steps: steps as f64 / plans.len().max(1) as f64,
        }
    };
    domain.classes.iter().enumerate().map(row).collect()
}

fn read_characters(path: &Path, domain: &Domain, town: &mut Town) -> Result<Vec<(usize, u32)>> {
    let name = path.display();
    let mut reader = csv::Reader::from_path(path).with_context(|| format!("{name} could not be read"))?;
    let columns: Vec<String> = reader.headers()?.iter().map(|column| column.trim().to_owned()).collect();
    let mut characters = Vec::new();
    for record in reader.records() {
        let record = record.with_context(|| format!("{name} could not be read"))?;
        let line = record.position().map_or(0, csv::Position::line);
        let cells = columns.iter().map(String::as_str).zip(record.iter().map(str::trim));
        let filled: Vec<(&str, &str)> = cells.filter(|(_, cell)| !cell.is_empty()).collect();
        let cell = |wanted: &str| filled.iter().find(|(column, _)| *column == wanted).map(|(_, cell)| *cell);
        let state: Vec<(&str, &str)> =
            filled.iter().copied().filter(|(column, _)| !["class", "goal"].contains(column)).collect();
        let named = Named { class: cell("class"), goal: cell("goal"), state: &state };
        let (class, key) = town.key_of(domain, &named).map_err(|error| anyhow!("{name}:{line}: {error}"))?;
        characters.push((class, town.add(class, key)));
    }
    Ok(characters)
}

fn write_plans(path: &Path, domain: &Domain, town: &Town, characters: &[(usize, u32)]) -> Result<()> {
    let mut text = String::from("character,class,plan\n");
    for (at, &(class, character)) in characters.iter().enumerate() {
        let named = &domain.classes[class];
        let handle = town.handles(class)[character as usize];
        let action = |&action: &u8| domain.actions[named.actions[usize::from(action)] as usize].as_str();
        let plan = match town.plan_of(handle) {
            Some(plan) => plan.iter().map(action).collect::<Vec<&str>>().join(" "),
            None if town.is_unsolvable(handle) => "(no plan)".into(),
            None => "(gave up)".into(),
        };
        let quoted = |cell: &str| match cell.contains([',', '"', '\n']) {
            true => format!("\"{}\"", cell.replace('"', "\"\"")),
            false => cell.to_owned(),
        };
        text += &format!("{at},{},{}\n", quoted(&named.name), quoted(&plan));
    }
    output::file(path, &text)
}
