//! Where lava is, and the reflex that keeps bodies from sliding into it.
//!
//! A body in Quake runs at 10 m/s and goes on sliding, so that looking at the ground ahead is not enough: what matters is whether it
//! can still stop (`glide`). A command is let through if the body, having followed it for one decision, can brake before it is over
//! lava.

use glam::{DVec2, DVec3};
use serde::{Deserialize, Serialize};

use crate::glide::{RUN, glide};
use crate::{Command, Own, Percept, Places};

/// Lava as seen from above, in a grid of small square cells.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Lava {
    /// The corner of the first cell.
    pub origin: DVec2,
    /// The side of a cell.
    pub size_m: f64,
    /// Cells in a row.
    pub width: usize,
    /// Row by row from the south-west: the height of the highest lava in each cell, minus infinity where there is none.
    pub surface_m: Vec<f32>,
}

impl Lava {
    /// The height of the lava at a position, if there is any.
    pub fn surface_at(&self, at: DVec2) -> Option<f64> {
        let cell = ((at - self.origin) / self.size_m).floor();
        if cell.x < 0.0 || cell.y < 0.0 || cell.x >= self.width as f64 {
            return None;
        }
        let surface_m = *self.surface_m.get(cell.y as usize * self.width + cell.x as usize)?;
        surface_m.is_finite().then_some(f64::from(surface_m))
    }
}

/// The steps in which the next moments are gone through, in seconds.
const STEP_SECS: f64 = 0.025;
/// The most steps until a body stands still.
const MOST_STEPS: u32 = 16;
/// Nobody goes nearer to lava than this, if they can help it.
const MARGIN_M: f64 = 0.4;
/// Slower than this a body is as good as at rest, in metres a second.
const RESTS: f64 = 0.5;
/// Turns that are tried, the smallest first, to either side.
const TURNS: u32 = 11;
const TURN: f64 = std::f64::consts::PI / 12.0;

/// Changes a command that would carry its body into lava. A jump is let through, because ways lead across lava by jumps, and so is
/// everything of a body that is over lava already: on a lift, or burning.
pub fn keep_out(percept: &Percept, places: &Places, command: &mut Command) {
    let own = &percept.own;
    if !places.has_lava() || !own.on_ground || command.jump || is_over(own.position, own.position.z, places) {
        return;
    }
    let pace = libm::hypot(command.forward, command.lateral).min(1.0);
    let heading = if command.wants_to_move() { command.heading() } else { 0.0 };
    let risk = |heading: f64, pace: f64| {
        let (sin, cos) = libm::sincos(own.yaw + heading);
        risk_of(own, (DVec2::new(cos, sin), pace * RUN), percept.period_secs, places)
    };
    let wanted = risk(heading, pace);
    if wanted == Risk::None {
        return;
    }
    let velocity = own.velocity.truncate();
    let back = libm::atan2(-velocity.y, -velocity.x) - own.yaw;
    let around = if command.wants_to_move() { heading } else { back };
    let mut best = (wanted, None);
    for heading in (0..=TURNS).flat_map(|k| [1.0, -1.0].map(|side| around + side * f64::from(k) * TURN)) {
        let risk = risk(heading, 1.0);
        if risk < best.0 {
            best = (risk, Some(heading));
        }
        if risk == Risk::None {
            break;
        }
    }
    match best {
        (_, Some(heading)) => command.run(heading, 1.0),
        // It slides in whatever it does: back is best.
        (Risk::Over, None) => command.run(back, 1.0),
        (_, None) => {}
    }
}

/// What comes of a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Risk {
    /// It stops clear of lava.
    None,
    /// It stops on the brink: an edge lies anywhere in its cell.
    Brink,
    /// It slides in.
    Over,
}

/// What comes of running in a direction, at a speed, for one decision and braking then.
fn risk_of(own: &Own, run: (DVec2, f64), decision_secs: f64, places: &Places) -> Risk {
    let (mut at, mut velocity) = (own.position.truncate(), own.velocity.truncate());
    let is_lava = |at: DVec2| is_over(at.extend(own.position.z), own.position.z, places);
    for step in 1..=MOST_STEPS {
        let is_braking = f64::from(step) * STEP_SECS > decision_secs + 1e-9;
        if is_braking && velocity.length() < RESTS {
            break;
        }
        let keys = if is_braking { (-velocity.normalize_or_zero(), RUN) } else { run };
        velocity = glide(velocity, keys, true, STEP_SECS);
        at += velocity * STEP_SECS;
        if is_lava(at + velocity.normalize_or_zero() * MARGIN_M) {
            return Risk::Over;
        }
    }
    let around = [DVec2::X, DVec2::NEG_X, DVec2::Y, DVec2::NEG_Y];
    if around.iter().any(|side| is_lava(at + side * MARGIN_M)) { Risk::Brink } else { Risk::None }
}

/// Whether somebody who walks from a height to a position would fall or wade into lava there.
fn is_over(at: DVec3, height_m: f64, places: &Places) -> bool {
    let Some(surface_m) = places.lava().and_then(|lava| lava.surface_at(at.truncate())) else { return false };
    // Lava above one's head is that of another floor.
    const ABOVE_M: f64 = 1.0;
    surface_m < height_m + ABOVE_M
        && places
            .standing(at)
            .is_none_or(|(_, floor_m)| floor_m < surface_m - 0.1 || floor_m > height_m + ABOVE_M)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::Cells;

    /// A terrace from x = 0 to 8; east of it lava, half a metre below.
    fn terrace() -> Places {
        let column = |k: usize| if k < 8 { 0 } else { Cells::NOWHERE };
        let place: Vec<u16> = (0..8).flat_map(|_| (0..16).map(column)).collect();
        let cells =
            Cells { origin: DVec2::ZERO, size_m: 1.0, width: 16, floor_m: vec![0.0; place.len()], place };
        let surface = |k: usize| if k < 8 { f32::NEG_INFINITY } else { -0.5 };
        let lava = Lava {
            origin: DVec2::ZERO,
            size_m: 1.0,
            width: 16,
            surface_m: (0..8).flat_map(|_| (0..16).map(surface)).collect(),
        };
        let points = vec![DVec3::new(4.0, 4.0, 0.0)];
        Places::new(points, Vec::new(), cells, Vec::new(), Vec::new()).expect("a point").with_lava(lava)
    }

    fn at(x: f64, speed: f64) -> Percept {
        let mut percept = Percept { period_secs: 0.1, ..Percept::default() };
        percept.own.position = DVec3::new(x, 4.0, 0.0);
        percept.own.velocity = DVec3::new(speed, 0.0, 0.0);
        percept.own.on_ground = true;
        percept
    }

    fn kept(percept: &Percept, wanted: Command) -> Command {
        let mut command = wanted;
        keep_out(percept, &terrace(), &mut command);
        command
    }

    fn east() -> Command {
        Command { forward: 1.0, ..Command::default() }
    }

    #[test]
    fn nobody_runs_into_lava_but_up_to_its_edge() {
        assert_eq!(kept(&at(5.2, 10.0), east()), east(), "it can still stop");
        assert_ne!(kept(&at(7.5, 10.0), east()), east());
        assert!(kept(&at(7.8, 10.0), Command::default()).forward < -0.9, "sliding, it brakes");
        assert_eq!(
            kept(&at(7.5, 0.0), Command::default()),
            Command::default(),
            "standing at the edge is allowed"
        );
    }

    #[test]
    fn a_jump_is_somebody_elses_decision() {
        let leap = Command { jump: true, ..east() };
        assert_eq!(kept(&at(7.5, 10.0), leap), leap);
    }

    proptest! {
        /// A body that obeys whatever it is told, at any speed, from wherever it could still stop, never ends up over lava.
        #[test]
        fn whatever_is_wanted_nobody_slides_in(
            x in 1.0..7.0f64,
            wanted in prop::collection::vec((-1.0..1.0f64, -1.0..1.0f64), 30),
        ) {
            let places = terrace();
            let mut percept = at(x, 0.0);
            for (forward, lateral) in wanted {
                let mut command = Command { forward, lateral, ..Command::default() };
                keep_out(&percept, &places, &mut command);
                let wish = DVec2::new(command.forward, command.lateral);
                for _ in 0..4 {
                    let own = &mut percept.own;
                    let keys = (wish.normalize_or_zero(), wish.length().min(1.0) * RUN);
                    own.velocity = glide(own.velocity.truncate(), keys, true, STEP_SECS).extend(0.0);
                    own.position += own.velocity * STEP_SECS;
                    // Walls west, north and south.
                    own.position.x = own.position.x.max(0.5);
                    own.position.y = own.position.y.clamp(3.5, 4.5);
                    prop_assert!(own.position.x < 8.0, "{:?} after {command:?}", own.position);
                }
            }
        }
    }
}
