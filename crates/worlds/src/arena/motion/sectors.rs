//! Bodies among areas bounded by lines.
//!
//! A body is an upright cylinder. Each step it moves and is then pushed out of what it overlaps; its middle never
//! moves farther in one go than its radius, so that it cannot pass a wall. If it cannot be freed it stays where it
//! was: nothing can push a character out of the world. It stands on the highest floor under any part of it.

use glam::{DVec2, DVec3};

use super::{Body, Moved, Wish};
use crate::arena::map::Start;
use crate::arena::rules::Rules;
use crate::arena::rules::body::{AIR_STEP_M, HEIGHT_M, RADIUS_M, STEP_M};
use crate::arena::space::{self, Edge, SectorScene};

/// The farthest a body's middle moves before it is freed from what it overlaps.
const LONGEST_MOVE_M: f64 = 0.4;
/// How often it is pushed out of one thing after another.
const PUSHES: usize = 6;
/// Overlaps this small do not matter.
const SKIN_M: f64 = 1e-4;
/// A body's middle is clear of what is at least so far away.
const CLEAR_M: f64 = RADIUS_M - SKIN_M;
/// How far a step frees a body from what it overlapped before.
const RELEASE_M: f64 = 0.05;

impl Body {
    /// Moves it for one step towards a wanted speed, around the bodies of others.
    pub(super) fn step_in_sectors(
        &mut self,
        scene: SectorScene<'_>,
        rules: &Rules,
        exits: &[Start],
        Wish { way: wish, jump, .. }: Wish,
        others: &[DVec3],
    ) -> Moved {
        let secs = rules.step_secs();
        let most = secs * if self.on_ground { rules.ground_m_per_sec2 } else { rules.air_m_per_sec2 };
        let flat = self.velocity.truncate();
        // In the air a body that wants nothing keeps its speed; on the ground it brakes.
        let change = if self.on_ground || wish != DVec2::ZERO { wish - flat } else { DVec2::ZERO };
        let flat = flat + change.clamp_length_max(most);
        if jump && self.on_ground {
            self.velocity.z = rules.jump_m_per_sec;
            self.on_ground = false;
        }
        let from = self.position.truncate();
        let to = self.slide(scene, from, flat * secs, others);
        let mut moved = Moved { exit: crossed_exit(scene, from, to), ..Moved::default() };
        if let Some(exit) = moved.exit.and_then(|exit| exits.get(exit))
            && let Some(position) = scene.on_floor(exit.at)
        {
            *self = Body::at(position);
            return moved;
        }
        let real = (to - from) / secs;
        // A wall takes the speed that it stopped, and no more than that: a push must not add any.
        let kept = if real.length_squared() < flat.length_squared() { real } else { flat };
        self.velocity = kept.extend(self.velocity.z);
        self.position = to.extend(self.position.z);
        moved.landed_m_per_sec = self.rise_and_fall(scene, rules, secs);
        moved
    }

    /// Where a horizontal move really leads.
    fn slide(&self, scene: SectorScene<'_>, from: DVec2, way: DVec2, others: &[DVec3]) -> DVec2 {
        let parts = (way.length() / LONGEST_MOVE_M).ceil().max(1.0);
        let mut at = from;
        for _ in 0..parts as usize {
            match self.pushed_out(scene, at + way / parts, others) {
                Some(free) => at = free,
                None => break,
            }
        }
        at
    }

    /// The nearest place to `wanted` where the body overlaps nothing, if pushing finds one.
    ///
    /// What it overlapped before (a lift has come up beside it, two bodies came to life in one place) lets it go
    /// little by little: thrown out at once, it might land behind a wall.
    fn pushed_out(&self, scene: SectorScene<'_>, wanted: DVec2, others: &[DVec3]) -> Option<DVec2> {
        let near = scene.space.near(wanted);
        let before = self.position.truncate();
        let mut at = wanted;
        for _ in 0..PUSHES {
            let mut free = true;
            for &index in near {
                let edge = scene.space.edge(index);
                let nearest = edge.nearest(at);
                if at.distance_squared(nearest) >= CLEAR_M * CLEAR_M || !self.is_barred(scene, edge, nearest)
                {
                    continue;
                }
                let room = RADIUS_M.min(before.distance(edge.nearest(before)) + RELEASE_M);
                free &= !push_away(&mut at, nearest, room)?;
            }
            for other in others {
                let is_level = (other.z - self.position.z).abs() < HEIGHT_M;
                let other = other.truncate();
                if is_level && at.distance_squared(other) < 4.0 * CLEAR_M * CLEAR_M {
                    let room = (2.0 * RADIUS_M).min(before.distance(other) + RELEASE_M);
                    free &= !push_away(&mut at, other, room)?;
                }
            }
            if free {
                let stays_near = at.distance_squared(wanted) < RADIUS_M * RADIUS_M;
                return (stays_near && self.fits(scene, at)).then_some(at);
            }
        }
        None
    }

    /// The nearest place to `at` where a body can stand, if there is one within a quarter of a metre.
    pub(super) fn settle_in_sectors(scene: SectorScene<'_>, at: DVec2) -> Option<DVec3> {
        let mut body = Body::at(scene.on_floor(at)?);
        for _ in 0..12 {
            let freed = body.pushed_out(scene, body.position.truncate(), &[])?;
            if freed.distance_squared(body.position.truncate()) < SKIN_M * SKIN_M {
                let (floor, ceiling) = body.floor_and_ceiling(scene);
                let fits = ceiling - floor >= HEIGHT_M && freed.distance_squared(at) < 0.25 * 0.25;
                return fits.then(|| freed.extend(floor));
            }
            body.position = freed.extend(body.position.z);
        }
        None
    }

    /// Whether a line stops this body at a point of it.
    fn is_barred(&self, scene: SectorScene<'_>, edge: &Edge, at: DVec2) -> bool {
        if edge.is_wall() || edge.fence {
            return true;
        }
        let (floor, ceiling) = scene.opening(edge, at);
        let feet = self.position.z;
        let step = if self.on_ground { STEP_M } else { AIR_STEP_M };
        floor - feet > step || ceiling - floor.max(feet) < HEIGHT_M
    }

    /// Whether its middle could be there: inside the map, on a floor it can step on, under a ceiling it fits under.
    fn fits(&self, scene: SectorScene<'_>, at: DVec2) -> bool {
        scene.space.area_at(at).is_some_and(|area| {
            let floor = scene.floor_m(area, at);
            floor - self.position.z <= STEP_M + 1e-9
                && scene.ceiling_m(area) - floor.max(self.position.z) >= HEIGHT_M - 1e-9
        })
    }

    /// The highest floor and the lowest ceiling over any part of the body.
    fn floor_and_ceiling(&self, scene: SectorScene<'_>) -> (f64, f64) {
        let at = self.position.truncate();
        let (mut floor, mut ceiling) = match scene.space.area_at(at) {
            Some(area) => (scene.floor_m(area, at), scene.ceiling_m(area)),
            None => (self.position.z, f64::INFINITY),
        };
        let own_floor = floor;
        for &index in scene.space.near(at) {
            let edge = scene.space.edge(index);
            let nearest = edge.nearest(at);
            if edge.is_wall()
                || nearest.distance_squared(at) >= CLEAR_M * CLEAR_M
                || self.is_barred(scene, edge, nearest)
            {
                continue;
            }
            let (low, high) = scene.opening(edge, nearest);
            floor = floor.max(low);
            ceiling = ceiling.min(high);
        }
        // A lift that rises beside a body must not lift its head through the ceiling over its feet.
        (floor.min(ceiling - HEIGHT_M).max(own_floor), ceiling)
    }

    /// Gravity, floors and ceilings. Returns how fast it landed, if it did.
    fn rise_and_fall(&mut self, scene: SectorScene<'_>, rules: &Rules, secs: f64) -> Option<f64> {
        let (floor, ceiling) = self.floor_and_ceiling(scene);
        if self.on_ground {
            if self.position.z - floor <= STEP_M {
                self.position.z = floor;
                self.velocity.z = 0.0;
                return None;
            }
            self.on_ground = false;
        }
        self.velocity.z -= rules.gravity_m_per_sec2 * secs;
        self.position.z += self.velocity.z * secs;
        if self.position.z + HEIGHT_M > ceiling {
            self.position.z = ceiling - HEIGHT_M;
            self.velocity.z = self.velocity.z.min(0.0);
        }
        if self.position.z > floor {
            return None;
        }
        let speed = -self.velocity.z;
        self.position.z = floor;
        self.velocity.z = 0.0;
        self.on_ground = true;
        Some(speed.max(0.0))
    }
}

/// Moves `at` away from a point until there is room between them. Whether it had to; none if it is on the point.
fn push_away(at: &mut DVec2, point: DVec2, room_m: f64) -> Option<bool> {
    let gap = *at - point;
    let far = gap.length();
    if far >= room_m - SKIN_M {
        return Some(false);
    }
    if far < 1e-9 {
        return None;
    }
    *at += gap * ((room_m - far) / far);
    Some(true)
}

/// The exit of the first teleporter that a move crosses from its right side.
fn crossed_exit(scene: SectorScene<'_>, from: DVec2, to: DVec2) -> Option<usize> {
    scene.space.near(to).iter().map(|&index| scene.space.edge(index)).find_map(|edge| {
        let exit = edge.exit()?;
        let crosses = edge.is_right(from) && !edge.is_right(to) && space::crosses(from, to, edge);
        crosses.then_some(exit)
    })
}
