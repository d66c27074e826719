//! `repertoire plan population`: plans for a whole population of a domain.

use repertoire_plan::Domain;
use repertoire_plan::population::{Named, Town};
use repertoire_plan::problem::Source;
use repertoire_prob::Stream;

use crate::options::on_threads;
use crate::prelude::*;

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
    let Source::Domain(domain) = load::domain(&args.file)? else {
        bail!(
            "{}: a SAS+ file has one problem and no characters\n  remedy: give a domain as TOML",
            args.file
        );
    };
    let (town, characters) = progress::during("{spinner} planning, {elapsed}", || {
        on_threads(args.threads, || -> Result<(Town, Vec<(usize, u32)>)> {
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
    output::file_if_asked(args.plans.as_ref(), || town.plans_as_csv(&domain, &characters))?;
    let classes = town.by_class(&domain);
    args.answer.print(&json!({ "characters": town.len(), "classes": classes }), || {
        terminal::plan::population(&classes)
    })
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
