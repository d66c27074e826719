//! Who is judged by [`eval::believable`](crate::eval::believable): a contender, the same without a stage, and whom to hold it against.

use std::sync::Arc;

use repertoire_eval::Entry;
use repertoire_mind::fighter::{FighterDesign, Stage, shipped};

use crate::roster::{self, ContenderSpec, RosterError};

/// Somebody to be judged.
pub struct Subject {
    /// As they are.
    pub whole: Entry,
    /// The same without plans, where they have any.
    pub without_plan: Option<Entry>,
    /// The same without beliefs about who is out of sight, where they have any.
    pub without_memory: Option<Entry>,
}

/// A contender by name or file, whole or without a stage (`believe`, `want`, `plan`, `decide`, `imitate`, `learn`).
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
        whole: roster::of_fighter(&called, &design),
    })
}

/// Whom predictors and observers watch instead of somebody.
///
/// # Errors
/// Never for those that come with the library.
pub fn others(than: &str) -> Result<Vec<Entry>, RosterError> {
    let all = ["native:1", "native:4", "aggressive", "prudent", "stalker"];
    all.into_iter().filter(|name| *name != than).map(roster::find).collect()
}

/// Everybody who comes with the library and can be judged: fighters with whole minds, native bots, behaviours.
pub fn everybody() -> Vec<String> {
    let fighters = shipped::FIGHTERS.iter().map(|(name, _)| (*name).to_owned());
    let others = ["native:1", "native:3", "native:5", "aggressive", "prudent", "uniform"];
    fighters.chain(others.map(str::to_owned)).collect()
}
