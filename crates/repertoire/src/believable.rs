//! Who is judged by [`eval::believable`](crate::eval::believable): a contender, the same without a stage, and whom to hold it against.
//!
//! ```no_run
//! use repertoire::believable::Judging;
//! let card = Judging { maps: vec!["yard".into()], ..Judging::of("hunter") }.believable()?.run(&|| ())?;
//! println!("{} of 10 requirements are met", card.met());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::sync::Arc;

use repertoire_eval::Entry;
use repertoire_eval::believable::Believable;
use repertoire_mind::fighter::{FighterDesign, Stage, shipped};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::maps::{self, MapError};
use crate::roster::{self, ContenderSpec, RosterError};

/// Everything about a judgement by name, as it is written on a command line or sent to other machines.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Judging {
    /// The contender to judge.
    pub who: String,
    /// The stage without which it is judged.
    pub without: Option<String>,
    /// Whom variability and predictability are held against.
    pub against: String,
    /// Whom it plays against.
    pub opponents: Vec<String>,
    /// Where.
    pub maps: Vec<String>,
    /// Matches on each map.
    pub matches: u32,
    /// Seconds of each match whose moments are lived again.
    pub seconds: f64,
    /// Random seed.
    pub seed: u64,
    /// Which rows to measure, 1 for B1; all of them if none is named.
    #[serde(default)]
    pub rows: Vec<u8>,
}

/// Why nobody can be judged.
#[derive(Debug, Error)]
pub enum JudgingError {
    /// A contender or a stage that is not there.
    #[error(transparent)]
    Contender(#[from] RosterError),
    /// A map that is not there, or cannot be played on.
    #[error(transparent)]
    Map(#[from] MapError),
}

impl Judging {
    /// As `repertoire believable WHO` judges: on the shipped maps, against native:3 twice, beside native:5.
    pub fn of(who: &str) -> Self {
        Judging {
            who: who.to_owned(),
            without: None,
            against: "native:5".to_owned(),
            opponents: vec!["native:3".to_owned(); 2],
            maps: maps::names().into_iter().map(str::to_owned).collect(),
            matches: 4,
            seconds: 120.0,
            seed: 1,
            rows: Vec::new(),
        }
    }

    /// Finds everybody and everything that is named.
    ///
    /// # Errors
    /// If somebody or something is not there.
    pub fn believable(&self) -> Result<Believable, JudgingError> {
        let subject = subject(&self.who, self.without.as_deref())?;
        Ok(Believable {
            reference: roster::find(&self.against)?,
            others: others(&self.who)?,
            opponents: self.opponents.iter().map(|name| roster::find(name)).collect::<Result<_, _>>()?,
            levels: self.maps.iter().map(|name| maps::find(name)).collect::<Result<_, _>>()?,
            matches: self.matches,
            seconds: self.seconds,
            seed: self.seed,
            rows: self.rows.clone(),
            subject: subject.whole,
            without_plan: subject.without_plan,
            without_memory: subject.without_memory,
            without_learning: subject.without_learning,
        })
    }
}

/// Somebody to be judged.
pub struct Subject {
    /// As they are.
    pub whole: Entry,
    /// The same without plans, where they have any.
    pub without_plan: Option<Entry>,
    /// The same without beliefs about who is out of sight, where they have any.
    pub without_memory: Option<Entry>,
    /// The same without learning while it plays, where it does.
    pub without_learning: Option<Entry>,
}

/// A contender by name or file, whole or without a stage (`perceive`, `believe`, `want`, `plan`, `decide`, `imitate`, `learn`).
///
/// # Errors
/// If there is no such contender or stage, or it cannot be without the stage.
pub fn subject(written: &str, without: Option<&str>) -> Result<Subject, RosterError> {
    let (mut called, mut design) = written.parse::<ContenderSpec>()?.design()?;
    if let Some(stage) = without {
        let found = Stage::ALL.into_iter().find(|known| known.name() == stage);
        let less = found.and_then(|stage| design.without(stage));
        design = less.ok_or_else(|| RosterError::NoStage { who: called.clone(), stage: stage.to_owned() })?;
        called = format!("{called} without {stage}");
    }
    let less = |design: &Arc<FighterDesign>, stage: Stage| {
        let less = design.without(stage)?;
        Some(roster::of_fighter(&format!("{called} without {}", stage.name()), &less))
    };
    Ok(Subject {
        without_plan: less(&design, Stage::Plan),
        without_memory: less(&design, Stage::Believe),
        without_learning: less(&design, Stage::Learn),
        whole: roster::of_fighter(&called, &design),
    })
}

/// Whom predictors and observers watch instead of somebody: characters of several kinds, most of them with whole minds.
///
/// # Errors
/// Never for those that come with the library.
pub fn others(than: &str) -> Result<Vec<Entry>, RosterError> {
    let all = ["native:4", "prudent", "stalker", "survivor", "veteran"];
    all.into_iter().filter(|name| *name != than).map(roster::find).collect()
}

/// Everybody who comes with the library and can be judged: fighters with whole minds, native bots, behaviours.
pub fn everybody() -> Vec<String> {
    let fighters = shipped::FIGHTERS.iter().map(|(name, _)| (*name).to_owned());
    let others = ["native:1", "native:3", "native:5", "aggressive", "prudent", "uniform"];
    fighters.chain(others.map(str::to_owned)).collect()
}
