//! Bodies in Quake's hulls, by QuakeWorld's rules.
//!
//! Simplified for characters that only run, turn and jump: whoever is waist-deep in a liquid rises, as if they held the jump key, so
//! that nobody dives; and who wants to jump jumps whenever they stand, without releasing the key first.

use glam::DVec3;

use super::{Body, Moved, Wish};
use crate::arena::map::Start;
use crate::arena::rules::Rules;
use crate::arena::space::Hulls;
use crate::arena::space::hulls::{HullScene, feet_of, metres, origin_of};
use crate::quake::stage::FEET;
use crate::quake::{self, Contents, Solid, UNITS_PER_METRE, Vec3};

/// The middle of a body above its origin.
const WAIST: f32 = 4.0;
/// A lift that has risen this far into a body's feet takes it along.
const TAKEN_ALONG_M: f64 = 1.0;
/// A body that stood this far above a lift is still on it after the lift went down.
const GOES_ALONG_M: f64 = 0.3;
/// Steps in the air are divided into this many.
const AIR_PARTS: u8 = 3;
/// Whoever is slower than this does not gain speed by strafing.
const FAST_M_PER_SEC: f64 = 8.0;
/// The square of the cosine between where one runs and where one wants to go, below which one strafes: 15 degrees.
const ACROSS: f64 = 0.93;
/// Others farther away cannot be met within a step.
const NEAR_M: f64 = 4.0;
/// More than these cannot be that near.
const MOST_NEAR: usize = 16;

impl Body {
    pub(super) fn step_in_hulls(
        &mut self,
        hulls: &Hulls,
        lifts_m: &[f64],
        rules: &Rules,
        exits: &[Start],
        wish: Wish,
        others: &[DVec3],
    ) -> Moved {
        let (near, count) = near_others(self.position, others);
        let scene = hulls.scene(lifts_m, &near[..count]);
        self.ride(hulls, lifts_m);
        let (was_on_ground, fell_m_per_sec) = (self.on_ground, -self.velocity.z);
        let mut body = quake::Body {
            origin: origin_of(self.position),
            velocity: (self.velocity * f64::from(UNITS_PER_METRE)).as_vec3().to_array(),
            water_jump_secs: self.thrown_secs,
            ..quake::Body::default()
        };
        let swims = scene.liquid(body.origin, WAIST).is_some();
        let speed = (wish.way.length() * f64::from(UNITS_PER_METRE)) as f32;
        let command =
            quake::Command { wish: [speed, 0.0, 0.0], jump: wish.jump || swims, ..quake::Command::default() };
        // In the air speed is gained with every step and by turning, so that few long ones would make everybody slow.
        let parts = if was_on_ground && !self.strafes(&wish) { 1 } else { AIR_PARTS };
        let yaw = libm::atan2(wish.way.y, wish.way.x);
        for part in 1..=parts {
            let left = 1.0 - f64::from(part) / f64::from(parts);
            let command = quake::Command { yaw_deg: (yaw - wish.turn * left).to_degrees() as f32, ..command };
            let secs = rules.step_secs() as f32 / f32::from(parts);
            body.advance(&scene.0, &rules.quake.movement, &command, secs);
        }
        *self = Body {
            position: feet_of(body.origin),
            velocity: metres(body.velocity),
            on_ground: body.is_on_ground,
            thrown_secs: body.water_jump_secs,
        };
        if let Some(push) = hulls.stage().push_at(body.origin) {
            self.velocity = metres(push.velocity);
        }
        let mut moved = Moved { is_afloat: body.water_level == 2, ..Moved::default() };
        if let Some(teleporter) = hulls.stage().teleporter_at(body.origin)
            && let Some(exit) = exits.get(teleporter.exit)
            && let Some(place) = scene.floor_under(exit.at.extend(exit.height_m.unwrap_or_default()))
        {
            *self = Body::at(place);
            return Moved { exit: Some(teleporter.exit), ..Moved::default() };
        }
        if body.water_level > 0
            && let Some(liquid) = scene.liquid(body.origin, FEET + 1.0)
        {
            moved.harm_per_sec = rules.quake.harm_per_sec(liquid) * f64::from(body.water_level);
        }
        let lands = body.is_on_ground && !was_on_ground && body.water_level == 0;
        moved.landed_m_per_sec = lands.then_some(fell_m_per_sec.max(0.0));
        moved
    }

    /// Whether it runs fast, and across where it wants to go: those who do so while they turn become faster than others run.
    fn strafes(&self, wish: &Wish) -> bool {
        let velocity = self.velocity.truncate();
        let along = velocity.dot(wish.way);
        let fast = velocity.length_squared() > FAST_M_PER_SEC * FAST_M_PER_SEC;
        fast && along * along < ACROSS * velocity.length_squared() * wish.way.length_squared()
    }

    /// Goes up and down with the lift under its feet.
    fn ride(&mut self, hulls: &Hulls, lifts_m: &[f64]) {
        let Some(lift) = hulls.stage().lift_below(origin_of(self.position)) else { return };
        let Some(&floor_m) = lifts_m.get(lift) else { return };
        let above_m = self.position.z - floor_m;
        let is_taken = above_m < 0.0 && above_m > -TAKEN_ALONG_M;
        let follows = self.on_ground && above_m > 0.0 && above_m < GOES_ALONG_M;
        if is_taken || follows {
            // A hair above it, as bodies stand.
            self.position.z = floor_m + 1.0 / 1024.0;
            self.velocity.z = self.velocity.z.max(0.0);
        }
    }
}

impl HullScene<'_> {
    /// The liquid at a height above an origin.
    fn liquid(&self, origin: Vec3, above: f32) -> Option<Contents> {
        let contents = self.0.contents([origin[0], origin[1], origin[2] + above]);
        contents.is_liquid().then_some(contents)
    }
}

/// The origins of others who are near enough to be met, without allocating.
fn near_others(at: DVec3, others: &[DVec3]) -> ([Vec3; MOST_NEAR], usize) {
    let mut near = [[0.0; 3]; MOST_NEAR];
    let is_near = |other: &&DVec3| other.distance_squared(at) < NEAR_M * NEAR_M;
    let mut count = 0;
    for (slot, other) in near.iter_mut().zip(others.iter().filter(is_near)) {
        *slot = origin_of(*other);
        count += 1;
    }
    (near, count)
}
