//! Too close for a rocket: its burst hurts whoever fires it, so nobody fires at somebody, or at a wall, that is nearer than it
//! reaches.
//!
//! One rule with the distances of whoever asks: a native bot's hand, a task's motor program (which leaves a little more room, as
//! it aims less well), what an imitator senses, and Doom's launcher, whose rockets leave late and reach farther.

use crate::{Weapon, arms};

/// How near a rocket may burst without hurting whoever fires it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Blast {
    /// An enemy must be farther than this.
    pub foe_m: f64,
    /// A wall in the rocket's way must be farther than this.
    pub wall_m: f64,
}

/// Beyond this a rocket takes too long to hit anybody.
const FAR_M: f64 = 30.0;

impl Blast {
    /// As a hand that aims knows it.
    pub const HAND: Blast = Blast { foe_m: 4.0, wall_m: 4.0 };
    /// As the tasks' motor programs know it.
    pub const PROGRAM: Blast = Blast { foe_m: 4.5, wall_m: 4.5 };

    /// Whether a weapon may be fired at an enemy, with a wall that far behind or beside it.
    pub fn allows(&self, weapon: Weapon, foe_m: f64, wall_m: f64) -> bool {
        !arms::row(weapon).bursts() || (foe_m > self.foe_m && !self.is_cramped(wall_m))
    }

    /// Whether a wall is too near.
    pub fn is_cramped(&self, wall_m: f64) -> bool {
        wall_m <= self.wall_m
    }

    /// Whether an enemy is too near.
    pub fn is_too_close(&self, foe_m: f64) -> bool {
        foe_m < self.foe_m
    }

    /// Whether rockets are the weapon for a distance.
    pub fn suits(&self, foe_m: f64) -> bool {
        !self.is_too_close(foe_m) && foe_m < FAR_M
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_rockets_need_room() {
        for (weapon, foe_m, wall_m, fires) in [
            (Weapon::Medium, 0.5, 0.5, true),
            (Weapon::Strong, 4.0, 9.0, false),
            (Weapon::Strong, 9.0, 4.0, false),
            (Weapon::Strong, 4.1, 4.1, true),
            (Weapon::RocketLauncher, 3.0, 9.0, false),
            (Weapon::LightningGun, 3.0, 0.5, true),
        ] {
            assert_eq!(Blast::HAND.allows(weapon, foe_m, wall_m), fires, "{weapon} {foe_m} {wall_m}");
        }
        assert!(Blast::HAND.suits(4.0) && !Blast::HAND.suits(3.9) && !Blast::HAND.suits(30.0));
    }
}
