//! Towns that come with the library.

use std::sync::Arc;

use super::charter::Charter;
use super::read::read;

/// Name and text of every town that comes with the library.
pub const TOWNS: [(&str, &str); 2] = [
    ("western", include_str!("../../towns/western.toml")),
    ("station", include_str!("../../towns/station.toml")),
];

/// The text of a shipped town.
pub fn text(name: &str) -> Option<&'static str> {
    TOWNS.iter().find(|(known, _)| *known == name).map(|(_, text)| *text)
}

/// A shipped town, or `None` if there is none of this name.
pub fn charter(name: &str) -> Option<Arc<Charter>> {
    // A test reads them all: what is shipped is right.
    text(name).map(|text| Arc::new(read(text).unwrap_or_else(|mistake| unreachable!("{name}: {mistake}"))))
}
