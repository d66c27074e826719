//! Weapons and items, told apart by what they are worth to a character.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// A weapon by its strength, which is all that minds written for one game can know of another's weapons.
///
/// The arena's are a pistol, a shotgun and a rocket launcher.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Weapon {
    /// Always in hand, hurts little, never runs dry.
    #[default]
    Weak,
    /// Hits at once, with spread: strong when near.
    Medium,
    /// A slow projectile that bursts, and may kill who fired it.
    Strong,
}

impl Weapon {
    /// All of them, weakest first.
    pub const ALL: [Weapon; 3] = [Weapon::Weak, Weapon::Medium, Weapon::Strong];

    /// Its place in [`Weapon::ALL`].
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Its name in files.
    pub const fn name(self) -> &'static str {
        match self {
            Weapon::Weak => "weak",
            Weapon::Medium => "medium",
            Weapon::Strong => "strong",
        }
    }
}

impl fmt::Display for Weapon {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Something that lies on the ground and can be picked up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub enum Item {
    /// A weapon, with some ammunition in it.
    Weapon(Weapon),
    /// Ammunition for a weapon.
    Ammo(Weapon),
    /// Health.
    Health,
}

impl Item {
    /// Every item that maps may hold. The weak weapon is always in hand and never runs dry, so it never lies about.
    pub const ALL: [Item; 5] = [
        Item::Health,
        Item::Weapon(Weapon::Medium),
        Item::Weapon(Weapon::Strong),
        Item::Ammo(Weapon::Medium),
        Item::Ammo(Weapon::Strong),
    ];

    /// Its name in files.
    pub const fn name(self) -> &'static str {
        match self {
            Item::Health => "health",
            Item::Weapon(Weapon::Weak) => "weak-weapon",
            Item::Weapon(Weapon::Medium) => "medium-weapon",
            Item::Weapon(Weapon::Strong) => "strong-weapon",
            Item::Ammo(Weapon::Weak) => "weak-ammo",
            Item::Ammo(Weapon::Medium) => "medium-ammo",
            Item::Ammo(Weapon::Strong) => "strong-ammo",
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
#[error("there is no item `{0}`: write health, medium-weapon, strong-weapon, medium-ammo or strong-ammo")]
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
        Item::ALL.into_iter().find(|item| item.name() == name).ok_or_else(|| NoSuchItem(name.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_keep_their_names_through_text() {
        for item in Item::ALL {
            assert_eq!(item.name().parse(), Ok(item));
        }
        assert!("sword".parse::<Item>().is_err());
    }
}
