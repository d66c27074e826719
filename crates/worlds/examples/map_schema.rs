//! Prints the JSON schema of map files; `cargo xtask schemas` keeps it in `schemas/`.

fn main() -> Result<(), serde_json::Error> {
    println!("{}", serde_json::to_string_pretty(&repertoire_worlds::arena::map::file::schema())?);
    Ok(())
}
