//! The numbers of the game: bodies, weapons, items, perception. Every one is a setting.
//!
//! Speeds and jumps are Unreal Tournament 2004's at 50 of its units a metre (it runs at 440 units a second); widths
//! and steps are Doom's at 32 of its units a metre, so that its maps fit.

pub use repertoire_mind::arms::{Lobbed, Mode, Projectile, WeaponRules};
use repertoire_mind::{Fire, Item, Weapon, arms};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};

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
    /// Which weapons and items there are.
    #[serde(skip_serializing_if = "Arsenal::is_of_map")]
    pub arsenal: Arsenal,
    /// The weapons, weakest first: the arena's three or Quake's eight.
    #[serde(deserialize_with = "whole_arsenal")]
    pub weapons: Vec<WeaponRules>,
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

/// Which weapons and items a match has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Arsenal {
    /// Those that the map was made for: Quake's on its maps, the arena's elsewhere.
    #[default]
    OfMap,
    /// The arena's three, everywhere.
    Arena,
    /// Quake's eight, everywhere.
    Quake,
}

impl Arsenal {
    fn is_of_map(&self) -> bool {
        *self == Arsenal::OfMap
    }
}

/// Rows that make a whole arsenal: three of which the place says the strength, or Quake's eight in their order.
fn whole_arsenal<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<WeaponRules>, D::Error> {
    let mut rows = Vec::<WeaponRules>::deserialize(from)?;
    let is_quake = rows.iter().map(|row| row.weapon).eq(Weapon::QUAKE);
    if rows.len() == Weapon::ALL.len() && rows.iter().all(|row| !row.weapon.is_of_quake()) {
        rows.iter_mut().zip(Weapon::ALL).for_each(|(row, weapon)| row.weapon = weapon);
    } else if !is_quake {
        return Err(D::Error::custom(
            "weapons must be the arena's three or Quake's eight, each in its place",
        ));
    }
    let kinds = if is_quake { 4 } else { 0 };
    if rows.iter().any(|row| row.ammo_kind.is_some_and(|kind| usize::from(kind) >= kinds)) {
        return Err(D::Error::custom("`ammo_kind` must be 0 to 3, and only Quake's weapons have one"));
    }
    Ok(rows)
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
            arsenal: Arsenal::OfMap,
            weapons: arms::ARENA.into(),
            weapon_back_secs: 15.0,
            health_back_secs: 20.0,
            health_in_item: 25.0,
            quake: QuakeRules::default(),
        }
    }
}

impl Rules {
    /// The names by which rules can be asked for.
    pub const NAMES: [&'static str; 2] = ["arena", "unreal"];

    /// Rules by their name.
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "arena" => Some(Rules::default()),
            "unreal" => Some(Rules::unreal()),
            _ => None,
        }
    }

    /// As in the game that Le Hy's tables were written for, Unreal Tournament: the pistol that everybody begins with takes 17 a shot
    /// instead of 9 (so that nobody is without a weapon), health 20, weapons lie there again after 30 s, and whoever dies is back
    /// at once.
    ///
    /// The numbers are the game's as they are commonly given; they were not measured in it.
    pub fn unreal() -> Self {
        let mut rules = Rules::default();
        let [primary, secondary] = &mut rules.weapons[Weapon::Weak.index()].modes;
        (primary.damage, secondary.damage) = (17.0, 13.6);
        Rules { respawn_secs: 0.0, weapon_back_secs: 30.0, health_in_item: 20.0, ..rules }
    }

    /// These rules on a map of this kind: on Quake's, bodies run, jump and fall as there, and fight with Quake's weapons.
    pub fn on(self, space: &Space) -> Self {
        let is_quake = match self.arsenal {
            Arsenal::OfMap => space.has_storeys(),
            Arsenal::Arena => false,
            Arsenal::Quake => true,
        };
        let rules = if is_quake { self.with_weapons_of_quake() } else { self };
        rules.with_movement_on(space)
    }

    /// With Quake's weapons, unless these rules have their own eight already, and its times until things lie there again.
    fn with_weapons_of_quake(self) -> Self {
        if self.has_weapons_of_quake() {
            return self;
        }
        Rules { weapons: arms::QUAKE.into(), weapon_back_secs: 30.0, health_back_secs: 20.0, ..self }
    }

    fn with_movement_on(self, space: &Space) -> Self {
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

    /// Whether the weapons are Quake's.
    pub fn has_weapons_of_quake(&self) -> bool {
        self.weapons.first().is_some_and(|row| row.weapon.is_of_quake())
    }

    /// The row of a weapon; one of the other game stands for one of the same strength.
    pub fn slot(&self, weapon: Weapon) -> usize {
        if self.has_weapons_of_quake() && !weapon.is_of_quake() {
            let [weak, medium, strong] = [Weapon::Shotgun, Weapon::SuperShotgun, Weapon::RocketLauncher];
            return [weak, medium, strong][weapon.index()].slot();
        }
        if self.has_weapons_of_quake() { weapon.slot() } else { weapon.index() }
    }

    /// The weapon of a row.
    pub fn weapon(&self, slot: usize) -> Weapon {
        if self.has_weapons_of_quake() { Weapon::QUAKE[slot] } else { Weapon::ALL[slot] }
    }

    /// Where the ammunition of a row is counted. The axe needs none, and looks at the shells.
    pub fn ammo_slot(&self, slot: usize) -> usize {
        self.weapons[slot].ammo_kind.map_or(slot, usize::from)
    }

    /// How many kinds of ammunition there are.
    pub fn ammo_kinds(&self) -> usize {
        if self.has_weapons_of_quake() { 4 } else { self.weapons.len() }
    }

    /// How a weapon fires; none when the trigger is not pulled.
    pub fn mode(&self, weapon: Weapon, fire: Fire) -> Option<&Mode> {
        self.weapons[self.slot(weapon)].mode(fire)
    }

    /// Until an item lies there again. What is left of a megahealth must have gone first.
    pub fn back_secs(&self, item: Item) -> f64 {
        match item {
            Item::Weapon(_) | Item::Ammo(_) | Item::LargeAmmo(_) => self.weapon_back_secs,
            Item::Health | Item::SmallHealth | Item::MegaHealth | Item::Armour(_) => self.health_back_secs,
            Item::Quad => QUAD_BACK_SECS,
        }
    }
}

/// Until the quad lies there again, and how long it works.
const QUAD_BACK_SECS: f64 = 60.0;
pub(crate) const QUAD_SECS: f64 = 30.0;
/// What the quad multiplies damage by.
pub(crate) const QUAD_TIMES: f64 = 4.0;
/// Health in a small pack and in a megahealth, and the most that the latter gives.
pub(crate) const SMALL_HEALTH: f64 = 15.0;
pub(crate) const MEGA_HEALTH: f64 = 100.0;
pub(crate) const MOST_HEALTH: f64 = 250.0;
/// What a megahealth gave above a hundred begins to go after this long, a point a second.
pub(crate) const MEGA_LASTS_SECS: f64 = 5.0;
