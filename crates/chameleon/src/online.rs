//! Learning while the teacher plays.
//!
//! What was seen of the life that goes on is explained again every few ticks, on top of the expected counts of all lives before;
//! when the life ends its counts join them. Memory does not grow with the number of lives.
//!
//! Differs from the paper (figure 3.18), which waits for the end of a life, learns it alone from a random or global start, and
//! merges the results by eq. 3.107.

use crate::counts::ExpectedCounts;
use crate::learn::{EmSettings, LearnError, Run, from_params_and_counts};
use crate::learned::Learned;
use crate::model::Model;
use crate::params::Params;
use crate::sequence::{Sequence, SequenceError};
use repertoire_prob::Stream;

/// A learner that watches.
///
/// ```
/// use repertoire_chameleon::online::OnlineLearner;
/// use repertoire_chameleon::{EmSettings, model};
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
/// let settings = EmSettings { iterations: 3, ..EmSettings::default() };
/// let mut learner = OnlineLearner::new(model::read(text)?, settings, 10);
/// for tick in 0..25 {
///     let is_learned = learner.see(&[1], &[Some(2)], &[], |_, _| 2)?;
///     assert_eq!(is_learned, tick % 10 == 9, "every ten ticks");
/// }
/// learner.end_life()?;
/// assert_eq!(learner.learned().lives, 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct OnlineLearner {
    model: Model,
    settings: EmSettings,
    /// Learn again after this many ticks of a life; 0 only at its end.
    every: usize,
    /// Keep this share of what was known at the end of each life; 1 forgets nothing.
    memory: f64,
    params: Params,
    /// Of all lives that ended.
    counts: ExpectedCounts,
    life: Sequence,
    lives: u64,
    curve: Vec<f64>,
}

impl OnlineLearner {
    /// Knows nothing yet. `settings.iterations` re-estimations are made each time; a few are enough.
    pub fn new(model: Model, settings: EmSettings, every: usize) -> Self {
        let mut stream = Stream::new(settings.seed, 0, "chameleon start");
        let params = Params::random(model.layout(), &mut stream).with_attention_of(&model);
        let (counts, life) = (ExpectedCounts::new(model.layout()), Sequence::new(model.layout()));
        OnlineLearner {
            model,
            settings,
            every,
            memory: 1.0,
            params,
            counts,
            life,
            lives: 0,
            curve: Vec::new(),
        }
    }

    /// Goes on from a character.
    pub fn of(learned: &Learned, settings: EmSettings, every: usize) -> Self {
        OnlineLearner {
            params: learned.raw_params().clone(),
            counts: learned.counts().clone(),
            lives: learned.lives,
            ..OnlineLearner::new(learned.model.clone(), settings, every)
        }
    }

    /// Forgets: this share of what is known is kept at the end of each life.
    pub fn with_memory(mut self, memory: f64) -> Self {
        self.memory = memory.clamp(0.0, 1.0);
        self
    }

    /// Sees a tick; see [`Sequence::push`]. Returns whether something was learned from it now.
    pub fn see(
        &mut self,
        high: &[u16],
        low: &[Option<u16>],
        reflexive: &[u16],
        external: impl Fn(usize, usize) -> u16,
    ) -> Result<bool, SequenceError> {
        self.life.push(self.model.layout(), high, low, reflexive, external)?;
        let now = self.every > 0 && self.life.len().is_multiple_of(self.every);
        Ok(now && self.learn_life().is_ok())
    }

    fn learn_life(&mut self) -> Result<Run, LearnError> {
        let life = std::slice::from_ref(&self.life);
        let start = self.params.clone();
        let run =
            from_params_and_counts(self.model.layout(), start, &self.counts, life, &self.settings, &|_| {})?;
        self.params.clone_from(&run.params);
        Ok(run)
    }

    /// The life is over: what it taught is kept. Nothing happens if nothing was seen.
    pub fn end_life(&mut self) -> Result<(), LearnError> {
        if self.life.is_empty() {
            return Ok(());
        }
        let run = self.learn_life();
        self.life = Sequence::new(self.model.layout());
        let run = run?;
        let own = run.counts.log_likelihood - self.counts.log_likelihood;
        self.curve.push(own);
        self.counts = run.counts;
        if self.memory < 1.0 {
            let mut kept = ExpectedCounts::new(self.model.layout());
            kept.add(&self.counts, self.memory);
            self.counts = kept;
        }
        self.lives += 1;
        Ok(())
    }

    /// Learns from a whole life at once, instead of the one that goes on.
    pub fn learn_from(&mut self, life: Sequence) -> Result<(), LearnError> {
        self.life = life;
        self.end_life()
    }

    /// The character as it is now, for playing.
    pub fn learned(&self) -> Learned {
        let run = Run {
            params: self.params.clone(),
            counts: self.counts.clone(),
            recipe: self.settings.recipe(),
            log_likelihood: self.curve.clone(),
            start: 0,
        };
        Learned::from_run(self.model.clone(), run, self.lives)
    }
}
