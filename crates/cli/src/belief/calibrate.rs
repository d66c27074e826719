//! `repertoire belief calibrate`: are 90 % of the truth in the 90 % set, when the truth follows the model?

use repertoire::recordings::ground;
use repertoire_belief::Fitted;
use repertoire_eval::belief::calibrate::{CalibrationSettings, calibrate};

use crate::prelude::*;

/// Check a model's confidence: simulate opponents from it and count how often its 50 % and 90 % sets contain them
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Opponents are simulated from the hidden semi-Markov model of all play, and seen by watchers at random places. A set contains at
least its share of the belief, usually more; how often it contains the truth should match how much of the belief it holds.
`exactly` counts the last place of each set only as far as the share needs it.

Example: repertoire belief calibrate --model dust2.json --visibility vis.json.gz")]
pub struct Args {
    /// A model, as `belief fit` writes it
    #[arg(long, value_name = "MODEL")]
    model: PathBuf,

    /// Which places see which: JSON of `arena export --visibility`, or a map of the arena
    #[arg(long, value_name = "VIS")]
    visibility: PathBuf,

    /// Opponents to simulate
    #[arg(long, default_value_t = 2000)]
    walks: usize,

    /// Length of each walk, in seconds
    #[arg(long, default_value_t = 60)]
    seconds: usize,

    /// Watchers that look for them
    #[arg(long, default_value_t = 3)]
    watchers: usize,

    /// Random seed; the same seed repeats the run
    #[arg(long, default_value_t = 1)]
    seed: u64,

    #[command(flatten)]
    answer: Answer,
}

pub(super) fn run(args: &Args) -> Result<()> {
    let model = ground::model(&args.model)?;
    let sight = ground::sight(&args.visibility, &model.places)?;
    let fitted = Fitted::new(model)?;
    let settings = CalibrationSettings {
        walks: args.walks,
        seconds: args.seconds,
        watchers: args.watchers,
        seed: args.seed,
    };
    let found = progress::during("{spinner} letting opponents walk, {elapsed}", || {
        calibrate(&fitted, &sight, &settings)
    })?;
    args.answer.print(&found, || terminal::belief::calibrated(&found))
}
