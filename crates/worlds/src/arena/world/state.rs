//! The state of a match: everything that the next step depends on, and nothing else.

use glam::DVec3;
use repertoire_mind::{Command, Hit, Lead, Sound, Weapon};
use repertoire_prob::Stream;
use serde::{Deserialize, Serialize};

use crate::arena::motion::Body;

/// A match at one moment. Serialises exactly.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct State {
    pub seed: u64,
    /// Physics steps so far.
    pub step: u64,
    pub characters: Vec<Character>,
    /// For each spot of the map: the step at which its item lies there again; 0 while it is there.
    pub taken_until: Vec<u64>,
    pub projectiles: Vec<InFlight>,
    /// Noises since the last decision.
    pub noises: Vec<Heard>,
    /// Only with Quake's items: what was taken and still lasts.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub megas: Vec<Mega>,
    /// Chooses starts.
    pub starts: Stream,
}

/// One character.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Character {
    pub body: Body,
    pub yaw: f64,
    pub pitch: f64,
    pub health: f64,
    /// Which life this is; 0 before the first.
    pub life: u32,
    /// While dead: the step of the next life.
    pub back_at: Option<u64>,
    pub weapon: Weapon,
    /// Which rows of the rules' weapons it owns.
    pub weapons: Vec<bool>,
    /// What it has of each kind of ammunition.
    pub ammo: Vec<u32>,
    /// Only with Quake's items.
    #[serde(default, skip_serializing_if = "Gear::is_none")]
    pub gear: Gear,
    /// The step at which the weapon in hand can fire.
    pub ready_at: u64,
    pub command: Command,
    /// Where its mind leads it; none where it steers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub led: Option<Lead>,
    /// Hits since the last decision.
    pub hits: Vec<Hit>,
    pub tally: Tally,
    /// Chance in its shots.
    pub aim: Stream,
}

impl Character {
    pub fn is_alive(&self) -> bool {
        self.back_at.is_none()
    }
}

/// What only Quake's items give.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Gear {
    /// Points of armour, and the share of a hit that it takes.
    pub armour: f64,
    pub takes: f64,
    /// The step at which the quad ends.
    pub quad_until: u64,
}

impl Gear {
    pub fn is_none(&self) -> bool {
        *self == Gear::default()
    }

    /// Takes a part of a hit; how much.
    pub fn take(&mut self, damage: f64) -> f64 {
        if self.armour <= 0.0 {
            return 0.0;
        }
        let taken = (self.takes * damage).min(self.armour);
        self.armour -= taken;
        if self.armour <= 0.0 {
            (self.armour, self.takes) = (0.0, 0.0);
        }
        taken
    }
}

/// A megahealth that somebody took: it comes back some time after what it gave has gone.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Mega {
    pub spot: u16,
    pub owner: u8,
    pub life: u32,
    /// The step at which the next point goes.
    pub goes_at: u64,
}

/// What a character has done so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    /// Others killed, minus own suicides.
    pub frags: i32,
    /// Deaths.
    pub deaths: u32,
    /// Deaths by the own hand, by a fall or on a harmful floor.
    pub suicides: u32,
    /// Times the trigger made a shot.
    pub shots: u32,
    /// Those of them that hurt somebody else.
    pub hits: u32,
    /// Health taken from others.
    pub damage: u32,
    /// Items picked up.
    pub items: u32,
    /// Decisions taken while alive.
    pub decisions: u32,
    /// Decisions at which it wanted to move and had come less than a metre in three seconds.
    pub stuck: u32,
}

/// A projectile on its way.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct InFlight {
    pub owner: u8,
    pub weapon: Weapon,
    /// Whether fired in the secondary way.
    pub secondary: bool,
    pub position: DVec3,
    pub velocity: DVec3,
    /// Whether it has hurt somebody else; a shot counts as a hit once.
    pub counted: bool,
    /// The step at which it bursts by itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bursts_at: Option<u64>,
}

/// A noise at its source.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Heard {
    pub sound: Sound,
    pub by: u8,
    pub position: DVec3,
}
