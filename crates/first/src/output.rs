//! Writing to standard output, and to files without losing what was there.

use std::ffi::OsString;
use std::fs::File;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail};
use serde::Serialize;

/// A file that a command will write. Declare an option with this type instead of [`PathBuf`], and the file is known to be
/// writable before the command's work begins ([`check_targets`]).
#[derive(Clone, Debug)]
pub struct Target(PathBuf);

impl From<OsString> for Target {
    fn from(written: OsString) -> Self {
        Target(written.into())
    }
}

impl std::ops::Deref for Target {
    type Target = Path;

    fn deref(&self) -> &Path {
        &self.0
    }
}

/// Refuses, before any work is done, output files that could not be written after it: of the command that was given, every
/// option of type [`Target`].
pub fn check_targets(matches: &clap::ArgMatches) -> Result<()> {
    for id in matches.ids() {
        if let Ok(Some(targets)) = matches.try_get_many::<Target>(id.as_str()) {
            targets.into_iter().try_for_each(|target| check_writable(target))?;
        }
    }
    matches.subcommand().map_or(Ok(()), |(_, matches)| check_targets(matches))
}

/// Refuses a file that cannot be written: its folder is missing or closed, or it is itself a folder. What is there stays
/// as it is.
pub fn check_writable(path: &Path) -> Result<()> {
    if is_stdout(path) {
        return Ok(());
    }
    let target = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    match std::fs::metadata(&target) {
        Ok(there) if there.is_dir() => bail!("{} is a folder\n  remedy: name a file", path.display()),
        // A device or a pipe: opening it may already do something.
        Ok(there) if !there.is_file() => return Ok(()),
        _ => {}
    }
    let beside = part_of(&target).with_context(|| format!("{} is not the name of a file", path.display()))?;
    let made = File::create(&beside).and_then(|_| std::fs::remove_file(&beside));
    made.map_err(|error| {
        anyhow!(
            "{} cannot be written: {error}\n  remedy: name a file in a folder that exists and can be written to",
            path.display()
        )
    })
}

/// The file beside a target in which its next content is prepared.
fn part_of(target: &Path) -> Option<PathBuf> {
    let name = target.file_name()?.to_string_lossy();
    Some(target.with_file_name(format!(".{name}.{}.part", std::process::id())))
}

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

/// Writes a report: as JSON where that is asked for, as text otherwise. The text is made only where it is needed.
pub fn answer(as_json: bool, report: &impl Serialize, text: impl FnOnce() -> String) -> Result<()> {
    if as_json { json(report) } else { self::text(&text()) }
}

/// Writes a report beside a file that a command wrote: where that file is standard output, the text goes to standard error.
pub fn answer_beside(
    written: &Path,
    as_json: bool,
    report: &impl Serialize,
    text: impl FnOnce() -> String,
) -> Result<()> {
    if !as_json && is_stdout(written) {
        anstream::eprint!("{}", text());
        return Ok(());
    }
    answer(as_json, report, text)
}

/// Whether a file to write is standard output.
pub fn is_stdout(path: &Path) -> bool {
    path == Path::new("-")
}

/// Writes a file; `-` is standard output.
///
/// An ordinary file is replaced in one move, keeping its permissions, so that on any failure the old one is still
/// there; a link is followed; a device or a pipe is written to.
pub fn file(path: &Path, content: &str) -> Result<()> {
    file_of_bytes(path, content.as_bytes())
}

/// Writes a file if one is asked for; its content is made only then.
pub fn file_if_asked(
    path: Option<&(impl std::ops::Deref<Target = Path> + ?Sized)>,
    content: impl FnOnce() -> String,
) -> Result<()> {
    path.map_or(Ok(()), |path| file(path, &content()))
}

/// Writes a file that is no text; see [`file()`].
pub fn file_of_bytes(path: &Path, content: &[u8]) -> Result<()> {
    if is_stdout(path) {
        return bytes(content);
    }
    replace(path, |out| Ok(out.write_all(content)?))
}

/// Writes a file piece by piece, and replaces what was there in one move when all of it is written; see [`file()`].
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
    let beside = part_of(&target).with_context(|| format!("{} is not the name of a file", path.display()))?;
    remove_stale_parts(&target);
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

/// Writes a file that is of use even if it is cut off, such as a recording: a new one in place, so that a kill leaves what
/// was written; one that is there is replaced only by a whole one.
pub fn growing<T>(path: &Path, write: impl FnOnce(&mut File) -> Result<T>) -> Result<T> {
    if !path.exists() {
        let out = File::create(path);
        return write(&mut out.with_context(|| format!("{} could not be written", path.display()))?);
    }
    let mut made = None;
    replace(path, |out| {
        made = Some(write(out)?);
        Ok(())
    })?;
    made.with_context(|| format!("{} could not be written", path.display()))
}

/// Removes what earlier attempts to replace a file left beside it when they were killed: parts named after a process that no
/// longer lives. Says so, since a part of a recording could have been recovered. Where the system cannot tell who lives,
/// nothing is removed.
fn remove_stale_parts(target: &Path) {
    let Some(name) = target.file_name() else { return };
    let prefix = format!(".{}.", name.to_string_lossy());
    let folder = target.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    let mut parts: Vec<(String, u32)> = entries
        .filter_map(|entry| {
            let file = entry.ok()?.file_name().to_str()?.to_owned();
            let process = file.strip_prefix(&prefix)?.strip_suffix(".part")?.parse().ok()?;
            Some((file, process))
        })
        .collect();
    parts.sort_unstable();
    for (file, process) in parts {
        if has_ended(process) && std::fs::remove_file(folder.join(&file)).is_ok() {
            anstream::eprintln!("note: removed {file}, which a run that was killed had left");
        }
    }
}

/// Whether a process is known to live no longer.
fn has_ended(process: u32) -> bool {
    #[cfg(unix)]
    {
        let process = i32::try_from(process).ok().and_then(rustix::process::Pid::from_raw);
        process.is_some_and(|process| {
            rustix::process::test_kill_process(process) == Err(rustix::io::Errno::SRCH)
        })
    }
    #[cfg(not(unix))]
    {
        let _ = process;
        false
    }
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

/// Refuses to write over any of several things that are read.
pub fn refuse_overwriting_any(
    output: &Path,
    inputs: impl IntoIterator<Item = impl AsRef<Path>>,
    what: &str,
) -> Result<()> {
    inputs.into_iter().try_for_each(|input| refuse_overwriting(output, input.as_ref(), what))
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
