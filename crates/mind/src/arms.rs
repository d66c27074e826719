//! Weapons as data: a row each, the arena's three and Quake's eight.
//!
//! A world fires by these rows (its rules may hold others), and minds choose by them, as players know the weapons of a game. Quake's
//! numbers are those that its game code published, in metres (32 units) and radians. Rates and damage were checked against recorded
//! matches: the intervals between shots of 14 players (medians 0.51, 0.70, 0.10, 0.10, 0.60, 0.81 and 0.10 s from the shotgun to
//! lightning), and 966 hits of a server demo, in which a rocket takes 110 and a shotgun's six pellets 4 each.
//!
//! Differs from Quake: nails leave the middle instead of left and right by turns, lightning is one ray instead of three, and does not
//! discharge under water.

use glam::DVec3;
use serde::{Deserialize, Serialize};

use crate::{Bearing, Fire, Own, Pack, Weapon};

/// One weapon.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WeaponRules {
    /// Which one it is. The arena's need no name: their place says it.
    #[serde(default, skip_serializing_if = "is_strength")]
    pub weapon: Weapon,
    /// Primary and secondary fire.
    pub modes: [Mode; 2],
    /// Which of shells, nails, rockets and cells it fires; without one it has ammunition of its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ammo_kind: Option<u8>,
    /// Shots that come with the weapon.
    pub ammo_in_weapon: u32,
    /// Shots in a box of ammunition.
    pub ammo_in_box: u32,
    /// The most that can be carried.
    pub ammo_limit: u32,
    /// From taking it in hand to the first shot; with 0, only the last shot's wait counts.
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
    /// Instead of that, an even spread: the most to either side, and up or down.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub even_spread: Option<[f64; 2]>,
    /// Health that each takes where it hits.
    pub damage: f64,
    /// Until the next shot.
    pub wait_secs: f64,
    /// How far it reaches; without a limit, across the map.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub range_m: Option<f64>,
    /// How fast each point of damage throws a body, in metres a second.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub throw_per_damage: f64,
    /// If it flies instead of hitting at once.
    pub projectile: Option<Projectile>,
}

/// What flies.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Projectile {
    /// How fast.
    pub m_per_sec: f64,
    /// How far its burst reaches; with 0 it does not burst.
    pub splash_m: f64,
    /// Health that the burst takes at its middle, falling to 0 at its rim; who fired it is not spared.
    pub splash_damage: f64,
    /// How fast the burst throws bodies at its middle.
    pub throw_m_per_sec: f64,
    /// Instead of falling to 0 at the rim, the burst takes this much less with each metre from a body's middle.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub less_per_m: Option<f64>,
    /// The share of the burst that whoever fired it suffers.
    #[serde(default = "whole", skip_serializing_if = "is_whole")]
    pub own_share: f64,
    /// If it falls and bounces instead of flying straight.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lobbed: Option<Lobbed>,
}

/// How something flies that is thrown.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Lobbed {
    /// Its speed across the view, upwards, at the start.
    pub up_m_per_sec: f64,
    /// When it bursts if it meets nobody.
    pub fuse_secs: f64,
    /// The share of its speed that is left after a bounce.
    pub bounce: f64,
}

fn is_strength(weapon: &Weapon) -> bool {
    !weapon.is_of_quake()
}

fn is_zero(number: &f64) -> bool {
    *number == 0.0
}

fn whole() -> f64 {
    1.0
}

fn is_whole(number: &f64) -> bool {
    *number == 1.0
}

impl WeaponRules {
    /// Shots left in it, of what somebody carries in a game with Quake's weapons.
    pub fn shots(&self, pack: &Pack) -> u32 {
        let left = self.ammo_kind.and_then(|kind| pack.ammo.get(usize::from(kind)));
        left.map_or(0, |left| left / self.modes[0].ammo.max(1))
    }

    /// How it is fired; not at all when the trigger is not pulled.
    pub fn mode(&self, fire: Fire) -> Option<&Mode> {
        match fire {
            Fire::None => None,
            Fire::Primary => Some(&self.modes[0]),
            Fire::Secondary => Some(&self.modes[1]),
        }
    }

    /// Whether it bursts, and may hurt whoever fires it.
    pub fn bursts(&self) -> bool {
        self.modes[0].projectile.is_some_and(|what| what.splash_m > 0.0)
    }

    /// How fast its shots fly; without an answer they hit at once.
    pub fn m_per_sec(&self) -> Option<f64> {
        self.modes[0].projectile.map(|what| what.m_per_sec)
    }

    /// Health that it takes in a second from a body at a distance, which moves as bodies do: a guess to choose by.
    ///
    /// Pellets that spread wider than the body miss it; what flies misses more often the longer it flies, but a burst needs no hit.
    pub fn health_per_sec(&self, distance_m: f64) -> f64 {
        let Mode { pellets, spread, even_spread, damage, wait_secs, range_m, projectile, .. } = self.modes[0];
        if range_m.is_some_and(|range_m| distance_m > range_m) {
            return 0.0;
        }
        // A normal spread is about as wide as an even one of one and a half times its deviation.
        let [aside, up] = even_spread.unwrap_or([1.5 * spread; 2]);
        let meets = |half_m: f64, spread: f64| half_m / (distance_m * spread).max(half_m);
        let met = meets(HALF_WIDTH_M, aside) * meets(HALF_HEIGHT_M, up);
        let taken = match projectile {
            None => damage * met,
            Some(what) => {
                let flight = distance_m / what.m_per_sec / DODGE_SECS;
                let hits = 1.0 / (1.0 + flight * flight);
                let lost = if what.lobbed.is_some() { LOBBED } else { 1.0 };
                lost * (hits * damage + (1.0 - hits) * BURST_SHARE * what.splash_damage)
            }
        };
        f64::from(pellets) * taken / wait_secs
    }
}

/// How a weapon is laid on somebody.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lay {
    /// How long the shot is on its way.
    pub flight_secs: f64,
    /// How high above the feet it should hit.
    pub height_m: f64,
    /// How far above the line to the target one points.
    pub tilt: f64,
}

impl Lay {
    /// At somebody at a distance who rises or falls so fast.
    pub fn of(weapon: Weapon, distance_m: f64, rises_m_per_sec: f64) -> Self {
        let row = row(weapon);
        // What bursts goes for the feet, where the floor lets it burst.
        let at_feet = row.bursts() && rises_m_per_sec.abs() < 1.0;
        let height_m = if at_feet { 0.4 } else { 1.1 };
        let Some(what) = row.modes[0].projectile else {
            return Lay { flight_secs: 0.0, height_m, tilt: 0.0 };
        };
        let Some(lobbed) = what.lobbed else {
            return Lay { flight_secs: distance_m / what.m_per_sec, height_m, tilt: 0.0 };
        };
        // The flatter of the two arcs that end at the distance: sin 2a = g d / v^2.
        let speed = libm::hypot(what.m_per_sec, lobbed.up_m_per_sec);
        let sine = (GRAVITY_M_PER_SEC2 * distance_m / (speed * speed)).min(1.0);
        let angle = 0.5 * libm::asin(sine);
        let flight_secs = distance_m / (speed * libm::cos(angle));
        Lay { flight_secs, height_m, tilt: angle - libm::atan2(lobbed.up_m_per_sec, what.m_per_sec) }
    }
}

/// The turn and the tilt that lay the weapon in hand on somebody with these feet and this velocity, aiming ahead by this share of how
/// far they move: while the shot flies, and for half a decision, since what was seen is a moment old once one has turned.
pub fn lay_at(own: &Own, (feet, velocity): (DVec3, DVec3), lead: f64, period_secs: f64) -> (f64, f64) {
    let lay = Lay::of(own.weapon, feet.distance(own.position), velocity.z);
    let ahead = lead * (lay.flight_secs + period_secs / 2.0);
    let target = feet + velocity * ahead + DVec3::new(0.0, 0.0, lay.height_m);
    // Shots leave a little below the eyes.
    let hand = own.eye() - DVec3::new(0.0, 0.0, 0.2);
    let bearing = Bearing::of(hand, own.yaw, own.pitch, target);
    (bearing.yaw, bearing.pitch + lay.tilt)
}

/// Quake's gravity.
const GRAVITY_M_PER_SEC2: f64 = 800.0 / UNITS;
/// Half a body, across and upright.
const HALF_WIDTH_M: f64 = 0.5;
const HALF_HEIGHT_M: f64 = 0.9;
/// Half of what flies this long misses.
const DODGE_SECS: f64 = 0.45;
/// A burst beside a body takes about this share of its damage.
const BURST_SHARE: f64 = 0.35;
/// What is lobbed hits less often than what flies straight.
const LOBBED: f64 = 0.4;

/// The arena's weapons, weakest first: a pistol, a shotgun and a rocket launcher.
pub const ARENA: [WeaponRules; 3] = [
    WeaponRules {
        weapon: Weapon::Weak,
        modes: [
            Mode { spread: 0.012, damage: 9.0, wait_secs: 0.35, ..SHOT },
            Mode { spread: 0.05, damage: 7.0, wait_secs: 0.2, ..SHOT },
        ],
        ammo_kind: None,
        ammo_in_weapon: 0,
        ammo_in_box: 0,
        ammo_limit: 0,
        raise_secs: 0.3,
    },
    WeaponRules {
        weapon: Weapon::Medium,
        modes: [
            Mode { ammo: 1, pellets: 8, spread: 0.05, damage: 7.0, wait_secs: 0.9, ..SHOT },
            Mode { ammo: 2, pellets: 16, spread: 0.1, damage: 7.0, wait_secs: 1.5, ..SHOT },
        ],
        ammo_kind: None,
        ammo_in_weapon: 10,
        ammo_in_box: 8,
        ammo_limit: 50,
        raise_secs: 0.4,
    },
    WeaponRules {
        weapon: Weapon::Strong,
        modes: [
            Mode {
                ammo: 1,
                spread: 0.008,
                damage: 60.0,
                wait_secs: 0.9,
                projectile: Some(Projectile {
                    m_per_sec: 24.0,
                    splash_m: 3.5,
                    splash_damage: 60.0,
                    throw_m_per_sec: 9.0,
                    ..STRAIGHT
                }),
                ..SHOT
            },
            Mode {
                ammo: 1,
                spread: 0.02,
                damage: 40.0,
                wait_secs: 0.7,
                projectile: Some(Projectile {
                    m_per_sec: 34.0,
                    splash_m: 2.0,
                    splash_damage: 40.0,
                    throw_m_per_sec: 5.0,
                    ..STRAIGHT
                }),
                ..SHOT
            },
        ],
        ammo_kind: None,
        ammo_in_weapon: 6,
        ammo_in_box: 5,
        ammo_limit: 30,
        raise_secs: 0.5,
    },
];

/// A single shot that hits at once and takes nothing: what rows do not say.
const SHOT: Mode = Mode {
    ammo: 0,
    pellets: 1,
    spread: 0.0,
    even_spread: None,
    damage: 0.0,
    wait_secs: 0.0,
    range_m: None,
    throw_per_damage: 0.0,
    projectile: None,
};

/// Something that flies straight and does not burst.
const STRAIGHT: Projectile = Projectile {
    m_per_sec: 0.0,
    splash_m: 0.0,
    splash_damage: 0.0,
    throw_m_per_sec: 0.0,
    less_per_m: None,
    own_share: 1.0,
    lobbed: None,
};

/// Units of Quake in a metre.
const UNITS: f64 = 32.0;

/// A shot of Quake's: each point of damage throws by 8 units a second.
const QUAKE_SHOT: Mode = Mode { throw_per_damage: 8.0 / UNITS, ..SHOT };

/// A burst of Quake's: 120, less half a point for each unit, as far as 160 units; half of it for whoever fired.
const QUAKE_BURST: Projectile = Projectile {
    splash_m: 160.0 / UNITS,
    splash_damage: 120.0,
    less_per_m: Some(0.5 * UNITS),
    own_share: 0.5,
    ..STRAIGHT
};

const NAIL: Projectile = Projectile { m_per_sec: 1000.0 / UNITS, ..STRAIGHT };

/// A weapon of Quake's: both ways to fire are the same, and it is in hand at once.
const fn of_quake(weapon: Weapon, mode: Mode, ammo_kind: Option<u8>, ammo_in_weapon: u32) -> WeaponRules {
    let (ammo_in_box, ammo_limit) = match ammo_kind {
        Some(0) => (20, 100),
        Some(1) => (25, 200),
        Some(2) => (5, 100),
        Some(_) => (6, 100),
        None => (0, 0),
    };
    WeaponRules {
        weapon,
        modes: [mode, mode],
        ammo_kind,
        ammo_in_weapon,
        ammo_in_box,
        ammo_limit,
        raise_secs: 0.0,
    }
}

/// Quake's weapons, in the order of [`Weapon::QUAKE`].
pub const QUAKE: [WeaponRules; 8] = [
    of_quake(
        Weapon::Axe,
        Mode { damage: 20.0, wait_secs: 0.5, range_m: Some(64.0 / UNITS), ..QUAKE_SHOT },
        None,
        0,
    ),
    of_quake(
        Weapon::Shotgun,
        Mode {
            ammo: 1,
            pellets: 6,
            even_spread: Some([0.04, 0.04]),
            damage: 4.0,
            wait_secs: 0.5,
            range_m: Some(2048.0 / UNITS),
            ..QUAKE_SHOT
        },
        Some(0),
        // What a life begins with.
        25,
    ),
    of_quake(
        Weapon::SuperShotgun,
        Mode {
            ammo: 2,
            pellets: 14,
            even_spread: Some([0.14, 0.08]),
            damage: 4.0,
            wait_secs: 0.7,
            range_m: Some(2048.0 / UNITS),
            ..QUAKE_SHOT
        },
        Some(0),
        5,
    ),
    of_quake(
        Weapon::Nailgun,
        Mode { ammo: 1, damage: 9.0, wait_secs: 0.1, projectile: Some(NAIL), ..QUAKE_SHOT },
        Some(1),
        30,
    ),
    of_quake(
        Weapon::SuperNailgun,
        Mode { ammo: 2, damage: 18.0, wait_secs: 0.1, projectile: Some(NAIL), ..QUAKE_SHOT },
        Some(1),
        30,
    ),
    of_quake(
        Weapon::GrenadeLauncher,
        Mode {
            ammo: 1,
            damage: 120.0,
            wait_secs: 0.6,
            projectile: Some(Projectile {
                m_per_sec: 600.0 / UNITS,
                lobbed: Some(Lobbed { up_m_per_sec: 200.0 / UNITS, fuse_secs: 2.5, bounce: 0.5 }),
                ..QUAKE_BURST
            }),
            ..QUAKE_SHOT
        },
        Some(2),
        5,
    ),
    of_quake(
        Weapon::RocketLauncher,
        Mode {
            ammo: 1,
            damage: 110.0,
            wait_secs: 0.8,
            projectile: Some(Projectile { m_per_sec: 1000.0 / UNITS, ..QUAKE_BURST }),
            ..QUAKE_SHOT
        },
        Some(2),
        5,
    ),
    of_quake(
        Weapon::LightningGun,
        Mode { ammo: 1, damage: 30.0, wait_secs: 0.1, range_m: Some(600.0 / UNITS), ..QUAKE_SHOT },
        Some(3),
        15,
    ),
];

/// What is known of a weapon.
pub fn row(weapon: Weapon) -> &'static WeaponRules {
    static ARENA_ROWS: [WeaponRules; 3] = ARENA;
    static QUAKE_ROWS: [WeaponRules; 8] = QUAKE;
    if weapon.is_of_quake() { &QUAKE_ROWS[weapon.slot()] } else { &ARENA_ROWS[weapon.slot()] }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_stand_at_their_weapons_places() {
        for weapon in Weapon::ALL.into_iter().chain(Weapon::QUAKE) {
            assert_eq!(row(weapon).weapon, weapon);
        }
        let bursting: Vec<&str> =
            QUAKE.iter().filter(|row| row.bursts()).map(|row| row.weapon.name()).collect();
        assert_eq!(bursting, ["grenade-launcher", "rocket-launcher"]);
    }

    #[test]
    fn a_weapon_is_worth_what_its_range_and_spread_leave_of_it() {
        let worth = |weapon: Weapon, distance_m: f64| row(weapon).health_per_sec(distance_m);
        // All pellets of the double barrels meet a body at arm's length: 56 in 0.7 s.
        assert!((worth(Weapon::SuperShotgun, 1.0) - 80.0).abs() < 1e-9);
        assert!((worth(Weapon::LightningGun, 10.0) - 300.0).abs() < 1e-9);
        assert_eq!(worth(Weapon::LightningGun, 20.0), 0.0, "it reaches 600 units");
        assert_eq!(worth(Weapon::Axe, 3.0), 0.0);
        assert!(worth(Weapon::Shotgun, 25.0) > worth(Weapon::SuperShotgun, 25.0), "it spreads less");
        assert!(worth(Weapon::RocketLauncher, 8.0) > worth(Weapon::Shotgun, 8.0));
    }

    #[test]
    fn arena_rows_are_written_as_they_always_were() {
        let text = serde_json::to_string(&ARENA[2]).expect("plain data");
        assert!(!text.contains("\"weapon\":") && !text.contains("own_share"), "{text}");
        let again: WeaponRules = serde_json::from_str(&text).expect("as written");
        assert_eq!(again.modes, ARENA[2].modes);
        let launcher = &QUAKE[5];
        let text = serde_json::to_string(launcher).expect("plain data");
        assert_eq!(&serde_json::from_str::<WeaponRules>(&text).expect("as written"), launcher);
    }
}
