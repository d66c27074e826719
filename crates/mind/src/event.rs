//! What happens to characters in a match: for recordings, pages and learning, never for percepts.

use glam::DVec3;
use serde::{Deserialize, Serialize};

use crate::{Fire, Item, Weapon};

/// Something that happened to a character, or that it did.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "event")]
pub enum Event {
    /// It came to life.
    Spawned {
        /// Where.
        position: DVec3,
    },
    /// It fired.
    Fired {
        /// With what.
        weapon: Weapon,
        /// In which way.
        fire: Fire,
    },
    /// A shot of its own hit somebody else.
    Struck {
        /// Whom.
        victim: u8,
        /// With what.
        weapon: Weapon,
        /// Health taken.
        damage: f64,
    },
    /// It was hurt.
    Hurt {
        /// By whom; by nobody on a harmful floor or after a fall.
        by: Option<u8>,
        /// Health lost.
        damage: f64,
    },
    /// It died.
    Died {
        /// By whom; by itself for its own rocket, by nobody on a harmful floor or after a fall.
        by: Option<u8>,
        /// Of which weapon, if of one.
        weapon: Option<Weapon>,
    },
    /// It killed somebody else.
    Frag {
        /// Whom.
        victim: u8,
    },
    /// It picked something up.
    PickedUp {
        /// From which of the map's spots.
        spot: u16,
        /// What.
        item: Item,
    },
    /// It came out of a teleporter.
    Teleported {
        /// Where.
        position: DVec3,
    },
}
