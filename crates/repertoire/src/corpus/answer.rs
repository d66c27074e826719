//! What a range of recordings says to a question: the work of a worker, a function of the question and the range alone.

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use repertoire_bayes::sequence::Behaviour;
use repertoire_chameleon::{Body, Model, Sequence, parts, sequence};
use repertoire_eval::lesson as shown;
use repertoire_eval::shard::file::checksum;
use repertoire_mind::chameleon::imitation::SHORTEST_LIFE;
use repertoire_mind::chameleon::{Acts, BodySeen, Joined, Watcher};
use repertoire_mind::sequenced::Connected;
use repertoire_mind::student::{Method, Recorded, Seen, Student, Watch};
use repertoire_prob::exact::Sums;
use repertoire_prob::hmm::baum_welch::Expected;
use repertoire_prob::hmm::{Hmm, Observation};
use serde::{Deserialize, Serialize};

use super::{CorpusError, Disk, Lesson, Store, open_as};

/// What is asked of every recording.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) enum Question {
    /// How the players' bodies move.
    Survey,
    /// Tasks and sensors that are known.
    Count,
    /// Expected counts under the numbers that follow, of players with this body.
    Expect(Option<Body>),
    /// How likely the play that was kept aside is under the numbers that follow.
    Judge(Body),
}

/// The first line of a question; numbers follow as bytes.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Asked {
    pub lesson: Lesson,
    pub work: PathBuf,
    pub step: usize,
    pub question: Question,
}

/// What a range of recordings says; sums follow as bytes.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Said {
    pub step: usize,
    pub from: u64,
    pub to: u64,
    pub lives: u64,
    pub ticks: u64,
    pub unlabelled: u64,
    pub body: BodySeen,
    pub players: Vec<String>,
}

/// A line of JSON and bytes, as one.
pub(super) fn join(line: &impl Serialize, bytes: &[u8]) -> Result<Vec<u8>, CorpusError> {
    let mut joined = serde_json::to_vec(line).map_err(defect)?;
    joined.push(b'\n');
    joined.extend_from_slice(bytes);
    Ok(joined)
}

/// The opposite.
pub(super) fn split<T: for<'de> Deserialize<'de>>(joined: &[u8]) -> Result<(T, &[u8]), CorpusError> {
    let damaged =
        || CorpusError::new("a question or an answer is damaged", "use the same version everywhere");
    let end = joined.iter().position(|&byte| byte == b'\n').ok_or_else(damaged)?;
    let line = serde_json::from_slice(&joined[..end]).map_err(|_| damaged())?;
    Ok((line, &joined[end + 1..]))
}

pub(super) fn defect(error: impl std::fmt::Display) -> CorpusError {
    CorpusError::new(error.to_string(), "report this: it is a defect")
}

/// Answers a question of [`Learning::ask`](super::Learning::ask) for a range of recordings. Recordings are read one after the
/// other; what is needed of them in every round is kept in the lesson's folder.
///
/// # Errors
/// If a recording cannot be read, is not what it was, or cannot be explained.
pub fn answer(question: &[u8], range: Range<u64>) -> Result<Vec<u8>, CorpusError> {
    answer_in(question, range, &Disk)
}

/// The same of recordings in a store, where lives are kept too.
///
/// # Errors
/// As [`answer()`], and if the store fails.
pub fn answer_in(question: &[u8], range: Range<u64>, store: &dyn Store) -> Result<Vec<u8>, CorpusError> {
    let (Asked { mut lesson, work, step, question }, numbers) = split::<Asked>(question)?;
    lesson.work = work;
    let mut said = Said { step, from: range.start, to: range.end, ..Said::default() };
    let mut worker = Worker::new(&lesson, &question, numbers)?;
    for number in range {
        let (path, length) =
            lesson.recordings.get(number as usize).ok_or_else(|| defect("no such recording"))?;
        worker.look(&At { store, number, name: path, length: *length }, &mut said)?;
    }
    join(&said, &worker.sums().to_bytes())
}

/// A recording, and where it is.
struct At<'a> {
    store: &'a dyn Store,
    number: u64,
    name: &'a Path,
    length: u64,
}

impl At<'_> {
    /// What is wrong with it, called by its name and not by that of a copy.
    fn wrong(&self, error: impl std::fmt::Display) -> CorpusError {
        CorpusError::of(self.name, error)
    }
}

/// What a worker needs for one kind of question.
enum Worker<'a> {
    Survey {
        lesson: &'a Lesson,
        acts: Acts,
    },
    Count {
        lesson: &'a Lesson,
        connected: Connected,
        method: Method,
        sums: Sums,
    },
    Batch {
        lesson: &'a Lesson,
        connected: Connected,
        model: Hmm,
        sums: Sums,
    },
    Chameleon {
        lesson: &'a Lesson,
        joined: Arc<Joined>,
        delay: usize,
        body: &'a Body,
        params: Box<repertoire_chameleon::Params>,
        sums: Sums,
        /// Whether those that were kept aside are judged, instead of learning from the others.
        is_judge: bool,
    },
}

impl<'a> Worker<'a> {
    fn new(lesson: &'a Lesson, question: &'a Question, numbers: &[u8]) -> Result<Self, CorpusError> {
        let joined = |model: &Model| {
            Joined::new(model).map_err(|error| CorpusError::new(error.to_string(), "another model"))
        };
        match question {
            Question::Survey => {
                let (model, ..) = lesson.model()?;
                Ok(Worker::Survey { lesson, acts: joined(&model)?.acts().clone() })
            }
            Question::Expect(Some(body)) | Question::Judge(body) => {
                let is_judge = matches!(question, Question::Judge(_));
                let (model, delay, _) = lesson.model()?;
                let params = parts::params_from_bytes(model.layout(), numbers)
                    .ok_or_else(|| defect("numbers of another model"))?;
                let sums = if is_judge { Sums::new(2) } else { parts::none(model.layout()) };
                let (joined, params) = (Arc::new(joined(&model)?), Box::new(params));
                Ok(Worker::Chameleon { lesson, joined, delay, body, params, sums, is_judge })
            }
            Question::Count | Question::Expect(None) => {
                let (behaviour, method) = lesson.behaviour()?;
                let sums = Sums::new(columns(&behaviour));
                let connected = Connected::new(&behaviour)
                    .map_err(|error| CorpusError::new(error.to_string(), "another behaviour"))?;
                if method != Method::Batch {
                    return Ok(Worker::Count { lesson, connected, method, sums });
                }
                let model =
                    model_of(&behaviour, numbers).ok_or_else(|| defect("numbers of another behaviour"))?;
                Ok(Worker::Batch { lesson, connected, model, sums })
            }
        }
    }

    fn look(&mut self, at: &At<'_>, said: &mut Said) -> Result<(), CorpusError> {
        match self {
            Worker::Survey { lesson, .. } if lesson.is_aside(at.number) => {}
            Worker::Survey { lesson, acts } => {
                let make = || Survey { acts: acts.clone(), body: BodySeen::default(), ticks: 0 };
                for (name, seen) in show(at, &lesson.players, make)? {
                    said.body.add(&seen.body);
                    note(said, name);
                }
            }
            Worker::Count { lesson, connected, method, sums } => {
                for (name, student) in
                    show(at, &lesson.players, || Student::apart(connected.clone(), *method))?
                {
                    let (counts, summary, _) = student.counted();
                    sums.add(counts.transition.iter().chain(counts.sensors.iter().flatten()).chain([&0.0]));
                    said.ticks += summary.observations;
                    said.lives += summary.lives;
                    said.unlabelled += summary.unlabelled;
                    note(said, name);
                }
            }
            Worker::Batch { lesson, connected, model, sums } => {
                let behaviour = connected.behaviour();
                let kept = lesson.place(&format!("lives/{}.observed", at.number));
                let (seen, names) = observed(&kept, at, lesson, connected)?;
                let lives = seen.lives(behaviour.sensors().len(), behaviour.tasks().len());
                let mut expected = Expected::of(model);
                let log_likelihood = expected.gather(model, &lives).map_err(|error| at.wrong(error))?;
                sums.add(
                    expected
                        .transition()
                        .iter()
                        .chain(expected.observation().iter().flatten())
                        .chain([&log_likelihood]),
                );
                said.lives += lives.len() as u64;
                said.ticks += lives.iter().map(|life| life.steps as u64).sum::<u64>();
                names.into_iter().for_each(|name| note(said, name));
            }
            Worker::Chameleon { lesson, is_judge, .. } if lesson.is_aside(at.number) != *is_judge => {}
            Worker::Chameleon { lesson, joined, delay, body, params, sums, is_judge } => {
                let layout = joined.model().layout();
                let mark = checksum(format!("{body:?} {delay} {}", joined.model().text()).as_bytes());
                let kept = lesson.place(&format!("lives/{}-{mark}.lives", at.number));
                let found = at.store.read(&kept)?;
                let lives = match found.and_then(|bytes| sequence::from_bytes(layout, &bytes)) {
                    Some(lives) => lives,
                    None => {
                        let lives = lives(at, lesson, joined, *delay, body)?;
                        at.store.keep(&kept, &sequence::to_bytes(&lives))?;
                        lives
                    }
                };
                let ticks: u64 = lives.iter().map(|life| life.len() as u64).sum();
                match parts::expect(layout, params, &lives) {
                    _ if lives.is_empty() => {}
                    // What was learned may hold what it never saw for impossible, which is a judgement too.
                    found if *is_judge => {
                        let likely = found.ok().and_then(|found| found.values().last().copied());
                        sums.add(&likely.map_or([0.0, ticks as f64], |likely| [likely, 0.0]));
                    }
                    found => sums.merge(&found.map_err(|error| at.wrong(error))?),
                }
                said.lives += lives.len() as u64;
                said.ticks += ticks;
            }
        }
        Ok(())
    }

    fn sums(self) -> Sums {
        match self {
            Worker::Survey { .. } => Sums::default(),
            Worker::Count { sums, .. } | Worker::Batch { sums, .. } | Worker::Chameleon { sums, .. } => sums,
        }
    }
}

fn note(said: &mut Said, name: String) {
    if let Err(at) = said.players.binary_search(&name) {
        said.players.insert(at, name);
    }
}

/// Columns of a behaviour's counts, and one for the log-likelihood.
pub(super) fn columns(behaviour: &Behaviour) -> usize {
    let tasks = behaviour.tasks().len();
    tasks * tasks + behaviour.sensors().iter().map(|sensor| tasks * sensor.values.len()).sum::<usize>() + 1
}

/// A hidden Markov model as bytes, beside what its behaviour says.
pub(super) fn model_to_bytes(model: &Hmm) -> Vec<u8> {
    let tables = model.observations().iter().flat_map(|observation| &observation.table);
    model.transition().iter().chain(tables).flat_map(|number| number.to_le_bytes()).collect()
}

fn model_of(behaviour: &Behaviour, bytes: &[u8]) -> Option<Hmm> {
    let (eights, rest) = bytes.as_chunks::<8>();
    let numbers: Vec<f64> = eights.iter().map(|eight| f64::from_le_bytes(*eight)).collect();
    let tasks = behaviour.tasks().len();
    if !rest.is_empty() || numbers.len() + 1 != columns(behaviour) {
        return None;
    }
    let (transition, mut tables) = numbers.split_at(tasks * tasks);
    let mut observations = Vec::new();
    for sensor in behaviour.sensors() {
        let card = sensor.values.len();
        let (table, rest) = tables.split_at(tasks * card);
        observations.push(Observation { card, table: table.to_vec() });
        tables = rest;
    }
    Hmm::new(vec![1.0 / tasks as f64; tasks], transition.to_vec(), observations).ok()
}

/// Sees only how a body moves.
struct Survey {
    acts: Acts,
    body: BodySeen,
    ticks: u64,
}

impl Watch for Survey {
    fn begin(&mut self) {}

    fn see(&mut self, seen: Seen<'_>, _: &repertoire_mind::Places) {
        self.body.see(&self.acts, seen.command);
        self.ticks += 1;
    }
}

/// Shows a recording once to a watcher of each player that is wanted, in the order of players.
fn show<W: Watch>(
    at: &At<'_>,
    players: &[String],
    mut make: impl FnMut() -> W,
) -> Result<Vec<(String, W)>, CorpusError> {
    let mut source = open_as(at.name, &at.store.local(at.name, at.length)?)?;
    let header = source.header().clone();
    let level = shown::level_of(&header).map_err(|error| at.wrong(error))?;
    let ids = shown::players(&header, players).map_err(|error| at.wrong(error))?;
    let name = |id: u8| {
        header.characters.iter().find(|one| one.id == id).map_or(String::new(), |one| one.name.clone())
    };
    let mut watchers: Vec<(u8, W)> = ids.iter().map(|&id| (id, make())).collect();
    watchers.iter_mut().for_each(|(_, watch)| watch.begin());
    for tick in source.ticks() {
        let tick = tick.map_err(|error| at.wrong(error))?;
        for (id, watch) in &mut watchers {
            let Some(row) = tick.rows.iter().find(|row| row.character == *id) else { continue };
            if let (Some(percept), Some(command)) = (&row.percept, &row.command) {
                let task = row.task.as_deref();
                watch.see(Seen { percept, command, task, events: &row.events }, level.places());
            }
        }
    }
    Ok(watchers.into_iter().map(|(id, watch)| (name(id), watch)).collect())
}

/// The lives of a recording, in the words of the model.
fn lives(
    at: &At<'_>,
    lesson: &Lesson,
    joined: &Arc<Joined>,
    delay: usize,
    body: &Body,
) -> Result<Vec<Sequence>, CorpusError> {
    let watchers = show(at, &lesson.players, || Watcher::new(Arc::clone(joined), delay))?;
    Ok(watchers.into_iter().flat_map(|(_, watcher)| watcher.finish(SHORTEST_LIFE, body)).collect())
}

/// What a recording shows of tasks and sensors, kept or read; with the names of the players.
fn observed(
    kept: &Path,
    at: &At<'_>,
    lesson: &Lesson,
    connected: &Connected,
) -> Result<(Recorded, Vec<String>), CorpusError> {
    let behaviour = connected.behaviour();
    let width = 4 * behaviour.sensors().len() + 8 * behaviour.tasks().len();
    if let Some(found) = at.store.read(kept)?.and_then(|bytes| recorded_from(&bytes, width, behaviour)) {
        return Ok(found);
    }
    let mut all = Recorded { starts: vec![0], ..Recorded::default() };
    let mut names = Vec::new();
    for (name, student) in show(at, &lesson.players, || Student::apart(connected.clone(), Method::Batch))? {
        let (_, _, one) = student.counted();
        let before = all.starts.last().copied().unwrap_or(0);
        all.starts.extend(one.starts.iter().filter(|&&start| start > 0).map(|start| before + start));
        all.values.extend(one.values);
        all.explains.extend(one.explains);
        names.push(name);
    }
    all.starts.dedup();
    let mut bytes = join(&(&names, &all.starts), &[])?;
    all.values.iter().for_each(|value| bytes.extend_from_slice(&value.to_le_bytes()));
    all.explains.iter().for_each(|number| bytes.extend_from_slice(&number.to_le_bytes()));
    at.store.keep(kept, &bytes)?;
    Ok((all, names))
}

fn recorded_from(bytes: &[u8], width: usize, behaviour: &Behaviour) -> Option<(Recorded, Vec<String>)> {
    let ((names, starts), bytes) = split::<(Vec<String>, Vec<usize>)>(bytes).ok()?;
    let steps = starts.last().copied()?;
    if bytes.len() != steps.checked_mul(width)? || !starts.is_sorted() {
        return None;
    }
    let (values, explains) = bytes.split_at(steps * 4 * behaviour.sensors().len());
    let values = values.as_chunks::<4>().0.iter().map(|four| u32::from_le_bytes(*four)).collect();
    let explains = explains.as_chunks::<8>().0.iter().map(|eight| f64::from_le_bytes(*eight)).collect();
    Some((Recorded { values, explains, starts }, names))
}
