//! One step of a body: keys in, place and velocity out, by QuakeWorld's rules.
//!
//! Every input is one step, as long as its milliseconds say: look where one stands, jump, friction, speed up towards the wanted
//! velocity, fall, slide along what is met, climb steps. Fast players earn their speed by the order of these, so the order is the game's.
//!
//! ```
//! use repertoire_worlds::quake::MoveRules;
//! assert_eq!(MoveRules::default().jump, 270.0);
//! ```

use repertoire_prob::num;

use super::hull::{Contents, Trace};
use super::rules::MoveRules;
use super::space::Solid;
use super::{EYE, Vec3, add, cross, dot, unit};

/// What a player presses for one step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Command {
    /// How long.
    pub msec: u8,
    /// Positive looks down.
    pub pitch_deg: f32,
    /// Counter-clockwise.
    pub yaw_deg: f32,
    /// Forward, right and up, in units per second.
    pub wish: Vec3,
    /// Whether the jump key is held.
    pub jump: bool,
}

/// A body in mid-motion.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Body {
    /// 24 above the feet.
    pub origin: Vec3,
    /// Units per second.
    pub velocity: Vec3,
    /// The jump key is held since the last jump, and must be released before the next.
    pub has_jumped: bool,
    /// Seconds left of being thrown out of water.
    pub water_jump_secs: f32,
    /// Stands on something.
    pub is_on_ground: bool,
    /// How deep in a liquid: 0 not, 1 feet, 2 waist, 3 eyes.
    pub water_level: u8,
}

/// The lowest point of a body below its origin.
const FEET: f32 = -24.0;
/// The middle of a body above its origin.
const WAIST: f32 = 4.0;
/// Velocities below this are no velocities.
const STOP: f32 = 0.1;

/// What all of a step needs.
struct Step<'a, S> {
    space: &'a S,
    rules: &'a MoveRules,
    secs: f32,
    command: Command,
    forward: Vec3,
    right: Vec3,
    water: Contents,
}

impl Body {
    /// Carries out a command. Long ones are split, as servers do.
    pub fn step(&mut self, space: &impl Solid, rules: &MoveRules, command: &Command) {
        if command.msec > 50 {
            let half = Command { msec: command.msec / 2, ..*command };
            self.step(space, rules, &half);
            self.step(space, rules, &half);
            return;
        }
        self.advance(space, rules, command, f32::from(command.msec) * 0.001);
    }

    /// Carries out a command for a time of the caller's, at most 0.05 s, whatever its milliseconds say.
    pub fn advance(&mut self, space: &impl Solid, rules: &MoveRules, command: &Command, secs: f32) {
        let (forward, right) = directions(command.pitch_deg, command.yaw_deg);
        let mut step = Step { space, rules, secs, command: *command, forward, right, water: Contents::Empty };
        step.nudge(self);
        step.stand(self);
        if self.water_level == 2 {
            step.leave_water(self);
        }
        if self.velocity[2] < 0.0 {
            self.water_jump_secs = 0.0;
        }
        if command.jump {
            step.jump(self);
        } else {
            self.has_jumped = false;
        }
        step.friction(self);
        if self.water_level >= 2 {
            step.swim(self);
        } else {
            step.walk_or_fall(self);
        }
        step.stand(self);
    }
}

/// Forward and right of a view.
fn directions(pitch_deg: f32, yaw_deg: f32) -> (Vec3, Vec3) {
    let radians = |degrees: f32| f64::from(degrees).to_radians();
    let (sin_yaw, cos_yaw) = (num::sin(radians(yaw_deg)) as f32, num::cos(radians(yaw_deg)) as f32);
    let (sin_pitch, cos_pitch) = (num::sin(radians(pitch_deg)) as f32, num::cos(radians(pitch_deg)) as f32);
    ([cos_pitch * cos_yaw, cos_pitch * sin_yaw, -sin_pitch], [sin_yaw, -cos_yaw, 0.0])
}

impl<S: Solid> Step<'_, S> {
    fn trace(&self, from: Vec3, to: Vec3) -> Trace {
        self.space.trace_body(from, to)
    }

    /// Positions come rounded to eighths of a unit and may lie in a wall by that much: looks for a free place around.
    fn nudge(&self, body: &mut Body) {
        let base = body.origin;
        for z in [0.0, -0.125, 0.125] {
            for x in [0.0, -0.125, 0.125] {
                for y in [0.0, -0.125, 0.125] {
                    let place = [base[0] + x, base[1] + y, base[2] + z];
                    if !self.trace(place, place).is_all_solid {
                        body.origin = place;
                        return;
                    }
                }
            }
        }
    }

    /// Finds out what a body stands on and swims in.
    fn stand(&mut self, body: &mut Body) {
        body.is_on_ground = false;
        if body.velocity[2] <= self.rules.lift_off {
            let below = self.trace(body.origin, add(body.origin, [0.0, 0.0, -1.0], 1.0));
            if below.normal[2] >= self.rules.ground_normal && below.fraction < 1.0 {
                body.is_on_ground = true;
                body.water_jump_secs = 0.0;
                if !below.starts_solid && !below.is_all_solid {
                    body.origin = below.end;
                }
            }
        }
        body.water_level = 0;
        self.water = Contents::Empty;
        for (level, height) in [(1, FEET + 1.0), (2, WAIST), (3, EYE)] {
            let contents = self.space.contents(add(body.origin, [0.0, 0.0, height], 1.0));
            if !contents.is_liquid() {
                break;
            }
            if level == 1 {
                self.water = contents;
            }
            body.water_level = level;
        }
    }

    fn jump(&self, body: &mut Body) {
        if body.water_jump_secs > 0.0 {
            body.water_jump_secs = (body.water_jump_secs - self.secs).max(0.0);
            return;
        }
        if body.water_level >= 2 {
            body.is_on_ground = false;
            body.velocity[2] = match self.water {
                Contents::Slime => 80.0,
                Contents::Lava => 50.0,
                _ => 100.0,
            };
            return;
        }
        if !body.is_on_ground || body.has_jumped {
            return;
        }
        body.is_on_ground = false;
        body.velocity[2] += self.rules.jump;
        // Whoever comes down onto the ground loses some of the jump, unless the rules give it back.
        if body.velocity[2] < self.rules.jump {
            body.velocity[2] += (self.rules.jump - body.velocity[2]) * self.rules.kt_jump;
        }
        body.has_jumped = true;
    }

    /// Swimming against an edge throws a body out of the water.
    fn leave_water(&self, body: &mut Body) {
        if body.water_jump_secs > 0.0 || body.velocity[2] < -180.0 {
            return;
        }
        let (flat, _) = unit([self.forward[0], self.forward[1], 0.0]);
        let mut spot = add(body.origin, flat, 24.0);
        spot[2] += 8.0;
        if self.space.contents(spot) != Contents::Solid {
            return;
        }
        spot[2] += 24.0;
        if self.space.contents(spot) != Contents::Empty {
            return;
        }
        body.velocity = flat.map(|part| part * 50.0);
        body.velocity[2] = 310.0;
        body.water_jump_secs = 2.0;
        body.has_jumped = true;
    }

    fn friction(&self, body: &mut Body) {
        if body.water_jump_secs > 0.0 {
            return;
        }
        let speed = dot(body.velocity, body.velocity).sqrt();
        if speed < 1.0 {
            body.velocity[0] = 0.0;
            body.velocity[1] = 0.0;
            return;
        }
        let mut friction = self.rules.friction;
        if body.is_on_ground {
            // Whoever is about to run off an edge is slowed down more.
            let ahead = add(body.origin, [body.velocity[0] / speed, body.velocity[1] / speed, 0.0], 16.0);
            let start = [ahead[0], ahead[1], body.origin[2] + FEET];
            if self.trace(start, add(start, [0.0, 0.0, -34.0], 1.0)).fraction >= 1.0 {
                friction *= self.rules.edge_friction;
            }
        }
        let drop = if body.water_level >= 2 {
            speed * self.rules.water_friction * f32::from(body.water_level) * self.secs
        } else if body.is_on_ground {
            speed.max(self.rules.stop_speed) * friction * self.secs
        } else {
            0.0
        };
        let share = (speed - drop).max(0.0) / speed;
        body.velocity = body.velocity.map(|part| part * share);
    }

    /// Speeds up towards a wanted velocity. `counted` is how much of the wish counts as wanted speed.
    fn accelerate(&self, body: &mut Body, direction: Vec3, wish: f32, counted: f32, rate: f32) {
        if body.water_jump_secs > 0.0 {
            return;
        }
        let lacking = counted - dot(body.velocity, direction);
        if lacking > 0.0 {
            body.velocity = add(body.velocity, direction, (rate * self.secs * wish).min(lacking));
        }
    }

    fn swim(&self, body: &mut Body) {
        let [forward, side, up] = self.command.wish;
        let mut wish = add(self.forward.map(|part| part * forward), self.right, side);
        wish[2] += if self.command.wish == [0.0; 3] { -60.0 } else { up };
        let (direction, speed) = unit(wish);
        let speed = speed.min(self.rules.max_speed) * self.rules.water_speed;
        self.accelerate(body, direction, speed, speed, self.rules.water_accelerate);
        let to = add(body.origin, body.velocity, self.secs);
        let above = add(to, [0.0, 0.0, self.rules.step + 1.0], 1.0);
        let trace = self.trace(above, to);
        if trace.starts_solid || trace.is_all_solid {
            self.slide(body);
        } else {
            body.origin = trace.end;
        }
    }

    fn walk_or_fall(&self, body: &mut Body) {
        let [forward, side, _] = self.command.wish;
        let flat = |of: Vec3| unit([of[0], of[1], 0.0]).0;
        let wish = add(flat(self.forward).map(|part| part * forward), flat(self.right), side);
        let (direction, speed) = unit(wish);
        let speed = speed.min(self.rules.max_speed);
        let fall = self.rules.gravity * self.secs;
        if body.is_on_ground {
            body.velocity[2] = 0.0;
            self.accelerate(body, direction, speed, speed, self.rules.accelerate);
            body.velocity[2] -= fall;
            self.walk(body);
        } else {
            self.accelerate(body, direction, speed, speed.min(self.rules.air_speed), self.rules.accelerate);
            body.velocity[2] -= fall;
            self.slide(body);
        }
    }

    /// Walks on the ground: straight on, or along what is in the way, or up a step, whichever leads farther.
    fn walk(&self, body: &mut Body) {
        body.velocity[2] = 0.0;
        if body.velocity == [0.0; 3] {
            return;
        }
        let straight = self.trace(body.origin, add(body.origin, body.velocity, self.secs));
        if straight.fraction >= 1.0 {
            body.origin = straight.end;
            return;
        }
        let start = *body;
        let mut along = start;
        self.slide(&mut along);
        let mut over = start;
        let lifted = self.trace(over.origin, add(over.origin, [0.0, 0.0, self.rules.step], 1.0));
        if !lifted.starts_solid && !lifted.is_all_solid {
            over.origin = lifted.end;
        }
        self.slide(&mut over);
        let landed = self.trace(over.origin, add(over.origin, [0.0, 0.0, -self.rules.step], 1.0));
        let far = |body: &Body| {
            let [x, y] = [0, 1].map(|axis| body.origin[axis] - start.origin[axis]);
            x * x + y * y
        };
        if landed.normal[2] < self.rules.ground_normal && landed.fraction < 1.0 || landed.fraction >= 1.0 {
            // The step leads onto nothing that one could stand on.
            *body = along;
            return;
        }
        if !landed.starts_solid && !landed.is_all_solid {
            over.origin = landed.end;
        }
        if far(&along) > far(&over) {
            *body = along;
        } else {
            over.velocity[2] = along.velocity[2];
            *body = over;
        }
    }

    /// Moves along the velocity and along all that is met on the way.
    fn slide(&self, body: &mut Body) {
        let first = body.velocity;
        let mut original = body.velocity;
        let mut planes: Vec<Vec3> = Vec::with_capacity(5);
        let mut left = self.secs;
        for _ in 0..4 {
            let trace = self.trace(body.origin, add(body.origin, body.velocity, left));
            if trace.starts_solid || trace.is_all_solid {
                body.velocity = [0.0; 3];
                return;
            }
            if trace.fraction > 0.0 {
                body.origin = trace.end;
                original = body.velocity;
                planes.clear();
            }
            if trace.fraction >= 1.0 {
                break;
            }
            left -= left * trace.fraction;
            if planes.len() >= 5 {
                body.velocity = [0.0; 3];
                break;
            }
            planes.push(trace.normal);
            match deflected(original, &planes) {
                Some(velocity) => body.velocity = velocity,
                None if planes.len() == 2 => {
                    let crease = cross(planes[0], planes[1]);
                    body.velocity = crease.map(|part| part * dot(crease, body.velocity));
                }
                None => {
                    body.velocity = [0.0; 3];
                    break;
                }
            }
            // Never back to where one came from: that would tremble in corners.
            if dot(body.velocity, first) <= 0.0 {
                body.velocity = [0.0; 3];
                break;
            }
        }
        if body.water_jump_secs > 0.0 {
            body.velocity = first;
        }
    }
}

/// The velocity along one of the planes that leads into none of the others.
fn deflected(velocity: Vec3, planes: &[Vec3]) -> Option<Vec3> {
    planes.iter().enumerate().find_map(|(k, &plane)| {
        let along = add(velocity, plane, -dot(velocity, plane));
        let along = along.map(|part| if part > -STOP && part < STOP { 0.0 } else { part });
        let is_free = planes.iter().enumerate().all(|(other, &plane)| other == k || dot(along, plane) >= 0.0);
        is_free.then_some(along)
    })
}
