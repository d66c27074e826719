//! `repertoire plan figures`.
use anyhow::Result;
/// Draw the paper's figures
#[derive(Debug, clap::Args)]
pub struct Args {}
pub(super) fn run(_: &Args) -> Result<()> {
    Ok(())
}
