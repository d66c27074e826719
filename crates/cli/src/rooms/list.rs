//! `repertoire rooms list`.

use repertoire_draw::terminal::rooms;
use repertoire_worlds::rooms::scenario::{SCENARIOS, scenario};

use crate::prelude::*;

/// List the scenarios that come with repertoire
#[derive(Debug, ClapArgs)]
pub struct Args {
    #[command(flatten)]
    answer: Answer,
}

pub(super) fn run(args: &Args) -> Result<()> {
    let all: Vec<_> = SCENARIOS.iter().filter_map(|(name, _)| scenario(name)).collect();
    args.answer.print(&rooms::scenarios_as_json(&all), || rooms::scenarios(&all))
}
