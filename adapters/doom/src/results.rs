//! The results of a tournament as lines of JSON, so that one that was interrupted can go on.

use std::collections::BTreeMap;

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
    /// A match was played with other settings.
    #[error(
        "{line}: it was played with other options\n  remedy: give the same --bots, --minutes and --seed, or name another file"
    )]
    OtherOptions {
        /// Which line, from 1.
        line: usize,
    },
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
