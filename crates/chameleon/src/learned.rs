//! A learned character: model, numbers, expected counts, reaction time.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::body::Body;
use crate::counts::Counts;
use crate::delay::Delay;
use crate::layout::LayoutError;
use crate::learn::{self, LearnError, Progress, Run, Settings};
use crate::model::{self, Model};
use crate::params::{Params, ParamsError};
use crate::pass::{Impossible, Pass};
use crate::play::Sharpness;
use crate::sequence::Sequence;
use crate::stand_in::stand_in;
use crate::steady::Steadiness;

/// A character that was learned. Plays ([`State::step`](crate::play::State::step)), judges play, goes on learning.
#[derive(Clone, Debug, PartialEq)]
pub struct Learned {
    /// Its stimuli and actions.
    pub model: Model,
    /// How late it perceives.
    pub delay: Delay,
    /// How much it sharpens what it draws from.
    pub sharpness: Sharpness,
    /// For how long it holds what it drew.
    pub steadiness: Steadiness,
    /// What its body can do.
    pub body: Body,
    /// As learned: rows of values never met hold what learning started with.
    raw: Params,
    /// With every value never met standing for the nearest that was.
    params: Params,
    counts: Counts,
    pooled: bool,
    /// Sequences learned from.
    pub lives: u64,
    /// `ln P(A | S)` of the last learning, before each iteration and after the last.
    pub curve: Vec<f64>,
}

/// A learned character as a file holds it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LearnedFile {
    /// What kind of file this is.
    pub format: String,
    /// The model, as TOML.
    pub model: String,
    /// How many decisions were learned, whatever the model says.
    pub decisions: usize,
    /// How late it perceives.
    pub delay: Delay,
    /// How much it sharpens what it draws from.
    #[serde(default)]
    pub sharpness: Sharpness,
    /// For how long it holds what it drew.
    #[serde(default)]
    pub steadiness: Steadiness,
    /// What its body can do.
    #[serde(default)]
    pub body: Body,
    /// Sequences learned from.
    pub lives: u64,
    /// Whether values never met have numbers from their neighbours.
    #[serde(default)]
    pub pooled: bool,
    /// Log-likelihoods of the last learning.
    #[serde(default)]
    pub curve: Vec<f64>,
    /// The numbers as learned.
    pub params: Params,
    /// Expected counts, to go on from.
    pub counts: Counts,
}

/// What the first line of a learned character says.
pub const FORMAT: &str = "repertoire chameleon 1";

/// The JSON schema of a learned character's file.
pub fn schema() -> schemars::Schema {
    schemars::schema_for!(LearnedFile)
}

/// Why a file holds no character.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum FileError {
    /// Another format.
    #[error("its format is `{0}`, not `{FORMAT}`")]
    Format(String),
    /// The model in it is wrong.
    #[error("its model is wrong: {0}")]
    Model(String),
    /// Its decisions do not fit.
    #[error(transparent)]
    Layout(#[from] LayoutError),
    /// Its numbers do not fit its model.
    #[error(transparent)]
    Params(#[from] ParamsError),
    /// Its counts do not fit its model.
    #[error("its counts do not fit its model")]
    Counts,
    /// Delay or sharpness out of bounds.
    #[error("{0}")]
    Bounds(String),
}

/// Learns a character from random starts: the one call that just works.
pub fn learn(
    model: &Model,
    sequences: &[Sequence],
    settings: &Settings,
    progress: &(dyn Fn(Progress) + Sync),
) -> Result<Learned, LearnError> {
    let run = learn::from_scratch(model, sequences, settings, progress)?;
    Ok(Learned::from_run(model.clone(), run, sequences.len() as u64))
}

impl Learned {
    /// The result of a run of EM as a character.
    pub fn from_run(model: Model, run: Run, lives: u64) -> Self {
        let (delay, sharpness) = (Delay::default(), Sharpness::default());
        let params = stand_in(&model, &run.params, &run.counts, run.pooled);
        Learned {
            model,
            delay,
            sharpness,
            steadiness: Steadiness::default(),
            body: Body::default(),
            raw: run.params,
            params,
            counts: run.counts,
            pooled: run.pooled,
            lives,
            curve: run.log_likelihood,
        }
    }

    /// A character whose numbers were not learned: everything counts as met.
    pub fn from_params(model: Model, params: Params) -> Result<Self, ParamsError> {
        params.check(model.layout())?;
        let mut counts = Counts::new(model.layout());
        counts.high_met.fill(1.0);
        counts.low_met.fill(1.0);
        let run = Run { params: params.clone(), counts, pooled: false, log_likelihood: Vec::new(), start: 0 };
        let mut learned = Learned::from_run(model, run, 0);
        learned.params = params;
        Ok(learned)
    }

    /// The numbers it plays by: values never met stand for the nearest that was (section 3.1.1.3).
    pub fn params(&self) -> &Params {
        &self.params
    }

    /// The numbers as learned.
    pub fn raw_params(&self) -> &Params {
        &self.raw
    }

    /// Expected counts of all that it learned from.
    pub fn counts(&self) -> &Counts {
        &self.counts
    }

    /// `ln P(A | S)` of a sequence.
    pub fn log_likelihood(&self, sequence: &Sequence, pass: &mut Pass) -> Result<f64, Impossible> {
        pass.forward(self.model.layout(), &self.params, sequence)
    }

    /// Learns on from new sequences: decisions keep their meaning, and what was learned before counts as much as it was.
    pub fn go_on(
        &self,
        sequences: &[Sequence],
        settings: &Settings,
        progress: &(dyn Fn(Progress) + Sync),
    ) -> Result<Learned, LearnError> {
        let layout = self.model.layout();
        // Zeros could never be left again, so a little of everything is mixed in (section 3.4.4.3).
        let start = softened(layout, &self.params);
        let run = learn::from_params_and_counts(layout, start, &self.counts, sequences, settings, progress)?;
        let mut learned = Learned::from_run(self.model.clone(), run, self.lives + sequences.len() as u64);
        learned.delay = self.delay.clone();
        learned.sharpness = self.sharpness.clone();
        learned.steadiness = self.steadiness.clone();
        learned.body = self.body.clone();
        Ok(learned)
    }

    /// As a file holds it.
    pub fn to_file(&self) -> LearnedFile {
        LearnedFile {
            format: FORMAT.to_owned(),
            model: self.model.text().to_owned(),
            decisions: self.model.decisions(),
            delay: self.delay.clone(),
            sharpness: self.sharpness.clone(),
            steadiness: self.steadiness.clone(),
            body: self.body.clone(),
            lives: self.lives,
            pooled: self.pooled,
            curve: self.curve.clone(),
            params: self.raw.clone(),
            counts: self.counts.clone(),
        }
    }

    /// From what a file holds, checked.
    pub fn from_file(file: LearnedFile) -> Result<Self, FileError> {
        if file.format != FORMAT {
            return Err(FileError::Format(file.format));
        }
        let model = model::read(&file.model).map_err(|mistake| FileError::Model(mistake.to_string()))?;
        let model = model.with_decisions(file.decisions)?;
        file.params.check(model.layout())?;
        if !file.counts.fits(model.layout()) {
            return Err(FileError::Counts);
        }
        if let Some(mistake) = (file.delay.mistake())
            .or_else(|| file.sharpness.mistake())
            .or_else(|| file.steadiness.mistake())
            .or_else(|| file.body.mistake())
        {
            return Err(FileError::Bounds(mistake));
        }
        let run = Run {
            params: file.params,
            counts: file.counts,
            pooled: file.pooled,
            log_likelihood: file.curve,
            start: 0,
        };
        let mut learned = Learned::from_run(model, run, file.lives);
        learned.delay = file.delay;
        learned.sharpness = file.sharpness;
        learned.steadiness = file.steadiness;
        learned.body = file.body;
        Ok(learned)
    }
}

/// Every distribution mixed with a thousandth of the uniform one.
fn softened(layout: &crate::layout::Layout, params: &Params) -> Params {
    const SOFT: f64 = 1e-3;
    let mut soft = params.clone();
    let uniform = Params::uniform(layout);
    let mix = |table: &mut Vec<f64>, uniform: &Vec<f64>| {
        table.iter_mut().zip(uniform).for_each(|(p, uniform)| *p += SOFT * (uniform - *p));
    };
    mix(&mut soft.first, &uniform.first);
    mix(&mut soft.next, &uniform.next);
    soft.reflexive.iter_mut().zip(&uniform.reflexive).for_each(|(table, uniform)| mix(table, uniform));
    soft.external.iter_mut().zip(&uniform.external).for_each(|(table, uniform)| mix(table, uniform));
    soft
}
