//! Writing to standard output, and to files without losing what was there.

use std::fs::File;
use std::io::{ErrorKind, Write};
use std::path::Path;

use anyhow::{Context, Result, anyhow, bail};
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

/// Writes a file; `-` is standard output.
///
/// An ordinary file is replaced in one move, keeping its permissions, so that on any failure the old one is still
/// there; a link is followed; a device or a pipe is written to.
pub fn file(path: &Path, content: &str) -> Result<()> {
    if path == Path::new("-") {
        return bytes(content.as_bytes());
    }
    replace(path, |out| Ok(out.write_all(content.as_bytes())?))
}

/// Writes a file piece by piece, and replaces what was there in one move when all of it is written; see [`file`].
pub fn replace(path: &Path, write: impl FnOnce(&mut File) -> Result<()>) -> Result<()> {
    let failed = |error: anyhow::Error| match error.downcast::<std::io::Error>() {
        Ok(error) => anyhow!(
            "{} could not be written: {error}\n  remedy: name a file in a folder that can be written to",
            path.display()
        ),
        Err(error) => error,
    };
    let target = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let before = std::fs::metadata(&target).ok();
    if before.as_ref().is_some_and(|before| before.is_dir()) {
        bail!("{} is a folder\n  remedy: name a file", path.display());
    }
    if before.as_ref().is_some_and(|before| !before.is_file()) {
        return File::create(&target).map_err(Into::into).and_then(|mut out| write(&mut out)).map_err(failed);
    }
    let name = target.file_name().with_context(|| format!("{} is not the name of a file", path.display()))?;
    let beside = target.with_file_name(format!(".{}.{}.part", name.to_string_lossy(), std::process::id()));
    let replace = || -> Result<()> {
        write(&mut File::create(&beside)?)?;
        if let Some(before) = &before {
            std::fs::set_permissions(&beside, before.permissions())?;
        }
        Ok(std::fs::rename(&beside, &target)?)
    };
    let written = replace();
    if written.is_err() {
        // What is left of the attempt is of no use to anyone; the error that matters is the first one.
        let _ = std::fs::remove_file(&beside);
    }
    written.map_err(failed)
}

/// Refuses to write over something that is read.
pub fn refuse_overwriting(output: &Path, input: &Path, what: &str) -> Result<()> {
    match (output.canonicalize(), input.canonicalize()) {
        (Ok(output), Ok(input)) if output == input => {
            bail!(
                "{} is {what}, and would be lost\n  remedy: name another file to write to",
                output.display()
            )
        }
        _ => Ok(()),
    }
}

/// Whether the reader of our output went away, which is its right: `repertoire ... | head`.
pub fn is_closed_pipe(error: &anyhow::Error) -> bool {
    let closed = |cause: &(dyn std::error::Error + 'static)| {
        cause.downcast_ref::<std::io::Error>().is_some_and(|error| error.kind() == ErrorKind::BrokenPipe)
    };
    error.chain().any(closed)
}

/// Whether standard output shows colours.
pub fn is_coloured() -> bool {
    anstream::AutoStream::choice(&std::io::stdout()) != anstream::ColorChoice::Never
}
