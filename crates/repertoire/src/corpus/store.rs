//! Where recordings lie and answers are committed: a disk, or anything that can keep a file in one move.

use std::fmt::Debug;
use std::path::{Path, PathBuf};

use super::CorpusError;

/// Files by their names. A name is a path, or whatever else the store understands, such as `s3://bucket/plays/1.parquet`.
pub trait Store: Debug + Send + Sync {
    /// A file's content; none if it is not there.
    ///
    /// # Errors
    /// If it is there, or may be there, and cannot be read.
    fn read(&self, name: &Path) -> Result<Option<Vec<u8>>, CorpusError>;

    /// Writes a file in one move, so that it is whole whenever it is there, and replaces what had its name.
    ///
    /// # Errors
    /// If it cannot be written; then nothing has changed.
    fn keep(&self, name: &Path, content: &[u8]) -> Result<(), CorpusError>;

    /// The names of the files in a folder, in any order; none if there is no such folder.
    ///
    /// # Errors
    /// If it is there, or may be there, and cannot be read.
    fn list(&self, folder: &Path) -> Result<Vec<PathBuf>, CorpusError>;

    /// Removes a file that is no longer needed. Nothing depends on whether it is gone.
    fn remove(&self, name: &Path);

    /// A recording of so many bytes as a file of this machine: itself, or a copy. Each thread uses one at a time, and is done with it
    /// when it asks for the next.
    ///
    /// # Errors
    /// If it is not there, or has another length.
    fn local(&self, recording: &Path, length: u64) -> Result<PathBuf, CorpusError>;
}

/// The disks of this machine, and those of others that it has mounted.
#[derive(Clone, Copy, Debug, Default)]
pub struct Disk;

impl Store for Disk {
    fn read(&self, name: &Path) -> Result<Option<Vec<u8>>, CorpusError> {
        match std::fs::read(name) {
            Ok(content) => Ok(Some(content)),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(CorpusError::of(name, error)),
        }
    }

    fn keep(&self, name: &Path, content: &[u8]) -> Result<(), CorpusError> {
        use std::sync::atomic::{AtomicU64, Ordering};
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let failed = |error: std::io::Error| {
            CorpusError::new(
                format!("{}: {error}", name.display()),
                "a folder with room that can be written to",
            )
        };
        let part = format!(".{}.{}.part", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
        let own = name.file_name().map_or(String::new(), |name| name.to_string_lossy().into_owned());
        let beside = name.with_file_name(own + &part);
        if let Some(folder) = name.parent() {
            std::fs::create_dir_all(folder).map_err(failed)?;
        }
        let written = std::fs::write(&beside, content).and_then(|()| std::fs::rename(&beside, name));
        written.map_err(|error| {
            let _ = std::fs::remove_file(&beside);
            failed(error)
        })
    }

    fn list(&self, folder: &Path) -> Result<Vec<PathBuf>, CorpusError> {
        match std::fs::read_dir(folder) {
            Ok(entries) => {
                let path = |entry: std::io::Result<std::fs::DirEntry>| Ok(entry?.path());
                entries
                    .map(path)
                    .collect::<Result<_, _>>()
                    .map_err(|error: std::io::Error| CorpusError::of(folder, error))
            }
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Vec::new()),
            Err(error) => Err(CorpusError::of(folder, error)),
        }
    }

    fn remove(&self, name: &Path) {
        let _ = std::fs::remove_file(name);
    }

    fn local(&self, recording: &Path, length: u64) -> Result<PathBuf, CorpusError> {
        if std::fs::metadata(recording).map_or(true, |there| there.len() != length) {
            return Err(CorpusError::changed(recording));
        }
        Ok(recording.to_owned())
    }
}
