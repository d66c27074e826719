//! The motivations themselves.

use super::{Candidate, Evaluator, numbers};
use crate::reason::Deed;

/// The goal's own importance.
#[derive(Clone, Copy, Debug, Default)]
pub struct Influences;

impl Evaluator for Influences {
    fn name(&self) -> &str {
        "influence"
    }
    fn value(&self, candidate: &Candidate<'_>) -> f64 {
        candidate.influence.max(0.0)
    }
}

/// How much the character likes to do what the alternative asks for.
#[derive(Clone, Debug)]
pub struct Preferences {
    /// The preference of each interaction, by its number.
    pub interactions: Vec<f64>,
    /// That of exploring.
    pub explore: f64,
    /// That of walking to where something is done; none is neutral, and ways are then not looked at.
    pub walk: Option<f64>,
}

impl Preferences {
    /// The preference of a deed.
    pub fn of(&self, deed: Deed) -> f64 {
        match deed {
            Deed::Perform { interaction, .. } => {
                self.interactions.get(interaction.index()).copied().unwrap_or(1.0)
            }
            Deed::Explore => self.explore,
            Deed::Approach(_) | Deed::Avoid(_) => self.walk.unwrap_or(1.0),
            Deed::Go(_) | Deed::Case(_) => 1.0,
        }
    }
}

impl Evaluator for Preferences {
    fn name(&self) -> &str {
        "preferences"
    }
    fn value(&self, candidate: &Candidate<'_>) -> f64 {
        let deeds = candidate.deeds.iter().map(|&deed| self.of(deed));
        match self.walk {
            None => numbers::preference(deeds),
            // Each walk is a deed among the others (figure 4).
            Some(walk) => numbers::preference(deeds.chain(std::iter::repeat_n(walk, candidate.walks()))),
        }
    }
    fn is_lasting(&self) -> bool {
        self.walk.is_none()
    }
}

/// Whether it is quickly done.
#[derive(Clone, Debug)]
pub struct Time {
    /// What takes longer is disliked.
    pub theta: f64,
    /// The cost of each interaction, by its number.
    pub costs: Vec<f64>,
    /// That of exploring.
    pub explore: f64,
    /// That of a step of the way; the paper counts none.
    pub step: f64,
}

impl Time {
    /// The cost of a deed, without the way to it.
    pub fn of(&self, deed: Deed) -> f64 {
        match deed {
            Deed::Perform { interaction, .. } => self.costs.get(interaction.index()).copied().unwrap_or(1.0),
            Deed::Explore => self.explore,
            // Steps are counted apart.
            Deed::Approach(_) | Deed::Avoid(_) | Deed::Go(_) | Deed::Case(_) => 0.0,
        }
    }
}

impl Time {
    /// What the whole alternative costs.
    fn cost(&self, candidate: &Candidate<'_>) -> f64 {
        let deeds: f64 = candidate.deeds.iter().map(|&deed| self.of(deed)).sum();
        if self.step > 0.0 { deeds + self.step * f64::from(candidate.steps_of_all()) } else { deeds }
    }
}

impl Evaluator for Time {
    fn name(&self) -> &str {
        "time"
    }
    fn value(&self, candidate: &Candidate<'_>) -> f64 {
        numbers::completion(self.theta, self.cost(candidate))
    }
    fn beyond(&self, candidate: &Candidate<'_>) -> Option<f64> {
        Some(numbers::printed_completion(self.theta, self.cost(candidate)))
    }
    fn is_lasting(&self) -> bool {
        self.step <= 0.0
    }
}

/// Whether the way is short.
#[derive(Clone, Copy, Debug)]
pub struct Walking {
    /// What is farther is disliked.
    pub theta: f64,
}

impl Evaluator for Walking {
    fn name(&self) -> &str {
        "space"
    }
    fn value(&self, candidate: &Candidate<'_>) -> f64 {
        numbers::completion(self.theta, f64::from(candidate.steps_of_all()))
    }
    fn beyond(&self, candidate: &Candidate<'_>) -> Option<f64> {
        Some(numbers::printed_completion(self.theta, f64::from(candidate.steps_of_all())))
    }
}

/// Whether it serves several goals at once.
#[derive(Clone, Copy, Debug, Default)]
pub struct MultiGoal;

impl Evaluator for MultiGoal {
    fn name(&self) -> &str {
        "multi"
    }
    fn value(&self, candidate: &Candidate<'_>) -> f64 {
        numbers::multi(candidate.goals_served)
    }
    fn is_lasting(&self) -> bool {
        true
    }
}

/// Going on with what was begun.
#[derive(Clone, Copy, Debug)]
pub struct Inertia {
    /// The bonus.
    pub theta: f64,
}

impl Evaluator for Inertia {
    fn name(&self) -> &str {
        "inertia"
    }
    fn value(&self, candidate: &Candidate<'_>) -> f64 {
        numbers::inertia(self.theta, candidate.in_last)
    }
}

/// Taking what is near.
#[derive(Clone, Copy, Debug)]
pub struct Opportunism {
    /// What is farther is not near.
    pub theta: f64,
}

impl Evaluator for Opportunism {
    fn name(&self) -> &str {
        "opportunism"
    }
    fn value(&self, candidate: &Candidate<'_>) -> f64 {
        // Exploring has no target, and is neither near nor far.
        candidate.steps_to_target().map_or(1.0, |steps| numbers::opportunism(self.theta, f64::from(steps)))
    }
}

/// Helping others.
#[derive(Clone, Copy, Debug)]
pub struct Altruism {
    /// What another's goal is worth beside one's own: 0 never helps, 1 makes no difference.
    pub theta: f64,
}

impl Evaluator for Altruism {
    fn name(&self) -> &str {
        "altruism"
    }
    fn value(&self, candidate: &Candidate<'_>) -> f64 {
        numbers::altruism(self.theta, candidate.is_for_another())
    }
}

/// Helping those who deserve it.
#[derive(Clone, Copy, Debug)]
pub struct Reputation {
    /// How much that counts: 0 not at all.
    pub theta: f64,
}

impl Evaluator for Reputation {
    fn name(&self) -> &str {
        "reputation"
    }
    fn value(&self, candidate: &Candidate<'_>) -> f64 {
        if candidate.is_for_another() { numbers::reputation(self.theta, candidate.reputation) } else { 1.0 }
    }
}
