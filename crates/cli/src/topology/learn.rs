//! `repertoire topology learn`: places from recorded play.

use repertoire_eval::topology::learn::{LearnedMap, learn_maps, places_file};
use repertoire_topology::Learner;
use repertoire_topology::evaluate::Order;

use super::how::How;
use crate::prelude::*;
use crate::trace::source::read;

/// Learn places from where players walked
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Without --map every map of the play is learned, each on its own, and all go into one file. The learner goes through the play in
the order of the file, `--passes` times; one is what it would know if it had watched the players live.

Links join places between which somebody was seen walking; `walked` says how often (0: only the way back was seen).

Examples:
  repertoire topology learn --play match.parquet -o places.json
  repertoire topology learn --play people.csv.gz --map DM-Antalus --passes 10 -o antalus.json
  repertoire topology learn --play monday.csv --state learner.json -o places.json
  repertoire topology learn --play tuesday.csv --state learner.json -o places.json    goes on where it was
  repertoire topology learn --play play.csv --thesis --edges figure -o figure.json    figure 3.12 to the letter
  repertoire record --seconds 600 -o match.parquet && repertoire topology learn --play match.parquet -o halls.json")]
pub struct Args {
    /// Recorded play: CSV (plain or gzip), or recordings of `repertoire record`
    #[arg(long, value_name = "FILE", required = true, num_args = 1..)]
    play: Vec<PathBuf>,
    /// Learn only this map
    #[arg(long, value_name = "NAME")]
    map: Option<String>,
    /// Number of passes through the play
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    passes: u32,
    /// Learn from all players at once, a position of each in turn, instead of one after the other
    #[arg(long)]
    together: bool,
    /// Continue from the learners in this file if it exists, and write them back to it
    #[arg(long, value_name = "FILE")]
    state: Option<PathBuf>,
    /// Write the places to this file; `-` is standard output
    #[arg(short, long, value_name = "PLACES.json")]
    output: PathBuf,
    /// Print the summary as JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    how: How,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let read_from = args.play.iter().chain(&args.state);
    output::refuse_overwriting_any(&args.output, read_from, "what is learned from")?;
    if let Some(state) = &args.state {
        output::refuse_overwriting_any(state, &args.play, "play to learn from")?;
    }
    let maps = movement::by_map(movement::load(&args.play)?, args.map.as_deref())?;
    let mut learners = match &args.state {
        Some(path) if path.exists() => saved(path)?,
        _ => BTreeMap::new(),
    };
    let positions: usize = maps.values().flatten().map(|one| one.moments.len()).sum();
    let length = positions as u64 * u64::from(args.passes);
    let mut lessons = Vec::new();
    for (map, recorded) in &maps {
        let units = recorded.first().map_or(1.0, |one| one.units_per_metre);
        let learner = match learners.remove(map) {
            Some(learner) => learner,
            None => Learner::new(args.how.settings(units)?)?,
        };
        lessons.push((map.as_str(), recorded.as_slice(), learner));
    }
    let order = if args.together { Order::Together } else { Order::InTurn };
    let learned = progress::with_bar(length, "learning [{bar:40}] {percent} %, {eta} left", |bar| {
        learn_maps(lessons, args.passes, order, &|seen| bar.inc(seen))
    })?;
    let units = maps.values().flatten().next().map(|one| one.units_per_metre);
    let file = places_file(&learned, args.how.units_per_metre.or(units), args.passes);
    output::file(&args.output, &(serde_json::to_string(&file)? + "\n"))?;
    if let Some(path) = &args.state {
        learners.extend(learned.iter().map(|one| (one.map.clone(), one.learner.clone())));
        output::file(path, &(serde_json::to_string(&learners)? + "\n"))?;
    }
    tell(args, &learned)
}

fn saved(path: &Path) -> Result<BTreeMap<String, Learner>> {
    serde_json::from_slice(&read(path)?).map_err(|error| {
        anyhow!(
            "{}: {error}\n  remedy: give a file that `topology learn --state` wrote, or a name that is not there yet",
            path.display()
        )
    })
}

fn tell(args: &Args, learned: &[LearnedMap]) -> Result<()> {
    if learned.iter().all(|one| one.learner.gas().is_empty()) {
        bail!("no place was learned\n  remedy: give play with positions");
    }
    let figures: Vec<_> = learned.iter().map(LearnedMap::figures).collect();
    let text = terminal::topology::learned(&figures);
    if output::is_stdout(&args.output) {
        // The places themselves are on standard output.
        anstream::eprint!("{text}");
        return Ok(());
    }
    let file = args.output.display().to_string();
    let report = json!({ "file": file, "passes": args.passes, "maps": figures });
    output::answer(args.json, &report, || text + &format!("written to {file}\n"))
}
