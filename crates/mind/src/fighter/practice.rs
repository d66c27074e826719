//! Practice: hands that get better the more they shoot at somebody.
//!
//! `left(n) = 1 / (1 + n / half)` of the way from its first hands to its practised ones is still ahead after `n` shots: the law of practice
//! with exponent 1 (Newell and Rosenbloom 1981; a hyperbola fits what single learners do, Mazur and Hastie 1978).
//!
//! | paper  | code         | meaning                                                |
//! |--------|--------------|--------------------------------------------------------|
//! | `n`    | `shots`      | shots at somebody in view, in all lives                |
//! | `half` | `half_shots` | after these half of the way is made                    |
//!
//! Differs from the papers: what gets better is not the time for a deed but the whole of a hand's [`Skill`], and the best is not zero but
//! the skill of another level.

use serde::{Deserialize, Serialize};

use super::skill::Skill;
use crate::{Command, Fire};

/// How hands get better: part of the design.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Practising {
    /// What its hands come near to.
    pub best: Skill,
    /// After this many shots half of the way is made.
    pub half_shots: f64,
}

/// How much hands have practised.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Practice {
    pub shots: u32,
}

impl Practice {
    /// The skill that practice has made of first hands.
    pub fn skill(self, first: &Skill, practising: &Practising) -> Skill {
        first.towards(&practising.best, 1.0 - self.left(practising))
    }

    /// How much of the way is still ahead, from 1 down to 0.
    pub fn left(self, practising: &Practising) -> f64 {
        1.0 / (1.0 + f64::from(self.shots) / practising.half_shots)
    }

    /// What it has learned, in words.
    pub fn told(self, practising: &Practising) -> String {
        let part = 100.0 * (1.0 - self.left(practising));
        format!("hands {part:.0} % of the way to practised ones after {} shots", self.shots)
    }

    /// Counts a shot at somebody.
    pub fn note(&mut self, command: &Command) {
        self.shots = self.shots.saturating_add(u32::from(command.fire != Fire::None));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_of_the_way_is_made_after_as_many_shots_as_the_design_says() {
        let (first, best) = (Skill::of_level(3), Skill::of_level(7));
        let practising = Practising { best, half_shots: 40.0 };
        let after = |shots: u32| Practice { shots }.skill(&first, &practising);
        assert_eq!(after(0), first);
        assert!((after(40).lead - (first.lead + best.lead) / 2.0).abs() < 1e-12);
        assert!(after(120).aim_error < after(40).aim_error && after(1_000_000).aim_error > best.aim_error);
    }
}
