//! Long work in shards: what a worker does, and what the driver merges.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::PyBytes;
use repertoire::bayes::sequence::file::to_toml;
use repertoire::believable::Judging;
use repertoire::chameleon::{EmSettings, Learned, Sharpness};
use repertoire::corpus::{self, Disk, Learning, Lesson, Store, Subject, Taught, lesson::Em};
use repertoire::eval::believable::Believable;
use repertoire::eval::practice::{Moves, Practice, Search, Teacher, Trials};
use repertoire::eval::shard::file::named_files;
use repertoire::eval::shard::{self, Header, Shard, Sharded};
use repertoire::eval::tournament::{Pieces, Tournament};
use repertoire::eval::{Outcome, lesson};
use repertoire::mind::chameleon::ImitationSettings;
use repertoire::worlds::arena::rules::Rules;
use repertoire::{maps, roster};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::fault::Fault;
use crate::play::{in_file, open};
use crate::report;
use crate::store::Kept;
use crate::work::long;

/// A tournament as it is sent to workers.
#[derive(Serialize, Deserialize)]
struct Played {
    contenders: Vec<String>,
    maps: Vec<String>,
    matches: u32,
    frags: i32,
    seed: u64,
    time_limit: f64,
}

impl Played {
    fn pieces(&self) -> Result<Pieces, Fault> {
        let contenders = self.contenders.iter().map(|one| roster::find(one)).collect::<Result<_, _>>();
        let levels = self.maps.iter().map(|name| maps::find(name)).collect::<Result<_, _>>();
        let tournament = Tournament {
            levels: levels.map_err(Fault::from)?,
            contenders: contenders.map_err(Fault::new)?,
            matches: self.matches,
            frags: self.frags,
            seed: self.seed,
            rules: Rules::default(),
            time_limit_secs: self.time_limit,
        };
        Pieces::new(&tournament, None).map_err(Fault::new)
    }

    /// The words that do the same on the command line, so that `repertoire merge` takes these shards too.
    fn command(&self) -> Vec<String> {
        let mut words = vec!["tournament".to_owned()];
        let mut option = |name: &str, value: String| words.extend([name.to_owned(), value]);
        self.contenders.iter().for_each(|one| option("--contender", one.clone()));
        self.maps.iter().for_each(|one| option("--map", one.clone()));
        option("--matches", self.matches.to_string());
        option("--frags", self.frags.to_string());
        option("--seed", self.seed.to_string());
        option("--time-limit", self.time_limit.to_string());
        words
    }
}

fn read<T: for<'de> Deserialize<'de>>(what: &str) -> Result<T, Fault> {
    serde_json::from_str(what).map_err(|error| Fault::new(format!("this is no such work: {error}")))
}

/// Addresses in a store, each with the path of its copy on this machine.
type Copies = BTreeMap<String, String>;

/// The same work with copies in place of addresses.
fn here(what: &str, copies: &Copies) -> Result<String, Fault> {
    fn put(value: &mut Value, copies: &Copies) {
        match value {
            // The longest addresses first: one may be the beginning of another.
            Value::String(text) => {
                let mut addresses: Vec<_> = copies.iter().collect();
                addresses.sort_by_key(|(address, _)| std::cmp::Reverse(address.len()));
                addresses.into_iter().for_each(|(address, path)| *text = text.replace(address, path));
            }
            Value::Array(all) => all.iter_mut().for_each(|one| put(one, copies)),
            Value::Object(all) => all.values_mut().for_each(|one| put(one, copies)),
            _ => {}
        }
    }
    if copies.is_empty() {
        return Ok(what.to_owned());
    }
    let mut value = read(what)?;
    put(&mut value, copies);
    Ok(value.to_string())
}

/// The words that do the same on the command line; of practice, which no command does so, the files it names.
fn command(kind: &str, what: &str) -> Result<Vec<String>, Fault> {
    match kind {
        "tournament" => Ok(read::<Played>(what)?.command()),
        "practice" => {
            let tried: Tried = read(what)?;
            Ok(vec![tried.character.display().to_string(), tried.map])
        }
        "believable" => Ok(words(&read(what)?)),
        other => Err(Fault::no_such("kind of work", other, KINDS.into_iter())),
    }
}

/// The files that some work names, by the names it has for them, each with a checksum of its content.
#[pyfunction]
pub fn shard_files(kind: &str, what: &str, copies: Copies) -> PyResult<BTreeMap<String, String>> {
    // Files beside a copy were beside it in the store too.
    let written = |path: String| {
        let (folder, name) = path.rsplit_once('/').unwrap_or(("", &path));
        let of = |one: &str| one.rsplit_once('/').map(|(folder, _)| folder.to_owned());
        let copy = copies.iter().find(|(_, copy)| of(copy).as_deref() == Some(folder));
        copy.and_then(|(address, _)| Some(format!("{}/{name}", of(address)?))).unwrap_or_else(|| path.clone())
    };
    let files = named_files(&command(kind, &here(what, &copies)?)?);
    Ok(files.into_iter().map(|(path, sum)| (written(path), sum)).collect())
}

/// How many pieces some work has.
#[pyfunction]
pub fn shard_total(kind: &str, what: &str, copies: Copies) -> PyResult<u64> {
    let what = &here(what, &copies)?;
    Ok(match kind {
        "tournament" => read::<Played>(what)?.pieces()?.what().total,
        "practice" => read::<Tried>(what)?.trials()?.what().total,
        "believable" => judge(what)?.what().total,
        other => return Err(Fault::no_such("kind of work", other, KINDS.into_iter()).into()),
    })
}

const KINDS: [&str; 3] = ["tournament", "practice", "believable"];

/// Does the pieces of a range; gives the shard's text. `files` are those of [`shard_files`] where the work began.
#[pyfunction]
pub fn shard_run(
    py: Python<'_>,
    kind: &str,
    what: &str,
    range: (u64, u64),
    threads: u16,
    copies: Copies,
    files: BTreeMap<String, String>,
) -> PyResult<String> {
    let found = shard_files(kind, what, copies.clone())?;
    if let Some(name) = files.keys().chain(found.keys()).find(|name| files.get(*name) != found.get(*name)) {
        let said = format!("{name} is missing here, or is not what the work began with");
        return Err(
            Fault::with_remedy(said, "leave files as they are until all is done, or begin anew").into()
        );
    }
    // What no command does has no words to do it again.
    let command = if kind == "practice" { Vec::new() } else { command(kind, what)? };
    let about = |header: Header| Header { command, files, ..header };
    let (what, range) = (&here(what, &copies)?, range.0..range.1);
    match kind {
        "tournament" => do_range(py, &read::<Played>(what)?.pieces()?, about, range, threads),
        "practice" => do_range(py, &read::<Tried>(what)?.trials()?, about, range, threads),
        "believable" => do_range(py, &judge(what)?, about, range, threads),
        other => Err(Fault::no_such("kind of work", other, KINDS.into_iter()).into()),
    }
}

fn judge(what: &str) -> Result<Believable, Fault> {
    let judge = read::<Judging>(what)?.believable().map_err(Fault::new)?;
    judge.check().map_err(Fault::new)?;
    Ok(judge)
}

/// The words that judge the same on the command line.
fn words(judging: &Judging) -> Vec<String> {
    let mut words = vec!["believable".to_owned(), judging.who.clone()];
    let mut option = |name: &str, value: String| words.extend([name.to_owned(), value]);
    judging.without.iter().for_each(|stage| option("--without", stage.clone()));
    option("--against", judging.against.clone());
    judging.opponents.iter().for_each(|one| option("--opponent", one.clone()));
    judging.maps.iter().for_each(|one| option("--map", one.clone()));
    option("--matches", judging.matches.to_string());
    option("--seconds", judging.seconds.to_string());
    option("--seed", judging.seed.to_string());
    words
}

/// The card of somebody whose shards are given in any order.
#[pyfunction]
pub fn believable_merge(
    py: Python<'_>,
    what: &str,
    texts: Vec<String>,
    copies: Copies,
) -> PyResult<Py<PyAny>> {
    let judge = judge(&here(what, &copies)?)?;
    let card = shard::merge(&judge, &shards(&texts)?).map_err(|error| Fault::new(error.to_string()))?;
    report::make(py, "BelievableCard", &card, &repertoire_draw::terminal::believable::card(&card))
}

/// As many threads as whoever schedules us has reserved.
fn pool(threads: u16) -> Result<rayon::ThreadPool, Fault> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.into()).build();
    pool.map_err(|error| Fault::with_remedy(error.to_string(), "ask for fewer threads"))
}

fn do_range<W: Sharded>(
    py: Python<'_>,
    work: &W,
    about: impl FnOnce(Header) -> Header,
    range: Range<u64>,
    threads: u16,
) -> PyResult<String> {
    let total = work.what().total;
    if range.is_empty() || range.end > total {
        let what = format!("pieces {}..{}", range.start, range.end);
        return Err(Fault::with_remedy(what, format!("within 0..{total}")).into());
    }
    let pool = pool(threads)?;
    let shard = long(py, range.end - range.start, None, |watch| {
        let run = || shard::run(work, range.clone(), &|| watch.go_on(), &|_, _| watch.add(1));
        let pieces = pool.install(run).map_err(|error| Fault::new(error.to_string()))?;
        Shard::of(work, range.clone(), &pieces).map_err(Fault::new)
    })??;
    Ok(Shard { header: about(shard.header.clone()), ..shard }.text().map_err(Fault::new)?)
}

fn shards(texts: &[String]) -> Result<Vec<Shard>, Fault> {
    texts
        .iter()
        .enumerate()
        .map(|(k, text)| Shard::read(&format!("shard {k}"), text).map_err(Fault::new))
        .collect()
}

/// The report of a tournament whose shards are given in any order.
#[pyfunction]
pub fn tournament_merge(
    py: Python<'_>,
    what: &str,
    texts: Vec<String>,
    copies: Copies,
) -> PyResult<Py<PyAny>> {
    let pieces = read::<Played>(&here(what, &copies)?)?.pieces()?;
    let outcome: Outcome =
        shard::merge(&pieces, &shards(&texts)?).map_err(|error| Fault::new(error.to_string()))?;
    let text = repertoire_draw::terminal::tournament::report(&outcome);
    report::make(py, "TournamentReport", &outcome, &text)
}

/// Trial matches as they are sent to workers.
#[derive(Serialize, Deserialize)]
struct Tried {
    character: PathBuf,
    map: String,
    match_secs: f64,
    seed: u64,
    sharpness: Vec<Sharpness>,
}

fn character(path: &PathBuf) -> Result<Learned, Fault> {
    let bytes = std::fs::read(path).map_err(|error| in_file(path, error))?;
    Learned::from_bytes(&bytes).map_err(|error| in_file(path, error))
}

impl Tried {
    fn trials(&self) -> Result<Trials, Fault> {
        let (_, level) = maps::find(&self.map)?;
        let practice = Practice { level, match_secs: self.match_secs, seed: self.seed };
        let words = vec![String::new(); self.sharpness.len()];
        Ok(Trials {
            practice,
            learned: character(&self.character)?,
            sharpness: self.sharpness.clone(),
            words,
        })
    }
}

/// Practice, step by step: what to try, and what follows from it.
#[pyclass(module = "repertoire")]
pub struct Practising {
    search: Search,
    practice: Practice,
    file: PathBuf,
    map: String,
    trials: Option<Trials>,
}

#[pymethods]
impl Practising {
    /// Of a character in a file, and recordings of its teacher.
    #[new]
    fn new(
        py: Python<'_>,
        file: PathBuf,
        recordings: Vec<PathBuf>,
        players: Vec<String>,
        map: String,
        seconds: f64,
        seed: u64,
    ) -> PyResult<Self> {
        let learned = character(&file)?;
        let moves = py.detach(|| moves(&recordings, &players))?;
        let teacher = Teacher::of(&moves.0, seconds).ok_or_else(|| Fault::new("the teacher never moved"))?;
        let (_, level) = maps::find(&map).map_err(Fault::from)?;
        let practice = Practice { level, match_secs: seconds, seed };
        let mut search = Search::new(&learned, &teacher);
        let trials = search.trials(&practice);
        Ok(Practising { search, practice, file, map, trials })
    }

    /// The trials of this step, as work for `shard_run`; none when all was tried.
    fn ask(&self) -> PyResult<Option<String>> {
        let Some(trials) = &self.trials else { return Ok(None) };
        let Practice { match_secs, seed, .. } = self.practice;
        let (character, map, sharpness) = (self.file.clone(), self.map.clone(), trials.sharpness.clone());
        Ok(Some(
            serde_json::to_string(&Tried { character, map, match_secs, seed, sharpness })
                .map_err(Fault::new)?,
        ))
    }

    /// Hears the shards of this step, in any order.
    fn tell(&mut self, texts: Vec<String>) -> PyResult<()> {
        let Some(trials) = &self.trials else { return Ok(()) };
        let moved = shard::merge(trials, &shards(&texts)?).map_err(|error| Fault::new(error.to_string()))?;
        self.search.judge(&moved);
        self.trials = self.search.trials(&self.practice);
        Ok(())
    }

    /// The character with the best powers of attention so far.
    fn character<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let mut learned = character(&self.file)?;
        learned.sharpness = self.search.best().clone();
        Ok(PyBytes::new(py, &learned.to_bytes()))
    }
}

fn moves(recordings: &[PathBuf], players: &[String]) -> Result<Moves, Fault> {
    let mut moves = Moves::default();
    for path in recordings {
        let header = open(path)?.header().clone();
        let level = lesson::level_of(&header).map_err(|error| in_file(path, error))?;
        for id in lesson::players(&header, players).map_err(|error| in_file(path, error))? {
            lesson::show_recorded(open(path)?.ticks(), id, level.places(), &mut moves, &|| ())
                .map_err(|error| in_file(path, error))?;
        }
    }
    Ok(moves)
}

/// Learning from many recordings, round by round.
#[pyclass(module = "repertoire")]
pub struct Rounds {
    learning: Option<Learning>,
}

fn wrong(error: corpus::CorpusError) -> Fault {
    Fault::with_remedy(error.what, error.remedy)
}

#[pymethods]
impl Rounds {
    /// `what` is `sequence` or `chameleon`; goes on from what was committed in `work`. `from_` are paths of this machine, `listed`
    /// recordings in `store` with their lengths, where `work` is too.
    #[new]
    #[pyo3(signature = (what, from_, listed, store, players, work, start, method, model, decisions, delay, starts, iterations, seed, keep_aside))]
    #[allow(clippy::too_many_arguments, reason = "the keywords of two functions")]
    fn new(
        py: Python<'_>,
        what: &str,
        from_: Vec<PathBuf>,
        listed: Vec<(PathBuf, u64)>,
        store: Option<Py<PyAny>>,
        players: Vec<String>,
        work: PathBuf,
        start: String,
        method: String,
        model: String,
        decisions: Option<usize>,
        delay: usize,
        starts: usize,
        iterations: usize,
        seed: u64,
        keep_aside: Option<f64>,
    ) -> PyResult<Self> {
        let subject = match what {
            "sequence" => Subject::Sequence { start, method },
            _ => {
                let em = EmSettings { starts, iterations, seed, ..ImitationSettings::default().em };
                Subject::Chameleon { model, decisions, delay, em: Em::from(&em), start: None, keep_aside }
            }
        };
        let mut recordings = listed;
        if !from_.is_empty() {
            for path in corpus::find(&from_).map_err(wrong)? {
                let length = std::fs::metadata(&path).map_err(|error| in_file(&path, error))?.len();
                recordings.push((path, length));
            }
        }
        let lesson = Lesson::sized(recordings, players, subject, &work).map_err(wrong)?;
        let store: Arc<dyn Store> =
            store.map_or_else(|| Arc::new(Disk) as _, |store| Arc::new(Kept(store)) as _);
        let learning = py.detach(|| Learning::begin_in(lesson, store)).map_err(wrong)?;
        Ok(Rounds { learning: Some(learning) })
    }

    /// The question of this round, for `answer`; none when all is learned.
    fn ask<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyBytes>>> {
        let question = self.under_way()?.ask().map_err(wrong)?;
        Ok(question.map(|question| PyBytes::new(py, &question)))
    }

    /// Which round it is.
    #[getter]
    fn step(&self) -> PyResult<usize> {
        Ok(self.under_way()?.step())
    }

    /// How many recordings there are.
    #[getter]
    fn total(&self) -> PyResult<u64> {
        Ok(self.under_way()?.lesson().total())
    }

    /// The ranges that this round still lacks.
    fn missing(&self, shards: u64) -> PyResult<Vec<(u64, u64)>> {
        Ok(self.under_way()?.missing(shards).into_iter().map(|range| (range.start, range.end)).collect())
    }

    /// Commits an answer.
    fn commit(&mut self, py: Python<'_>, answer: &[u8]) -> PyResult<()> {
        let learning = self.learning.as_mut().ok_or_else(over)?;
        Ok(py.detach(|| learning.commit(answer)).map_err(wrong)?)
    }

    /// What was learned, as its file holds it, and a report.
    fn finish<'py>(&mut self, py: Python<'py>, name: &str) -> PyResult<(Bound<'py, PyBytes>, Py<PyAny>)> {
        let outcome = self.learning.take().ok_or_else(over)?.finish().map_err(wrong)?;
        let mut told = json!({ "recordings": outcome.recordings, "lives": outcome.lives, "ticks": outcome.ticks,
            "players": outcome.players });
        let bytes = match outcome.taught {
            Taught::Character(found) => {
                told["nats_per_tick"] = found.nats_per_tick.into();
                if let Some((lives, nats)) = found.kept_aside {
                    told["kept_aside"] = json!({ "lives": lives, "nats_per_tick": nats });
                }
                found.learned.to_bytes()
            }
            Taught::Behaviour(found) => to_toml(&found.behaviour.named(name)).into_bytes(),
        };
        let text =
            format!("{} lives, {} ticks of {} recordings", outcome.lives, outcome.ticks, outcome.recordings);
        Ok((PyBytes::new(py, &bytes), report::make(py, "LearningReport", &told, &text)?))
    }
}

impl Rounds {
    fn under_way(&self) -> Result<&Learning, Fault> {
        self.learning.as_ref().ok_or_else(over)
    }
}

fn over() -> Fault {
    Fault::with_remedy("learning is over", "begin another")
}

/// Answers a question of `Rounds.ask` for a range of recordings, which are in `store` if one is given.
#[pyfunction]
#[pyo3(signature = (question, start, end, threads, store=None))]
pub fn answer<'py>(
    py: Python<'py>,
    question: &[u8],
    start: u64,
    end: u64,
    threads: u16,
    store: Option<Py<PyAny>>,
) -> PyResult<Bound<'py, PyBytes>> {
    let question: Arc<[u8]> = question.into();
    let pool = pool(threads)?;
    let store: Box<dyn Store> = store.map_or_else(|| Box::new(Disk) as _, |store| Box::new(Kept(store)) as _);
    let answered = long(py, 0, None, |_| pool.install(|| corpus::answer_in(&question, start..end, &*store)))?;
    Ok(PyBytes::new(py, &answered.map_err(wrong)?))
}
