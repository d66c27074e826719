//! Arms: which weapon to take, and how to fire it, by how far the enemy is.
//!
//! `P(Arm | Range)` is a factor of a manner ([`super::manner`]): a designer writes it, or it is counted from what a player fired
//! at what range. The most probable arm that is to be had is taken: drawing anew at every tick would change weapons for ever.

use crate::{Fire, Own, Weapon};

/// How far an enemy is: each range ends there, in metres; the last one never.
const ENDS_M: [f64; 5] = [2.0, 4.0, 8.0, 14.0, 30.0];

/// Names of the ranges.
pub const RANGES: [&str; 6] = ["touching", "close", "near", "middle", "far", "very_far"];

/// Names of the arms: a weapon, and its other way to fire.
pub const ARMS: [&str; 6] = ["weak", "weak_other", "medium", "medium_other", "strong", "strong_other"];

/// How probable each arm is at each range, `[range][arm]`.
pub type ArmsTable = [[f64; ARMS.len()]; RANGES.len()];

/// What the shipped manner says: a shotgun with both barrels at arm's length, rockets from where they do not hurt who fires them.
pub const USUAL: ArmsTable = [
    [0.05, 0.14, 0.20, 0.60, 0.005, 0.005],
    [0.05, 0.14, 0.60, 0.20, 0.005, 0.005],
    [0.04, 0.06, 0.28, 0.02, 0.50, 0.10],
    [0.14, 0.02, 0.20, 0.02, 0.50, 0.12],
    [0.27, 0.01, 0.01, 0.01, 0.40, 0.30],
    [0.80, 0.01, 0.01, 0.01, 0.07, 0.10],
];

/// The range of a distance.
pub fn range(distance_m: f64) -> usize {
    ENDS_M.partition_point(|&end| end <= distance_m)
}

/// The arm of a weapon, fired this way.
pub fn arm(weapon: Weapon, fire: Fire) -> usize {
    2 * weapon.index() + usize::from(fire == Fire::Secondary)
}

/// The weapon to take and the way to fire it, of those with ammunition, for an enemy at a distance; without one, for ten metres.
pub fn choose(table: &ArmsTable, own: &Own, distance_m: Option<f64>) -> (Weapon, Fire) {
    let says = &table[range(distance_m.unwrap_or(10.0))];
    let usable = |weapon: Weapon| {
        weapon == Weapon::Weak || own.weapons[weapon.index()] && own.ammo[weapon.index()] > 0
    };
    let mut best = (Weapon::Weak, Fire::Primary);
    let mut most = f64::NEG_INFINITY;
    for weapon in Weapon::ALL.into_iter().filter(|&weapon| usable(weapon)) {
        for fire in [Fire::Primary, Fire::Secondary] {
            let p = says[arm(weapon, fire)];
            if p > most {
                (best, most) = ((weapon, fire), p);
            }
        }
    }
    best
}

/// The weapon to take, as the game calls it: of Quake's, the best one of the strength that the table asks for.
pub fn choose_known(table: &ArmsTable, own: &Own, distance_m: Option<f64>) -> Weapon {
    let (asked, _) = choose(table, own, distance_m);
    match own.pack.is_empty() {
        true => asked,
        false => super::choose_of_quake(own, distance_m.unwrap_or(10.0), Some(asked)),
    }
}

/// The way to fire the weapon in hand at an enemy at a distance.
pub fn trigger(table: &ArmsTable, weapon: Weapon, distance_m: f64) -> Fire {
    let says = &table[range(distance_m)];
    let is_other = says[arm(weapon, Fire::Secondary)] > says[arm(weapon, Fire::Primary)];
    if is_other { Fire::Secondary } else { Fire::Primary }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_to_be_had_is_not_chosen() {
        let mut own = Own::default();
        assert_eq!(choose(&USUAL, &own, Some(9.0)).0, Weapon::Weak);
        own.weapons = [true; 3];
        own.ammo[Weapon::Medium.index()] = 5;
        assert_eq!(choose(&USUAL, &own, Some(9.0)), (Weapon::Medium, Fire::Primary));
        own.ammo[Weapon::Strong.index()] = 5;
        assert_eq!(choose(&USUAL, &own, Some(9.0)), (Weapon::Strong, Fire::Primary));
        assert_eq!(choose(&USUAL, &own, Some(1.0)), (Weapon::Medium, Fire::Secondary));
        assert_eq!(choose(&USUAL, &own, None).0, Weapon::Strong);
        own.pack.owned = 0b0100_0111;
        own.pack.ammo = [20, 0, 5, 0];
        assert_eq!(choose_known(&USUAL, &own, Some(9.0)), Weapon::RocketLauncher);
        assert_eq!(choose_known(&USUAL, &own, Some(1.0)), Weapon::SuperShotgun);
    }

    #[test]
    fn every_range_has_a_distribution() {
        for row in USUAL {
            assert!((row.iter().sum::<f64>() - 1.0).abs() < 1e-12);
        }
        assert_eq!((range(0.0), range(2.0), range(29.9), range(1e9)), (0, 1, 4, 5));
    }

    #[test]
    fn the_weapon_in_hand_is_fired_as_suits_the_range() {
        assert_eq!(trigger(&USUAL, Weapon::Medium, 1.0), Fire::Secondary);
        assert_eq!(trigger(&USUAL, Weapon::Medium, 6.0), Fire::Primary);
    }
}
