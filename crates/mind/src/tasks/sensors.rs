//! The seven sensors of the thesis, read from what a character perceives and remembers.
//!
//! | sensor         | values                    | when                                                              |
//! |----------------|---------------------------|-------------------------------------------------------------------|
//! | `health`       | low, medium, high         | below 35, below 70, or more                                       |
//! | `weapon`       | none, medium, strong      | the best one that has ammunition; the weak one counts as none     |
//! | `enemy_weapon` | none, medium, strong      | of the nearest enemy; none without one; not read if not shown     |
//! | `noise`        | false, true               | heard a moment ago, near, where it does not look                  |
//! | `enemies`      | none, one, two_or_more    | seen within a second and a half                                   |
//! | `weapon_near`  | false, true               | one of use, thought to be there, within two seconds' way          |
//! | `health_near`  | false, true               | the same                                                          |
//!
//! — Le Hy 2007, section 3.4.3, which gives names and values; where one value ends and the next begins is ours.

use repertoire_bayes::sequence::{Behaviour, learning::NOT_READ};

/// Name and values of each sensor, in order.
pub const SENSORS: [(&str, &[&str]); 7] = [
    ("health", &["low", "medium", "high"]),
    ("weapon", &["none", "medium", "strong"]),
    ("enemy_weapon", &["none", "medium", "strong"]),
    ("noise", &["false", "true"]),
    ("enemies", &["none", "one", "two_or_more"]),
    ("weapon_near", &["false", "true"]),
    ("health_near", &["false", "true"]),
];

/// A value for each of [`SENSORS`]; [`NOT_READ`] where there is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Readings(pub [u32; 7]);

impl Default for Readings {
    fn default() -> Self {
        Readings([NOT_READ; 7])
    }
}

/// Which of [`SENSORS`] each sensor of a behaviour is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wiring(Vec<usize>);

/// A behaviour senses what this character cannot.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{what}\n  remedy: {remedy}")]
pub struct CannotSense {
    /// What is wrong.
    pub what: String,
    /// What would be right.
    pub remedy: String,
}

impl Wiring {
    /// Connects the sensors of a behaviour, by name; their values must be those of [`SENSORS`].
    pub fn of(behaviour: &Behaviour) -> Result<Self, CannotSense> {
        let connect = |sensor: &repertoire_bayes::sequence::Sensor| {
            let names = SENSORS.map(|(name, _)| name).join(", ");
            let Some(at) = SENSORS.iter().position(|(name, _)| *name == sensor.name) else {
                let what = format!(
                    "the behaviour {} senses `{}`, which characters do not",
                    behaviour.name(),
                    sensor.name
                );
                return Err(CannotSense { what, remedy: format!("use {names}") });
            };
            if sensor.values.iter().ne(SENSORS[at].1) {
                let what =
                    format!("the sensor `{}` has the values {}", sensor.name, sensor.values.join(", "));
                return Err(CannotSense {
                    what,
                    remedy: format!("its values are {}", SENSORS[at].1.join(", ")),
                });
            }
            Ok(at)
        };
        behaviour.sensors().iter().map(connect).collect::<Result<_, _>>().map(Wiring)
    }

    /// The value of each of the behaviour's sensors.
    pub fn values<'a>(&'a self, readings: &'a Readings) -> impl Iterator<Item = u32> + 'a {
        self.0.iter().map(|&sensor| readings.0[sensor])
    }
}
