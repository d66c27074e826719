//! `repertoire rooms check`.

use repertoire_draw::terminal::rooms;
use repertoire_worlds::rooms::review::Review;

use crate::prelude::*;

/// Check a scenario: mistakes with their line, goals nobody can reach, thresholds that are too small, what is never used
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Exit codes: 0 it can be run (notes may follow); 1 it was refused.")]
pub struct Args {
    /// The scenario: the name of one that comes with repertoire (see `rooms list`), or a file
    scenario: String,

    #[command(flatten)]
    answer: Answer,
}

pub(super) fn run(args: &Args) -> Result<()> {
    let scenario = load::scenario(&args.scenario)?;
    let review = Review::of(&scenario);
    args.answer.print(&rooms::reviewed_as_json(&scenario, &review), || rooms::reviewed(&scenario, &review))
}
