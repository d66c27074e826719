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

use super::{CorpusError, Lesson, open};

/// What is asked of every recording.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) enum Question {
    /// How the players' bodies move.
    Survey,
    /// Tasks and sensors that are known.
    Count,
    /// Expected counts under the numbers that follow, of players with this body.
    Expect(Option<Body>),
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
    let (Asked { mut lesson, work, step, question }, numbers) = split::<Asked>(question)?;
    lesson.work = work;
    let mut said = Said { step, from: range.start, to: range.end, ..Said::default() };
    let mut worker = Worker::new(&lesson, &question, numbers)?;
    for number in range {
        let (path, length) =
            lesson.recordings.get(number as usize).ok_or_else(|| defect("no such recording"))?;
        if std::fs::metadata(path).map_or(true, |there| there.len() != *length) {
            return Err(CorpusError::of(
                path,
                "it is not what it was when learning began\n  remedy: begin again in another folder",
            ));
        }
        worker.look(number, path, &mut said)?;
    }
    join(&said, &worker.sums().to_bytes())
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
            Question::Expect(Some(body)) => {
                let (model, delay, _) = lesson.model()?;
                let params = parts::params_from_bytes(model.layout(), numbers)
                    .ok_or_else(|| defect("numbers of another model"))?;
                let (sums, joined) = (parts::none(model.layout()), Arc::new(joined(&model)?));
                Ok(Worker::Chameleon { lesson, joined, delay, body, params: Box::new(params), sums })
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

    fn look(&mut self, number: u64, path: &Path, said: &mut Said) -> Result<(), CorpusError> {
        match self {
            Worker::Survey { lesson, acts } => {
                let make = || Survey { acts: acts.clone(), body: BodySeen::default(), ticks: 0 };
                for (name, seen) in show(path, &lesson.players, make)? {
                    said.body.add(&seen.body);
                    note(said, name);
                }
            }
            Worker::Count { lesson, connected, method, sums } => {
                for (name, student) in
                    show(path, &lesson.players, || Student::apart(connected.clone(), *method))?
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
                let kept = lesson.work.join(format!("lives/{number}.observed"));
                let (seen, names) = observed(&kept, path, lesson, connected)?;
                let lives = seen.lives(behaviour.sensors().len(), behaviour.tasks().len());
                let mut expected = Expected::of(model);
                let log_likelihood =
                    expected.gather(model, &lives).map_err(|error| CorpusError::of(path, error))?;
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
            Worker::Chameleon { lesson, joined, delay, body, params, sums } => {
                let layout = joined.model().layout();
                let mark = checksum(format!("{body:?} {delay} {}", joined.model().text()).as_bytes());
                let kept = lesson.work.join(format!("lives/{number}-{mark}.lives"));
                let lives =
                    match std::fs::read(&kept).ok().and_then(|bytes| sequence::from_bytes(layout, &bytes)) {
                        Some(lives) => lives,
                        None => {
                            let lives = lives(path, lesson, joined, *delay, body)?;
                            keep(&kept, &sequence::to_bytes(&lives))?;
                            lives
                        }
                    };
                if !lives.is_empty() {
                    sums.merge(
                        &parts::expect(layout, params, &lives)
                            .map_err(|error| CorpusError::of(path, error))?,
                    );
                }
                said.lives += lives.len() as u64;
                said.ticks += lives.iter().map(|life| life.len() as u64).sum::<u64>();
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
    path: &Path,
    players: &[String],
    mut make: impl FnMut() -> W,
) -> Result<Vec<(String, W)>, CorpusError> {
    let mut source = open(path)?;
    let header = source.header().clone();
    let level = shown::level_of(&header).map_err(|error| CorpusError::of(path, error))?;
    let ids = shown::players(&header, players).map_err(|error| CorpusError::of(path, error))?;
    let name = |id: u8| {
        header.characters.iter().find(|one| one.id == id).map_or(String::new(), |one| one.name.clone())
    };
    let mut watchers: Vec<(u8, W)> = ids.iter().map(|&id| (id, make())).collect();
    watchers.iter_mut().for_each(|(_, watch)| watch.begin());
    for tick in source.ticks() {
        let tick = tick.map_err(|error| CorpusError::of(path, error))?;
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
    path: &Path,
    lesson: &Lesson,
    joined: &Arc<Joined>,
    delay: usize,
    body: &Body,
) -> Result<Vec<Sequence>, CorpusError> {
    let watchers = show(path, &lesson.players, || Watcher::new(Arc::clone(joined), delay))?;
    Ok(watchers.into_iter().flat_map(|(_, watcher)| watcher.finish(SHORTEST_LIFE, body)).collect())
}

/// What a recording shows of tasks and sensors, kept or read; with the names of the players.
fn observed(
    kept: &Path,
    path: &Path,
    lesson: &Lesson,
    connected: &Connected,
) -> Result<(Recorded, Vec<String>), CorpusError> {
    let behaviour = connected.behaviour();
    let width = 4 * behaviour.sensors().len() + 8 * behaviour.tasks().len();
    if let Some(found) = std::fs::read(kept).ok().and_then(|bytes| recorded_from(&bytes, width, behaviour)) {
        return Ok(found);
    }
    let mut all = Recorded { starts: vec![0], ..Recorded::default() };
    let mut names = Vec::new();
    for (name, student) in show(path, &lesson.players, || Student::apart(connected.clone(), Method::Batch))? {
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
    keep(kept, &bytes)?;
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

/// Writes a file in one move, so that it is whole whenever it is there.
pub(super) fn keep(path: &Path, bytes: &[u8]) -> Result<(), CorpusError> {
    use std::sync::atomic::{AtomicU64, Ordering};
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let failed = |error: std::io::Error| {
        CorpusError::new(format!("{}: {error}", path.display()), "a folder with room that can be written to")
    };
    let part = format!(".{}.{}.part", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
    let beside = path.with_file_name(
        path.file_name().map_or(String::new(), |name| name.to_string_lossy().into_owned()) + &part,
    );
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(failed)?;
    }
    let written = std::fs::write(&beside, bytes).and_then(|()| std::fs::rename(&beside, path));
    written.map_err(|error| {
        let _ = std::fs::remove_file(&beside);
        failed(error)
    })
}
