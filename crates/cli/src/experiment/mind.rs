//! `repertoire experiment mind`: what each stage of a whole mind is worth.

use anyhow::{Context, Result};
use clap::Args as ClapArgs;
use repertoire::load;
use repertoire_draw::terminal;
use repertoire_eval::Entry;
use repertoire_eval::minds::{MindExperiment, SubjectOnMap, Worth};
use repertoire_eval::tournament::unique_names;
use repertoire_mind::fighter::Stage;
use serde_json::json;

use crate::arena::{maps, or_usual, roster};
use crate::shard::ShardArgs;
use crate::{output, progress};

/// What each stage of a whole mind is worth: duels with one stage removed in turn, beside native bots and all other kinds
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Each subject plays the same duels against --opponent. The hands of the shipped fighters are those of native:3 (its aim,
speed and reaction), so what a fighter wins by against native:3 is its mind; only the hunter's hands get better with use, so of the
hunter look at the row without learn. Removed in turn are believe (where opponents out
of sight are), want (needs), plan, decide (sensors), imitate (the teacher) and learn (from its deaths).

An avoidable death: it met the opponent unarmed or below half health, and what it was short of lay within four seconds' way.

Maps that were used to tune the shipped fighters: yard, halls, keep, and FreeDM's MAP05 to MAP12 and MAP16. Others are shown
apart.

Examples:
  repertoire experiment mind
  repertoire experiment mind --fighter hunter --map yard --duels 40
  repertoire experiment mind --fighter scout.toml --map freedm.wad:MAP01 --map freedm.wad:MAP02 --json")]
pub struct Args {
    /// Fighter to take apart, by name or file; may be given several times [default: all that come with repertoire]
    #[arg(long = "fighter", value_name = "NAME|FILE")]
    fighters: Vec<String>,
    /// Other character to play the same duels; may be given several times [default: one of each kind]
    #[arg(long = "beside", value_name = "CONTENDER")]
    beside: Vec<String>,
    /// Whom all of them meet
    #[arg(long, value_name = "CONTENDER", default_value = "native:3")]
    opponent: String,
    /// Map to play on; may be given several times [default: those that come with repertoire]
    #[arg(long = "map", value_name = "NAME|FILE")]
    maps: Vec<String>,
    /// Duels on each map; more make the intervals narrower
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    duels: u32,
    /// Frags that win a duel
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(i32).range(1..=100_000))]
    frags: i32,
    /// Seconds of game time after which a duel that nobody has won ends
    #[arg(long, value_name = "SECS", default_value_t = 1200.0)]
    seconds: f64,
    /// Do not take fighters apart: only whole ones play
    #[arg(long)]
    whole: bool,
    /// Random seed; the same seed repeats the duels
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Answer as JSON, with every duel
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    shard: ShardArgs,
}

/// One of each kind.
const KINDS: [&str; 7] = [
    "native:3",
    "native:3+belief",
    "prudent",
    "aggressive",
    "individual:plain",
    "individual:brute",
    "imitator",
];
/// Maps on which the shipped fighters were tuned, by how their names end.
const TUNED: [&str; 12] = [
    "yard", "halls", "keep", "MAP05", "MAP06", "MAP07", "MAP08", "MAP09", "MAP10", "MAP11", "MAP12", "MAP16",
];

pub(crate) fn run(args: &Args) -> Result<()> {
    let experiment = MindExperiment {
        levels: or_usual(&args.maps, &maps::names())
            .iter()
            .map(|name| maps::find(name))
            .collect::<Result<_, _>>()?,
        subjects: subjects(args)?,
        opponent: roster::find(&args.opponent)?,
        duels: args.duels,
        frags: args.frags,
        seconds: args.seconds,
        seed: args.seed,
    };
    let template = "{bar:30} duel {pos} of {len}, {elapsed} gone, {eta} to go";
    let bar = progress::bar(experiment.total_duels(), template);
    experiment.check()?;
    let Some(outcome) = args.shard.carry_out(&experiment, "duels", &bar, args.json)? else { return Ok(()) };
    if args.json {
        return output::json(&json!({ "opponent": args.opponent, "duels": args.duels, "frags": args.frags,
            "seed": args.seed, "groups": groups(&experiment, &outcome).iter().map(|(title, rows)| {
                let rows: Vec<_> = rows.iter().map(|(name, worth)| json!({ "subject": name, "worth": worth })).collect();
                json!({ "maps": title, "subjects": rows })
            }).collect::<Vec<_>>(), "each": outcome }));
    }
    let mut text = String::new();
    for (maps, rows) in groups(&experiment, &outcome) {
        let title = format!(
            "Duels against {} to {} frags, {} on each of {maps}",
            args.opponent, args.frags, args.duels
        );
        text += &terminal::experiments::minds(&title, &rows);
        text.push('\n');
    }
    text += "± is the 95 % interval; that of wins is in its own column.\n";
    output::text(&text)
}

/// Whole fighters, each with one stage removed in turn, and the other kinds.
fn subjects(args: &Args) -> Result<Vec<Entry>> {
    let shipped: Vec<&str> =
        repertoire_mind::fighter::shipped::FIGHTERS.iter().map(|(name, _)| *name).collect();
    let mut subjects = Vec::new();
    for written in or_usual(&args.fighters, &shipped) {
        let design = load::fighter(written).with_context(|| format!("`{written}` cannot be taken apart"))?;
        let name = design.name().to_owned();
        subjects.push(roster::of_fighter(&name, &design));
        for stage in Stage::ALL.into_iter().filter(|_| !args.whole) {
            if let Some(less) = design.without(stage) {
                subjects.push(roster::of_fighter(&format!("{name} without {}", stage.name()), &less));
            }
        }
    }
    for written in or_usual(&args.beside, &KINDS) {
        subjects.push(roster::find(written)?);
    }
    // Two files may hold characters of one name; their duels are counted apart.
    unique_names(subjects.iter_mut().map(|entry| &mut entry.name));
    Ok(subjects)
}

/// The measures of each subject, on the maps of tuning and on the others.
fn groups(experiment: &MindExperiment, outcome: &[SubjectOnMap]) -> Vec<(String, Vec<(String, Worth)>)> {
    let is_tuned = |map: &str| TUNED.iter().any(|tuned| map.ends_with(tuned));
    let mut groups = Vec::new();
    for tuned in [true, false] {
        let names: Vec<&str> = experiment
            .levels
            .iter()
            .map(|(name, _)| name.as_str())
            .filter(|name| is_tuned(name) == tuned)
            .collect();
        if names.is_empty() {
            continue;
        }
        let worth = |subject: &Entry| {
            let of = outcome.iter().filter(|one| one.subject == subject.name && is_tuned(&one.map) == tuned);
            (subject.name.clone(), Worth::of(of.flat_map(|one| &one.duels)))
        };
        let which = if tuned { "used for tuning" } else { "not used for tuning" };
        groups.push((
            format!("{} ({which})", names.join(", ")),
            experiment.subjects.iter().map(worth).collect(),
        ));
    }
    groups
}
