//! `cargo xtask test`: everything that must hold before a change goes in, cheapest first.
//!
//! Continuous integration runs exactly this. It stops at the first failure; a part that cannot run here (the
//! peers need Python) is skipped out loud, with the remedy, and counted in the last line.
//!
//! Most of the time goes into building, so steps that share what is built stand together: lints, documents and
//! features need only types (`cargo check`'s files), tests, examples and benchmarks need programs. Rejected: linting
//! while building, with clippy's driver as the compiler. It would save a pass, but its authors warn against using what
//! it builds.

use crate::{Error, python, setup, shell};
use std::process::Command;

/// Everything that the steps run, built as the tests build it.
pub const BUILD: [&str; 4] = ["build", "--quiet", "--workspace", "--all-targets"];

/// Where the numbered examples are.
const EXAMPLES: &str = "crates/repertoire/examples";

/// What the tests of the C adapter need, and what they cannot do without it.
const C_TOOLS: [(&str, &str); 4] = [
    ("gcc", "the C example and the first page of the C guide"),
    ("g++", "the C++ example"),
    ("pkg-config", "the first page of the C guide"),
    ("valgrind", "the C example under valgrind"),
];

/// The chore.
pub fn run(options: &[String]) -> Result<(), Error> {
    let quick = match options {
        [] => false,
        [option] if option == "--quick" => true,
        _ => return Err(Error::Usage(format!("`test` takes only --quick, not `{}`", options.join(" ")))),
    };
    let mut report = Report::default();
    let result = all_steps(&mut report, quick);
    report.print();
    Ok(result?)
}

fn all_steps(report: &mut Report, quick: bool) -> Result<(), String> {
    report.run(shell::cargo(["fmt", "--all", "--check"]))?;
    if quick {
        report.run(shell::cargo(["test", "--workspace"]))?;
        println!("\n--quick: only format and tests were checked");
        return Ok(());
    }
    report.run(cargo(["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"]))?;
    // After the first step that fetches dependencies, since it does not fetch any itself.
    report.run(packages())?;
    let mut documentation = cargo(["doc", "--quiet", "--workspace", "--no-deps"]);
    documentation.env("RUSTDOCFLAGS", "-D warnings");
    report.run(documentation)?;
    for package in packages_with_features()? {
        report.run(cargo(["check", "--quiet", "-p", &package, "--no-default-features"]))?;
    }
    // Without target options this runs the documentation's examples too.
    report.run(cargo(["test", "--workspace"]))?;
    // The tests of adapters/c compile and run C where they can, and pass over it where they cannot.
    for (tool, what) in C_TOOLS {
        if shell::probe(tool, &["--version"]).is_none() {
            report.skip(
                what,
                &format!("{tool} is not here; install it, on Debian: sudo apt-get install {tool}"),
            );
        }
    }

    // So do the studio's tests in a browser.
    if shell::probe("chromium", &["--version"]).is_none() {
        report.skip("the studio in a browser", "chromium is not here; run `cargo xtask setup`");
    }
    match shell::probe("tsc", &["--version"]) {
        Some(_) => report.run(types_of_the_studio())?,
        None => report
            .skip("the types of the studio's pages", "tsc is not here; with Node: npm install -g typescript"),
    }

    // One package at a time would build what it depends on once more, with other features.
    report.run(cargo(BUILD))?;
    let examples = numbered_examples()?;
    if examples.is_empty() {
        report.skip("examples", &format!("there is no *.rs in {EXAMPLES}; write one"));
    }
    for example in &examples {
        report.run_talking(shell::built(&format!("examples/{example}"), [])?)?;
    }

    // The workspace's tests have played a recorded conversation with Doom again; here Doom itself plays, where it is.
    if setup::doom_is_ready() {
        let game = ["--map", "MAP07", "--bots", "4", "--minutes", "1"];
        let match_of = ["doom", "match", "--contender", "aggressive"];
        report.run_talking(shell::built("repertoire", match_of.into_iter().chain(game))?)?;
    } else {
        report.skip("a real match of Doom", "only a recorded one was played; run `cargo xtask setup`");
    }

    // Small, so that the benchmarks cannot rot; `cargo xtask bench` measures.
    report.run(shell::built("repertoire-bench", ["--quick"])?)?;
    if setup::PEERS.is_ready() {
        report.run(shell::built("repertoire-bench", ["--quick", "--peers"])?)?;
    } else {
        report.skip(
            "benchmarks against peers",
            "their Python environment is not ready; run `cargo xtask setup`",
        );
    }
    adapters(report)
}

/// The cargo of the steps that build. In a clean clone it writes nothing for incremental builds, which would take a sixth longer and
/// gain nothing here; where somebody has worked, it takes up what their builds left.
fn cargo<'a>(arguments: impl IntoIterator<Item = &'a str>) -> Command {
    let mut cargo = shell::cargo(arguments);
    if is_clean() && std::env::var_os("CARGO_INCREMENTAL").is_none() {
        cargo.env("CARGO_INCREMENTAL", "0");
    }
    cargo
}

/// Whether nothing but this program was built incrementally where it lies. Windows does not replace programs that run, and building
/// this one in the other way would.
fn is_clean() -> bool {
    let Ok(here) = std::env::current_exe() else { return false };
    let built = std::fs::read_dir(here.with_file_name("incremental"));
    let is_own = |entry: std::io::Result<std::fs::DirEntry>| {
        entry.is_ok_and(|entry| entry.file_name().to_string_lossy().starts_with("xtask-"))
    };
    !cfg!(windows) && built.map_or(true, |mut built| built.all(is_own))
}

/// The studio's pages are plain JavaScript with types in comments.
fn types_of_the_studio() -> Command {
    let mut tsc = Command::new("tsc");
    tsc.args(["--project", "crates/studio/web"]);
    tsc
}

/// Whether the packages of another workspace can be had. Those of its lock file, which must fit what the workspace asks for.
fn fetched(manifest: &str) -> Result<bool, String> {
    let fetched = shell::cargo(["fetch", "--quiet", "--locked", "--manifest-path", manifest]).output();
    let Ok(fetched) = fetched else { return Ok(false) };
    if String::from_utf8_lossy(&fetched.stderr).contains("--locked") {
        return Err(format!(
            "the lock file beside {manifest} is out of date\n  remedy: cargo fetch --manifest-path {manifest}, and commit it"
        ));
    }
    Ok(fetched.status.success())
}

/// The adapters that have workspaces of their own.
fn adapters(report: &mut Report) -> Result<(), String> {
    if python::ENVIRONMENT.is_ready() {
        fetched("adapters/python/Cargo.toml")?;
        for step in python::steps() {
            report.run(step)?;
        }
    } else {
        report.skip("the Python package", "its environment is not ready; run `cargo xtask setup`");
    }
    let bevy = ["--manifest-path", "adapters/bevy/Cargo.toml"];
    if !fetched(bevy[1])? {
        report.skip("the Bevy plugin", "its dependencies cannot be fetched; is the network there?");
        return Ok(());
    }
    report.run(shell::cargo(["fmt", "--check"].into_iter().chain(bevy)))?;
    report.run(shell::cargo(["test", "--quiet"].into_iter().chain(bevy)))?;
    for example in ["villagers", "thirst"] {
        report.run_talking(shell::cargo(["run", "--quiet", "--example", example].into_iter().chain(bevy)))?;
    }
    Ok(())
}

/// What would be published, packed: finds missing READMEs, descriptions, versions and files.
///
/// Not verified, because that builds every package once more on its own (minutes); `xtask/tests/documents.rs` looks for
/// what a build would find, files that are included from outside of a package.
fn packages() -> Command {
    let all = ["package", "--quiet", "--workspace", "--exclude", "repertoire-bench", "--exclude", "xtask"];
    // A tree that somebody works on is dirty.
    shell::cargo(all.into_iter().chain(["--no-verify", "--allow-dirty", "--offline"]))
}

/// Packages that can be built with less than everything.
fn packages_with_features() -> Result<Vec<String>, String> {
    let mut names = Vec::new();
    for folder in ["crates", "adapters"] {
        let unreadable = |error: std::io::Error| format!("cannot list {folder}/: {error}");
        for entry in std::fs::read_dir(folder).map_err(unreadable)? {
            let manifest = entry.map_err(unreadable)?.path().join("Cargo.toml");
            let text = std::fs::read_to_string(manifest).unwrap_or_default();
            let name = text.lines().find_map(|line| line.strip_prefix("name = \"")?.strip_suffix('"'));
            if text.lines().any(|line| line == "[features]") {
                names.extend(name.map(str::to_string));
            }
        }
    }
    names.sort();
    Ok(names)
}

/// Names of the examples, in the order of their numbers.
fn numbered_examples() -> Result<Vec<String>, String> {
    let mut names = Vec::new();
    let unreadable = |error: std::io::Error| format!("cannot list {EXAMPLES}/: {error}");
    for entry in std::fs::read_dir(EXAMPLES).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        if path.extension().is_some_and(|extension| extension == "rs")
            && let Some(stem) = path.file_stem()
        {
            names.push(stem.to_string_lossy().into_owned());
        }
    }
    names.sort();
    Ok(names)
}

#[derive(Clone, Copy, PartialEq)]
enum Outcome {
    Passed,
    Failed,
    Skipped,
}

/// What ran, how it ended, and how long it took.
#[derive(Default)]
struct Report {
    steps: Vec<(String, Outcome, f64)>,
}

impl Report {
    /// A step that passes if the command exits with zero.
    fn run(&mut self, mut command: Command) -> Result<(), String> {
        let name = shell::describe(&command);
        self.step(name, || shell::run(&mut command))
    }

    /// A step whose command must also say something: an example that prints nothing teaches nothing.
    fn run_talking(&mut self, mut command: Command) -> Result<(), String> {
        let name = shell::describe(&command);
        self.step(name.clone(), || {
            let printed = shell::run_for_output(&mut command)?;
            let printed = String::from_utf8_lossy(&printed);
            if printed.trim().is_empty() {
                return Err(format!("`{name}` printed nothing"));
            }
            println!("({} lines printed)", printed.lines().count());
            Ok(())
        })
    }

    fn step(&mut self, name: String, work: impl FnOnce() -> Result<(), String>) -> Result<(), String> {
        let (result, seconds) = shell::timed(work);
        let outcome = if result.is_ok() { Outcome::Passed } else { Outcome::Failed };
        self.steps.push((name, outcome, seconds));
        result
    }

    fn skip(&mut self, name: &str, remedy: &str) {
        println!("\nSKIPPED: {name}: {remedy}");
        self.steps.push((name.to_string(), Outcome::Skipped, 0.0));
    }

    fn count(&self, wanted: Outcome) -> usize {
        self.steps.iter().filter(|(_, outcome, _)| *outcome == wanted).count()
    }

    fn print(&self) {
        let width = self.steps.iter().map(|(name, ..)| name.chars().count()).max().unwrap_or(0);
        println!("\n{:width$}  {:7}  {:>7}", "step", "result", "seconds");
        for (name, outcome, seconds) in &self.steps {
            let outcome = match outcome {
                Outcome::Passed => "ok",
                Outcome::Failed => "FAILED",
                Outcome::Skipped => "SKIPPED",
            };
            println!("{name:width$}  {outcome:7}  {seconds:7.1}");
        }
        println!(
            "{} passed, {} failed, {} skipped",
            self.count(Outcome::Passed),
            self.count(Outcome::Failed),
            self.count(Outcome::Skipped)
        );
    }
}
