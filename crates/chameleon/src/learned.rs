//! A learned character: model, numbers, expected counts, reaction time.

use crate::body::Body;
use crate::counts::ExpectedCounts;
use crate::delay::Delay;
use crate::file;
use crate::hands::Hands;
use crate::learn::{self, EmSettings, LearnError, Progress, Run};
use crate::model::Model;
use crate::params::{Params, ParamsError};
use crate::pass::{Impossible, Pass};
use crate::play::Sharpness;
use crate::recipe::Recipe;
use crate::sequence::Sequence;
use crate::stand_in::stand_in;
use crate::steady::Steadiness;

/// A character that was learned. Plays ([`State::step`](crate::play::State::step)), judges play, goes on learning.
///
/// ```
/// use repertoire_chameleon::{EmSettings, Learned, Pass, Sequence, learn, model};
/// # let text = r#"
/// # name = "guard"
/// # decisions = 2
/// # [high.enemy]
/// # values = ["no", "yes"]
/// # [low.player]
/// # axes = [{ of = "yaw", edges = [-10, 10] }]
/// # [external.turn]
/// # values = ["right", "none", "left"]
/// # "#;
/// let model = model::read(text)?;
/// # let mut life = Sequence::new(model.layout());
/// # for _ in 0..30 {
/// #     life.push(model.layout(), &[1], &[Some(2)], &[], |_, _| 2)?;
/// #     life.push(model.layout(), &[0], &[None], &[], |_, _| 1)?;
/// # }
/// let learned = learn(&model, &[life.clone()], &EmSettings::default(), &|_| {})?;
/// assert_eq!((learned.lives, learned.counts().ticks), (1, 60.0));
/// // How well it explains play, in nats; it can go on learning from more of it.
/// let before = learned.log_likelihood(&life, &mut Pass::new())?;
/// let later = learned.go_on(&[life], &EmSettings::default(), &|_| {})?;
/// assert_eq!(later.lives, 2);
/// // What its file holds is the same character.
/// assert_eq!(Learned::from_bytes(&later.to_bytes())?, later);
/// # assert!(before.is_finite());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
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
    /// How it carries out what it decides: moments of the teacher's. Without any, values are played anywhere in their bins.
    pub hands: Hands,
    /// As learned: rows of values never met hold what learning started with.
    raw: Params,
    /// With every value never met standing for the nearest that was.
    params: Params,
    counts: ExpectedCounts,
    tables: Tables,
    /// Sequences learned from.
    pub lives: u64,
    /// `ln P(A | S)` of the last learning, before each iteration and after the last.
    pub curve: Vec<f64>,
}

/// Where the tables come from.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Tables {
    /// The counts, by this recipe.
    FollowFrom(Recipe),
    /// Somebody gave them; `pooled` if values never met have numbers of their own.
    Given { pooled: bool },
}

impl Tables {
    fn pooled(self) -> bool {
        match self {
            Tables::FollowFrom(recipe) => recipe.pooling.is_some(),
            Tables::Given { pooled } => pooled,
        }
    }
}

/// Learns a character from random starts: the one call that just works.
pub fn learn(
    model: &Model,
    sequences: &[Sequence],
    settings: &EmSettings,
    progress: &(dyn Fn(Progress) + Sync),
) -> Result<Learned, LearnError> {
    let run = learn::from_scratch(model, sequences, settings, progress)?;
    Ok(Learned::from_run(model.clone(), run, sequences.len() as u64))
}

impl Learned {
    /// The result of a run of EM as a character.
    pub fn from_run(model: Model, run: Run, lives: u64) -> Self {
        let Run { mut params, mut counts, recipe, log_likelihood, .. } = run;
        file::round(&mut counts);
        recipe.tables(model.layout(), &mut params, &counts);
        let params_played = stand_in(&model, &params, &counts, recipe.pooling.is_some());
        Learned {
            model,
            delay: Delay::default(),
            sharpness: Sharpness::default(),
            steadiness: Steadiness::default(),
            body: Body::default(),
            hands: Hands::default(),
            raw: params,
            params: params_played,
            counts,
            tables: Tables::FollowFrom(recipe),
            lives,
            curve: log_likelihood,
        }
    }

    /// A character of numbers and counts that fit its model, as a file holds them. A recipe that would give other tables than these
    /// is not kept.
    pub(crate) fn from_parts(
        model: Model,
        params: Params,
        mut counts: ExpectedCounts,
        recipe: Option<Recipe>,
        pooled: bool,
    ) -> Self {
        file::round(&mut counts);
        let follows = |recipe: &Recipe| {
            let mut found = params.clone();
            recipe.tables(model.layout(), &mut found, &counts);
            found == params
        };
        let recipe = recipe.filter(|recipe| recipe.mistake().is_none()).filter(follows);
        let tables = recipe.map_or(Tables::Given { pooled }, Tables::FollowFrom);
        let params_played = stand_in(&model, &params, &counts, tables.pooled());
        Learned {
            model,
            delay: Delay::default(),
            sharpness: Sharpness::default(),
            steadiness: Steadiness::default(),
            body: Body::default(),
            hands: Hands::default(),
            raw: params,
            params: params_played,
            counts,
            tables,
            lives: 0,
            curve: Vec::new(),
        }
    }

    /// A character whose numbers were not learned: everything counts as met.
    pub fn from_params(model: Model, params: Params) -> Result<Self, ParamsError> {
        params.check(model.layout())?;
        let mut counts = ExpectedCounts::new(model.layout());
        counts.high_met.fill(1.0);
        counts.low_met.fill(1.0);
        Ok(Learned::from_parts(model, params, counts, None, false))
    }

    /// How its tables follow from its counts; none if they were not learned.
    pub(crate) fn recipe(&self) -> Option<Recipe> {
        match self.tables {
            Tables::FollowFrom(recipe) => Some(recipe),
            Tables::Given { .. } => None,
        }
    }

    /// Whether values never met have numbers from their neighbours.
    pub(crate) fn pooled(&self) -> bool {
        self.tables.pooled()
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
    pub fn counts(&self) -> &ExpectedCounts {
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
        settings: &EmSettings,
        progress: &(dyn Fn(Progress) + Sync),
    ) -> Result<Learned, LearnError> {
        let layout = self.model.layout();
        let start = self.softened();
        let run = learn::from_params_and_counts(layout, start, &self.counts, sequences, settings, progress)?;
        let learned = Learned::from_run(self.model.clone(), run, self.lives + sequences.len() as u64);
        Ok(learned.with_manner_of(self.clone()))
    }

    /// With the reaction time, sharpness, steadiness, body and hands of another.
    pub(crate) fn with_manner_of(mut self, other: Learned) -> Self {
        let Learned { delay, sharpness, steadiness, body, hands, .. } = other;
        (self.delay, self.sharpness, self.steadiness) = (delay, sharpness, steadiness);
        (self.body, self.hands) = (body, hands);
        self
    }

    /// Its numbers to go on from. Zeros could never be left again, so a little of everything is mixed in (section 3.4.4.3).
    pub(crate) fn softened(&self) -> Params {
        softened(self.model.layout(), &self.params)
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
