//! `repertoire town list`.

use repertoire_draw::terminal::town as told;
use repertoire_worlds::town::{TOWNS, charter};

use crate::prelude::*;

/// List the towns that come with repertoire
#[derive(Debug, ClapArgs)]
pub struct Args {
    /// Print the text of one of them, to start your own from
    #[arg(long, value_name = "TOWN", value_parser = ["western", "station"])]
    text: Option<String>,

    #[command(flatten)]
    answer: Answer,
}

pub(super) fn run(args: &Args) -> Result<()> {
    if let Some(text) = args.text.as_deref().and_then(repertoire_worlds::town::text) {
        return output::text(text);
    }
    let all: Vec<_> = TOWNS.iter().filter_map(|(name, _)| charter(name)).collect();
    args.answer.print(&told::towns_as_json(&all), || told::towns(&all))
}
