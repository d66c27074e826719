//! `cargo xtask stranger`: the facade's first page, as a crate of its own in an empty folder.
//!
//! The page's example is tested with the documentation, but inside of this workspace, with its profile, its lock file and its
//! features. A stranger has none of these: only a `Cargo.toml` with one dependency and a `main.rs` copied from the page.
//! This chore makes just that in a temporary folder, builds it, runs it, and compares what it prints with what the page says.
//!
//! It is no step of `cargo xtask test`: a stranger's profile and workspace share nothing that the tests have built, so the library
//! and its dependencies are built once more, for some 170 s of processor time. Run it after changing the first page, and before a release.

use std::path::{Path, PathBuf};

use crate::{Error, refuse_options, shell};

/// The page.
const PAGE: &str = "crates/repertoire/src/lib.rs";

/// The chore.
pub fn run(options: &[String]) -> Result<(), Error> {
    refuse_options(options)?;
    Ok(check()?)
}

/// Builds and runs the page's example in a folder that is removed afterwards.
pub fn check() -> Result<(), String> {
    let page = std::fs::read_to_string(PAGE).map_err(|error| format!("cannot read {PAGE}: {error}"))?;
    let (example, printed) = blocks(&page).ok_or(format!("{PAGE} has no example with what it prints"))?;
    let folder = Folder::new()?;
    folder.write("Cargo.toml", &manifest()?)?;
    folder.write("src/main.rs", &program(&example))?;
    let lock =
        std::fs::read_to_string("Cargo.lock").map_err(|error| format!("cannot read Cargo.lock: {error}"))?;
    // The versions that everything else is tested with, which are there without a network.
    folder.write("Cargo.lock", &lock)?;
    let mut command = shell::cargo(["run", "--quiet", "--offline"]);
    command.current_dir(&folder.0);
    let found = shell::run_for_output(&mut command)?;
    let found = String::from_utf8_lossy(&found);
    if found.trim_end() != printed.trim_end() {
        return Err(format!("{PAGE} says that its example prints\n{printed}\nbut it prints\n{found}"));
    }
    Ok(())
}

/// The first example of a page, and the first block of text after it: what it prints.
fn blocks(page: &str) -> Option<(String, String)> {
    let lines = page.lines().map_while(|line| line.strip_prefix("//!"));
    let text: Vec<&str> = lines.map(|line| line.strip_prefix(' ').unwrap_or(line)).collect();
    let text = text.join("\n");
    let mut parts = text.split("```");
    let example = parts.nth(1)?.trim_start_matches('\n').to_owned();
    let printed = parts.nth(1)?.strip_prefix("text\n")?.to_owned();
    Some((example, printed))
}

/// The example as a program: hidden lines of the documentation are left out, as a reader does not see them.
fn program(example: &str) -> String {
    let seen: Vec<&str> = example.lines().filter(|line| *line != "#" && !line.starts_with("# ")).collect();
    format!("fn main() -> Result<(), Box<dyn std::error::Error>> {{\n{}\nOk(())\n}}\n", seen.join("\n"))
}

fn manifest() -> Result<String, String> {
    let root = std::env::current_dir().map_err(|error| format!("cannot tell where this is: {error}"))?;
    let facade = root.join("crates/repertoire");
    Ok(format!(
        "[package]\nname = \"stranger\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[dependencies]\n\
         repertoire = {{ path = {:?} }}\n\n[workspace]\n",
        facade.display().to_string()
    ))
}

/// A folder outside of the repository, removed when it is dropped.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Result<Self, String> {
        let path = std::env::temp_dir().join(format!("repertoire-stranger-{}", std::process::id()));
        std::fs::create_dir_all(path.join("src"))
            .map_err(|error| format!("cannot make {}: {error}", path.display()))?;
        Ok(Folder(path))
    }

    fn write(&self, name: &str, text: &str) -> Result<(), String> {
        let path = self.0.join(Path::new(name));
        std::fs::write(&path, text).map_err(|error| format!("cannot write {}: {error}", path.display()))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // What is left of a temporary folder is no reason to fail.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_example_and_what_it_prints_are_found() {
        let page = "//! Words.\n//!\n//! ```\n//! let x = 1;\n//! # hidden();\n//! println!(\"{x}\");\n//! ```\n//! prints\n//! ```text\n//! 1\n//! ```\n\ncode";
        let (example, printed) = blocks(page).expect("both are there");
        assert_eq!(printed, "1\n");
        let program = program(&example);
        assert!(program.contains("let x = 1;") && !program.contains("hidden"), "{program}");
        assert_eq!(blocks("//! ```\n//! let x = 1;\n//! ```\n"), None, "nothing says what it prints");
    }
}
