//! Domains that come with the library.

use super::{Domain, read};

/// Name and text of every domain that comes with the library.
pub const DOMAINS: [(&str, &str); 3] = [
    ("western", include_str!("../../domains/western.toml")),
    ("western-single-valued", include_str!("../../domains/western-single-valued.toml")),
    ("horse-breeder", include_str!("../../domains/horse-breeder.toml")),
];

/// The text of a shipped domain.
pub fn text(name: &str) -> Option<&'static str> {
    DOMAINS.iter().find(|(known, _)| *known == name).map(|(_, text)| *text)
}

/// A shipped domain, or `None` if there is none of this name.
pub fn domain(name: &str) -> Option<Domain> {
    // A test reads them all: what is shipped is right.
    text(name).map(|text| read(text).unwrap_or_else(|mistake| unreachable!("{name}: {mistake}")))
}
