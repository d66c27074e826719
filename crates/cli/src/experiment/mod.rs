//! `repertoire experiment`: the papers' experiments, played again, and our own.

mod attention;
mod attractors;
mod dujardin;
mod le_hy;
mod likelihoods;
mod mind;
mod senses;
mod tence;
mod town;

use crate::prelude::*;

/// Repeat the papers' experiments, and our own
#[derive(Debug, ClapArgs)]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

subcommands! {
    LeHy => le_hy,
    Senses => senses,
    Mind => mind,
    Attention => attention,
    Attractors => attractors,
    Tence => tence,
    Likelihoods => likelihoods,
    Dujardin => dujardin,
    Town => town,
}
