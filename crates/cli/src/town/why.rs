//! `repertoire town why`.

use repertoire_worlds::town::{At, moment};

use super::options::Options;
use crate::prelude::*;

/// Why an inhabitant does what they do at a moment: need, goal, plan with the reason of each step, what last went wrong
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
The town is run until the moment: the same seed gives the same answer. --mind also shows the decision as the library's characters
make it, one table in nats.

Examples:
  repertoire town why western --who 17 --at 'day 1 10:30'
  repertoire town why western --inhabitants 1000000 --who 765432 --at 09:00 --json
  repertoire town why --resume evening.town --who 3")]
pub struct Args {
    #[command(flatten)]
    options: Options,

    /// The inhabitant's number, from 0
    #[arg(long, value_name = "N")]
    who: u32,

    /// The moment: `day 1 10:30`, `10:30` or a number of minutes [default: noon of the first day; with --resume, at once]
    #[arg(long, value_name = "MOMENT")]
    at: Option<String>,

    /// Also the decision of the same inhabitant as a character of the library
    #[arg(long)]
    mind: bool,

    #[command(flatten)]
    answer: Answer,
}

pub(super) fn run(args: &Args) -> Result<()> {
    args.options.on_threads(|| tell(args))
}

fn tell(args: &Args) -> Result<()> {
    let no_moment =
        |written: &str| format!("--at {written}: this is no moment\n  remedy: such as 'day 1 10:30'");
    let at = args.at.as_deref().map(|at| moment(at).with_context(|| no_moment(at))).transpose()?;
    let mut town = args.options.found()?;
    if args.who as usize >= town.len() {
        bail!("--who {}: nobody has this number\n  remedy: a number from 0 to {}", args.who, town.len() - 1);
    }
    let at = at.unwrap_or(if town.now() == 0 { 720 } else { town.now() });
    if at < town.now() {
        bail!(
            "--at: {} lies before {}\n  remedy: leave out --resume, or name a later moment",
            At(at),
            At(town.now())
        );
    }
    let minutes = u64::from(at - town.now());
    progress::with_bar(minutes, "{bar:40} {pos}/{len} minutes  {eta} left", |bar| {
        while town.now() < at {
            town.tick();
            bar.inc(1);
        }
    });
    let why = town.why(args.who);
    let report = args.mind.then(|| town.character(args.who).1);
    match report {
        Some(report) => {
            args.answer.print(&json!({ "why": why, "mind": report }), || format!("{why}\n{report}\n"))
        }
        None => args.answer.print(&why, || why.to_string()),
    }
}
