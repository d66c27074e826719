//! A lesson book: everything a person showed a pupil, kept, so that it can be corrected, taken back and asked where a number comes from.
//!
//! A pupil that only counts has forgotten what it counted. The book keeps the ticks themselves: "here you should have fled" labels a
//! moment and learns everything again, which takes milliseconds for minutes of play, and tells which other decisions change by it.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::Arc;

use repertoire_bayes::sequence::Behaviour;
use repertoire_mind::sequenced::Connected;
use repertoire_mind::student::{Method, Seen, Student};
use repertoire_mind::tasks::{CannotSense, Observer};
use repertoire_prob::draw::arg_max;
use repertoire_trace::Row;
use repertoire_worlds::arena::level::Level;
use serde::Serialize;

/// Everything that was shown.
#[derive(Clone)]
pub struct Book {
    level: Arc<Level>,
    shape: Behaviour,
    rows: Vec<(u32, Row)>,
    /// What a person said later of a tick.
    corrected: BTreeMap<u32, String>,
    forgotten: BTreeSet<u32>,
}

/// What is learned from a book.
pub struct Learnt {
    /// The pupil, who can go on.
    pub student: Student,
    /// The ticks that count, in order.
    pub ticks: Vec<Counted>,
}

/// A tick that was learned from.
#[derive(Clone, Debug, PartialEq)]
pub struct Counted {
    /// When.
    pub tick: u32,
    /// How probably each task went on.
    pub went_on: Vec<f64>,
    /// What each sensor of the behaviour read, by its number.
    pub read: Vec<u32>,
    /// Whether a life began.
    pub is_first: bool,
}

/// A number of a behaviour's tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cell {
    /// Everything that is known of a task.
    Task(usize),
    /// How often a sensor reads a value while a task goes on.
    Reads {
        /// The task.
        task: usize,
        /// The sensor.
        sensor: usize,
        /// The value, by its number.
        value: u32,
    },
    /// How often a task follows another, or itself.
    Follows {
        /// The task.
        task: usize,
        /// The one before it.
        before: usize,
    },
}

impl Learnt {
    /// Where a number comes from: stretches of play, with how many ticks each gives to what the number counts, the most first.
    pub fn provenance(&self, cell: Cell, stretch: u32) -> Vec<(u32, f64)> {
        let of = |one: &Counted, task: usize| one.went_on.get(task).copied().unwrap_or(0.0);
        let mut by_stretch: BTreeMap<u32, f64> = BTreeMap::new();
        for (at, one) in self.ticks.iter().enumerate() {
            let counts = match cell {
                Cell::Task(task) => of(one, task),
                Cell::Reads { task, sensor, value } if one.read.get(sensor) == Some(&value) => of(one, task),
                Cell::Reads { .. } => 0.0,
                Cell::Follows { .. } if one.is_first || at == 0 => 0.0,
                Cell::Follows { task, before } => of(one, task) * of(&self.ticks[at - 1], before),
            };
            *by_stretch.entry(one.tick / stretch * stretch).or_default() += counts;
        }
        let mut all: Vec<(u32, f64)> = by_stretch.into_iter().filter(|(_, ticks)| *ticks > 0.05).collect();
        all.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        all
    }
}

/// A decision that a change of the book changes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ChangedDecision {
    /// When.
    pub tick: u32,
    /// What the pupil would have done in the person's place.
    pub was: String,
    /// What it would do now.
    pub becomes: String,
}

impl Book {
    /// An empty book about play on a map, for a pupil of a behaviour's tasks and sensors.
    pub fn new(level: Arc<Level>, shape: Behaviour) -> Self {
        Book { level, shape, rows: Vec::new(), corrected: BTreeMap::new(), forgotten: BTreeSet::new() }
    }

    /// The behaviour whose tasks and sensors the pupil has.
    pub fn shape(&self) -> &Behaviour {
        &self.shape
    }

    /// Writes a tick of the person's down.
    pub fn note(&mut self, tick: u32, row: Row) {
        self.rows.push((tick, row));
    }

    /// Ticks in the book.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether nothing was shown yet.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Says what should have been done during some ticks; `None` takes it back.
    pub fn correct(&mut self, ticks: Range<u32>, task: Option<&str>) {
        for tick in ticks {
            match task {
                Some(task) => self.corrected.insert(tick, task.to_owned()),
                None => self.corrected.remove(&tick),
            };
        }
    }

    /// Leaves some ticks out from now on, or takes them in again.
    pub fn forget(&mut self, ticks: Range<u32>, forget: bool) {
        for tick in ticks {
            if forget {
                self.forgotten.insert(tick)
            } else {
                self.forgotten.remove(&tick)
            };
        }
    }

    /// Learns everything anew.
    ///
    /// # Errors
    /// If the behaviour has sensors or tasks that characters do not have.
    pub fn learn(&self) -> Result<Learnt, CannotSense> {
        let connected = Connected::new(&self.shape)?;
        let mut student = Student::new(connected.clone(), Method::Told);
        let (mut observer, mut life, mut ticks) = (Observer::default(), None, Vec::new());
        for (tick, row) in self.rows.iter().filter(|(tick, _)| !self.forgotten.contains(tick)) {
            let (Some(percept), Some(command)) = (&row.percept, &row.command) else { continue };
            let said = row.task.as_deref().filter(|task| !task.is_empty());
            let task = self.corrected.get(tick).map(String::as_str).or(said);
            student.see(Seen { percept, command, task, events: &row.events }, self.level.places());
            let named = task.and_then(|task| student.tasks().position(|name| name == task));
            let went_on = match named {
                Some(named) => {
                    (0..student.tasks().count()).map(|at| f64::from(u8::from(at == named))).collect()
                }
                None => student.recognised().to_vec(),
            };
            let stimuli = observer.observe(percept, self.level.places());
            let read = connected.wiring().values(&stimuli.readings).collect();
            let is_first = life.replace(percept.own.life) != Some(percept.own.life);
            ticks.push(Counted { tick: *tick, went_on, read, is_first });
        }
        Ok(Learnt { student, ticks })
    }

    /// What a pupil would decide at every tick of the book, in the person's place: the most probable task.
    ///
    /// # Errors
    /// If the behaviour has sensors or tasks that characters do not have.
    pub fn decisions(&self, pupil: &Behaviour) -> Result<Vec<(u32, usize)>, CannotSense> {
        let connected = Connected::new(pupil)?;
        let (mut observer, mut life, mut before) = (Observer::default(), None, None);
        let mut decided = Vec::new();
        for (tick, row) in &self.rows {
            let Some(percept) = &row.percept else { continue };
            if life != Some(percept.own.life) {
                (life, before) = (Some(percept.own.life), None);
            }
            let stimuli = observer.observe(percept, self.level.places());
            let task = arg_max(&connected.decide(before, &stimuli.readings).posterior);
            decided.push((*tick, task));
            before = Some(task);
        }
        Ok(decided)
    }

    /// Which decisions differ between two pupils.
    ///
    /// # Errors
    /// If a behaviour has sensors or tasks that characters do not have.
    pub fn changed(&self, was: &Behaviour, becomes: &Behaviour) -> Result<Vec<ChangedDecision>, CannotSense> {
        let (a, b) = (self.decisions(was)?, self.decisions(becomes)?);
        let name = |task: usize| self.shape.tasks()[task].name.clone();
        let pairs = a.iter().zip(&b).filter(|(a, b)| a.1 != b.1);
        Ok(pairs.map(|(a, b)| ChangedDecision { tick: a.0, was: name(a.1), becomes: name(b.1) }).collect())
    }
}

#[cfg(test)]
mod tests {
    use repertoire_bayes::sequence::shipped;

    use super::*;
    use crate::timeline::Timeline;
    use crate::timeline::tests::{fighter, yard};

    fn book() -> Book {
        let shape = shipped::behaviour("uniform").expect("it ships");
        let mut timeline =
            Timeline::new(yard(), Default::default(), vec![fighter("prudent"), fighter("native")], 4);
        let mut book = Book::new(yard(), shape);
        for tick in 0..400 {
            timeline.decide(&[]);
            let mut rows = timeline.advance_recorded().rows;
            let row = rows.swap_remove(0);
            if row.alive {
                book.note(tick, row);
            }
        }
        book
    }

    #[test]
    fn a_correction_changes_decisions_and_taking_it_back_brings_them_back() {
        let mut book = book();
        let before = book.learn().expect("its own tasks").student.so_far("pupil");
        let same = book.changed(&before, &book.learn().expect("its own tasks").student.so_far("pupil"));
        assert_eq!(same.expect("its own tasks"), []);
        book.correct(50..200, Some("flee"));
        let learnt = book.learn().expect("its own tasks");
        let changed = book.changed(&before, &learnt.student.so_far("pupil")).expect("its own tasks");
        assert!(changed.iter().any(|one| one.becomes == "flee"), "{} changed", changed.len());
        book.correct(50..200, None);
        let back = book.learn().expect("its own tasks").student.so_far("pupil");
        assert_eq!(book.changed(&before, &back).expect("its own tasks"), []);
    }

    #[test]
    fn what_is_known_of_a_task_comes_from_the_ticks_at_which_it_went_on() {
        let mut book = book();
        book.correct(100..120, Some("flee"));
        let learnt = book.learn().expect("its own tasks");
        let flee = learnt.student.tasks().position(|task| task == "flee").expect("it has it");
        let inside = |tick: u32| (100..120).contains(&tick);
        let within = |cell: Cell| -> f64 {
            let from = learnt.provenance(cell, 10);
            from.iter().filter(|(tick, _)| inside(*tick)).map(|(_, ticks)| ticks).sum()
        };
        let told: Vec<&Counted> = learnt.ticks.iter().filter(|one| inside(one.tick)).collect();
        let taught = within(Cell::Task(flee));
        assert!((taught - told.len() as f64).abs() < 1e-9, "{taught} of {}", told.len());
        // A number of a table comes from the ticks at which its sensor read its value, and all its values from all of them.
        let sensors = book.shape.sensors();
        for (sensor, about) in sensors.iter().enumerate() {
            let reads = |value: usize| within(Cell::Reads { task: flee, sensor, value: value as u32 });
            for value in 0..about.values.len() {
                let so = told.iter().filter(|one| one.read[sensor] == value as u32).count();
                assert!((reads(value) - so as f64).abs() < 1e-9, "{} {value}", about.name);
            }
            let all: f64 = (0..about.values.len()).map(reads).sum();
            assert!(all <= taught + 1e-9);
        }
        // It followed itself at every told tick but the first, unless a life began in between.
        let follows = within(Cell::Follows { task: flee, before: flee });
        let begun = told.iter().skip(1).filter(|one| one.is_first).count();
        assert!((follows - (told.len() - 1 - begun) as f64).abs() < 0.5, "{follows}");
        book.forget(100..120, true);
        let without = book.learn().expect("its own tasks");
        assert!(without.ticks.iter().all(|one| !inside(one.tick)));
        assert_eq!(without.ticks.len() + told.len(), learnt.ticks.len());
    }
}
