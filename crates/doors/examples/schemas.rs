//! Writes the published schemas and those that the program holds anew from the types: `cargo xtask schemas` runs it in the
//! folder of the workspace.

use std::path::Path;

use repertoire_doors::schemas;

fn main() -> std::io::Result<()> {
    for (kind, text) in schemas::files() {
        let file = format!("schemas/{kind}.schema.json");
        let text = text + "\n";
        let is_current = std::fs::read(&file).is_ok_and(|current| current == text.as_bytes());
        write(Path::new(&file), (!is_current).then(|| text.into_bytes()))?;
    }
    write(Path::new("crates/doors/src/schemas.json.gz"), schemas::pack()?)
}

fn write(file: &Path, changed: Option<Vec<u8>>) -> std::io::Result<()> {
    let Some(bytes) = changed else {
        println!("{}: up to date", file.display());
        return Ok(());
    };
    if let Some(folder) = file.parent() {
        std::fs::create_dir_all(folder)?;
    }
    std::fs::write(file, bytes)?;
    println!("{}: changed, written", file.display());
    Ok(())
}
