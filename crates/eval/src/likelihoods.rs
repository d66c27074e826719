//! How learning by imitation proceeds: the parts of the likelihood over iterations, and what lives learned before are worth.
//!
//! **Parts** (Tencé 2011, figures 4.24 to 4.27): several lives of one length are each learned by themselves, all from the same random
//! numbers, and the parts of what EM raises are noted before every iteration ([`repertoire_chameleon::partial`]).
//!
//! **Lives** (figure 4.28): with what was learned from `n` lives, how probable are lives that were not learned from, as it is and after
//! learning each of them from there? The thesis merges the numbers of single lives; here learning from `n` lives is one EM over all of
//! them. Its third curve, time, is the number of iterations, which no machine changes.

use std::sync::Arc;

use rayon::prelude::*;
use repertoire_chameleon::learn::{from_params, log_likelihood};
use repertoire_chameleon::partial::{Partial, partial};
use repertoire_chameleon::{
    Attention, EmSettings, ExpectedCounts, Impossible, LearnError, Model, Params, Pass, Sequence, maximise,
};
use repertoire_mind::chameleon::{Joined, Watcher};
use repertoire_mind::tasks::CannotSense;
use repertoire_prob::Stream;
use serde::Serialize;

use crate::lesson::show_live;
use crate::practice::{Make, Practice};

/// What is learned, and how.
pub struct Learnings {
    /// Where the teacher plays.
    pub practice: Practice,
    /// Who teaches.
    pub teacher: Make,
    /// What is learned of it.
    pub model: Model,
    /// The length of a life, in ticks; longer ones are cut to their end.
    pub ticks: usize,
    /// How many lives are learned one by one.
    pub lives: usize,
    /// Iterations of each.
    pub iterations: usize,
    /// Whether attention is learned; the thesis's was given.
    pub attention: Attention,
    /// Random seed of the first numbers.
    pub seed: u64,
}

/// Why nothing can be shown.
#[derive(Debug, thiserror::Error)]
pub enum LearningsError {
    /// The model has words that characters do not.
    #[error(transparent)]
    Words(#[from] CannotSense),
    /// The teacher did not live for long enough.
    #[error(
        "the teacher had {found} lives of that length, {needed} are needed\n  remedy: longer matches, or shorter lives"
    )]
    TooFew {
        /// How many there were.
        found: usize,
        /// How many there should be.
        needed: usize,
    },
    /// EM failed.
    #[error(transparent)]
    Learn(#[from] LearnError),
}

/// What came of it.
#[derive(Clone, Debug, Serialize)]
pub struct Learned {
    /// For each life, the parts before each iteration and after the last, in nats.
    pub parts: Vec<Vec<Partial>>,
    /// What learning from lives is worth for others.
    pub merged: Vec<Merged>,
}

/// Lives that were not learned from, after learning from others.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Merged {
    /// From how many lives was learned; 0 for random numbers.
    pub lives: usize,
    /// Mean `ln P` of a life as it is.
    pub before: f64,
    /// Mean `ln P` after learning it from there.
    pub after: f64,
    /// Mean number of iterations that took.
    pub iterations: f64,
}

fn impossible(why: Impossible) -> LearnError {
    LearnError::Impossible { sequence: 0, why }
}

/// Lives kept aside.
const ASIDE: usize = 10;

impl Learnings {
    /// Lets the teacher play, and learns. `done` hears of each life that was learned by itself.
    ///
    /// # Errors
    /// If the teacher had too few lives, or the model does not fit.
    pub fn learn(&self, done: &(dyn Fn() + Sync)) -> Result<Learned, LearningsError> {
        let mut watcher = Watcher::new(Arc::new(Joined::new(&self.model)?), 0);
        show_live(&self.practice, &self.teacher, 0, &mut watcher, &|| ());
        let body = watcher.body().body();
        let lives = watcher.finish(self.ticks, &body);
        let lives: Vec<Sequence> = lives.iter().map(|life| life.tail(self.ticks)).collect();
        let needed = self.lives + ASIDE;
        if lives.len() < needed {
            return Err(LearningsError::TooFew { found: lives.len(), needed });
        }
        let (shown, aside) = lives.split_at(lives.len() - ASIDE);
        let alone = |life: &Sequence| {
            let parts = self.alone(life);
            done();
            parts
        };
        let parts: Result<Vec<_>, _> = shown[..self.lives].par_iter().map(alone).collect();
        let counts = [0, 1, 2, 5, 10, 20, 50, 100].into_iter().filter(|&count| count <= shown.len());
        let merged = counts.map(|count| self.merged(&shown[..count], aside)).collect::<Result<_, _>>()?;
        Ok(Learned { parts: parts?, merged })
    }

    fn first(&self) -> Params {
        let mut stream = Stream::new(self.seed, 0, "likelihoods");
        Params::random(self.model.layout(), &mut stream).with_attention_of(&self.model)
    }

    fn alone(&self, life: &Sequence) -> Result<Vec<Partial>, LearnError> {
        let (layout, mut pass, mut params) = (self.model.layout(), Pass::new(), self.first());
        let mut parts = Vec::with_capacity(self.iterations + 1);
        for _ in 0..self.iterations {
            parts.push(partial(layout, &params, life, &mut pass).map_err(impossible)?);
            let mut counts = ExpectedCounts::new(layout);
            counts.add_sequence(layout, &params, life, &mut pass).map_err(impossible)?;
            maximise(layout, &mut params, &counts, 0.0, self.attention);
        }
        parts.push(partial(layout, &params, life, &mut pass).map_err(impossible)?);
        Ok(parts)
    }

    fn merged(&self, lives: &[Sequence], aside: &[Sequence]) -> Result<Merged, LearnError> {
        let layout = self.model.layout();
        let settings = EmSettings { attention: self.attention, ..EmSettings::default() };
        let params = match lives {
            [] => self.first(),
            lives => from_params(layout, self.first(), lives, &settings, &|_| ())?.params,
        };
        let one = |life: &Sequence| {
            let before = log_likelihood(layout, &params, life, &mut Pass::new()).map_err(impossible)?;
            let run = from_params(layout, params.clone(), std::slice::from_ref(life), &settings, &|_| ())?;
            let curve = &run.log_likelihood;
            Ok((before, curve.last().copied().unwrap_or(before), curve.len() as f64 - 1.0))
        };
        let each = aside.par_iter().map(one).collect::<Result<Vec<_>, LearnError>>()?;
        let mean = |of: fn(&(f64, f64, f64)) -> f64| each.iter().map(of).sum::<f64>() / each.len() as f64;
        Ok(Merged {
            lives: lives.len(),
            before: mean(|one| one.0),
            after: mean(|one| one.1),
            iterations: mean(|one| one.2),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use repertoire_chameleon::model;
    use repertoire_mind::fighter::Fighter;
    use repertoire_worlds::arena::level::Level;
    use repertoire_worlds::arena::map::{file, shipped::shipped};

    #[test]
    fn learning_raises_the_likelihood_and_lives_help_to_explain_others() {
        let map = file::read(shipped("yard").unwrap()).unwrap().map;
        let level = Arc::new(Level::new(map).unwrap());
        let learnings = Learnings {
            practice: Practice { level, match_secs: 400.0, seed: 3 },
            teacher: Arc::new(|| Box::new(Fighter::native(1))),
            model: model::shipped("thesis").unwrap().with_decisions(3).unwrap(),
            ticks: 40,
            lives: 3,
            iterations: 6,
            attention: Attention::Fixed,
            seed: 1,
        };
        let learned = learnings.learn(&|| ()).unwrap();
        assert_eq!((learned.parts.len(), learned.parts[0].len()), (3, 7));
        for parts in &learned.parts {
            let totals: Vec<f64> = parts.iter().map(Partial::total).collect();
            assert!(totals[6] > totals[0] + 10.0, "{totals:?}");
        }
        let (none, last) = (learned.merged[0], learned.merged[learned.merged.len() - 1]);
        assert!(last.before > none.before && none.after > none.before, "{none:?} {last:?}");
        let impossible = Learnings { ticks: 100_000, ..learnings };
        assert!(matches!(impossible.learn(&|| ()), Err(LearningsError::TooFew { .. })));
    }
}
