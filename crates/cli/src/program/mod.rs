//! `repertoire program`: describe a Bayesian program, ask it, teach it, draw its answers.

mod answer;
mod describe;
mod learn;
mod load;

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use clap::Args as ClapArgs;
use repertoire_bayes::{file, shipped};
use serde_json::json;

use crate::draw;
use crate::output;
use answer::Answers;

/// Describe a Bayesian program, ask it questions, teach it, draw its answers
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
A program is a TOML file: variables, and a factor P(left | given) for each. The guide is docs/guides/programs.md.

Examples:
  repertoire program danger-sensor                                        what is in it
  repertoire program danger-sensor --ask 'P(Danger | Weapon=strong)' --explain
  repertoire program target-following --ask 'P(Rotation | Direction)'     one chart for each direction
  repertoire program target-following --ask 'P(Rotation | Direction=left)' --svg turn.svg
  repertoire program exploration --ask 'P(Rotation | Direction0=left, Agree0=true)' --choose 20 --power 5
  repertoire program mine.toml --learn play.csv -o learned.toml           learn its histograms")]
pub struct Args {
    /// A program file, or the name of one that comes with repertoire
    #[arg(required_unless_present_any = ["list", "schema"])]
    file: Option<String>,

    /// A question such as 'P(Rotation | Direction=left)'; a known variable without a value means all of its values
    #[arg(long, value_name = "QUESTION")]
    ask: Vec<String>,

    /// Say what each known value contributed to the answer
    #[arg(long, requires = "ask")]
    explain: bool,

    /// Draw the answers as a picture (polar where the scale is in degrees)
    #[arg(long, value_name = "FILE", requires = "ask")]
    svg: Option<PathBuf>,

    /// Make this many choices by chance from each answer
    #[arg(long, value_name = "N", requires = "ask", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    choose: Option<u32>,

    /// Raise the answer to this power before choosing; 1 is plain chance, 5 to 10 make movement smooth
    #[arg(long, value_name = "P", requires = "choose", default_value_t = 1.0)]
    power: f64,

    /// Where chance begins; the same seed makes the same choices
    #[arg(long, requires = "choose", default_value_t = 0)]
    seed: u64,

    /// Learn the histograms from a CSV file whose columns are named after variables (- for standard input)
    #[arg(long, value_name = "CSV", requires = "output")]
    learn: Option<PathBuf>,

    /// Where to write the program with what it learned
    #[arg(short, long, value_name = "FILE", requires = "learn")]
    output: Option<PathBuf>,

    /// Print the file itself, to copy and edit
    #[arg(long, conflicts_with_all = ["ask", "learn", "json"])]
    source: bool,

    /// List the programs that come with repertoire
    #[arg(long, conflicts_with = "file")]
    list: bool,

    /// Print the JSON schema of program files, for editors
    #[arg(long)]
    schema: bool,

    /// Answer as JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    if args.schema {
        return output::json(&file::schema());
    }
    if args.list {
        return list(args.json);
    }
    let Some(name) = &args.file else {
        bail!("name a program, or use --list to see those that come with it")
    };
    for written in [&args.output, &args.svg].into_iter().flatten() {
        if let Some(play) = &args.learn {
            output::refuse_overwriting(written, play, "the recorded play")?;
        }
    }
    if let Some(picture) = &args.svg {
        output::refuse_overwriting(picture, Path::new(name), "the program")?;
    }
    let mut loaded = load::load(name)?;
    if args.source {
        return output::text(loaded.text());
    }
    let learned = match &args.learn {
        Some(play) => Some(learn::learn(&mut loaded, play)?),
        None => None,
    };
    // Everything that can be refused is refused before anything is written.
    let answers = Answers::of(&loaded.program, &args.ask, args.explain)?;
    let chosen = match args.choose {
        Some(times) => Some(answers.choose(times, args.power, args.seed)?),
        None => None,
    };
    if let (Some(_), Some(to)) = (&learned, &args.output) {
        output::file(to, &loaded.with_counts()?)?;
    }
    if let Some(path) = &args.svg {
        output::file(path, &draw::chart::page(&answers.charts()))?;
    }
    // What was written to standard output must stay alone there.
    if [&args.output, &args.svg].into_iter().flatten().any(|written| written == Path::new("-")) {
        return Ok(());
    }
    match (&learned, args.json) {
        (None, _) if args.ask.is_empty() => describe::describe(&loaded.program, args.json),
        (learned, true) => {
            let mut document =
                if args.ask.is_empty() { json!({}) } else { answers.to_json(chosen.as_deref()) };
            if let (Some(learned), Some(to)) = (learned, &args.output) {
                document["learned"] = learned.to_json(to);
            }
            output::json(&document)
        }
        (learned, false) => {
            if let (Some(learned), Some(to)) = (learned, &args.output) {
                output::text(&learned.in_words(to))?;
            }
            answers.print(chosen.as_deref())
        }
    }
}

fn list(as_json: bool) -> Result<()> {
    let programs: Vec<_> = shipped::PROGRAMS.iter().filter_map(|(name, _)| shipped::program(name)).collect();
    if as_json {
        let rows = programs.iter().map(|program| json!({ "name": program.name(), "about": program.about() }));
        return output::json(&rows.collect::<Vec<_>>());
    }
    let width = programs.iter().map(|program| program.name().len()).max().unwrap_or(0);
    let rows = programs.iter().map(|program| format!("{:width$}  {}\n", program.name(), program.about()));
    output::text(&rows.collect::<String>())
}
