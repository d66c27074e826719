//! Weapons and items, told apart by what they are worth to a character.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// A weapon: by its strength, which is all that minds written for one game can know of another's weapons, or one of Quake's eight.
///
/// The arena's are a pistol, a shotgun and a rocket launcher, known by strength alone. Of a weapon of Quake minds may ask for the
/// strength, too, and those who know no better treat it accordingly.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Weapon {
    /// Always in hand, hurts little, never runs dry.
    #[default]
    Weak,
    /// Hits at once, with spread: strong when near.
    Medium,
    /// A slow projectile that bursts, and may kill who fired it.
    Strong,
    /// Quake's axe: at arm's length, never runs dry.
    Axe,
    /// Quake's shotgun, with which a life begins.
    Shotgun,
    /// Quake's double-barrelled shotgun: strong when near.
    SuperShotgun,
    /// Quake's nailgun: a stream of fast nails.
    Nailgun,
    /// The same with twice the damage, and twice the nails.
    SuperNailgun,
    /// Grenades that fly in an arc, bounce, and burst after a while or at a body.
    GrenadeLauncher,
    /// Rockets that burst where they hit.
    RocketLauncher,
    /// Lightning that hits at once, as far as it reaches.
    LightningGun,
}

impl Weapon {
    /// The strengths, weakest first.
    pub const ALL: [Weapon; 3] = [Weapon::Weak, Weapon::Medium, Weapon::Strong];

    /// Quake's, in the order of its number keys.
    pub const QUAKE: [Weapon; 8] = [
        Weapon::Axe,
        Weapon::Shotgun,
        Weapon::SuperShotgun,
        Weapon::Nailgun,
        Weapon::SuperNailgun,
        Weapon::GrenadeLauncher,
        Weapon::RocketLauncher,
        Weapon::LightningGun,
    ];

    /// The place of its strength in [`Weapon::ALL`].
    pub const fn index(self) -> usize {
        match self {
            Weapon::Weak | Weapon::Axe | Weapon::Shotgun => 0,
            Weapon::Medium | Weapon::SuperShotgun | Weapon::Nailgun | Weapon::SuperNailgun => 1,
            Weapon::Strong | Weapon::GrenadeLauncher | Weapon::RocketLauncher | Weapon::LightningGun => 2,
        }
    }

    /// Its strength.
    pub const fn strength(self) -> Weapon {
        Weapon::ALL[self.index()]
    }

    /// Its place in its own game: in [`Weapon::QUAKE`], or among the strengths.
    pub const fn slot(self) -> usize {
        match self {
            Weapon::Weak | Weapon::Medium | Weapon::Strong => self as usize,
            of_quake => of_quake as usize - Weapon::Axe as usize,
        }
    }

    /// Whether it is one of Quake's, not a strength.
    pub const fn is_of_quake(self) -> bool {
        self as usize >= Weapon::Axe as usize
    }

    /// Its name in files.
    pub const fn name(self) -> &'static str {
        match self {
            Weapon::Weak => "weak",
            Weapon::Medium => "medium",
            Weapon::Strong => "strong",
            Weapon::Axe => "axe",
            Weapon::Shotgun => "shotgun",
            Weapon::SuperShotgun => "super-shotgun",
            Weapon::Nailgun => "nailgun",
            Weapon::SuperNailgun => "super-nailgun",
            Weapon::GrenadeLauncher => "grenade-launcher",
            Weapon::RocketLauncher => "rocket-launcher",
            Weapon::LightningGun => "lightning-gun",
        }
    }
}

impl fmt::Display for Weapon {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Quake's armours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Armour {
    /// 100 points that take 30 % of a hit.
    Green,
    /// 150 points that take 60 %.
    Yellow,
    /// 200 points that take 80 %.
    Red,
}

impl Armour {
    /// All of them, weakest first.
    pub const ALL: [Armour; 3] = [Armour::Green, Armour::Yellow, Armour::Red];

    /// Points of a new one.
    pub const fn points(self) -> f64 {
        match self {
            Armour::Green => 100.0,
            Armour::Yellow => 150.0,
            Armour::Red => 200.0,
        }
    }

    /// The share of a hit that it takes.
    pub const fn takes(self) -> f64 {
        match self {
            Armour::Green => 0.3,
            Armour::Yellow => 0.6,
            Armour::Red => 0.8,
        }
    }
}

/// Something that lies on the ground and can be picked up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub enum Item {
    /// A weapon, with some ammunition in it.
    Weapon(Weapon),
    /// Ammunition for a weapon. Of Quake's, a kind of ammunition goes by the best weapon that fires it.
    Ammo(Weapon),
    /// Health.
    Health,
    /// A box of Quake's ammunition with twice as much in it.
    LargeAmmo(Weapon),
    /// A pack of Quake's with less health.
    SmallHealth,
    /// A hundred of health on top of all one has; what is above a hundred goes by and by.
    MegaHealth,
    /// One of Quake's armours.
    Armour(Armour),
    /// For half a minute, shots take four times as much.
    Quad,
}

/// Quake's ammunition, by the best weapon that fires it: shells, nails, rockets, cells.
pub const AMMUNITION: [Weapon; 4] =
    [Weapon::SuperShotgun, Weapon::SuperNailgun, Weapon::RocketLauncher, Weapon::LightningGun];

impl Item {
    /// Every item of the arena's own maps. The weak weapon is always in hand and never runs dry, so it never lies about.
    pub const ALL: [Item; 5] = [
        Item::Health,
        Item::Weapon(Weapon::Medium),
        Item::Weapon(Weapon::Strong),
        Item::Ammo(Weapon::Medium),
        Item::Ammo(Weapon::Strong),
    ];

    /// Every item of Quake's maps.
    pub fn of_quake() -> impl Iterator<Item = Item> {
        let weapons = Weapon::QUAKE.into_iter().map(Item::Weapon);
        let boxes = AMMUNITION.into_iter().flat_map(|weapon| [Item::Ammo(weapon), Item::LargeAmmo(weapon)]);
        let armours = Armour::ALL.into_iter().map(Item::Armour);
        weapons.chain(boxes).chain(armours).chain([Item::SmallHealth, Item::MegaHealth, Item::Quad])
    }

    /// Whether it keeps one alive: health of any kind, and armour.
    pub const fn is_health(self) -> bool {
        matches!(self, Item::Health | Item::SmallHealth | Item::MegaHealth | Item::Armour(_))
    }

    /// The arena's item that is worth about the same: health, a weapon or ammunition by strength.
    pub const fn simple(self) -> Item {
        match self {
            Item::Weapon(weapon) => Item::Weapon(weapon.strength()),
            Item::Ammo(weapon) | Item::LargeAmmo(weapon) => Item::Ammo(weapon.strength()),
            Item::Quad => Item::Weapon(Weapon::Strong),
            _ => Item::Health,
        }
    }

    /// Its name in files.
    pub const fn name(self) -> &'static str {
        match self {
            Item::Health => "health",
            Item::Weapon(weapon) => match weapon {
                Weapon::Weak => "weak-weapon",
                Weapon::Medium => "medium-weapon",
                Weapon::Strong => "strong-weapon",
                of_quake => of_quake.name(),
            },
            Item::Ammo(weapon) => match weapon {
                Weapon::Weak => "weak-ammo",
                Weapon::Medium => "medium-ammo",
                Weapon::Strong => "strong-ammo",
                Weapon::Axe | Weapon::Shotgun | Weapon::SuperShotgun => "shells",
                Weapon::Nailgun | Weapon::SuperNailgun => "nails",
                Weapon::GrenadeLauncher | Weapon::RocketLauncher => "rockets",
                Weapon::LightningGun => "cells",
            },
            Item::LargeAmmo(weapon) => match weapon {
                Weapon::Weak => "large-weak-ammo",
                Weapon::Medium => "large-medium-ammo",
                Weapon::Strong => "large-strong-ammo",
                Weapon::Axe | Weapon::Shotgun | Weapon::SuperShotgun => "large-shells",
                Weapon::Nailgun | Weapon::SuperNailgun => "large-nails",
                Weapon::GrenadeLauncher | Weapon::RocketLauncher => "large-rockets",
                Weapon::LightningGun => "large-cells",
            },
            Item::SmallHealth => "small-health",
            Item::MegaHealth => "megahealth",
            Item::Armour(Armour::Green) => "green-armour",
            Item::Armour(Armour::Yellow) => "yellow-armour",
            Item::Armour(Armour::Red) => "red-armour",
            Item::Quad => "quad",
        }
    }
}

impl fmt::Display for Item {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl From<Item> for String {
    fn from(item: Item) -> String {
        item.name().to_owned()
    }
}

/// There is no item of this name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "there is no item `{0}`: write health, medium-weapon, strong-weapon, medium-ammo, strong-ammo or one of Quake's, such as \
     rocket-launcher, shells, large-rockets, red-armour, megahealth or quad"
)]
pub struct NoSuchItem(pub String);

impl TryFrom<String> for Item {
    type Error = NoSuchItem;
    fn try_from(name: String) -> Result<Self, NoSuchItem> {
        name.parse()
    }
}

impl FromStr for Item {
    type Err = NoSuchItem;
    fn from_str(name: &str) -> Result<Self, NoSuchItem> {
        let mut every = Item::ALL.into_iter().chain(Item::of_quake());
        every.find(|item| item.name() == name).ok_or_else(|| NoSuchItem(name.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_keep_their_names_through_text() {
        for item in Item::ALL.into_iter().chain(Item::of_quake()) {
            assert_eq!(item.name().parse(), Ok(item));
        }
        let names: std::collections::BTreeSet<&str> = Item::of_quake().map(Item::name).collect();
        assert_eq!(names.len(), Item::of_quake().count(), "no two have the same name");
        assert!("sword".parse::<Item>().is_err());
    }

    #[test]
    fn a_weapon_of_quake_is_treated_by_its_strength_where_no_more_is_known() {
        for (slot, weapon) in Weapon::QUAKE.into_iter().enumerate() {
            assert_eq!(weapon.slot(), slot);
            assert!(weapon.is_of_quake() && !weapon.strength().is_of_quake());
            assert_eq!(weapon.index(), weapon.strength().slot());
        }
        assert_eq!(Item::LargeAmmo(Weapon::LightningGun).simple(), Item::Ammo(Weapon::Strong));
        assert!(Item::Armour(Armour::Red).is_health() && !Item::Quad.is_health());
    }
}
