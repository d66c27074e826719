//! What belief works on: places, lines of sight, models, recorded rounds. The arena's maps are made into places by
//! [`eval::belief::ground`](crate::eval::belief::ground).

use std::path::{Path, PathBuf};
use std::sync::Arc;

use repertoire_belief::evaluate::Sight;
use repertoire_belief::play::Play;
use repertoire_belief::snapshot::Snapshot;
use repertoire_belief::{Graph, Model};
use repertoire_eval::belief::{BeliefError, ground};
use repertoire_trace::nav::{self, Ground};
use repertoire_trace::rounds::{self, RoundsError};
use repertoire_trace::{TraceError, snapshots};
use repertoire_worlds::arena::level::Level;

use super::{RecordingError, cut_in_words, read};
use crate::maps::{self, MapError};

/// Why there is no ground to track on.
#[derive(Debug, thiserror::Error)]
pub enum GroundError {
    /// A file cannot be read, or is not what was asked for.
    #[error(transparent)]
    File(#[from] RecordingError),
    /// There is no such map of the arena.
    #[error(transparent)]
    Map(#[from] MapError),
    /// The places are not those of the map.
    #[error(transparent)]
    Sight(#[from] BeliefError),
}

/// The areas of a navigation mesh; or the points of an arena's map, by its name or file.
///
/// # Errors
/// If it is neither.
pub fn places(path: &Path) -> Result<Ground, GroundError> {
    match arena(path)? {
        Some((_, level)) => Ok(ground::of_level(&level)),
        None => Ok(nav::read(read(path)?).map_err(|error| RecordingError::other(path, error))?),
    }
}

/// An arena's map, if it is one: a name, or a file that is no JSON.
fn arena(path: &Path) -> Result<Option<(String, Arc<Level>)>, GroundError> {
    let written = path.to_string_lossy();
    let is_json = written.ends_with(".json") || (written.ends_with(".gz") && !written.ends_with(".bsp.gz"));
    if is_json || (path.is_file() && read(path)?.trim_ascii_start().starts_with(b"{")) {
        return Ok(None);
    }
    Ok(Some(maps::find(&written)?))
}

/// Which places see which, from a file or from an arena's map.
///
/// # Errors
/// If it is neither, or of other places.
pub fn sight(path: &Path, places: &Graph) -> Result<Sight, GroundError> {
    match arena(path)? {
        Some((_, level)) => Ok(ground::sight_of_level(&level, places)?),
        None => Ok(nav::read_sight(read(path)?, places).map_err(|error| RecordingError::other(path, error))?),
    }
}

/// A model of how players walk, as `belief fit` writes it; plain or gzip.
///
/// # Errors
/// If it is none.
pub fn model(path: &Path) -> Result<Model, RecordingError> {
    let wrong = |what: String| {
        RecordingError::other(path, what + "\n  remedy: make one with `repertoire belief fit`")
    };
    let model: Model = serde_json::from_slice(&read(path)?).map_err(|error| wrong(error.to_string()))?;
    model.check().map_err(|what| wrong(what.to_string()))?;
    Ok(model)
}

/// What a model knows of its map, to compare recordings with.
pub fn of_model(model: &Model) -> Ground {
    Ground {
        places: model.places.clone(),
        map: model.map.clone(),
        map_source: None,
        run_speed: Some(model.settings.run_speed),
    }
}

/// Several files of recorded play as one, a moment every `step_secs`.
///
/// # Errors
/// If one of them cannot be read, or is of a match on another map.
pub fn rounds(
    paths: &[PathBuf],
    ground: &Ground,
    step_secs: f64,
    note: &dyn Fn(&str),
) -> Result<Play, RecordingError> {
    let mut all = Vec::new();
    for path in paths {
        let name = path.display().to_string();
        let (play, cut) =
            rounds::read_every(step_secs, read(path)?, &name, ground).map_err(|error| match error {
                RoundsError::Trace(error) => in_file(path, error),
                other => RecordingError::other(path, other),
            })?;
        if let Some(cut) = cut {
            note(&cut_in_words(path, cut));
        }
        all.push(play);
    }
    Ok(rounds::join(all))
}

/// The same with the step of a model; `asked` is the step that was asked for, if one was.
///
/// # Errors
/// See [`rounds()`]; and if the model was learned with another step than that of the play, or than the one that was asked for.
pub fn rounds_for(
    paths: &[PathBuf],
    ground: &Ground,
    model: &Model,
    asked: Option<f64>,
    note: &dyn Fn(&str),
) -> Result<Play, StepError> {
    let own = model.period_secs;
    let is_another = |step: f64| (own - step).abs() > 0.1 * own;
    if let Some(asked) = asked.filter(|&asked| is_another(asked)) {
        return Err(StepError::Asked { asked, own });
    }
    let play = rounds(paths, ground, asked.unwrap_or(own), note)?;
    match play.step_secs() {
        step if is_another(step) => Err(StepError::Played { step, own }),
        _ => Ok(play),
    }
}

/// Why there is no play for a model.
#[derive(Debug, thiserror::Error)]
pub enum StepError {
    /// It cannot be read.
    #[error(transparent)]
    File(#[from] RecordingError),
    /// Another step was asked for.
    #[error(
        "--step {asked}: the model was learned with steps of {own} s\n  remedy: leave --step out, or fit a model with --step {asked}"
    )]
    Asked {
        /// The step that was asked for.
        asked: f64,
        /// The model's.
        own: f64,
    },
    /// The play has another step.
    #[error(
        "the play has a moment every {step} s, the model was learned with steps of {own} s\n  remedy: fit the model on play of the same rate, or with --step"
    )]
    Played {
        /// The play's.
        step: f64,
        /// The model's.
        own: f64,
    },
}

/// Snapshots, with the names of the sides.
///
/// # Errors
/// If they cannot be read, or are of other places.
pub fn states(path: &Path, places: &Graph) -> Result<(Vec<Snapshot>, Vec<String>), RecordingError> {
    snapshots::read(read(path)?, places).map_err(|error| in_file(path, error))
}

/// A mistake with its file and line.
fn in_file(path: &Path, error: TraceError) -> RecordingError {
    match error {
        TraceError::Csv(mistake) if mistake.column.is_empty() => RecordingError::Line {
            place: format!("{}, line {}:", path.display(), mistake.line),
            what: mistake.what,
            remedy: mistake.remedy,
        },
        other => RecordingError::of(path, other),
    }
}
