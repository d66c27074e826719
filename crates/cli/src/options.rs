//! Options that many commands have.

use anyhow::{Context, Result};
use clap::Args as ClapArgs;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use serde::Serialize;

use crate::output;

/// In what form a command answers.
#[derive(Clone, Copy, Debug, ClapArgs)]
pub(crate) struct Answer {
    /// Answer as JSON
    #[arg(long)]
    pub json: bool,
}

impl Answer {
    /// Prints a report, as JSON if that was asked for; the text is made only where it is needed.
    pub fn print(self, report: &impl Serialize, text: impl FnOnce() -> String) -> Result<()> {
        output::answer(self.json, report, text)
    }
}

/// Parses one of several values by its name; help texts tell of each.
pub(crate) fn one_of<T: Copy + Send + Sync + 'static, const N: usize>(
    all: [T; N],
    name: fn(T) -> &'static str,
    about: fn(T) -> &'static str,
) -> impl TypedValueParser<Value = T> {
    let named = move |written: String| all.into_iter().find(|one| name(*one) == written);
    PossibleValuesParser::new(all.map(|one| PossibleValue::new(name(one)).help(about(one))))
        .try_map(move |written| named(written).ok_or("no such value"))
}

/// Does work on this many threads; on one per core unless told otherwise.
pub(crate) fn on_threads<T: Send>(
    threads: Option<u16>,
    work: impl FnOnce() -> Result<T> + Send,
) -> Result<T> {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads.map_or(0, usize::from))
        .build()
        .context("the threads could not be started\n  remedy: --threads with a smaller number")?;
    pool.install(work)
}
