//! Where things are and how to get there: what reasoning asks of a world, as its character believes it to be.

use crate::vocabulary::{PlaceId, ThingId};

/// Where to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Destination {
    /// Within reach of a place.
    Near(PlaceId),
    /// To somewhere that must be looked at to find this thing: never seen, or where it may be by now.
    Wherever(ThingId),
}

/// A way: what bars it, in the order in which it is met. A free way has no doors.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Way {
    /// Doors, or anything else that must be opened or removed first.
    pub doors: Vec<ThingId>,
}

impl Way {
    /// Whether it can be walked at once.
    pub fn is_free(&self) -> bool {
        self.doors.is_empty()
    }
}

/// Space as one character believes it to be, from where it stands.
pub trait Space {
    /// How far two places are, as guards measure it.
    fn distance(&self, a: PlaceId, b: PlaceId) -> f64;

    /// How many steps from one place to within reach of another, through what is believed to be open.
    fn steps(&self, from: PlaceId, to: PlaceId) -> Option<u32>;

    /// The same, as if everything were open: for ways that will have been opened by then.
    fn steps_when_open(&self, from: PlaceId, to: PlaceId) -> Option<u32>;

    /// Ways from where the character stands that pass none of `barred`: the free one, or a few that are barred.
    fn ways(&self, to: Destination, barred: &[ThingId]) -> Vec<Way>;

    /// The next step of a retreat from some places, or none if there is nowhere better to stand.
    fn retreat(&self, _from: &[PlaceId]) -> Option<PlaceId> {
        None
    }
}

/// No space: everything is at hand, and there is nothing to explore.
#[derive(Clone, Copy, Debug, Default)]
pub struct Nowhere;

impl Space for Nowhere {
    fn distance(&self, _: PlaceId, _: PlaceId) -> f64 {
        0.0
    }
    fn steps(&self, _: PlaceId, _: PlaceId) -> Option<u32> {
        Some(0)
    }
    fn steps_when_open(&self, _: PlaceId, _: PlaceId) -> Option<u32> {
        Some(0)
    }
    fn ways(&self, to: Destination, _: &[ThingId]) -> Vec<Way> {
        match to {
            Destination::Near(_) => vec![Way::default()],
            Destination::Wherever(_) => Vec::new(),
        }
    }
}
