//! The numbers of the game: bodies, weapons, items, perception. Every one is a setting.
//!
//! Speeds and jumps are Unreal Tournament 2004's at 50 of its units a metre (it runs at 440 units a second); widths
//! and steps are Doom's at 32 of its units a metre, so that its maps fit.

use repertoire_mind::{Fire, Item, Weapon};
use serde::{Deserialize, Serialize};

use super::space::Space;
use crate::quake::UNITS_PER_METRE;
use crate::quake::rules::QuakeRules;

/// A character's body.
pub mod body {
    /// Half its width.
    pub const RADIUS_M: f64 = 0.5;
    /// From feet to top.
    pub const HEIGHT_M: f64 = 1.75;
    /// From feet to eyes.
    pub const EYE_M: f64 = 1.6;
    /// The highest step that is walked up without a jump.
    pub const STEP_M: f64 = 0.75;
    /// The highest ledge that feet in the air are pulled up on.
    pub const AIR_STEP_M: f64 = 0.35;
}

/// The settings of a match that are not the map's.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Rules {
    /// Physics steps a second. More is smoother and slower; below 20 fast bodies would pass thin walls.
    pub steps_per_sec: u32,
    /// Physics steps from one decision to the next: with 30 a second, 3 gives decisions at 10 Hz.
    pub steps_per_decision: u32,
    /// Full speed on the ground.
    pub run_m_per_sec: f64,
    /// How fast speed changes on the ground.
    pub ground_m_per_sec2: f64,
    /// How fast speed changes in the air.
    pub air_m_per_sec2: f64,
    /// Downwards.
    pub gravity_m_per_sec2: f64,
    /// Upwards at the start of a jump: 6.8 reaches 1.2 m.
    pub jump_m_per_sec: f64,
    /// The fastest turn, in radians a second.
    pub turn_per_sec: f64,
    /// A fall that ends faster than this is heard.
    pub heard_fall_m_per_sec: f64,
    /// A fall that ends faster than this hurts.
    pub safe_fall_m_per_sec: f64,
    /// Health lost for each metre a second above that.
    pub fall_damage: f64,
    /// Health at the start of a life, and the most that items give.
    pub health: f64,
    /// From death to the next life.
    pub respawn_secs: f64,
    /// How wide characters see, in degrees.
    pub view_width_deg: f64,
    /// How high characters see, in degrees.
    pub view_height_deg: f64,
    /// Distances to walls beyond this are told as this.
    pub ray_limit_m: f64,
    /// How far noises are heard, loudest first: shots, impacts, pick-ups, falls.
    pub heard_m: [f64; 4],
    /// How wrong the direction of a faint noise is, in radians (the spread at the limit of hearing).
    pub hearing_error: f64,
    /// The weapons, weakest first.
    pub weapons: [WeaponRules; 3],
    /// Until a weapon or ammunition lies there again.
    pub weapon_back_secs: f64,
    /// Until health lies there again.
    pub health_back_secs: f64,
    /// Health in one item.
    pub health_in_item: f64,
    /// How bodies move and what liquids cost on maps of Quake. Speeds, gravity and falls above follow from it there.
    #[serde(skip_serializing_if = "QuakeRules::is_usual")]
    pub quake: QuakeRules,
}

/// One weapon.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WeaponRules {
    /// Primary and secondary fire.
    pub modes: [Mode; 2],
    /// Shots that come with the weapon.
    pub ammo_in_weapon: u32,
    /// Shots in a box of ammunition.
    pub ammo_in_box: u32,
    /// The most that can be carried.
    pub ammo_limit: u32,
    /// From taking it in hand to the first shot.
    pub raise_secs: f64,
}

/// One way to fire.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Mode {
    /// Shots taken from the ammunition; 0 never runs dry.
    pub ammo: u32,
    /// Pellets that leave at once.
    pub pellets: u32,
    /// The spread of each, in radians (standard deviation, both ways).
    pub spread: f64,
    /// Health that each takes where it hits.
    pub damage: f64,
    /// Until the next shot.
    pub wait_secs: f64,
    /// If it flies instead of hitting at once.
    pub projectile: Option<Projectile>,
}

/// What flies.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Projectile {
    /// How fast.
    pub m_per_sec: f64,
    /// How far its burst reaches.
    pub splash_m: f64,
    /// Health that the burst takes at its middle, falling to 0 at its rim; who fired it is not spared.
    pub splash_damage: f64,
    /// How fast the burst throws bodies at its middle.
    pub throw_m_per_sec: f64,
}

/// The fastest turn on maps of Quake, in radians a second.
const FASTEST_TURN: f64 = 31.0;

impl Default for Rules {
    fn default() -> Self {
        Rules {
            steps_per_sec: 30,
            steps_per_decision: 3,
            run_m_per_sec: 8.8,
            ground_m_per_sec2: 60.0,
            air_m_per_sec2: 8.0,
            gravity_m_per_sec2: 19.0,
            jump_m_per_sec: 6.8,
            turn_per_sec: 12.0,
            heard_fall_m_per_sec: 7.5,
            safe_fall_m_per_sec: 16.0,
            fall_damage: 5.0,
            health: 100.0,
            respawn_secs: 1.0,
            view_width_deg: 90.0,
            view_height_deg: 67.5,
            ray_limit_m: 40.0,
            heard_m: [45.0, 45.0, 18.0, 18.0],
            hearing_error: 0.5,
            weapons: [PISTOL, SHOTGUN, ROCKETS],
            weapon_back_secs: 15.0,
            health_back_secs: 20.0,
            health_in_item: 25.0,
            quake: QuakeRules::default(),
        }
    }
}

const PISTOL: WeaponRules = WeaponRules {
    modes: [
        Mode { ammo: 0, pellets: 1, spread: 0.012, damage: 9.0, wait_secs: 0.35, projectile: None },
        Mode { ammo: 0, pellets: 1, spread: 0.05, damage: 7.0, wait_secs: 0.2, projectile: None },
    ],
    ammo_in_weapon: 0,
    ammo_in_box: 0,
    ammo_limit: 0,
    raise_secs: 0.3,
};

const SHOTGUN: WeaponRules = WeaponRules {
    modes: [
        Mode { ammo: 1, pellets: 8, spread: 0.05, damage: 7.0, wait_secs: 0.9, projectile: None },
        Mode { ammo: 2, pellets: 16, spread: 0.1, damage: 7.0, wait_secs: 1.5, projectile: None },
    ],
    ammo_in_weapon: 10,
    ammo_in_box: 8,
    ammo_limit: 50,
    raise_secs: 0.4,
};

const ROCKETS: WeaponRules = WeaponRules {
    modes: [
        Mode {
            ammo: 1,
            pellets: 1,
            spread: 0.008,
            damage: 60.0,
            wait_secs: 0.9,
            projectile: Some(Projectile {
                m_per_sec: 24.0,
                splash_m: 3.5,
                splash_damage: 60.0,
                throw_m_per_sec: 9.0,
            }),
        },
        Mode {
            ammo: 1,
            pellets: 1,
            spread: 0.02,
            damage: 40.0,
            wait_secs: 0.7,
            projectile: Some(Projectile {
                m_per_sec: 34.0,
                splash_m: 2.0,
                splash_damage: 40.0,
                throw_m_per_sec: 5.0,
            }),
        },
    ],
    ammo_in_weapon: 6,
    ammo_in_box: 5,
    ammo_limit: 30,
    raise_secs: 0.5,
};

impl Rules {
    /// These rules on a map of this kind: on Quake's, bodies run, jump and fall as there.
    pub fn on(self, space: &Space) -> Self {
        if !space.has_storeys() {
            return self;
        }
        let per_sec = |units: f32| f64::from(units / UNITS_PER_METRE);
        let movement = self.quake.movement;
        Rules {
            run_m_per_sec: per_sec(movement.max_speed),
            ground_m_per_sec2: per_sec(movement.max_speed * movement.accelerate),
            gravity_m_per_sec2: per_sec(movement.gravity),
            jump_m_per_sec: per_sec(movement.jump),
            safe_fall_m_per_sec: per_sec(self.quake.safe_fall),
            // A mouse turns as far as one likes.
            turn_per_sec: self.turn_per_sec.max(FASTEST_TURN),
            ..self
        }
    }

    /// The length of a physics step.
    pub fn step_secs(&self) -> f64 {
        1.0 / f64::from(self.steps_per_sec)
    }

    /// From one decision to the next.
    pub fn period_secs(&self) -> f64 {
        f64::from(self.steps_per_decision) * self.step_secs()
    }

    /// A time as a number of steps, at least 1.
    pub(crate) fn steps(&self, secs: f64) -> u64 {
        ((secs * f64::from(self.steps_per_sec)).round() as u64).max(1)
    }

    /// How a weapon fires; none when the trigger is not pulled.
    pub fn mode(&self, weapon: Weapon, fire: Fire) -> Option<&Mode> {
        let [primary, secondary] = &self.weapons[weapon.index()].modes;
        match fire {
            Fire::None => None,
            Fire::Primary => Some(primary),
            Fire::Secondary => Some(secondary),
        }
    }

    /// Until an item lies there again.
    pub fn back_secs(&self, item: Item) -> f64 {
        match item {
            Item::Weapon(_) | Item::Ammo(_) => self.weapon_back_secs,
            Item::Health => self.health_back_secs,
        }
    }
}
