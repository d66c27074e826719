//! What a character can do: what a player can do with a keyboard and a mouse.

use serde::{Deserialize, Serialize};

use super::Weapon;

/// The trigger.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Fire {
    /// Not pulled.
    #[default]
    None,
    /// The weapon's usual way to fire.
    Primary,
    /// Its other way.
    Secondary,
}

impl Fire {
    /// All values, in order.
    pub const ALL: [Fire; 3] = [Fire::None, Fire::Primary, Fire::Secondary];

    /// Its name in files.
    pub const fn name(self) -> &'static str {
        match self {
            Fire::None => "none",
            Fire::Primary => "primary",
            Fire::Secondary => "secondary",
        }
    }
}

/// One decision about the body, held until the next. A game turns the body and moves it accordingly.
///
/// ```
/// use repertoire_mind::{Command, Fire};
/// let charge = Command { yaw: -0.2, forward: 3.0, fire: Fire::Primary, ..Command::default() };
/// assert!(charge.wants_to_move());
/// assert_eq!(charge.sane().forward, 1.0, "nobody runs faster than they can");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Command {
    /// How far to turn until the next decision, in radians; positive is left.
    pub yaw: f64,
    /// How far to tilt the view until the next decision, in radians; positive is up.
    pub pitch: f64,
    /// Full speed ahead is 1, backwards -1.
    pub forward: f64,
    /// Full speed to the left is 1, to the right -1.
    pub lateral: f64,
    /// Jump when next on the ground.
    pub jump: bool,
    /// The trigger.
    pub fire: Fire,
    /// The weapon to take in hand, if it is another and owned.
    pub weapon: Option<Weapon>,
}

impl Command {
    /// The command a body obeys: what is not a number becomes 0, what is too much becomes the most possible.
    pub fn sane(self) -> Self {
        let within = |value: f64, most: f64| if value.is_finite() { value.clamp(-most, most) } else { 0.0 };
        Command {
            yaw: within(self.yaw, std::f64::consts::PI),
            pitch: within(self.pitch, std::f64::consts::PI),
            forward: within(self.forward, 1.0),
            lateral: within(self.lateral, 1.0),
            ..self
        }
    }

    /// Where it runs, as a turn from where it looked before. The body turns while it runs: half-way through.
    pub(crate) fn heading(&self) -> f64 {
        libm::atan2(self.lateral, self.forward) + self.yaw / 2.0
    }

    /// Makes it run in such a direction, at a share of full speed.
    pub(crate) fn run(&mut self, heading: f64, pace: f64) {
        let (sin, cos) = libm::sincos(heading - self.yaw / 2.0);
        (self.forward, self.lateral) = (pace * cos, pace * sin);
    }

    /// Whether it asks the body to go anywhere.
    pub fn wants_to_move(&self) -> bool {
        self.forward.abs() + self.lateral.abs() > 0.1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_body_never_gets_more_than_it_can_do() {
        let wild = Command {
            yaw: f64::NAN,
            pitch: 99.0,
            forward: f64::INFINITY,
            lateral: -7.0,
            ..Command::default()
        };
        let sane = wild.sane();
        assert_eq!((sane.yaw, sane.forward, sane.lateral), (0.0, 0.0, -1.0));
        assert_eq!(sane.pitch, std::f64::consts::PI);
    }
}
