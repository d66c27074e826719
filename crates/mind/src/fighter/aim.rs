//! Aiming: ahead of where a target runs, with a hand that is never quite still.

use crate::{Command, Fire, Percept};
use repertoire_prob::Stream;
use serde::{Deserialize, Serialize};

use super::skill::Skill;
use crate::arms::lay_at;
use crate::blast::Blast;
use crate::memory::Enemy;

/// How much of the last error stays: the hand drifts, it does not jump.
const STEADINESS: f64 = 0.8;

/// Where the hand is off.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Aim {
    yaw: f64,
    pitch: f64,
}

impl Aim {
    /// Lets the hand drift.
    pub fn wander(&mut self, error: f64, draw: &mut Stream) {
        let kick = error * (1.0 - STEADINESS * STEADINESS).sqrt();
        let radius = (-2.0 * libm::log(1.0 - draw.unit())).sqrt();
        let (sin, cos) = libm::sincos(std::f64::consts::TAU * draw.unit());
        self.yaw = STEADINESS * self.yaw + kick * radius * cos;
        self.pitch = STEADINESS * self.pitch + 0.5 * kick * radius * sin;
    }

    /// Turns towards an enemy, and fires if the weapon points at it as far as the bot can tell.
    pub fn at_enemy(&self, percept: &Percept, enemy: &Enemy, skill: &Skill) -> Command {
        let own = &percept.own;
        let distance = enemy.position.distance(own.position);
        let (yaw, pitch) = lay_at(own, (enemy.position, enemy.velocity), skill.lead, percept.period_secs);
        let (yaw, pitch) = (yaw + self.yaw, pitch + self.pitch);
        let most = skill.turn_per_sec * percept.period_secs;
        let after = (yaw.abs() - most).max(0.0);
        let width = libm::atan2(0.6, distance) + 0.03;
        // Beginners do not know better.
        let safe = Blast::HAND.allows(own.weapon, distance, percept.rays_m[0]) || skill.lead < 0.2;
        let fire = if after < width && own.ready && safe { Fire::Primary } else { Fire::None };
        Command { yaw, pitch, fire, ..Command::default() }
    }
}
