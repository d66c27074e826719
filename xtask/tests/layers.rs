//! Who may use whom: the folders are the architecture, and this test keeps them so.
//!
//! Each crate may use only crates on floors below its own; nothing goes sideways or up, dev-dependencies
//! included. `bench` may use anything, `xtask` nothing, and nobody uses them. Each crate has its row in
//! `docs/ARCHITECTURE.md`. Crates are called by their folder: `prob` is the package `repertoire-prob`.

use cargo_metadata::MetadataCommand;
use cargo_metadata::camino::Utf8Path;
use std::path::Path;

/// The floors, from the bottom up.
const FLOORS: &[&[&str]] = &[
    &["authored", "prob"],
    &["bayes", "chameleon", "topology", "belief", "plan", "character"],
    &["mind"],
    &["worlds", "trace"],
    &["tournament"],
    &["roster"],
    &["eval", "first"],
    &["draw"],
    &["doors"],
    &["repertoire"],
    &["doom", "studio"],
    &["cli", "bevy_repertoire", "c", "python"],
];

/// What stands beside the house: chores that nobody may use.
const BENCH: &str = "bench";
const XTASK: &str = "xtask";

const TABLE: &str = "docs/ARCHITECTURE.md";

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Place {
    Floor(usize),
    Bench,
    Xtask,
}

fn place(name: &str) -> Result<Place, String> {
    match name {
        BENCH => Ok(Place::Bench),
        XTASK => Ok(Place::Xtask),
        _ => FLOORS.iter().position(|floor| floor.contains(&name)).map(Place::Floor).ok_or_else(|| {
            format!("`{name}` stands on no floor: give it one in FLOORS of xtask/tests/layers.rs")
        }),
    }
}

/// The rule: may the crate `from` use the crate `to`? If not, why.
fn check_edge(from: &str, to: &str) -> Result<(), String> {
    match (place(from)?, place(to)?) {
        (_, Place::Bench | Place::Xtask) => Err(format!("`{from}` uses `{to}`: nobody may use a chore")),
        (Place::Xtask, _) => Err(format!("`{from}` uses `{to}`: chores build without the library")),
        (Place::Floor(own), Place::Floor(other)) if own == other => {
            Err(format!("`{from}` uses `{to}`, which stands on the same floor ({own}): no sideways edges"))
        }
        (Place::Floor(own), Place::Floor(other)) if own < other => {
            Err(format!("`{from}` (floor {own}) uses `{to}` (floor {other}): only downward edges"))
        }
        (Place::Floor(_) | Place::Bench, Place::Floor(_)) => Ok(()),
    }
}

/// Whether the table of crates has a row that begins with the crate's name.
fn has_row(table: &str, name: &str) -> bool {
    let start = format!("| `{name}`");
    table.lines().any(|line| line.starts_with(&start))
}

#[test]
fn allows_downward_edges_and_everything_to_the_benchmarks() {
    for (from, to) in
        [("bayes", "prob"), ("plan", "authored"), ("mind", "plan"), ("cli", "prob"), ("bench", "cli")]
    {
        assert_eq!(check_edge(from, to), Ok(()), "{from} -> {to}");
    }
}

#[test]
fn refuses_sideways_edges() {
    for (from, to) in [("bayes", "plan"), ("prob", "authored"), ("trace", "worlds"), ("studio", "doom")] {
        let refusal = check_edge(from, to).expect_err("a sideways edge must be refused");
        assert!(refusal.contains("sideways") && refusal.contains(from) && refusal.contains(to), "{refusal}");
    }
}

#[test]
fn refuses_upward_edges() {
    for (from, to) in [("prob", "bayes"), ("mind", "worlds"), ("repertoire", "cli"), ("authored", "eval")] {
        let refusal = check_edge(from, to).expect_err("an upward edge must be refused");
        assert!(refusal.contains("downward") && refusal.contains(from) && refusal.contains(to), "{refusal}");
    }
}

#[test]
fn refuses_unknown_crates() {
    for (from, to) in [("juggling", "prob"), ("cli", "juggling")] {
        let refusal = check_edge(from, to).expect_err("an unknown crate must be refused");
        assert!(refusal.contains("`juggling` stands on no floor"), "{refusal}");
    }
}

#[test]
fn refuses_to_use_chores_and_chores_that_use_the_library() {
    for (from, to) in [("cli", "bench"), ("prob", "xtask"), ("bench", "xtask"), ("xtask", "prob")] {
        assert!(check_edge(from, to).is_err(), "{from} -> {to}");
    }
}

#[test]
fn a_row_is_a_table_line_that_begins_with_the_name() {
    let table = "# Crates\n| crate | what |\n|---|---|\n| `prob` | tables, beside `plan` |\nsee `mind`\n";
    assert!(has_row(table, "prob"));
    for absent in ["plan", "mind", "pro"] {
        assert!(!has_row(table, absent), "{absent}");
    }
}

#[test]
fn the_workspace_keeps_to_its_layers() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask lies in the workspace");
    let metadata = MetadataCommand::new()
        .manifest_path(root.join("Cargo.toml"))
        .no_deps()
        .other_options(["--offline".to_string()])
        .exec()
        .expect("cargo metadata reads the workspace");
    let table = std::fs::read_to_string(root.join(TABLE)).unwrap_or_else(|error| panic!("{TABLE}: {error}"));

    let mut mistakes = Vec::new();
    for package in metadata.workspace_packages() {
        let name = folder(package.manifest_path.parent().expect("a manifest lies in a folder"));
        mistakes.extend(place(name).err());
        if !has_row(&table, name) {
            mistakes
                .push(format!("`{name}` has no row in {TABLE}: add a line that begins with | `{name}` |"));
        }
        // A dependency with a path is one of ours; its name in the manifest may be another than its folder's.
        for path in package.dependencies.iter().filter_map(|dependency| dependency.path.as_deref()) {
            mistakes.extend(check_edge(name, folder(path)).err());
        }
    }
    mistakes.sort();
    mistakes.dedup();
    assert!(mistakes.is_empty(), "the architecture is broken:\n- {}", mistakes.join("\n- "));
}

fn folder(path: &Utf8Path) -> &str {
    path.file_name().expect("a crate lies in a named folder")
}
