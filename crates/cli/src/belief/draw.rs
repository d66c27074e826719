//! `repertoire belief draw`: a belief over time, as pictures.

use repertoire::recordings::ground;
use repertoire_belief::Fitted;
use repertoire_draw::belief::{Chosen, Plan, page, picture};
use repertoire_eval::belief::TrackerKind;
use repertoire_eval::belief::trackers::BESIDE_HABITS;
use repertoire_trace::nav::Ground;

use crate::prelude::*;

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
    #[arg(long, value_name = "NAME", default_value = "pooled", value_parser = one_of(BESIDE_HABITS, TrackerKind::text, TrackerKind::about))]
    tracker: TrackerKind,

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
    let fitted = Fitted::new(model)?;
    let chosen = Chosen { round: args.round.as_deref(), player: args.player.as_deref() };
    let tracked = progress::during("{spinner} tracking, {elapsed}", || {
        chosen.track(&fitted, &sight, &play, args.tracker)
    })?;
    let (title, frames) = (&tracked.title, &tracked.frames);
    let plan = Plan::of(&fitted.model.places);
    output::file_if_asked(args.svg.as_ref(), || picture(&plan, title, frames, f64::from(args.every)))?;
    output::file_if_asked(args.html.as_ref(), || page(&plan, title, frames))?;
    Ok(())
}
