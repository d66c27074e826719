//! `repertoire chameleon show`: what a learned character attends to, decides and does.

use repertoire_draw::chameleon::overview;
use repertoire_draw::chameleon::polar::{self, Picture};
use repertoire_draw::chameleon::show::{distributions, head, kind_of, picture, rows, table, to_json};

use super::load;
use crate::prelude::*;

/// Show what a learned character attends to, decides and does
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Decisions have no names: learning divides the teacher's play into them. The overview tells them apart by what they attend to and
do. Pictures follow Tencé 2011, figures 4.29 to 4.31: turning (red) and running (blue) seen from above, with the character facing
up the page; tilting (green) seen from the side, with the character facing right. Actions that are relative to the stimulus are
drawn with the stimulus straight ahead.

Examples:
  repertoire chameleon show pupil.character
  repertoire chameleon show pupil.character --decision 3 --stimulus player
  repertoire chameleon show pupil.character --stimulus player --svg players.svg
  repertoire chameleon show pupil.character --json")]
pub struct Args {
    /// A learned character
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Show only this decision; the first is 0
    #[arg(long)]
    decision: Option<usize>,
    /// Show what is done for the most frequent values of this low-level stimulus
    #[arg(long, value_name = "NAME")]
    stimulus: Option<String>,
    /// Most values to list, or pictures to draw
    #[arg(long, default_value_t = 6, value_parser = clap::value_parser!(u16).range(1..=1000))]
    values: u16,
    /// File for polar pictures of what is done
    #[arg(long, value_name = "FILE.svg")]
    svg: Option<PathBuf>,
    #[command(flatten)]
    answer: Answer,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let learned = load::learned_character(&args.file)?;
    let decisions = learned.model.decisions();
    if let Some(decision) = args.decision
        && decision >= decisions
    {
        bail!("there is no decision {decision}\n  remedy: one of 0 to {}", decisions - 1);
    }
    let kind = args.stimulus.as_deref().map(|name| kind_of(&learned, name)).transpose()?;
    let rows = rows(&learned, args.decision, kind);
    let rows = &rows[..rows.len().min(usize::from(args.values))];
    if let Some(path) = &args.svg {
        let pictures: Vec<Picture> = rows.iter().map(|row| picture(&learned, row)).collect();
        output::file(path, &polar::page(&learned.model, &pictures))?;
        if !args.answer.json && !output::is_stdout(path) {
            anstream::eprintln!("{} pictures written to {}", pictures.len(), path.display());
        }
    }
    let found = overview::decisions(&learned);
    match (&args.svg, args.answer.json) {
        (Some(path), true) if output::is_stdout(path) => return Ok(()),
        (Some(_), false) => return Ok(()),
        (_, true) => return output::json(&to_json(&learned, &found, args.decision, rows)),
        (None, false) => {}
    }
    let mut text = head(&learned);
    text += &table(&found, args.decision);
    if args.stimulus.is_some() || args.decision.is_some() {
        text += &distributions(&learned, rows);
    }
    output::text(&text)
}
