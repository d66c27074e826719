//! What is planned with: domains and SAS+ problems.

use std::path::Path;

use repertoire_plan::domain::{DOMAINS, text};
use repertoire_plan::problem::Source;

use super::LoadError;

/// A domain that comes with the library by name, or a file: a domain (TOML) or a SAS+ problem, told apart by what is in it.
///
/// # Errors
/// If there is neither a domain nor a file of that name, or if the file is wrong; the message says where.
pub fn domain(name: &str) -> Result<Source, LoadError> {
    let path = Path::new(name);
    let written = match text(name) {
        Some(text) if !path.exists() => text.to_owned(),
        _ if !path.exists() && !name.contains(['.', '/', '\\']) => {
            let names: Vec<&str> = DOMAINS.iter().map(|(name, _)| *name).collect();
            let remedy = format!("give a file, or one of {}", names.join(", "));
            return Err(LoadError::Unknown { kind: "domain", name: name.to_owned(), remedy });
        }
        _ => super::text(path)?,
    };
    Source::read(&written).map_err(|mistake| LoadError::Mistake { path: path.to_owned(), mistake })
}
