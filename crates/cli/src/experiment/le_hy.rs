//! `repertoire experiment le-hy`: table 4.31 in the arena, and how well learning recovers a known teacher.

use repertoire_bayes::sequence::file::to_toml;
use repertoire_eval::le_hy::{LeHy, LeHyError, LessonsError, TaskLessons};

use crate::prelude::*;

/// Le Hy 2007, table 4.31: written and learned behaviours against native bots; and how well learning recovers its teacher
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Teachers with known behaviours (aggressive, prudent) play on a map; pupils learn from this play by labels, heuristic,
incremental and batch. Then written, learned and native characters all play each other. Scores are as in `repertoire tournament`, 0 is best.
Two small tables follow: the thesis's own line-up of four (table 3.11), once with sensors and tasks as the arena has them, once as
the thesis's game had them (`tournament --rules unreal`; the weapon one begins with counts as a weapon, and tasks are a bot's own programs).
On maps whose weapons lie on the ways, such as FreeDM's, the second comes out as in the thesis; on halls and keep it does not (docs/results.md).
The last table shows what the thesis could not measure: how far a pupil's decisions are from its teacher's (total
variation, in situations from another match), against the length of the demonstration.

Examples:
  repertoire experiment le-hy
  repertoire experiment le-hy --matches 2 --demonstrations 2 --lengths 35,350
  repertoire experiment le-hy --pupils pupils --json")]
pub struct Args {
    /// Matches on each map; more make the intervals narrower
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    matches: u32,
    /// Frags that win a match
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(i32).range(1..=100_000))]
    frags: i32,
    /// Map to play the table on; may be given several times [default: halls, keep]
    #[arg(long = "map", value_name = "NAME|FILE")]
    maps: Vec<String>,
    /// Map on which the teachers play
    #[arg(long, default_value = "halls", value_name = "NAME|FILE")]
    lessons_on: String,
    /// Lengths of demonstrations, in seconds of game time
    #[arg(long, value_delimiter = ',', default_values_t = [35.0, 88.0, 175.0, 350.0, 700.0, 1400.0], value_name = "SECS,..")]
    lengths: Vec<f64>,
    /// Demonstrations per teacher to average the distances over
    #[arg(long, default_value_t = 6, value_parser = clap::value_parser!(u32).range(1..=1000))]
    demonstrations: u32,
    /// Levels of the native bots in the table
    #[arg(long, value_delimiter = ',', default_values_t = [1, 2, 3, 4, 5], value_name = "LEVEL,..", value_parser = clap::value_parser!(u8).range(0..=7))]
    natives: Vec<u8>,
    /// Random seed; the same seed repeats the run
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Write the learned behaviours to this folder
    #[arg(long, value_name = "FOLDER")]
    pupils: Option<PathBuf>,
    /// Only learn, without playing matches
    #[arg(long)]
    no_matches: bool,
    /// Also show how long decisions take; times differ from run to run
    #[arg(long)]
    timing: bool,
    #[command(flatten)]
    answer: Answer,
    #[command(flatten)]
    shard: ShardArgs,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let (_, level) = maps::find(&args.lessons_on)?;
    let lessons = TaskLessons {
        level,
        lengths_secs: args.lengths.clone(),
        demonstrations: args.demonstrations,
        seed: args.seed,
    };
    let levels = if args.no_matches {
        Vec::new()
    } else {
        let names = or_usual(&args.maps, &["halls", "keep"]);
        names.iter().map(|name| maps::find(name)).collect::<Result<_, _>>()?
    };
    let mut experiment =
        LeHy::new(lessons, levels, args.matches, args.frags, args.natives.clone()).map_err(|error| {
            match error {
                LeHyError::Lessons(error @ LessonsError::Length(_)) => anyhow!("--lengths {error}"),
                LeHyError::Lessons(error) => anyhow!("--demonstrations: {error}"),
                other => other.into(),
            }
        })?;
    experiment.clock = clock::lent(args.timing);
    let template = "{bar:30} demonstration or match {pos} of {len}, {elapsed} gone, {eta} to go";
    let unit = "demonstrations and matches";
    let done = args.shard.carry_out_with_bar(&experiment, unit, template, args.answer.json)?;
    let Some(results) = done else { return Ok(()) };
    if let Some(folder) = &args.pupils {
        std::fs::create_dir_all(folder).with_context(|| format!("{} could not be made", folder.display()))?;
        for pupil in experiment.pupils() {
            output::file(&folder.join(pupil.file_name()), &to_toml(&pupil.behaviour))?;
        }
    }
    args.answer
        .print(&terminal::experiments::le_hy_as_json(&results), || terminal::experiments::le_hy(&results))
}
