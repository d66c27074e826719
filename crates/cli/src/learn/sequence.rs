//! `repertoire learn sequence`: a behaviour from the play of a teacher.

use clap::builder::{PossibleValuesParser, TypedValueParser};
use repertoire::corpus::{Subject, Taught};
use repertoire_bayes::sequence::Behaviour;
use repertoire_bayes::sequence::file::to_toml;
use repertoire_bayes::sequence::labelled::Lives;
use repertoire_draw::terminal::learned::Sequence;
use repertoire_mind::sequenced::Connected;
use repertoire_mind::student::{Method, Student, TaughtBehaviour};

use super::corpus;
use super::play::Teachers;
use crate::prelude::*;

/// Learn a behaviour (which task comes next) from the play of a teacher
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Methods (Le Hy 2007, section 4.4):
  labels       the recording says which task went on, as those of characters with a behaviour do
  heuristic    rules guess the task: what was picked up, half turns, facing an enemy
  incremental  each task's own model says how well it explains what was done; one pass, constant memory
  batch        the same, over the whole recording again and again (Baum-Welch)

The result is an ordinary behaviour file with its counts, so that it can be edited and learning can go on:
give it with --start. Columns edited by hand keep their weight and take the shape of the edit.

Examples:
  repertoire learn sequence --from play.parquet --player prudent --method incremental -o pupil.toml
  repertoire learn sequence --from more.parquet --start pupil.toml --method incremental -o pupil.toml
  repertoire learn sequence --live native:5 --map halls --seconds 350 --method incremental -o like5.toml
  repertoire learn sequence --from diary.csv --start villager.toml --method labels -o pupil.toml

The last one learns from a table of a game's own: its first line names `task` and sensors of --start (and `life`, if there are
several); `learn table` is the same for whole characters.")]
pub struct Args {
    #[command(flatten)]
    teachers: Teachers,
    /// How the tasks become known
    #[arg(long, value_parser = methods())]
    method: Method,
    /// The tasks and sensors to learn, and the counts to go on from: a behaviour [default: uniform]
    #[arg(long, value_name = "BEHAVIOUR", default_value = "uniform")]
    start: String,
    /// What to call the behaviour [default: the name of the file]
    #[arg(long)]
    name: Option<String>,
    /// Where to write the behaviour; - for standard output
    #[arg(short, long, value_name = "FILE.toml")]
    output: PathBuf,
    /// Print the summary as JSON
    #[arg(long)]
    json: bool,
}

fn methods() -> impl TypedValueParser<Value = Method> {
    let named = |name: String| Method::named(&name).ok_or("no such method");
    PossibleValuesParser::new(Method::ALL.map(Method::name)).try_map(named)
}

pub(crate) fn run(args: &Args) -> Result<()> {
    output::refuse_overwriting_any(&args.output, &args.teachers.from, "a recording to learn from")?;
    if corpus::is_asked(&args.teachers) {
        return learn_corpus(args);
    }
    let start = load::behaviour(&args.start)?;
    if let [table] = &args.teachers.from[..]
        && load::is_table(table, &start)
    {
        return learn_table(args, table, &start);
    }
    let connected = Connected::new(&start)
        .map_err(|error| anyhow!("{}: nothing in the play tells about it: {error}", args.start))?;
    let before = start.counts().map_or(0, |counts| counts.observations);
    let mut student = Student::new(connected, args.method);
    let bar = progress::spinner("{spinner} {pos} observations, {per_sec}, {msg}");
    let taught_by = args.teachers.show(&mut student, &bar)?;
    let name = args.name.clone().unwrap_or_else(|| name_of(&args.output));
    let mut iteration = 0;
    let learned = student
        .finish(&name, &mut |mean| {
            iteration += 1;
            bar.set_message(format!("iteration {iteration}: {mean:.4} nats an observation"));
            bar.tick();
        })
        .map_err(|error| anyhow!("what was played cannot be explained: {error}"))?;
    bar.finish_and_clear();
    tell(args, &learned, before, &taught_by)
}

/// Writes what was learned, if anything was, and tells of it.
fn tell(args: &Args, learned: &TaughtBehaviour, before: u64, players: &[String]) -> Result<()> {
    if learned.summary.observations == 0 {
        let from: Vec<String> = args.teachers.from.iter().map(|path| path.display().to_string()).collect();
        bail!("{}", terminal::learned::nothing(&learned.summary, &from.join(", "), &args.start));
    }
    output::file(&args.output, &to_toml(&learned.behaviour))?;
    let (method, file) = (args.method, &args.output.display().to_string());
    let told = Sequence { learned, method, before, players, file };
    output::answer_beside(&args.output, args.json, &told.to_json(), || told.text())
}

/// Learns from folders of recordings, one after the other.
fn learn_corpus(args: &Args) -> Result<()> {
    let before = load::behaviour(&args.start)?.counts().map_or(0, |counts| counts.observations);
    let subject = Subject::Sequence { start: args.start.clone(), method: args.method.name().to_owned() };
    corpus::learn(&args.teachers, subject, &args.output, |outcome| {
        let Taught::Behaviour(learned) = outcome.taught else { bail!("nothing was learned") };
        let name = args.name.clone().unwrap_or_else(|| name_of(&args.output));
        let learned = TaughtBehaviour { behaviour: learned.behaviour.named(name), ..*learned };
        tell(args, &learned, before, &outcome.players)
    })
}

/// Learns from a table of a game's own sensors and tasks.
fn learn_table(args: &Args, table: &Path, start: &Behaviour) -> Result<()> {
    if args.method != Method::Labels {
        bail!(
            "{}: a table says which task went on, and nothing of what was done\n  remedy: use --method labels",
            table.display()
        );
    }
    let lives = load::lives(table, start)?;
    if lives.is_empty() {
        bail!("there was nothing to learn in {}\n  remedy: write a line for each tick", table.display());
    }
    let name = args.name.clone().unwrap_or_else(|| name_of(&args.output));
    let learned = start.taught(name, &lives)?;
    output::file(&args.output, &to_toml(&learned))?;
    if args.json {
        return output::json(&json!({ "file": args.output.display().to_string(), "method": "labels",
            "observations": lives.len(), "lives": lives.lives() }));
    }
    tell_table(&args.output, &learned, &lives)
}

/// Says what was learned from a table, unless that itself is on standard output.
pub(super) fn tell_table(output: &Path, learned: &Behaviour, lives: &Lives) -> Result<()> {
    if output::is_stdout(output) {
        return Ok(());
    }
    output::text(&terminal::learned::table(learned.name(), lives, &output.display().to_string()))
}

pub(super) fn name_of(path: &Path) -> String {
    let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned());
    stem.filter(|stem| !stem.is_empty() && stem != "-").unwrap_or_else(|| "learned".to_owned())
}
