//! `repertoire experiment le-hy`: table 4.31 in the arena, and how well learning recovers a known teacher.

use std::path::PathBuf;

use anyhow::{Context, Result, anyhow};
use clap::Args as ClapArgs;
use indicatif::{ProgressBar, ProgressStyle};
use repertoire_bayes::sequence::file::to_toml;
use repertoire_eval::le_hy::{LessonsError, Recovery, TEACHERS, TaskLessons, contenders};
use repertoire_eval::tournament::{Outcome, Tournament};
use repertoire_mind::student::Method;
use serde_json::json;

use crate::arena::maps;
use crate::{draw, output, tournament};

/// Le Hy 2007, table 4.31: written and learned behaviours against native bots; and how well learning recovers its teacher
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Teachers with known behaviours (aggressive, prudent) play on a map; pupils learn from it by labels, heuristic,
incremental and batch. Then all meet: written, learned, native. Scores are as in `repertoire tournament`, 0 is best.
The second table is what no thesis could measure: how far a pupil's decisions are from its teacher's (total
variation, in situations from another match), against the length of the demonstration.

Examples:
  repertoire experiment le-hy
  repertoire experiment le-hy --matches 2 --demonstrations 2 --lengths 35,350
  repertoire experiment le-hy --pupils pupils --json")]
pub struct Args {
    /// Matches on each map
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    matches: u32,
    /// Frags that win a match
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(i32).range(1..=100_000))]
    frags: i32,
    /// Where the table is played; may be given several times [default: halls, keep]
    #[arg(long = "map", value_name = "NAME|FILE")]
    maps: Vec<String>,
    /// Where the teachers play
    #[arg(long, default_value = "halls", value_name = "NAME|FILE")]
    lessons_on: String,
    /// Lengths of demonstrations, in seconds of the game
    #[arg(long, value_delimiter = ',', default_values_t = [35.0, 88.0, 175.0, 350.0, 700.0, 1400.0], value_name = "SECS,..")]
    lengths: Vec<f64>,
    /// Demonstrations of each teacher that the distances are averaged over
    #[arg(long, default_value_t = 6, value_parser = clap::value_parser!(u32).range(1..=1000))]
    demonstrations: u32,
    /// Levels of the native bots in the table
    #[arg(long, value_delimiter = ',', default_values_t = [1, 2, 3, 4, 5], value_name = "LEVEL,..", value_parser = clap::value_parser!(u8).range(0..=7))]
    natives: Vec<u8>,
    /// Random seed; the same seed repeats the run
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Write the learned behaviours into this folder
    #[arg(long, value_name = "FOLDER")]
    pupils: Option<PathBuf>,
    /// Only learn: no matches
    #[arg(long)]
    no_matches: bool,
    /// Answer as JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let (_, level) = maps::find(&args.lessons_on)?;
    let lessons = TaskLessons {
        level,
        lengths_secs: args.lengths.clone(),
        demonstrations: args.demonstrations,
        seed: args.seed,
    };
    lessons.check().map_err(|error| match error {
        LessonsError::Length(_) => anyhow!("--lengths {error}"),
        LessonsError::NoDemonstrations => anyhow!("--demonstrations: {error}"),
    })?;
    let total = u64::from(args.demonstrations) * TEACHERS.len() as u64;
    let bar = ProgressBar::new(total).with_style(ProgressStyle::with_template(
        "{bar:30} demonstration {pos} of {len}, {elapsed} gone, {eta} to go",
    )?);
    bar.tick();
    let (recoveries, pupils) = lessons.teach(&|| bar.inc(1))?;
    bar.finish_and_clear();
    if let Some(folder) = &args.pupils {
        std::fs::create_dir_all(folder).with_context(|| format!("{} could not be made", folder.display()))?;
        for pupil in &pupils {
            let file = folder.join(format!("{}-{}.toml", pupil.teacher, pupil.method.name()));
            output::file(&file, &to_toml(&pupil.behaviour))?;
        }
    }
    let outcome = if args.no_matches {
        None
    } else {
        let usual = ["halls".to_owned(), "keep".to_owned()];
        let names = if args.maps.is_empty() { &usual[..] } else { &args.maps };
        let levels = names.iter().map(|name| maps::find(name)).collect::<Result<_>>()?;
        let table = Tournament {
            matches: args.matches,
            frags: args.frags,
            seed: args.seed,
            ..Tournament::new(levels, contenders(&pupils, &args.natives))
        };
        Some(tournament::play(&table, None)?)
    };
    if args.json {
        return output::json(&as_json(&recoveries, outcome.as_ref()));
    }
    let mut text = String::new();
    if let Some(outcome) = &outcome {
        text += &tournament::report(outcome, None, false);
        text += "\nLe Hy 2007, table 4.31 (Unreal Tournament, human teachers): written aggressive 8.0, prudent 12.2, uniform 43.2;\n\
                 labels aggressive 45.7; heuristic aggressive 4.4, prudent 13.9; incremental aggressive 8.5; native 3/8 11.0.\n\n";
    }
    text += &recovery_table(&recoveries);
    output::text(&text)
}

fn recovery_table(recoveries: &[Recovery]) -> String {
    let bold = anstyle::Style::new().bold();
    let mut text = format!(
        "{bold}How far decisions are from the teacher's, after so many seconds of its play{bold:#}\n\n"
    );
    let mut head = vec!["teacher, method".to_owned()];
    head.extend(recoveries.first().iter().flat_map(|one| &one.points).map(|(secs, _)| format!("{secs} s")));
    let mut lines = vec![head];
    for recovery in recoveries {
        let mut line = vec![format!("{}, {}", recovery.teacher, recovery.method.name())];
        line.extend(recovery.points.iter().map(|(_, apart)| match apart.half_width {
            Some(half) => format!("{:.3} ± {half:.3}", apart.mean),
            None => format!("{:.3}", apart.mean),
        }));
        lines.push(line);
    }
    text += &draw::columns(&lines);
    text + "\nTotal variation between the two distributions over tasks, averaged over the situations of another match: 0 the\n\
            same, 1 never the same. ± is the 95 % interval over demonstrations.\n"
}

fn as_json(recoveries: &[Recovery], outcome: Option<&Outcome>) -> serde_json::Value {
    let recovery = |one: &Recovery| {
        let points = one.points.iter().map(|(secs, apart)| {
            json!({ "seconds": secs, "total_variation": apart.mean, "half_width": apart.half_width })
        });
        json!({ "teacher": one.teacher, "method": one.method.name(), "points": points.collect::<Vec<_>>() })
    };
    json!({
        "table": outcome,
        "recovery": recoveries.iter().map(recovery).collect::<Vec<_>>(),
        "methods": Method::ALL.map(Method::name),
    })
}
