//! What a character perceives: what a player would see, hear and feel, and no more.
//!
//! Positions are in the world's coordinates, since a player knows where on the map they stand; [`Own::bearing`] turns
//! them into angles and a distance. What a world cannot tell (another's weapon in some games) is `None`.

use glam::DVec3;
use serde::{Deserialize, Serialize};

use super::{Bearing, Item, Weapon};
use crate::arms;

/// Number of rays that measure distances to walls: evenly spread, the first straight ahead, the others counter-clockwise.
pub const RAYS: usize = 8;

/// Everything a character knows of one moment. A game fills one for each character and each decision.
///
/// ```
/// use repertoire_mind::{DVec3, Percept, SeenCharacter};
/// let mut percept = Percept { tick: 30, period_secs: 0.1, ..Percept::default() };
/// percept.own.health = 80.0;
/// percept.own.eye_m = 1.6;
/// // Somebody stands three metres to the north, while the character looks east: on the left.
/// let position = DVec3::new(0.0, 3.0, 1.6);
/// percept.characters.push(SeenCharacter { id: 1, position, velocity: DVec3::ZERO, weapon: None });
/// let bearing = percept.own.bearing(position);
/// assert!((bearing.yaw.to_degrees() - 90.0).abs() < 1e-9 && (bearing.distance_m - 3.0).abs() < 1e-9);
/// assert!((percept.time_secs() - 3.0).abs() < 1e-9);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Percept {
    /// Decisions since the match began; the first is 0.
    pub tick: u32,
    /// From one decision to the next.
    pub period_secs: f64,
    /// The character itself.
    pub own: Own,
    /// Others in view.
    pub characters: Vec<SeenCharacter>,
    /// Places of items in view, with the item there or gone.
    pub items: Vec<SeenItem>,
    /// What was heard since the last decision.
    pub noises: Vec<Noise>,
    /// Hits taken since the last decision.
    pub hits: Vec<Hit>,
    /// How far walls are, at the height of the eyes, up to the world's limit.
    pub rays_m: [f64; RAYS],
}

impl Percept {
    /// Seconds since the match began.
    pub fn time_secs(&self) -> f64 {
        f64::from(self.tick) * self.period_secs
    }

    /// How many decisions there are in a time.
    pub fn ticks(&self, secs: f64) -> u32 {
        (secs / self.period_secs).round() as u32
    }
}

/// A character's own state, as a player reads it from the screen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Own {
    /// Which life this is; the first is 1. A change tells that the character died and came back.
    pub life: u32,
    /// The feet.
    pub position: DVec3,
    /// Metres a second.
    pub velocity: DVec3,
    /// Height of the eyes above the feet.
    pub eye_m: f64,
    /// Where it looks; see the crate's conventions.
    pub yaw: f64,
    /// Where it looks, up and down.
    pub pitch: f64,
    /// Whether it stands on something.
    pub on_ground: bool,
    /// From 100 down; 0 is death.
    pub health: f64,
    /// The weapon in hand.
    pub weapon: Weapon,
    /// Which weapons it owns, by [`Weapon::index`].
    pub weapons: [bool; 3],
    /// Shots left, by [`Weapon::index`].
    pub ammo: [u32; 3],
    /// Whether the weapon in hand could fire now.
    pub ready: bool,
    /// Others killed, minus own suicides.
    pub frags: i32,
    /// What it carries in a game with Quake's weapons: `weapons` and `ammo` then tell it by strength. Elsewhere nothing.
    #[serde(default, skip_serializing_if = "Pack::is_empty")]
    pub pack: Pack,
}

/// What a character carries in a game with Quake's weapons.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Pack {
    /// Which of [`Weapon::QUAKE`] it owns, the first in the lowest bit.
    pub owned: u32,
    /// Shells, nails, rockets and cells.
    pub ammo: [u32; 4],
    /// Points of armour.
    pub armour: u32,
    /// Seconds for which its shots still take four times as much.
    pub quad_secs: u32,
}

impl Pack {
    /// Whether there is nothing in it, not even the axe: the game is another.
    pub fn is_empty(&self) -> bool {
        self.owned == 0
    }

    /// Whether a weapon of Quake is in it.
    pub fn owns(&self, weapon: Weapon) -> bool {
        weapon.is_of_quake() && self.owned >> weapon.slot() & 1 != 0
    }
}

impl Own {
    /// Whether it owns a weapon.
    pub fn owns(&self, weapon: Weapon) -> bool {
        if weapon.is_of_quake() { self.pack.owns(weapon) } else { self.weapons[weapon.index()] }
    }

    /// Shots left in a weapon that it owns; the weak ones never run dry.
    pub fn shots(&self, weapon: Weapon) -> u32 {
        if weapon.is_of_quake() { arms::row(weapon).shots(&self.pack) } else { self.ammo[weapon.index()] }
    }

    /// Whether it could fire a weapon.
    pub fn can_fire(&self, weapon: Weapon) -> bool {
        self.owns(weapon) && (matches!(weapon, Weapon::Weak | Weapon::Axe) || self.shots(weapon) > 0)
    }

    /// Where the eyes are.
    pub fn eye(&self) -> DVec3 {
        self.position + DVec3::new(0.0, 0.0, self.eye_m)
    }

    /// Where something is, seen from the own eyes.
    pub fn bearing(&self, target: DVec3) -> Bearing {
        Bearing::of(self.eye(), self.yaw, self.pitch, target)
    }
}

/// Another character in view.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct SeenCharacter {
    /// Its number in the match.
    pub id: u8,
    /// Its feet.
    pub position: DVec3,
    /// Metres a second.
    pub velocity: DVec3,
    /// The weapon in its hand, where the world shows it.
    pub weapon: Option<Weapon>,
}

/// The place of an item in view.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct SeenItem {
    /// Its number in [`crate::Places::spots`].
    pub spot: u16,
    /// What lies there.
    pub item: Item,
    /// Where.
    pub position: DVec3,
    /// Whether it is there now, or was taken.
    pub present: bool,
}

/// What made a noise.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Sound {
    /// Somebody fired.
    Shot,
    /// A projectile burst.
    Impact,
    /// Somebody picked something up.
    PickUp,
    /// Somebody landed from a height.
    Fall,
}

impl Sound {
    /// All of them.
    pub const ALL: [Sound; 4] = [Sound::Shot, Sound::Impact, Sound::PickUp, Sound::Fall];

    /// Its name in files.
    pub const fn name(self) -> &'static str {
        match self {
            Sound::Shot => "shot",
            Sound::Impact => "impact",
            Sound::PickUp => "pick-up",
            Sound::Fall => "fall",
        }
    }
}

/// Something heard.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Noise {
    /// What it sounded like.
    pub sound: Sound,
    /// The turn to face it, as well as can be heard; positive is left.
    pub yaw: f64,
    /// From 1 (at the ear) down to 0 (not heard).
    pub loudness: f64,
}

/// A hit taken.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Hit {
    /// Health lost.
    pub damage: f64,
    /// The turn to face where it came from; positive is left.
    pub yaw: f64,
}
