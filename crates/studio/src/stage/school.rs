//! Pupils that learn while a person plays, on a thread of their own: learning must not make a tick late.
//!
//! Two learn from the same play. One learns which task follows which in which situation (Le Hy 2007, chapter 4): from what the person
//! says they are doing where they say it, else from what the recogniser makes of it. The other learns attention, decisions and hands
//! life by life (CHAMELEON).

use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};

use repertoire::roster;
use repertoire_bayes::sequence::shipped;
use repertoire_chameleon::{EmSettings, model};
use repertoire_eval::Entry;
use repertoire_eval::book::{Book, provenance};
use repertoire_mind::chameleon::{ImitationSettings, Imitator, Pace, Taught};
use repertoire_mind::fighter::FighterDesign;
use repertoire_mind::sequenced::Connected;
use repertoire_mind::student::{Method, Seen, Student};
use repertoire_trace::{Row, Tick};
use repertoire_worlds::arena::level::Level;
use serde::Deserialize;
use serde_json::{Value, json};

use super::ask::PupilKind;

/// Ticks that may wait to be learned; a person makes ten a second.
const WAITING: usize = 6000;
/// A life is learned after this many ticks even if it has not ended, so that a careful player has a pupil too.
const LONGEST_LIFE: u32 = 300;
/// Ticks that can be revised later: three hours of play.
const LONGEST_BOOK: usize = 108_000;
/// Ticks that one revision may change.
const MOST_REVISED: u32 = 6000;
/// Random starts of EM and decisions, while a person waits.
const STARTS: usize = 1;

/// Somebody who learns from one person.
#[derive(Debug)]
pub struct School {
    teacher: usize,
    lessons: SyncSender<Lesson>,
    learned: Arc<Mutex<Progress>>,
    /// The pupil in the match, its number, and how much it knew when it was last told.
    pub pupil: Option<(usize, PupilKind, u64)>,
    dropped: u64,
}

enum Lesson {
    See(u32, Box<Row>),
    /// Says later what should have been done, or takes ticks out; and where to tell what came of it.
    Revise(Revision, Box<dyn FnOnce(Value) + Send>),
}

/// A change of what was shown.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(tag = "what", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Revision {
    /// During these ticks the person should have done a task; none takes that back.
    Correct {
        /// The first tick.
        from: u32,
        /// The first one after them.
        to: u32,
        /// The task.
        task: Option<String>,
    },
    /// These ticks do not count any more, or count again.
    Forget {
        /// The first tick.
        from: u32,
        /// The first one after them.
        to: u32,
        /// Whether they do not count.
        forget: bool,
    },
    /// Nothing changes: only where what is known of a task comes from.
    Provenance {
        /// The task.
        task: String,
    },
}

/// What was learned so far.
#[derive(Debug, Default)]
struct Progress {
    ticks: u64,
    told: u64,
    tasks: Vec<String>,
    recognised: Vec<f64>,
    label: Option<String>,
    curve: Vec<(u64, f64)>,
    lives: usize,
    surprise: Vec<f64>,
    sequence: Option<Arc<FighterDesign>>,
    imitation: Option<Arc<FighterDesign>>,
    failed: Option<String>,
}

impl School {
    /// A school whose teacher is a character by its number.
    pub fn open(teacher: usize, level: Arc<Level>) -> Self {
        let (lessons, waiting) = sync_channel(WAITING);
        let learned = Arc::new(Mutex::new(Progress::default()));
        let shared = learned.clone();
        std::thread::spawn(move || learn(&waiting, &level, &shared));
        School { teacher, lessons, learned, pupil: None, dropped: 0 }
    }

    /// Whose play is learned.
    pub fn teacher(&self) -> usize {
        self.teacher
    }

    /// Shows a tick of the match to the pupils.
    pub fn see(&mut self, tick: &Tick) {
        let Some(row) = tick.rows.get(self.teacher).filter(|row| row.alive) else { return };
        if self.lessons.try_send(Lesson::See(tick.tick, Box::new(row.clone()))).is_err() {
            self.dropped += 1;
        }
    }

    /// Changes what was shown, learns it again, and tells which decisions change by it. Whether it could be asked.
    pub fn revise(&self, revision: Revision, tell: Box<dyn FnOnce(Value) + Send>) -> bool {
        self.lessons.try_send(Lesson::Revise(revision, tell)).is_ok()
    }

    /// What was learned so far as a contender, and from how many ticks.
    pub fn entry(&self, kind: PupilKind) -> Option<(Entry, u64)> {
        let learned = self.learned.lock().unwrap_or_else(PoisonError::into_inner);
        let (design, name) = match kind {
            PupilKind::Sequence => (learned.sequence.as_ref()?, "pupil (tasks)"),
            PupilKind::Imitation => (learned.imitation.as_ref()?, "pupil (imitation)"),
        };
        Some((roster::of_fighter(name, design), learned.ticks))
    }

    /// What is shown of it.
    pub fn report(&self) -> Value {
        let learned = self.learned.lock().unwrap_or_else(PoisonError::into_inner);
        json!({
            "teacher": self.teacher, "ticks": learned.ticks, "told": learned.told, "tasks": learned.tasks,
            "recognised": learned.recognised.iter().map(|p| (p * 1000.0).round() / 1000.0).collect::<Vec<_>>(),
            "label": learned.label, "curve": learned.curve, "lives": learned.lives, "surprise": learned.surprise,
            "ready": { "sequence": learned.sequence.is_some(), "imitation": learned.imitation.is_some() },
            "pupil": self.pupil.map(|(id, _, _)| id), "failed": learned.failed, "dropped": self.dropped,
        })
    }
}

fn settings() -> ImitationSettings {
    let usual = ImitationSettings::default();
    ImitationSettings { em: EmSettings { starts: STARTS, ..usual.em }, pace: Pace::LifeByLife, ..usual }
}

/// Changes the book, and learns it again if that changes anything.
fn revise(book: &mut Book, student: &mut Student, revision: &Revision) -> Value {
    match revision {
        Revision::Correct { from, to, task } => {
            book.correct(*from..(*to).min(from + MOST_REVISED), task.as_deref())
        }
        Revision::Forget { from, to, forget } => book.forget(*from..(*to).min(from + MOST_REVISED), *forget),
        Revision::Provenance { .. } => {}
    }
    let before = student.so_far("pupil");
    let learnt = match book.learn() {
        Ok(learnt) => learnt,
        Err(error) => return json!({ "error": error.to_string() }),
    };
    if let Revision::Provenance { task } = revision {
        let Some(at) = learnt.student.tasks().position(|name| name == task) else {
            return json!({ "error": "there is no such task" });
        };
        let from = provenance(&learnt.went_on, at, 10);
        return json!({ "from": from.iter().take(12).collect::<Vec<_>>(), "seconds": from.iter().map(|(_, ticks)| ticks / 10.0).sum::<f64>() });
    }
    let after = learnt.student.so_far("pupil");
    let changed = book.changed(&before, &after).unwrap_or_default();
    *student = learnt.student;
    json!({ "changed": changed.len(), "of": book.len(), "first": changed.iter().take(12).collect::<Vec<_>>() })
}

/// Learns until the school is closed.
fn learn(lessons: &Receiver<Lesson>, level: &Arc<Level>, shared: &Mutex<Progress>) {
    let say =
        |change: &dyn Fn(&mut Progress)| change(&mut shared.lock().unwrap_or_else(PoisonError::into_inner));
    let behaviour = shipped::behaviour("uniform").and_then(|uniform| Connected::new(&uniform).ok());
    let imitator = model::shipped("arena").and_then(|model| Imitator::new(&model, settings()).ok());
    let (Some(connected), Some(mut imitator)) = (behaviour, imitator) else {
        return say(&|progress| {
            progress.failed = Some("what comes with the library cannot be learned".to_owned())
        });
    };
    let mut book = Book::new(level.clone(), connected.behaviour().clone());
    let mut student = Student::new(connected, Method::Told);
    let tasks: Vec<String> = student.tasks().map(str::to_owned).collect();
    say(&|progress| progress.tasks.clone_from(&tasks));
    let (mut ticks, mut told, mut life, mut lives) = (0u64, 0u64, 0u32, 0);
    while let Ok(lesson) = lessons.recv() {
        let (tick, row) = match lesson {
            Lesson::See(tick, row) => (tick, row),
            Lesson::Revise(revision, tell) => {
                tell(revise(&mut book, &mut student, &revision));
                let design = FighterDesign::sequencing(&student.so_far("pupil")).ok();
                say(&|progress| progress.sequence = design.clone().or(progress.sequence.take()));
                continue;
            }
        };
        if book.len() < LONGEST_BOOK {
            book.note(tick, (*row).clone());
        }
        let (Some(percept), Some(command)) = (&row.percept, &row.command) else { continue };
        let label = row.task.as_deref().filter(|task| !task.is_empty());
        let seen = Seen { percept, command, task: label, events: &row.events };
        student.see(seen, level.places());
        imitator.see(percept, command, level.places());
        (ticks, told, life) = (ticks + 1, told + u64::from(label.is_some()), life + 1);
        if life >= LONGEST_LIFE {
            imitator.end_life();
            life = 0;
        }
        let (seen_lives, _, surprise) = imitator.progress();
        let imitation = (seen_lives > lives).then(|| {
            lives = seen_lives;
            let taught = imitator.so_far().and_then(|learned| Taught::new(learned).ok())?;
            Some(FighterDesign::imitating("pupil", &Arc::new(taught)))
        });
        let sequence = (ticks % 10 == 0).then(|| FighterDesign::sequencing(&student.so_far("pupil")).ok());
        say(&|progress| {
            (progress.ticks, progress.told, progress.lives) = (ticks, told, seen_lives);
            progress.recognised = student.recognised().to_vec();
            progress.label = label.map(str::to_owned);
            progress.curve.clone_from(&student.summary().curve);
            progress.surprise = surprise.to_vec();
            if let Some(Some(design)) = &imitation {
                progress.imitation = Some(design.clone());
            }
            if let Some(Some(design)) = &sequence {
                progress.sequence = Some(design.clone());
            }
        });
    }
}
