//! `repertoire experiment tence`: characters learned by imitation beside their teachers.

use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use clap::Args as ClapArgs;
use indicatif::{ProgressBar, ProgressStyle};
use repertoire::load;
use repertoire_bayes::sequence::file::to_toml;
use repertoire_eval::signature::NAMES;
use repertoire_eval::tence::{Judged, Lessons, Outcome, Pupil};
use serde_json::json;

use crate::arena::{maps, roster};
use crate::{draw, output};

/// Tence 2011, section 4.4: characters learned by imitation, beside their teachers and Le Hy's model learned from the same play
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Each teacher plays a match against three native bots (levels 3, 3, 1). A behaviour (Le Hy, incremental Baum-Welch) and two
CHAMELEON characters, with attention as written and with attention learned, learn from it and take its place in other matches.

The first table tells how well each explains the teacher's commands in a match it did not learn from (ln of the density a
decision: more is better), and how it plays. The second tells how far its signatures are from each teacher's, in degrees; a
teacher's from its own are between its different matches. The third tells habits of movement.

Examples:
  repertoire experiment tence
  repertoire experiment tence --teacher native:5 --matches 2 --lesson 300
  repertoire experiment tence --pupils pupils --json")]
pub struct Args {
    /// Who teaches; may be given several times [default: native:1, native:3, native:5, aggressive, prudent]
    #[arg(long = "teacher", value_name = "CONTENDER")]
    teachers: Vec<String>,
    /// Where everybody plays
    #[arg(long, default_value = "halls", value_name = "NAME|FILE")]
    map: String,
    /// Words and decisions of the CHAMELEON characters: a model that comes with it, or a file
    #[arg(long, default_value = "arena", value_name = "MODEL")]
    model: String,
    /// How many decisions they have
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u16).range(1..=256))]
    decisions: u16,
    /// The length of the match that is learned from, in seconds of the game
    #[arg(long, default_value_t = 3000.0, value_name = "SECS")]
    lesson: f64,
    /// The length of every other match
    #[arg(long, default_value_t = 600.0, value_name = "SECS")]
    seconds: f64,
    /// Matches by which each is judged
    #[arg(long, default_value_t = 6, value_parser = clap::value_parser!(u32).range(1..=1000))]
    matches: u32,
    /// Re-estimations at most
    #[arg(long, default_value_t = 60, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    iterations: u32,
    /// Random seed; the same seed repeats the run
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Write what was learned into this folder: behaviours as TOML, characters as JSON
    #[arg(long, value_name = "FOLDER")]
    pupils: Option<PathBuf>,
    /// Answer as JSON
    #[arg(long)]
    json: bool,
}

const TEACHERS: [&str; 5] = ["native:1", "native:3", "native:5", "aggressive", "prudent"];

pub(crate) fn run(args: &Args) -> Result<()> {
    for (name, secs) in [("lesson", args.lesson), ("seconds", args.seconds)] {
        if !(10.0..=1e5).contains(&secs) {
            bail!(
                "--{name} {secs}: a match of that length shows nothing\n  remedy: seconds from 10 to 100000"
            );
        }
    }
    let (_, level) = maps::find(&args.map)?;
    let named: Vec<&str> = if args.teachers.is_empty() {
        TEACHERS.to_vec()
    } else {
        args.teachers.iter().map(String::as_str).collect()
    };
    let lessons = Lessons {
        level,
        teachers: named.into_iter().map(roster::find).collect::<Result<_, _>>()?,
        model: load::model(&args.model)?.with_decisions(args.decisions.into())?,
        lesson_secs: args.lesson,
        match_secs: args.seconds,
        matches: args.matches,
        iterations: args.iterations as usize,
        seed: args.seed,
    };
    let bar =
        ProgressBar::no_length().with_style(ProgressStyle::with_template("{spinner} {elapsed} gone, {msg}")?);
    bar.enable_steady_tick(std::time::Duration::from_millis(200));
    let outcome = lessons.run(&|what| bar.set_message(what.to_owned()))?;
    bar.finish_and_clear();
    if let Some(folder) = &args.pupils {
        keep(folder, &outcome)?;
    }
    if args.json {
        return output::json(&json!({ "signatures": NAMES, "judged": outcome.judged }));
    }
    let bold = anstyle::Style::new().bold();
    let mut text = format!("{bold}How each explains its teacher, and plays{bold:#}\n\n");
    text += &draw::columns(&playing(&outcome));
    text += "\nln P a decision: of the lesson, and of a match not learned from. ± is the 95 % interval over matches.\n\n";
    text += &format!(
        "{bold}How far each moves from each teacher, in degrees{bold:#} (velocity to facing, facing, velocity)\n\n"
    );
    text += &draw::columns(&distances(&outcome));
    text += "\nMeans over pairs of matches; a teacher and itself: over its different matches. * the nearest by their sum. In the\n";
    text += "teacher's range: pairs of a match of each that are no farther apart than the teacher's two farthest matches.\n\n";
    text += &format!("{bold}Habits{bold:#}\n\n");
    text += &draw::columns(&habits(&outcome));
    output::text(&text)
}

fn keep(folder: &std::path::Path, outcome: &Outcome) -> Result<()> {
    std::fs::create_dir_all(folder).with_context(|| format!("{} could not be made", folder.display()))?;
    for (name, pupil) in &outcome.pupils {
        let stem = name.replace(" / ", "-").replace(':', "");
        match pupil {
            Pupil::Behaviour(behaviour) => {
                output::file(&folder.join(format!("{stem}.toml")), &to_toml(behaviour))?;
            }
            Pupil::Chameleon(learned) => {
                output::file_of_bytes(&folder.join(format!("{stem}.character")), &learned.to_bytes())?;
            }
        }
    }
    Ok(())
}

fn playing(outcome: &Outcome) -> Vec<Vec<String>> {
    let head = [
        "",
        "lesson",
        "other match",
        "frags/min",
        "deaths",
        "suicides",
        "accuracy",
        "shots",
        "items",
        "stuck",
    ];
    let mut lines = vec![head.map(str::to_owned).to_vec()];
    for one in &outcome.judged {
        let nats = |value: Option<f64>| value.map_or(String::new(), |nats| format!("{nats:.3}"));
        let plays = &one.plays;
        let half = plays.frags_per_minute.half_width.map_or(String::new(), |half| format!(" ± {half:.2}"));
        lines.push(vec![
            one.name.clone(),
            nats(one.explains_lesson),
            nats(one.explains_other),
            format!("{:.2}{half}", plays.frags_per_minute.mean),
            format!("{:.2}", plays.deaths_per_minute),
            format!("{:.2}", plays.suicides_per_minute),
            format!("{:.0} %", plays.accuracy * 100.0),
            format!("{:.0}", plays.shots_per_minute),
            format!("{:.1}", plays.items_per_minute),
            format!("{:.2} %", plays.stuck_share * 100.0),
        ]);
    }
    lines
}

fn distances(outcome: &Outcome) -> Vec<Vec<String>> {
    let teachers: Vec<&str> =
        outcome.judged.iter().filter(|one| one.teacher.is_none()).map(|one| one.name.as_str()).collect();
    let head = std::iter::once("").chain(teachers.iter().copied()).chain(["in the teacher's range"]);
    let mut lines = vec![head.map(str::to_owned).collect()];
    for one in &outcome.judged {
        let nearest = nearest(one);
        let cell = |(teacher, [a, b, c]): (usize, &[f64; 3])| {
            format!("{a:.1} {b:.1} {c:.1}{}", if nearest == Some(teacher) { " *" } else { "" })
        };
        let mut line = vec![one.name.clone()];
        line.extend(one.apart_deg.iter().enumerate().map(cell));
        line.push(
            one.within_teachers_range.map_or(String::new(), |shares| {
                shares.map(|share| format!("{:.0} %", share * 100.0)).join(" ")
            }),
        );
        lines.push(line);
    }
    lines
}

/// The teacher whose signatures are nearest, adding up all three.
fn nearest(one: &Judged) -> Option<usize> {
    let sum = |teacher: usize| one.apart_deg[teacher].iter().sum::<f64>();
    (0..one.apart_deg.len()).min_by(|&a, &b| sum(a).total_cmp(&sum(b)))
}

fn habits(outcome: &Outcome) -> Vec<Vec<String>> {
    let head =
        ["", "view still", "bursts/min", "burst", "turning", "strafing", "backwards", "stopped", "jumps/min"];
    let mut lines = vec![head.map(str::to_owned).to_vec()];
    for one in &outcome.judged {
        let habits = &one.habits;
        let percent = |share: f64| format!("{:.0} %", share * 100.0);
        lines.push(vec![
            one.name.clone(),
            percent(habits.view_still),
            format!("{:.0}", habits.bursts_per_minute),
            format!("{:.2} s, {:.0}°", habits.burst_secs, habits.burst_deg),
            format!("{:.0}°/s", habits.turning_deg_per_sec),
            percent(habits.strafing),
            percent(habits.backwards),
            percent(habits.stopped),
            format!("{:.1}", habits.jumps_per_minute),
        ]);
    }
    lines
}
