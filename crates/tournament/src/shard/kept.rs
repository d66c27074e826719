//! A shard's file on disk: begun, grown by a line with every piece, and taken up again after a kill.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use super::file::{Header, Shard, Unreadable, piece_line};
use super::{Sharded, run};

/// Why a shard's file cannot be read or gone on with.
#[derive(Debug, thiserror::Error)]
pub enum CannotKeep {
    /// It cannot be read.
    #[error("{name} could not be read: {error}\n  remedy: give files that `--shard FILE` wrote")]
    Read {
        /// The file.
        name: String,
        /// What the system says.
        error: std::io::Error,
    },
    /// It cannot be written.
    #[error("{name} could not be written: {error}\n  remedy: name a file in a folder that can be written to")]
    Write {
        /// The file.
        name: String,
        /// What the system says.
        error: std::io::Error,
    },
    /// It is no shard, or a damaged one.
    #[error(transparent)]
    Unreadable(#[from] Unreadable),
    /// It belongs to other work, or to another part of this work. It stays as it is.
    #[error(
        "{name} is a shard of another run ({kind} {from}..{to}, seed {seed})\n  remedy: name another file, or remove it if it is of no use"
    )]
    OtherRun {
        /// The file.
        name: String,
        /// The work that is in it.
        kind: String,
        /// Its first piece.
        from: u64,
        /// The piece after its last.
        to: u64,
        /// Its seed.
        seed: u64,
    },
    /// The work itself cannot be done.
    #[error(transparent)]
    Refused(Box<dyn std::error::Error + Send + Sync>),
}

impl Shard {
    /// Reads a shard's file.
    ///
    /// # Errors
    /// If it is not there, or is no shard.
    pub fn open(path: &Path) -> Result<Self, CannotKeep> {
        let name = path.display().to_string();
        match std::fs::read(path) {
            Ok(text) => Ok(Shard::read(&name, &String::from_utf8_lossy(&text))?),
            Err(error) => Err(CannotKeep::Read { name, error }),
        }
    }
}

/// A shard that is kept in a file while it is made.
///
/// ```no_run
/// use repertoire_tournament::shard::{Header, Kept, Sharded};
/// # fn example(work: &impl Sharded<Refused: Sync + 'static>) -> Result<(), repertoire_tournament::shard::CannotKeep> {
/// let kept = Kept::begin(Header::of(work, 10..20), "b.shard".as_ref())?;
/// println!("{} of 10 were done before", kept.shard().pieces.len());
/// let shard = kept.run(work, &|| true, &|number| println!("{number} is done"))?;
/// assert!(shard.is_whole);
/// # Ok(()) }
/// ```
#[derive(Debug)]
pub struct Kept {
    path: PathBuf,
    shard: Shard,
}

impl Kept {
    /// Begins a shard's file, or takes up what a run that was stopped or killed has left of it.
    ///
    /// # Errors
    /// If the file is something else, or a shard of something else: it stays as it is.
    pub fn begin(header: Header, path: &Path) -> Result<Self, CannotKeep> {
        let name = path.display().to_string();
        let is_new = std::fs::metadata(path)
            .map_or_else(|error| error.kind() == ErrorKind::NotFound, |there| there.len() == 0);
        let shard = if is_new {
            Shard { name, header, pieces: BTreeMap::new(), is_whole: false }
        } else {
            let found = Shard::open(path)?;
            let there = &found.header;
            let is_ours = header.what == there.what
                && header.range() == there.range()
                && header.version == there.version
                && header.files == there.files;
            if !is_ours {
                let (kind, seed) = (there.what.kind.clone(), there.what.seed);
                return Err(CannotKeep::OtherRun { name, kind, from: there.from, to: there.to, seed });
            }
            found
        };
        Ok(Kept { path: path.to_owned(), shard })
    }

    /// What is there so far.
    pub fn shard(&self) -> &Shard {
        &self.shard
    }

    /// Does what is missing, as [`run`] does; every piece is on the disk before `done` hears of it. A shard that `go_on` stopped is
    /// not whole, and [`begin`](Kept::begin) takes it up.
    ///
    /// # Errors
    /// If a piece cannot be done or written. What was written stays.
    pub fn run<W: Sharded<Refused: Sync + 'static>>(
        mut self,
        work: &W,
        go_on: &(dyn Fn() -> bool + Sync),
        done: &(dyn Fn(u64) + Sync),
    ) -> Result<Shard, CannotKeep> {
        if self.shard.is_whole {
            return Ok(self.shard);
        }
        // What was cut off in the middle of a line goes; what was committed stays.
        self.rewrite()?;
        let file = OpenOptions::new().append(true).open(&self.path).map_err(|error| self.unwritten(error))?;
        let written: Mutex<(File, std::io::Result<()>)> = Mutex::new((file, Ok(())));
        let lock = || written.lock().unwrap_or_else(PoisonError::into_inner);
        let keep = |number: u64, piece: &W::Piece| {
            let (file, state) = &mut *lock();
            if state.is_ok() {
                // One write for each line: a kill leaves whole lines and at most the beginning of one.
                let line = piece_line(number, piece).map_err(std::io::Error::from);
                *state =
                    line.and_then(|line| file.write_all(line.as_bytes()).and_then(|()| file.sync_data()));
            }
            done(number);
        };
        let numbers: Vec<u64> = self.shard.missing().into_iter().flatten().collect();
        let made = run(work, numbers, &|| go_on() && lock().1.is_ok(), &keep)
            .map_err(|refused| CannotKeep::Refused(refused.into()))?;
        let (_, state) = written.into_inner().unwrap_or_else(PoisonError::into_inner);
        state.map_err(|error| self.unwritten(error))?;
        for (number, piece) in made {
            let json = serde_json::to_string(&piece).map_err(|error| self.unwritten(error.into()))?;
            self.shard.pieces.insert(number, json);
        }
        if self.shard.missing().is_empty() {
            self.shard.is_whole = true;
            self.rewrite()?;
        }
        Ok(self.shard)
    }

    /// Writes the file anew, in one move.
    fn rewrite(&self) -> Result<(), CannotKeep> {
        let target = self.path.canonicalize().unwrap_or_else(|_| self.path.clone());
        // Without a process's number: what a kill leaves is written over by whoever goes on.
        let name = target.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let beside = target.with_file_name(format!(".{name}.part"));
        let write = || -> std::io::Result<()> {
            let mut file = File::create(&beside)?;
            file.write_all(self.shard.text()?.as_bytes())?;
            file.sync_data()?;
            if let Ok(before) = std::fs::metadata(&target) {
                std::fs::set_permissions(&beside, before.permissions())?;
            }
            std::fs::rename(&beside, &target)
        };
        write().map_err(|error| {
            let _ = std::fs::remove_file(&beside);
            self.unwritten(error)
        })
    }

    fn unwritten(&self, error: std::io::Error) -> CannotKeep {
        CannotKeep::Write { name: self.path.display().to_string(), error }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering};

    use super::super::tests::Uneven;
    use super::super::{What, merge, run_all};
    use super::*;

    fn fresh(name: &str) -> PathBuf {
        let path = std::env::temp_dir().join(format!("repertoire-kept-{}-{name}", std::process::id()));
        let _ = std::fs::remove_file(&path);
        path
    }

    #[test]
    fn a_file_that_was_cut_off_is_taken_up_and_nothing_whole_is_done_twice() {
        let (work, path) = (Uneven { total: 12, seed: 5 }, fresh("cut.shard"));
        let header = || Header::of(&work, 0..12);
        let left = AtomicU64::new(5);
        let stop =
            || left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1)).is_ok();
        let stopped = Kept::begin(header(), &path).expect("begins").run(&work, &stop, &|_| ()).expect("kept");
        assert!(!stopped.is_whole && stopped.pieces.len() == 5);
        // The last line loses its end, as after a kill.
        let text = std::fs::read(&path).expect("a file");
        std::fs::write(&path, &text[..text.len() - 3]).expect("written");
        let kept = Kept::begin(header(), &path).expect("goes on");
        assert_eq!(kept.shard().pieces.len(), 4);
        let done = Mutex::new(Vec::new());
        let whole =
            kept.run(&work, &|| true, &|number| done.lock().expect("no panic").push(number)).expect("kept");
        assert!(whole.is_whole && done.into_inner().expect("no panic").len() == 8);
        assert_eq!(Shard::open(&path).expect("a shard"), whole);
        let merged = merge(&work, &[whole]).expect("all is there");
        assert_eq!(merged.to_bits(), run_all(&work, &|| ()).expect("plain").to_bits());
        let again = Kept::begin(header(), &path).expect("whole");
        again.run(&work, &|| true, &|number| panic!("{number} is done again")).expect("whole");
        std::fs::remove_file(&path).expect("it is ours");
    }

    #[test]
    fn a_file_of_other_work_is_refused_and_stays() {
        let (work, path) = (Uneven { total: 6, seed: 1 }, fresh("other.shard"));
        let run = |header: Header| Kept::begin(header, &path)?.run(&work, &|| true, &|_| ());
        run(Header::of(&work, 0..3)).expect("kept");
        let before = std::fs::read(&path).expect("a file");
        let other = Header { what: What { seed: 2, ..work.what() }, ..Header::of(&work, 0..3) };
        for header in [other, Header::of(&work, 3..6)] {
            let said = run(header).expect_err("refused").to_string();
            assert!(said.contains("another run (uneven 0..3, seed 1)\n  remedy: "), "{said}");
        }
        assert_eq!(std::fs::read(&path).expect("a file"), before);
        std::fs::write(&path, "nonsense\n").expect("written");
        assert!(run(Header::of(&work, 0..3)).expect_err("refused").to_string().contains("is no shard"));
        std::fs::remove_file(&path).expect("it is ours");
        let nowhere = Path::new("/no/such/folder/a.shard");
        let said = Kept::begin(Header::of(&work, 0..3), nowhere).expect("nothing is there");
        let said = said.run(&work, &|| true, &|_| ()).expect_err("refused").to_string();
        assert!(said.contains("could not be written"), "{said}");
    }
}
