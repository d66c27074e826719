//! The numbers of movement, as data: QuakeWorld's by default, a server's where it announces them.

use serde::{Deserialize, Serialize};

use super::hull::Contents;

/// How bodies move. Units and seconds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct MoveRules {
    /// Fall, per second and second.
    pub gravity: f32,
    /// Below this speed friction is as strong as at it.
    pub stop_speed: f32,
    /// The speed that keys ask for at most.
    pub max_speed: f32,
    /// How fast a wanted speed is reached, per second, on the ground and in the air.
    pub accelerate: f32,
    /// The wanted speed that counts in the air: the less, the less one can steer there.
    pub air_speed: f32,
    /// How fast a wanted speed is reached in water, per second.
    pub water_accelerate: f32,
    /// Share of the wanted speed that is left in water.
    pub water_speed: f32,
    /// Friction on the ground, per second.
    pub friction: f32,
    /// How much stronger it is at the edge of a drop.
    pub edge_friction: f32,
    /// Friction in water, per second and level of water (1 feet, 2 waist, 3 eyes).
    pub water_friction: f32,
    /// Steps up to this height are walked up.
    pub step: f32,
    /// Upward speed of a jump.
    pub jump: f32,
    /// How much of a jump is given back that falling took from it, from 0 to 1 (`pm_ktjump`). In the original game nothing: who comes
    /// down at 256 units per second and jumps at once rises with 14. Kombat Teams and its successors give all of it back.
    pub kt_jump: f32,
    /// A body that rises faster than this has left the ground.
    pub lift_off: f32,
    /// The steepest ground: the upward part of its normal is at least this.
    pub ground_normal: f32,
}

impl Default for MoveRules {
    fn default() -> Self {
        MoveRules {
            gravity: 800.0,
            stop_speed: 100.0,
            max_speed: 320.0,
            accelerate: 10.0,
            air_speed: 30.0,
            water_accelerate: 10.0,
            water_speed: 0.7,
            friction: 4.0,
            edge_friction: 2.0,
            water_friction: 4.0,
            step: 18.0,
            jump: 270.0,
            kt_jump: 0.0,
            lift_off: 180.0,
            ground_normal: 0.7,
        }
    }
}

/// What holds on maps of Quake beside the arena's own rules.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct QuakeRules {
    /// How bodies move.
    pub movement: MoveRules,
    /// A fall that ends faster than this hurts, in units per second.
    pub safe_fall: f32,
    /// Health that slime costs, per second and level (1 feet, 2 waist, 3 eyes).
    pub slime_per_sec: f64,
    /// Health that lava costs, per second and level.
    pub lava_per_sec: f64,
}

impl Default for QuakeRules {
    fn default() -> Self {
        // Servers of today give back what falling took from a jump.
        let movement = MoveRules { kt_jump: 1.0, ..MoveRules::default() };
        QuakeRules { movement, safe_fall: 650.0, slime_per_sec: 4.0, lava_per_sec: 50.0 }
    }
}

impl QuakeRules {
    pub(crate) fn is_usual(&self) -> bool {
        *self == QuakeRules::default()
    }

    /// Health that a liquid costs, per second and level.
    pub fn harm_per_sec(&self, liquid: Contents) -> f64 {
        match liquid {
            Contents::Slime => self.slime_per_sec,
            Contents::Lava => self.lava_per_sec,
            _ => 0.0,
        }
    }
}
