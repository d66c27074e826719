//! Writing to standard output, and to files without losing what was there.

use std::io::{ErrorKind, Write};
use std::path::Path;

use anyhow::{Context, Result};
use serde::Serialize;

/// Writes text, in colour only on a terminal.
pub fn text(text: &str) -> Result<()> {
    let mut out = anstream::stdout().lock();
    out.write_all(text.as_bytes())?;
    Ok(out.flush()?)
}

/// Writes bytes as they are.
pub fn bytes(bytes: &[u8]) -> Result<()> {
    let mut out = std::io::stdout().lock();
    out.write_all(bytes)?;
    Ok(out.flush()?)
}

/// Writes one value as indented JSON.
pub fn json(value: &impl Serialize) -> Result<()> {
    text(&format!("{}\n", serde_json::to_string_pretty(value)?))
}

/// Replaces a file in one move: on any failure the old one is still there.
pub fn file(path: &Path, content: &str) -> Result<()> {
    let name = path.file_name().with_context(|| format!("{} is not the name of a file", path.display()))?;
    let beside = path.with_file_name(format!(".{}.part", name.to_string_lossy()));
    let written = std::fs::write(&beside, content).and_then(|()| std::fs::rename(&beside, path));
    if written.is_err() {
        // What is left of the attempt is of no use to anyone; the error that matters is the first one.
        let _ = std::fs::remove_file(&beside);
    }
    written.with_context(|| format!("{} could not be written", path.display()))
}

/// Whether the reader of our output went away, which is its right: `repertoire ... | head`.
pub fn is_closed_pipe(error: &anyhow::Error) -> bool {
    let closed = |cause: &(dyn std::error::Error + 'static)| {
        cause.downcast_ref::<std::io::Error>().is_some_and(|error| error.kind() == ErrorKind::BrokenPipe)
    };
    error.chain().any(closed)
}
