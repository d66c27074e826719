//! Angles as a character uses them: relative to where it looks.

use std::f64::consts::{PI, TAU};

use glam::DVec3;
use serde::{Deserialize, Serialize};

/// The same direction within `(-π, π]`.
pub fn wrap_angle(angle: f64) -> f64 {
    if angle > -PI && angle <= PI {
        return angle;
    }
    let turns = (angle / TAU).round();
    let wrapped = angle - turns * TAU;
    if wrapped <= -PI { wrapped + TAU } else { wrapped }
}

/// The shortest turn that leads from one yaw to another; positive is left.
pub fn turn_between(from: f64, to: f64) -> f64 {
    wrap_angle(to - from)
}

/// Where something is relative to a line of sight given by yaw and pitch.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Bearing {
    /// The turn to face it; positive is left.
    pub yaw: f64,
    /// The tilt to face it; positive is up.
    pub pitch: f64,
    /// How far it is, in three dimensions.
    pub distance_m: f64,
}

impl Bearing {
    /// The bearing of `target` from `eye` for eyes that look along `yaw` and `pitch`.
    pub fn of(eye: DVec3, yaw: f64, pitch: f64, target: DVec3) -> Self {
        let line = target - eye;
        let flat = line.truncate().length();
        Bearing {
            yaw: turn_between(yaw, libm::atan2(line.y, line.x)),
            pitch: libm::atan2(line.z, flat) - pitch,
            distance_m: line.length(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wraps_any_angle_into_one_turn() {
        for k in -50..=50 {
            let angle = f64::from(k) * 0.37;
            let wrapped = wrap_angle(angle);
            assert!(wrapped > -PI && wrapped <= PI, "{angle} became {wrapped}");
            let turns = (angle - wrapped) / TAU;
            assert!((turns - turns.round()).abs() < 1e-12, "{angle} became {wrapped}");
        }
        assert_eq!(wrap_angle(PI), PI);
        assert_eq!(wrap_angle(-PI), PI);
    }

    #[test]
    fn a_target_to_the_left_and_above_has_positive_angles() {
        let bearing = Bearing::of(DVec3::ZERO, 0.0, 0.0, DVec3::new(1.0, 1.0, 2f64.sqrt()));
        assert!((bearing.yaw - PI / 4.0).abs() < 1e-12 && (bearing.pitch - PI / 4.0).abs() < 1e-12);
        assert!((bearing.distance_m - 2.0).abs() < 1e-12);
    }
}
