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
//! — Le Hy 2007, section 3.4.3, which gives names and values; where one value ends and the next begins is ours. A file that gives
//! six of them other values has them read more finely, as in tables 4.17 to 4.29:
//!
//! | sensor         | values                                  | when                                                |
//! |----------------|-----------------------------------------|-----------------------------------------------------|
//! | `health`       | very_low, low, medium, high, very_high  | below 20, 40, 60, 80, or more                       |
//! | `weapon`       | none, weak, good, strong                | the best one that has ammunition                    |
//! | `enemy_weapon` | none, weak, good, strong, no_enemy      | of the nearest enemy                                |
//! | `enemies`      | none, one, two, three_or_more           | seen within a second and a half                     |
//! | `weapon_near`  | 0, 1, 2, 3, 4, far                      | within 0.5, 1, 2, 4, 8 seconds' way, or farther     |
//! | `health_near`  | 0, 1, 2, 3, 4, far                      | the same                                            |
//!
//! In the arena everybody has the weak weapon, so that `none` is never read of the finer two.

use repertoire_authored::nearest;
use repertoire_bayes::sequence::{Behaviour, learning::NOT_READ};

/// How many of [`SENSORS`] are the seven, and how many read one of them more finely.
pub(crate) const PLAIN: usize = 7;
pub(crate) const FINER: usize = 6;

/// Name and values of each sensor, in order: the seven, then the finer ones.
pub const SENSORS: [(&str, &[&str]); PLAIN + FINER] = [
    ("health", &["low", "medium", "high"]),
    ("weapon", &["none", "medium", "strong"]),
    ("enemy_weapon", &["none", "medium", "strong"]),
    ("noise", &["false", "true"]),
    ("enemies", &["none", "one", "two_or_more"]),
    ("weapon_near", &["false", "true"]),
    ("health_near", &["false", "true"]),
    ("health", &["very_low", "low", "medium", "high", "very_high"]),
    ("weapon", &["none", "weak", "good", "strong"]),
    ("enemy_weapon", &["none", "weak", "good", "strong", "no_enemy"]),
    ("enemies", &["none", "one", "two", "three_or_more"]),
    ("weapon_near", &["0", "1", "2", "3", "4", "far"]),
    ("health_near", &["0", "1", "2", "3", "4", "far"]),
];

/// A value for each of [`SENSORS`]; [`NOT_READ`] where there is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Readings(pub [u32; SENSORS.len()]);

impl Default for Readings {
    fn default() -> Self {
        Readings([NOT_READ; SENSORS.len()])
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
        let words = behaviour.sensors().iter().map(|sensor| {
            let values: Vec<&str> = sensor.values.iter().map(String::as_str).collect();
            connect("sensor", &sensor.name, &values, &SENSORS)
        });
        words.collect::<Result<_, _>>().map(Wiring)
    }

    /// The value of each of the behaviour's sensors.
    pub fn values<'a>(&'a self, readings: &'a Readings) -> impl Iterator<Item = u32> + 'a {
        self.0.iter().map(|&sensor| readings.0[sensor])
    }
}

/// Which of the words that characters know a word of a file is; its values must be the same. A word may be known with several
/// lists of values.
pub(crate) fn connect(
    kind: &str,
    name: &str,
    values: &[&str],
    known: &[(&str, &[&str])],
) -> Result<usize, CannotSense> {
    let names: Vec<&str> = known.iter().map(|(name, _)| *name).collect();
    if let Some(at) = known.iter().position(|word| *word == (name, values)) {
        return Ok(at);
    }
    let Some(at) = names.iter().position(|known| *known == name) else {
        let mut each: Vec<&str> = Vec::new();
        for name in &names {
            if !each.contains(name) {
                each.push(name);
            }
        }
        let there_are = format!("there are {}", each.join(", "));
        let remedy = match nearest(name, names.iter().copied()) {
            Some(near) => format!("did you mean `{near}`? T{}", &there_are[1..]),
            None => there_are,
        };
        return Err(CannotSense { what: format!("fighters have no {kind} `{name}`"), remedy });
    };
    let what = format!("the {kind} `{name}` has the values {}", values.join(", "));
    let lists = known[at..].iter().filter(|word| word.0 == name).map(|word| word.1.join(", "));
    let remedy = format!("its values are {}", lists.collect::<Vec<_>>().join("; or "));
    Err(CannotSense { what, remedy })
}
