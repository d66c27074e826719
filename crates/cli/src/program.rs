//! `repertoire program`: describe a Bayesian program, ask it, teach it, draw its answers.

use std::fs::File;
use std::io::Read;

use repertoire_bayes::answers::Answers;
use repertoire_bayes::description::Description;
use repertoire_bayes::{Program, file, shipped};
use repertoire_trace::observations::{self, Learned, ObservationsError};

use crate::prelude::*;

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

    /// Ask a question such as 'P(Rotation | Direction=left)'; a known variable without a value asks for each of its values. May
    /// be given several times
    #[arg(long, value_name = "QUESTION")]
    ask: Vec<String>,

    /// Explain what each known value contributed to the answer
    #[arg(long, requires = "ask")]
    explain: bool,

    /// Draw the answers to this file (as polar charts where the scale is in degrees)
    #[arg(long, value_name = "FILE", requires = "ask")]
    svg: Option<PathBuf>,

    /// Draw this many random values from each answer
    #[arg(long, value_name = "N", requires = "ask", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    choose: Option<u32>,

    /// Raise the answer to this power before choosing; 1 leaves it as it is, 5 to 10 make movement smooth
    #[arg(long, value_name = "P", requires = "choose", default_value_t = 1.0)]
    power: f64,

    /// Random seed; the same seed makes the same choices
    #[arg(long, requires = "choose", default_value_t = 0)]
    seed: u64,

    /// Learn the histograms from a CSV file whose columns are named after variables (- for standard input)
    #[arg(long, value_name = "CSV", requires = "output")]
    learn: Option<PathBuf>,

    /// Write the program with what it learned to this file
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

    #[command(flatten)]
    answer: Answer,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    if args.schema {
        return crate::schema::print("program");
    }
    if args.list {
        let programs: Vec<_> =
            shipped::PROGRAMS.iter().filter_map(|(name, _)| shipped::program(name)).collect();
        return args
            .answer
            .print(&terminal::program::list_as_json(&programs), || terminal::program::list(&programs));
    }
    let Some(name) = &args.file else {
        bail!("name a program, or use --list to see those that come with it")
    };
    for written in args.output.iter().chain(&args.svg) {
        output::refuse_overwriting_any(written, &args.learn, "the recorded play")?;
    }
    if let Some(picture) = &args.svg {
        output::refuse_overwriting(picture, Path::new(name), "the program")?;
    }
    let (mut program, text) = load::program(name)?;
    if args.source {
        return output::text(&text);
    }
    let learned = args.learn.as_deref().map(|play| learn(&mut program, play)).transpose()?;
    // Everything that can be refused is refused before anything is written.
    if !(args.power >= 0.0 && args.power.is_finite()) {
        bail!("--power is {}: it must be finite and not negative", args.power);
    }
    let answers = Answers::of(&program, &args.ask, args.explain)?;
    let choose = |times| answers.choose(times, args.power, args.seed);
    let chosen = args.choose.map(choose).transpose()?;
    if let (Some(_), Some(to)) = (&learned, &args.output) {
        output::file(to, &file::with_counts(&text, &program).map_err(|mistake| anyhow!("{mistake}"))?)?;
    }
    output::file_if_asked(args.svg.as_ref(), || draw::chart::page(&draw::chart::of_answers(&answers)))?;
    // What was written to standard output must stay alone there.
    if args.output.iter().chain(&args.svg).any(|written| output::is_stdout(written)) {
        return Ok(());
    }
    match (&learned, args.answer.json) {
        (None, true) if args.ask.is_empty() => output::json(&Description::of(&program)),
        (None, false) if args.ask.is_empty() => output::text(&terminal::program::describe(&program)),
        (learned, true) => {
            let file = args.output.as_ref().map(|to| to.display().to_string());
            let learned = learned.as_ref().zip(file.as_deref());
            output::json(&terminal::program::answers_as_json(&answers, chosen.as_deref(), learned))
        }
        (learned, false) => {
            let told = |(learned, to): (&Learned, &PathBuf)| {
                terminal::program::learned(learned, &to.display().to_string())
            };
            let text = learned.as_ref().zip(args.output.as_ref()).map(told).unwrap_or_default();
            output::text(&(text + &terminal::program::answers(&answers, chosen.as_deref())))
        }
    }
}

/// Adds every row of a CSV file to the program's counts.
fn learn(program: &mut Program, play: &Path) -> Result<Learned> {
    let named = play.display().to_string();
    if play.is_dir() {
        bail!("{named} is a folder\n  remedy: name a CSV file");
    }
    let input: Box<dyn Read> = if named == "-" {
        Box::new(std::io::stdin().lock())
    } else {
        Box::new(File::open(play).with_context(|| format!("{named} could not be read"))?)
    };
    let bar = progress::spinner("{spinner} {pos} rows learned, {per_sec}");
    let learned = observations::learn(program, input, &mut |rows| bar.set_position(rows));
    bar.finish_and_clear();
    let learned = learned.map_err(|error| match error.line() {
        Some(line) => anyhow!("{named}:{line}: {error}"),
        None if matches!(error, ObservationsError::NoHistogram(_)) => error.into(),
        None => anyhow!("{named}: {error}"),
    })?;
    for note in &learned.not_learned {
        anstream::eprintln!("note: not learned: {note}");
    }
    if !learned.ignored_columns.is_empty() {
        let columns = learned.ignored_columns.join(", ");
        anstream::eprintln!("note: columns that are no variables were left out: {columns}");
    }
    Ok(learned)
}
