//! `repertoire arena list`.

use repertoire_worlds::arena::figures::MapFigures;

use super::maps;
use crate::prelude::*;

/// List the maps that come with repertoire
#[derive(Debug, ClapArgs)]
pub struct Args {
    #[command(flatten)]
    answer: Answer,
}

pub(super) fn run(args: &Args) -> Result<()> {
    let mut rows = Vec::new();
    for name in maps::names() {
        let (name, level) = maps::find(name)?;
        rows.push((name, MapFigures::of(&level)));
    }
    let named = rows.iter().map(|(name, figures)| json!({ "name": name, "figures": figures }));
    args.answer.print(&named.collect::<Vec<_>>(), || terminal::arena::maps(&rows))
}
