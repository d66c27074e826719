//! Learns a behaviour from play: from a recording, or while it happens.
//!
//! A student sees what a teacher perceives and commands, tick by tick, and turns that into the sensors of a behaviour
//! and what is known of the task: its name where the teacher tells it, a rule's guess, or how well each elementary task
//! explains the command. Memory is constant, except for the batch method, which keeps the whole demonstration.

use repertoire_bayes::sequence::Behaviour;
use repertoire_bayes::sequence::learning::{Learner, TaskCounts, batch};
use repertoire_prob::hmm::Sequence;
use repertoire_prob::hmm::baum_welch::BaumWelchError;
use repertoire_prob::hmm::incremental::Step;

use crate::sequenced::Connected;
use crate::tasks::heuristic::Heuristic;
use crate::tasks::motor::Act;
use crate::tasks::{Elementary, Observer, Stimuli};
use crate::{Command, Event, Item, Percept, Places};

/// How the tasks become known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// The teacher tells them (Le Hy 2007, section 4.4.1).
    Labels,
    /// Rules guess them (4.4.2).
    Heuristic,
    /// The task models recognise them, one observation at a time (4.4.3).
    Incremental,
    /// The task models recognise them, over the whole demonstration, again and again.
    Batch,
    /// The teacher tells some of them, and the task models recognise the others, one observation at a time.
    Told,
}

impl Method {
    /// Those of the thesis; `Told` is two of them at once.
    pub const ALL: [Method; 4] = [Method::Labels, Method::Heuristic, Method::Incremental, Method::Batch];

    /// One of the thesis's by its name.
    pub fn named(name: &str) -> Option<Self> {
        Method::ALL.into_iter().find(|method| method.name() == name)
    }

    /// Its name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Method::Labels => "labels",
            Method::Heuristic => "heuristic",
            Method::Incremental => "incremental",
            Method::Batch => "batch",
            Method::Told => "told",
        }
    }
}

/// One tick of a teacher's.
#[derive(Clone, Copy, Debug)]
pub struct Seen<'a> {
    /// What it perceived.
    pub percept: &'a Percept,
    /// What it commanded.
    pub command: &'a Command,
    /// What it said it was doing.
    pub task: Option<&'a str>,
    /// What came of it.
    pub events: &'a [Event],
}

/// Somebody who watches play: what [`Student`], [`Imitator`](crate::chameleon::Imitator) and whoever measures a player have in
/// common.
pub trait Watch {
    /// What follows belongs to somebody else, or to another recording.
    fn begin(&mut self);
    /// One tick of a life.
    fn see(&mut self, seen: Seen<'_>, places: &Places);
}

/// Both watch.
impl<A: Watch, B: Watch> Watch for (A, B) {
    fn begin(&mut self) {
        self.0.begin();
        self.1.begin();
    }

    fn see(&mut self, seen: Seen<'_>, places: &Places) {
        self.0.see(seen, places);
        self.1.see(seen, places);
    }
}

/// Nobody, or somebody.
impl<A: Watch> Watch for Option<A> {
    fn begin(&mut self) {
        self.iter_mut().for_each(A::begin);
    }

    fn see(&mut self, seen: Seen<'_>, places: &Places) {
        self.iter_mut().for_each(|one| one.see(seen, places));
    }
}

impl Watch for Student {
    fn begin(&mut self) {
        self.end_life();
    }

    fn see(&mut self, seen: Seen<'_>, places: &Places) {
        Student::see(self, seen, places);
    }
}

/// Learns a behaviour from what it sees.
///
/// ```
/// use repertoire_bayes::sequence::shipped;
/// use repertoire_mind::sequenced::Connected;
/// use repertoire_mind::student::{Method, Seen, Student};
/// use repertoire_mind::{Cells, Command, DVec3, Percept, Places};
///
/// let uniform = Connected::new(&shipped::behaviour("uniform").unwrap())?;
/// let mut student = Student::new(uniform, Method::Incremental);
/// let places = Places::new(vec![DVec3::ZERO], vec![vec![]], Cells::default(), vec![], vec![])?;
/// let (percept, command) = (Percept::default(), Command::default());
/// student.see(Seen { percept: &percept, command: &command, task: None, events: &[] }, &places);
/// let taught = student.finish("pupil", &mut |_| ())?;
/// assert_eq!((taught.behaviour.name(), taught.summary.lives), ("pupil", 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Student {
    method: Method,
    connected: Connected,
    before: TaskCounts,
    learner: Learner,
    observer: Observer,
    heuristic: Heuristic,
    life: Option<u32>,
    /// The tick that was seen last.
    tick: u32,
    /// What there is to act upon, how well each task explains what was done, and what is sensed: kept for their room.
    stimuli: Stimuli,
    explains: Vec<f64>,
    values: Vec<u32>,
    /// The sensors of this life, until the heuristic has guessed its tasks.
    pending: Vec<u32>,
    recorded: Recorded,
    summary: Summary,
    window: (u64, f64),
}

/// A whole demonstration, for the batch method.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Recorded {
    /// What was sensed, `[observation][sensor]`.
    pub values: Vec<u32>,
    /// How well each task explains what was done, `[observation][task]`.
    pub explains: Vec<f64>,
    /// Where each life begins, in observations; the last is where all end.
    pub starts: Vec<usize>,
}

impl Recorded {
    /// Its lives, as sequences with this many sensors and tasks.
    pub fn lives(&self, sensors: usize, tasks: usize) -> Vec<Sequence<'_>> {
        let lives = self.starts.windows(2).filter(|life| life[0] < life[1]);
        lives
            .map(|life| Sequence {
                steps: life[1] - life[0],
                values: &self.values[life[0] * sensors..life[1] * sensors],
                known: Some(&self.explains[life[0] * tasks..life[1] * tasks]),
            })
            .collect()
    }
}

/// What a student has seen, and how well it was prepared for it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Summary {
    /// Ticks that were learned.
    pub observations: u64,
    /// Lives they belong to.
    pub lives: u64,
    /// Ticks whose label is no task of the behaviour.
    pub unlabelled: u64,
    /// Ticks that no task explained.
    pub contradictions: u64,
    /// Columns that were edited by hand since the counts were made.
    pub edited_columns: usize,
    /// The learning curve: after n observations (for batch, iterations), the mean log-likelihood of an
    /// observation, before it was learned, of the last stretch (for batch, of all).
    pub curve: Vec<(u64, f64)>,
}

/// Observations in a stretch of [`Summary::curve`].
const STRETCH: u64 = 250;

/// A behaviour that was learned from play.
#[derive(Clone, Debug)]
pub struct TaughtBehaviour {
    /// The behaviour.
    pub behaviour: Behaviour,
    /// What it was learned from.
    pub summary: Summary,
}

impl TaughtBehaviour {
    /// How often each task was seen, by its counts: the shares sum to 1.
    pub fn task_shares(&self) -> Vec<(String, f64)> {
        let Some(counts) = self.behaviour.counts() else { return Vec::new() };
        let tasks = self.behaviour.tasks().len();
        let ended: Vec<f64> =
            (0..tasks).map(|task| counts.transition.iter().skip(task).step_by(tasks).sum()).collect();
        let total: f64 = ended.iter().sum::<f64>().max(1e-300);
        self.behaviour.task_names().map(str::to_owned).zip(ended.iter().map(|n| n / total)).collect()
    }
}

/// Batch learning ends after this many iterations, or when one gains less than [`LEAST_GAIN`] in log-likelihood.
pub const ITERATIONS: usize = 60;
/// See [`ITERATIONS`].
pub const LEAST_GAIN: f64 = 0.5;

impl Student {
    /// Learns the tables of a behaviour: its tasks and sensors are given, and it goes on from its counts if it has any.
    pub fn new(connected: Connected, method: Method) -> Self {
        let (before, edited_columns) = TaskCounts::of(connected.behaviour());
        Student::from(connected, method, before, edited_columns)
    }

    /// Counts what it sees and nothing else: for one of many students whose counts are added up later.
    pub fn apart(connected: Connected, method: Method) -> Self {
        let none = TaskCounts::none(connected.behaviour());
        Student::from(connected, method, none, 0)
    }

    fn from(connected: Connected, method: Method, before: TaskCounts, edited_columns: usize) -> Self {
        Student {
            method,
            learner: Learner::new(connected.behaviour(), &before)
                .unwrap_or_else(|error| unreachable!("a behaviour's own counts: {error}")),
            connected,
            before,
            observer: Observer::default(),
            heuristic: Heuristic::default(),
            life: None,
            tick: 0,
            stimuli: Stimuli::default(),
            explains: Vec::new(),
            values: Vec::new(),
            pending: Vec::new(),
            recorded: Recorded::default(),
            summary: Summary { edited_columns, ..Summary::default() },
            window: (0, 0.0),
        }
    }

    /// Sees one tick.
    pub fn see(&mut self, seen: Seen<'_>, places: &Places) {
        if seen.percept.tick < self.tick {
            // Time goes back: somebody else is watched now, who knows nothing of what was seen before.
            self.end_life();
            self.observer = Observer::default();
        }
        self.tick = seen.percept.tick;
        if self.life != Some(seen.percept.own.life) {
            self.end_life();
            self.life = Some(seen.percept.own.life);
            self.summary.lives += 1;
        }
        self.observer.observe_for_tasks(seen.percept, places, &mut self.stimuli);
        self.values.clear();
        self.values.extend(self.connected.wiring().values(&self.stimuli.readings));
        let told = seen.task.and_then(|task| self.connected.behaviour().task(task));
        match (self.method, told) {
            (Method::Labels | Method::Told, Some(task)) => {
                if self.learner.observe_task(task, &self.values).is_ok() {
                    self.note(self.learner.log_evidence());
                }
            }
            (Method::Labels, None) => {
                self.summary.unlabelled += 1;
                self.learner.begin_sequence();
            }
            (Method::Heuristic, _) => {
                let picked_up = seen.events.iter().find_map(|event| match event {
                    Event::PickedUp { item, .. } => Some(*item),
                    _ => None,
                });
                self.guess(seen.percept, picked_up);
            }
            (Method::Incremental | Method::Told, _) => {
                self.explain(seen.command);
                let step = self.learner.observe(&self.values, &self.explains);
                if step != Ok(Step::Learned) {
                    self.summary.contradictions += 1;
                }
                if step.is_ok() {
                    self.note(self.learner.log_evidence());
                }
            }
            (Method::Batch, _) => {
                self.explain(seen.command);
                self.recorded.values.extend_from_slice(&self.values);
                self.recorded.explains.extend_from_slice(&self.explains);
                self.summary.observations += 1;
            }
        }
    }

    /// How well each task explains a command.
    fn explain(&mut self, command: &Command) {
        let (act, stimuli) = (Act::of(command), &self.stimuli);
        self.connected.explains_into(&|task| task.motor(stimuli).likelihood(&act), &mut self.explains);
    }

    fn guess(&mut self, percept: &Percept, picked_up: Option<Item>) {
        self.pending.extend_from_slice(&self.values);
        self.heuristic.observe(percept, picked_up);
    }

    fn note(&mut self, log_evidence: f64) {
        self.summary.observations += 1;
        self.window.0 += 1;
        self.window.1 += log_evidence;
        if self.window.0 == STRETCH {
            self.summary.curve.push((self.summary.observations, self.window.1 / STRETCH as f64));
            self.window = (0, 0.0);
        }
    }

    /// A life, or the recording, is over.
    pub fn end_life(&mut self) {
        let width = self.connected.behaviour().sensors().len();
        let guesses: Vec<Elementary> = self.heuristic.finish();
        let pending = std::mem::take(&mut self.pending);
        for (at, task) in guesses.into_iter().enumerate() {
            match self.connected.behaviour().task(task.name()) {
                Some(task) => {
                    if self.learner.observe_task(task, &pending[at * width..][..width]).is_ok() {
                        self.note(self.learner.log_evidence());
                    }
                }
                None => {
                    self.summary.unlabelled += 1;
                    self.learner.begin_sequence();
                }
            }
        }
        self.learner.begin_sequence();
        self.recorded.starts.push(self.summary.observations as usize);
        self.life = None;
    }

    /// Ends the demonstration, and gives what was counted in it and what was seen of it.
    pub fn counted(mut self) -> (TaskCounts, Summary, Recorded) {
        self.end_life();
        (self.learner.counts(), self.summary, self.recorded)
    }

    /// How probably each task of the behaviour went on at the last tick.
    pub fn recognised(&self) -> &[f64] {
        self.learner.recognised()
    }

    /// The names of the tasks, in the order of [`Student::recognised`].
    pub fn tasks(&self) -> impl Iterator<Item = &str> {
        self.connected.behaviour().tasks().iter().map(|task| task.name.as_str())
    }

    /// What it has seen so far.
    pub fn summary(&self) -> &Summary {
        &self.summary
    }

    /// The behaviour as it is learned so far, without the batch method, which learns at the end.
    pub fn so_far(&self, name: &str) -> Behaviour {
        self.learned(name, self.learner.counts())
    }

    fn learned(&self, name: &str, counts: TaskCounts) -> Behaviour {
        let learned = self.connected.behaviour().learned(name, self.about(), counts);
        learned.unwrap_or_else(|error| unreachable!("counts of this behaviour: {error}"))
    }

    fn about(&self) -> String {
        format!("Learned from play ({}).", self.method.name())
    }

    /// Ends the demonstration. `told` hears the mean log-likelihood of an observation before each iteration of the batch
    /// method.
    pub fn finish(
        mut self,
        name: &str,
        told: &mut dyn FnMut(f64),
    ) -> Result<TaughtBehaviour, BaumWelchError> {
        self.end_life();
        let counts = match self.method {
            Method::Batch => self.learn_batch(told)?,
            _ => self.learner.counts(),
        };
        let behaviour = self.learned(name, counts);
        Ok(TaughtBehaviour { behaviour, summary: self.summary })
    }

    fn learn_batch(&mut self, told: &mut dyn FnMut(f64)) -> Result<TaskCounts, BaumWelchError> {
        let behaviour = self.connected.behaviour();
        let (width, tasks) = (behaviour.sensors().len(), behaviour.tasks().len());
        let sequences = self.recorded.lives(width, tasks);
        let mut curve = Vec::new();
        let seen = self.summary.observations.max(1) as f64;
        let mut hear = |log_likelihood: f64| {
            curve.push((curve.len() as u64 + 1, log_likelihood / seen));
            told(log_likelihood / seen);
        };
        let counts = batch(behaviour, &self.before, &sequences, ITERATIONS, LEAST_GAIN, &mut hear)?;
        self.summary.curve = curve;
        Ok(counts)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Cells, DVec3, SeenCharacter};
    use repertoire_bayes::sequence::shipped;

    #[test]
    fn who_is_watched_after_another_knows_nothing_of_what_the_other_saw() {
        let uniform =
            || Connected::new(&shipped::behaviour("uniform").expect("shipped")).expect("known words");
        let places =
            Places::new(vec![DVec3::ZERO], vec![vec![]], Cells::default(), vec![], vec![]).expect("a map");
        let enemy = SeenCharacter { id: 3, position: DVec3::X, velocity: DVec3::ZERO, weapon: None };
        let seen_at = |tick: u32, characters: Vec<SeenCharacter>| {
            let mut percept = Percept { tick, period_secs: 0.1, characters, ..Percept::default() };
            percept.own.life = 1;
            percept
        };
        let show = |student: &mut Student, percept: &Percept| {
            let command = Command::default();
            student.see(Seen { percept, command: &command, task: None, events: &[] }, &places);
        };
        let mut both = Student::new(uniform(), Method::Incremental);
        show(&mut both, &seen_at(90, vec![enemy]));
        show(&mut both, &seen_at(0, vec![]));
        let mut second = Student::new(uniform(), Method::Incremental);
        show(&mut second, &seen_at(0, vec![]));
        assert_eq!(both.stimuli.readings, second.stimuli.readings, "nobody has been seen");
        assert_eq!(both.summary.lives, 2, "lives of the same number are two people's");
    }
}
