//! People's play in a first-person game: who was where, what they pressed, and what happened, in the game's own units.
//!
//! A [`Play`] is one match as one file has it. Demos ([`crate::quake`]) and CSV ([`crate::play_csv`]) become plays, and a play is
//! written as Parquet ([`crate::play_table`]).

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// Keys and view of one command.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Keys {
    /// How long the command lasts, in milliseconds.
    pub msec: u8,
    /// Positive looks down.
    pub pitch_deg: f32,
    /// Counter-clockwise, from -180 to 180.
    pub yaw_deg: f32,
    /// Forward key, in the game's speed; backwards is negative.
    pub forward: i16,
    /// Side key; right is positive.
    pub side: i16,
    /// Swimming up and down.
    pub up: i16,
    /// Bit 0 fire, bit 1 jump.
    pub buttons: u8,
    /// A change of weapon, or another command of the game; 0 is none.
    pub impulse: u8,
}

impl Keys {
    /// Whether the fire button is held.
    pub fn is_firing(&self) -> bool {
        self.buttons & 1 != 0
    }

    /// Whether the jump button is held.
    pub fn is_jumping(&self) -> bool {
        self.buttons & 2 != 0
    }
}

/// The server's rules of movement.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Physics {
    /// Units per second per second.
    pub gravity: f32,
    /// Below this speed friction is as strong as at it.
    pub stop_speed: f32,
    /// The speed that keys ask for at most.
    pub max_speed: f32,
    /// The same for spectators.
    pub spectator_max_speed: f32,
    /// How fast the wanted speed is reached on the ground, per second.
    pub accelerate: f32,
    /// Announced, but QuakeWorld uses `accelerate` in the air, too.
    pub air_accelerate: f32,
    /// The same in water.
    pub water_accelerate: f32,
    /// Friction on the ground, per second.
    pub friction: f32,
    /// Friction in water, per second and level of water.
    pub water_friction: f32,
    /// The player's own factor of gravity.
    pub entity_gravity: f32,
}

impl From<[f32; 10]> for Physics {
    fn from(numbers: [f32; 10]) -> Self {
        let [gravity, stop_speed, max_speed, spectator_max_speed, accelerate, air_accelerate, ..] = numbers;
        let [.., water_accelerate, friction, water_friction, entity_gravity] = numbers;
        Physics {
            gravity,
            stop_speed,
            max_speed,
            spectator_max_speed,
            accelerate,
            air_accelerate,
            water_accelerate,
            friction,
            water_friction,
            entity_gravity,
        }
    }
}

impl Default for Physics {
    /// QuakeWorld's.
    fn default() -> Self {
        Physics::from([800.0, 100.0, 320.0, 500.0, 10.0, 0.7, 10.0, 4.0, 4.0, 1.0])
    }
}

/// Somebody who took part.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Player {
    /// Their name, or the id that stands for it.
    pub name: String,
    /// Their team; empty if there are none.
    pub team: String,
    /// Whether this is the player who recorded.
    pub is_pov: bool,
    /// Whether they only watched.
    pub is_spectator: bool,
}

/// A player at one moment. What the recording does not say is `None`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct State {
    /// Seconds; see [`Play::match_secs`].
    pub secs: f64,
    /// Number in [`Play::players`].
    pub player: u16,
    /// Position: 24 above the feet.
    pub at: [f32; 3],
    /// Units per second; `None` in server demos.
    pub velocity: Option<[f32; 3]>,
    /// Keys and view; keys of others only where the server passes them on, and without fire.
    pub keys: Keys,
    /// Whether the keys are known.
    pub has_keys: bool,
    /// Not dead.
    pub is_alive: bool,
    /// Frags so far.
    pub frags: i16,
    /// What the status bar shows.
    pub status: Option<Status>,
    /// Glow and the like, as bits.
    pub effects: u8,
    /// The last input of the recording player that is in this state, as [`Input::sequence`].
    pub acknowledged: Option<u32>,
}

/// What the status bar shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Status {
    /// Health; below 1 is dead.
    pub health: i16,
    /// Armour.
    pub armour: i16,
    /// Ammunition of the weapon in hand.
    pub ammo: i16,
    /// What is carried, as the game's bits.
    pub items: u32,
    /// The weapon in hand, as one of the bits of `items`.
    pub weapon: u32,
}

/// A command of the player who records.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Input {
    /// Seconds; see [`Play::match_secs`].
    pub secs: f64,
    /// Counted by the client.
    pub sequence: u32,
    /// Keys and view.
    pub keys: Keys,
}

/// Something in the world that is no player.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Thing {
    /// Seconds; see [`Play::match_secs`].
    pub secs: f64,
    /// The game's number of it.
    pub entity: u16,
    /// Number in [`Play::models`].
    pub model: u16,
    /// Where it is from now on; `None` if it is gone or out of view.
    pub at: Option<[f32; 3]>,
}

/// What happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum EventKind {
    /// A weapon was fired; `what` is the weapon, `none` where the recording does not say.
    Shot,
    /// Somebody was hurt by somebody; `amount` is health and armour.
    Damage,
    /// Something was picked up; `what` is its sound.
    Pickup,
    /// Another sound of a player or thing.
    Sound,
    /// The text that tells of a death.
    Obituary,
    /// A player's frags changed by `amount`.
    Frags,
    /// A player was alive before and is dead now.
    Death,
    /// A player was dead before and is alive now.
    Spawn,
}

impl EventKind {
    /// All of them.
    pub const ALL: [EventKind; 8] = [
        EventKind::Shot,
        EventKind::Damage,
        EventKind::Pickup,
        EventKind::Sound,
        EventKind::Obituary,
        EventKind::Frags,
        EventKind::Death,
        EventKind::Spawn,
    ];

    /// The word in tables and files.
    pub fn word(self) -> &'static str {
        match self {
            EventKind::Shot => "shot",
            EventKind::Damage => "damage",
            EventKind::Pickup => "pickup",
            EventKind::Sound => "sound",
            EventKind::Obituary => "obituary",
            EventKind::Frags => "frags",
            EventKind::Death => "death",
            EventKind::Spawn => "spawn",
        }
    }
}

/// An event.
#[derive(Clone, Debug, PartialEq)]
pub struct PlayEvent {
    /// Seconds; see [`Play::match_secs`].
    pub secs: f64,
    /// What kind.
    pub kind: EventKind,
    /// Who did it.
    pub actor: Option<u16>,
    /// Whom it was done to.
    pub target: Option<u16>,
    /// Which weapon, sound or text.
    pub what: String,
    /// How much.
    pub amount: i32,
    /// Whether an explosion did it from a distance.
    pub is_splash: bool,
}

/// One match, as one file has it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Play {
    /// What it was read from: `client demo`, `server demo` or `csv`.
    pub source: String,
    /// What the file is called, or what it calls the match.
    pub session: String,
    /// The map's file name without its ending: `dm6`.
    pub map: String,
    /// How long the match lasts, which begins at 0 seconds; before it is warming up, after it looking at the scores. `None` if
    /// the file does not say: time then counts from its beginning.
    pub match_secs: Option<f64>,
    /// Units in a metre.
    pub units_per_metre: f64,
    /// The server's settings.
    pub settings: BTreeMap<String, String>,
    /// The server's rules of movement; QuakeWorld's where the file does not say.
    pub physics: Physics,
    /// Who took part. A slot that somebody else takes over makes another player.
    pub players: Vec<Player>,
    /// Names of models; brush models of the map are `*1`, `*2`, ...
    pub models: Vec<String>,
    /// Who was where, in order of time.
    pub states: Vec<State>,
    /// What the recording player pressed.
    pub inputs: Vec<Input>,
    /// Doors, lifts, rockets and items, when they change.
    pub things: Vec<Thing>,
    /// What happened.
    pub events: Vec<PlayEvent>,
    /// What could not be read, in words.
    pub notes: Vec<String>,
}

impl Play {
    /// From the first state to the last, in seconds.
    pub fn duration_secs(&self) -> f64 {
        match (self.states.first(), self.states.last()) {
            (Some(first), Some(last)) => last.secs - first.secs,
            _ => 0.0,
        }
    }

    /// Whether a moment belongs to the match.
    pub fn is_in_match(&self, secs: f64) -> bool {
        self.match_secs.is_none_or(|end| (0.0..=end).contains(&secs))
    }

    /// Adds to all times.
    pub(crate) fn shift(&mut self, by: f64) {
        self.states.iter_mut().for_each(|one| one.secs += by);
        self.inputs.iter_mut().for_each(|one| one.secs += by);
        self.things.iter_mut().for_each(|one| one.secs += by);
        self.events.iter_mut().for_each(|one| one.secs += by);
    }

    /// The player who recorded, in client demos.
    pub fn pov(&self) -> Option<u16> {
        let k = self.players.iter().position(|player| player.is_pov)?;
        u16::try_from(k).ok()
    }
}

/// Quake's units in a metre, by the height of the eyes.
pub const QUAKE_PER_METRE: f64 = 32.0;

const WEAPONS: [(u32, &str); 8] =
    [(4096, "axe"), (1, "sg"), (2, "ssg"), (4, "ng"), (8, "sng"), (16, "gl"), (32, "rl"), (64, "lg")];

/// The short name of the weapon that a bit of Quake's items stands for.
pub fn weapon_name(bit: u32) -> &'static str {
    WEAPONS.iter().find(|(weapon, _)| *weapon == bit).map_or("none", |(_, name)| name)
}

/// The bit of a weapon's short name; 0 if there is none.
pub fn weapon_bit(name: &str) -> u32 {
    WEAPONS.iter().find(|(_, weapon)| *weapon == name).map_or(0, |(bit, _)| *bit)
}

/// Whether a sound of Quake is that of a player who takes something.
pub fn is_pickup(name: &str) -> bool {
    name.starts_with("items/r_item")
        || matches!(
            name,
            "items/health1.wav"
                | "items/armor1.wav"
                | "items/damage.wav"
                | "items/protect.wav"
                | "items/inv1.wav"
                | "items/suit.wav"
                | "weapons/pkup.wav"
                | "weapons/lock4.wav"
        )
}
