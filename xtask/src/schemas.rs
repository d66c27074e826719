//! `cargo xtask schemas`: the published JSON schemas, written anew from the types that read the files.
//!
//! Editors check and complete authored files against them, so they are kept in the repository.

use crate::{Error, refuse_options, shell};
use std::path::Path;

/// Schema file, and what `cargo run` runs to print it.
const SCHEMAS: [(&str, &[&str]); 14] = [
    ("schemas/program.schema.json", &["-p", "repertoire-cli", "--", "program", "--schema"]),
    ("schemas/domain.schema.json", &["-p", "repertoire-cli", "--", "plan", "schema"]),
    ("schemas/behaviour.schema.json", &["-p", "repertoire-cli", "--", "behaviour", "schema"]),
    ("schemas/fighter.schema.json", &["-p", "repertoire-cli", "--", "character", "schema", "fighter"]),
    ("schemas/character.schema.json", &["-p", "repertoire-cli", "--", "character", "schema", "game"]),
    ("schemas/belief-model.schema.json", &["-p", "repertoire-cli", "--", "belief", "schema"]),
    ("schemas/chameleon-model.schema.json", &["-p", "repertoire-cli", "--", "chameleon", "schema", "model"]),
    (
        "schemas/chameleon-character.schema.json",
        &["-p", "repertoire-cli", "--", "chameleon", "schema", "character"],
    ),
    ("schemas/places.schema.json", &["-p", "repertoire-cli", "--", "topology", "schema"]),
    ("schemas/map.schema.json", &["-p", "repertoire-cli", "--", "arena", "schema"]),
    ("schemas/scenario.schema.json", &["-p", "repertoire-cli", "--", "rooms", "schema", "scenario"]),
    ("schemas/town.schema.json", &["-p", "repertoire-cli", "--", "town", "schema"]),
    ("schemas/profile.schema.json", &["-p", "repertoire-cli", "--", "rooms", "schema", "profile"]),
    ("schemas/family.schema.json", &["-p", "repertoire-cli", "--", "rooms", "schema", "family"]),
];

/// The chore.
pub fn run(options: &[String]) -> Result<(), Error> {
    refuse_options(options)?;
    for (file, words) in SCHEMAS {
        write(Path::new(file), words)?;
    }
    Ok(())
}

fn write(file: &Path, words: &[&str]) -> Result<(), String> {
    let mut command = shell::cargo(["run", "-q"]);
    command.args(words);
    let schema = shell::run_for_output(&mut command)?;
    if schema.trim_ascii().is_empty() {
        return Err(format!("`{}` printed nothing", shell::describe(&command)));
    }
    if std::fs::read(file).is_ok_and(|current| current == schema) {
        println!("{}: up to date", file.display());
        return Ok(());
    }
    let failed = |error| format!("cannot write {}: {error}", file.display());
    if let Some(folder) = file.parent() {
        std::fs::create_dir_all(folder).map_err(failed)?;
    }
    std::fs::write(file, schema).map_err(failed)?;
    println!("{}: changed, written", file.display());
    Ok(())
}
