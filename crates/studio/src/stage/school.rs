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
use repertoire_eval::book::{Book, Cell, Learnt};
use repertoire_eval::signature::habits::Measure;
use repertoire_eval::signature::{AngleCounts, Moment};
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
/// Moments of movement that are compared: the last ten to twenty minutes.
const MOST_MOMENTS: usize = 12_000;
/// Ticks between two comparisons, and in a block of the teacher's play.
const COMPARED_EVERY: u32 = 50;
const BLOCK: usize = 100;
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
    moves: Moves,
}

/// How teacher and pupil move: signatures (Tencé 2011, section 4.4.3.2), compared every few seconds.
#[derive(Debug, Default)]
struct Moves {
    teacher: Vec<Moment>,
    pupil: Vec<Moment>,
    /// Whose moves those are.
    of: Option<usize>,
    alike: Value,
}

impl Moves {
    fn see(&mut self, tick: &Tick, teacher: usize, pupil: Option<usize>) {
        // Another pupil moves in its own way.
        if self.of != pupil {
            (self.of, self.pupil) = (pupil, Vec::new());
        }
        for (who, moments) in [(Some(teacher), &mut self.teacher), (pupil, &mut self.pupil)] {
            let Some(own) = who.and_then(|who| tick.rows.get(who)).filter(|row| row.alive) else { continue };
            let Some(percept) = &own.percept else { continue };
            moments.push(Moment::of(percept));
            if moments.len() > MOST_MOMENTS {
                moments.drain(..MOST_MOMENTS / 2);
            }
        }
        if tick.tick.is_multiple_of(COMPARED_EVERY) {
            self.alike = self.compare().unwrap_or(Value::Null);
        }
    }

    /// How far the pupil's movements are from the teacher's, in degrees, and how far the teacher's are from their own at another time. A
    /// pupil no farther away than that moves like its teacher.
    fn compare(&self) -> Option<Value> {
        let signature = |moments: &[&[Moment]]| {
            let mut counts = AngleCounts::new(Measure::in_units(1.0).standing);
            moments.iter().for_each(|some| counts.add(some));
            counts.signature()
        };
        let half = |odd: usize| {
            let blocks = self.teacher.chunks(BLOCK).enumerate().filter(|(at, _)| at % 2 == odd);
            signature(&blocks.map(|(_, block)| block).collect::<Vec<_>>())
        };
        let itself = half(0)?.distances_deg(&half(1)?);
        let apart = signature(&[&self.pupil]).zip(signature(&[&self.teacher]));
        let apart =
            apart.filter(|_| self.pupil.len() >= BLOCK).map(|(pupil, teacher)| pupil.distances_deg(&teacher));
        Some(json!({ "pupil": apart, "itself": itself }))
    }
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
    /// Nothing changes: only where what is known of a task comes from, or one number of it.
    Provenance {
        /// The task.
        task: String,
        /// A sensor and one of its values.
        #[serde(default)]
        reads: Option<(String, String)>,
        /// Or the task before it.
        #[serde(default)]
        after: Option<String>,
    },
}

/// What was learned so far.
#[derive(Debug, Default)]
struct Progress {
    ticks: u64,
    told: u64,
    tasks: Vec<String>,
    /// Names of sensors, and of their values.
    sensors: Vec<(String, Vec<String>)>,
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
        School { teacher, lessons, learned, pupil: None, dropped: 0, moves: Moves::default() }
    }

    /// Whose play is learned.
    pub fn teacher(&self) -> usize {
        self.teacher
    }

    /// Shows a tick of the match to the pupils.
    pub fn see(&mut self, tick: &Tick) {
        self.moves.see(tick, self.teacher, self.pupil.map(|(id, _, _)| id));
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
            "teacher": self.teacher, "ticks": learned.ticks, "told": learned.told, "tasks": learned.tasks, "sensors": learned.sensors,
            "recognised": learned.recognised.iter().map(|p| (p * 1000.0).round() / 1000.0).collect::<Vec<_>>(),
            "label": learned.label, "curve": learned.curve, "lives": learned.lives, "surprise": learned.surprise,
            "ready": { "sequence": learned.sequence.is_some(), "imitation": learned.imitation.is_some() },
            "pupil": self.pupil.map(|(id, _, _)| id), "failed": learned.failed, "dropped": self.dropped,
            "alike": self.moves.alike,
        })
    }
}

fn settings() -> ImitationSettings {
    let usual = ImitationSettings::default();
    ImitationSettings { em: EmSettings { starts: STARTS, ..usual.em }, pace: Pace::LifeByLife, ..usual }
}

/// A number of what was learned by the words for it, and how large it is.
fn cell(
    learnt: &Learnt,
    task: &str,
    reads: Option<&(String, String)>,
    after: Option<&str>,
) -> Option<(Cell, Option<f64>)> {
    let behaviour = learnt.student.so_far("pupil");
    let of = |name: &str| behaviour.tasks().iter().position(|task| task.name == name);
    let task = of(task)?;
    if let Some((sensor, value)) = reads {
        let sensor = behaviour.sensor(sensor)?;
        let about = &behaviour.sensors()[sensor];
        let value = about.value(value)?;
        let cell = Cell::Reads { task, sensor, value: value as u32 };
        return Some((cell, Some(about.cell(task, value))));
    }
    match after {
        None => Some((Cell::Task(task), None)),
        Some(before) => {
            let before = of(before)?;
            let number = behaviour.transition()[before * behaviour.tasks().len() + task];
            Some((Cell::Follows { task, before }, Some(number)))
        }
    }
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
    if let Revision::Provenance { task, reads, after } = revision {
        let Some((cell, number)) = cell(&learnt, task, reads.as_ref(), after.as_deref()) else {
            return json!({ "error": "there is no such task, sensor or value" });
        };
        let from = learnt.provenance(cell, 10);
        return json!({ "from": from.iter().take(12).collect::<Vec<_>>(), "seconds": from.iter().map(|(_, ticks)| ticks / 10.0).sum::<f64>(),
            "number": number });
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
    let sensors = book.shape().sensors().iter().map(|one| (one.name.clone(), one.values.clone()));
    let sensors: Vec<_> = sensors.collect();
    say(&|progress| (progress.tasks, progress.sensors) = (tasks.clone(), sensors.clone()));
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

#[cfg(test)]
mod tests {
    use repertoire_eval::timeline::Timeline;
    use repertoire_worlds::arena::rules::Rules;

    use super::*;

    /// Somebody who plays well and says what they do, for two minutes; the pupil then meets a beginner.
    #[test]
    fn a_pupil_of_somebody_who_says_what_they_do_beats_a_beginner() {
        let (_, level) = repertoire::maps::find("yard").expect("shipped");
        let find = |name: &str| roster::find(name).expect("shipped");
        let mut lesson = Timeline::new(
            level.clone(),
            Rules::default(),
            vec![find("prudent"), find("native:0"), find("native:0")],
            5,
        );
        let mut school = School::open(0, level.clone());
        (0..1200).for_each(|_| school.see(&lesson.advance_recorded()));
        // A number of its tables, and where it comes from. Lessons are learned in turn: what is answered was learned before.
        let (tell, answer) = std::sync::mpsc::channel();
        let reads = Some(("health".to_owned(), "high".to_owned()));
        let asked = Revision::Provenance { task: "attack".to_owned(), reads, after: None };
        assert!(school.revise(asked, Box::new(move |is| tell.send(is).expect("it waits"))));
        let is = answer.recv().expect("it answers");
        assert!(is["seconds"].as_f64() > Some(1.0), "{is}");
        assert!(is["number"].as_f64().is_some_and(|p| (0.0..=1.0).contains(&p)), "{is}");
        let itself = school.report()["alike"]["itself"].clone();
        assert!(itself[0].as_f64().is_some_and(|apart| (0.0..90.0).contains(&apart)), "{itself}");
        let told = school.learned.lock().expect("it learned").told;
        assert!(told > 500, "{told} ticks were told");
        let (pupil, _) = school.entry(PupilKind::Sequence).expect("it learned");
        let mut wins = 0;
        for seed in 0..5 {
            let mut duel =
                Timeline::new(level.clone(), Rules::default(), vec![pupil.clone(), find("native:0")], seed);
            (0..3000).for_each(|_| duel.tick(&[]));
            let frags = [0, 1].map(|id| duel.game().world().tally(id).frags);
            wins += usize::from(frags[0] > frags[1]);
            println!("the pupil {}, native:0 {}", frags[0], frags[1]);
        }
        assert!(wins >= 4, "{wins} of 5");
    }
}
