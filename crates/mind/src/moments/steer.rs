//! Steering: the keys that bring a body nearest to where the teacher was a moment later.
//!
//! Bodies are taken to move as in QuakeWorld (`glide`): on the ground keys are obeyed within a tenth of a second; in the air they
//! add speed only across the way one flies, and only as the view turns. Sixteen directions, at full and half speed, and no key at all are tried in the mind; what a person can press (eight directions) is preferred, and what the teacher
//! pressed even more.

use glam::DVec2;

use crate::glide::{RUN, glide};

/// Steps in which a moment is gone through.
const STEPS: u32 = 6;
/// Directions that are tried.
const DIRECTIONS: u32 = 16;
/// A key that is held for a part of the moment asks for a part of full speed.
const PACES: [f64; 2] = [1.0, 0.5];
/// What it costs to press what no key does, what the teacher did not press, and other keys than those that are held.
const ODD: f64 = 1.0;
const OTHER: [f64; 2] = [3.0, 1.0];
const CHANGE: f64 = 1.0;
/// A place or a velocity that is off by this much (metres, metres a second) costs 1, and so does a speed that is too low by [`LACK`]:
/// on the ground, and in the air, where speed is hard to gain.
const GROUND_SPREAD: [f64; 2] = [0.25, 1.5];
const AIR_SPREAD: [f64; 2] = [0.5, 2.0];
const LACK: [f64; 2] = [1.5, 0.4];

/// Keys whose directions are this near (squared) are the same.
const SAME: f64 = 0.05;

/// A body, and what is wanted of it.
pub(super) struct Steer {
    pub velocity: DVec2,
    /// Whether it will be on the ground: somebody who jumps now is not.
    pub on_ground: bool,
    pub yaw: f64,
    /// How far the view will turn.
    pub turn: f64,
    pub secs: f64,
    /// Where to be then, from here, and how fast.
    pub way: DVec2,
    pub then: DVec2,
    /// Forward and lateral, as they are held already.
    pub held: DVec2,
    /// Forward and lateral, as the teacher pressed.
    pub pressed: DVec2,
}

impl Steer {
    /// Forward and lateral.
    pub fn keys(&self) -> DVec2 {
        let mut best = (f64::INFINITY, DVec2::ZERO);
        let turned = |k: u32| std::f64::consts::TAU * f64::from(k) / f64::from(DIRECTIONS);
        let directions = (0..DIRECTIONS).flat_map(|k| {
            let (sin, cos) = libm::sincos(turned(k));
            let costs = if k % 2 == 0 { 0.0 } else { ODD };
            PACES.map(|pace| (DVec2::new(cos, sin) * pace, costs))
        });
        let pressed = self.pressed.normalize_or_zero();
        let held = self.held.normalize_or_zero();
        for (keys, costs) in std::iter::once((DVec2::ZERO, 0.0)).chain(directions) {
            let is = |other: DVec2| keys.normalize_or_zero().distance_squared(other) < SAME;
            let other = OTHER[usize::from(!self.on_ground)];
            let costs = costs
                + self.misses(keys)
                + if is(pressed) { 0.0 } else { other }
                + if is(held) { 0.0 } else { CHANGE };
            if costs < best.0 {
                best = (costs, keys);
            }
        }
        best.1
    }

    /// How far it would end from where it should; squared, in spreads.
    fn misses(&self, keys: DVec2) -> f64 {
        let secs = self.secs / f64::from(STEPS);
        let (mut velocity, mut way) = (self.velocity, DVec2::ZERO);
        let (angle, wanted) = (libm::atan2(keys.y, keys.x) + self.yaw, RUN * keys.length());
        for step in 1..=STEPS {
            let (sin, cos) = libm::sincos(angle + self.turn * f64::from(step) / f64::from(STEPS));
            let towards = DVec2::new(cos, sin);
            velocity = glide(velocity, (towards, wanted), self.on_ground, secs);
            way += velocity * secs;
        }
        let square = |x: DVec2, spread: f64| x.length_squared() / (spread * spread);
        let [place, speed] = if self.on_ground { GROUND_SPREAD } else { AIR_SPREAD };
        let lacks = (self.then.length() - velocity.length()).max(0.0) / LACK[usize::from(!self.on_ground)];
        square(way - self.way, place) + square(velocity - self.then, speed) + lacks * lacks
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn steer(velocity: DVec2, on_ground: bool) -> Steer {
        Steer {
            velocity,
            on_ground,
            yaw: 0.0,
            turn: 0.0,
            secs: 0.1,
            way: velocity * 0.1,
            then: velocity,
            held: DVec2::X,
            pressed: DVec2::X,
        }
    }

    #[test]
    fn who_is_on_the_trail_presses_what_the_teacher_pressed() {
        assert_eq!(steer(DVec2::new(10.0, 0.0), true).keys(), DVec2::X);
        let beside = Steer {
            way: DVec2::new(0.8, 0.6),
            then: DVec2::splat(7.0),
            ..steer(DVec2::new(10.0, 0.0), true)
        };
        assert!(beside.keys().y > 0.3, "back to the trail, to the left: {}", beside.keys());
    }

    #[test]
    fn who_turns_in_the_air_gains_speed_by_the_side_key() {
        let flies = DVec2::new(11.0, 0.0);
        let faster = Steer {
            turn: 0.3,
            then: DVec2::new(11.1, 1.9),
            way: DVec2::new(1.1, 0.1),
            pressed: DVec2::Y,
            held: DVec2::Y,
            ..steer(flies, false)
        };
        assert_eq!(faster.keys().round(), DVec2::Y);
    }
}
