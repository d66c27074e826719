//! Both of Le Hy's experiments as one piece of long work: first the demonstrations, then the matches of the table.

use std::sync::{Arc, OnceLock};

use repertoire_worlds::arena::level::Level;
use serde::{Deserialize, Serialize};
use serde_json::json;

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
}

/// A demonstration or a match.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum LeHyPiece {
    /// How far the pupils of a demonstration are from their teacher: `[method][length]`.
    Lesson(Distances),
    /// A match of the table.
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
}

impl Sharded for LeHy {
    type Piece = LeHyPiece;
    type Whole = (Vec<Recovery>, Option<Outcome>);
    type Refused = LeHyError;

    fn what(&self) -> What {
        let lessons = &self.lessons;
        let ground = [("lessons".to_owned(), Arc::clone(&lessons.level))];
        What {
            kind: "experiment le-hy".into(),
            seed: lessons.seed,
            settings: json!({ "lessons_on": shard::maps(&ground), "lengths_secs": lessons.lengths_secs,
                "demonstrations": lessons.demonstrations, "maps": shard::maps(&self.levels), "matches": self.matches,
                "frags": self.frags, "natives": self.natives }),
            total: self.total_lessons() + self.levels.len() as u64 * u64::from(self.matches),
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
            Some(number) => Ok(LeHyPiece::Match(Box::new(self.table()?.piece(number)?))),
        }
    }

    fn whole(&self, pieces: Vec<(u64, LeHyPiece)>) -> Result<Self::Whole, LeHyError> {
        let (mut distances, mut played) = (Vec::new(), Vec::new());
        for (number, piece) in pieces {
            match piece {
                LeHyPiece::Lesson(one) => distances.push(one),
                LeHyPiece::Match(one) => played.push((number - self.total_lessons(), *one)),
            }
        }
        let table = if self.levels.is_empty() { None } else { Some(self.table()?.whole(played)?) };
        Ok((self.lessons.recoveries(&distances), table))
    }
}
