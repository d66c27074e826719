//! The trackers by name, as arguments.

use std::ops::Deref;

use clap::ValueEnum;
use clap::builder::PossibleValue;
use repertoire_eval::belief::TrackerKind;

/// A tracker named on the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Name(pub TrackerKind);

/// In the order of help texts: each kind beside the same with habits.
const NAMES: [Name; 11] = [
    Name(TrackerKind::LastSeen),
    Name(TrackerKind::RandomWalk),
    Name(TrackerKind::Hmm),
    Name(TrackerKind::Hsmm),
    Name(TrackerKind::Particles),
    Name(TrackerKind::HsmmContext),
    Name(TrackerKind::HsmmHabits),
    Name(TrackerKind::Ways),
    Name(TrackerKind::WaysHabits),
    Name(TrackerKind::Pooled),
    Name(TrackerKind::PooledHabits),
];

impl Deref for Name {
    type Target = TrackerKind;

    fn deref(&self) -> &TrackerKind {
        &self.0
    }
}

impl ValueEnum for Name {
    fn value_variants<'a>() -> &'a [Self] {
        &NAMES
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(self.text()).help(self.about()))
    }
}
