//! Doom's weapons and items as minds know them: weak, medium and strong.
//!
//! A mind asks for a kind; the hand takes the best of Doom's that serves it, and the mind is told that it holds the kind
//! it asked for. Some serve two kinds: a plasma rifle is as strong as a rocket launcher, and hurts nobody nearby.
//!
//! | kind     | slots, best first                                                                        |
//! |----------|------------------------------------------------------------------------------------------|
//! | `weak`   | 4 chaingun, 2 pistol, 1 fist or chainsaw: hits far away, or is always there              |
//! | `medium` | 3 shotgun or super shotgun, 6 plasma rifle, 4 chaingun: strong when near                 |
//! | `strong` | 7 BFG 9000, 6 plasma rifle, 5 rocket launcher: flies, and may burst                      |

use repertoire_mind::{Item, Weapon};

use crate::protocol::{State, Variable};

/// The slots that serve a kind, best first.
const fn serving(weapon: Weapon) -> [u8; 3] {
    match weapon.index() {
        0 => [4, 2, 1],
        1 => [3, 6, 4],
        _ => [7, 6, 5],
    }
}

/// The kind that a slot is when nobody asked for one.
const fn usual_kind(slot: u8) -> Weapon {
    match slot {
        3 | 4 => Weapon::Medium,
        5..=7 => Weapon::Strong,
        _ => Weapon::Weak,
    }
}

/// Cells that one shot of the BFG takes.
const BFG_CELLS: f64 = 40.0;

/// What a player carries.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Arsenal {
    /// The slot in hand.
    pub in_hand: u8,
    /// Shots for each slot; none where the weapon is missing.
    shots: [Option<u32>; 8],
}

impl Arsenal {
    /// From what the engine says.
    pub fn of(state: &State) -> Self {
        let owns = |variable| state.get(variable) > 0.0;
        let ammo = |variable, each: f64| (state.get(variable).max(0.0) / each) as u32;
        let shots = [
            None,
            Some(100),
            owns(Variable::WEAPON2).then(|| ammo(Variable::AMMO2, 1.0)),
            // The super shotgun takes two shells; with one left the hand still holds it.
            owns(Variable::WEAPON3).then(|| ammo(Variable::AMMO3, 2.0)),
            owns(Variable::WEAPON4).then(|| ammo(Variable::AMMO4, 1.0)),
            owns(Variable::WEAPON5).then(|| ammo(Variable::AMMO5, 1.0)),
            owns(Variable::WEAPON6).then(|| ammo(Variable::AMMO6, 1.0)),
            owns(Variable::WEAPON7).then(|| ammo(Variable::AMMO7, BFG_CELLS)),
        ];
        Arsenal { in_hand: state.get(Variable::SELECTED_WEAPON).clamp(0.0, 7.0) as u8, shots }
    }

    fn shots_of(&self, slot: u8) -> u32 {
        self.shots[usize::from(slot)].unwrap_or(0)
    }

    /// The slot to take for a kind.
    pub fn slot_for(&self, weapon: Weapon) -> u8 {
        serving(weapon).into_iter().find(|&slot| self.shots_of(slot) > 0).unwrap_or(1)
    }

    /// The kind in hand, for one who asked for a kind last.
    pub fn kind_in_hand(&self, asked: Option<Weapon>) -> Weapon {
        match asked {
            Some(asked) if serving(asked).contains(&self.in_hand) => asked,
            _ => usual_kind(self.in_hand),
        }
    }

    /// Which kinds are owned, as [`repertoire_mind::Own::weapons`].
    pub fn owned(&self) -> [bool; 3] {
        Weapon::ALL.map(|weapon| {
            weapon == Weapon::Weak
                || serving(weapon).iter().any(|&slot| self.shots[usize::from(slot)].is_some())
        })
    }

    /// Shots of each kind, as [`repertoire_mind::Own::ammo`]. Bullets and cells are many small shots: a dozen is a few.
    pub fn ammo(&self) -> [u32; 3] {
        let worth = |slot: u8| match slot {
            4 | 6 => self.shots_of(slot) / 4,
            7 => self.shots_of(slot) * 10,
            _ => self.shots_of(slot),
        };
        Weapon::ALL.map(|weapon| serving(weapon).into_iter().map(worth).max().unwrap_or(0))
    }

    /// Whether the slot in hand has a shot left.
    pub fn is_loaded(&self) -> bool {
        self.shots_of(self.in_hand) > 0
    }

    /// All that could be fired: less than before means that something was.
    pub fn total(&self) -> u32 {
        // Slots that share ammunition are counted once.
        [2, 3, 5, 6].into_iter().map(|slot| self.shots_of(slot)).sum()
    }
}

/// What a thing on the ground is to a mind; as the importer of maps has it.
pub fn item_of(class: &str) -> Option<Item> {
    Some(match class {
        "Shotgun" | "SuperShotgun" | "Chaingun" => Item::Weapon(Weapon::Medium),
        "RocketLauncher" | "PlasmaRifle" | "BFG9000" => Item::Weapon(Weapon::Strong),
        "Clip" | "ClipBox" | "Shell" | "ShellBox" => Item::Ammo(Weapon::Medium),
        "RocketAmmo" | "RocketBox" | "Cell" | "CellPack" => Item::Ammo(Weapon::Strong),
        "Stimpack" | "Medikit" | "Soulsphere" | "Megasphere" => Item::Health,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn carrying(slots: &[(Variable, f64)]) -> Arsenal {
        let mut state = State { own: vec![0.0; Variable::NAMES.len()], ..State::default() };
        for &(variable, value) in slots {
            state.own[variable as usize] = value;
        }
        Arsenal::of(&state)
    }

    #[test]
    fn the_hand_takes_the_best_that_has_ammunition() {
        let start =
            carrying(&[(Variable::WEAPON2, 1.0), (Variable::AMMO2, 50.0), (Variable::SELECTED_WEAPON, 2.0)]);
        assert_eq!(Weapon::ALL.map(|kind| start.slot_for(kind)), [2, 1, 1]);
        assert_eq!(start.owned(), [true, false, false]);
        let rich = carrying(&[
            (Variable::WEAPON3, 1.0),
            (Variable::AMMO3, 8.0),
            (Variable::WEAPON6, 1.0),
            (Variable::AMMO6, 30.0),
            (Variable::WEAPON7, 1.0),
            (Variable::AMMO7, 30.0),
            (Variable::SELECTED_WEAPON, 6.0),
        ]);
        assert_eq!(rich.slot_for(Weapon::Strong), 6, "30 cells are too few for a BFG");
        assert_eq!(rich.slot_for(Weapon::Medium), 3);
        assert_eq!(rich.kind_in_hand(Some(Weapon::Medium)), Weapon::Medium, "plasma serves both");
        assert_eq!(rich.kind_in_hand(None), Weapon::Strong);
        let dry = carrying(&[(Variable::WEAPON2, 1.0), (Variable::SELECTED_WEAPON, 2.0)]);
        assert_eq!(dry.slot_for(Weapon::Weak), 1, "fists never run dry");
    }
}
