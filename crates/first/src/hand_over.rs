//! Running the whole program in the place of this one.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

/// The program that has every command.
const WHOLE: &str = "repertoire";

/// Gives a command to the whole program: by cargo if cargo runs us, so that it is built when it is missing or out of date; otherwise to
/// the program that lies beside this one. Comes back only if that fails.
pub fn to_the_whole_program(words: impl Iterator<Item = OsString>) -> Result<()> {
    let beside = beside();
    // `cargo run` tells its programs where it is, and which package they are of.
    let told = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
    let mut whole = match (told("CARGO"), told("CARGO_MANIFEST_DIR"), beside) {
        (Some(cargo), Some(package), beside) => {
            if beside.is_none() {
                anstream::eprintln!(
                    "This needs the whole program: cargo builds the rest of it now, which takes a minute or two, once."
                );
            }
            by_cargo(&cargo, Path::new(&package), &[])
        }
        (_, _, Some(beside)) => Command::new(beside),
        (_, _, None) => bail!(
            "this program plays tournaments only, and the whole one is not beside it\n  remedy: in the sources, `cargo build --release` builds both"
        ),
    };
    whole.args(words);
    in_our_place(whole).context(
        "the whole program could not be run\n  remedy: in the sources, `cargo build --release` builds it",
    )
}

/// `cargo run` of the whole command line with these features; the words of its command follow. `package` is one that lies beside it.
pub fn by_cargo(cargo: &OsString, package: &Path, features: &[&str]) -> Command {
    let mut run = Command::new(cargo);
    run.arg("run").args((!cfg!(debug_assertions)).then_some("--release"));
    run.arg("--manifest-path").arg(package.join("../cli/Cargo.toml"));
    for feature in features {
        run.args(["--features", feature]);
    }
    run.arg("--");
    run
}

/// Runs a command and ends with it: in our place, where the system can do that, so that whoever ends us ends it.
///
/// # Errors
/// When it could not be started.
pub fn in_our_place(mut command: Command) -> Result<()> {
    #[cfg(unix)]
    let failed = std::os::unix::process::CommandExt::exec(&mut command);
    #[cfg(not(unix))]
    let failed = match command.status() {
        // It has said itself what is wrong.
        Ok(status) => std::process::exit(status.code().unwrap_or(1)),
        Err(error) => error,
    };
    Err(failed.into())
}

/// The whole program in the folder of this one.
fn beside() -> Option<PathBuf> {
    let own = std::env::current_exe().ok()?;
    let whole = own.with_file_name(format!("{WHOLE}{}", std::env::consts::EXE_SUFFIX));
    whole.is_file().then_some(whole)
}
