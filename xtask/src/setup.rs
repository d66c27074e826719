//! `cargo xtask setup`: what the optional tests and the peer benchmarks need, installed where that is possible.
//!
//! Nothing here is needed to build or to test the library, so whatever cannot be had is said in one loud line
//! and the chore still succeeds. A second run finds everything in place and returns at once.

use crate::{Error, python, refuse_options, shell, test};
use std::path::Path;

/// A Python environment, made from a list of packages.
pub struct Environment {
    /// What it is for, in messages.
    pub what: &'static str,
    /// Where it is.
    pub folder: &'static str,
    /// The list of what is in it.
    pub requirements: &'static str,
}

impl Environment {
    /// Its interpreter.
    pub fn python(&self) -> String {
        format!("{}/bin/python", self.folder)
    }

    /// Holds the text of the requirements that the environment was made from; written last, so that an
    /// interrupted installation is never taken for a finished one.
    fn stamp(&self) -> String {
        format!("{}/requirements.stamp", self.folder)
    }

    /// Whether it is finished and made from the requirements as they are now.
    pub fn is_ready(&self) -> bool {
        let wanted = std::fs::read_to_string(self.requirements);
        let installed = std::fs::read_to_string(self.stamp());
        Path::new(&self.python()).exists()
            && matches!((wanted, installed), (Ok(wanted), Ok(installed)) if wanted == installed)
    }
}

/// The peers of the benchmarks; `bench/` looks for their Python at this place too.
pub const PEERS: Environment = Environment {
    what: "Python environment of the peers",
    folder: "bench/peers/.venv",
    requirements: "bench/peers/requirements.txt",
};

/// Fetching 64 MB may take so long, and no longer.
const DOOM_SECONDS: u64 = 900;

/// Where Debian's package puts its maps.
const FREEDM: &str = "/usr/share/games/doom/freedm.wad";

/// The chore.
pub fn run(options: &[String]) -> Result<(), Error> {
    refuse_options(options)?;
    for installed in [valgrind(), freedm(), chromium(), make(&PEERS), make(&python::ENVIRONMENT), doom()] {
        if let Err(reason) = installed {
            println!("NOT INSTALLED (optional): {reason}");
        }
    }
    Ok(())
}

fn valgrind() -> Result<(), String> {
    if let Some(version) = shell::probe("valgrind", &["--version"]) {
        println!("valgrind: already here ({version})");
        return Ok(());
    }
    debian_package("valgrind")
}

/// A browser for the studio's tests.
fn chromium() -> Result<(), String> {
    if let Some(version) = shell::probe("chromium", &["--version"]) {
        println!("chromium: already here ({version})");
        return Ok(());
    }
    debian_package("chromium")
}

/// FreeDM: real maps to test the import of Doom's files with.
fn freedm() -> Result<(), String> {
    if Path::new(FREEDM).exists() {
        println!("freedm: already here ({FREEDM})");
        return Ok(());
    }
    debian_package("freedm")
}

fn debian_package(name: &str) -> Result<(), String> {
    let by_hand = format!("{name}; install it by hand, on Debian: sudo apt-get install {name}");
    if shell::probe("apt-get", &["--version"]).is_none() {
        return Err(format!("{by_hand} (there is no apt-get here)"));
    }
    if shell::probe("id", &["-u"]).as_deref() != Some("0") {
        return Err(format!("{by_hand} (apt-get needs root)"));
    }
    println!("{name}: installing the Debian package");
    let install = || {
        let arguments = ["install", "--yes", "--no-install-recommends", name];
        shell::run(shell::command("apt-get", arguments).env("DEBIAN_FRONTEND", "noninteractive"))
    };
    // A fresh container has no package lists: fetch them only if the first attempt fails.
    install()
        .or_else(|_| shell::run(&mut shell::command("apt-get", ["update"])).and_then(|()| install()))
        .map_err(|reason| format!("{by_hand} ({reason})"))
}

/// Makes a Python environment, unless it is ready.
pub fn make(environment: &Environment) -> Result<(), String> {
    let Environment { what, folder, requirements } = environment;
    if environment.is_ready() {
        println!("{what}: already here ({folder})");
        return Ok(());
    }
    let because = |reason: String| format!("the {what} ({folder}): {reason}");
    let wanted = std::fs::read_to_string(requirements)
        .map_err(|error| because(format!("cannot read {requirements}: {error}")))?;
    if shell::probe("python3", &["-c", "import ensurepip, venv"]).is_none() {
        let remedy = "needs python3 with its venv module; on Debian: sudo apt-get install python3-venv";
        return Err(because(remedy.to_string()));
    }
    println!("{what}: making {folder}");
    // `--clear`: an old or half-made environment is not worth repairing.
    shell::run(&mut shell::command("python3", ["-m", "venv", "--clear", folder])).map_err(because)?;
    println!("{what}: installing {requirements} (needs the network)");
    let pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-r", requirements];
    shell::run(&mut shell::command(&environment.python(), pip)).map_err(|reason| {
        because(format!("{reason}; is the network there? then run `cargo xtask setup` again"))
    })?;
    let stamp = environment.stamp();
    std::fs::write(&stamp, wanted).map_err(|error| because(format!("cannot write {stamp}: {error}")))
}

/// Where the Python that plays Doom is, if it is anywhere: where `repertoire doom setup` puts it, or where it is said to be.
fn doom_python() -> Option<std::path::PathBuf> {
    let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
    let data = set("XDG_DATA_HOME").map(std::path::PathBuf::from);
    let data = data.or_else(|| set("HOME").map(|home| Path::new(&home).join(".local/share")));
    let made = data.map(|data| data.join("repertoire/doom/venv/bin/python"));
    set("REPERTOIRE_DOOM_PYTHON").map(std::path::PathBuf::from).or(made).filter(|python| python.is_file())
}

/// Whether a real match of Doom can be played here.
pub fn doom_is_ready() -> bool {
    let maps = std::env::var("REPERTOIRE_FREEDM").unwrap_or_else(|_| FREEDM.to_string());
    let has_vizdoom = |python: std::path::PathBuf| {
        shell::probe(&python.to_string_lossy(), &["-I", "-c", "import vizdoom"]).is_some()
    };
    let beside =
        |python: &Path| python.ancestors().nth(3).is_some_and(|folder| folder.join("freedm.wad").is_file());
    let python = doom_python();
    python.as_deref().is_some_and(|python| Path::new(&maps).is_file() || beside(python))
        && python.is_some_and(has_vizdoom)
}

/// ViZDoom and maps, made by the command that users run.
fn doom() -> Result<(), String> {
    if doom_is_ready() {
        println!("Doom: already here");
        return Ok(());
    }
    println!("Doom: making its environment (needs the network)");
    let because = |reason: String| format!("Doom, for a real match: {reason}");
    // Built as the tests need it, so that nothing is built twice.
    shell::run(&mut shell::cargo(test::BUILD)).map_err(because)?;
    let mut setup = shell::built("repertoire", ["doom", "setup"]).map_err(because)?;
    shell::run_within(&mut setup, DOOM_SECONDS).map_err(because)
}
