//! Le Hy's experiments as one piece of long work: first the demonstrations, then the matches of the table, then those of the line-ups.

use std::sync::{Arc, OnceLock};

use repertoire_worlds::arena::level::Level;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::line_up::{self, LINE_UPS};
use super::{
    Distances, LessonsError, Recovery, TEACHERS, TaskLessons, TaskPupil, Taught, contenders, pupils_of,
};
use crate::Refused;
use crate::shard::{self, Sharded, What};
use crate::tournament::{Clock, Outcome, Pieces, Played, Tournament};

/// Demonstrations, and matches of whoever learned from them.
///
/// A match needs the pupils of each teacher's first demonstration. Whoever plays matches in a shard, or merges them, learns those
/// again, once, so that every piece is a function of its number alone.
#[derive(Debug)]
pub struct LeHy {
    /// The demonstrations.
    pub lessons: TaskLessons,
    /// Where the table is played; no map for no table.
    pub levels: Vec<(String, Arc<Level>)>,
    /// Matches on each map.
    pub matches: u32,
    /// Frags that win a match.
    pub frags: i32,
    /// Levels of the native bots in the table.
    pub natives: Vec<u8>,
    /// Times decisions.
    pub clock: Option<Clock>,
    /// The first demonstration of each teacher, given when first needed. Nothing in here may use other threads: one that waits
    /// for them could take up a piece that waits for this.
    first: [OnceLock<Taught>; TEACHERS.len()],
    learned: OnceLock<(Vec<TaskPupil>, Result<Pieces, Refused>)>,
    line_ups: OnceLock<[Result<Pieces, Refused>; LINE_UPS.len()]>,
}

/// What comes of all experiments.
#[derive(Clone, Debug)]
pub struct LeHyResults {
    /// How far pupils are from their teachers.
    pub recoveries: Vec<Recovery>,
    /// The table of everybody; none without maps to play it on.
    pub table: Option<Outcome>,
    /// The tables of [`LINE_UPS`]; none without maps.
    pub line_ups: Vec<Outcome>,
}

/// A demonstration or a match.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum LeHyPiece {
    /// How far the pupils of a demonstration are from their teacher: `[method][length]`.
    Lesson(Distances),
    /// A match of the table, or of a line-up.
    Match(Box<Played>),
}

/// Why the experiment cannot be made.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum LeHyError {
    /// The demonstrations.
    #[error(transparent)]
    Lessons(#[from] LessonsError),
    /// The table.
    #[error(transparent)]
    Table(#[from] Refused),
}

impl LeHy {
    /// Both experiments.
    ///
    /// # Errors
    /// If no lesson can be given.
    pub fn new(
        lessons: TaskLessons,
        levels: Vec<(String, Arc<Level>)>,
        matches: u32,
        frags: i32,
        natives: Vec<u8>,
    ) -> Result<Self, LeHyError> {
        lessons.check()?;
        Ok(LeHy {
            lessons,
            levels,
            matches,
            frags,
            natives,
            clock: None,
            first: Default::default(),
            learned: OnceLock::new(),
            line_ups: OnceLock::new(),
        })
    }

    /// How many pieces are demonstrations.
    pub fn total_lessons(&self) -> u64 {
        u64::from(self.lessons.demonstrations) * TEACHERS.len() as u64
    }

    /// The pupils that play, learned from the first demonstration of each teacher.
    pub fn pupils(&self) -> &[TaskPupil] {
        &self.learned().0
    }

    fn first(&self, teacher: usize) -> &Taught {
        self.first[teacher].get_or_init(|| self.lessons.lesson(teacher as u32 * self.lessons.demonstrations))
    }

    fn learned(&self) -> &(Vec<TaskPupil>, Result<Pieces, Refused>) {
        self.learned.get_or_init(|| {
            let pupils = pupils_of((0..TEACHERS.len()).map(|teacher| self.first(teacher).pupils.clone()));
            let table = Tournament {
                matches: self.matches,
                frags: self.frags,
                seed: self.lessons.seed,
                ..Tournament::new(self.levels.clone(), contenders(&pupils, &self.natives))
            };
            let table = Pieces::new(&table, self.clock);
            (pupils, table)
        })
    }

    fn table(&self) -> Result<&Pieces, LeHyError> {
        self.learned().1.as_ref().map_err(|refused| refused.clone().into())
    }

    fn line_up(&self, which: usize) -> Result<&Pieces, LeHyError> {
        let line_ups = self.line_ups.get_or_init(|| {
            std::array::from_fn(|which| {
                let (_, names) = &LINE_UPS[which];
                let table = Tournament {
                    rules: line_up::rules(which),
                    matches: self.matches,
                    frags: self.frags,
                    seed: self.lessons.seed,
                    ..Tournament::new(self.levels.clone(), line_up::entries(names))
                };
                Pieces::new(&table, self.clock)
            })
        });
        line_ups[which].as_ref().map_err(|refused| refused.clone().into())
    }

    /// Matches of the table, and of each line-up.
    fn total_matches(&self) -> u64 {
        self.levels.len() as u64 * u64::from(self.matches)
    }
}

impl Sharded for LeHy {
    type Piece = LeHyPiece;
    type Whole = LeHyResults;
    type Refused = LeHyError;

    fn what(&self) -> What {
        let lessons = &self.lessons;
        let ground = [("lessons".to_owned(), Arc::clone(&lessons.level))];
        What {
            kind: "experiment le-hy".into(),
            seed: lessons.seed,
            settings: json!({ "lessons_on": shard::maps(&ground), "lengths_secs": lessons.lengths_secs,
                "demonstrations": lessons.demonstrations, "maps": shard::maps(&self.levels), "matches": self.matches,
                "frags": self.frags, "natives": self.natives, "line_ups": LINE_UPS }),
            total: self.total_lessons() + (1 + LINE_UPS.len() as u64) * self.total_matches(),
        }
    }

    fn piece(&self, number: u64) -> Result<LeHyPiece, LeHyError> {
        match number.checked_sub(self.total_lessons()) {
            None => {
                let demonstrations = u64::from(self.lessons.demonstrations);
                let is_first = number.is_multiple_of(demonstrations);
                let distances = if is_first {
                    self.first((number / demonstrations) as usize).distances.clone()
                } else {
                    self.lessons.lesson(number as u32).distances
                };
                Ok(LeHyPiece::Lesson(distances))
            }
            Some(number) => {
                let (which, number) = (number / self.total_matches(), number % self.total_matches());
                let pieces = match which.checked_sub(1) {
                    None => self.table()?,
                    Some(line_up) => self.line_up(line_up as usize)?,
                };
                Ok(LeHyPiece::Match(Box::new(pieces.piece(number)?)))
            }
        }
    }

    fn whole(&self, pieces: Vec<(u64, LeHyPiece)>) -> Result<Self::Whole, LeHyError> {
        let mut distances = Vec::new();
        let mut played: [Vec<(u64, Played)>; 1 + LINE_UPS.len()] = Default::default();
        for (number, piece) in pieces {
            match piece {
                LeHyPiece::Lesson(one) => distances.push(one),
                LeHyPiece::Match(one) => {
                    let number = number - self.total_lessons();
                    let which = (number / self.total_matches()) as usize;
                    played[which].push((number % self.total_matches(), *one));
                }
            }
        }
        let recoveries = self.lessons.recoveries(&distances);
        if self.levels.is_empty() {
            return Ok(LeHyResults { recoveries, table: None, line_ups: Vec::new() });
        }
        let [table, line_ups @ ..] = played;
        let line_ups = line_ups.into_iter().enumerate();
        let line_ups =
            line_ups.map(|(which, played)| Ok::<_, LeHyError>(self.line_up(which)?.whole(played)?));
        Ok(LeHyResults {
            recoveries,
            table: Some(self.table()?.whole(table)?),
            line_ups: line_ups.collect::<Result<_, _>>()?,
        })
    }
}
