//! Players in recorded play: how they moved, who can teach and from which half of it, and what a judge sees of them.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use repertoire_eval::believable::{Card, Recorded};
use repertoire_eval::lesson;
use repertoire_eval::telling::{Half, Trail};
use repertoire_eval::whole::Teacher;
use repertoire_mind::Places;
use repertoire_mind::student::{Seen, Watch};

use super::{RecordingError, Source, people, show, trails};

/// The ways of the wanted players (everybody's if none is named) through some files, to tell players apart by. Of people only a half
/// of each recording is taken where one is asked for: that which a pupil did not learn from.
///
/// # Errors
/// If one of them cannot be read, or none of the wanted players is in any.
pub fn trails_of(
    paths: &[PathBuf],
    wanted: &[String],
    half: Option<Half>,
    note: &dyn Fn(&str),
) -> Result<Vec<Trail>, RecordingError> {
    let mut all = Vec::new();
    for path in paths {
        all.extend(trails(path, note)?);
    }
    let names: Vec<String> = all.iter().map(|trail| trail.player.clone()).collect();
    all.retain(|trail| wanted.is_empty() || wanted.contains(&trail.player));
    if all.is_empty() {
        return Err(RecordingError::Nobody { names: names.join(", ") });
    }
    if let Some(half) = half {
        for trail in all.iter_mut().filter(|trail| trail.is_person) {
            *trail = trail.half(half);
        }
    }
    Ok(all)
}

/// The wanted players of a recording (everybody if none is named) as teachers of one half of it, to be compared with the other.
///
/// # Errors
/// If it cannot be read, holds no map, or if a wanted player is not alive in both halves.
pub fn teachers(path: &Path, wanted: &[String], half: Half) -> Result<Vec<Teacher>, RecordingError> {
    let mut source = Source::open(path)?;
    let header = source.header().clone();
    let wrong = |source| RecordingError::Lesson { path: path.to_owned(), source };
    let level = Arc::new(lesson::level_of(&header).map_err(wrong)?);
    let players = lesson::players(&header, wanted).map_err(wrong)?;
    let ticks = source.ticks().collect::<Result<Vec<_>, _>>()?;
    let session = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    let teacher = |player| {
        Teacher::new((&header, &session), player, &level, &ticks, half)
            .map_err(|source| RecordingError::Teacher { path: path.to_owned(), source })
    };
    players.into_iter().map(teacher).collect()
}

/// Shows one half of each recording, by time, to somebody who learns from it, so that the other is kept to compare with.
///
/// # Errors
/// As [`show`].
pub fn show_half(
    paths: &[PathBuf],
    wanted: &[String],
    half: Half,
    watch: &mut dyn Watch,
    each: &dyn Fn(),
    note: &dyn Fn(&str),
) -> Result<Vec<String>, RecordingError> {
    let mut seen: Vec<String> = Vec::new();
    for path in paths {
        let mut halved = Halved { watch: &mut *watch, half, end_secs: length_secs(path)? };
        let players = show(std::slice::from_ref(path), wanted, &mut halved, each, note)?;
        let new: Vec<String> = players.into_iter().filter(|name| !seen.contains(name)).collect();
        seen.extend(new);
    }
    Ok(seen)
}

/// Passes on what happens in one half of a recording.
struct Halved<'a> {
    watch: &'a mut dyn Watch,
    half: Half,
    /// How long the recording is.
    end_secs: f64,
}

impl Watch for Halved<'_> {
    fn begin(&mut self) {
        self.watch.begin();
    }

    fn see(&mut self, seen: Seen<'_>, places: &Places) {
        if self.half.has(seen.percept.time_secs(), self.end_secs) {
            self.watch.see(seen, places);
        }
    }
}

/// How long a recording is.
fn length_secs(path: &Path) -> Result<f64, RecordingError> {
    let mut source = Source::open(path)?;
    let period_secs = source.header().period_secs;
    let mut last = 0;
    for tick in source.ticks() {
        last = tick?.tick;
    }
    Ok(f64::from(last) * period_secs)
}

/// How believable somebody is, by what recordings can tell: ours, or people's play.
///
/// # Errors
/// If one of them cannot be read, or if they take part in none.
pub fn judged(paths: &[PathBuf], who: &str, note: &dyn Fn(&str)) -> Result<Card, RecordingError> {
    let mut recorded = Recorded::default();
    for path in paths {
        match Source::open(path) {
            Ok(mut source) => {
                recorded.begin(source.header());
                for tick in source.ticks() {
                    recorded.see(&tick?, who);
                }
            }
            // What is no recording of ours may be people's play; if it is neither, the first answer says more.
            Err(error) => match people(path, note) {
                Ok(plays) => plays.iter().for_each(|play| recorded.play(play)),
                Err(_) => return Err(error),
            },
        }
    }
    Ok(recorded.card(who)?)
}
