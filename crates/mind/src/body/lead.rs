//! A body that is led instead of steered: where a mind that replays a recording wants it.

use glam::DVec3;
use serde::{Deserialize, Serialize};

use super::Weapon;

/// How a body gets to where it is led.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LedHow {
    /// It is to be nowhere: who is alive dies, who is dead stays so.
    #[default]
    Away,
    /// It is to be there at once: through a teleporter, or at the beginning of a life.
    At,
    /// It is to be there by the next decision, evenly from where it is.
    Along,
}

impl LedHow {
    /// All of them.
    pub const ALL: [LedHow; 3] = [LedHow::Away, LedHow::At, LedHow::Along];

    /// Its name in files.
    pub const fn name(self) -> &'static str {
        match self {
            LedHow::Away => "away",
            LedHow::At => "at",
            LedHow::Along => "along",
        }
    }
}

/// Where a body is led until the next decision. A world obeys this instead of a command's turns, keys and jumps; the trigger is still the
/// command's.
///
/// ```
/// use repertoire_mind::{DVec3, Lead, LedHow};
///
/// let nowhere = Lead::default();
/// assert_eq!(nowhere.how, LedHow::Away);
/// let there = Lead { how: LedHow::At, position: DVec3::new(3.0, 0.0, 0.0), ..Lead::default() };
/// assert_eq!(serde_json::from_str::<Lead>(&serde_json::to_string(&there)?)?, there);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Lead {
    /// How it gets there; what follows says nothing where it is to be nowhere.
    pub how: LedHow,
    /// The feet.
    pub position: DVec3,
    /// Metres a second.
    pub velocity: DVec3,
    /// Where it looks.
    pub yaw: f64,
    /// Where it looks, up and down.
    pub pitch: f64,
    /// Whether it stands on something.
    pub on_ground: bool,
    /// The weapon in its hand, with at least one shot in it; none where that is not known, and the world's own rules then decide.
    pub weapon: Option<Weapon>,
}
