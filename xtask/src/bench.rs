//! `cargo xtask bench`: the benchmarks in release, with whatever options they are given.
//!
//! `--peers` also measures the Python libraries that answer the same questions. Who asks for them wants the
//! comparison, so here (unlike in `setup`) it is an error if their environment cannot be made.

use crate::{Error, setup, shell};

/// The chore.
pub fn run(options: &[String]) -> Result<(), Error> {
    if options.iter().any(|option| option == "--peers") {
        setup::python_environment()?;
    }
    let program = ["run", "--release", "-p", "repertoire-bench", "--features", "dogoap", "--"];
    Ok(shell::run(shell::cargo(program).args(options))?)
}
