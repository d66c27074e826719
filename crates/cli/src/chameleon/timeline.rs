//! `repertoire chameleon timeline`: the likeliest decisions of recorded play beside its stimuli and actions (table 4.4).

use repertoire_chameleon::Pass;
use repertoire_chameleon::posterior::posteriors;
use repertoire_draw::chameleon::Timeline;
use repertoire_mind::chameleon::{Joined, Watcher};
use repertoire_prob::draw::arg_max;

use super::load;
use crate::learn::play;
use crate::prelude::*;

/// Draw the likeliest decisions of a recorded life beside its stimuli and actions
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
For every tick: the decision that is likeliest given the whole life, what was attended to, and how probable that is; below them
stimuli and actions, as in Tencé 2011, table 4.4. Decisions have no names, so each has a colour.

Examples:
  repertoire chameleon timeline pupil.character --play play.parquet --player native:5
  repertoire chameleon timeline pupil.character --play play.parquet --player native:5 --life 3 --svg life.svg
  repertoire chameleon timeline pupil.character --play play.parquet --player native:5 --json")]
pub struct Args {
    /// A learned character
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// A recording (.parquet or .csv)
    #[arg(long, value_name = "PLAY")]
    play: PathBuf,
    /// Player to show, by name or number; may be given several times [default: everybody]
    #[arg(long = "player", value_name = "NAME|ID")]
    players: Vec<String>,
    /// Number of the life to show; the first is 1
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    life: u32,
    /// File for a picture
    #[arg(long, value_name = "FILE.svg")]
    svg: Option<PathBuf>,
    #[command(flatten)]
    answer: Answer,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let learned = load::learned_character(&args.file)?;
    let joined = Joined::of(&learned).map_err(|error| {
        anyhow!("nothing in the play tells about the model `{}`: {error}", learned.model.name())
    })?;
    let bar = progress::spinner("{spinner} {pos} ticks read, {elapsed} gone");
    let delay = arg_max(&learned.delay.ticks);
    let mut watcher = Watcher::new(Arc::new(joined), delay);
    play::recorded(std::slice::from_ref(&args.play), &args.players, &mut watcher, &bar)?;
    bar.finish_and_clear();
    let lives = watcher.finish(1, &learned.body);
    let Some(life) = lives.get(args.life as usize - 1) else {
        bail!("there is no life {}\n  remedy: one of 1 to {}", args.life, lives.len());
    };
    let found = posteriors(learned.model.layout(), learned.params(), life, &mut Pass::new())
        .map_err(|error| anyhow!("the character cannot explain this life: {error}"))?;
    let line = Timeline { learned: &learned, life, found: &found };
    if let Some(path) = &args.svg {
        output::file(path, &line.svg())?;
        if !output::is_stdout(path) {
            anstream::eprintln!("{} ticks drawn in {}", life.len(), path.display());
        }
        if !args.answer.json {
            return Ok(());
        }
    }
    args.answer.print(&line.to_json(args.life, lives.len()), || line.text(lives.len()))
}
