//! What happened: an entry for each character and step.

use repertoire_character::reason::deed_label;
use repertoire_character::{Deed, Laws, PlaceId, Roster};

/// What a character did in a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Act {
    /// Nothing: nothing to do, or nothing worth doing.
    Wait,
    /// Walked towards the target of a deed, or to what it has not seen.
    Walk(Deed),
    /// Did it.
    Do(Deed),
    /// Tried, and it did not work: what it believed was wrong.
    Fail(Deed),
    /// Is at it; it takes several steps.
    Busy(Deed),
    /// Nothing, ever again: it was taken out of the world.
    Gone,
}

impl Act {
    /// What it is about.
    pub fn deed(self) -> Option<Deed> {
        match self {
            Act::Wait | Act::Gone => None,
            Act::Walk(deed) | Act::Do(deed) | Act::Fail(deed) | Act::Busy(deed) => Some(deed),
        }
    }

    /// One word for what was done, for logs and doors.
    pub fn word(self, laws: &Laws) -> &str {
        match self {
            Act::Wait => "wait",
            Act::Gone => "gone",
            Act::Walk(Deed::Explore) | Act::Do(Deed::Explore) => "explore",
            Act::Walk(_) => "move",
            Act::Fail(_) => "fail",
            Act::Do(Deed::Perform { interaction, .. }) | Act::Busy(Deed::Perform { interaction, .. }) => {
                &laws.interaction(interaction).name
            }
            _ => "wait",
        }
    }

    /// It in full: `move to take(apple1)`.
    pub fn label(self, laws: &Laws, roster: &Roster) -> String {
        match self {
            Act::Wait => "wait".into(),
            Act::Gone => "gone".into(),
            Act::Walk(Deed::Explore) | Act::Do(Deed::Explore) => "explore".into(),
            Act::Walk(deed @ (Deed::Approach(_) | Deed::Avoid(_))) => deed_label(deed, laws, roster),
            Act::Walk(deed) => format!("move to {}", deed_label(deed, laws, roster)),
            Act::Do(deed) => deed_label(deed, laws, roster),
            Act::Fail(deed) => format!("fail to {}", deed_label(deed, laws, roster)),
            Act::Busy(deed) => format!("busy with {}", deed_label(deed, laws, roster)),
        }
    }
}

/// What something was worth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Worth {
    /// What could be done.
    pub deed: Deed,
    /// For which of the character's goals.
    pub goal: u16,
    /// What that was worth.
    pub value: f64,
}

/// One step of one character.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// Which step.
    pub step: u32,
    /// Which character.
    pub who: u16,
    /// Where it was.
    pub from: PlaceId,
    /// Where it is now.
    pub to: PlaceId,
    /// What it did.
    pub act: Act,
    /// For which goal.
    pub goal: Option<u16>,
    /// What everything it could have done was worth.
    pub values: Vec<Worth>,
}
