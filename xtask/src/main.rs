//! Every chore of the repository, one command each: `cargo xtask NAME`.
//!
//! A chore is plain Rust on the standard library alone, so that it builds in a moment, runs the same at home
//! and in continuous integration, and needs no shell. `cargo xtask help` lists them.

mod bench;
mod fuzz;
mod python;
mod schemas;
mod setup;
mod shell;
mod stranger;
mod test;

use std::path::PathBuf;
use std::process::ExitCode;

/// Why a chore stopped; decides the exit code.
pub enum Error {
    /// The command line was wrong: exit code 2, and the chores are listed.
    Usage(String),
    /// The chore itself failed: exit code 1.
    Failed(String),
}

impl From<String> for Error {
    fn from(message: String) -> Self {
        Error::Failed(message)
    }
}

struct Chore {
    name: &'static str,
    options: &'static str,
    about: &'static str,
    run: fn(&[String]) -> Result<(), Error>,
}

const CHORES: &[Chore] = &[
    Chore {
        name: "setup",
        options: "",
        about: "install what the optional tests and the peer benchmarks need, where possible",
        run: setup::run,
    },
    Chore {
        name: "test",
        options: "[--quick]",
        about: "format, packages, lints, docs, features, every test, examples, benchmarks once; --quick: format and tests",
        run: test::run,
    },
    Chore {
        name: "bench",
        options: "[--peers] [ARGS...]",
        about: "benchmarks in the plain release profile, as users build it; --peers: also Python; --help: all options",
        run: bench::run,
    },
    Chore {
        name: "fuzz",
        options: "[--inputs N]",
        about: "throw N damaged files (default 1000000) at every reader, and ten times as many random calls at the C library",
        run: fuzz::run,
    },
    Chore {
        name: "python",
        options: "",
        about: "build the Python package and run its tests; makes their environment first",
        run: python::run,
    },
    Chore {
        name: "schemas",
        options: "",
        about: "regenerate schemas/ from the types that read authored files",
        run: schemas::run,
    },
    Chore {
        name: "stranger",
        options: "",
        about: "build and run the library's first page as a crate of its own, outside of this workspace",
        run: stranger::run,
    },
];

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match dispatch(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(Error::Usage(message)) => {
            eprintln!("error: {message}\n\n{}", help());
            ExitCode::from(2)
        }
        Err(Error::Failed(message)) => {
            eprintln!("error: {message}");
            ExitCode::FAILURE
        }
    }
}

fn dispatch(arguments: &[String]) -> Result<(), Error> {
    let Some((name, options)) = arguments.split_first() else {
        println!("{}", help());
        return Ok(());
    };
    if ["help", "--help", "-h"].contains(&name.as_str()) {
        println!("{}", help());
        return Ok(());
    }
    let chore = CHORES
        .iter()
        .find(|chore| chore.name == name)
        .ok_or_else(|| Error::Usage(format!("there is no chore `{name}`")))?;
    // From here on every path is relative to the root of the repository.
    let root = repository_root()?;
    std::env::set_current_dir(&root).map_err(|error| format!("cannot enter {}: {error}", root.display()))?;
    (chore.run)(options)
}

/// The root of the repository: cargo tells where the manifest of this package lies when it runs it.
fn repository_root() -> Result<PathBuf, String> {
    let manifest_dir = std::env::var_os("CARGO_MANIFEST_DIR").ok_or("run this as `cargo xtask NAME`")?;
    let mut root = PathBuf::from(manifest_dir);
    root.pop();
    Ok(root)
}

fn help() -> String {
    let rows = CHORES.iter().map(|chore| (format!("{} {}", chore.name, chore.options), chore.about));
    let rows: Vec<_> = rows.chain([("help".to_string(), "this list")]).collect();
    let width = rows.iter().map(|(usage, _)| usage.len()).max().unwrap_or(0);
    let lines: Vec<_> =
        rows.iter().map(|(usage, about)| format!("  cargo xtask {usage:width$}  {about}")).collect();
    format!("Chores:\n{}", lines.join("\n"))
}

/// For chores that take no options.
fn refuse_options(options: &[String]) -> Result<(), Error> {
    match options.first() {
        Some(option) => Err(Error::Usage(format!("this chore takes no `{option}`"))),
        None => Ok(()),
    }
}
