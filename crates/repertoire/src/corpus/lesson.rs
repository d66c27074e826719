//! What is learned, from what, and how: plain data, so that it can be sent to whoever helps.

use std::path::{Path, PathBuf};

use repertoire_bayes::sequence::Behaviour;
use repertoire_chameleon::{Attention, EmSettings, Model, Pooling};
use repertoire_mind::student::Method;
use serde::{Deserialize, Serialize};

use super::CorpusError;
use crate::load;

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
        if recordings.is_empty() {
            return Err(CorpusError::new(
                "there is nothing to learn from",
                "name recordings, or a folder of them",
            ));
        }
        let sized = |path: PathBuf| match std::fs::metadata(&path) {
            Ok(there) => Ok((path, there.len())),
            Err(error) => Err(CorpusError::of(&path, error)),
        };
        let recordings = recordings.into_iter().map(sized).collect::<Result<_, _>>()?;
        let lesson = Lesson { recordings, players, subject, work: work.to_owned() };
        match &lesson.subject {
            Subject::Sequence { .. } => drop(lesson.behaviour()?),
            Subject::Chameleon { .. } => drop(lesson.model()?),
        }
        Ok(lesson)
    }

    /// How many recordings there are.
    pub fn total(&self) -> u64 {
        self.recordings.len() as u64
    }

    /// The behaviour to begin with, and the method.
    pub(super) fn behaviour(&self) -> Result<(Behaviour, Method), CorpusError> {
        let Subject::Sequence { start, method } = &self.subject else { return Err(self.other()) };
        let method = match Method::ALL.into_iter().find(|one| one.name() == *method) {
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
        let Subject::Chameleon { model, decisions, delay, em } = &self.subject else {
            return Err(self.other());
        };
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
