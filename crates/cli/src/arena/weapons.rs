//! `repertoire arena weapons`.

use repertoire_mind::arms::{ARENA, QUAKE};

use crate::prelude::*;

/// List the weapons with their numbers: the arena's three, and Quake's eight, which matches on its maps have
#[derive(Debug, ClapArgs)]
pub struct Args {
    /// Answer as JSON, with every number
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args) -> Result<()> {
    output::answer(args.json, &json!({ "arena": ARENA, "quake": QUAKE }), terminal::arena::weapons)
}
