//! `repertoire learn sequence`: a behaviour from the play of a teacher.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Result, anyhow, bail};
use clap::{Args as ClapArgs, ValueEnum};
use indicatif::{ProgressBar, ProgressStyle};
use repertoire_bayes::sequence::file::to_toml;
use repertoire_mind::sequenced::Connected;
use repertoire_mind::student::{Learned, Method, Seen, Student};
use repertoire_trace::Header;
use repertoire_worlds::arena::game::{Contender, Match};
use repertoire_worlds::arena::level::Level;
use repertoire_worlds::arena::rules::Rules;
use serde_json::json;

use crate::arena::{maps, roster};
use crate::behaviour::load::load;
use crate::trace::Source;
use crate::{output, replay};

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
  repertoire learn sequence --live native:5 --map halls --seconds 350 --method incremental -o like5.toml")]
pub struct Args {
    /// Recordings to learn from (.parquet or .csv)
    #[arg(long, value_name = "PLAY", num_args = 1.., required_unless_present = "live")]
    from: Vec<PathBuf>,
    /// How the tasks become known
    #[arg(long, value_enum)]
    method: Methods,
    /// Whom to learn from, by name or number; may be given several times [default: everybody]
    #[arg(long = "player", value_name = "NAME|ID")]
    players: Vec<String>,
    /// The tasks and sensors to learn, and the counts to go on from: a behaviour [default: uniform]
    #[arg(long, value_name = "BEHAVIOUR", default_value = "uniform")]
    start: String,
    /// Learn while a teacher plays against native bots, instead of from a recording
    #[arg(long, value_name = "CONTENDER", conflicts_with_all = ["from", "players"])]
    live: Option<String>,
    /// With --live: the map
    #[arg(long, default_value = "halls", requires = "live")]
    map: String,
    /// With --live: how long, in seconds of the game
    #[arg(long, default_value_t = 350.0, value_name = "SECS", requires = "live")]
    seconds: f64,
    /// With --live: where chance begins
    #[arg(long, default_value_t = 1, requires = "live")]
    seed: u64,
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

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Methods {
    Labels,
    Heuristic,
    Incremental,
    Batch,
}

impl Methods {
    fn method(self) -> Method {
        match self {
            Methods::Labels => Method::Labels,
            Methods::Heuristic => Method::Heuristic,
            Methods::Incremental => Method::Incremental,
            Methods::Batch => Method::Batch,
        }
    }
}

pub(crate) fn run(args: &Args) -> Result<()> {
    for from in &args.from {
        output::refuse_overwriting(&args.output, from, "a recording to learn from")?;
    }
    let start = load(&args.start)?;
    let connected = Connected::new(&start)
        .map_err(|error| anyhow!("{}: nothing in the play tells about it: {error}", args.start))?;
    let before = start.counts().map_or(0, |counts| counts.observations);
    let mut student = Student::new(connected, args.method.method());
    let bar = ProgressBar::no_length()
        .with_style(ProgressStyle::with_template("{spinner} {pos} observations, {per_sec}, {msg}")?);
    let taught_by = match &args.live {
        Some(teacher) => watch_live(args, teacher, &mut student, &bar)?,
        None => watch_files(args, &mut student, &bar)?,
    };
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
    if learned.summary.observations == 0 {
        bail!("{}", nothing_learned(args, &learned));
    }
    output::file(&args.output, &to_toml(&learned.behaviour))?;
    tell(args, &learned, before, &taught_by)
}

fn name_of(path: &Path) -> String {
    let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned());
    stem.filter(|stem| !stem.is_empty() && stem != "-").unwrap_or_else(|| "learned".to_owned())
}

fn nothing_learned(args: &Args, learned: &Learned) -> String {
    let from = args.from.iter().map(|path| path.display().to_string()).collect::<Vec<_>>().join(", ");
    if learned.summary.unlabelled > 0 {
        return format!(
            "none of the {} labels in {from} is a task of {}\n  remedy: learn from a character with a behaviour, or use --method incremental",
            learned.summary.unlabelled, args.start
        );
    }
    format!("there was nothing to learn in {from}\n  remedy: name a player that lives in the recording")
}

/// Every player in turn, so that a life is seen without interruption.
fn watch_files(args: &Args, student: &mut Student, bar: &ProgressBar) -> Result<Vec<String>> {
    let mut taught_by: Vec<String> = Vec::new();
    for path in &args.from {
        let source = Source::open(path)?;
        source.note_cut();
        let header = source.header().clone();
        let level = level_of(&header).map_err(|error| error.context(path.display().to_string()))?;
        for id in chosen(args, path, &header)? {
            student.end_life();
            for tick in Source::open(path)?.ticks() {
                let tick = tick?;
                let Some(row) = tick.rows.iter().find(|row| row.character == id) else { continue };
                if let (Some(percept), Some(command)) = (&row.percept, &row.command) {
                    let task = row.task.as_deref();
                    student.see(Seen { percept, command, task, events: &row.events }, level.places());
                    bar.inc(1);
                }
            }
            let name = header.characters.iter().find(|one| one.id == id).map(|one| one.name.clone());
            taught_by.extend(name.filter(|name| !taught_by.contains(name)));
        }
    }
    Ok(taught_by)
}

fn level_of(header: &Header) -> Result<Level> {
    if !["arena", "doom"].contains(&header.world.as_str()) || header.map_source.is_empty() {
        bail!(
            "it holds no map of the arena\n  remedy: learn from a recording of `repertoire record` or `repertoire doom record`"
        );
    }
    replay::level_of(header)
}

fn chosen(args: &Args, path: &Path, header: &Header) -> Result<Vec<u8>> {
    if args.players.is_empty() {
        return Ok(header.characters.iter().map(|character| character.id).collect());
    }
    let is_meant =
        |id: u8, name: &str| args.players.iter().any(|player| player == name || *player == id.to_string());
    let found: Vec<u8> =
        header.characters.iter().filter(|one| is_meant(one.id, &one.name)).map(|one| one.id).collect();
    if found.is_empty() {
        let names: Vec<&str> = header.characters.iter().map(|one| one.name.as_str()).collect();
        bail!(
            "{}: {} did not play there\n  remedy: --player with one of {}",
            path.display(),
            args.players.join(", "),
            names.join(", ")
        );
    }
    Ok(found)
}

fn watch_live(args: &Args, teacher: &str, student: &mut Student, bar: &ProgressBar) -> Result<Vec<String>> {
    if !(args.seconds > 0.0 && args.seconds <= 1e6) {
        bail!(
            "--seconds {}: there is nothing to see\n  remedy: a number above 0, at most 1000000",
            args.seconds
        );
    }
    let (_, level) = maps::find(&args.map)?;
    let contenders = [teacher, "native:3", "native:3", "native:1"]
        .into_iter()
        .map(|name| roster::find(name).map(|entry| Contender { name: name.to_owned(), mind: (entry.make)() }))
        .collect::<Result<Vec<_>>>()?;
    let mut game = Match::new(Arc::clone(&level), Rules::default(), contenders, args.seed);
    for _ in 0..(args.seconds / game.world().rules().period_secs()).round() as u64 {
        game.perceive();
        game.decide();
        let alive = game.world().is_alive(0);
        let task = game.contenders()[0].mind.task().to_owned();
        game.advance();
        if alive {
            let (percept, command) = (&game.percepts()[0], &game.commands()[0]);
            let seen = Seen { percept, command, task: Some(&task), events: game.world().events(0) };
            student.see(seen, level.places());
            bar.inc(1);
        }
    }
    Ok(vec![teacher.to_owned()])
}

fn tell(args: &Args, learned: &Learned, before: u64, taught_by: &[String]) -> Result<()> {
    let summary = &learned.summary;
    let behaviour = &learned.behaviour;
    let shares: Vec<(String, f64)> = shares(learned);
    if args.json {
        return output::json(&json!({
            "file": args.output.display().to_string(),
            "method": args.method.method().name(),
            "players": taught_by,
            "observations": summary.observations,
            "observations_before": before,
            "lives": summary.lives,
            "unlabelled": summary.unlabelled,
            "contradictions": summary.contradictions,
            "edited_columns": summary.edited_columns,
            "task_shares": shares.iter().map(|(name, share)| json!({ "task": name, "share": share })).collect::<Vec<_>>(),
            "log_likelihood": summary.curve.iter().map(|(at, mean)| json!([at, mean])).collect::<Vec<_>>(),
        }));
    }
    let mut text = format!(
        "{}: {} observations of {} lives of {}, by {}\n",
        behaviour.name(),
        summary.observations,
        summary.lives,
        taught_by.join(", "),
        args.method.method().name()
    );
    if before > 0 {
        text += &format!("went on from {before} observations\n");
    }
    if summary.edited_columns > 0 {
        text += &format!(
            "{} columns were edited by hand; their counts follow the edit\n",
            summary.edited_columns
        );
    }
    if summary.unlabelled > 0 {
        text += &format!(
            "{} observations had no task that the behaviour knows, and were left out\n",
            summary.unlabelled
        );
    }
    if summary.contradictions > 0 {
        text += &format!("{} commands were impossible for every task\n", summary.contradictions);
    }
    let unit = if args.method.method() == Method::Batch { "iteration" } else { "observation" };
    text += &format!("\nlog-likelihood of an observation, after {unit}\n");
    for (at, mean) in thinned(&summary.curve) {
        text += &format!("  {at:>8}  {mean:>9.4}\n");
    }
    text += "\nshare of the tasks\n";
    for (name, share) in &shares {
        text += &format!("  {name:<16} {:>5.1} %\n", share * 100.0);
    }
    text += &format!(
        "\n`repertoire behaviour show {0}` shows the tables; written to {0}\n",
        args.output.display()
    );
    if args.output == Path::new("-") {
        // The behaviour itself is on standard output.
        anstream::eprint!("{text}");
        return Ok(());
    }
    output::text(&text)
}

/// How often each task was seen, by its counts.
fn shares(learned: &Learned) -> Vec<(String, f64)> {
    let Some(counts) = learned.behaviour.counts() else { return Vec::new() };
    let tasks = learned.behaviour.tasks().len();
    let ended: Vec<f64> =
        (0..tasks).map(|task| counts.transition.iter().skip(task).step_by(tasks).sum()).collect();
    let total: f64 = ended.iter().sum::<f64>().max(1e-300);
    learned.behaviour.task_names().map(str::to_owned).zip(ended.iter().map(|n| n / total)).collect()
}

/// At most a dozen points of a curve, the last among them.
fn thinned(curve: &[(u64, f64)]) -> Vec<(u64, f64)> {
    let step = curve.len().div_ceil(12).max(1);
    let mut points: Vec<(u64, f64)> = curve.iter().copied().step_by(step).collect();
    if let Some(&last) = curve.last()
        && points.last() != Some(&last)
    {
        points.push(last);
    }
    points
}
