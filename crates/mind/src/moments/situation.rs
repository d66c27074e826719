//! A moment as numbers: two moments are as alike as these are near.

use glam::{DVec2, DVec3};

use crate::arms::Lay;
use crate::{Own, RAYS, turn_between};

/// Numbers of a situation.
pub const FEATURES: usize = 23;
/// Which of them says whether an opponent is in view.
pub(super) const FOE: usize = 12;

/// What a situation is made of.
pub(super) struct Scene<'a> {
    pub own: &'a Own,
    /// Turns and tilts of the last four ticks, the newest first.
    pub turned: [[f64; 2]; 4],
    /// Where the route leads: soon, and later.
    pub ahead: [Option<DVec3>; 2],
    /// The turn and the tilt to face an opponent in view, and how far they are.
    pub foe: Option<[f64; 3]>,
    /// Whether it fired last.
    pub fired: bool,
    /// How far walls are: ahead, to the left of that, to the right.
    pub walls_m: [f64; 3],
}

/// How far something must be to have a direction.
const NEAR_M: f64 = 0.4;

impl Scene<'_> {
    /// The numbers. How much each counts was set by hand, so that a difference of 1 in one is as bad as in another.
    pub fn numbers(&self) -> [f32; FEATURES] {
        let own = self.own;
        let (sin, cos) = libm::sincos(own.yaw);
        let seen = |way: DVec2| DVec2::new(way.x * cos + way.y * sin, way.y * cos - way.x * sin);
        let velocity = seen(own.velocity.truncate()) / 4.0;
        let direction = |to: Option<DVec3>| {
            let way = to.map_or(DVec2::ZERO, |to| (to - own.position).truncate());
            if way.length() < NEAR_M { DVec2::ZERO } else { seen(way.normalize()) }
        };
        // In a fight people do not run to somewhere.
        let ahead = if self.foe.is_some() { [None; 2] } else { self.ahead };
        let [soon, later] = ahead.map(direction);
        // How far it leads tells those who get on from those who turn round in a fight.
        let far = |to: Option<DVec3>| to.map_or(0.0, |to| (to - own.position).truncate().length());
        let [soon_m, later_m] = ahead.map(far);
        let [now, before, ..] = self.turned;
        let lately: f64 = self.turned.iter().map(|turn| turn[0]).sum();
        let [turn, tilt, distance_m] = self.foe.unwrap_or([0.0, 0.0, 1.0]);
        let is = |is: bool| f64::from(u8::from(is));
        // Walls matter when they are near.
        let [wall, wall_left, wall_right] = self.walls_m.map(|far_m| libm::log(far_m.clamp(0.5, 6.0)));
        [
            velocity.x,
            velocity.y,
            own.velocity.z / 5.0,
            4.0 * now[0],
            3.0 * before[0],
            1.5 * lately,
            2.0 * own.pitch,
            4.0 * now[1],
            2.5 * soon.x,
            2.5 * soon.y,
            1.5 * later.x,
            1.5 * later.y,
            4.0 * is(self.foe.is_some()),
            3.0 * turn.clamp(-1.5, 1.5),
            2.0 * tilt.clamp(-1.0, 1.0),
            0.7 * libm::log(distance_m.clamp(1.0, 60.0)),
            4.0 * is(own.on_ground),
            is(self.fired),
            0.3 * soon_m.min(12.0),
            0.1 * later_m.min(24.0),
            wall,
            wall_left,
            wall_right,
        ]
        .map(|number| number as f32)
    }
}

/// How far walls are ahead, and to the left and right of that, of all that are felt.
pub(super) fn walls_m(rays_m: &[f64; RAYS]) -> [f64; 3] {
    [rays_m[0], rays_m[1], rays_m[RAYS - 1]]
}

/// The turn and the tilt to face the middle of somebody, and how far they are.
pub(super) fn facing(own: &Own, feet: DVec3) -> [f64; 3] {
    let bearing = own.bearing(feet + DVec3::new(0.0, 0.0, 0.9));
    [bearing.yaw, bearing.pitch, bearing.distance_m]
}

/// The same for the point that a shot at somebody has to be aimed at: ahead of where they run by as long as it flies, at their feet with
/// what bursts. People see this as the middle of whom they fight, and are off from it by as much.
pub(super) fn laid(own: &Own, feet: DVec3, velocity: DVec3, lead: f64) -> [f64; 3] {
    let distance_m = feet.distance(own.position);
    let lay = Lay::of(own.weapon, distance_m, velocity.z);
    let at = feet + velocity.with_z(0.0) * lead * lay.flight_secs + DVec3::new(0.0, 0.0, lay.height_m);
    let bearing = own.bearing(at);
    [bearing.yaw, bearing.pitch + lay.tilt, distance_m]
}

/// The turn and the tilt from one tick to the next.
pub(super) fn turned(before: &Own, now: &Own) -> [f64; 2] {
    [turn_between(before.yaw, now.yaw), now.pitch - before.pitch]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Weapon;

    #[test]
    fn a_rocket_is_laid_ahead_of_whom_it_is_for_and_lightning_is_not() {
        let mut own = Own { eye_m: 1.4, ..Own::default() };
        let (feet, velocity) = (DVec3::new(15.0, 0.0, 0.0), DVec3::new(0.0, 8.0, 0.0));
        own.weapon = Weapon::LightningGun;
        assert!(laid(&own, feet, velocity, 1.0)[0].abs() < 1e-12);
        own.weapon = Weapon::RocketLauncher;
        let [yaw, pitch, _] = laid(&own, feet, velocity, 1.0);
        let half = laid(&own, feet, velocity, 0.5)[0];
        assert!(half > 0.05 && yaw > 1.5 * half, "{half} {yaw}");
        assert!(pitch < 0.0, "at the feet");
    }
}
