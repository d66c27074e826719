//! `repertoire belief calibrate`: are 90 % of the truth in the 90 % set, when the truth follows the model?

use std::path::PathBuf;

use anyhow::Result;
use clap::Args as ClapArgs;
use repertoire_belief::Fitted;
use repertoire_eval::belief::calibrate::{CalibrationSettings, calibrate};

use super::data;
use crate::output;

/// Let opponents walk by the model itself, and count how often the 50 % and 90 % sets hold them
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Opponents walk by the HSMM of all play, seen by watchers who stand at random places. A set holds at least its share of the
belief, mostly more; `held` is how much, and how often the truth lies in it should be the same. `exactly` counts the last place of
each set only as far as it is needed for the share.

Example: repertoire belief calibrate --model dust2.json --visibility vis.json.gz")]
pub struct Args {
    /// A model, as `belief fit` writes it
    #[arg(long, value_name = "MODEL")]
    model: PathBuf,

    /// Which areas see which
    #[arg(long, value_name = "VIS")]
    visibility: PathBuf,

    /// How many opponents
    #[arg(long, default_value_t = 2000)]
    walks: usize,

    /// For how many seconds each
    #[arg(long, default_value_t = 60)]
    seconds: usize,

    /// How many watchers
    #[arg(long, default_value_t = 3)]
    watchers: usize,

    /// The seed
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// Answer as JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args) -> Result<()> {
    let model = data::model(&args.model)?;
    let sight = data::sight(&args.visibility, &model.places)?;
    let fitted = Fitted::new(model)?;
    let settings = CalibrationSettings {
        walks: args.walks,
        seconds: args.seconds,
        watchers: args.watchers,
        seed: args.seed,
    };
    let found = calibrate(&fitted, &sight, &settings)?;
    if args.json {
        return output::json(&found);
    }
    let mut text = format!("{} opponents who walk by the model, {} beliefs\n", found.walks, found.beliefs);
    for set in &found.sets {
        text += &format!(
            "  the {:.0} % set holds {:.1} % of the belief and {:.1} % of the truth; exactly {:.0} % hold {:.1} %\n",
            100.0 * set.share,
            100.0 * set.held,
            100.0 * set.holds_truth,
            100.0 * set.share,
            100.0 * set.exactly
        );
    }
    output::text(&text)
}
