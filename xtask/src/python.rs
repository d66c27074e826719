//! `cargo xtask python`: the Python package, built as the tests need it, and its tests.
//!
//! `cargo xtask setup` makes the environment; `cargo xtask test` runs the same steps where it is ready.

use std::process::Command;

use crate::setup::{self, Environment};
use crate::{Error, refuse_options, shell};

/// The environment of the package's tests.
pub const ENVIRONMENT: Environment = Environment {
    what: "Python environment of adapters/python",
    folder: "adapters/python/.venv",
    requirements: "adapters/python/requirements-test.txt",
};

/// The chore.
pub fn run(options: &[String]) -> Result<(), Error> {
    refuse_options(options)?;
    setup::make(&ENVIRONMENT)?;
    for mut step in steps() {
        shell::run(&mut step)?;
    }
    Ok(())
}

/// Format, build, tests, a small benchmark. Without clippy, which would build everything once more; run it by hand after a change.
pub fn steps() -> Vec<Command> {
    let manifest = ["--manifest-path", "adapters/python/Cargo.toml"];
    let format = shell::cargo(["fmt", "--check"].into_iter().chain(manifest));
    let python = ENVIRONMENT.python();
    let mut build =
        shell::command(&python, ["-m", "maturin", "develop", "--quiet"].into_iter().chain(manifest));
    // maturin looks for the environment there.
    build.env("VIRTUAL_ENV", ENVIRONMENT.folder);
    let tests = shell::command(
        &python,
        // Two files at a time: most of the tests keep one processor busy.
        [
            "-m",
            "pytest",
            "-n",
            "2",
            "--dist",
            "loadfile",
            "adapters/python/tests",
            "-c",
            "adapters/python/pyproject.toml",
        ],
    );
    let bench = shell::command(&python, ["adapters/python/benches/cost.py", "--quick"]);
    vec![format, build, tests, bench]
}
