//! `repertoire belief draw`: a belief over time, as pictures.

use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use clap::Args as ClapArgs;
use repertoire::recordings::ground;
use repertoire_belief::Fitted;
use repertoire_draw::belief::{Plan, frames, page, picture};
use repertoire_trace::nav::Ground;

use super::trackers::Name;
use crate::trace::source::note;
use crate::{output, progress};

/// Draw what a tracker believes about one unseen enemy, second by second
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Darker red means more probable; blue places are in view of the tracked player's enemies; the cross is the true position, which
the tracker does not know. --svg writes one picture with a frame for every few seconds, --html a page with a slider.

Examples:
  repertoire belief draw --model dust2.json --visibility vis.json.gz --play others.csv.gz --round 4 --player P3 --svg p3.svg
  repertoire belief draw --model dust2.json --visibility vis.json.gz --play others.csv.gz --html p3.html")]
pub struct Args {
    /// A model, as `belief fit` writes it
    #[arg(long, value_name = "MODEL")]
    model: PathBuf,

    /// Which places see which: JSON of `arena export --visibility`, or a map of the arena
    #[arg(long, value_name = "VIS")]
    visibility: PathBuf,

    /// Recorded play: CSV, or a recording of `repertoire record`; may be given several times
    #[arg(long, value_name = "PLAY", required = true)]
    play: Vec<PathBuf>,

    /// The round to draw [default: the first]
    #[arg(long)]
    round: Option<String>,

    /// The player to track [default: the one who is out of sight longest]
    #[arg(long)]
    player: Option<String>,

    /// The tracker whose belief is drawn
    #[arg(long, value_name = "NAME", default_value = "pooled")]
    tracker: Name,

    /// Seconds between the frames of the picture
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=600))]
    every: u32,

    /// Write a picture to this file; `-` is standard output
    #[arg(long, value_name = "FILE", required_unless_present = "html")]
    svg: Option<PathBuf>,

    /// Write a page with a slider to this file; `-` is standard output
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
}

pub(super) fn run(args: &Args) -> Result<()> {
    let model = ground::model(&args.model)?;
    let sight = ground::sight(&args.visibility, &model.places)?;
    let of_model = Ground { places: model.places.clone(), ..Ground::default() };
    let play = ground::rounds(&args.play, &of_model, model.period_secs, &note)?;
    let names: Vec<&str> = play.rounds.iter().map(|round| round.name.as_str()).collect();
    let round = match &args.round {
        Some(name) => names.iter().position(|known| known == name).with_context(|| {
            format!("there is no round `{name}`\n  remedy: name one of {}", names.join(", "))
        })?,
        None => 0,
    };
    let player = match &args.player {
        Some(name) => Some(play.players.iter().position(|known| known == name).with_context(|| {
            format!("there is no player `{name}`\n  remedy: name one of {}", play.players.join(", "))
        })?),
        None => None,
    };
    let fitted = Fitted::new(model)?;
    let frames = progress::during("{spinner} tracking, {elapsed}", || {
        frames(&fitted, &sight, &play, round, args.tracker.0, 1)
    });
    let most =
        (0..frames.len()).fold(0, |best, k| if frames[k].len() > frames[best].len() { k } else { best });
    let player = player.unwrap_or(most);
    let frames = &frames[player];
    if frames.is_empty() {
        bail!(
            "{} is never out of sight in this round\n  remedy: name another player or round",
            play.players[player]
        );
    }
    let title = format!(
        "{}, round {}: where is {}? ({})",
        fitted.model.map,
        names[round],
        play.players[player],
        args.tracker.text()
    );
    let plan = Plan::of(&fitted.model.places);
    if let Some(path) = &args.svg {
        output::file(path, &picture(&plan, &title, frames, f64::from(args.every)))?;
    }
    if let Some(path) = &args.html {
        output::file(path, &page(&plan, &title, frames))?;
    }
    Ok(())
}
