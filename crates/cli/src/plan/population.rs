//! `repertoire plan population`: plans for a whole population of a domain.

use std::fs::File;

use repertoire_plan::Domain;
use repertoire_plan::population::Town;
use repertoire_plan::problem::Source;
use repertoire_prob::Stream;
use repertoire_trace::characters::{self, CharactersError};

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
                    town.everybody()
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
    let unreadable = || format!("{} could not be read", path.display());
    let file = File::open(path).with_context(unreadable)?;
    characters::read(file, domain, town).map_err(|error| match error {
        CharactersError::Head(error) => error.into(),
        CharactersError::Row(error) => anyhow::Error::from(error).context(unreadable()),
        CharactersError::Named { line, what } => anyhow!("{}:{line}: {what}", path.display()),
    })
}
