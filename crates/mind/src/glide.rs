//! How keys change the velocity of a body in QuakeWorld (its `PM_Friction`, `PM_Accelerate`, `PM_AirAccelerate`), for minds that think a
//! few tenths of a second ahead. Without walls, steps and falling; where a body really goes is the world's business.

use glam::DVec2;

/// Full speed, in metres a second.
pub(crate) const RUN: f64 = 10.0;
/// As much of it counts in the air.
const AIR: f64 = 0.9375;
/// How fast a wanted speed is reached, per second, and friction, per second.
const ACCELERATE: f64 = 10.0;
const FRICTION: f64 = 4.0;
/// Below this speed friction is as strong as at it.
const STOP: f64 = 3.125;

/// The velocity after a step, for keys that ask for a speed in a direction (of length 1). On the ground keys are obeyed within a tenth of a
/// second, but what one slides across their direction only friction ends; in the air they add a little speed across the way one flies.
pub(crate) fn glide(
    mut velocity: DVec2,
    (towards, wanted): (DVec2, f64),
    on_ground: bool,
    secs: f64,
) -> DVec2 {
    if on_ground {
        let speed = velocity.length();
        let drop = speed.max(STOP) * FRICTION * secs;
        velocity *= ((speed - drop) / speed.max(1e-9)).max(0.0);
    }
    let most = if on_ground { wanted } else { wanted.min(AIR) };
    let lacks = (most - velocity.dot(towards)).clamp(0.0, ACCELERATE * wanted * secs);
    velocity + towards * lacks
}
