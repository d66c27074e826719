//! Where Python, ViZDoom and the maps are: given, told by the environment, or where `repertoire doom setup` puts them.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::DoomError;

/// Where Debian's package `freedm` puts its maps.
const DEBIAN_WAD: &str = "/usr/share/games/doom/freedm.wad";

/// What a match needs that is not ours.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Environment {
    /// The Python that has ViZDoom.
    pub python: PathBuf,
    /// The file of maps.
    pub wad: PathBuf,
    /// Whether the engine can be kept from any network: whether `unshare` works here, and how.
    pub isolation: Isolation,
}

/// How the engine is kept from the network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Isolation {
    /// In a network of its own, as root.
    Root,
    /// In a network of its own, in a namespace where one is root.
    User,
    /// Not at all: this system cannot.
    None,
}

impl Environment {
    /// The bytes of the file of maps.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn maps(&self) -> Result<Vec<u8>, DoomError> {
        std::fs::read(&self.wad).map_err(|source| DoomError::NotRead { path: self.wad.clone(), source })
    }

    /// The folder that `repertoire doom setup` makes, unless told otherwise: the user's for data.
    pub fn usual_folder() -> PathBuf {
        let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        let data = set("XDG_DATA_HOME")
            .or_else(|| set("HOME").map(|home| home.join(".local/share")))
            .or_else(|| set("LOCALAPPDATA"))
            .unwrap_or_else(std::env::temp_dir);
        data.join("repertoire/doom")
    }

    /// Python and maps as given, else as `REPERTOIRE_DOOM_PYTHON` and `REPERTOIRE_FREEDM` say, else where setup puts
    /// them, else where Debian does.
    pub fn find(folder: Option<&Path>, python: Option<&Path>, wad: Option<&Path>) -> Self {
        let folder = folder.map_or_else(Self::usual_folder, Path::to_owned);
        let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        let wad = wad.map(Path::to_owned).or_else(|| set("REPERTOIRE_FREEDM")).unwrap_or_else(|| {
            let own = folder.join("freedm.wad");
            if !own.is_file() && Path::new(DEBIAN_WAD).is_file() { PathBuf::from(DEBIAN_WAD) } else { own }
        });
        let python = python
            .map(Path::to_owned)
            .or_else(|| set("REPERTOIRE_DOOM_PYTHON"))
            .unwrap_or_else(|| Self::python_in(&folder));
        Environment { python, wad, isolation: Isolation::None }
    }

    /// The Python of an environment in a folder.
    pub fn python_in(folder: &Path) -> PathBuf {
        folder.join(if cfg!(windows) { "venv/Scripts/python.exe" } else { "venv/bin/python" })
    }

    /// The same, kept from the network if that works here, and if `REPERTOIRE_DOOM_OPEN` is not set.
    pub fn isolated(mut self) -> Self {
        let works = |words: &[&str]| {
            let mut command = Command::new("unshare");
            command.args(words).arg("true");
            command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
            command.status().is_ok_and(|status| status.success())
        };
        self.isolation = if std::env::var_os("REPERTOIRE_DOOM_OPEN").is_some() {
            Isolation::None
        } else if works(&["-n", "-m"]) {
            Isolation::Root
        } else if works(&["-r", "-n", "-m"]) {
            Isolation::User
        } else {
            Isolation::None
        };
        self
    }

    /// Whether what a match needs is there; ViZDoom is only missed when the bridge starts.
    pub fn check(&self) -> Result<(), DoomError> {
        // A bare name is looked up on the path by the system.
        if self.python.components().count() > 1 && !self.python.is_file() {
            return Err(DoomError::NoPython(self.python.clone()));
        }
        if !self.wad.is_file() {
            return Err(DoomError::NoWad(self.wad.clone()));
        }
        Ok(())
    }

    /// Python, ready for its arguments: in a network and with shared memory of its own, as far as that works here; in the
    /// network of another bridge if one is named, so that their engines meet.
    pub(crate) fn command(&self, beside: Option<u32>) -> Command {
        let words: Vec<String> = match (self.isolation, beside) {
            (Isolation::None, _) => Vec::new(),
            (Isolation::Root, None) => to_words("unshare -n -m --"),
            (Isolation::User, None) => to_words("unshare -r -n -m --"),
            (Isolation::Root, Some(other)) => to_words(&format!("nsenter -t {other} -n -- unshare -m --")),
            (Isolation::User, Some(other)) => {
                to_words(&format!("nsenter -t {other} -U -n --preserve-credentials -- unshare -m --"))
            }
        };
        let Some((first, rest)) = words.split_first() else { return Command::new(&self.python) };
        let mut command = Command::new(first);
        command.args(rest).arg(&self.python);
        command
    }
}

fn to_words(line: &str) -> Vec<String> {
    line.split_whitespace().map(str::to_owned).collect()
}
