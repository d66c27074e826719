//! Profiles that come with the library.

use super::{Profile, file};

/// Name and text of every profile that comes with the library.
pub const PROFILES: [(&str, &str); 6] = [
    ("plain", include_str!("../../profiles/plain.toml")),
    ("brute", include_str!("../../profiles/brute.toml")),
    ("careful", include_str!("../../profiles/careful.toml")),
    ("hurried", include_str!("../../profiles/hurried.toml")),
    ("steady", include_str!("../../profiles/steady.toml")),
    ("helper", include_str!("../../profiles/helper.toml")),
];

/// The text of a shipped profile.
pub fn text(name: &str) -> Option<&'static str> {
    PROFILES.iter().find(|(known, _)| *known == name).map(|(_, text)| *text)
}

/// A shipped profile, or `None` if there is none of this name.
pub fn profile(name: &str) -> Option<Profile> {
    // A test reads them all: what is shipped is right.
    text(name).map(|text| file::read(text).unwrap_or_else(|mistake| unreachable!("{name}: {mistake}")))
}
