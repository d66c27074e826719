//! `repertoire topology learn`: places from recorded play.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Result, anyhow, bail};
use clap::Args as ClapArgs;
use indicatif::{ProgressBar, ProgressStyle};
use rayon::prelude::*;
use repertoire_topology::compare::{Followed, follow};
use repertoire_topology::evaluate::{Order, Session, teach};
use repertoire_topology::{Learner, PlacesFile, places};
use serde_json::json;

use super::how::How;
use crate::belief::data::read;
use crate::movement::{self, Recorded};
use crate::{draw, output};

/// Learn places from where players walked
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Without --map every map of the play is learned, each on its own, and all go into one file. The learner goes through the play in
the order of the file, `--passes` times; one is what it would know if it had watched the players live.

Links join places between which somebody was seen walking; `walked` says how often (0: only the way back was seen).

Examples:
  repertoire topology learn --play ut2004_human_10hz.csv.gz --map DM-Antalus -o antalus.json
  repertoire topology learn --play ut2004_human_10hz.csv.gz --passes 10 -o all.json
  repertoire topology learn --play monday.csv --state learner.json -o places.json
  repertoire topology learn --play tuesday.csv --state learner.json -o places.json    goes on where it was
  repertoire topology learn --play play.csv --thesis --edges figure -o figure.json    figure 3.12 to the letter
  repertoire record --seconds 600 -o match.parquet && repertoire topology learn --play match.parquet -o halls.json")]
pub struct Args {
    /// Recorded play: CSV (plain or gzip) or a recording of ours
    #[arg(long, value_name = "FILE", required = true, num_args = 1..)]
    play: Vec<PathBuf>,
    /// Only this map
    #[arg(long, value_name = "NAME")]
    map: Option<String>,
    /// How often to go through the play
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    passes: u32,
    /// Learn from all players at once, a position of each in turn, instead of one after the other
    #[arg(long)]
    together: bool,
    /// Go on from the learners in this file, if it is there, and write them back
    #[arg(long, value_name = "FILE")]
    state: Option<PathBuf>,
    /// Where to write the places; - for standard output
    #[arg(short, long, value_name = "PLACES.json")]
    output: PathBuf,
    /// Print the summary as JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    how: How,
}

struct Learned {
    map: String,
    learner: Learner,
    sessions: usize,
    players: usize,
    on_play: Followed,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    for path in args.play.iter().chain(&args.state) {
        output::refuse_overwriting(&args.output, path, "what is learned from")?;
    }
    for path in &args.play {
        if let Some(state) = &args.state {
            output::refuse_overwriting(state, path, "play to learn from")?;
        }
    }
    let maps = movement::by_map(movement::load(&args.play)?, args.map.as_deref())?;
    let mut learners = match &args.state {
        Some(path) if path.exists() => saved(path)?,
        _ => BTreeMap::new(),
    };
    let positions: usize = maps.values().flatten().map(|one| one.moments.len()).sum();
    let bar = ProgressBar::new(positions as u64 * u64::from(args.passes));
    bar.set_style(ProgressStyle::with_template("learning [{bar:40}] {percent} %, {eta} left")?);
    let mut tasks = Vec::new();
    for (map, recorded) in &maps {
        let units = recorded.first().map_or(1.0, |one| one.units_per_metre);
        let learner = match learners.remove(map) {
            Some(learner) => learner,
            None => Learner::new(args.how.settings(units)?),
        };
        tasks.push((map, recorded, learner));
    }
    let learned: Vec<Learned> = tasks
        .into_par_iter()
        .map(|(map, recorded, learner)| learn(args, map, recorded, learner, &bar))
        .collect();
    bar.finish_and_clear();
    let units = maps.values().flatten().next().map(|one| one.units_per_metre);
    let file = PlacesFile {
        format: Some(places::FORMAT.to_owned()),
        units_per_metre: args.how.units_per_metre.or(units),
        settings: learned.first().map(|one| *one.learner.settings()),
        passes: Some(args.passes),
        levels: learned.iter().map(|one| (one.map.clone(), one.learner.level())).collect(),
    };
    output::file(&args.output, &(serde_json::to_string(&file)? + "\n"))?;
    if let Some(path) = &args.state {
        learners.extend(learned.iter().map(|one| (one.map.clone(), one.learner.clone())));
        output::file(path, &(serde_json::to_string(&learners)? + "\n"))?;
    }
    tell(args, &learned, &file)
}

fn saved(path: &Path) -> Result<BTreeMap<String, Learner>> {
    serde_json::from_slice(&read(path)?).map_err(|error| {
        anyhow!(
            "{}: {error}\n  remedy: give a file that `topology learn --state` wrote, or a name that is not there yet",
            path.display()
        )
    })
}

fn learn(args: &Args, map: &str, recorded: &[Recorded], mut learner: Learner, bar: &ProgressBar) -> Learned {
    let sessions: Vec<Session> = recorded.iter().map(Recorded::session).collect();
    let refer: Vec<&Session> = sessions.iter().collect();
    let order = if args.together { Order::Together } else { Order::InTurn };
    for _ in 0..args.passes {
        let mut seen = 0;
        teach(&mut learner, &refer, order, &mut |_| {
            seen += 1;
            if seen % 1024 == 0 {
                bar.inc(1024);
            }
        });
        bar.inc(seen % 1024);
    }
    let on_play = follow(&learner.level(), sessions.iter().flat_map(|session| &session.tracks));
    let mut players: Vec<&str> = recorded.iter().map(|one| one.player.as_str()).collect();
    players.sort_unstable();
    players.dedup();
    Learned { map: map.to_owned(), learner, sessions: recorded.len(), players: players.len(), on_play }
}

fn tell(args: &Args, learned: &[Learned], file: &PlacesFile) -> Result<()> {
    if learned.iter().all(|one| one.learner.gas().is_empty()) {
        bail!("no place was learned\n  remedy: give play with positions");
    }
    if args.json && args.output != Path::new("-") {
        let maps: Vec<_> = learned
            .iter()
            .map(|one| {
                let level = &file.levels[&one.map];
                json!({ "map": one.map, "sessions": one.sessions, "players": one.players,
                    "positions": one.learner.inputs(), "nodes": level.nodes.len(), "links": level.links.len(),
                    "mean_distance": one.on_play.mean_distance, "changes_along_links": one.on_play.share() })
            })
            .collect();
        return output::json(
            &json!({ "file": args.output.display().to_string(), "passes": args.passes, "maps": maps }),
        );
    }
    let head = ["map", "sessions", "players", "positions", "nodes", "links", "distance", "along links"];
    let mut lines = vec![head.map(str::to_owned).to_vec()];
    for one in learned {
        let level = &file.levels[&one.map];
        lines.push(vec![
            one.map.clone(),
            one.sessions.to_string(),
            one.players.to_string(),
            one.learner.inputs().to_string(),
            level.nodes.len().to_string(),
            level.links.len().to_string(),
            format!("{:.1}", one.on_play.mean_distance),
            format!("{:.1} %", 100.0 * one.on_play.share()),
        ]);
    }
    let text = draw::columns(&lines)
        + "distance: from a player to the nearest node on the play that was learned from; along links: changes of nearest node\n";
    if args.output == Path::new("-") {
        // The places themselves are on standard output.
        anstream::eprint!("{text}");
        return Ok(());
    }
    output::text(&(text + &format!("written to {}\n", args.output.display())))
}
