//! Matches, tournaments and recordings.

use std::fs::File;
use std::io::{BufWriter, Read, Seek};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use pyo3::prelude::*;
use pyo3::types::PyDict;
use repertoire::eval::record as recording;
use repertoire::eval::replay::Replay;
use repertoire::eval::tournament::Tournament;
use repertoire::maps;
use repertoire::trace::{Format, Recorder, Source, Tick, TraceError};
use repertoire::worlds::arena::game::{Contender, Match as Game, SavedMatch};
use repertoire::worlds::arena::rules::Rules;
use serde::Serialize;

use crate::fault::Fault;
use crate::policy::{Raised, contender, raise};
use crate::report;
use crate::work::long;

/// The most contenders of a match.
const MOST: usize = 255;

fn contenders(written: &[Bound<'_, PyAny>], raised: &Raised) -> PyResult<Vec<repertoire::roster::Entry>> {
    if !(1..=MOST).contains(&written.len()) {
        let what = format!("{} contenders", written.len());
        return Err(Fault::with_remedy(what, format!("from 1 to {MOST}")).into());
    }
    written.iter().map(|one| contender(one, raised)).collect()
}

/// All contenders against all in one arena, many times; gives a report.
#[pyfunction]
#[pyo3(signature = (contenders, maps, matches, frags, seed, threads, time_limit, progress))]
#[allow(clippy::too_many_arguments, reason = "the keywords of one function")]
pub fn tournament(
    py: Python<'_>,
    contenders: Vec<Bound<'_, PyAny>>,
    maps: Vec<String>,
    matches: u32,
    frags: i32,
    seed: u64,
    threads: Option<u16>,
    time_limit: f64,
    progress: Option<Py<PyAny>>,
) -> PyResult<Py<PyAny>> {
    let raised = Raised::default();
    let contenders = self::contenders(&contenders, &raised)?;
    let levels = maps.iter().map(|name| maps::find(name)).collect::<Result<_, _>>().map_err(Fault::from)?;
    let rules = Rules::default();
    let tournament =
        Tournament { levels, contenders, matches, frags, seed, rules, time_limit_secs: time_limit };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.map_or(0, usize::from)).build();
    let pool = pool.map_err(|error| Fault::with_remedy(error.to_string(), "ask for fewer threads"))?;
    let outcome = long(py, tournament.total_matches(), progress, |watch| {
        let go_on = || watch.go_on() && raised.lock().is_ok_and(|raised| raised.is_none());
        pool.install(|| tournament.run_while(&go_on, &|_| watch.add(1), None))
    })?;
    raise(&raised)?;
    let outcome = outcome.map_err(Fault::new)?;
    let text = repertoire_draw::terminal::tournament::report(&outcome);
    report::make(py, "TournamentReport", &outcome, &text)
}

/// A match under way.
#[pyclass(module = "repertoire")]
pub struct Match {
    /// Minds may change threads, but not be used on two at once.
    game: Mutex<Game>,
    map: String,
    seed: u64,
    raised: Raised,
}

fn game(written: &[Bound<'_, PyAny>], map: &str, seed: u64, raised: &Raised) -> PyResult<(Game, String)> {
    let seats = contenders(written, raised)?;
    let seats = seats.into_iter().map(|entry| Contender { mind: (entry.make)(), name: entry.name }).collect();
    let (map, level) = maps::find(map).map_err(Fault::from)?;
    Ok((Game::new(level, Rules::default(), seats, seed), map))
}

impl Match {
    fn game(&mut self) -> &mut Game {
        self.game.get_mut().unwrap_or_else(PoisonError::into_inner)
    }
}

#[pymethods]
impl Match {
    #[new]
    #[pyo3(signature = (contenders, map="yard", seed=1))]
    fn new(contenders: Vec<Bound<'_, PyAny>>, map: &str, seed: u64) -> PyResult<Self> {
        let raised = Raised::default();
        let (game, map) = game(&contenders, map, seed, &raised)?;
        Ok(Match { game: Mutex::new(game), map, seed, raised })
    }

    #[getter]
    fn map(&self) -> &str {
        &self.map
    }

    #[getter]
    fn seed(&self) -> u64 {
        self.seed
    }

    /// Decisions of everybody, one after the other.
    #[pyo3(signature = (ticks=1))]
    fn tick(&mut self, py: Python<'_>, ticks: u32) -> PyResult<()> {
        for done in 0..ticks {
            self.game().tick();
            if done % 64 == 0 {
                raise(&self.raised)?;
                py.check_signals()?;
            }
        }
        raise(&self.raised)
    }

    /// Seconds of the game so far.
    #[getter]
    fn seconds(&mut self) -> f64 {
        self.game().world().time_secs()
    }

    /// A hash of everything that the future depends on, as 16 digits.
    #[getter]
    fn state_hash(&mut self) -> String {
        format!("{:016x}", self.game().world().hash())
    }

    /// Everybody: name, where it is, how it is, what it does and what it has done.
    fn characters<'py>(&mut self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyDict>>> {
        let game = self.game();
        let world = game.world();
        let one = |id: usize| {
            let (look, tally, told) = (world.look(id), world.tally(id), PyDict::new(py));
            told.set_item("name", &game.contenders()[id].name)?;
            told.set_item("alive", look.alive)?;
            told.set_item("position", (look.position.x, look.position.y, look.position.z))?;
            told.set_item("yaw", look.yaw)?;
            told.set_item("health", look.health)?;
            told.set_item("weapon", look.weapon.name())?;
            told.set_item("task", game.contenders()[id].mind.task())?;
            told.set_item("frags", tally.frags)?;
            told.set_item("deaths", tally.deaths)?;
            told.set_item("shots", tally.shots)?;
            told.set_item("hits", tally.hits)?;
            Ok(told)
        };
        (0..world.len()).map(one).collect()
    }

    /// Why a character does what it does, in words.
    fn why(&mut self, index: usize) -> Result<String, Fault> {
        let all = self.game().contenders();
        let none = || {
            Fault::with_remedy(format!("there is no character {index}"), format!("there are {}", all.len()))
        };
        Ok(all.get(index).ok_or_else(none)?.mind.why())
    }

    /// Everything the future depends on, as JSON.
    fn save(&mut self) -> Result<String, Fault> {
        serde_json::to_string(&self.game().save()).map_err(Fault::new)
    }

    /// Goes on from what was saved, with fresh contenders of the same kinds.
    fn restore(&mut self, saved: &str, contenders: Vec<Bound<'_, PyAny>>) -> PyResult<()> {
        let seats = self::contenders(&contenders, &self.raised)?;
        let seats =
            seats.into_iter().map(|entry| Contender { mind: (entry.make)(), name: entry.name }).collect();
        let unreadable = |error| Fault::new(format!("this is no saved match: {error}"));
        let saved: SavedMatch = serde_json::from_str(saved).map_err(unreadable)?;
        let level = Arc::clone(self.game().world().level());
        *self.game() = Game::restore(level, seats, saved).map_err(Fault::new)?;
        Ok(())
    }
}

#[derive(Serialize)]
struct Recorded {
    file: String,
    map: String,
    seed: u64,
    ticks: u32,
    seconds: f64,
    final_hash: String,
    frags: Vec<(String, i32)>,
}

/// Plays a match and writes it to a Parquet file.
#[pyfunction]
#[pyo3(signature = (path, contenders, map, seed, seconds, why, progress))]
#[allow(clippy::too_many_arguments, reason = "the keywords of one function")]
pub fn record(
    py: Python<'_>,
    path: PathBuf,
    contenders: Vec<Bound<'_, PyAny>>,
    map: &str,
    seed: u64,
    seconds: f64,
    why: bool,
    progress: Option<Py<PyAny>>,
) -> PyResult<Py<PyAny>> {
    if path.extension().is_none_or(|ending| ending != "parquet") {
        let what = format!("{}: recordings are Parquet files", path.display());
        return Err(Fault::with_remedy(what, "give a name that ends in .parquet").into());
    }
    if !(seconds > 0.0 && seconds <= 1e6) {
        let what = format!("a recording of {seconds} s");
        return Err(Fault::with_remedy(what, "a number above 0, at most 1000000").into());
    }
    let raised = Raised::default();
    let (mut game, map) = game(&contenders, map, seed, &raised)?;
    let ticks = (seconds / game.world().rules().period_secs()).round().max(1.0) as u64;
    // Written beside the file and moved into its place when whole, so that a failure loses nothing.
    let part = path.with_extension(format!("{}.part", std::process::id()));
    let written = long(py, ticks, progress, |watch| {
        let failed = |error: TraceError| Fault::new(format!("{}: {error}", path.display()));
        let file = File::create(&part).map_err(|error| failed(error.into()))?;
        let header = recording::header(&game, &map, seed).map_err(Fault::new)?;
        let mut recorder = Recorder::new(BufWriter::new(file), header).map_err(failed)?;
        for _ in 0..ticks {
            if !watch.go_on() || raised.lock().is_ok_and(|raised| raised.is_some()) {
                break;
            }
            recorder.push(recording::tick(&mut game, why)).map_err(failed)?;
            watch.add(1);
        }
        recorder.finish().map(drop).map_err(failed)
    });
    let finished = written.and_then(|written| written.map_err(PyErr::from)).and_then(|()| raise(&raised));
    if let Err(error) = finished {
        let _ = std::fs::remove_file(&part);
        return Err(error);
    }
    std::fs::rename(&part, &path).map_err(|error| Fault::new(format!("{}: {error}", path.display())))?;
    let world = game.world();
    let frags = game.contenders().iter().enumerate();
    let recorded = Recorded {
        file: path.display().to_string(),
        map,
        seed,
        ticks: world.tick(),
        seconds: world.time_secs(),
        final_hash: format!("{:016x}", world.hash()),
        frags: frags.map(|(id, one)| (one.name.clone(), world.tally(id).frags)).collect(),
    };
    report::make(py, "RecordingReport", &recorded, "")
}

/// Opens a recording, whatever it is called: how it begins tells its format.
pub fn open(path: &Path) -> Result<Source<File>, Fault> {
    let unreadable = |error: std::io::Error| {
        Fault::with_remedy(
            format!("{} could not be read: {error}", path.display()),
            "repertoire.record makes one",
        )
    };
    let mut file = File::open(path).map_err(unreadable)?;
    let mut first = Vec::new();
    file.by_ref().take(16).read_to_end(&mut first).map_err(unreadable)?;
    file.rewind().map_err(unreadable)?;
    let neither = || {
        let what = format!("{} is neither a Parquet nor a CSV recording", path.display());
        Fault::with_remedy(what, "repertoire.record makes one")
    };
    Source::open(file, Format::sniff(&first).ok_or_else(neither)?).map_err(|error| in_file(path, error))
}

/// A mistake with its file.
pub fn in_file(path: &Path, error: impl std::fmt::Display) -> Fault {
    Fault::new(format!("{}: {error}", path.display()))
}

#[derive(Serialize)]
struct Replayed {
    agrees: bool,
    ticks: u32,
    differs_at: Option<u32>,
    difference: Option<String>,
    final_hash: String,
    cut: bool,
}

/// Carries out a recording's commands again and compares every hash and every percept.
#[pyfunction]
pub fn replay(py: Python<'_>, path: PathBuf, progress: Option<Py<PyAny>>) -> PyResult<Py<PyAny>> {
    let replayed = long(py, 0, progress, |watch| {
        let mut source = open(&path)?;
        let mut replay = Replay::of(source.header()).map_err(|error| in_file(&path, error))?;
        let mut told = Replayed {
            agrees: true,
            ticks: 0,
            differs_at: None,
            difference: None,
            final_hash: String::new(),
            cut: source.cut().is_some(),
        };
        for tick in source.ticks() {
            let tick: Tick = tick.map_err(|error| in_file(&path, error))?;
            if !watch.go_on() {
                break;
            }
            if let Err(difference) = replay.obey(&tick) {
                (told.agrees, told.differs_at) = (false, Some(tick.tick));
                told.difference = Some(difference.to_string());
                break;
            }
            told.ticks += 1;
            watch.add(1);
        }
        told.final_hash = format!("{:016x}", replay.hash());
        Ok::<_, Fault>(told)
    })??;
    report::make(py, "ReplayReport", &replayed, "")
}
