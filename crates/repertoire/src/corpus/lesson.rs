//! What is learned, from what, and how: plain data, so that it can be sent to whoever helps.

use std::path::{Path, PathBuf};

use repertoire_bayes::sequence::Behaviour;
use repertoire_chameleon::{Attention, EmSettings, Learned, Model, Pooling};
use repertoire_eval::shard::file::checksum;
use repertoire_mind::student::Method;
use repertoire_prob::draw::arg_max;
use serde::{Deserialize, Serialize};

use super::CorpusError;
use crate::load::{self, LoadError};

/// What is learned, from what, and how.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Lesson {
    /// The recordings with their lengths in bytes, by which a changed one is noticed.
    pub recordings: Vec<(PathBuf, u64)>,
    /// Whom to learn from, by name or number; everybody if none is named.
    pub players: Vec<String>,
    /// What is learned.
    pub subject: Subject,
    /// A folder for what was committed and for lives in the words of the model, so that recordings are read once.
    #[serde(skip)]
    pub work: PathBuf,
}

/// What is learned.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Subject {
    /// Which task comes next.
    Sequence {
        /// The behaviour to begin with, by name or file.
        start: String,
        /// `labels`, `heuristic` or `batch`.
        method: String,
    },
    /// A character by imitation.
    Chameleon {
        /// The model, by name or file.
        model: String,
        /// Its number of decisions; none for its own.
        decisions: Option<usize>,
        /// The teacher's reaction time, in ticks.
        delay: usize,
        /// How EM learns.
        em: Em,
        /// A character to go on from, whose model, decisions and body are taken instead: its file, and a checksum of it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        start: Option<(PathBuf, String)>,
        /// The share of recordings to judge by instead of learning from them.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        keep_aside: Option<f64>,
    },
}

/// [`EmSettings`] without what needs all play at once.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the fields of EmSettings")]
pub struct Em {
    pub iterations: usize,
    pub least_gain: f64,
    pub virtual_counts: f64,
    pub attention: Attention,
    pub starts: usize,
    pub seed: u64,
    pub pooling: Option<Pooling>,
}

impl From<&EmSettings> for Em {
    fn from(settings: &EmSettings) -> Self {
        let EmSettings { iterations, least_gain, virtual_counts, attention, starts, seed, pooling, .. } =
            *settings;
        Em { iterations, least_gain, virtual_counts, attention, starts, seed, pooling }
    }
}

impl Em {
    /// As the learner wants them.
    pub fn settings(self) -> EmSettings {
        let Em { iterations, least_gain, virtual_counts, attention, starts, seed, pooling } = self;
        EmSettings { iterations, least_gain, virtual_counts, attention, starts, seed, pooling, folds: 0 }
    }
}

/// A learned character to go on from, as [`Subject::Chameleon`] names it: its file, and a checksum of it.
///
/// # Errors
/// If the file cannot be read, or is no learned character.
pub fn start(path: &Path) -> Result<(PathBuf, String), LoadError> {
    load::learned_character(path)?;
    let bytes = std::fs::read(path).map_err(|source| LoadError::NoText { path: path.to_owned(), source })?;
    Ok((path.to_owned(), checksum(&bytes)))
}

impl Lesson {
    /// A lesson from recordings that are there.
    ///
    /// # Errors
    /// If there is no recording, one is not there, or the subject cannot be learned in parts.
    pub fn new(
        recordings: Vec<PathBuf>,
        players: Vec<String>,
        subject: Subject,
        work: &Path,
    ) -> Result<Self, CorpusError> {
        let sized = |path: PathBuf| match std::fs::metadata(&path) {
            Ok(there) => Ok((path, there.len())),
            Err(error) => Err(CorpusError::of(&path, error)),
        };
        Lesson::sized(recordings.into_iter().map(sized).collect::<Result<_, _>>()?, players, subject, work)
    }

    /// A lesson from recordings whose lengths in bytes are known, wherever they are.
    ///
    /// # Errors
    /// If there is no recording, or the subject cannot be learned in parts.
    pub fn sized(
        recordings: Vec<(PathBuf, u64)>,
        players: Vec<String>,
        subject: Subject,
        work: &Path,
    ) -> Result<Self, CorpusError> {
        if recordings.is_empty() {
            return Err(CorpusError::new(
                "there is nothing to learn from",
                "name recordings, or a folder of them",
            ));
        }
        let lesson = Lesson { recordings, players, subject, work: work.to_owned() };
        match &lesson.subject {
            Subject::Sequence { .. } => drop(lesson.behaviour()?),
            Subject::Chameleon { keep_aside, .. } => {
                let aside = (0..lesson.total()).filter(|&number| lesson.is_aside(number)).count() as u64;
                if let Some(share) = keep_aside
                    && (aside == 0 || aside == lesson.total())
                {
                    return Err(CorpusError::new(
                        format!(
                            "keeping {share} of {} recordings aside leaves nothing on one side",
                            lesson.total()
                        ),
                        "another share, or more recordings",
                    ));
                }
                drop(lesson.model()?);
            }
        }
        Ok(lesson)
    }

    /// How many recordings there are.
    pub fn total(&self) -> u64 {
        self.recordings.len() as u64
    }

    /// Whether a recording is kept aside to judge by; those that are lie evenly spread.
    pub(super) fn is_aside(&self, number: u64) -> bool {
        let Subject::Chameleon { keep_aside: Some(share), .. } = self.subject else { return false };
        ((number + 1) as f64 * share).floor() > (number as f64 * share).floor()
    }

    /// The character to go on from.
    pub(super) fn start(&self) -> Result<Option<Learned>, CorpusError> {
        let Subject::Chameleon { start: Some((path, sum)), .. } = &self.subject else { return Ok(None) };
        let bytes = std::fs::read(path).map_err(|error| CorpusError::of(path, error))?;
        if checksum(&bytes) != *sum {
            return Err(CorpusError::new(
                format!("{}: it is not the character that learning began with", path.display()),
                "begin again in another folder",
            ));
        }
        Learned::from_bytes(&bytes).map(Some).map_err(|error| CorpusError::of(path, error))
    }

    /// A file in the folder of what was committed. With `/` everywhere, for stores that are no disks.
    pub(super) fn place(&self, file: &str) -> PathBuf {
        format!("{}/{file}", self.work.display()).into()
    }

    /// The behaviour to begin with, and the method.
    pub(super) fn behaviour(&self) -> Result<(Behaviour, Method), CorpusError> {
        let Subject::Sequence { start, method } = &self.subject else { return Err(self.other()) };
        let method = match Method::named(method) {
            Some(Method::Incremental) | None => {
                return Err(CorpusError::new(
                    format!(
                        "the method {method} learns from one observation after the other, and not in parts"
                    ),
                    "labels, heuristic or batch; or name the recordings one by one instead of a folder",
                ));
            }
            Some(method) => method,
        };
        let behaviour =
            load::behaviour(start).map_err(|error| CorpusError::new(error.to_string(), "a behaviour"))?;
        Ok((behaviour, method))
    }

    /// The model, and the teacher's reaction time.
    pub(super) fn model(&self) -> Result<(Model, usize, EmSettings), CorpusError> {
        let Subject::Chameleon { model, decisions, delay, em, .. } = &self.subject else {
            return Err(self.other());
        };
        if let Some(start) = self.start()? {
            let delay = if *delay == 0 { arg_max(&start.delay.ticks) } else { *delay };
            return Ok((start.model, delay, em.settings()));
        }
        let found = load::model(model).map_err(|error| CorpusError::new(error.to_string(), "a model"))?;
        let decisions = decisions.unwrap_or(found.decisions());
        let found = found.with_decisions(decisions);
        let found =
            found.map_err(|error| CorpusError::new(format!("{decisions} decisions: {error}"), "fewer"))?;
        Ok((found, *delay, em.settings()))
    }

    fn other(&self) -> CorpusError {
        CorpusError::new("this lesson is about something else", "report this: it is a defect")
    }
}
