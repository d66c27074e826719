//! `repertoire experiment tence`: characters learned by imitation beside their teachers.

use repertoire_eval::signature::NAMES;
use repertoire_eval::tence::{Lessons, Outcome, TEACHERS};

use crate::prelude::*;

/// Tencé 2011, section 4.4: characters learned by imitation, beside their teachers and Le Hy's model learned from the same play
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Each teacher plays a match against three native bots (levels 3, 3, 1). A behaviour (Le Hy, incremental Baum-Welch) and two
CHAMELEON characters, with attention as written and with attention learned, learn from it and take its place in other matches.

The first table shows how well each explains the teacher's commands in a match it did not learn from (ln of the density
per decision: more is better), and how it plays. The second shows how far its signatures are from each teacher's, in degrees; a
teacher's from its own are between its different matches. The third shows habits of movement.

Examples:
  repertoire experiment tence
  repertoire experiment tence --teacher native:5 --matches 2 --lesson 300
  repertoire experiment tence --teacher native:5 --without course
  repertoire experiment tence --pupils pupils --json")]
pub struct Args {
    /// Teacher, as a contender of `tournament`; may be given several times [default: native:1, native:3, native:5, aggressive, prudent]
    #[arg(long = "teacher", value_name = "CONTENDER")]
    teachers: Vec<String>,
    /// Map on which everybody plays
    #[arg(long, default_value = "halls", value_name = "NAME|FILE")]
    map: String,
    /// Model of the CHAMELEON characters (their stimuli and actions): one that comes with repertoire, or a file
    #[arg(long, default_value = "arena", value_name = "MODEL")]
    model: String,
    /// Leave these stimuli out of the model, to see what they are worth, such as course or way_weapon,way_health
    #[arg(long, value_delimiter = ',', value_name = "STIMULUS,..")]
    without: Vec<String>,
    /// How many hidden decisions the characters have
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u16).range(1..=256))]
    decisions: u16,
    /// Length of the match that is learned from, in seconds of game time
    #[arg(long, default_value_t = 3000.0, value_name = "SECS")]
    lesson: f64,
    /// Length of every other match, in seconds of game time
    #[arg(long, default_value_t = 600.0, value_name = "SECS")]
    seconds: f64,
    /// Matches by which each character is judged
    #[arg(long, default_value_t = 6, value_parser = clap::value_parser!(u32).range(1..=1000))]
    matches: u32,
    /// EM iterations at most
    #[arg(long, default_value_t = 60, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    iterations: u32,
    /// Random seed; the same seed repeats the run
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Write what was learned to this folder: behaviours as TOML, characters as JSON
    #[arg(long, value_name = "FOLDER")]
    pupils: Option<PathBuf>,
    #[command(flatten)]
    answer: Answer,
    #[command(flatten)]
    shard: ShardArgs,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    for (name, secs) in [("lesson", args.lesson), ("seconds", args.seconds)] {
        ensure!(
            (10.0..=1e5).contains(&secs),
            "--{name} {secs}: a match of that length shows nothing\n  remedy: seconds from 10 to 100000"
        );
    }
    let (_, level) = maps::find(&args.map)?;
    let mut model = load::model(&args.model)?;
    for stimulus in &args.without {
        model = model.without(stimulus).map_err(|error| anyhow!("--without: {error}"))?;
    }
    let named = or_usual(&args.teachers, &TEACHERS);
    let lessons = Lessons {
        level,
        teachers: named.into_iter().map(roster::find).collect::<Result<_, _>>()?,
        model: model.with_decisions(args.decisions.into())?,
        lesson_secs: args.lesson,
        match_secs: args.seconds,
        matches: args.matches,
        iterations: args.iterations as usize,
        seed: args.seed,
    };
    let template = "{bar:30} {pos} of {len} teachers and pupils judged, {elapsed} gone, {eta} to go";
    let done = args.shard.carry_out_with_bar(&lessons, "teachers and pupils", template, args.answer.json)?;
    let Some(outcome) = done else { return Ok(()) };
    if let Some(folder) = &args.pupils {
        keep(folder, &outcome)?;
    }
    let report = json!({ "signatures": NAMES, "judged": outcome.judged });
    args.answer.print(&report, || terminal::experiments::imitation(&outcome))
}

fn keep(folder: &Path, outcome: &Outcome) -> Result<()> {
    std::fs::create_dir_all(folder).with_context(|| format!("{} could not be made", folder.display()))?;
    outcome.files().try_for_each(|(name, content)| output::file_of_bytes(&folder.join(name), content))
}
