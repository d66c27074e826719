//! The results of a tournament as lines of JSON, so that one that was interrupted can go on.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use serde::{Deserialize, Serialize};

use crate::MatchResult;
use crate::tournament::{Fixture, Tournament};

/// One match: who played it, where, how, and what came of it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ResultLine {
    /// Who of ours played.
    pub contender: String,
    /// The map.
    pub map: String,
    /// The how-manieth match on this map, from 0.
    pub number: u32,
    /// How many of the engine's bots took part.
    pub bots: usize,
    /// How long it was to last.
    pub minutes: f64,
    /// What came of it.
    pub result: MatchResult,
}

/// Why lines are not the results of this tournament.
#[derive(Debug, thiserror::Error)]
pub enum ResultsError {
    /// A line is no result.
    #[error("{line}: no result of a match: {why}\n  remedy: name another file, or delete the line")]
    Line {
        /// Which, from 1.
        line: usize,
        /// What is wrong with it.
        why: serde_json::Error,
    },
    /// The lines are wrong in a file.
    #[error("{}:{why}", .path.display())]
    In {
        /// Which file.
        path: PathBuf,
        /// What is wrong, with its line.
        why: Box<ResultsError>,
    },
    /// The file cannot be written.
    #[error("{} could not be written", .path.display())]
    NotWritten {
        /// Which file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// A match was played with other settings.
    #[error(
        "{line}: it was played with other options\n  remedy: give the same --bots, --minutes and --seed, or name another file"
    )]
    OtherOptions {
        /// Which line, from 1.
        line: usize,
    },
}

/// A file of results that grows with every match.
#[derive(Debug)]
pub struct ResultsFile(Mutex<File>);

impl ResultsFile {
    /// Opens a file and gives what it holds of a tournament; makes it if it is not there. A last line that was cut off is removed, so
    /// that its match is played again.
    ///
    /// # Errors
    /// If it cannot be written, or holds something else.
    pub fn open(
        path: &Path,
        tournament: &Tournament,
    ) -> Result<(Self, BTreeMap<Fixture, MatchResult>), ResultsError> {
        let named = |why| ResultsError::In { path: path.to_owned(), why: Box::new(why) };
        let written = |source| ResultsError::NotWritten { path: path.to_owned(), source };
        let text = std::fs::read_to_string(path).unwrap_or_default();
        let whole = text.rfind('\n').map_or("", |end| &text[..=end]);
        let results = tournament.read_results(whole).map_err(named)?;
        let file = OpenOptions::new().create(true).append(true).open(path).map_err(written)?;
        if whole.len() < text.len() {
            file.set_len(whole.len() as u64).map_err(written)?;
        }
        Ok((ResultsFile(Mutex::new(file)), results))
    }

    /// Adds the result of a match.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn add(
        &self,
        tournament: &Tournament,
        fixture: Fixture,
        result: &MatchResult,
    ) -> std::io::Result<()> {
        let line = tournament.result_line(fixture, result)?;
        let mut file =
            self.0.lock().map_err(|_| std::io::Error::other("another match failed while writing"))?;
        file.write_all(line.as_bytes())
    }
}

impl Tournament {
    /// A result as a line with its end.
    pub fn result_line(&self, fixture: Fixture, result: &MatchResult) -> Result<String, serde_json::Error> {
        let line = ResultLine {
            contender: self.contenders[fixture.contender].name.clone(),
            map: self.maps[fixture.map].0.clone(),
            number: fixture.number,
            bots: self.settings.bots,
            minutes: self.minutes(),
            result: result.clone(),
        };
        Ok(serde_json::to_string(&line)? + "\n")
    }

    /// What was played before, from lines that [`Tournament::result_line`] made. Those of other contenders and maps are left
    /// out, and so are matches that are not asked for.
    pub fn read_results(&self, lines: &str) -> Result<BTreeMap<Fixture, MatchResult>, ResultsError> {
        let mut results = BTreeMap::new();
        for (number, line) in lines.lines().enumerate() {
            let number = number + 1;
            let line: ResultLine =
                serde_json::from_str(line).map_err(|why| ResultsError::Line { line: number, why })?;
            let contender = self.contenders.iter().position(|entry| entry.name == line.contender);
            let map = self.maps.iter().position(|(name, _)| *name == line.map);
            let (Some(contender), Some(map)) = (contender, map) else { continue };
            let fixture = Fixture { contender, map, number: line.number };
            let is_same = line.bots == self.settings.bots
                && line.minutes == self.minutes()
                && line.result.seed == self.seed_of(fixture);
            if !is_same {
                return Err(ResultsError::OtherOptions { line: number });
            }
            if line.number < self.matches {
                results.insert(fixture, line.result);
            }
        }
        Ok(results)
    }

    /// How long a match lasts.
    pub fn minutes(&self) -> f64 {
        self.settings.seconds / 60.0
    }
}
