//! Tencé's experiments in the arena: characters learned by imitation beside their teachers.
//!
//! A teacher plays one match to learn from and others to judge by, always against the same three native bots. A behaviour
//! (Le Hy's, by incremental Baum-Welch) and two CHAMELEON characters (attention as written, attention learned) learn from
//! the same play and then take the teacher's place. Measured for each:
//!
//! | what                | how                                                                                      |
//! |---------------------|------------------------------------------------------------------------------------------|
//! | explains            | `ln P(commands \| percepts)` a decision, of a match it did not learn from                 |
//! | plays               | frags, accuracy, items, suicides and stuck time against the teacher's opponents           |
//! | moves               | signatures (2011, section 4.4.3.2): how far from each teacher, and the teacher from itself |
//! | habits              | still views, bursts, strafing, stops, jumps                                              |
//!
//! Likelihoods are densities over the same commands: turns and tilts as shares of the circle, runs in eighths of the
//! circle or standing, fire and jump as they are. CHAMELEON's also holds the choice of the weapon, which a behaviour leaves to
//! a reflex: that can only make it smaller.

use std::sync::Arc;

use repertoire_bayes::sequence::file::to_toml;
use repertoire_bayes::sequence::{Behaviour, shipped};
use repertoire_chameleon::decisions::mean_log_likelihood;
use repertoire_chameleon::{Attention, EmSettings, Learned, Model};
use repertoire_mind::chameleon::{ImitationError, ImitationSettings, Imitator, Joined, Watcher};
use repertoire_mind::fighter::Fighter;
use repertoire_mind::sequenced::Connected;
use repertoire_mind::student::{Method, Seen, Student, Watch};
use repertoire_mind::tasks::motor::{Act, TILT, TURN};
use repertoire_mind::tasks::{CannotSense, Elementary, Observer};
use repertoire_mind::{Command, Percept, Places};
use repertoire_prob::num::ln;
use repertoire_worlds::arena::level::Level;
use repertoire_worlds::arena::world::Tally;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::lesson::show_live;
use crate::practice::{self, Make, Moves, Practice, player};
use crate::shard::{self, Sharded, What};
use crate::signature::habits::{self, Habits, Measure};
use crate::signature::{AngleCounts, NAMES, Signature};
use crate::{Entry, Interval};

/// The first match that all are judged by, and the first trial.
const MATCH_SEEDS: u64 = 1000;
const TRIAL_SEEDS: u64 = 500;

/// Who teaches unless others are named: native bots of three levels, and two behaviours.
pub const TEACHERS: [&str; 5] = ["native:1", "native:3", "native:5", "aggressive", "prudent"];

/// What to do.
pub struct Lessons {
    /// Where everybody plays.
    pub level: Arc<Level>,
    /// Who teaches.
    pub teachers: Vec<Entry>,
    /// The words that CHAMELEON characters have.
    pub model: Model,
    /// The length of the match that is learned from, and of each other, in seconds of the game.
    pub lesson_secs: f64,
    /// See [`Lessons::lesson_secs`].
    pub match_secs: f64,
    /// Matches that everybody is judged by.
    pub matches: u32,
    /// Re-estimations at most.
    pub iterations: usize,
    /// Random seed; the same seed repeats the run.
    pub seed: u64,
}

/// How well somebody plays.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Plays {
    /// Others killed a minute, minus own suicides.
    pub frags_per_minute: Interval,
    /// Deaths a minute.
    pub deaths_per_minute: f64,
    /// Deaths by the own hand a minute.
    pub suicides_per_minute: f64,
    /// The share of shots that hurt somebody else.
    pub accuracy: f64,
    /// Shots a minute.
    pub shots_per_minute: f64,
    /// Items picked up a minute.
    pub items_per_minute: f64,
    /// The share of decisions at which it wanted to move and did not get on.
    pub stuck_share: f64,
}

/// Somebody judged.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Judged {
    /// Who.
    pub name: String,
    /// Who taught it; a teacher itself has none.
    pub teacher: Option<String>,
    /// `ln P(commands | percepts)` a decision, of the lesson.
    pub explains_lesson: Option<f64>,
    /// The same, of a match it did not learn from.
    pub explains_other: Option<f64>,
    /// How it plays.
    pub plays: Plays,
    /// The power of attention that it plays with, for each group of actions; none without attention.
    pub sharpness: Vec<f64>,
    /// How it moves.
    pub habits: Habits,
    /// How far its matches are from those of each teacher, in degrees, for each signature. From itself, for a teacher: how far
    /// its matches are apart.
    pub apart_deg: Vec<[f64; 3]>,
    /// For each signature, the share of pairs of a match of its own and one of its teacher's that are no farther apart than the
    /// teacher's two farthest matches; of a pupil.
    pub within_teachers_range: Option<[f64; 3]>,
}

impl Outcome {
    /// The pupils as files: their names, and what is in them.
    pub fn files(&self) -> impl Iterator<Item = (String, &[u8])> {
        self.pupils.iter().map(|(name, pupil)| {
            let stem = name.replace(" / ", "-").replace(':', "");
            match pupil {
                Pupil::Behaviour(toml) => (format!("{stem}.toml"), toml.as_bytes()),
                Pupil::Chameleon(bytes) => (format!("{stem}.character"), bytes.as_slice()),
            }
        })
    }
}

/// The file of a pupil.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Pupil {
    /// A behaviour, as TOML.
    Behaviour(String),
    /// A CHAMELEON character.
    Chameleon(#[serde(with = "digits")] Vec<u8>),
}

/// Bytes as hexadecimal digits.
mod digits {
    use std::fmt::Write;

    use serde::{Deserialize, Deserializer, Serializer, de};

    pub fn serialize<S: Serializer>(bytes: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
        let mut text = String::with_capacity(2 * bytes.len());
        // Writing to a string cannot fail.
        bytes.iter().for_each(|byte| _ = write!(text, "{byte:02x}"));
        serializer.serialize_str(&text)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<u8>, D::Error> {
        let text = String::deserialize(deserializer)?;
        let byte = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok();
        let bytes: Option<Vec<u8>> = text.as_bytes().chunks(2).map(byte).collect();
        bytes.ok_or_else(|| de::Error::custom("not hexadecimal digits"))
    }
}

/// Everything.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// Teachers in order, each followed by its pupils.
    pub judged: Vec<Judged>,
    /// The pupils' files, by name.
    pub pupils: Vec<(String, Pupil)>,
}

/// Why there is no outcome.
#[derive(Debug, thiserror::Error)]
pub enum Failed {
    /// A model with words that characters do not have.
    #[error(transparent)]
    Model(#[from] CannotSense),
    /// Nothing was learned.
    #[error(transparent)]
    Imitation(#[from] ImitationError),
}

/// What was perceived and commanded, tick by tick.
#[derive(Default)]
pub(crate) struct Play(pub Vec<(Percept, Command)>);

impl Watch for Play {
    fn begin(&mut self) {}

    fn see(&mut self, seen: Seen<'_>, _: &Places) {
        self.0.push((seen.percept.clone(), *seen.command));
    }
}

impl Play {
    /// Shows it to somebody else.
    pub(crate) fn show(&self, places: &Places, watch: &mut dyn Watch) {
        watch.begin();
        for (percept, command) in &self.0 {
            watch.see(Seen { percept, command, task: None, events: &[] }, places);
        }
    }
}

/// Those who are judged for each teacher, in this order: the teacher itself, then one pupil of each kind.
#[derive(Clone, Copy)]
enum Sort {
    Teacher,
    Behaviour,
    Imitator(Attention, &'static str),
}

const SORTS: [Sort; 4] = [
    Sort::Teacher,
    Sort::Behaviour,
    Sort::Imitator(Attention::Fixed, "fixed"),
    Sort::Imitator(Attention::LEARNED, "learned"),
];

/// A teacher or a pupil that was judged, without its distances from the others.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Seated {
    judged: Judged,
    signatures: Vec<Signature>,
    pupil: Option<Pupil>,
}

impl Lessons {
    /// Teaches and judges, and calls `done` after each one that was judged. The seed determines everything but the time it takes.
    ///
    /// # Errors
    /// If nothing can be learned.
    pub fn run(&self, done: &(dyn Fn() + Sync)) -> Result<Outcome, Failed> {
        shard::run_all(self, done)
    }

    /// How many are judged.
    pub fn total_judged(&self) -> u64 {
        (self.teachers.len() * SORTS.len()) as u64
    }

    fn behaviour(&self, teacher: &Entry) -> Seated {
        let [lesson, other] = self.lessons(teacher);
        let behaviour = self.behaviour_of(&lesson);
        let connected = connected(&behaviour);
        let design = crate::le_hy::design(&behaviour);
        let make: Make = Arc::new(move || Box::new(Fighter::new(&design)));
        let mut seated = self.judge(format!("{} / behaviour", teacher.name), Some(&teacher.name), &make);
        let explains = |play: &Play| explained_by(&connected, play, &self.level);
        seated.judged.explains_lesson = Some(explains(&lesson));
        seated.judged.explains_other = Some(explains(&other));
        Seated { pupil: Some(Pupil::Behaviour(to_toml(&behaviour))), ..seated }
    }

    fn imitator(&self, teacher: &Entry, attention: Attention, word: &str) -> Result<Seated, Failed> {
        let [lesson, other] = self.lessons(teacher);
        let mut learned = self.imitator_of(&lesson, attention, false)?;
        let explains = [&lesson, &other].map(|play| self.explained_by_imitator(&learned, play));
        self.sharpen(&mut learned, &lesson)?;
        let name = format!("{} / {word}", teacher.name);
        let mut seated = self.judge(name, Some(&teacher.name), &player(&learned)?);
        [seated.judged.explains_lesson, seated.judged.explains_other] = explains;
        seated.judged.sharpness.clone_from(&learned.sharpness.groups);
        Ok(Seated { pupil: Some(Pupil::Chameleon(learned.to_bytes())), ..seated })
    }

    /// Finds by playing how sharply it should attend, decide and act.
    pub(crate) fn sharpen(&self, learned: &mut Learned, lesson: &Play) -> Result<(), Failed> {
        let mut moves = Moves::default();
        lesson.show(self.level.places(), &mut moves);
        if let Some(moved) = practice::Teacher::of(&moves.0, self.match_secs) {
            let trials = Practice { seed: self.seed.wrapping_add(TRIAL_SEEDS), ..self.practice() };
            learned.sharpness = trials.sharpness(learned, &moved, &|_| ())?;
        }
        Ok(())
    }

    /// The match that is learned from, and one that is not.
    fn lessons(&self, teacher: &Entry) -> [Play; 2] {
        [(0, self.lesson_secs), (1, self.match_secs)]
            .map(|(number, secs)| self.record(&teacher.make, number, secs))
    }

    fn practice(&self) -> Practice {
        Practice { level: Arc::clone(&self.level), match_secs: self.match_secs, seed: self.seed }
    }

    pub(crate) fn record(&self, make: &Make, number: u64, secs: f64) -> Play {
        let mut play = Play::default();
        show_live(&Practice { match_secs: secs, ..self.practice() }, make, number, &mut play, &|| ());
        play
    }

    /// A character that learned from a lesson as `repertoire learn chameleon` does, without practice; with the teacher's `hands` if asked.
    pub(crate) fn imitator_of(
        &self,
        lesson: &Play,
        attention: Attention,
        hands: bool,
    ) -> Result<Learned, Failed> {
        let defaults = ImitationSettings::default();
        let em = EmSettings {
            attention,
            iterations: self.iterations,
            starts: 1,
            seed: self.seed,
            ..defaults.em.clone()
        };
        let mut imitator = Imitator::new(&self.model, ImitationSettings { em, hands, ..defaults })?;
        lesson.show(self.level.places(), &mut imitator);
        Ok(imitator.finish(&|_| ())?.learned)
    }

    /// `ln P(commands | percepts)` per decision of some play; none if it could not have been played so.
    fn explained_by_imitator(&self, learned: &Learned, play: &Play) -> Option<f64> {
        let mut watcher = Watcher::new(Arc::new(Joined::of(learned).ok()?), 0);
        for (percept, command) in &play.0 {
            watcher.see(percept, command, self.level.places());
        }
        let mean = mean_log_likelihood(learned, &watcher.finish(1, &learned.body));
        mean.is_finite().then_some(mean)
    }

    fn behaviour_of(&self, lesson: &Play) -> Behaviour {
        let uniform = shipped::behaviour("uniform").unwrap_or_else(|| unreachable!("uniform is shipped"));
        let mut student = Student::new(connected(&uniform), Method::Incremental);
        lesson.show(self.level.places(), &mut student);
        student.so_far("pupil")
    }

    /// Lets somebody play all matches by which all are judged.
    fn judge(&self, name: String, teacher: Option<&str>, make: &Make) -> Seated {
        let matches = self.practice().play(make, MATCH_SEEDS, self.matches);
        let measure = Measure::in_units(1.0);
        let mut tally = habits::Tally::default();
        let mut signatures = Vec::new();
        for (_, moments) in &matches {
            tally.add(moments, measure);
            let mut counts = AngleCounts::new(measure.standing);
            counts.add(moments);
            signatures.extend(counts.signature());
        }
        let tallies: Vec<Tally> = matches.into_iter().map(|(tally, _)| tally).collect();
        let judged = Judged {
            name,
            teacher: teacher.map(str::to_owned),
            explains_lesson: None,
            explains_other: None,
            plays: self.plays(&tallies),
            sharpness: Vec::new(),
            habits: tally.habits(),
            apart_deg: Vec::new(),
            within_teachers_range: None,
        };
        Seated { judged, signatures, pupil: None }
    }

    fn plays(&self, tallies: &[Tally]) -> Plays {
        let minutes = self.match_secs / 60.0;
        let frags: Vec<f64> = tallies.iter().map(|tally| f64::from(tally.frags) / minutes).collect();
        let sum = |of: &dyn Fn(&Tally) -> u32| tallies.iter().map(|tally| f64::from(of(tally))).sum::<f64>();
        let a_minute = |of: &dyn Fn(&Tally) -> u32| sum(of) / (minutes * tallies.len().max(1) as f64);
        Plays {
            frags_per_minute: Interval::of(&frags),
            deaths_per_minute: a_minute(&|tally| tally.deaths),
            suicides_per_minute: a_minute(&|tally| tally.suicides),
            accuracy: sum(&|tally| tally.hits) / sum(&|tally| tally.shots).max(1.0),
            shots_per_minute: a_minute(&|tally| tally.shots),
            items_per_minute: a_minute(&|tally| tally.items),
            stuck_share: sum(&|tally| tally.stuck) / sum(&|tally| tally.decisions).max(1.0),
        }
    }
}

/// Its pieces are those who are judged: each teacher, followed by its pupils. A pupil's piece plays its lesson again.
impl Sharded for Lessons {
    type Piece = Seated;
    type Whole = Outcome;
    type Refused = Failed;

    fn what(&self) -> What {
        let map = [("lessons".to_owned(), Arc::clone(&self.level))];
        let teachers: Vec<_> = self.teachers.iter().map(|teacher| &teacher.name).collect();
        What {
            kind: "experiment tence".into(),
            seed: self.seed,
            settings: json!({ "map": shard::maps(&map), "teachers": teachers, "model": self.model.text(),
                "decisions": self.model.decisions(), "lesson_secs": self.lesson_secs, "match_secs": self.match_secs,
                "matches": self.matches, "iterations": self.iterations }),
            total: self.total_judged(),
        }
    }

    fn piece(&self, number: u64) -> Result<Seated, Failed> {
        let teacher = &self.teachers[number as usize / SORTS.len()];
        match SORTS[number as usize % SORTS.len()] {
            Sort::Teacher => Ok(self.judge(teacher.name.clone(), None, &teacher.make)),
            Sort::Behaviour => Ok(self.behaviour(teacher)),
            Sort::Imitator(attention, word) => self.imitator(teacher, attention, word),
        }
    }

    fn whole(&self, pieces: Vec<(u64, Seated)>) -> Result<Outcome, Failed> {
        let mut all: Vec<Seated> = pieces.into_iter().map(|(_, seated)| seated).collect();
        measure_distances(&mut all);
        let mut outcome = Outcome { judged: Vec::new(), pupils: Vec::new() };
        for Seated { judged, pupil, .. } in all {
            outcome.pupils.extend(pupil.map(|pupil| (judged.name.clone(), pupil)));
            outcome.judged.push(judged);
        }
        Ok(outcome)
    }
}

/// Mean distances between all matches of one and all of another; of one and the same, between its different matches.
fn measure_distances(all: &mut [Seated]) {
    let teachers: Vec<(String, Vec<Signature>)> = all
        .iter()
        .filter(|one| one.judged.teacher.is_none())
        .map(|one| (one.judged.name.clone(), one.signatures.clone()))
        .collect();
    for Seated { judged, signatures, .. } in all {
        let to = |(name, theirs): &(String, Vec<Signature>)| {
            let pairs = distances(signatures, theirs, *name == judged.name);
            let mut sums = [0.0; NAMES.len()];
            for apart in &pairs {
                sums.iter_mut().zip(apart).for_each(|(sum, apart)| *sum += apart);
            }
            sums.map(|sum| sum / f64::max(pairs.len() as f64, 1.0))
        };
        judged.apart_deg = teachers.iter().map(to).collect();
        let teacher = teachers.iter().find(|(name, _)| judged.teacher.as_ref() == Some(name));
        judged.within_teachers_range = teacher.map(|(_, theirs)| {
            let own = distances(theirs, theirs, true);
            let pairs = distances(signatures, theirs, false);
            [0, 1, 2].map(|k| {
                let range = own.iter().map(|apart| apart[k]).fold(0.0, f64::max);
                let within = pairs.iter().filter(|apart| apart[k] <= range).count();
                within as f64 / f64::max(pairs.len() as f64, 1.0)
            })
        });
    }
}

/// How far each match of one is from each of another; of one and the same, from each different one.
fn distances(one: &[Signature], other: &[Signature], is_same: bool) -> Vec<[f64; NAMES.len()]> {
    let of = |(a, mine): (usize, &Signature)| {
        let others = other.iter().enumerate().filter(|(b, _)| !is_same || a != *b);
        others.map(|(_, their)| mine.distances_deg(their)).collect::<Vec<_>>()
    };
    one.iter().enumerate().flat_map(of).collect()
}

pub(crate) fn connected(behaviour: &Behaviour) -> Connected {
    // Shipped tasks and sensors, and what is learned of them, fit.
    Connected::new(behaviour).unwrap_or_else(|error| unreachable!("{error}"))
}

/// `ln P(commands | percepts)` a decision, of a behaviour and its elementary tasks: the task is filtered from what was done
/// so far, and each command weighed by the tasks' models.
fn explained_by(connected: &Connected, play: &Play, level: &Level) -> f64 {
    let mut observer = Observer::default();
    let mut life = 0;
    let mut filtered: Vec<f64> = Vec::new();
    let mut total = repertoire_prob::num::Sum::default();
    for (percept, command) in &play.0 {
        if percept.own.life != life {
            life = percept.own.life;
            filtered.clear();
        }
        let stimuli = observer.observe(percept, level.places());
        let act = Act::of(command);
        let explains = connected.explains(&|task: Elementary| task.motor(&stimuli).likelihood(&act));
        let mut now = vec![0.0; explains.len()];
        if filtered.is_empty() {
            now = connected.decide(None, &stimuli.readings).posterior;
        } else {
            for (previous, share) in filtered.iter().enumerate() {
                let next = connected.decide(Some(previous), &stimuli.readings).posterior;
                now.iter_mut().zip(next).for_each(|(now, next)| *now += share * next);
            }
        }
        now.iter_mut().zip(&explains).for_each(|(now, explains)| *now *= explains);
        let evidence = repertoire_prob::num::normalise(&mut now);
        total.add(ln(evidence) - ln(TURN.uniform()[act.turn]) - ln(TILT.uniform()[act.tilt]));
        filtered = now;
    }
    total.value() / play.0.len().max(1) as f64
}
