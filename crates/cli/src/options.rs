//! Options that many commands have.

use anyhow::Result;
use clap::Args as ClapArgs;
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
