//! Learning from recorded play, and measuring it: signatures, places, characters by imitation, numbers for other learners.

use std::path::{Path, PathBuf};

use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use repertoire::chameleon::EmSettings;
use repertoire::eval::lesson;
use repertoire::eval::practice::Practice;
use repertoire::eval::signature::{SignatureOf, SignatureSettings};
use repertoire::eval::topology::learn::learn_recorded;
use repertoire::load;
use repertoire::mind::chameleon::{ImitationSettings, Imitator, Pace};
use repertoire::topology::evaluate::Order;
use repertoire::topology::{Learner, LearnerSettings, PlacesFile, places};
use repertoire::trace::movement::{self, Recorded};
use repertoire::trace::source;
use repertoire::{maps, roster};
use serde_json::json;

use crate::fault::Fault;
use crate::observe::{ACTED, OBSERVED, action, observe};
use crate::play::{in_file, open};
use crate::report;
use crate::work::long;

fn load(paths: &[PathBuf]) -> Result<Vec<Recorded>, Fault> {
    let mut all = Vec::new();
    for path in paths {
        let bytes = std::fs::read(path).map_err(|error| in_file(path, error))?;
        let bytes = source::unpack(bytes).map_err(|error| in_file(path, error))?;
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let stem = name.split('.').next().unwrap_or_default();
        all.extend(movement::read(bytes, stem).map_err(|error| in_file(path, error))?.0);
    }
    Ok(all)
}

/// How players move, and how far they are apart.
#[pyfunction]
#[pyo3(signature = (paths, by, seconds, habits, identify, map, progress))]
#[allow(clippy::too_many_arguments, reason = "the keywords of one function")]
pub fn signature(
    py: Python<'_>,
    paths: Vec<PathBuf>,
    by: &str,
    seconds: f64,
    habits: bool,
    identify: bool,
    map: Option<&str>,
    progress: Option<Py<PyAny>>,
) -> PyResult<Py<PyAny>> {
    let of = match by {
        "recording" => SignatureOf::Recording,
        "player" => SignatureOf::Player,
        other => {
            return Err(
                Fault::no_such("way to tell apart", other, ["recording", "player"].into_iter()).into()
            );
        }
    };
    let settings = SignatureSettings { of, seconds, habits, identify, units_per_metre: None };
    let report = long(py, 0, progress, |_| {
        let all = movement::by_map(load(&paths)?, map).map_err(Fault::new)?;
        settings.report(all.into_values().flatten().collect()).map_err(Fault::new)
    })??;
    let text = repertoire_draw::terminal::signature::signatures(&report);
    report::make(py, "SignatureReport", &report, &text)
}

/// Places learned from where players walked; written to a file if one is named.
#[pyfunction]
#[pyo3(signature = (paths, passes, seed, output, progress))]
pub fn learn_places(
    py: Python<'_>,
    paths: Vec<PathBuf>,
    passes: u32,
    seed: u64,
    output: Option<PathBuf>,
    progress: Option<Py<PyAny>>,
) -> PyResult<Py<PyAny>> {
    if !(1..=100_000).contains(&passes) {
        return Err(Fault::with_remedy(format!("{passes} passes"), "from 1 to 100000").into());
    }
    let (file, figures) = long(py, 0, progress, |watch| {
        let all = movement::by_map(load(&paths)?, None).map_err(Fault::new)?;
        let (mut levels, mut figures) = (std::collections::BTreeMap::new(), Vec::new());
        for (map, recorded) in &all {
            let units = recorded.first().map_or(1.0, |one| one.units_per_metre);
            let settings = LearnerSettings { seed, ..LearnerSettings::default().in_units(units) };
            let learner = Learner::new(settings).map_err(Fault::new)?;
            let learned = learn_recorded(map, learner, recorded, passes, Order::InTurn, &mut || watch.add(1))
                .map_err(Fault::new)?;
            figures.push(learned.figures());
            levels.insert(map.clone(), learned.places);
        }
        let units = all.values().flatten().next().map(|one| one.units_per_metre);
        let format = Some(places::FORMAT.to_owned());
        let file =
            PlacesFile { format, units_per_metre: units, settings: None, passes: Some(passes), levels };
        Ok::<_, Fault>((file, figures))
    })??;
    if let Some(path) = output {
        let text = serde_json::to_string(&file).map_err(Fault::new)? + "\n";
        std::fs::write(&path, text).map_err(|error| in_file(&path, error))?;
    }
    let text = repertoire_draw::terminal::topology::learned(&figures);
    report::make(py, "PlacesReport", &json!({ "maps": figures, "places": file }), &text)
}

/// A character learned by imitation, from recordings or from a teacher that plays now; gives it as bytes, and a report.
#[pyfunction]
#[pyo3(signature = (recordings, players, live, map, seconds, model, decisions, starts, iterations, seed, progress))]
#[allow(clippy::too_many_arguments, reason = "the keywords of one function")]
pub fn imitate<'py>(
    py: Python<'py>,
    recordings: Vec<PathBuf>,
    players: Vec<String>,
    live: Option<String>,
    map: &str,
    seconds: f64,
    model: &str,
    decisions: Option<usize>,
    starts: usize,
    iterations: usize,
    seed: u64,
    progress: Option<Py<PyAny>>,
) -> PyResult<(Bound<'py, PyBytes>, Py<PyAny>)> {
    for (what, number, most) in [("starts", starts, 1000), ("iterations", iterations, 100_000)] {
        if !(1..=most).contains(&number) {
            return Err(Fault::with_remedy(format!("{number} {what}"), format!("from 1 to {most}")).into());
        }
    }
    if !(seconds > 0.0 && seconds <= 1e6) {
        return Err(Fault::with_remedy(format!("play of {seconds} s"), "above 0, at most 1000000").into());
    }
    let found = long(py, 0, progress, |watch| {
        let mut model = load::model(model)?;
        if let Some(decisions) = decisions {
            let wrong = || Fault::with_remedy(format!("{decisions} decisions"), "from 1 to 256");
            if !(1..=256).contains(&decisions) {
                return Err(wrong());
            }
            model = model.with_decisions(decisions).map_err(Fault::new)?;
        }
        let defaults = ImitationSettings::default();
        let em = EmSettings { starts, iterations, seed, ..defaults.em };
        let pace = if live.is_some() { Pace::LifeByLife } else { Pace::AtTheEnd };
        let mut imitator =
            Imitator::new(&model, ImitationSettings { em, pace, ..defaults }).map_err(Fault::new)?;
        match &live {
            Some(teacher) => {
                let (_, level) = maps::find(map)?;
                let practice = Practice { level, match_secs: seconds, seed };
                lesson::show_live(&practice, &roster::find(teacher)?.make, 0, &mut imitator, &|| {
                    watch.add(1)
                });
            }
            None => show(&recordings, &players, &mut imitator, &|| watch.add(1))?,
        }
        imitator.finish(&|_| watch.add(1)).map_err(Fault::new)
    })??;
    let told = json!({
        "lives": found.lives, "ticks": found.ticks, "nats_per_tick": found.nats_per_tick,
    });
    let text =
        format!("{} lives, {} ticks: {:.4} nats per tick", found.lives, found.ticks, found.nats_per_tick);
    Ok((PyBytes::new(py, &found.learned.to_bytes()), report::make(py, "ImitationReport", &told, &text)?))
}

fn show(
    recordings: &[PathBuf],
    players: &[String],
    imitator: &mut Imitator,
    each: &dyn Fn(),
) -> Result<(), Fault> {
    if recordings.is_empty() {
        return Err(Fault::with_remedy(
            "there is nothing to learn from",
            "give recordings, or live=\"native:5\"",
        ));
    }
    for path in recordings {
        let header = open(path)?.header().clone();
        let level = lesson::level_of(&header).map_err(|error| in_file(path, error))?;
        for id in lesson::players(&header, players).map_err(|error| in_file(path, error))? {
            lesson::show_recorded(open(path)?.ticks(), id, level.places(), imitator, each)
                .map_err(|error| in_file(path, error))?;
        }
    }
    Ok(())
}

/// The play of one character of a recording as numbers: observations, actions, frags after each decision, and its life's number;
/// only where it lived.
#[pyfunction]
#[allow(clippy::type_complexity, reason = "four columns")]
pub fn transitions<'py>(
    py: Python<'py>,
    path: PathBuf,
    player: &str,
) -> PyResult<(
    Bound<'py, PyArray2<f32>>,
    Bound<'py, PyArray2<f32>>,
    Bound<'py, PyArray1<i32>>,
    Bound<'py, PyArray1<u32>>,
)> {
    let Played { observed, acted, frags, lives } = py.detach(|| played(&path, player))?;
    let count = lives.len();
    let observed = PyArray1::from_vec(py, observed).reshape([count, OBSERVED])?;
    let acted = PyArray1::from_vec(py, acted).reshape([count, ACTED])?;
    Ok((observed, acted, PyArray1::from_vec(py, frags), PyArray1::from_vec(py, lives)))
}

#[derive(Default)]
struct Played {
    observed: Vec<f32>,
    acted: Vec<f32>,
    frags: Vec<i32>,
    lives: Vec<u32>,
}

fn played(path: &Path, player: &str) -> Result<Played, Fault> {
    let mut source = open(path)?;
    let ids = lesson::players(source.header(), &[player.to_owned()]).map_err(|error| in_file(path, error))?;
    let (mut told, mut observed, mut acted) = (Played::default(), [0.0; OBSERVED], [0.0; ACTED]);
    for tick in source.ticks() {
        let tick = tick.map_err(|error| in_file(path, error))?;
        let Some(row) = tick.rows.iter().find(|row| ids.first() == Some(&row.character)) else { continue };
        if let (Some(percept), Some(command)) = (&row.percept, &row.command) {
            observe(Some(percept), &mut observed);
            action(command, percept.own.weapon, &mut acted);
            told.observed.extend_from_slice(&observed);
            told.acted.extend_from_slice(&acted);
            told.frags.push(percept.own.frags);
            told.lives.push(percept.own.life);
        }
    }
    Ok(told)
}
