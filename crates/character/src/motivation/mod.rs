//! Motivations: what speaks for or against doing something.
//!
//! Each motivation is an evaluator that gives an alternative a number: 1 is neutral, more attracts, less repels, 0
//! inhibits; the numbers are combined, by product unless another [`Combine`] is chosen, and the best alternative wins
//! (sections 4.2 and 5.3). Evaluators look at alternatives, not at single deeds, so that a character does not begin
//! something whose later steps it would refuse.
//!
//! | paper (section 5.4)        | evaluator       | looks at                                    |
//! |----------------------------|-----------------|---------------------------------------------|
//! | influence of the goals     | [`Influences`]  | what must be done: the goal                 |
//! | preferences, harmonic mean | [`Preferences`] | every deed of the alternative               |
//! | completion in time         | [`Time`]        | every deed's cost                           |
//! | multi-goal revaluation     | [`MultiGoal`]   | how many goals want this deed now           |
//! | inertia                    | [`Inertia`]     | the alternative chosen last                 |
//! | opportunism                | [`Opportunism`] | how near the target of what can be done is  |
//! | completion in space        | [`Walking`]     | the way through the whole alternative       |
//! | altruism (conclusion)      | [`Altruism`]    | whose goal it is                            |
//! | reputation (conclusion)    | [`Reputation`]  | how much who asks has earned                |
//!
//! Anything that implements [`Evaluator`] can be added.

mod evaluators;
pub mod numbers;

pub use evaluators::{
    Altruism, Inertia, Influences, MultiGoal, Opportunism, Preferences, Reputation, Time, Walking,
};

use crate::expression::{Condition, Test, compare};
use crate::goal::Goal;
use crate::memory::View;
use crate::reason::Deed;
use crate::vocabulary::Value;

/// An alternative as evaluators see it.
pub struct Candidate<'a> {
    /// The goal it is for.
    pub goal: &'a Goal,
    /// How much the goal matters now.
    pub influence: f64,
    /// What would be done, in order; the first can be done now.
    pub deeds: &'a [Deed],
    /// How many goals the first deed serves.
    pub goals_served: u32,
    /// Whether the first deed belongs to the alternative chosen last.
    pub in_last: bool,
    /// How well who asked for the goal is thought of; 1 for one's own goals.
    pub reputation: f64,
    /// What the character believes.
    pub view: &'a View<'a>,
}

impl Candidate<'_> {
    /// Whether the goal is another's.
    pub fn is_for_another(&self) -> bool {
        self.goal.whose != self.view.memory.owner
    }

    /// Steps to the target of the first deed; none if it has no place.
    pub fn steps_to_target(&self) -> Option<u32> {
        let memory = self.view.memory;
        let target = self.deeds.first()?.target()?;
        if memory.carries(target) {
            return Some(0);
        }
        let (from, to) = (memory.place(memory.owner)?, memory.place(target)?);
        self.view.space.steps(from, to)
    }

    /// How many times the character must walk to where the next deed can be done. What has no place yet is elsewhere.
    pub fn walks(&self) -> usize {
        let memory = self.view.memory;
        let mut from = memory.place(memory.owner);
        let mut walks = 0;
        for deed in self.deeds {
            let Some(target) = deed.target().filter(|&target| !memory.carries(target)) else { continue };
            let to = memory.place(target);
            if let Deed::Perform { interaction, .. } = deed {
                let far = from.zip(to).map_or(f64::INFINITY, |(from, to)| self.view.space.distance(from, to));
                walks += usize::from(asks_nearer(&self.view.laws.interaction(*interaction).guard, far));
            }
            from = to.or(from);
        }
        walks
    }

    /// Steps of the whole alternative, from target to target; what has no place yet costs no way.
    pub fn steps_of_all(&self) -> u32 {
        let memory = self.view.memory;
        let Some(mut from) = memory.place(memory.owner) else { return 0 };
        let mut steps = 0;
        for deed in self.deeds {
            let Some(to) = deed.target().and_then(|target| memory.place(target)) else { continue };
            steps += self.view.space.steps_when_open(from, to).unwrap_or(0);
            from = to;
        }
        steps
    }
}

/// Whether a guard cannot be met from so far away.
fn asks_nearer(guard: &Condition, far: f64) -> bool {
    match guard {
        Condition::Test(Test::Distance(_, _, op, limit)) => {
            !compare(Value::Number(far), *op, Value::Number(*limit))
        }
        Condition::Test(_) => false,
        Condition::All(parts) => parts.iter().any(|part| asks_nearer(part, far)),
        Condition::Any(parts) => !parts.is_empty() && parts.iter().all(|part| asks_nearer(part, far)),
    }
}

/// A motivation.
pub trait Evaluator: Send + Sync {
    /// Its name in tables and explanations.
    fn name(&self) -> &str;
    /// How much it speaks for an alternative: 1 is neutral, 0 forbids it.
    fn value(&self, candidate: &Candidate<'_>) -> f64;
    /// What the formula says where [`Evaluator::value`] is cut off at 0. Asked only when nothing is worth more than 0, and then
    /// the best of these is done all the same. `None`, the default, if a 0 of this motivation forbids the alternative.
    fn beyond(&self, _candidate: &Candidate<'_>) -> Option<f64> {
        None
    }
    /// Whether it looks at nothing but the deeds and how many goals they serve, so that what it says about an alternative
    /// holds as long as the alternative does.
    fn is_lasting(&self) -> bool {
        false
    }
}

/// How evaluations become one number.
pub trait Combine: Send + Sync {
    /// The combined value; the greatest wins, and what is not above 0 is not done.
    fn combine(&self, values: &[f64]) -> f64;

    /// The same for values some of which lie below 0 ([`Evaluator::beyond`]): never above 0, and the greatest wins. Their
    /// product, unless told otherwise; two negatives do not attract.
    fn combine_beyond(&self, values: &[f64]) -> f64 {
        -values.iter().product::<f64>().abs()
    }
}

/// The paper's combination (section 5.3): 1 changes nothing, 0 forbids whatever the others say.
#[derive(Clone, Copy, Debug, Default)]
pub struct Product;

impl Combine for Product {
    fn combine(&self, values: &[f64]) -> f64 {
        values.iter().product()
    }
}

/// The most pessimistic evaluator decides; the rest break ties by a thousandth.
#[derive(Clone, Copy, Debug, Default)]
pub struct Weakest;

impl Combine for Weakest {
    fn combine(&self, values: &[f64]) -> f64 {
        let least = values.iter().copied().fold(f64::INFINITY, f64::min);
        if least <= 0.0 || !least.is_finite() {
            return 0.0;
        }
        let product: f64 = values.iter().product();
        least + product / (1.0 + product) / 1000.0
    }

    fn combine_beyond(&self, values: &[f64]) -> f64 {
        values.iter().copied().fold(0.0, f64::min)
    }
}
