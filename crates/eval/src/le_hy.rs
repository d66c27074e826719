//! Le Hy's experiments in the arena: what written and learned behaviours reach, and how well learning recovers a teacher.
//!
//! **The table** (2007, table 4.31): behaviours written by hand, learned by each method from the play of an aggressive
//! and of a prudent teacher, and native bots, all against all.
//!
//! **The line-up** (table 3.11): four characters against each other, with sensors as the arena and as the thesis reads them
//! ([`line_up`]). **Senses**: what finer sensors and sound change in what is learned ([`senses`]).
//!
//! **Recovery**, which the thesis could not measure, since its teachers were people: when the teacher is itself a
//! behaviour, how far are the learner's decisions from the teacher's, in situations that the teacher meets in another
//! match? The distance is total variation, averaged over those situations, against the length of the demonstration.

use std::sync::Arc;

use rayon::prelude::*;
use repertoire_bayes::sequence::{Behaviour, shipped};
use repertoire_mind::Mind;
use repertoire_mind::fighter::{Fighter, FighterDesign};
use repertoire_mind::sequenced::Connected;
use repertoire_mind::student::{Method, Seen, Student};
use repertoire_mind::tasks::{Observer, Readings};
use repertoire_prob::distribution::total_variation;
use repertoire_worlds::arena::game::{Contender, Match};
use repertoire_worlds::arena::level::Level;
use repertoire_worlds::arena::rules::Rules;
use serde::Serialize;
use serde::ser::{SerializeStruct, Serializer};

use crate::Interval;
use crate::tournament::Entry;

pub mod line_up;
mod pieces;
pub mod senses;

pub use pieces::{LeHy, LeHyError, LeHyPiece, LeHyResults};

/// Who teaches.
pub const TEACHERS: [&str; 2] = ["aggressive", "prudent"];

/// Demonstrations of teachers with known behaviours, and pupils that learn tasks from them by every method.
///
/// ```no_run
/// # use std::sync::Arc;
/// # use repertoire_eval::le_hy::{LessonsError, TaskLessons};
/// # fn show(level: Arc<repertoire_worlds::arena::level::Level>) -> Result<(), LessonsError> {
/// let lessons = TaskLessons { level, lengths_secs: vec![35.0, 350.0], demonstrations: 2, seed: 1 };
/// let (recoveries, pupils) = lessons.teach(&|| ())?;
/// for one in &recoveries {
///     println!("{} by {}: {:.3}", one.teacher, one.method.name(), one.points[0].1.mean);
/// }
/// println!("{} behaviours to play with", pupils.len());
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct TaskLessons {
    /// Where the teachers play.
    pub level: Arc<Level>,
    /// How long a demonstration is, in seconds of the game. The thesis's was 350 s.
    pub lengths_secs: Vec<f64>,
    /// How many demonstrations the mean is over.
    pub demonstrations: u32,
    /// Random seed; the same seed repeats the run.
    pub seed: u64,
}

/// Why no lesson can be given.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum LessonsError {
    /// A demonstration too short or too long to play.
    #[error("{0}: a demonstration of that length shows nothing\n  remedy: seconds from 1 to 100000")]
    Length(f64),
    /// No demonstration.
    #[error("there are no demonstrations to learn from\n  remedy: at least 1")]
    NoDemonstrations,
}

/// How far a learner is from its teacher.
#[derive(Clone, Debug)]
pub struct Recovery {
    /// The teacher.
    pub teacher: &'static str,
    /// How it was learned.
    pub method: Method,
    /// For each length of the demonstration: the mean distance, over demonstrations.
    pub points: Vec<(f64, Interval)>,
}

impl Serialize for Recovery {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let point = |(seconds, apart): &(f64, Interval)| RecoveryPoint {
            half_width: apart.half_width,
            seconds: *seconds,
            total_variation: apart.mean,
        };
        let mut written = serializer.serialize_struct("Recovery", 3)?;
        written.serialize_field("method", self.method.name())?;
        written.serialize_field("points", &self.points.iter().map(point).collect::<Vec<_>>())?;
        written.serialize_field("teacher", self.teacher)?;
        written.end()
    }
}

/// A point of a [`Recovery`], as it is written.
#[derive(Serialize)]
struct RecoveryPoint {
    half_width: Option<f64>,
    seconds: f64,
    total_variation: f64,
}

/// A behaviour learned from one demonstration of the length of the thesis's.
#[derive(Clone, Debug)]
pub struct TaskPupil {
    /// The teacher.
    pub teacher: &'static str,
    /// How it was learned.
    pub method: Method,
    /// What it learned.
    pub behaviour: Behaviour,
}

impl TaskPupil {
    /// What its file is called: `aggressive-batch.toml`.
    pub fn file_name(&self) -> String {
        format!("{}-{}.toml", self.teacher, self.method.name())
    }
}

/// A situation a teacher met: the task before, and what it sensed.
type Situation = (Option<usize>, Readings);

fn connected(behaviour: &Behaviour) -> Connected {
    // Shipped behaviours, and what is learned from them, fit.
    Connected::new(behaviour).unwrap_or_else(|error| unreachable!("{error}"))
}

/// A fighter that only decides, by a behaviour.
pub(crate) fn design(behaviour: &Behaviour) -> Arc<FighterDesign> {
    FighterDesign::sequencing(behaviour).unwrap_or_else(|error| unreachable!("{error}"))
}

fn played(behaviour: &Behaviour) -> Box<dyn Mind> {
    Box::new(Fighter::new(&design(behaviour)))
}

fn shipped_behaviour(name: &str) -> Behaviour {
    shipped::behaviour(name).unwrap_or_else(|| unreachable!("{name} is shipped"))
}

/// A contender of a behaviour.
pub fn entry(name: impl Into<String>, behaviour: &Behaviour) -> Entry {
    let design = design(behaviour);
    Entry { name: name.into(), make: Arc::new(move || Box::new(Fighter::new(&design))) }
}

/// Lets a teacher play against native bots, and shows every tick of its lives.
fn demonstrate(
    level: &Arc<Level>,
    teacher: Box<dyn Mind>,
    seed: u64,
    ticks: u32,
    see: &mut dyn FnMut(u32, Seen<'_>),
) {
    let natives = [3, 3, 1].map(|level| Box::new(Fighter::native(level)) as Box<dyn Mind>);
    let minds = std::iter::once(teacher).chain(natives);
    let contenders = minds.map(|mind| Contender { name: String::new(), mind }).collect();
    let mut game = Match::new(Arc::clone(level), Rules::default(), contenders, seed);
    for tick in 0..ticks {
        game.perceive();
        game.decide();
        let alive = game.world().is_alive(0);
        let task = game.contenders()[0].mind.task().to_owned();
        game.advance();
        if alive {
            let (percept, command) = (&game.percepts()[0], &game.commands()[0]);
            see(tick, Seen { percept, command, task: Some(&task), events: game.world().events(0) });
        }
    }
}

/// The situations of a match that nobody learned from.
fn fresh_situations(level: &Arc<Level>, teacher: &Behaviour, seed: u64, ticks: u32) -> Vec<Situation> {
    let mut observer = Observer::default();
    let mut situations = Vec::new();
    let (mut life, mut previous) = (0, None);
    demonstrate(level, played(teacher), seed, ticks, &mut |_, seen| {
        if seen.percept.own.life != life {
            (life, previous) = (seen.percept.own.life, None);
        }
        let readings = observer.observe(seen.percept, level.places()).readings;
        situations.push((previous, readings));
        previous = seen.task.and_then(|task| teacher.task(task));
    });
    situations
}

/// Mean total variation between two behaviours' decisions.
fn apart(teacher: &Connected, learner: &Connected, situations: &[Situation]) -> f64 {
    let one = |&(previous, readings): &Situation| {
        let decide = |who: &Connected| who.decide(previous, &readings).posterior;
        total_variation(&decide(teacher), &decide(learner))
    };
    situations.iter().map(one).sum::<f64>() / situations.len().max(1) as f64
}

impl TaskLessons {
    /// The thesis's length of demonstration, in seconds.
    pub const THESIS_SECS: f64 = 350.0;

    fn ticks(secs: f64) -> u32 {
        (secs / Rules::default().period_secs()).round() as u32
    }

    /// Learns by every method from demonstrations of every length, and from one of the thesis's length for the table.
    /// `done` hears of every demonstration that is over. The answer does not depend on the number of threads.
    ///
    /// Fails if there is no demonstration, or one is shorter than a second or longer than a day.
    pub fn teach(&self, done: &(dyn Fn() + Sync)) -> Result<(Vec<Recovery>, Vec<TaskPupil>), LessonsError> {
        self.check()?;
        let lessons = TEACHERS.len() as u32 * self.demonstrations;
        let lesson = |number: u32| {
            let taught = self.lesson(number);
            done();
            taught
        };
        let taught: Vec<Taught> = (0..lessons).into_par_iter().map(lesson).collect();
        let distances: Vec<_> = taught.iter().map(|one| one.distances.clone()).collect();
        let pupils = taught.into_iter().step_by(self.demonstrations as usize);
        Ok((self.recoveries(&distances), pupils_of(pupils.map(|one| one.pupils))))
    }

    /// The mean distances over all demonstrations, from the distances of each (`[method][length]`), teacher by teacher.
    fn recoveries(&self, distances: &[Distances]) -> Vec<Recovery> {
        let mut recoveries = Vec::new();
        for (teacher, distances) in TEACHERS.iter().zip(distances.chunks(self.demonstrations as usize)) {
            for (at, method) in Method::ALL.into_iter().enumerate() {
                let point = |(length, &secs): (usize, &f64)| {
                    let samples: Vec<f64> = distances.iter().map(|one| one[at][length]).collect();
                    (secs, Interval::of(&samples))
                };
                let points = self.lengths_secs.iter().enumerate().map(point).collect();
                recoveries.push(Recovery { teacher, method, points });
            }
        }
        recoveries
    }

    /// Whether lessons can be given.
    pub fn check(&self) -> Result<(), LessonsError> {
        match self.lengths_secs.iter().find(|secs| !(1.0..=1e5).contains(*secs)) {
            Some(&secs) => Err(LessonsError::Length(secs)),
            None if self.demonstrations == 0 => Err(LessonsError::NoDemonstrations),
            None => Ok(()),
        }
    }

    /// One demonstration, of those of the first teacher and then of the next.
    fn lesson(&self, number: u32) -> Taught {
        let (teacher, demo) =
            (TEACHERS[(number / self.demonstrations) as usize], number % self.demonstrations);
        let behaviour = shipped_behaviour(teacher);
        let teacher_connected = connected(&behaviour);
        // Nothing but tasks and sensors is given: the pupil begins with uniform tables.
        let shape = connected(&shipped_behaviour("uniform"));
        let mut students: Vec<Student> =
            Method::ALL.iter().map(|&method| Student::new(shape.clone(), method)).collect();
        let seed = self.seed.wrapping_mul(1000).wrapping_add(u64::from(demo));
        let fresh =
            fresh_situations(&self.level, &behaviour, seed.wrapping_add(500), Self::ticks(Self::THESIS_SECS));
        let mut stops: Vec<u32> = self.lengths_secs.iter().map(|&secs| Self::ticks(secs)).collect();
        let table_at = Self::ticks(Self::THESIS_SECS);
        let longest = stops.iter().copied().max().unwrap_or(0).max(table_at);
        stops.push(table_at);
        let mut learned: Vec<Vec<Option<Behaviour>>> = vec![vec![None; stops.len()]; Method::ALL.len()];
        demonstrate(&self.level, played(&behaviour), seed, longest, &mut |tick, seen| {
            for student in &mut students {
                student.see(seen, self.level.places());
            }
            // The first living tick at or after a stop: the student as it then is.
            for (stop, &at) in stops.iter().enumerate() {
                if tick + 1 >= at && learned[0][stop].is_none() {
                    for (student, learned) in students.iter().zip(&mut learned) {
                        let so_far = student.clone().finish(teacher, &mut |_| ());
                        learned[stop] = so_far.ok().map(|learned| learned.behaviour);
                    }
                }
            }
        });
        // A demonstration that ends with a death ends a little early.
        for (student, learned) in students.iter().zip(&mut learned) {
            for missing in learned.iter_mut().filter(|learned| learned.is_none()) {
                *missing = student.clone().finish(teacher, &mut |_| ()).ok().map(|learned| learned.behaviour);
            }
        }
        let distance = |learned: &Option<Behaviour>| {
            learned.as_ref().map_or(1.0, |learned| apart(&teacher_connected, &connected(learned), &fresh))
        };
        Taught {
            distances: learned.iter().map(|learned| learned.iter().map(distance).collect()).collect(),
            pupils: learned.into_iter().map(|mut learned| learned.pop().flatten()).collect(),
        }
    }
}

/// What came of one demonstration, for each method.
#[derive(Clone, Debug)]
struct Taught {
    distances: Distances,
    pupils: Vec<Option<Behaviour>>,
}

/// How far pupils are from their teacher: `[method][length]`.
type Distances = Vec<Vec<f64>>;

/// Pupils of each teacher, by method, with their names.
fn pupils_of(taught: impl IntoIterator<Item = Vec<Option<Behaviour>>>) -> Vec<TaskPupil> {
    let of = |(teacher, learned): (&&'static str, Vec<Option<Behaviour>>)| {
        let teacher = *teacher;
        let pupils = Method::ALL.into_iter().zip(learned);
        let pupil = move |(method, learned): (Method, Option<Behaviour>)| {
            Some(TaskPupil { teacher, method, behaviour: learned? })
        };
        pupils.filter_map(pupil).collect::<Vec<_>>()
    };
    TEACHERS.iter().zip(taught).flat_map(of).collect()
}

/// The contenders of table 4.31: written, learned, and native.
pub fn contenders(pupils: &[TaskPupil], natives: &[u8]) -> Vec<Entry> {
    let written = ["aggressive", "prudent", "uniform"];
    let mut entries: Vec<Entry> =
        written.iter().map(|name| entry(format!("written {name}"), &shipped_behaviour(name))).collect();
    entries.extend(
        pupils
            .iter()
            .filter(|pupil| pupil.method != Method::Batch)
            .map(|pupil| entry(format!("{} {}", pupil.method.name(), pupil.teacher), &pupil.behaviour)),
    );
    entries.extend(natives.iter().map(|&level| Entry {
        name: format!("native:{level}"),
        make: Arc::new(move || Box::new(Fighter::native(level))),
    }));
    entries
}

#[cfg(test)]
mod tests {
    use super::*;
    use repertoire_worlds::arena::map::{file, shipped::shipped as map};

    #[test]
    fn lessons_that_cannot_be_given_are_refused() {
        let halls = file::read(map("halls").unwrap()).unwrap();
        let level = Arc::new(Level::new(halls.map).unwrap());
        let lessons = TaskLessons { level, lengths_secs: vec![35.0], demonstrations: 0, seed: 3 };
        let teach = |lessons: &TaskLessons| lessons.teach(&|| ()).map(|_| ());
        assert_eq!(teach(&lessons), Err(LessonsError::NoDemonstrations));
        let endless = TaskLessons { lengths_secs: vec![f64::INFINITY], demonstrations: 1, ..lessons };
        assert_eq!(teach(&endless), Err(LessonsError::Length(f64::INFINITY)));
    }

    #[test]
    fn task_models_recover_a_known_teacher_and_rules_do_so_less() {
        let halls = file::read(map("halls").unwrap()).unwrap();
        let level = Arc::new(Level::new(halls.map).unwrap());
        let lessons = TaskLessons { level, lengths_secs: vec![350.0], demonstrations: 1, seed: 3 };
        let (recoveries, pupils) = lessons.teach(&|| ()).unwrap();
        assert_eq!((recoveries.len(), pupils.len()), (8, 8));
        for of_teacher in recoveries.chunks(Method::ALL.len()) {
            let apart = |method: Method| {
                let found = of_teacher.iter().find(|recovery| recovery.method == method).unwrap();
                found.points[0].1.mean
            };
            let rules = apart(Method::Heuristic);
            assert!(rules < 0.45, "{} {rules}", of_teacher[0].teacher);
            for method in [Method::Labels, Method::Incremental, Method::Batch] {
                let apart = apart(method);
                assert!(apart < 0.15 && 1.5 * apart < rules, "{}: {apart} {rules}", method.name());
            }
        }
    }
}
