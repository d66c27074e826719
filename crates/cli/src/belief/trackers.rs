//! The trackers by name, as arguments.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use repertoire_eval::belief::TrackerKind;
use repertoire_eval::belief::trackers::BESIDE_HABITS;

/// Parses a tracker's name; help texts tell of each kind beside the same with habits.
pub(super) fn parser() -> impl TypedValueParser<Value = TrackerKind> {
    let told = |kind: TrackerKind| PossibleValue::new(kind.text()).help(kind.about());
    let named = |name: String| BESIDE_HABITS.into_iter().find(|kind| kind.text() == name);
    PossibleValuesParser::new(BESIDE_HABITS.map(told))
        .try_map(move |name| named(name).ok_or("no such tracker"))
}
