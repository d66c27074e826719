//! `repertoire experiment`: the papers' experiments, played again, and our own.

mod attention;
mod attractors;
mod dujardin;
mod le_hy;
mod likelihoods;
mod mind;
mod pass;
mod senses;
mod tence;
mod town;
mod whole_pupil;

use crate::prelude::*;

subcommands! {
    /// Repeat the papers' experiments, and our own
    pub struct Args;
    LeHy => le_hy,
    Senses => senses,
    Mind => mind,
    Attention => attention,
    Attractors => attractors,
    Tence => tence,
    Pass => pass,
    WholePupil => whole_pupil,
    Likelihoods => likelihoods,
    Dujardin => dujardin,
    Town => town,
}
