//! Opens the files that belief works on: places, lines of sight, models, recorded play. What is in them is read by
//! [`repertoire_trace`]; maps of the arena are made into places by [`repertoire_eval::belief::ground`].

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Result, anyhow};
use repertoire_belief::evaluate::Sight;
use repertoire_belief::play::Play;
use repertoire_belief::{Graph, Model};
use repertoire_eval::belief::ground;
use repertoire_trace::nav::{self, Ground};
use repertoire_trace::rounds::{self, RoundsError};
use repertoire_trace::{TraceError, snapshots};
use repertoire_worlds::arena::level::Level;

use crate::arena::maps;
use crate::trace::source::cut_words;
pub(crate) use crate::trace::source::read;

/// The areas of a navigation mesh; or the points of an arena's map, by its name or file.
pub(crate) fn places(path: &Path) -> Result<Ground> {
    match arena(path)? {
        Some((_, level)) => Ok(ground::of_level(&level)),
        None => nav::read(read(path)?).map_err(|error| anyhow!("{}: {error}", path.display())),
    }
}

/// An arena's map, if it is one: a name, or a file that is no JSON.
fn arena(path: &Path) -> Result<Option<(String, Arc<Level>)>> {
    let written = path.to_string_lossy();
    let is_json = written.ends_with(".json") || (written.ends_with(".gz") && !written.ends_with(".bsp.gz"));
    if is_json || (path.is_file() && read(path)?.trim_ascii_start().starts_with(b"{")) {
        return Ok(None);
    }
    Ok(Some(maps::find(&written)?))
}

/// Which places see which, from a file or from an arena's map.
pub(crate) fn sight(path: &Path, places: &Graph) -> Result<Sight> {
    match arena(path)? {
        Some((_, level)) => Ok(ground::sight_of_level(&level, places)?),
        None => nav::read_sight(read(path)?, places).map_err(|error| anyhow!("{}: {error}", path.display())),
    }
}

/// A model.
pub(crate) fn model(path: &Path) -> Result<Model> {
    let remedy = "make one with `repertoire belief fit`";
    let model: Model = serde_json::from_slice(&read(path)?)
        .map_err(|error| anyhow!("{}: {error}\n  remedy: {remedy}", path.display()))?;
    model.check().map_err(|what| anyhow!("{}: {what}\n  remedy: {remedy}", path.display()))?;
    Ok(model)
}

/// What a model knows of its map, to compare recordings with.
pub(crate) fn ground_of(model: &Model) -> Ground {
    Ground {
        places: model.places.clone(),
        map: model.map.clone(),
        map_source: None,
        run_speed: Some(model.settings.run_speed),
    }
}

/// Several files of recorded play as one, on a model's places and with its step.
pub(crate) fn all_play(paths: &[PathBuf], model: &Model) -> Result<Play> {
    let ground = Ground { places: model.places.clone(), ..Ground::default() };
    play_on(paths, &ground, model.period_secs)
}

/// Several files of recorded play as one, a moment every `step_secs`. A recording of a match on another map is refused.
pub(crate) fn play_on(paths: &[PathBuf], ground: &Ground, step_secs: f64) -> Result<Play> {
    let mut all = Vec::new();
    for path in paths {
        let name = path.display().to_string();
        let (play, cut) =
            rounds::read_every(step_secs, read(path)?, &name, ground).map_err(|error| match error {
                RoundsError::Trace(error) => in_file(path, error),
                other => anyhow!("{name}: {other}"),
            })?;
        if let Some(cut) = cut {
            anstream::eprintln!("note: {}", cut_words(path, cut));
        }
        all.push(play);
    }
    Ok(rounds::join(all))
}

/// Snapshots, with the names of the sides.
pub(crate) fn states(
    path: &Path,
    places: &Graph,
) -> Result<(Vec<repertoire_belief::snapshot::Snapshot>, Vec<String>)> {
    snapshots::read(read(path)?, places).map_err(|error| in_file(path, error))
}

/// A mistake with its file and line.
fn in_file(path: &Path, error: TraceError) -> anyhow::Error {
    match error {
        TraceError::Csv(mistake) if mistake.column.is_empty() => {
            let (path, line) = (path.display(), mistake.line);
            anyhow!("{path}, line {line}: {}\n  remedy: {}", mistake.what, mistake.remedy)
        }
        other => crate::trace::source::in_file(path, other),
    }
}
