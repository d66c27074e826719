//! Hands of a person: what they did in the moments of their play that are most like the present one.
//!
//! Somebody else decides where to go and whom to fight (a native bot's state machine). How that is done, turning, looking up and
//! down, keys, jumps and fire, is copied tick by tick from a teacher: of all moments of their play the three are found whose situation
//! is nearest, and one of them is done again, relative to where one looks. The moment after the one that was copied last is preferred,
//! so that turns and runs are finished as the teacher finished them.
//!
//! People look where they are about to run, and press keys relative to that: so a situation holds the own velocity, the last turns, and
//! where the route leads in 0.8 and in 2 s; of an opponent in view, where they are.
//!
//! | module      | what it holds                                     |
//! |-------------|---------------------------------------------------|
//! | `situation` | a moment as numbers that can be compared           |
//! | `watcher`   | moments from play                                  |
//! | `mimic`     | doing again what the teacher did                   |

mod mimic;
mod situation;
mod watcher;

use serde::{Deserialize, Serialize};

pub(crate) use mimic::{AHEAD_M, Intent, Mimic};
pub use situation::FEATURES;
pub use watcher::MomentWatcher;

use crate::{Command, Fire};

/// What a file of moments says that it is.
pub const FORMAT: &str = "repertoire moments 1";

/// What was done in a moment.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Deed {
    pub command: Command,
    /// The turn and the tilt to face the opponent, where there was one.
    pub foe: Option<[f64; 2]>,
    /// Where they looked, up and down.
    pub pitch: f64,
    /// Whether it goes on from the moment before.
    pub follows: bool,
}

/// The moments of somebody's play.
///
/// ```
/// use repertoire_mind::moments::{MomentWatcher, Moments};
/// use repertoire_mind::{Command, Percept};
///
/// let mut watcher = MomentWatcher::default();
/// for tick in 0..40 {
///     let mut percept = Percept { tick, period_secs: 0.1, ..Percept::default() };
///     (percept.own.life, percept.own.position.x) = (1, f64::from(tick));
///     watcher.see(&percept, &Command { forward: 1.0, ..Command::default() });
/// }
/// let moments = watcher.finish().expect("there was play");
/// assert_eq!(moments.len(), 40);
/// let again = Moments::read(&moments.write())?;
/// assert_eq!(again.write(), moments.write());
/// # Ok::<(), repertoire_mind::moments::NoMoments>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Moments {
    situations: Vec<[f32; FEATURES]>,
    deeds: Vec<Deed>,
}

/// A file that holds no moments.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct NoMoments(pub String);

/// Moments as they are written: whole numbers, thousandths.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct MomentsFile {
    format: String,
    features: usize,
    situations: Vec<i32>,
    /// Turn, tilt, forward, lateral, then bits (1 jump, 2 fire, 4 foe, 8 follows), turn and tilt to the foe, and the pitch.
    deeds: Vec<[i32; 8]>,
}

const PARTS: f64 = 1000.0;

impl Moments {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.deeds.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.deeds.is_empty()
    }

    /// As text.
    pub fn write(&self) -> String {
        let parts = |number: f64| (number * PARTS).round() as i32;
        let deed = |deed: &Deed| {
            let Deed { command, foe, pitch: looked, follows } = deed;
            let [yaw, pitch] = foe.unwrap_or_default();
            let bits = i32::from(command.jump)
                | i32::from(command.fire != Fire::None) << 1
                | i32::from(foe.is_some()) << 2
                | i32::from(*follows) << 3;
            let numbers = [command.yaw, command.pitch, command.forward, command.lateral].map(parts);
            let [turn, tilt, forward, lateral] = numbers;
            [turn, tilt, forward, lateral, bits, parts(yaw), parts(pitch), parts(*looked)]
        };
        let file = MomentsFile {
            format: FORMAT.to_owned(),
            features: FEATURES,
            situations: self.situations.iter().flatten().map(|&number| parts(f64::from(number))).collect(),
            deeds: self.deeds.iter().map(deed).collect(),
        };
        serde_json::to_string(&file).unwrap_or_else(|error| unreachable!("numbers are plain data: {error}"))
    }

    /// From text.
    ///
    /// # Errors
    /// When it is something else, damaged, or of another version.
    pub fn read(text: &str) -> Result<Self, NoMoments> {
        let file: MomentsFile = serde_json::from_str(text).map_err(|error| NoMoments(error.to_string()))?;
        if file.format != FORMAT || file.features != FEATURES {
            return Err(NoMoments(format!(
                "its format is `{}`, and this program reads `{FORMAT}`",
                file.format
            )));
        }
        if file.deeds.is_empty() || file.situations.len() != file.deeds.len() * FEATURES {
            return Err(NoMoments("it has not as many situations as deeds".to_owned()));
        }
        let whole = |parts: i32| f64::from(parts) / PARTS;
        let deed = |&[yaw, pitch, forward, lateral, bits, turn, tilt, looked]: &[i32; 8]| Deed {
            command: Command {
                yaw: whole(yaw),
                pitch: whole(pitch),
                forward: whole(forward),
                lateral: whole(lateral),
                jump: bits & 1 != 0,
                fire: if bits & 2 != 0 { Fire::Primary } else { Fire::None },
                weapon: None,
            },
            foe: (bits & 4 != 0).then(|| [whole(turn), whole(tilt)]),
            pitch: whole(looked),
            follows: bits & 8 != 0,
        };
        let situation = |parts: &[i32]| std::array::from_fn(|k| whole(parts[k]) as f32);
        Ok(Moments {
            situations: file.situations.chunks_exact(FEATURES).map(situation).collect(),
            deeds: file.deeds.iter().map(deed).collect(),
        })
    }
}
