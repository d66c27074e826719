//! Making the environment: Python with ViZDoom, and FreeDM's maps, in a folder of the user's.
//!
//! Nothing is installed anywhere else and root is not needed: the maps come out of Debian's package, which is fetched
//! and unpacked. A second run finds everything in place.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::Environment;

/// The version that this adapter was written for.
pub const VIZDOOM: &str = "vizdoom==1.3.2";

/// Something could not be made.
#[derive(Debug, thiserror::Error)]
#[error("{what}\n  remedy: {remedy}")]
pub struct NotMade {
    what: String,
    remedy: String,
}

fn failed(what: impl Into<String>, remedy: &str) -> NotMade {
    NotMade { what: what.into(), remedy: remedy.to_owned() }
}

/// Runs a program quietly; what it complained of if it failed.
fn run(command: &mut Command) -> Result<(), String> {
    let output = command.stdin(Stdio::null()).output();
    match output {
        Ok(output) if output.status.success() => Ok(()),
        Ok(output) => {
            let said = String::from_utf8_lossy(&output.stderr);
            let last =
                said.lines().map(str::trim).rfind(|line| !line.is_empty()).unwrap_or("no reason given");
            Err(last.to_owned())
        }
        Err(error) => Err(error.to_string()),
    }
}

/// Makes what is missing, and tells each step before it takes it.
pub fn setup(
    folder: &Path,
    system_python: &Path,
    tell: &mut dyn FnMut(&str),
) -> Result<Environment, NotMade> {
    std::fs::create_dir_all(folder).map_err(|error| {
        failed(format!("{} could not be made: {error}", folder.display()), "name another folder with --dir")
    })?;
    let python = Environment::python_in(folder);
    make_python(folder, system_python, &python, tell)?;
    let found = Environment::find(Some(folder), Some(&python), None);
    let wad = if found.wad.is_file() {
        tell(&format!("maps: {} is there", found.wad.display()));
        found.wad
    } else {
        fetch_maps(folder, tell)?
    };
    Ok(Environment::find(Some(folder), Some(&python), Some(&wad)))
}

/// Whether a Python has ViZDoom.
pub fn has_vizdoom(python: &Path) -> bool {
    run(Command::new(python).args(["-I", "-c", "import vizdoom"])).is_ok()
}

fn make_python(
    folder: &Path,
    system: &Path,
    python: &Path,
    tell: &mut dyn FnMut(&str),
) -> Result<(), NotMade> {
    if python.is_file() && has_vizdoom(python) {
        tell(&format!("python: {} is there, with ViZDoom", python.display()));
        return Ok(());
    }
    let venv = folder.join("venv");
    let install = "install Python 3 with its venv module (Debian: sudo apt-get install python3-venv), or name one with --python";
    if run(Command::new(system).args(["-c", "import venv, ensurepip"])).is_err() {
        return Err(failed(format!("there is no usable Python `{}`", system.display()), install));
    }
    tell(&format!("python: making an environment in {}", venv.display()));
    run(Command::new(system).args(["-m", "venv", "--clear"]).arg(&venv))
        .map_err(|said| failed(format!("the environment could not be made: {said}"), install))?;
    tell(&format!(
        "python: fetching {VIZDOOM} and numpy from PyPI, about 64 MB (ViZDoom's engine is free of charge for non-commercial use only)"
    ));
    let pip = [
        "-m",
        "pip",
        "install",
        "--quiet",
        "--disable-pip-version-check",
        "--timeout",
        "20",
        "--retries",
        "2",
    ];
    run(Command::new(python).args(pip).arg(VIZDOOM)).map_err(|said| {
        failed(
            format!("{VIZDOOM} could not be installed: {said}"),
            "look whether PyPI can be reached, then run it again",
        )
    })
}

/// FreeDM out of Debian's package, without being root.
fn fetch_maps(folder: &Path, tell: &mut dyn FnMut(&str)) -> Result<PathBuf, NotMade> {
    let by_hand = "install Debian's package freedm, or put freedm.wad of https://freedoom.github.io there";
    let wad = folder.join("freedm.wad");
    let work = folder.join("package");
    let missing =
        |said: String| failed(format!("the maps could not be fetched to {}: {said}", wad.display()), by_hand);
    tell("maps: fetching FreeDM out of Debian's package freedm, about 9 MB");
    let fetch = || -> Result<(), String> {
        let io = |error: std::io::Error| error.to_string();
        std::fs::create_dir_all(&work).map_err(io)?;
        run(Command::new("apt-get").args(["download", "freedm"]).current_dir(&work))?;
        let package = std::fs::read_dir(&work).map_err(io)?.filter_map(Result::ok).map(|entry| entry.path());
        let package = package.into_iter().find(|path| path.extension().is_some_and(|kind| kind == "deb"));
        let package = package.ok_or("apt-get fetched nothing")?;
        run(Command::new("dpkg-deb").arg("-x").arg(&package).arg(work.join("unpacked")))?;
        let unpacked = work.join("unpacked/usr/share/games/doom/freedm.wad");
        std::fs::copy(&unpacked, &wad).map_err(io)?;
        Ok(())
    };
    let fetched = fetch();
    let _ = std::fs::remove_dir_all(&work);
    fetched.map_err(missing)?;
    Ok(wad)
}
