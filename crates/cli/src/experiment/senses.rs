//! `repertoire experiment senses`: what finer sensors and sound change in what is learned.

use repertoire_eval::le_hy::senses::SenseLessons;

use crate::prelude::*;

/// Le Hy 2007, tables 4.13 and 4.17 to 4.29: what is learned with finer sensors, and with and without sound
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
A teacher with a known behaviour plays; pupils learn from it with the seven sensors, and with six of them read more finely (five
levels of health, for instance). Shown are the tables learned with the finer ones by incremental Baum-Welch, how often each pupil's most
probable task is the teacher's in another match, and how probable a noise is during each task, learned by rules from a teacher who hears
and from one who does not.

Examples:
  repertoire experiment senses
  repertoire experiment senses --teacher prudent --seconds 700 --json")]
pub struct Args {
    /// Who teaches
    #[arg(long, value_parser = ["aggressive", "prudent"], default_value = "aggressive")]
    teacher: String,
    /// Map on which the teacher plays
    #[arg(long, default_value = "halls", value_name = "NAME|FILE")]
    map: String,
    /// Length of a demonstration, in seconds of game time
    #[arg(long, default_value_t = 350, value_name = "SECS", value_parser = clap::value_parser!(u32).range(10..=100_000))]
    seconds: u32,
    /// Demonstrations to average over
    #[arg(long, default_value_t = 6, value_parser = clap::value_parser!(u32).range(1..=1000))]
    demonstrations: u32,
    /// Random seed; the same seed repeats the run
    #[arg(long, default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    answer: Answer,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let (_, level) = maps::find(&args.map)?;
    let lessons = SenseLessons {
        level,
        teacher: args.teacher.clone(),
        seconds: f64::from(args.seconds),
        demonstrations: args.demonstrations,
        seed: args.seed,
    };
    let template = "{bar:30} demonstration {pos} of {len}, {elapsed} gone, {eta} to go";
    let senses =
        progress::with_bar(args.demonstrations.into(), template, |bar| lessons.teach(&|| bar.inc(1)));
    args.answer.print(&terminal::experiments::senses_as_json(&senses, &args.teacher), || {
        terminal::experiments::senses(&senses)
    })
}
