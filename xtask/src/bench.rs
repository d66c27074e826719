//! `cargo xtask bench`: the benchmarks, with whatever options they are given.
//!
//! They are built in the release profile of the workspace and nothing is added to it (no link-time optimisation, no
//! flags for this processor), so that the figures are those that a user's `cargo build --release` reaches.
//!
//! `--peers` also measures the Python libraries that answer the same questions. Anyone who asks for them wants the
//! comparison, so here (unlike in `setup`) it is an error if their environment cannot be made.

use crate::{Error, setup, shell};

/// The chore.
pub fn run(options: &[String]) -> Result<(), Error> {
    if options.iter().any(|option| option == "--peers") {
        setup::make(&setup::PEERS)?;
    }
    let program = ["run", "--release", "-p", "repertoire-bench", "--features", "dogoap", "--"];
    Ok(shell::run(shell::cargo(program).args(options))?)
}
